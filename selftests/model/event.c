// SPDX-License-Identifier: GPL-2.0-only
/* Table of event encodings. */
#include "event.h"
#include "offcore.h"
#include "pmu_regs.h"

/* Event and umask, as both numbers stand in the low half of an event select */
#define CODE(event, umask)	((event) | (umask) << EVTSEL_UMASK_SHIFT)

static const struct {
	uint16_t code;
	uint32_t kinds;
} event_table[] = {
	{ CODE(0xc0, 0x00), KIND(EV_INSN) },	/* INST_RETIRED.ANY_P */
	{ CODE(0x3c, 0x00), KIND(EV_CYC) },	/* CPU_CLK_UNHALTED.CORE_P */
	{ CODE(0x3c, 0x01), KIND(EV_REF) },	/* CPU_CLK_UNHALTED.REF_TSC_P */
	{ CODE(0xc4, 0x00), KIND(EV_BR) },	/* BR_INST_RETIRED.ALL_BRANCHES */
	{ CODE(0xc5, 0x00), KIND(EV_BRMISS) },	/* BR_MISP_RETIRED.ALL_BRANCHES */
	{ CODE(0x2e, 0x4f), KINDS_REQUEST },	/* LONGEST_LAT_CACHE.REFERENCE */
	{ CODE(0x2e, 0x41), KINDS_REQUEST_MISS },	/* LONGEST_LAT_CACHE.MISS */
};

/* TOPDOWN.SLOTS_P; on E-cores something else */
#define SLOTS_EVENT	CODE(0xa4, 0x01)

uint32_t event_kinds(uint64_t evtsel, bool big, const struct offcore_layout *layout,
		     const uint64_t offcore_rsp[2])
{
	unsigned int code = evtsel & (EVTSEL_EVENT | EVTSEL_UMASK), i;

	if (evtsel & EVTSEL_UMASK2)
		return 0;
	if (code == SLOTS_EVENT)
		return big ? KIND(EV_SLOT) : 0;
	for (i = 0; layout && i < 2; i++)
		if (layout->events[i] == code)
			return offcore_kinds(layout, offcore_rsp[i]);
	for (i = 0; i < sizeof(event_table) / sizeof(event_table[0]); i++)
		if (event_table[i].code == code)
			return event_table[i].kinds;
	return 0;
}

/* As Intel's lists for Skylake and Haswell have them, each with its counter */
static const struct {
	uint16_t code;
	uint8_t cntr;
	uint32_t kinds;
} one_cntr_table[] = {
	{ CODE(0xc0, 0x01), 1, KIND(EV_INSN) },	/* INST_RETIRED.PREC_DIST */
	{ CODE(0x48, 0x01), 2, KINDS_WAIT },	/* L1D_PEND_MISS.PENDING */
};

uint32_t event_one_cntr_kinds(uint64_t evtsel, unsigned int cntr)
{
	unsigned int i;

	for (i = 0; i < sizeof(one_cntr_table) / sizeof(one_cntr_table[0]); i++)
		if (one_cntr_table[i].code == (evtsel & (EVTSEL_EVENT | EVTSEL_UMASK)) &&
		    one_cntr_table[i].cntr == cntr)
			return one_cntr_table[i].kinds;
	return 0;
}

uint32_t event_fixed_kinds(unsigned int fixed)
{
	static const uint32_t kinds[PMU_MAX_FIXED] = {
		KIND(EV_INSN), KIND(EV_CYC), KIND(EV_REF), KIND(EV_SLOT),
	};

	return fixed < PMU_MAX_FIXED ? kinds[fixed] : 0;
}

const char *event_name(enum event_kind kind)
{
	static const char *const names[NR_EVENT_KINDS] = {
		"insn", "cyc", "ref", "slot", "br", "brmiss",
		"rd_hit", "rd_miss", "wr_hit", "wr_miss",
		"code_hit", "code_miss", "rd_hit_cyc", "rd_miss_cyc", "wr_hit_cyc", "wr_miss_cyc",
		"code_hit_cyc", "code_miss_cyc",
	};

	return names[kind];
}
