// SPDX-License-Identifier: LGPL-2.1-or-later
/* PMC37 and PMC40: the event address registers of instructions and of data. */
#include "mont_ear.h"

#define PMC_IEAR      37
#define PMC_DEAR      40
#define ISM_IA64      2
#define IEAR_CT_CACHE 1
#define IEAR_CT_TLB   0

/**
 * struct ear - settings of an EAR
 * @mode: PFMLIB_MONT_EAR_CACHE_MODE and so on
 * @plm: privilege levels
 * @umask: its unit mask
 */
struct ear {
	unsigned int mode;
	unsigned int plm;
	unsigned long umask;
};

static unsigned int mode_of(enum mont_ear ear)
{
	switch (ear) {
	case MONT_EAR_I_TLB:
	case MONT_EAR_D_TLB:
		return PFMLIB_MONT_EAR_TLB_MODE;
	case MONT_EAR_D_ALAT:
		return PFMLIB_MONT_EAR_ALAT_MODE;
	default:
		return PFMLIB_MONT_EAR_CACHE_MODE;
	}
}

/*
 * An explicit request overrides the settings of the first event of the list that is between first
 * and last in enum mont_ear.
 */
static bool choose(const struct mont_call *call, const pfmlib_mont_ear_t *param,
		   enum mont_ear first, enum mont_ear last, struct ear *ear)
{
	unsigned int i;

	if (param && param->ear_used) {
		ear->mode = param->ear_mode;
		ear->plm = mont_call_plm(call, param->ear_plm);
		ear->umask = param->ear_umask;
		return true;
	}
	for (i = 0; i < call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(call, i);

		if (event->ear < first || event->ear > last)
			continue;
		ear->mode = mode_of(event->ear);
		ear->plm = mont_call_plm(call, 0);
		ear->umask = event->umask;
		return true;
	}
	return false;
}

/**
 * mont_ear_program_i() - append PMC37 if the instruction EAR is used
 *
 * Return: PFMLIB_SUCCESS, PFMLIB_ERR_INVAL: a mode other than cache and TLB, or
 * PFMLIB_ERR_NOASSIGN: PMC37 is not available.
 */
int mont_ear_program_i(struct mont_call *call)
{
	const pfmlib_mont_ear_t *param = call->mod ? &call->mod->pfp_mont_iear : NULL;
	pfm_mont_pmc_reg_t reg = { .pmc_val = 0 };
	struct ear ear;
	int ret;

	if (!choose(call, param, MONT_EAR_I_CACHE, MONT_EAR_I_TLB, &ear))
		return PFMLIB_SUCCESS;
	switch (ear.mode) {
	case PFMLIB_MONT_EAR_TLB_MODE:
		reg.pmc37_mont_tlb_reg.iear_plm = ear.plm;
		reg.pmc37_mont_tlb_reg.iear_pm = mont_call_systemwide(call);
		reg.pmc37_mont_tlb_reg.iear_umask = ear.umask;
		reg.pmc37_mont_tlb_reg.iear_ct = IEAR_CT_TLB;
		break;
	case PFMLIB_MONT_EAR_CACHE_MODE:
		reg.pmc37_mont_cache_reg.iear_plm = ear.plm;
		reg.pmc37_mont_cache_reg.iear_pm = mont_call_systemwide(call);
		reg.pmc37_mont_cache_reg.iear_umask = ear.umask;
		reg.pmc37_mont_cache_reg.iear_ct = IEAR_CT_CACHE;
		break;
	default:
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "iear: ear_mode is %u, and there is no such mode; use cache or TLB mode",
				   ear.mode);
	}
	ret = mont_call_add_pmc(call, PMC_IEAR, reg.pmc_val, "the I-EAR");
	if (!ret)
		mont_call_add_pmds(call, 34, 35);
	return ret;
}

/**
 * mont_ear_program_d() - append PMC40 if the data EAR is used
 *
 * Return: PFMLIB_SUCCESS, PFMLIB_ERR_INVAL: a mode other than cache, TLB and ALAT, or
 * PFMLIB_ERR_NOASSIGN: PMC40 is not available.
 */
int mont_ear_program_d(struct mont_call *call)
{
	const pfmlib_mont_ear_t *param = call->mod ? &call->mod->pfp_mont_dear : NULL;
	pfm_mont_pmc_reg_t reg = { .pmc_val = 0 };
	struct ear ear;
	int ret;

	if (!choose(call, param, MONT_EAR_D_CACHE, MONT_EAR_D_ALAT, &ear))
		return PFMLIB_SUCCESS;
	if (ear.mode > PFMLIB_MONT_EAR_ALAT_MODE)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "dear: ear_mode is %u, and there is no such mode; use cache, TLB or ALAT "
				   "mode",
				   ear.mode);
	reg.pmc40_mont_reg.dear_plm = ear.plm;
	reg.pmc40_mont_reg.dear_pm = mont_call_systemwide(call);
	reg.pmc40_mont_reg.dear_mode = ear.mode;
	reg.pmc40_mont_reg.dear_umask = ear.umask;
	reg.pmc40_mont_reg.dear_ism = ISM_IA64;
	ret = mont_call_add_pmc(call, PMC_DEAR, reg.pmc_val, "the D-EAR");
	if (!ret) {
		mont_call_add_pmds(call, 32, 33);
		mont_call_add_pmds(call, 36, 36);
	}
	return ret;
}
