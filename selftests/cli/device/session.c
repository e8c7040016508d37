// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of the device: creation and refusal, rings, start and stop. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"

#define BITS_PER_BYTE	8

struct fake_session sessions[MAX_SESSIONS];
unsigned int nr_sessions;

/**
 * session_of() - the session with a descriptor
 *
 * Return: NULL if there is none.
 */
struct fake_session *session_of(int fd)
{
	unsigned int i;

	for (i = 0; fd >= 0 && i < nr_sessions; i++) {
		if (sessions[i].fd == fd)
			return &sessions[i];
	}
	return NULL;
}

/**
 * session_sampled() - index of the event that is sampled
 */
unsigned int session_sampled(const struct fake_session *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_events; i++) {
		if (s->events[i].flags & ACRPMU_EVENT_SAMPLED)
			return i;
	}
	return 0;
}

/* ---- creation ------------------------------------------------------------------------------ */

static bool wants_cpu(const struct acrpmu_session_attr *a, int cpu)
{
	const uint8_t *map = (const void *)(uintptr_t)a->cpus;

	if (!a->cpus_size)
		return true;
	return cpu / BITS_PER_BYTE < (int)a->cpus_size &&
	       map[cpu / BITS_PER_BYTE] >> cpu % BITS_PER_BYTE & 1;
}

static void note_create(const struct acrpmu_session_attr *a)
{
	const struct acrpmu_event_attr *events = (const void *)(uintptr_t)a->events;
	char cpus[16] = "";
	uint32_t i;

	if (getenv("FAKE_KINDS") && a->cpus_size)
		snprintf(cpus, sizeof(cpus), " cpus=%#x", *(const uint8_t *)(uintptr_t)a->cpus);
	note("CREATE flags=%#x nr_events=%u ring_pages=%u cpus_size=%u pid=%d%s", a->flags,
	     a->nr_events, a->ring_pages, a->cpus_size, a->pid, cpus);
	if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
		note("CHAINS max_stack=%u", a->max_stack);
	if (a->jitter)
		note("JITTER %u", a->jitter);
	for (i = 0; i < a->nr_events; i++)
		note("  event %u config=%#llx period=%llu acr_mask=%#llx flags=%#x", i,
		     events[i].config, events[i].period, events[i].acr_mask, events[i].flags);
}

/* Whether the environment refuses it; errno is set then. */
static bool refuse(struct acrpmu_session_attr *a)
{
	const char *file = getenv("FAKE_REFUSE_IF");

	if (!getenv("FAKE_ERRNO") || nr_sessions < env_number("FAKE_REFUSE_NR") ||
	    (file && access(file, F_OK)))
		return false;
	a->error.reason = env_number("FAKE_REASON");
	a->error.event = getenv("FAKE_EVENT") ? env_number("FAKE_EVENT") : -1;
	a->error.cpu = -1;
	errno = env_number("FAKE_ERRNO");
	return true;
}

static bool refuse_cpus(struct acrpmu_session_attr *a)
{
	unsigned int cpu;

	/* those that may come later */
	if (a->flags & ACRPMU_SESSION_ARRIVE)
		return false;
	for (cpu = device_online(); cpu < a->cpus_size * BITS_PER_BYTE; cpu++) {
		if (!wants_cpu(a, cpu))
			continue;
		a->error.reason = ACRPMU_REASON_CPU_OFFLINE;
		a->error.event = -1;
		a->error.cpu = cpu;
		errno = ENODEV;
		return true;
	}
	return false;
}

static int add_cpu(struct fake_session *s, const struct acrpmu_session_attr *a, int cpu)
{
	size_t size = (size_t)(a->ring_pages + 1) * getpagesize();
	struct acrpmu_ring_page *page = device_mmap(size, s->fd, ACRPMU_RING_OFFSET(cpu));

	if (page == MAP_FAILED)
		return -1;
	page->version = 1;
	page->size = sizeof(*page);
	page->data_offset = getpagesize();
	page->data_size = (uint64_t)a->ring_pages * getpagesize();
	s->rings[s->nr_cpus] = (struct ring){
		.data = (unsigned char *)page + page->data_offset,
		.size = page->data_size,
		.head = (uint64_t *)&page->data_head,
		.tail = (uint64_t *)&page->data_tail,
	};
	s->cpus[s->nr_cpus++] = cpu;
	return 0;
}

/**
 * session_create() - answer ACRPMU_SESSION_CREATE
 *
 * Return: as the command.
 */
int session_create(struct acrpmu_session_attr *a)
{
	struct fake_session *s = &sessions[nr_sessions];
	int cpu;

	pause_before("create");
	note_create(a);
	if (refuse(a) || refuse_cpus(a))
		return -1;
	memset(s, 0, sizeof(*s));
	memcpy(s->events, (const void *)(uintptr_t)a->events, a->nr_events * sizeof(*s->events));
	s->nr_events = a->nr_events;
	s->flags = a->flags;
	s->sample_type = a->sample_type;
	s->pid = a->flags & ACRPMU_SESSION_TASK ? a->pid : 0;
	s->runs = a->flags & ACRPMU_SESSION_ENABLE_ON_EXEC;
	s->fd = memfd_create("session", MFD_CLOEXEC);
	if (ftruncate(s->fd, ACRPMU_RING_OFFSET(MAX_CPUS)))
		return -1;
	for (cpu = 0; cpu < device_online(); cpu++) {
		if (wants_cpu(a, cpu) && add_cpu(s, a, cpu))
			return -1;
	}
	a->session_id = ++nr_sessions;
	return s->fd;
}

/* ---- rings --------------------------------------------------------------------------------- */

static bool mmap_fails(const struct fake_session *s)
{
	static long times;

	errno = env_number("FAKE_MMAP_ERRNO");
	return errno && (!getenv("FAKE_ARRIVE") || s->arrived) &&
	       (!getenv("FAKE_MMAP_TIMES") || times++ < env_number("FAKE_MMAP_TIMES"));
}

/**
 * session_map() - map the ring of a CPU for acrctl
 *
 * Return: as mmap(2).
 */
void *session_map(struct fake_session *s, size_t len, off_t offset)
{
	int cpu = offset / ACRPMU_RING_OFFSET(1);
	unsigned int n;

	if (mmap_fails(s))
		return MAP_FAILED;
	note("MAP %d", cpu);
	for (n = 0; n < s->nr_cpus; n++)
		s->mapped[n] |= s->cpus[n] == cpu;
	return device_mmap(len, s->fd, offset);
}

/**
 * session_note_polled() - acrctl's loop waits for the session, and for more than that
 */
void session_note_polled(struct fake_session *s, short events)
{
	if (s->arrived && s->polled == events)
		return;
	s->arrived = getenv("FAKE_ARRIVE");
	s->polled = events;
	if (s->arrived)
		note("POLL events=%d", events);
}

/**
 * session_ready() - what poll() has to report
 */
short session_ready(const struct fake_session *s)
{
	short revents = 0;
	unsigned int n;

	for (n = 0; n < s->nr_cpus; n++) {
		if (ring_has_data(&s->rings[n]))
			revents |= POLLIN;
		if (s->arrived && !s->mapped[n])
			revents |= POLLPRI;
	}
	return revents;
}

/* ---- commands ------------------------------------------------------------------------------ */

static int enable(struct fake_session *s)
{
	pause_before("enable");
	note("ENABLE");
	s->runs = true;
	script_started();
	return 0;
}

/* What the script has left happens before. */
static int disable(struct fake_session *s)
{
	note("DISABLE");
	if (s->runs)
		script_play(SCRIPT_STOPPED);
	s->runs = false;
	return 0;
}

static bool holds(const struct fake_session *s, int cpu)
{
	return cpu == s->cpus[0] || (s->arrived && !strcmp(getenv("FAKE_ARRIVE"), "held"));
}

static int query(const struct fake_session *s, struct acrpmu_query *q)
{
	struct acrpmu_event_hw *hw = (void *)(uintptr_t)q->events;
	bool held = true;
	unsigned int i;

	/* without FAKE_ARRIVE no CPU differs */
	if (q->flags && !getenv("FAKE_ARRIVE")) {
		errno = EINVAL;
		return -1;
	}
	if (q->flags)
		held = holds(s, q->cpu);
	else
		note("QUERY");
	for (i = 0; i < s->nr_events; i++) {
		memset(&hw[i], 0, q->event_size);
		hw[i].cntr = held ? (int)i : -1;
		hw[i].cfg_a = s->events[i].config;
		hw[i].cfg_b = s->events[i].acr_mask;
		hw[i].cfg_c = (uint32_t)-s->events[i].period;
		hw[i].start = -s->events[i].period;
	}
	return 0;
}

static int attach(const struct acrpmu_attach *a)
{
	note("ATTACH pid=%d flags=%#x", a->pid, a->flags);
	return 0;
}

/**
 * session_ioctl() - answer a command for a session
 *
 * Return: as ioctl(2).
 */
int session_ioctl(struct fake_session *s, unsigned long request, void *arg)
{
	switch (request) {
	case ACRPMU_ENABLE:
		return enable(s);
	case ACRPMU_DISABLE:
		return disable(s);
	case ACRPMU_ATTACH:
		return attach(arg);
	case ACRPMU_UNPARK:
		note("UNPARK");
		return 0;
	case ACRPMU_READ:
		return account_read(s, arg);
	case ACRPMU_SET_PERIODS:
		return account_set_periods(s, arg);
	case ACRPMU_QUERY:
		return query(s, arg);
	}
	return device_ioctl(s->fd, request, arg);
}
