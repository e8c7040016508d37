// SPDX-License-Identifier: GPL-2.0-only
/* The random part of periods: how wide it is. */
#include "jitter.h"

u64 acrpmu_jitter_span(u64 period, u32 percent, u64 longest)
{
	/* In two steps, so that nothing overflows. */
	u64 most = period / 100 * percent + period % 100 * percent / 100;

	most = min_t(u64, most, ACRPMU_JITTER_MAX);
	return 2 * min_t(u64, most, longest - period) + 1;
}
