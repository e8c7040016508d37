// SPDX-License-Identifier: LGPL-2.1-or-later
/* PMC39 and PMC42: the execution trace buffer, of branches or (IP-EAR) of retired instructions. */
#include "mont_etb.h"

#define PMC_ETB	     39
#define PMC_IPEAR    42
#define IPEAR_MODE   4
#define ALL_BRANCHES 3 /* of tm, ptm and ppm: regardless of outcome and prediction */

/* The buffer's index, the extensions and the entries. */
static void add_buffer(struct mont_call *call)
{
	mont_call_add_pmds(call, 38, 39);
	mont_call_add_pmds(call, 48, 48 + PMU_MONT_NUM_ETB - 1);
}

/* The D-EAR of the TLB or of the ALAT writes to the trace buffer's registers, too. */
static bool dear_needs_buffer(const struct mont_call *call)
{
	unsigned int i;

	if (call->mod && call->mod->pfp_mont_dear.ear_used &&
	    (call->mod->pfp_mont_dear.ear_mode == PFMLIB_MONT_EAR_TLB_MODE ||
	     call->mod->pfp_mont_dear.ear_mode == PFMLIB_MONT_EAR_ALAT_MODE))
		return true;
	for (i = 0; i < call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(call, i);

		if (event->ear == MONT_EAR_D_TLB || event->ear == MONT_EAR_D_ALAT)
			return true;
	}
	return false;
}

static uint64_t etb_value(const struct mont_call *call)
{
	const pfmlib_mont_etb_t *param = call->mod ? &call->mod->pfp_mont_etb : NULL;
	pfm_mont_pmc_reg_t reg = { .pmc_val = 0 };

	reg.pmc39_mont_reg.etbc_pm = mont_call_systemwide(call);
	if (param && param->etb_used) {
		reg.pmc39_mont_reg.etbc_plm = mont_call_plm(call, param->etb_plm);
		reg.pmc39_mont_reg.etbc_ds = param->etb_ds;
		reg.pmc39_mont_reg.etbc_tm = param->etb_tm;
		reg.pmc39_mont_reg.etbc_ptm = param->etb_ptm;
		reg.pmc39_mont_reg.etbc_ppm = param->etb_ppm;
		reg.pmc39_mont_reg.etbc_brt = param->etb_brt;
	} else {
		reg.pmc39_mont_reg.etbc_plm = mont_call_plm(call, 0);
		reg.pmc39_mont_reg.etbc_tm = ALL_BRANCHES;
		reg.pmc39_mont_reg.etbc_ptm = ALL_BRANCHES;
		reg.pmc39_mont_reg.etbc_ppm = ALL_BRANCHES;
	}
	return reg.pmc_val;
}

static int refuse_branches(const struct mont_call *call)
{
	static const char why[] = "branches cannot be traced while the D-EAR catches TLB or ALAT "
				  "misses; leave one of them out, or use the D-EAR in cache mode";
	unsigned int i = 0;

	if (call->mod && call->mod->pfp_mont_etb.etb_used)
		return mont_refuse(PFMLIB_ERR_EVTINCOMP, "etb: %s", why);
	while (!mont_call_event(call, i)->etb)
		i++;
	return mont_refuse(PFMLIB_ERR_EVTINCOMP, "event %s at position %u of the list: %s",
			   mont_call_event(call, i)->name, i + 1, why);
}

/**
 * mont_etb_program() - append PMC39 if the trace buffer must record branches, or must not
 *
 * Return: PFMLIB_SUCCESS,
 * PFMLIB_ERR_EVTINCOMP: the D-EAR catches TLB or ALAT misses, which use the same buffer,
 * or PFMLIB_ERR_NOASSIGN: PMC39 is not available.
 */
int mont_etb_program(struct mont_call *call)
{
	const bool wanted =
		mont_call_has_etb_event(call) || (call->mod && call->mod->pfp_mont_etb.etb_used);
	const bool impossible = dear_needs_buffer(call);
	const uint64_t value = wanted ? etb_value(call) : 0;
	int ret;

	if (!wanted && !impossible)
		return PFMLIB_SUCCESS;
	if (impossible && value)
		return refuse_branches(call);
	ret = mont_call_add_pmc(call, PMC_ETB, value,
				wanted ? "the trace buffer"
				       : "the D-EAR, which turns the trace buffer off,");
	if (!ret && wanted)
		add_buffer(call);
	return ret;
}

/**
 * mont_etb_program_ipear() - append PMC42 if the trace buffer records retired instructions
 *
 * Return: PFMLIB_SUCCESS, PFMLIB_ERR_FEATCOMB: branches are requested, too, or
 * PFMLIB_ERR_NOASSIGN: PMC42 is not available.
 */
int mont_etb_program_ipear(struct mont_call *call)
{
	pfm_mont_pmc_reg_t reg = { .pmc_val = 0 };
	const pfmlib_mont_ipear_t *param;
	int ret;

	if (!call->mod || !call->mod->pfp_mont_ipear.ipear_used)
		return PFMLIB_SUCCESS;
	if (call->mod->pfp_mont_etb.etb_used || mont_call_has_etb_event(call))
		return mont_refuse(PFMLIB_ERR_FEATCOMB,
				   "ipear: the trace buffer holds instructions (IP-EAR) or branches "
				   "(ETB), not both; leave one of them out");
	param = &call->mod->pfp_mont_ipear;
	reg.pmc42_mont_reg.ipear_plm = mont_call_plm(call, param->ipear_plm);
	reg.pmc42_mont_reg.ipear_pm = mont_call_systemwide(call);
	reg.pmc42_mont_reg.ipear_mode = IPEAR_MODE;
	reg.pmc42_mont_reg.ipear_delay = param->ipear_delay;
	ret = mont_call_add_pmc(call, PMC_IPEAR, reg.pmc_val, "the IP-EAR");
	if (!ret)
		add_buffer(call);
	return ret;
}
