// SPDX-License-Identifier: GPL-2.0-only
/* Splits Montecito's registers into fields, by the unions of perfmon/pfmlib_montecito.h. */
#include <stdio.h>
#include <string.h>

#include <perfmon/pfmlib_montecito.h>

#include "../../util/util.h"
#include "fields.h"
#include "token.h"

#define IEAR_CACHE_BIT	13	/* of PMC37: iear_ct, which selects the layout */

#define FIRST_COUNTER	PMU_MONT_FIRST_COUNTER
#define LAST_COUNTER	(PMU_MONT_FIRST_COUNTER + PMU_MONT_NUM_COUNTERS - 1)
#define FIRST_ETB	48
#define LAST_ETB	(FIRST_ETB + PMU_MONT_NUM_ETB - 1)

#define DEBUG_MASK	0x00ffffffffffffffULL
#define DEBUG_PLM	0x0f00000000000000ULL

static const struct montecito_keyword ism_words[] = { { "", 2, "IA-64" }, { NULL } };

static const struct montecito_keyword pm_words[] = {
	{ "", 0, "a thread" }, { "", 1, "system-wide" }, { NULL }
};

static const struct montecito_keyword all_words[] = { { "", 0, "own thread" }, { NULL } };

static const struct montecito_keyword inv_words[] = {
	{ "", 1, "outside of IBR pair 0" }, { NULL }
};

static const struct montecito_keyword ig_ad_words[] = {
	{ "", 0, "code ranges apply" }, { "", 1, "code ranges ignored" }, { NULL }
};

static const struct montecito_keyword ibrp_words[] = {
	{ "", 0, "pair applies" }, { "", 1, "pair ignored" }, { NULL }
};

static const struct montecito_keyword fine_words[] = {
	{ "", 0, "by mask" }, { "", 1, "fine mode" }, { NULL }
};

static const struct montecito_keyword tlb_words[] = { { "", 0, "TLB misses" }, { NULL } };

static const struct montecito_keyword cache_words[] = { { "", 1, "cache misses" }, { NULL } };

static const struct montecito_keyword dtag_words[] = {
	{ "", 0, "code, opcode and data" }, { "", 1, "code and opcode" }, { "", 2, "data" },
	{ "", 3, "no restriction" }, { NULL }
};

static const struct montecito_keyword dbrp_words[] = {
	{ "", 0, "off" }, { "", 1, "on" }, { NULL }
};

/* compared by address: marks a field of privilege levels */
static const struct montecito_keyword levels[] = { { NULL } };

/* Describe privilege levels, bit n for level n, as text. */
void montecito_describe_levels(__u64 plm, char *buf, size_t size)
{
	static const char *const names[] = { "kernel", "level 1", "level 2", "user" };
	unsigned int i;
	size_t n = 0;

	snprintf(buf, size, plm ? "" : "none");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (plm & 1U << i && n < size)
			n += snprintf(buf + n, size - n, "%s%s", n ? ", " : "", names[i]);
	}
}

static void set_meaning(struct montecito_field *field, const struct montecito_keyword *words)
{
	if (words == levels) {
		montecito_describe_levels(field->value, field->meaning, sizeof(field->meaning));
		return;
	}
	for (; words && words->name; words++) {
		if (words->value == field->value)
			snprintf(field->meaning, sizeof(field->meaning), "%s", words->meaning);
	}
}

/* @mask: the bits of the field; @value: the whole register */
static void add(struct montecito_layout *layout, const char *name, __u64 mask, __u64 value,
		const struct montecito_keyword *words)
{
	struct montecito_field *field = &layout->field[layout->nr++];

	*field = (struct montecito_field){ .name = name, .bit = __builtin_ctzll(mask),
					   .width = __builtin_popcountll(mask) };
	field->value = (value & mask) >> field->bit;
	layout->rest &= ~mask;
	set_meaning(field, words);
}

/* Storing all ones shows the bits of a field. Not a constant, or gcc warns of overflow. */
static unsigned long ones = ~0UL;

#define PMC_MASK(layout, member) \
	({ pfm_mont_pmc_reg_t reg = { .pmc_val = 0 }; reg.layout.member = ones; reg.pmc_val; })
#define PMD_MASK(layout, member) \
	({ pfm_mont_pmd_reg_t reg = { .pmd_val = 0 }; reg.layout.member = ones; reg.pmd_val; })
#define PMC(member, words)	add(l, #member, PMC_MASK(LAYOUT, member), value, words)
#define PMD(member)		add(l, #member, PMD_MASK(LAYOUT, member), 0, NULL)
#define NAME_OF(layout)		#layout
#define SET_NAME(l, layout)	((l)->name = NAME_OF(layout))

#define LAYOUT	pmc_mont_counter_reg
static void counter(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "counter";
	PMC(pmc_plm, levels);
	PMC(pmc_ev, NULL);
	PMC(pmc_oi, NULL);
	PMC(pmc_pm, pm_words);
	PMC(pmc_es, NULL);
	PMC(pmc_umask, NULL);
	PMC(pmc_thres, NULL);
	PMC(pmc_ism, ism_words);
	PMC(pmc_all, all_words);
	PMC(pmc_i, NULL);
	PMC(pmc_s, NULL);
	PMC(pmc_e, NULL);
	PMC(pmc_m, NULL);
}

#undef LAYOUT
#define LAYOUT	pmc32_34_mont_reg
static void opcm_mask(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "opcode matcher: mask and slots";
	PMC(opcm_mask, NULL);
	PMC(opcm_b, NULL);
	PMC(opcm_f, NULL);
	PMC(opcm_i, NULL);
	PMC(opcm_m, NULL);
	PMC(opcm_inv, inv_words);
	PMC(opcm_ig_ad, ig_ad_words);
}

#undef LAYOUT
#define LAYOUT	pmc33_35_mont_reg
static void opcm_match(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "opcode matcher: opcode";
	PMC(opcm_match, NULL);
}

#undef LAYOUT
#define LAYOUT	pmc36_mont_reg
static void opcm_channels(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "channels that ignore the opcode matchers";
	PMC(opcm_ch0_ig_opcm, NULL);
	PMC(opcm_ch1_ig_opcm, NULL);
	PMC(opcm_ch2_ig_opcm, NULL);
	PMC(opcm_ch3_ig_opcm, NULL);
}

#undef LAYOUT
#define LAYOUT	pmc37_mont_cache_reg
static void iear_cache(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "instruction EAR";
	PMC(iear_plm, levels);
	PMC(iear_pm, pm_words);
	PMC(iear_umask, NULL);
	PMC(iear_ct, cache_words);
}

#undef LAYOUT
#define LAYOUT	pmc37_mont_tlb_reg
static void iear_tlb(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "instruction EAR";
	PMC(iear_plm, levels);
	PMC(iear_pm, pm_words);
	PMC(iear_umask, NULL);
	PMC(iear_ct, tlb_words);
}

static void iear(__u64 value, struct montecito_layout *l)
{
	if (value & (1ULL << IEAR_CACHE_BIT))
		iear_cache(value, l);
	else
		iear_tlb(value, l);
}

#undef LAYOUT
#define LAYOUT	pmc38_mont_reg
static void code_ranges(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "code ranges";
	PMC(iarc_ig_ibrp0, ibrp_words);
	PMC(iarc_ig_ibrp1, ibrp_words);
	PMC(iarc_ig_ibrp2, ibrp_words);
	PMC(iarc_ig_ibrp3, ibrp_words);
	PMC(iarc_fine, fine_words);
}

#undef LAYOUT
#define LAYOUT	pmc39_mont_reg
static void etb(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "execution trace buffer";
	PMC(etbc_plm, levels);
	PMC(etbc_pm, pm_words);
	PMC(etbc_ds, NULL);
	PMC(etbc_tm, montecito_etb_tm);
	PMC(etbc_ptm, montecito_etb_predicted);
	PMC(etbc_ppm, montecito_etb_predicted);
	PMC(etbc_brt, montecito_etb_brt);
}

#undef LAYOUT
#define LAYOUT	pmc40_mont_reg
static void dear(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "data EAR";
	PMC(dear_plm, levels);
	PMC(dear_pm, pm_words);
	PMC(dear_mode, montecito_dear_modes);
	PMC(dear_umask, NULL);
	PMC(dear_ism, ism_words);
}

#undef LAYOUT
#define LAYOUT	pmc41_mont_reg
static void data_ranges(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "data ranges";
	PMC(darc_cfg_dtag0, dtag_words);
	PMC(darc_cfg_dtag1, dtag_words);
	PMC(darc_cfg_dtag2, dtag_words);
	PMC(darc_cfg_dtag3, dtag_words);
	PMC(darc_ena_dbrp0, dbrp_words);
	PMC(darc_ena_dbrp1, dbrp_words);
	PMC(darc_ena_dbrp2, dbrp_words);
	PMC(darc_ena_dbrp3, dbrp_words);
}

#undef LAYOUT
#define LAYOUT	pmc42_mont_reg
static void ipear_config(__u64 value, struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "IP-EAR";
	PMC(ipear_plm, levels);
	PMC(ipear_pm, pm_words);
	PMC(ipear_mode, NULL);
	PMC(ipear_delay, NULL);
}

#undef LAYOUT

/* PMCs above the counters, starting with the opcode matchers. */
static void (*const pmc_layouts[])(__u64 value, struct montecito_layout *l) = {
	[32] = opcm_mask, [33] = opcm_match, [34] = opcm_mask, [35] = opcm_match,
	[36] = opcm_channels, [37] = iear, [38] = code_ranges, [39] = etb, [40] = dear,
	[41] = data_ranges, [42] = ipear_config,
};

/* Split the value of a PMC into fields. An unknown PMC has none. */
void montecito_pmc_layout(unsigned int pmc, __u64 value, struct montecito_layout *layout)
{
	*layout = (struct montecito_layout){ .what = "", .rest = value };
	if (pmc >= FIRST_COUNTER && pmc <= LAST_COUNTER)
		counter(value, layout);
	else if (pmc < ARRAY_SIZE(pmc_layouts) && pmc_layouts[pmc])
		pmc_layouts[pmc](value, layout);
}

#define LAYOUT	pmd_mont_counter_reg
static void count(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "count";
	PMD(pmd_count);
	PMD(pmd_sxt47);
}

#undef LAYOUT
#define LAYOUT	pmd32_mont_reg
static void dear_address(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "data EAR: address of the data";
	PMD(dear_daddr);
}

#undef LAYOUT
#define LAYOUT	pmd33_mont_reg
static void dear_latency(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "data EAR: latency";
	PMD(dear_latency);
	PMD(dear_ov);
	PMD(dear_stat);
}

#undef LAYOUT
#define LAYOUT	pmd34_mont_reg
static void iear_address(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "instruction EAR: address";
	PMD(iear_stat);
	PMD(iear_iaddr);
}

#undef LAYOUT
#define LAYOUT	pmd35_mont_reg
static void iear_latency(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "instruction EAR: latency";
	PMD(iear_latency);
	PMD(iear_ov);
}

#undef LAYOUT
#define LAYOUT	pmd36_mont_reg
static void dear_instruction(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "data EAR: the instruction";
	PMD(dear_slot);
	PMD(dear_bn);
	PMD(dear_vl);
	PMD(dear_iaddr);
}

#undef LAYOUT
#define LAYOUT	pmd38_mont_reg
static void etb_index(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "trace buffer: the next entry";
	PMD(etbi_ebi);
	PMD(etbi_full);
}

#undef LAYOUT
#define LAYOUT	pmd48_63_etb_mont_reg
static void etb_branch(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "trace buffer: a branch";
	PMD(etb_s);
	PMD(etb_mp);
	PMD(etb_slot);
	PMD(etb_addr);
}

#undef LAYOUT
#define LAYOUT	pmd48_63_ipear_mont_reg
static void ipear_entry(struct montecito_layout *l)
{
	SET_NAME(l, LAYOUT);
	l->what = "trace buffer: an instruction";
	PMD(ipear_addr);
	PMD(ipear_cycles);
}

#undef LAYOUT

static void (*const pmd_layouts[])(struct montecito_layout *l) = {
	[32] = dear_address, [33] = dear_latency, [34] = iear_address, [35] = iear_latency,
	[36] = dear_instruction, [38] = etb_index,
};

/*
 * Describe the fields of a PMD. @ipear: the trace buffer holds entries of the IP-EAR, not branches.
 * PMD39 holds sixteen small groups and gets a name only; an unknown PMD has no fields.
 */
void montecito_pmd_layout(unsigned int pmd, bool ipear, struct montecito_layout *layout)
{
	*layout = (struct montecito_layout){ .what = "" };
	if (pmd >= FIRST_COUNTER && pmd <= LAST_COUNTER) {
		count(layout);
	} else if (pmd >= FIRST_ETB && pmd <= LAST_ETB) {
		if (ipear)
			ipear_entry(layout);
		else
			etb_branch(layout);
	} else if (pmd == 39) {
		layout->name = ipear ? "pmd39_ipear_mont_reg" : "pmd39_mont_reg";
		layout->what = "trace buffer: more of PMD48-63";
	} else if (pmd < ARRAY_SIZE(pmd_layouts) && pmd_layouts[pmd]) {
		pmd_layouts[pmd](layout);
	}
}

/* Split the value of a debug register. Even registers hold an address, odd ones a mask. */
void montecito_debug_layout(unsigned int reg, __u64 value, struct montecito_layout *layout)
{
	*layout = (struct montecito_layout){ .what = reg & 1 ? "mask" : "address", .rest = value };
	if (!(reg & 1)) {
		add(layout, "address", ~0ULL, value, NULL);
		return;
	}
	add(layout, "mask", DEBUG_MASK, value, NULL);
	add(layout, "plm", DEBUG_PLM, value, levels);
}
