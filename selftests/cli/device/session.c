// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of the device: creation and refusal, rings, start and stop. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_REASON=N FAKE_ERRNO=N   session creation is refused with these
 *   FAKE_EVENT=N                 index of the event that the refusal blames
 *   FAKE_REFUSE_NR=N             only after N sessions have been created in a run
 *   FAKE_REFUSE_IF=FILE          only while FILE exists
 *   FAKE_LAST_RUN=N              only in later runs
 *   FAKE_INT_RUN=N               SIGINT comes when a session of run N is made
 *   FAKE_ARRIVE=held             a session holds its first CPU only, until acrctl polls; then all,
 *                                and poll() reports POLLPRI until their rings are mapped
 *   FAKE_ARRIVE=lost             likewise, but it has lost the others again when acrctl queries
 *   FAKE_MMAP_ERRNO=N            no ring can be mapped; with FAKE_ARRIVE not those that come later
 *   FAKE_MMAP_TIMES=N            only the first so many times
 *   FAKE_ATTACH_ERRNO=N          ATTACH is refused with this, the first time
 *   FAKE_INHERITED=TID           a session follows this thread already
 *   FAKE_BEFORE=FILE FAKE_AFTER=FILE   at the first ATTACH these are opened and closed, so that a
 *                                program can create a thread then
 */
#define BITS_PER_BYTE	8
#define EXTRA_MSR	0x1a6

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
	note("CREATE %u flags=%#x nr_events=%u ring_pages=%u sample_type=%#llx cpus_size=%u "
	     "pid=%d%s", nr_sessions, a->flags, a->nr_events, a->ring_pages, a->sample_type,
	     a->cpus_size, a->pid, cpus);
	if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
		note("CHAINS max_stack=%u", a->max_stack);
	if (a->jitter)
		note("JITTER %u", a->jitter);
	for (i = 0; i < a->nr_events; i++)
		note("  event %u config=%#llx extra=%#llx period=%llu acr_mask=%#llx flags=%#x", i,
		     events[i].config, events[i].extra_value, events[i].period,
		     events[i].acr_mask, events[i].flags);
}

/**
 * session_refuse() - refuse a command of a session, with the reason
 *
 * Return: -1, with errno.
 */
int session_refuse(struct acrpmu_error *error, uint32_t reason, int errnum)
{
	*error = (struct acrpmu_error){
		.reason = reason, .event = -1, .cpu = -1, .holder_pid = 4242, .holder = "perf",
	};
	errno = errnum;
	return -1;
}

/* Whether the environment refuses it; errno is set then. */
static bool refuse(struct acrpmu_session_attr *a)
{
	const char *file = getenv("FAKE_REFUSE_IF");

	if (!getenv("FAKE_ERRNO") || nr_sessions < env_number("FAKE_REFUSE_NR") ||
	    clock_run() <= env_number("FAKE_LAST_RUN") || (file && access(file, F_OK)))
		return false;
	session_refuse(&a->error, env_number("FAKE_REASON"), env_number("FAKE_ERRNO"));
	if (getenv("FAKE_EVENT"))
		a->error.event = env_number("FAKE_EVENT");
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
		session_refuse(&a->error, ACRPMU_REASON_CPU_OFFLINE, ENODEV);
		a->error.cpu = cpu;
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

static bool any_open(void)
{
	unsigned int i;

	for (i = 0; i < nr_sessions; i++) {
		if (sessions[i].fd >= 0)
			return true;
	}
	return false;
}

/**
 * session_create() - answer ACRPMU_SESSION_CREATE
 *
 * Return: as the command.
 */
int session_create(struct acrpmu_session_attr *a)
{
	struct fake_session *s;
	int cpu;

	if (!any_open()) {
		nr_sessions = 0;
		clock_next_run();
	}
	if (nr_sessions == MAX_SESSIONS || a->nr_events > ACRPMU_MAX_EVENTS)
		give_up("there is room for %u sessions of %u events", MAX_SESSIONS,
			ACRPMU_MAX_EVENTS);
	s = &sessions[nr_sessions];
	pause_before("create");
	note_create(a);
	if (env_is("FAKE_INT_RUN", clock_run()))
		kill(getpid(), SIGINT);
	if (refuse(a) || refuse_cpus(a))
		return -1;
	memset(s, 0, sizeof(*s));
	memcpy(s->events, (const void *)(uintptr_t)a->events, a->nr_events * sizeof(*s->events));
	s->nr_events = a->nr_events;
	s->flags = a->flags;
	s->sample_type = a->sample_type;
	s->nr_targets = !!(a->flags & ACRPMU_SESSION_TASK);
	s->pids[0] = s->nr_targets ? a->pid : 0;
	s->parked = a->flags & ACRPMU_SESSION_PARKED;
	s->runs = a->flags & ACRPMU_SESSION_ENABLE_ON_EXEC;
	s->fd = memfd_create("session", MFD_CLOEXEC);
	if (ftruncate(s->fd, ACRPMU_RING_OFFSET(MAX_CPUS)))
		return -1;
	for (cpu = 0; cpu < device_online(); cpu++) {
		if (wants_cpu(a, cpu) && add_cpu(s, a, cpu))
			return -1;
	}
	s->nr_counting = a->cpus_size ? s->nr_cpus : 1;
	a->session_id = ++nr_sessions;
	return s->fd;
}

/**
 * session_close() - the descriptor is closed
 */
void session_close(struct fake_session *s)
{
	note("CLOSE %u", session_number(s));
	s->fd = -1;
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
	note("ENABLE %u", session_number(s));
	s->runs = true;
	script_started();
	return 0;
}

/* What the script has left happens before. */
static int disable(struct fake_session *s)
{
	note("DISABLE %u", session_number(s));
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
		note("QUERY %u", session_number(s));
	for (i = 0; i < s->nr_events; i++) {
		memset(&hw[i], 0, q->event_size);
		hw[i].cntr = held ? (int)i : -1;
		hw[i].cfg_a = s->events[i].config;
		hw[i].cfg_b = s->events[i].acr_mask;
		hw[i].cfg_c = (uint32_t)-s->events[i].period;
		hw[i].start = -s->events[i].period;
		hw[i].extra_value = s->events[i].extra_value;
		hw[i].extra_msr = hw[i].extra_value ? EXTRA_MSR : 0;
	}
	return 0;
}

static bool follows(const struct fake_session *s, int pid)
{
	unsigned int i;

	for (i = 0; i < s->nr_targets; i++) {
		if (s->pids[i] == pid)
			return true;
	}
	return env_is("FAKE_INHERITED", pid);
}

static int attach(struct fake_session *s, struct acrpmu_attach *a)
{
	static bool refused, born;
	int err = refused ? 0 : env_number("FAKE_ATTACH_ERRNO");

	if (!born && getenv("FAKE_BEFORE")) {
		open_and_close(getenv("FAKE_BEFORE"), O_WRONLY);
		open_and_close(getenv("FAKE_AFTER"), O_RDONLY);
	}
	born = true;
	note("ATTACH %u pid=%d flags=%#x%s", session_number(s), a->pid, a->flags,
	     err ? " refused" : "");
	a->target = 0;
	if (err) {
		refused = true;
		session_refuse(&a->error, err == ESRCH ? ACRPMU_REASON_TASK : 0, err);
		a->error.value = a->pid;
		return -1;
	}
	if (!follows(s, a->pid) && s->nr_targets < MAX_TARGETS) {
		s->pids[s->nr_targets++] = a->pid;
		a->target = s->nr_targets;
	}
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
		return attach(s, arg);
	case ACRPMU_PARK:
		return turns_park(s);
	case ACRPMU_UNPARK:
		return turns_unpark(s, arg);
	case ACRPMU_RESET:
		note("RESET %u", session_number(s));
		counts_reset(s);
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
