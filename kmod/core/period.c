// SPDX-License-Identifier: GPL-2.0-only
/* Period to start value and reload value and back: width, limits, remainder. */
#include "period.h"
#include "../regs.h"

u64 acrpmu_period_max(unsigned int width, bool full_width)
{
	u64 half = acrpmu_period_mask(width) >> 1;

	return full_width ? half : min_t(u64, half, ACRPMU_PERIOD_MAX_SIGNED);
}

u64 acrpmu_period_start(u64 period, unsigned int width)
{
	return -period & acrpmu_period_mask(width);
}

u64 acrpmu_period_reload(u64 period)
{
	return -period & PMC_CFG_C_RELOAD;
}
