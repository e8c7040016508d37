// SPDX-License-Identifier: GPL-2.0-only
/* Accounts of sessions, as the environment has them, and periods that change. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_LOST=N FAKE_THROTTLED=N FAKE_DISCARDED=N FAKE_STATE=N FAKE_INHERIT_FAILED=N   accounts
 *   FAKE_GUEST=N         so many overflows were in guests
 *   FAKE_READ_ERRNO=N    they cannot be read
 *   FAKE_MISCOUNT=1      they claim one record more than there is
 *   FAKE_QUIET=N FAKE_DROPPED=N   accounts of sessions that reload in software; event n of such a
 *                        group has 10 * (n + 1) occurrences outside of windows
 *   FAKE_RUNNING_NS=N    a session counts so long besides virtual time
 *   FAKE_VALUE=N         event n of a group occurs N * (n + 1) times besides
 *   FAKE_MISSED_NS=N     tasks run so long on CPUs that a session does not hold
 *   FAKE_COME=N          every 10 ms so many tasks come and end, next to those that are followed
 *   FAKE_TAKEN=MASK      somebody else has taken these CPUs: for FAKE_REASON=N, by default
 *                        ACRPMU_REASON_REGISTER
 *   FAKE_TAKEN_IF=FILE   only once FILE exists
 *   FAKE_LOST_MS=N       only from then on in a run
 *   FAKE_MORE_IF=FILE    and the first CPU that is not in the mask once this FILE exists
 *   FAKE_OCCURS=N[,N]... with each READ another tenth of a second has passed, in which so many of
 *                        the sampled event occurred; the last N stays
 *   FAKE_PERIODS_ERRNO=N periods cannot be changed
 */
#define READ_NS		100000000
#define COME_MS		10

/* Of a list, the number at an index; the last one stays. */
static uint64_t number_at(const char *list, uint64_t index)
{
	while (index-- && strchr(list, ','))
		list = strchr(list, ',') + 1;
	return strtoull(list, NULL, 0);
}

static void let_occur(struct fake_session *s, struct acrpmu_read *r)
{
	const char *list = getenv("FAKE_OCCURS");
	uint64_t period = s->events[session_sampled(s)].period;
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;

	if (!list)
		return;
	s->rest += number_at(list, s->nr_reads++);
	s->overflows += s->rest / period;
	s->rest %= period;
	r->time_enabled_ns = s->nr_reads * READ_NS;
	counts[session_sampled(s)].overflows = s->overflows;
}

/* As the module: there are no counts with a CPU that was taken. */
static void rob(struct acrpmu_read *r, int cpu)
{
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;
	unsigned int i;

	for (i = 0; i < r->nr_counts; i++)
		counts[i] = (struct acrpmu_count){ .flags = ACRPMU_COUNT_TAKEN };
	r->state |= ACRPMU_STATE_CPU_LOST | ACRPMU_STATE_TAKEN;
	if (r->size < ACRPMU_READ_SIZE_VER3)
		return;
	r->taken = (struct acrpmu_error){
		.reason = env_number("FAKE_REASON") ?: ACRPMU_REASON_REGISTER, .event = -1,
		.cpu = cpu, .value = 0x5100c5, .limit = 0x186, .holder_pid = 71,
		.holder = "thief",
	};
}

static uint64_t taken_cpus(void)
{
	const char *file = getenv("FAKE_TAKEN_IF"), *more = getenv("FAKE_MORE_IF");
	uint64_t mask = env_number("FAKE_TAKEN");

	if ((file && access(file, F_OK)) ||
	    (getenv("FAKE_LOST_MS") && !clock_reached("FAKE_LOST_MS")))
		mask = 0;
	if (more && !access(more, F_OK))
		mask |= mask + 1;
	return mask;
}

static void add_taken(const struct fake_session *s, struct acrpmu_read *r)
{
	unsigned int n;

	for (n = 0; n < s->nr_cpus; n++) {
		if (taken_cpus() >> s->cpus[n] & 1 &&
		    (r->cpu == ACRPMU_CPU_ALL || r->cpu == s->cpus[n]))
			rob(r, s->cpus[n]);
	}
}

/**
 * account_read() - answer ACRPMU_READ
 *
 * Return: as ioctl(2).
 */
int account_read(struct fake_session *s, struct acrpmu_read *r)
{
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;
	unsigned int i;

	note("READ %u %d%s%.0u", session_number(s), r->cpu, r->target ? " target=" : "", r->target);
	note("  records %llu", (unsigned long long)s->records);
	errno = r->target > s->nr_targets ? EINVAL : env_number("FAKE_READ_ERRNO");
	if (errno)
		return -1;
	r->records = s->records + env_number("FAKE_MISCOUNT");
	r->lost = env_number("FAKE_LOST");
	r->throttled = env_number("FAKE_THROTTLED");
	r->discarded = env_number("FAKE_DISCARDED");
	r->time_running_ns = env_number("FAKE_RUNNING_NS");
	r->time_missed_ns = env_number("FAKE_MISSED_NS");
	r->inherit_failed = env_number("FAKE_INHERIT_FAILED");
	r->nr_tasks = r->target ? 1 : s->nr_targets;
	r->state = env_number("FAKE_STATE") | (s->parked ? ACRPMU_STATE_PARKED : 0);
	r->guest = env_number("FAKE_GUEST");
	memset(counts, 0, r->nr_counts * sizeof(*counts));
	counts_add(s, r);
	for (i = 0; i < r->nr_counts; i++)
		counts[i].value += env_number("FAKE_VALUE") * (i + 1);
	let_occur(s, r);
	add_taken(s, r);
	if (r->size < ACRPMU_READ_SIZE_VER2)
		return 0;
	r->tasks = r->nr_tasks;
	if (r->nr_tasks && r->target <= 1)
		r->tasks += clock_run_ms() / COME_MS * env_number("FAKE_COME");
	r->quiet += env_number("FAKE_QUIET");
	r->dropped = env_number("FAKE_DROPPED");
	for (i = 0; r->outside && i < r->nr_counts; i++)
		((uint64_t *)(uintptr_t)r->outside)[i] = 10 * (i + 1);
	return 0;
}

/**
 * account_set_periods() - answer ACRPMU_SET_PERIODS
 *
 * Return: as ioctl(2).
 */
int account_set_periods(struct fake_session *s, struct acrpmu_set_periods *set)
{
	const uint64_t *periods = (const void *)(uintptr_t)set->periods;
	unsigned int i;

	note("SET_PERIODS %u of %u", session_number(s), set->nr_periods);
	for (i = 0; i < s->nr_events && i < set->nr_periods; i++)
		note("  event %u period=%llu", i, (unsigned long long)periods[i]);
	errno = set->nr_periods == s->nr_events ? env_number("FAKE_PERIODS_ERRNO") : EINVAL;
	if (errno) {
		set->error = (struct acrpmu_error){
			.reason = ACRPMU_REASON_PERIOD_SMALL, .cpu = -1, .value = periods[0],
			.limit = periods[0] + 1,
		};
		return -1;
	}
	for (i = 0; i < s->nr_events; i++)
		s->events[i].period = periods[i];
	s->rest = 0;
	return 0;
}
