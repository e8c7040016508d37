// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that are parked and unparked, and which of them fit at once. */
#include <errno.h>
#include <stdlib.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_CNTRS=N        so many counters are for events, default 8
 *   FAKE_NEVER=N        session N can never be unparked, FAKE_LATER=N: only once
 *   FAKE_FIRST=N        session N can be unparked only before all others, FAKE_FIRST_WHY=N: reason
 *   FAKE_TAKEN_MS=N     from then on in a run others hold the PMU, until FAKE_BACK_MS=N
 *   FAKE_GONE_MS=N      from then on the CPUs are offline: ENODEV
 *   FAKE_SLOW_MS=N      parking and unparking take this long
 */
#define CNTRS	8

static uint64_t value_of(const struct fake_session *s, uint64_t config)
{
	unsigned int i;

	for (i = 0; i < s->nr_events; i++) {
		if (s->events[i].config == config)
			return s->events[i].extra_value;
	}
	return 0;
}

static bool want_two_values(const struct fake_session *a, const struct fake_session *b,
			    uint64_t config)
{
	uint64_t x = value_of(a, config), y = value_of(b, config);

	return x && y && x != y;
}

static bool share_cpu(const struct fake_session *a, const struct fake_session *b)
{
	unsigned int m, n;

	for (m = 0; m < a->nr_counting; m++) {
		for (n = 0; n < b->nr_counting; n++) {
			if (a->cpus[m] == b->cpus[n])
				return true;
		}
	}
	return false;
}

/* Why a session cannot be unparked, 0 if it can. */
static uint32_t why_not(const struct fake_session *s)
{
	unsigned int n = session_number(s), used = s->nr_events, i;

	if (env_is("FAKE_NEVER", n) || (env_is("FAKE_LATER", n) && s->nr_unparked) ||
	    (clock_reached("FAKE_TAKEN_MS") && !clock_reached("FAKE_BACK_MS")))
		return ACRPMU_REASON_PMU_IN_USE;
	for (i = 0; i < nr_sessions; i++) {
		const struct fake_session *other = &sessions[i];

		if (other == s || other->fd < 0 || other->parked || !share_cpu(s, other))
			continue;
		used += other->nr_events;
		/* others take what only it can use if they come first */
		if (env_is("FAKE_FIRST", n))
			return env_number("FAKE_FIRST_WHY") ?: ACRPMU_REASON_EXTRA_BUSY;
		if (want_two_values(s, other, OFFCORE_RSP_0) ||
		    want_two_values(s, other, OFFCORE_RSP_1))
			return ACRPMU_REASON_EXTRA_BUSY;
	}
	return used > (env_number("FAKE_CNTRS") ?: CNTRS) ? ACRPMU_REASON_HELD : 0;
}

/**
 * turns_unpark() - answer ACRPMU_UNPARK
 *
 * Return: as ioctl(2).
 */
int turns_unpark(struct fake_session *s, struct acrpmu_unpark *unpark)
{
	bool gone = clock_reached("FAKE_GONE_MS");
	uint32_t reason = gone ? ACRPMU_REASON_CPU_OFFLINE : why_not(s);

	clock_pass_ms(env_number("FAKE_SLOW_MS"));
	note("UNPARK %u%s", session_number(s), gone ? " ENODEV" : reason ? " EBUSY" : "");
	if (reason)
		return session_refuse(&unpark->error, reason, gone ? ENODEV : EBUSY);
	s->parked = false;
	s->nr_unparked++;
	return 0;
}

/**
 * turns_park() - answer ACRPMU_PARK
 *
 * Return: 0.
 */
int turns_park(struct fake_session *s)
{
	note("PARK %u", session_number(s));
	s->parked = true;
	clock_pass_ms(env_number("FAKE_SLOW_MS"));
	return 0;
}
