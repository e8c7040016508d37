// SPDX-License-Identifier: LGPL-2.1-or-later
/* Data ranges: the DBRs, and PMC41, which selects what restricts data events for each pair. */
#include "mont_drange.h"
#include "mont_range.h"

#define PMC_DARC     41
#define PMC41_BASE   0x2078fefefefeUL
#define NR_PAIRS     4
#define NR_LOW_PAIRS 2 /* in fine mode, the others hold upper limits */

static const struct mont_range_kind data = {
	.name = "data",
	.align = 1,
	.bad = PFMLIB_ERR_DRRINVAL,
	.unaligned = PFMLIB_ERR_DRRINVAL,
	.too_many = PFMLIB_ERR_DRRTOOMANY,
	.too_big = PFMLIB_ERR_DRRTOOMANY,
};

/* What restricts data events by a pair of registers. */
enum {
	BY_DATA = 1,
	BY_OPCODE = 2,
	BY_CODE = 4,
};

/* By these bits the value of cfg_dtag; 3: nothing restricts. */
static const unsigned char cfg_dtag[] = { 3, 2, 3, 0, 1, 0, 1, 0 };

static bool has_pair(const pfmlib_mont_output_rr_t *out, unsigned int pair)
{
	unsigned int i;

	for (i = 0; i < out->rr_nbr_used; i++) {
		if (out->rr_br[i].reg_num == 2 * pair)
			return true;
	}
	return false;
}

/* Matcher 1 goes with pairs 0 and 2, matcher 2 with pairs 1 and 3. */
static unsigned int opcode_of(const struct mont_call *call, unsigned int pair)
{
	const pfmlib_mont_opcm_t *opcm =
		pair % 2 ? &call->mod->pfp_mont_opcm2 : &call->mod->pfp_mont_opcm1;

	return opcm->opcm_used ? BY_OPCODE : 0;
}

static unsigned int restrictions(const struct mont_call *call, unsigned int pair)
{
	unsigned int by = 0;

	if (mont_call_has_drange(call) && has_pair(&call->mod_out->pfp_mont_drange, pair))
		by |= BY_DATA | opcode_of(call, pair);
	if (mont_call_has_irange(call) && has_pair(&call->mod_out->pfp_mont_irange, pair) &&
	    !(call->irange_fine && pair >= NR_LOW_PAIRS))
		by |= BY_CODE | opcode_of(call, pair);
	return by;
}

static uint64_t pmc41_value(const struct mont_call *call)
{
	pfm_mont_pmc_reg_t reg = { .pmc_val = PMC41_BASE };
	unsigned int by[NR_PAIRS], k;

	for (k = 0; k < NR_PAIRS; k++)
		by[k] = restrictions(call, k);
	reg.pmc41_mont_reg.darc_cfg_dtag0 = cfg_dtag[by[0]];
	reg.pmc41_mont_reg.darc_cfg_dtag1 = cfg_dtag[by[1]];
	reg.pmc41_mont_reg.darc_cfg_dtag2 = cfg_dtag[by[2]];
	reg.pmc41_mont_reg.darc_cfg_dtag3 = cfg_dtag[by[3]];
	reg.pmc41_mont_reg.darc_ena_dbrp0 = !!by[0];
	reg.pmc41_mont_reg.darc_ena_dbrp1 = !!by[1];
	reg.pmc41_mont_reg.darc_ena_dbrp2 = !!by[2];
	reg.pmc41_mont_reg.darc_ena_dbrp3 = !!by[3];
	return reg.pmc_val;
}

static int add_ranges(struct mont_call *call)
{
	const pfmlib_mont_input_rr_t *in = &call->mod->pfp_mont_drange;
	unsigned int nr;
	int ret;

	if (!call->mod_out)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "data ranges need debug registers, but there is no model output "
				   "for them; pass one");
	ret = mont_range_count(in, &data, &nr);
	if (ret)
		return ret;
	return mont_range_cover(call, in, nr, &data, &call->mod_out->pfp_mont_drange);
}

/**
 * mont_drange_program() - append the DBRs if data ranges are used, and PMC41 if any ranges are
 * @call: the call; its code ranges have been programmed
 *
 * Return: PFMLIB_SUCCESS, or
 * PFMLIB_ERR_INVAL: no model output,
 * PFMLIB_ERR_DRRINVAL: no range or an empty one,
 * PFMLIB_ERR_DRRTOOMANY: more or larger ranges than four pairs cover,
 * PFMLIB_ERR_NOASSIGN: PMC41 is not available.
 */
int mont_drange_program(struct mont_call *call)
{
	int ret = PFMLIB_SUCCESS;

	if (mont_call_has_drange(call))
		ret = add_ranges(call);
	if (!ret && (mont_call_has_drange(call) || mont_call_has_irange(call)))
		ret = mont_call_add_pmc(call, PMC_DARC, pmc41_value(call), "an address range");
	return ret;
}
