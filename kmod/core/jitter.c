// SPDX-License-Identifier: GPL-2.0-only
/* The random part of periods: how wide it is, and which events have one. */
#include "jitter.h"

u64 acrpmu_jitter_span(u64 period, u32 percent, u64 longest)
{
	/* In two steps, so that nothing overflows. */
	u64 most = period / 100 * percent + period % 100 * percent / 100;

	most = min_t(u64, most, ACRPMU_JITTER_MAX);
	return 2 * min_t(u64, most, longest - period) + 1;
}

void acrpmu_jitter_group(struct acrpmu_group *group, u32 percent)
{
	u64 masked = 0, whole;
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		if (group->ev[i].cause_events)
			masked |= group->ev[i].cause_events | BIT_ULL(i);
	group->jitter = percent;
	group->jitter_events = group->sampled_events & ~masked;
	whole = masked;
	for (i = 0; i < group->nr; i++)
		if (masked & BIT_ULL(i) && group->ev[i].restart_events != masked)
			whole = 0;
	group->scaled_events = whole;
}
