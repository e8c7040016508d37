// SPDX-License-Identifier: GPL-2.0-only
/* Decodes offcore response values: which requests, and which responses to them, count. */
#include "event.h"
#include "offcore.h"
#include "pmu_regs.h"

#define DMND_DATA_RD	BIT_ULL(0)
#define DMND_RFO	BIT_ULL(1)
#define DMND_CODE_RD	BIT_ULL(2)

const struct offcore_layout offcore_goldmont = {
	.events = { 0x01b7, 0x02b7 },
	.any_request = BIT_ULL(15),
	.any_response = BIT_ULL(16),
	.hit = BIT_ULL(18),
	/* "snoop miss, or no snoop needed" of four results; each means that L2 was missed */
	.miss = BIT_ULL(33),
	.outstanding = BIT_ULL(38),
};

const struct offcore_layout offcore_darkmont = {
	.events = { 0x01b7, 0x02b7 },
	.any_response = BIT_ULL(16),
	/* L3, whatever the state of the line */
	.hit = BIT_ULL(18) | BIT_ULL(19) | BIT_ULL(20) | BIT_ULL(21),
	/* local DRAM */
	.miss = BIT_ULL(26),
	/* "snoop not needed" */
	.snoop = BIT_ULL(32),
	.outstanding = BIT_ULL(63),
};

const struct offcore_layout offcore_skylake = {
	.events = { 0x01b7, 0x01bb },
	.any_response = BIT_ULL(16),
	/* L3, whatever the state of the line */
	.hit = BIT_ULL(18) | BIT_ULL(19) | BIT_ULL(20) | BIT_ULL(21),
	/* local DRAM */
	.miss = BIT_ULL(26),
	/* "snoop not needed" */
	.snoop = BIT_ULL(32),
};

const struct offcore_layout offcore_lioncove = {
	.events = { 0x012a, 0x012b },
	.any_response = BIT_ULL(16),
	/* L3, whatever the state of the line */
	.hit = BIT_ULL(21) | BIT_ULL(22) | BIT_ULL(23) | BIT_ULL(24),
	/* local DRAM */
	.miss = BIT_ULL(31),
	/* "snoop not needed" */
	.snoop = BIT_ULL(37),
};

static uint32_t requests(const struct offcore_layout *layout, uint64_t value)
{
	uint32_t kinds = 0;

	if (value & (DMND_DATA_RD | layout->any_request))
		kinds |= KIND(EV_RD_HIT) | KIND(EV_RD_MISS);
	if (value & (DMND_RFO | layout->any_request))
		kinds |= KIND(EV_WR_HIT) | KIND(EV_WR_MISS);
	if (value & (DMND_CODE_RD | layout->any_request))
		kinds |= KIND(EV_CODE_HIT) | KIND(EV_CODE_MISS);
	return kinds;
}

static uint32_t responses(const struct offcore_layout *layout, uint64_t value)
{
	uint32_t kinds = 0;

	if (value & layout->any_response)
		return KINDS_REQUEST;
	if (layout->snoop && !(value & layout->snoop))
		return 0;
	if (value & layout->hit)
		kinds |= KINDS_REQUEST & ~KINDS_REQUEST_MISS;
	if (value & layout->miss)
		kinds |= KINDS_REQUEST_MISS;
	return kinds;
}

uint32_t offcore_kinds(const struct offcore_layout *layout, uint64_t value)
{
	uint32_t kinds = requests(layout, value);

	if (value & layout->outstanding)
		return kinds << (EV_FIRST_WAIT - EV_FIRST_REQUEST);
	return kinds & responses(layout, value);
}
