/* SPDX-License-Identifier: GPL-2.0-only */
/* A session for the tests: described event by event, created, run, read and closed. */
#ifndef HW_SESSION_H
#define HW_SESSION_H

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "acrpmu.h"
#include "../kernel.h"
#include "../model/oracle.h"

#define MAX_CPUS	16
#define RING_PAGES	64

/* Architectural events, SDM vol. 3, "Pre-defined Architectural Performance Events" */
#define EV_CYCLES	0x003cULL
#define EV_INSNS	0x00c0ULL
#define EV_BRANCHES	0x00c4ULL
#define EV_BRMISSES	0x00c5ULL
#define EV_REF_CYCLES	0x0300ULL	/* pseudo code of fixed counter 2 */

#define USER		ACRPMU_EVENT_USER
#define KERNEL		ACRPMU_EVENT_KERNEL
#define SAMPLED		ACRPMU_EVENT_SAMPLED
#define COUNT		ACRPMU_EVENT_COUNT

/* Fields of each record, in perf's order: identifier, ip, tid, time, cpu, period */
#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/**
 * struct session - a session under test
 * @fd: its descriptor, -1 while there is none
 * @attr: the request; its error member holds the reason of a refusal
 * @ev: its events
 * @hw: how they are programmed, on the first CPU that it holds
 * @cntr: counter of each event on each CPU, -1 where it holds none
 * @cpu_bits: CPUs of the target; 0 with a task: every online CPU, reserved from the start
 * @arrives: with a task: only where it may run, and where it runs later; rings of others unmapped
 * @ring: mapping of each CPU's ring, NULL if there is none
 * @ring_bytes: size of each mapping
 * @truth: overflows with the interrupt enabled that each event's counter had before
 * @records: sample records found in the rings so far
 * @lost: overflows reported by PERF_RECORD_LOST records so far
 * @pauses: PERF_RECORD_THROTTLE records so far
 * @resumes: PERF_RECORD_UNTHROTTLE records so far
 * @bad_pauses: those of either kind with wrong fields or in the wrong place
 * @paused: whether the last of a ring began a pause
 * @counts: of the last session_read()
 * @accounts: of the last session_read()
 * @outside: of the last session_read()
 */
struct session {
	int fd;
	struct acrpmu_session_attr attr;
	struct acrpmu_event_attr ev[ACRPMU_MAX_EVENTS];
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	int cntr[MAX_CPUS][ACRPMU_MAX_EVENTS];
	uint64_t cpu_bits;
	bool arrives;
	void *ring[MAX_CPUS];
	size_t ring_bytes;
	uint64_t truth[ACRPMU_MAX_EVENTS];
	uint64_t records;
	uint64_t lost;
	uint64_t pauses;
	uint64_t resumes;
	uint64_t bad_pauses;
	bool paused[MAX_CPUS];
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_read accounts;
	uint64_t outside[ACRPMU_MAX_EVENTS];
};

/**
 * arbiter() - how in-tree perf is kept off
 *
 * Return: ACRPMU_ARBITER_*, or ~0U if the module does not say.
 */
static inline uint32_t arbiter(void)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	int dev = open(ACRPMU_DEVICE, O_RDONLY | O_CLOEXEC), ret = ioctl(dev, ACRPMU_INFO, &info);

	close(dev);
	return ret ? ~0U : info.arbiter;
}

/**
 * session_task() - describe a session with a task, still without events
 * @s: the session
 * @pid: the task, 0 the caller
 * @flags: ACRPMU_SESSION_INHERIT, ACRPMU_SESSION_ENABLE_ON_EXEC
 */
static inline void session_task(struct session *s, pid_t pid, unsigned int flags)
{
	memset(s, 0, sizeof(*s));
	s->fd = -1;
	s->attr.size = sizeof(s->attr);
	s->attr.flags = ACRPMU_SESSION_TASK | flags;
	s->attr.pid = pid;
	s->attr.event_size = sizeof(s->ev[0]);
}

/**
 * session_cpus() - describe a session with CPUs, still without events
 * @s: the session
 * @cpu_bits: the CPUs
 */
static inline void session_cpus(struct session *s, uint64_t cpu_bits)
{
	session_task(s, 0, 0);
	s->attr.flags = 0;
	s->cpu_bits = cpu_bits;
}

/* Smallest period at kernel level of a kernel with debugging options */
#define MIN_DEBUG_PERIOD	15000

/**
 * possible_period() - a period with which the kernel gets on
 * @period: what is wanted
 * @levels: of the event
 *
 * With debugging options, what counts of a PMI itself may be longer than a small period.
 *
 * Return: @period, or a larger one on such a kernel.
 */
static inline uint64_t possible_period(uint64_t period, unsigned int levels)
{
	return has_debugging() && levels & KERNEL && period < MIN_DEBUG_PERIOD ? MIN_DEBUG_PERIOD :
										 period;
}

/**
 * session_event() - add an event
 * @s: the session, not made yet
 * @config: event select and umask
 * @flags: ACRPMU_EVENT_*
 * @period: occurrences
 * @acr_mask: cause events
 *
 * Return: its index in the group.
 */
static inline int session_event(struct session *s, uint64_t config, unsigned int flags,
				uint64_t period, uint64_t acr_mask)
{
	int i = s->attr.nr_events++;

	s->ev[i] = (struct acrpmu_event_attr){
		.config = config, .period = period, .acr_mask = acr_mask,
		.id = 100 + i, .flags = flags,
	};
	if (flags & SAMPLED) {
		s->attr.sample_type = SAMPLE_TYPE;
		if (!s->attr.ring_pages)
			s->attr.ring_pages = RING_PAGES;
	}
	return i;
}

/**
 * session_truth() - overflows with the interrupt enabled of an event's counter, by the model CPU
 * @s: the session
 * @i: index of the event
 *
 * Return: their number since the machine started.
 */
static inline uint64_t session_truth(const struct session *s, unsigned int i)
{
	uint64_t sum = 0;
	int cpu;

	/* Elsewhere the same counter may be another session's. */
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (s->cntr[cpu][i] >= 0)
			sum += oracle_get(ORACLE_OVERFLOWS_INT, cpu, s->cntr[cpu][i]);
	return sum;
}

/**
 * session_query_cpu() - get how the events are programmed on a CPU
 * @s: the session
 * @cpu: the CPU
 * @hw: out, by event
 *
 * Return: 0 or -errno.
 */
static inline int session_query_cpu(const struct session *s, int cpu, struct acrpmu_event_hw *hw)
{
	struct acrpmu_query query = { .size = sizeof(query), .flags = ACRPMU_QUERY_CPU, .cpu = cpu,
				      .events = (uintptr_t)hw, .nr_events = s->attr.nr_events,
				      .event_size = sizeof(*hw) };

	return ioctl(s->fd, ACRPMU_QUERY, &query) ? -errno : 0;
}

/**
 * session_query() - get how the events are programmed
 * @s: the session; the results go to its members
 *
 * Return: 0 or -errno.
 */
static inline int session_query(struct session *s)
{
	struct acrpmu_query query = { .size = sizeof(query), .events = (uintptr_t)s->hw,
				      .event_size = sizeof(s->hw[0]),
				      .nr_events = s->attr.nr_events };
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		bool held = !session_query_cpu(s, cpu, hw);

		for (i = 0; i < s->attr.nr_events; i++)
			s->cntr[cpu][i] = held ? hw[i].cntr : -1;
	}
	return ioctl(s->fd, ACRPMU_QUERY, &query) ? -errno : 0;
}

/**
 * session_map_ring() - map the ring of one CPU
 * @s: the session
 * @cpu: the CPU; its ring stays NULL if there is none
 */
static inline void session_map_ring(struct session *s, int cpu)
{
	s->ring_bytes = (1 + s->attr.ring_pages) * sysconf(_SC_PAGESIZE);
	s->ring[cpu] = mmap(NULL, s->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd,
			    ACRPMU_RING_OFFSET(cpu));
	if (s->ring[cpu] == MAP_FAILED)
		s->ring[cpu] = NULL;
}

static inline void session_map(struct session *s)
{
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (!s->arrives || s->cntr[cpu][0] >= 0)
			session_map_ring(s, cpu);
}

/**
 * session_make() - create the session that was described
 * @s: the session
 *
 * Return: 0, or -errno with the reason in its attr.
 */
static inline int session_make(struct session *s)
{
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC), ret;
	unsigned int i;

	if (dev < 0)
		return -errno;
	s->attr.events = (uintptr_t)s->ev;
	if (!s->cpu_bits && !s->arrives)
		s->cpu_bits = (1ULL << sysconf(_SC_NPROCESSORS_ONLN)) - 1;
	if (s->cpu_bits) {
		s->attr.cpus = (uintptr_t)&s->cpu_bits;
		s->attr.cpus_size = sizeof(s->cpu_bits);
	}
	s->fd = ioctl(dev, ACRPMU_SESSION_CREATE, &s->attr);
	ret = s->fd < 0 ? -errno : 0;
	close(dev);
	if (ret)
		return ret;

	ret = session_query(s);
	if (ret)
		return ret;
	if (s->attr.ring_pages)
		session_map(s);
	for (i = 0; i < s->attr.nr_events; i++)
		s->truth[i] = session_truth(s, i);
	return 0;
}

/**
 * session_unpark() - reserve the CPUs of a parked session
 * @s: the session; its members get how it is programmed, or the reason of a refusal, as with
 *	session_make()
 *
 * Return: 0 or -errno.
 */
static inline int session_unpark(struct session *s)
{
	struct acrpmu_unpark args = { .size = sizeof(args) };
	int ret;

	memset(&args.error, 0xcc, sizeof(args.error));
	ret = ioctl(s->fd, ACRPMU_UNPARK, &args) ? -errno : 0;
	s->attr.error = args.error;
	return ret ? ret : session_query(s);
}

/**
 * session_refusal() - format the refusal of session_make()
 * @s: the session
 *
 * Return: a static string.
 */
static inline const char *session_refusal(const struct session *s)
{
	static char text[160];
	const struct acrpmu_error *e = &s->attr.error;

	snprintf(text, sizeof(text), "reason %u event %d cpu %d value %#llx limit %#llx by '%s'",
		 e->reason, e->event, e->cpu, e->value, e->limit, e->holder);
	return text;
}

static inline int session_ctl(struct session *s, unsigned long command)
{
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };

	return ioctl(s->fd, command, &ctl) ? -errno : 0;
}

/**
 * session_enable() - start it
 * @s: the session
 *
 * Return: 0 or -errno.
 */
static inline int session_enable(struct session *s)
{
	return session_ctl(s, ACRPMU_ENABLE);
}

/**
 * session_disable() - stop it
 * @s: the session
 *
 * Return: 0 or -errno.
 */
static inline int session_disable(struct session *s)
{
	return session_ctl(s, ACRPMU_DISABLE);
}

/* Outputs are poisoned before. */
static inline int session_read_of(struct session *s, int cpu, uint32_t target)
{
	memset(s->counts, 0xcc, sizeof(s->counts));
	memset(&s->accounts, 0xcc, sizeof(s->accounts));
	s->accounts.size = sizeof(s->accounts);
	s->accounts.flags = 0;
	s->accounts.cpu = cpu;
	s->accounts.target = target;
	s->accounts.nr_counts = s->attr.nr_events;
	s->accounts.counts = (uintptr_t)s->counts;
	memset(s->outside, 0xcc, sizeof(s->outside));
	s->accounts.outside = (uintptr_t)s->outside;
	return ioctl(s->fd, ACRPMU_READ, &s->accounts) ? -errno : 0;
}

/**
 * session_read_cpu() - read counts and accounts of one CPU, or of all
 * @s: the session; the results go to its members
 * @cpu: a CPU or ACRPMU_CPU_ALL
 *
 * Return: 0 or -errno.
 */
static inline int session_read_cpu(struct session *s, int cpu)
{
	return session_read_of(s, cpu, 0);
}

/**
 * session_read_target() - read counts and accounts of one target
 * @s: a session of tasks; the results go to its members
 * @target: its number; 0: the whole session
 *
 * Return: 0 or -errno.
 */
static inline int session_read_target(struct session *s, uint32_t target)
{
	return session_read_of(s, ACRPMU_CPU_ALL, target);
}

/**
 * session_read() - read counts and accounts
 * @s: the session; the results go to its members
 *
 * Return: 0 or -errno.
 */
static inline int session_read(struct session *s)
{
	return session_read_cpu(s, ACRPMU_CPU_ALL);
}

/**
 * session_count() - read the count of the first event
 * @s: the session; the results go to its members
 *
 * Return: the count.  Where it cannot be read no number is right: the test ends.
 */
static inline uint64_t session_count(struct session *s)
{
	int ret = session_read(s);

	if (ret) {
		fprintf(stderr, "# a session cannot be read: %s\n", strerror(-ret));
		abort();
	}
	return s->counts[0].value;
}

/**
 * session_close() - close the session
 * @s: the session; may be one that was never created
 */
static inline void session_close(struct session *s)
{
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (s->ring[cpu])
			munmap(s->ring[cpu], s->ring_bytes);
		s->ring[cpu] = NULL;
	}
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

#endif /* HW_SESSION_H */
