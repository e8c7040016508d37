// SPDX-License-Identifier: GPL-2.0-only
/* What sessions count while virtual time passes, for a CPU and for each of their tasks. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/*
 * Of n tasks that a session was given, number i counts i / (1 + 2 + ... + n) of what it counts.
 *
 * Environment:
 *   FAKE_BURST=1        in every second 10 ms all happens twice as often
 *   FAKE_GROWS=1        in run N all happens N times as often
 *   FAKE_RARE=N         all happens N times more rarely
 *   FAKE_SILENT=1       no offcore request gets a response
 *   FAKE_LOST_CPU=N     from FAKE_LOST_MS=N on in a run this CPU is offline and counts nothing
 */
#define NSEC_PER_USEC	1000ULL
#define OUTSTANDING	(1ULL << 38)

static bool is_lost(int cpu)
{
	return env_is("FAKE_LOST_CPU", cpu) && clock_reached("FAKE_LOST_MS");
}

/* Occurrences in a microsecond on CPU 0; there are N + 1 times as many on CPU N. */
static uint64_t rate(const struct acrpmu_event_attr *e)
{
	unsigned int request = __builtin_ctzll(e->extra_value | 1ULL << 63);

	switch (e->config) {
	case OFFCORE_RSP_0:
		return e->extra_value & OUTSTANDING && !getenv("FAKE_SILENT") ?
		       2 * (40 + 5 * request) : 0;
	case OFFCORE_RSP_1:
		return getenv("FAKE_SILENT") ? 0 : 2;
	case 0x300:
		return 50;
	default:
		return e->config & 0xff;
	}
}

/**
 * counts_pass() - let a session count for so long, in which nothing changes
 */
void counts_pass(struct fake_session *s, uint64_t ns)
{
	uint64_t us = ns / NSEC_PER_USEC, rare = env_number("FAKE_RARE") ?: 1;
	uint64_t factor = getenv("FAKE_GROWS") ? clock_run() : 1;
	unsigned int n, i;

	if (getenv("FAKE_BURST") && clock_run_ms() / CLOCK_STEP_MS % 2)
		factor *= 2;
	for (n = 0; n < s->nr_counting; n++) {
		if (is_lost(s->cpus[n]))
			continue;
		s->running_ns[n] += ns;
		for (i = 0; i < s->nr_events; i++)
			s->counts[n][i] += factor * (s->cpus[n] + 1) * us * rate(&s->events[i]) /
					   rare;
	}
}

/**
 * counts_reset() - forget what was counted
 */
void counts_reset(struct fake_session *s)
{
	memset(s->counts, 0, sizeof(s->counts));
	memset(s->running_ns, 0, sizeof(s->running_ns));
}

static uint64_t of_target(const struct fake_session *s, const struct acrpmu_read *r, uint64_t n)
{
	return r->target ? n * r->target / (s->nr_targets * (s->nr_targets + 1) / 2) : n;
}

static void add_event(const struct fake_session *s, unsigned int i, uint64_t n,
		      struct acrpmu_read *r, struct acrpmu_count *count)
{
	const struct acrpmu_event_attr *e = &s->events[i];
	bool software = s->flags & ACRPMU_SESSION_SOFTWARE;

	if (e->flags & ACRPMU_EVENT_SAMPLED || (software && e->period))
		count->overflows += n / e->period;
	if (!(e->flags & ACRPMU_EVENT_SAMPLED) && software && e->period)
		r->quiet += n / e->period;
	if (e->acr_mask && !software)
		count->flags = ACRPMU_COUNT_RELOADED;
	count->value += count->flags ? count->overflows * e->period : n;
}

/**
 * counts_add() - add what was counted to the answer of ACRPMU_READ
 */
void counts_add(const struct fake_session *s, struct acrpmu_read *r)
{
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;
	unsigned int n, i;

	for (n = 0; n < s->nr_counting; n++) {
		if (r->cpu != ACRPMU_CPU_ALL && r->cpu != s->cpus[n])
			continue;
		r->time_running_ns += of_target(s, r, s->running_ns[n]);
		for (i = 0; i < s->nr_events; i++)
			add_event(s, i, of_target(s, r, s->counts[n][i]), r, &counts[i]);
		if (is_lost(s->cpus[n]))
			r->state |= ACRPMU_STATE_CPU_LOST;
	}
}
