// SPDX-License-Identifier: LGPL-2.1-or-later
/* PMC32 to PMC35, the opcode matchers; PMC32 also enables code ranges. */
#include "mont_opcm.h"

#define PMC_OPCM1_MASK	32
#define PMC_OPCM1_MATCH 33
#define PMC_OPCM2_MASK	34
#define PMC_OPCM2_MATCH 35

/*
 * No restriction: all bits ignored, all slots, no code range. PMC34 starts without slots and has no
 * bits for ranges.
 */
#define PMC32_DEFAULT 0x030f01ffffffffffUL
#define PMC34_DEFAULT 0x000001ffffffffffUL

static void set_matcher(pfm_mont_pmc_reg_t *reg, const pfmlib_mont_opcm_t *opcm)
{
	reg->pmc32_34_mont_reg.opcm_mask = opcm->opcm_mask;
	reg->pmc32_34_mont_reg.opcm_b = opcm->opcm_b;
	reg->pmc32_34_mont_reg.opcm_f = opcm->opcm_f;
	reg->pmc32_34_mont_reg.opcm_i = opcm->opcm_i;
	reg->pmc32_34_mont_reg.opcm_m = opcm->opcm_m;
}

static int add_match(struct mont_call *call, unsigned int pmc, const pfmlib_mont_opcm_t *opcm,
		     const char *purpose)
{
	pfm_mont_pmc_reg_t reg = { .pmc_val = 0 };

	reg.pmc33_35_mont_reg.opcm_match = opcm->opcm_match;
	return mont_call_add_pmc(call, pmc, reg.pmc_val, purpose);
}

static int program_first(struct mont_call *call, const pfmlib_mont_opcm_t *opcm)
{
	const bool ranges = mont_call_has_irange(call);
	pfm_mont_pmc_reg_t reg = { .pmc_val = PMC32_DEFAULT };
	int ret;

	if (opcm->opcm_used)
		set_matcher(&reg, opcm);
	reg.pmc32_34_mont_reg.opcm_ig_ad = !ranges;
	reg.pmc32_34_mont_reg.opcm_inv =
		ranges && call->mod->pfp_mont_irange.rr_flags & PFMLIB_MONT_RR_INV;
	ret = mont_call_add_pmc(call, PMC_OPCM1_MASK, reg.pmc_val,
				opcm->opcm_used ? "the first opcode matcher" : "a code range");
	if (!ret && opcm->opcm_used)
		ret = add_match(call, PMC_OPCM1_MATCH, opcm, "the first opcode matcher");
	return ret;
}

static int program_second(struct mont_call *call, const pfmlib_mont_opcm_t *opcm)
{
	pfm_mont_pmc_reg_t reg = { .pmc_val = PMC34_DEFAULT };
	int ret;

	set_matcher(&reg, opcm);
	ret = mont_call_add_pmc(call, PMC_OPCM2_MASK, reg.pmc_val, "the second opcode matcher");
	if (!ret)
		ret = add_match(call, PMC_OPCM2_MATCH, opcm, "the second opcode matcher");
	return ret;
}

/**
 * mont_opcm_program() - append PMC32 to PMC35 as far as they are needed
 * @call: the call; its code ranges have been programmed
 *
 * PMC36 keeps its default, 0xfffffff0: all four channels obey the matchers.
 *
 * Return: PFMLIB_SUCCESS, or PFMLIB_ERR_NOASSIGN: one of the registers is not available.
 */
int mont_opcm_program(struct mont_call *call)
{
	int ret = PFMLIB_SUCCESS;

	if (!call->mod)
		return PFMLIB_SUCCESS;
	if (call->mod->pfp_mont_opcm1.opcm_used || mont_call_has_irange(call))
		ret = program_first(call, &call->mod->pfp_mont_opcm1);
	if (!ret && call->mod->pfp_mont_opcm2.opcm_used)
		ret = program_second(call, &call->mod->pfp_mont_opcm2);
	return ret;
}
