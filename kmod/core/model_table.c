// SPDX-License-Identifier: GPL-2.0-only
/* The CPU table: one row for each kind of core, and which CPUs it describes. */
#include "model.h"
#include "../regs.h"

#define GP_CNTRS	GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0)

/* native model ids of E-cores (vol. 2A, leaf 0x1a) by kind, as Intel's event mapfile has them */
#define NATIVE_CRESTMONT	2
#define NATIVE_SKYMONT		3

/* ---- what the fixed counters count: vol. 3, "Fixed-function Performance Counters" ---------- */

static const struct acrpmu_fixed_event architectural_fixed_events[] = {
	{ .fixed = 0, .pseudo = 0x0100, .config = 0x00c0 },	/* INST_RETIRED.ANY */
	{ .fixed = 1, .pseudo = 0x0200, .config = 0x003c },	/* CPU_CLK_UNHALTED.CORE */
	{ .fixed = 2, .pseudo = 0x0300 },			/* CPU_CLK_UNHALTED.REF_TSC */
};

/* From Gracemont on, 0x3c/0x01 also counts at TSC frequency; earlier cores use that of the bus. */
static const struct acrpmu_fixed_event gracemont_fixed_events[] = {
	{ .fixed = 0, .pseudo = 0x0100, .config = 0x00c0 },
	{ .fixed = 1, .pseudo = 0x0200, .config = 0x003c },
	{ .fixed = 2, .pseudo = 0x0300, .config = 0x013c },	/* CPU_CLK_UNHALTED.REF_TSC_P */
};

static const struct acrpmu_fixed_event skymont_fixed_events[] = {
	{ .fixed = 0, .pseudo = 0x0100, .config = 0x00c0 },
	{ .fixed = 1, .pseudo = 0x0200, .config = 0x003c },
	{ .fixed = 2, .pseudo = 0x0300, .config = 0x013c },
	{ .fixed = 4, .pseudo = 0x0500, .config = 0x0073 },	/* TOPDOWN_BAD_SPECULATION.ALL */
	{ .fixed = 5, .pseudo = 0x0600, .config = 0x019c },	/* TOPDOWN_FE_BOUND.ALL */
	{ .fixed = 6, .pseudo = 0x0700, .config = 0x02c2 },	/* TOPDOWN_RETIRING.ALL */
};

/* As on older cores, but for slots, which count as an architectural event, too: 0xa4/0x01 */
static const struct acrpmu_fixed_event icelake_fixed_events[] = {
	{ .fixed = 0, .pseudo = 0x0100, .config = 0x00c0 },
	{ .fixed = 1, .pseudo = 0x0200, .config = 0x003c },
	{ .fixed = 2, .pseudo = 0x0300 },
	{ .fixed = 3, .pseudo = 0x0400, .config = 0x01a4 },	/* TOPDOWN.SLOTS */
};

static const struct acrpmu_fixed_event goldencove_fixed_events[] = {
	{ .fixed = 0, .pseudo = 0x0100, .config = 0x00c0 },
	{ .fixed = 1, .pseudo = 0x0200, .config = 0x003c },
	{ .fixed = 2, .pseudo = 0x0300, .config = 0x013c },
	{ .fixed = 3, .pseudo = 0x0400, .config = 0x01a4 },	/* TOPDOWN.SLOTS */
};

/* ---- events that not every general-purpose counter counts: Intel event files --------------- */

static const struct acrpmu_event_constraint crestmont_constraints[] = {
	{ .config = 0x05d0, .config_mask = 0xffff, .cntrs = 0x3 }, /* MEM_UOPS_RETIRED.LOAD_LAT* */
};

static const struct acrpmu_event_constraint arcticwolf_constraints[] = {
	{ .config = 0x01b7, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x02b7, .config_mask = 0xffff, .cntrs = 0x2 },
	{ .config = 0x04b7, .config_mask = 0xffff, .cntrs = 0x4 },
	{ .config = 0x08b7, .config_mask = 0xffff, .cntrs = 0x8 },
	{ .config = 0x0175, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x0275, .config_mask = 0xffff, .cntrs = 0x2 },
	{ .config = 0x21d3, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x22d3, .config_mask = 0xffff, .cntrs = 0x1 },
};

/* With both threads of a core on there are only four counters; without, eight. */
static const struct acrpmu_event_constraint skylake_constraints[] = {
	{ .config = 0x01c0, .config_mask = 0xffff, .cntrs = 0x2 }, /* INST_RETIRED.PREC_DIST */
	{ .config = 0x00c6, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00cd, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00d0, .config_mask = 0x00fe, .cntrs = 0xf },
	{ .config = 0x00d2, .config_mask = 0x00ff, .cntrs = 0xf },
};

/* Event selects 0x03 to 0x0a, 0x1f to 0x28, 0x48 to 0x56, 0x60 to 0x8b and so on */
static const struct acrpmu_event_constraint icelake_constraints[] = {
	{ .config = 0x0003, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0004, .config_mask = 0x00fc, .cntrs = 0xf },
	{ .config = 0x0008, .config_mask = 0x00fe, .cntrs = 0xf },
	{ .config = 0x000a, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x001f, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0020, .config_mask = 0x00f8, .cntrs = 0xf },
	{ .config = 0x0028, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0032, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0048, .config_mask = 0x00f8, .cntrs = 0xf },
	{ .config = 0x0050, .config_mask = 0x00fc, .cntrs = 0xf },
	{ .config = 0x0054, .config_mask = 0x00fe, .cntrs = 0xf },
	{ .config = 0x0056, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0060, .config_mask = 0x00e0, .cntrs = 0xf },
	{ .config = 0x0080, .config_mask = 0x00f8, .cntrs = 0xf },
	{ .config = 0x0088, .config_mask = 0x00fc, .cntrs = 0xf },
	{ .config = 0x04a3, .config_mask = 0xffff, .cntrs = GP_CNTRS },
	{ .config = 0x10a3, .config_mask = 0xffff, .cntrs = GP_CNTRS },
	{ .config = 0x14a3, .config_mask = 0xffff, .cntrs = GP_CNTRS },
	{ .config = 0x00a3, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00a8, .config_mask = 0x00f8, .cntrs = 0xf },
	{ .config = 0x00b0, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00b7, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00b8, .config_mask = 0x00fc, .cntrs = 0xf },
	{ .config = 0x00bc, .config_mask = 0x00fe, .cntrs = 0xf },
	{ .config = 0x00d0, .config_mask = 0x00f0, .cntrs = 0xf },
	{ .config = 0x00e0, .config_mask = 0x00fc, .cntrs = 0xf },
	{ .config = 0x00e4, .config_mask = 0x00fe, .cntrs = 0xf },
	{ .config = 0x00e6, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00ef, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00f0, .config_mask = 0x00fc, .cntrs = 0xf },
	{ .config = 0x00f4, .config_mask = 0x00ff, .cntrs = 0xf },
};

/* Of event selects below 0x90 only 0x2e and 0x3c count everywhere. */
static const struct acrpmu_event_constraint goldencove_constraints[] = {
	{ .config = 0x002e, .config_mask = 0x00ff, .cntrs = GP_CNTRS },
	{ .config = 0x003c, .config_mask = 0x00ff, .cntrs = GP_CNTRS },
	{ .config = 0x0000, .config_mask = 0x0080, .cntrs = 0xf },
	{ .config = 0x0080, .config_mask = 0x00f0, .cntrs = 0xf },
	{ .config = 0x01a3, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x02a3, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x05a3, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x06a3, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x08a3, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x0ca3, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x04a4, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x08a4, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x01cd, .config_mask = 0xffff, .cntrs = 0xfe },
	{ .config = 0x02cd, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x00ce, .config_mask = 0x00ff, .cntrs = 0x1 },
	{ .config = 0x00d0, .config_mask = 0x00f0, .cntrs = 0xf },
};

static const struct acrpmu_event_constraint lioncove_constraints[] = {
	{ .config = 0x0020, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0148, .config_mask = 0xffff, .cntrs = 0x4 },
	{ .config = 0x0175, .config_mask = 0xffff, .cntrs = 0x4 },
	{ .config = 0x08a3, .config_mask = 0xffff, .cntrs = 0x4 },
	{ .config = 0x0ca3, .config_mask = 0xffff, .cntrs = 0x4 },
	{ .config = 0x04a4, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x08a4, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x10a4, .config_mask = 0xffff, .cntrs = 0x8 },
	{ .config = 0x01b1, .config_mask = 0xffff, .cntrs = 0x8 },
	{ .config = 0x01cd, .config_mask = 0xffff, .cntrs = 0x3fc },
	{ .config = 0x02cd, .config_mask = 0xffff, .cntrs = 0x3 },
	{ .config = 0x87d0, .config_mask = 0xffff, .cntrs = GP_CNTRS },
	{ .config = 0x00d0, .config_mask = 0x00f0, .cntrs = 0xf },
};

static const struct acrpmu_event_constraint coyotecove_constraints[] = {
	{ .config = 0x0020, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0079, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x0446, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x0846, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x0847, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x0148, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x0275, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x0176, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x04a4, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x08a4, .config_mask = 0xffff, .cntrs = 0x1 },
	{ .config = 0x01b1, .config_mask = 0xffff, .cntrs = 0x8 },
	{ .config = 0x01b2, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x02b2, .config_mask = 0xffff, .cntrs = 0xf },
	{ .config = 0x01cd, .config_mask = 0xffff, .cntrs = 0xfc },
	{ .config = 0x02cd, .config_mask = 0xffff, .cntrs = 0x3 },
	{ .config = 0x00ce, .config_mask = 0x00ff, .cntrs = 0x1 },
	{ .config = 0x00d0, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00d1, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00d4, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00d6, .config_mask = 0x00ff, .cntrs = 0xf },
	{ .config = 0x00df, .config_mask = 0x00ff, .cntrs = 0xf },
};

/*
 * ---- extra registers: vol. 3, "Off-core Response Performance Monitoring" of each core --------
 *
 * Of two offcore registers of an E-core the first has a bit that the second lacks (OUTSTANDING: 38
 * on Goldmont, 63 later), so that an event which uses it never moves.
 */

static const struct acrpmu_extra_reg goldmont_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OFFCORE_RSP_0,
	  .valid_mask = 0x760005ffbfULL },
	{ .config = 0x02b7, .alt = 0, .msr = MSR_OFFCORE_RSP_1,
	  .valid_mask = 0x360005ffbfULL },
};

static const struct acrpmu_extra_reg tremont_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OFFCORE_RSP_0,
	  .valid_mask = 0x800ff0ffffff9fffULL },
	{ .config = 0x02b7, .alt = 0, .msr = MSR_OFFCORE_RSP_1,
	  .valid_mask = 0x000ff0ffffff9fffULL },
};

static const struct acrpmu_extra_reg gracemont_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OFFCORE_RSP_0,
	  .valid_mask = 0x8003f03fffffffffULL },
	{ .config = 0x02b7, .alt = 0, .msr = MSR_OFFCORE_RSP_1,
	  .valid_mask = 0x0003f03fffffffffULL },
};

static const struct acrpmu_extra_reg crestmont_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OFFCORE_RSP_0,
	  .valid_mask = 0x800ff3ffffffffffULL },
	{ .config = 0x02b7, .alt = 0, .msr = MSR_OFFCORE_RSP_1,
	  .valid_mask = 0x000ff3ffffffffffULL },
	{ .config = 0x0127, .alt = 2, .msr = MSR_SNOOP_RSP_0, .valid_mask = ~0ULL },
	{ .config = 0x0227, .alt = 3, .msr = MSR_SNOOP_RSP_1, .valid_mask = ~0ULL },
};

/* Each OMR register's event counts on one counter only: one that moves needs that counter too. */
static const struct acrpmu_extra_reg arcticwolf_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OMR_0, .valid_mask = 0xc0ffffffffffffffULL },
	{ .config = 0x02b7, .alt = 2, .msr = MSR_OMR_1, .valid_mask = 0xc0ffffffffffffffULL },
	{ .config = 0x04b7, .alt = 3, .msr = MSR_OMR_2, .valid_mask = 0xc0ffffffffffffffULL },
	{ .config = 0x08b7, .alt = 0, .msr = MSR_OMR_3, .valid_mask = 0xc0ffffffffffffffULL },
	{ .config = 0x0127, .alt = 4, .msr = MSR_SNOOP_RSP_0, .valid_mask = ~0ULL },
	{ .config = 0x0227, .alt = 5, .msr = MSR_SNOOP_RSP_1, .valid_mask = ~0ULL },
};

/* What FRONTEND_RETIRED.* count is in a register of each thread, which few other events use. */
#define FRONTEND(event, own, mask)							\
	.config = (event), .alt = (own), .thread = true, .msr = MSR_PEBS_FRONTEND,	\
	.valid_mask = (mask)

static const struct acrpmu_extra_event goldencove_frontend[] = {
	{ .config = 0x40ad, .valid_mask = 0x7 },	/* INT_MISC.UNKNOWN_BRANCH_CYCLES */
	{ .config = 0x04c2, .valid_mask = 0x8 },	/* UOPS_RETIRED.MS */
};

static const struct acrpmu_extra_event redwoodcove_frontend[] = {
	{ .config = 0x02c6, .valid_mask = 0x9 },	/* FRONTEND_RETIRED.MISP_ANT */
	{ .config = 0x40ad, .valid_mask = 0x7 },
	{ .config = 0x04c2, .valid_mask = 0x8 },
};

static const struct acrpmu_extra_event lioncove_frontend[] = {
	{ .config = 0x02c6, .valid_mask = 0x9 },
	{ .config = 0x40ad, .valid_mask = 0xf },
	{ .config = 0x04c2, .valid_mask = 0x8 },
};

static const struct acrpmu_extra_reg skylake_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OFFCORE_RSP_0, .valid_mask = 0x3fffff8fffULL },
	{ .config = 0x01bb, .alt = 0, .msr = MSR_OFFCORE_RSP_1, .valid_mask = 0x3fffff8fffULL },
	{ FRONTEND(0x01c6, 2, 0x7fff17) },
};

static const struct acrpmu_extra_reg icelake_extra_regs[] = {
	{ .config = 0x01b7, .alt = 1, .msr = MSR_OFFCORE_RSP_0, .valid_mask = 0x3fffffbfffULL },
	{ .config = 0x01bb, .alt = 0, .msr = MSR_OFFCORE_RSP_1, .valid_mask = 0x3fffffbfffULL },
	{ FRONTEND(0x01c6, 2, 0x7fff17) },
};

static const struct acrpmu_extra_reg goldencove_extra_regs[] = {
	{ .config = 0x012a, .alt = 1, .msr = MSR_OFFCORE_RSP_0, .valid_mask = 0x3fffffffffULL },
	{ .config = 0x012b, .alt = 0, .msr = MSR_OFFCORE_RSP_1, .valid_mask = 0x3fffffffffULL },
	{ FRONTEND(0x01c6, 2, 0x7fff1f), .others = goldencove_frontend,
	  .nr_others = ARRAY_SIZE(goldencove_frontend) },
};

static const struct acrpmu_extra_reg redwoodcove_extra_regs[] = {
	{ .config = 0x012a, .alt = 1, .msr = MSR_OFFCORE_RSP_0, .valid_mask = 0x3fffffffffULL },
	{ .config = 0x012b, .alt = 0, .msr = MSR_OFFCORE_RSP_1, .valid_mask = 0x3fffffffffULL },
	{ FRONTEND(0x03c6, 2, 0x7fff1f), .others = redwoodcove_frontend,
	  .nr_others = ARRAY_SIZE(redwoodcove_frontend) },
};

static const struct acrpmu_extra_reg lioncove_extra_regs[] = {
	{ .config = 0x012a, .alt = 1, .msr = MSR_OFFCORE_RSP_0, .valid_mask = 0xfffffffffffULL },
	{ .config = 0x012b, .alt = 0, .msr = MSR_OFFCORE_RSP_1, .valid_mask = 0xfffffffffffULL },
	{ FRONTEND(0x03c6, 2, 0x7fff1f), .others = lioncove_frontend,
	  .nr_others = ARRAY_SIZE(lioncove_frontend) },
};

/* Three events use the OMR registers, each by its own event select and the register's umask. */
#define COYOTECOVE_OMR		0x40ffffff0000ffffULL
#define OMR(event, second, third, next, reg)						\
	.config = (event), .alt = (next), .msr = (reg), .valid_mask = COYOTECOVE_OMR,	\
	.others = (const struct acrpmu_extra_event[]){					\
		{ .config = (second), .valid_mask = COYOTECOVE_OMR },			\
		{ .config = (third), .valid_mask = COYOTECOVE_OMR },			\
	}, .nr_others = 2

static const struct acrpmu_extra_reg coyotecove_extra_regs[] = {
	{ OMR(0x012a, 0x014f, 0x01d6, 1, MSR_OMR_0) },
	{ OMR(0x022a, 0x024f, 0x02d6, 2, MSR_OMR_1) },
	{ OMR(0x042a, 0x044f, 0x04d6, 3, MSR_OMR_2) },
	{ OMR(0x082a, 0x084f, 0x08d6, 0, MSR_OMR_3) },
	{ FRONTEND(0x03c6, 4, 0x7fff1f), .others = lioncove_frontend,
	  .nr_others = ARRAY_SIZE(lioncove_frontend) },
};

/* ---- the rows ----------------------------------------------------------------------- */

#define IDS(...)							\
	.ids = (const struct acrpmu_model_id[]){ __VA_ARGS__ },		\
	.nr_ids = ARRAY_SIZE(((const struct acrpmu_model_id[]){ __VA_ARGS__ }))

#define ID(f, m)		{ .family = (f), .model = (m) }
#define ID_NATIVE(f, m, n)						\
	{ .family = (f), .model = (m), .core_type = CPUID_1A_CORE_TYPE_ATOM, .native_model = (n) }
#define ID_ATOM(f, m)		ID_NATIVE(f, m, 0)
#define ID_CORE(f, m)							\
	{ .family = (f), .model = (m), .core_type = CPUID_1A_CORE_TYPE_CORE }

/* The first id that fits chooses the row. */
static const struct acrpmu_model models[] = {
	{
		.name = "clearwaterforest",
		IDS(ID(6, 0xdd)),
		.fixed_events = skymont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(skymont_fixed_events),
		.extra_regs = crestmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(crestmont_extra_regs),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "pantherlake-e",
		IDS(ID_ATOM(6, 0xcc), ID_ATOM(6, 0xd5), ID_ATOM(6, 0xe5)),
		.fixed_events = skymont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(skymont_fixed_events),
		.extra_regs = crestmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(crestmont_extra_regs),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "skymont",
		IDS(ID_ATOM(6, 0xbd), ID_NATIVE(6, 0xc5, NATIVE_SKYMONT), ID_ATOM(6, 0xc6)),
		.fixed_events = skymont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(skymont_fixed_events),
		.extra_regs = crestmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(crestmont_extra_regs),
		.constraints = crestmont_constraints,
		.nr_constraints = ARRAY_SIZE(crestmont_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "arcticwolf",
		IDS(ID_ATOM(18, 0x01), ID_ATOM(18, 0x03)),
		.fixed_events = skymont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(skymont_fixed_events),
		.extra_regs = arcticwolf_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(arcticwolf_extra_regs),
		.constraints = arcticwolf_constraints,
		.nr_constraints = ARRAY_SIZE(arcticwolf_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "sierraforest",
		IDS(ID(6, 0xaf)),
		.fixed_events = gracemont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(gracemont_fixed_events),
		.extra_regs = crestmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(crestmont_extra_regs),
		.constraints = crestmont_constraints,
		.nr_constraints = ARRAY_SIZE(crestmont_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "grandridge",
		IDS(ID(6, 0xb6)),
		.fixed_events = gracemont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(gracemont_fixed_events),
		.extra_regs = crestmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(crestmont_extra_regs),
		.constraints = crestmont_constraints,
		.nr_constraints = ARRAY_SIZE(crestmont_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "crestmont",
		IDS(ID_ATOM(6, 0xaa), ID_ATOM(6, 0xac), ID_ATOM(6, 0xb5),
		    ID_NATIVE(6, 0xc5, NATIVE_CRESTMONT)),
		.fixed_events = gracemont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(gracemont_fixed_events),
		.extra_regs = crestmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(crestmont_extra_regs),
		.constraints = crestmont_constraints,
		.nr_constraints = ARRAY_SIZE(crestmont_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	{
		.name = "gracemont",
		IDS(ID(6, 0xbe), ID_ATOM(6, 0x97), ID_ATOM(6, 0x9a), ID_ATOM(6, 0xb7),
		    ID_ATOM(6, 0xba), ID_ATOM(6, 0xbf)),
		.fixed_events = gracemont_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(gracemont_fixed_events),
		.extra_regs = gracemont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(gracemont_extra_regs),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
	/* P-cores: after the E-cores of their parts, since a part without those reports no type */
	{
		.name = "panthercove",
		IDS(ID(19, 0x01)),
		.fixed_events = goldencove_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(goldencove_fixed_events),
		.extra_regs = coyotecove_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(coyotecove_extra_regs),
		.constraints = coyotecove_constraints,
		.nr_constraints = ARRAY_SIZE(coyotecove_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "coyotecove",
		IDS(ID(18, 0x01), ID(18, 0x03)),
		.fixed_events = goldencove_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(goldencove_fixed_events),
		.extra_regs = coyotecove_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(coyotecove_extra_regs),
		.constraints = coyotecove_constraints,
		.nr_constraints = ARRAY_SIZE(coyotecove_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "lioncove",
		IDS(ID(6, 0xbd), ID_CORE(6, 0xc5), ID(6, 0xc6), ID(6, 0xcc), ID(6, 0xd5),
		    ID(6, 0xe5)),
		.fixed_events = goldencove_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(goldencove_fixed_events),
		.extra_regs = lioncove_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(lioncove_extra_regs),
		.constraints = lioncove_constraints,
		.nr_constraints = ARRAY_SIZE(lioncove_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "redwoodcove",
		IDS(ID(6, 0xad), ID(6, 0xae), ID(6, 0xaa), ID(6, 0xac), ID(6, 0xb5)),
		.fixed_events = goldencove_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(goldencove_fixed_events),
		.extra_regs = redwoodcove_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(redwoodcove_extra_regs),
		.constraints = goldencove_constraints,
		.nr_constraints = ARRAY_SIZE(goldencove_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "goldencove",
		IDS(ID(6, 0x8f), ID(6, 0xcf), ID(6, 0x97), ID(6, 0x9a), ID(6, 0xb7), ID(6, 0xba),
		    ID(6, 0xbf)),
		.fixed_events = goldencove_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(goldencove_fixed_events),
		.extra_regs = goldencove_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(goldencove_extra_regs),
		.constraints = goldencove_constraints,
		.nr_constraints = ARRAY_SIZE(goldencove_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "icelake",
		IDS(ID(6, 0x7d), ID(6, 0x7e), ID(6, 0x6a), ID(6, 0x6c), ID(6, 0x8c), ID(6, 0x8d),
		    ID(6, 0xa7)),
		.fixed_events = icelake_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(icelake_fixed_events),
		.extra_regs = icelake_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(icelake_extra_regs),
		.constraints = icelake_constraints,
		.nr_constraints = ARRAY_SIZE(icelake_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "skylake",
		IDS(ID(6, 0x4e), ID(6, 0x5e), ID(6, 0x55), ID(6, 0x8e), ID(6, 0x9e), ID(6, 0xa5),
		    ID(6, 0xa6)),
		.fixed_events = architectural_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(architectural_fixed_events),
		.extra_regs = skylake_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(skylake_extra_regs),
		.constraints = skylake_constraints,
		.nr_constraints = ARRAY_SIZE(skylake_constraints),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "tremont",
		IDS(ID(6, 0x86), ID(6, 0x96), ID(6, 0x9c)),
		.fixed_events = architectural_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(architectural_fixed_events),
		.extra_regs = tremont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(tremont_extra_regs),
		.pmi_ack = ACRPMU_PMI_ACK_LATE,
	},
	{
		.name = "goldmontplus",
		IDS(ID(6, 0x7a)),
		.fixed_events = architectural_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(architectural_fixed_events),
		.extra_regs = goldmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(goldmont_extra_regs),
		.pmi_ack = ACRPMU_PMI_ACK_EARLY,
	},
	{
		.name = "goldmont",
		IDS(ID(6, 0x5c), ID(6, 0x5f)),
		.fixed_events = architectural_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(architectural_fixed_events),
		.extra_regs = goldmont_extra_regs,
		.nr_extra_regs = ARRAY_SIZE(goldmont_extra_regs),
		.pmi_ack = ACRPMU_PMI_ACK_EARLY,
	},
	/*
	 * Any other CPU: only what every architectural PMU has.  The PMI is acknowledged before the
	 * counters run again, the one order in which no core can lose a PMI or see it twice.
	 */
	{
		.name = "architectural",
		.fixed_events = architectural_fixed_events,
		.nr_fixed_events = ARRAY_SIZE(architectural_fixed_events),
		.pmi_ack = ACRPMU_PMI_ACK_MID,
	},
};

#define FALLBACK	(&models[ARRAY_SIZE(models) - 1])

static u64 field(u64 reg, u64 mask)
{
	return (reg & mask) >> __ffs64(mask);
}

/* vol. 2A, CPUID leaf 1: DisplayFamily and DisplayModel */
static u32 display_family(u32 signature)
{
	u32 family = field(signature, CPUID_1_EAX_FAMILY);

	return family == 0xf ? family + field(signature, CPUID_1_EAX_EXT_FAMILY) : family;
}

static u32 display_model(u32 signature)
{
	return field(signature, CPUID_1_EAX_MODEL) | field(signature, CPUID_1_EAX_EXT_MODEL) << 4;
}

static bool id_matches(const struct acrpmu_model_id *id, u32 signature, u32 core_type)
{
	if (id->family != display_family(signature) || id->model != display_model(signature))
		return false;
	if (id->core_type && id->core_type != field(core_type, CPUID_1A_EAX_CORE_TYPE))
		return false;
	return !id->native_model || id->native_model == field(core_type, CPUID_1A_EAX_NATIVE_MODEL);
}

const struct acrpmu_model *acrpmu_model_find(u32 signature, u32 core_type)
{
	const struct acrpmu_model *model;
	unsigned int i;

	for (model = models; model < FALLBACK; model++) {
		for (i = 0; i < model->nr_ids; i++) {
			if (id_matches(&model->ids[i], signature, core_type))
				return model;
		}
	}
	return FALLBACK;
}

const struct acrpmu_model *acrpmu_model_next(const struct acrpmu_model *model)
{
	if (!model)
		return models;
	return model < FALLBACK ? model + 1 : NULL;
}
