/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers of the tests of kmod/core: CPUs by name, groups from events, reproducible random. */
#ifndef _ACRPMU_UNIT_CORE_HELPERS_H
#define _ACRPMU_UNIT_CORE_HELPERS_H

#include <stdlib.h>
#include <linux/perf_event.h>

#include "tap.h"
#include "kmod/core/attr.h"
#include "kmod/core/model.h"
#include "kmod/core/schedule.h"
#include "userspace/lib/cpu_table.h"

#define PAGE_BYTES	4096
#define USER		ACRPMU_EVENT_USER
#define KERNEL		ACRPMU_EVENT_KERNEL
#define SAMPLED		ACRPMU_EVENT_SAMPLED
#define COUNT		ACRPMU_EVENT_COUNT
#define FIXED(n)	(1ULL << (32 + (n)))

/* xorshift64*: the same sequence on every machine */
static inline u64 rnd(void)
{
	static u64 x = 0x9e3779b97f4a7c15ULL;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	return x * 0x2545f4914f6cdd1dULL;
}

/* 0 to n - 1 */
static inline u64 rnd_below(u64 n)
{
	return (rnd() >> 11) % n;
}

static inline struct acrpmu_caps caps_of(const char *name)
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(name);
	struct acrpmu_caps caps;

	if (!model || acrpmu_model_caps(&acrpmu_cpu_table_row(model)->cpuid, &caps)) {
		printf("Bail out! no model %s\n", name);
		exit(1);
	}
	return caps;
}

/* A group of these events, through the real checks; ids are filled in. */
static inline struct acrpmu_group group_with(const struct acrpmu_event_attr *events, u32 nr,
					     u32 flags)
{
	struct acrpmu_event_attr copy[ACRPMU_MAX_EVENTS];
	struct acrpmu_session_attr attr = {
		.size = sizeof(attr), .nr_events = nr, .flags = ACRPMU_SESSION_TASK | flags,
	};
	struct acrpmu_limits limits;
	struct acrpmu_group group;
	struct acrpmu_error error;
	u32 i;

	acrpmu_attr_limits(&limits, PAGE_BYTES);
	for (i = 0; i < nr; i++) {
		copy[i] = events[i];
		copy[i].id = i + 1;
		if (events[i].flags & SAMPLED) {
			attr.sample_type = PERF_SAMPLE_IDENTIFIER;
			attr.ring_pages = 1;
		}
	}
	if (acrpmu_attr_check(&attr, copy, &limits, &group, &error)) {
		printf("Bail out! bad test group: reason %u event %d\n", error.reason, error.event);
		exit(1);
	}
	return group;
}

static inline struct acrpmu_group group_of(const struct acrpmu_event_attr *events, u32 nr)
{
	return group_with(events, nr, 0);
}

/* Schedule a group as the module does: check that it would fit an idle CPU, then beside others. */
static inline int schedule_on(const struct acrpmu_extra_state *state,
			      const struct acrpmu_caps *caps, const struct acrpmu_group *group,
			      u64 free_cntrs, struct acrpmu_schedule *schedule,
			      struct acrpmu_error *error)
{
	int ret = acrpmu_attr_check_cntrs(group, caps, error);

	if (!ret)
		ret = acrpmu_schedule_check(state, caps, group, error);
	if (!ret)
		ret = acrpmu_schedule_events(state, caps, group, free_cntrs, schedule, error);
	return ret;
}

#endif /* _ACRPMU_UNIT_CORE_HELPERS_H */
