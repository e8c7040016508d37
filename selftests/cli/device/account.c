// SPDX-License-Identifier: GPL-2.0-only
/* Counts and other accounts of sessions, as the environment has them, and periods that change. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

#define READ_NS		100000000

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
static void rob(struct acrpmu_read *r)
{
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;
	unsigned int i;

	for (i = 0; i < r->nr_counts; i++)
		counts[i] = (struct acrpmu_count){ .flags = ACRPMU_COUNT_TAKEN };
	r->state |= ACRPMU_STATE_TAKEN;
	if (r->size < ACRPMU_READ_SIZE_VER3)
		return;
	r->taken.reason = ACRPMU_REASON_REGISTER;
	r->taken.cpu = r->cpu == ACRPMU_CPU_ALL ? 0 : r->cpu;
}

static bool is_taken(const struct fake_session *s, int cpu)
{
	const char *file = getenv("FAKE_TAKEN_IF"), *more = getenv("FAKE_MORE_IF");
	unsigned int i, nr = file && access(file, F_OK) ? 0 : env_number("FAKE_TAKEN");

	nr += more && !access(more, F_OK);
	for (i = 0; i < nr && i < s->nr_cpus; i++) {
		if (cpu == ACRPMU_CPU_ALL || s->cpus[i] == cpu)
			return true;
	}
	return false;
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

	note("READ");
	note("  records %llu", (unsigned long long)s->records);
	errno = env_number("FAKE_READ_ERRNO");
	if (errno)
		return -1;
	r->records = s->records + env_number("FAKE_MISCOUNT");
	r->lost = env_number("FAKE_LOST");
	r->throttled = env_number("FAKE_THROTTLED");
	r->discarded = env_number("FAKE_DISCARDED");
	r->time_running_ns = env_number("FAKE_RUNNING_NS");
	r->time_missed_ns = env_number("FAKE_MISSED_NS");
	r->state = env_number("FAKE_STATE");
	r->guest = env_number("FAKE_GUEST");
	memset(counts, 0, r->nr_counts * sizeof(*counts));
	for (i = 0; i < r->nr_counts; i++)
		counts[i].value = env_number("FAKE_VALUE") * (i + 1);
	let_occur(s, r);
	if (is_taken(s, r->cpu))
		rob(r);
	if (r->size < ACRPMU_READ_SIZE_VER2)
		return 0;
	r->quiet = env_number("FAKE_QUIET");
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

	note("SET_PERIODS %td of %u", s - sessions, set->nr_periods);
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
