// SPDX-License-Identifier: GPL-2.0-only
/* Arguments of the module's commands: good ones, which are then spoilt in one place. */
#include "request.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE		4096
#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* Pages of a thread: two to write, one that nobody may touch, and the first two again, to read */
#define PAGES_RW	2
#define PAGE_NONE	2
#define PAGE_RO		3
#define PAGES		5

/* Architectural events, SDM vol. 3, and an offcore response of E-cores */
#define EV_CYCLES	0x003c
#define EV_INSNS	0x00c0
#define EV_BRANCHES	0x00c4
#define EV_BRMISSES	0x00c5
#define EV_REF_CYCLES	0x0300
#define EV_OFFCORE	0x01b7

#define USER		ACRPMU_EVENT_USER
#define SAMPLED		ACRPMU_EVENT_SAMPLED
#define COUNT		ACRPMU_EVENT_COUNT

#define GROUP_EVENTS	8
#define SWEEP		2048	/* commands of which each is spoilt elsewhere */

/**
 * struct group - a group that the module accepts on some CPU
 * @flags: of the session
 */
struct group {
	unsigned int nr, flags;
	struct {
		uint64_t config, period, mask;
		uint32_t flags;
		uint64_t extra;
	} ev[GROUP_EVENTS];
};

static const struct group groups[] = {
	{ 1, 0, { { EV_INSNS, 0, 0, COUNT } } },
	{ 1, 0, { { EV_INSNS, 40000, 0, SAMPLED } } },
	{ 1, 0, { { EV_CYCLES, 1000, 0, SAMPLED } } },
	{ 2, 0, { { EV_INSNS, 20000, 0x2, SAMPLED }, { EV_CYCLES, 10000, 0x3, 0 } } },
	{ 2, 0, { { EV_CYCLES, 10000, 0x2, SAMPLED }, { EV_INSNS, 20000, 0x3, 0 } } },
	{ 3, 0, { { EV_BRMISSES, 100, 0x6, 0 }, { EV_BRANCHES, 5000, 0x7, SAMPLED },
		  { EV_INSNS, 50000, 0x7, 0 } } },
	{ 3, 0, { { EV_INSNS, 20000, 0x6, SAMPLED }, { EV_CYCLES, 10000, 0x7, 0 },
		  { EV_BRANCHES, 3000, 0x7, 0 } } },
	{ 2, ACRPMU_SESSION_SOFTWARE,
	  { { EV_INSNS, 40000, 0x3, SAMPLED }, { EV_CYCLES, 20000, 0x3, 0 } } },
	{ 3, ACRPMU_SESSION_SOFTWARE,
	  { { EV_INSNS, 40000, 0x7, SAMPLED }, { EV_CYCLES, 20000, 0x7, 0 },
	    { EV_BRANCHES, 9000, 0x7, SAMPLED } } },
	{ 2, 0, { { EV_INSNS, 30000, 0, SAMPLED }, { EV_BRANCHES, 0, 0, COUNT } } },
	{ 2, 0, { { EV_INSNS, 30000, 0, SAMPLED }, { EV_BRANCHES, 8000, 0, SAMPLED } } },
	{ 2, 0, { { EV_INSNS, 1000, 0x1, 0 }, { EV_CYCLES, 50000, 0x1, SAMPLED } } },
	{ 3, 0, { { EV_REF_CYCLES, 30000, 0, SAMPLED }, { EV_INSNS, 0, 0, COUNT },
		  { EV_CYCLES, 0, 0, COUNT } } },
	{ 1, 0, { { EV_OFFCORE, 0, 0, COUNT, 0x1 } } },
	{ 2, 0, { { EV_OFFCORE, 100, 0, SAMPLED, 0x10001 }, { EV_OFFCORE, 0, 0, COUNT, 0x2 } } },
	{ 8, 0, { { EV_INSNS, 0, 0, COUNT }, { EV_CYCLES, 0, 0, COUNT },
		  { EV_BRANCHES, 0, 0, COUNT }, { EV_BRMISSES, 0, 0, COUNT },
		  { 0x4f2e, 0, 0, COUNT }, { 0x412e, 0, 0, COUNT },
		  { EV_BRANCHES, 0, 0, COUNT }, { EV_BRMISSES, 0, 0, COUNT } } },
	{ 5, 0, { { EV_BRANCHES, 9000, 0, SAMPLED }, { EV_BRMISSES, 100, 0, SAMPLED },
		  { 0x4f2e, 100, 0, SAMPLED }, { 0x412e, 100, 0, SAMPLED },
		  { EV_INSNS, 50000, 0, SAMPLED } } },
};

bool request_begin(struct thread *t)
{
	int memory = memfd_create("arguments", MFD_CLOEXEC);
	char *low = mmap(NULL, PAGES * PAGE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (memory < 0 || low == MAP_FAILED || ftruncate(memory, PAGES_RW * PAGE))
		return false;
	t->low = low;
	low = mmap(t->low, PAGES_RW * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		   memory, 0);
	if (low == MAP_FAILED ||
	    mmap(t->low + PAGE_RO * PAGE, PAGES_RW * PAGE, PROT_READ, MAP_SHARED | MAP_FIXED,
		 memory, 0) == MAP_FAILED)
		return false;
	close(memory);
	return true;
}

void *request_plain(struct thread *t, uint32_t size)
{
	memset(t->low, 0, PAGE);
	memcpy(t->low, &size, sizeof(size));
	return t->low;
}

/* ---- a session to create ---- */

static void choose_target(struct acrpmu_session_attr *attr, uint8_t *cpus, uint64_t arg)
{
	bool task = part(arg, 0, 3);

	cpus[0] = part(arg, 8, 8) < 5 ? 3 : 1 + part(arg, 8, 3);
	if (!task || !part(arg, 16, 4)) {
		attr->cpus = (uintptr_t)cpus;
		attr->cpus_size = part(arg, 16, 2) ? 1 : 8;
	}
	if (!task && part(arg, 24, 6))
		return;
	if (!task) {
		attr->flags |= ACRPMU_SESSION_CGROUP;
		attr->pid = world.groups[part(arg, 24, NR_GROUPS)];
		return;
	}
	attr->flags |= ACRPMU_SESSION_TASK;
	attr->pid = part(arg, 24, 2) ? task_of(arg >> 25) : 0;
	if (!part(arg, 3, 5))
		attr->flags |= ACRPMU_SESSION_PROCESS;
	if (part(arg, 6, 3) == 1)
		attr->flags |= ACRPMU_SESSION_INHERIT;
	if (!part(arg, 9, 11))
		attr->flags |= ACRPMU_SESSION_ENABLE_ON_EXEC;
}

static void choose_rest(struct acrpmu_session_attr *attr, uint64_t arg, bool sampled)
{
	static const uint32_t pages[] = { 1, 1, 2, 8, 64 };

	if (!part(arg, 0, 5))
		attr->flags |= ACRPMU_SESSION_PARKED;
	if (!part(arg, 3, 6))
		attr->flags |= ACRPMU_SESSION_ARRIVE;
	if (!sampled)
		return;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	attr->ring_pages = pages[part(arg, 8, NR(pages))];
	if (!part(arg, 11, 4))
		attr->wakeup_bytes = 1 + part(arg, 14, 200);
	if (!part(arg, 13, 8))
		attr->flags |= ACRPMU_SESSION_EXCLUDE_GUEST;
	if (!part(arg, 16, 4))
		attr->jitter = part(arg, 18, ACRPMU_MAX_JITTER + 1);
	if (!part(arg, 19, 4))
		attr->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_STREAM_ID;
	if (part(arg, 22, 3))
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->max_stack = part(arg, 24, 8) * 16;
	if (!part(arg, 27, 3))
		attr->flags |= ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL;
	else if (!part(arg, 28, 3))
		attr->flags |= ACRPMU_SESSION_EXCLUDE_CHAIN_USER;
}

struct acrpmu_session_attr *request_session(struct thread *t, const struct call *c)
{
	struct acrpmu_session_attr *attr = request_plain(t, sizeof(*attr));
	struct acrpmu_event_attr *ev = request_array(t);
	const struct group *g = &groups[part(c->args[2], 0, NR(groups))];
	uint32_t level = USER << part(c->args[2], 8, 2), sampled = 0;
	unsigned int scale = part(c->args[2], 16, 4), i;

	if (part(c->args[2], 12, 4) == 0)
		level = USER | ACRPMU_EVENT_KERNEL;
	attr->events = (uintptr_t)ev;
	attr->nr_events = g->nr;
	attr->event_size = sizeof(*ev);
	attr->flags = g->flags;
	for (i = 0; i < g->nr; i++) {
		ev[i] = (struct acrpmu_event_attr){
			.config = g->ev[i].config, .period = g->ev[i].period << scale,
			.acr_mask = g->ev[i].mask, .extra_value = g->ev[i].extra, .id = 100 + i,
			.flags = g->ev[i].flags | level,
		};
		/* What counts of a PMI itself must be less than a period. */
		if (level != USER && ev[i].period && ev[i].period < 60000)
			ev[i].period += 60000;
		sampled |= ev[i].flags & SAMPLED;
	}
	if (!part(c->args[2], 20, 8))
		ev[0].allowed_cntrs = 0x7000000ffULL >> part(c->args[2], 24, 8);
	choose_target(attr, (uint8_t *)(ev + ACRPMU_MAX_EVENTS), c->args[1]);
	choose_rest(attr, c->args[3], sampled);
	return attr;
}

/* ---- sending ---- */

/* A number within the struct or the array behind it is set or changed. */
static void spoil(struct thread *t, uint64_t how, uint64_t value, size_t size)
{
	unsigned int width = 1 << part(how, 16, 4);
	size_t at = (how & 0xffff) % (size + 512);
	uint64_t old = 0;

	at -= at % width;
	if (at >= size)
		at += (char *)request_array(t) - t->low - size;
	memcpy(&old, t->low + at, width);
	switch (part(how, 20, 4)) {
	case 0:
		value ^= old;
		break;
	case 1:
		value += old;
		break;
	}
	memcpy(t->low + at, &value, width);
}

#define PLACE_SWEEP	8

static unsigned int place_of(uint64_t how)
{
	return part(how, 24, 16);
}

/* Where the struct lies: mostly at the start of pages that may be written */
static char *place(struct thread *t, uint64_t how, size_t size)
{
	char *end = t->low + PAGE_NONE * PAGE;
	size_t inside = size;

	switch (place_of(how)) {
	case 9:
		inside = size / 2;
		__attribute__((__fallthrough__));
	case 10:
		memcpy(end - inside, t->low, inside);
		return end - inside;
	case 11:
		return t->low + PAGE_RO * PAGE;
	case 12:
		return NULL;
	case 13:
		return end;
	case 14:
		return (char *)0xffffffff81000000;
	case 15:
		return (char *)0x8000000000000000;
	}
	return t->low;
}

/* As in a 32-bit program: through the old gate and its own system call table */
static long send_compat(int fd, uint32_t cmd, uint32_t arg)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a" (ret)
			 : "a" (54), "b" (fd), "c" (cmd), "d" (arg)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

/* Most are refused, which costs much less than the rest of a program. */
static void sweep(struct thread *t, int fd, uint32_t cmd, const struct call *c, size_t size)
{
	struct random r = { (c->args[5] | 1) * 0x9e3779b97f4a7c15ULL };
	char good[PAGE];
	unsigned int i;
	long ret;

	memcpy(good, t->low, sizeof(good));
	for (i = 0; i < SWEEP; i++) {
		spoil(t, random_next(&r), random_value(&r), size);
		ret = count_call(c->kind, ioctl(fd, cmd, t->low));
		if (cmd == ACRPMU_SESSION_CREATE && ret >= 0)
			close(ret);
		memcpy(t->low, good, sizeof(good));
	}
}

long request_send(struct thread *t, int fd, uint32_t cmd, const struct call *c, size_t size)
{
	uint64_t how = c->args[4];
	char *arg = t->low;
	long ret;

	if (how && place_of(how) == PLACE_SWEEP) {
		sweep(t, fd, cmd, c, size);
	} else if (how) {
		spoil(t, how, c->args[5], size);
		arg = place(t, how, size);
	}
	if (how && world.has_compat && !part(how, 28, 4) && arg < t->low + PAGES * PAGE)
		return count_call(c->kind, send_compat(fd, cmd, (uintptr_t)arg));
	ret = ioctl(fd, cmd, arg);
	return count_call(c->kind, ret < 0 ? -errno : ret);
}
