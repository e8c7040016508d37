// SPDX-License-Identifier: LGPL-2.1-or-later
/* The values of PMC4 to PMC15, one for each event. */
#include "mont_assign.h"
#include "mont_counters.h"

#define ISM_IA64 2 /* code of the 64-bit instruction set */

enum { MESI_I, MESI_S, MESI_E, MESI_M };

static bool has_mask(const pfmlib_event_t *e, unsigned int mask)
{
	unsigned int i;

	for (i = 0; i < e->num_masks; i++) {
		if (e->unit_masks[i] == mask)
			return true;
	}
	return false;
}

static uint64_t counter_value(const struct mont_call *call, unsigned int i)
{
	const struct mont_event *event = mont_call_event(call, i);
	const pfmlib_event_t *e = &call->inp->pfp_events[i];
	pfm_mont_pmc_reg_t reg = { .pmc_val = 0 };

	reg.pmc_mont_counter_reg.pmc_plm = mont_call_plm(call, e->plm);
	reg.pmc_mont_counter_reg.pmc_pm = mont_call_systemwide(call);
	reg.pmc_mont_counter_reg.pmc_es = event->code;
	/* the unit mask of an EAR event is that of the EAR */
	reg.pmc_mont_counter_reg.pmc_umask = event->ear ? 0 : event->umask;
	reg.pmc_mont_counter_reg.pmc_thres = call->mod ? call->mod->pfp_mont_counters[i].thres : 0;
	reg.pmc_mont_counter_reg.pmc_ism = ISM_IA64;
	if (event->mesi) {
		reg.pmc_mont_counter_reg.pmc_i = has_mask(e, MESI_I);
		reg.pmc_mont_counter_reg.pmc_s = has_mask(e, MESI_S);
		reg.pmc_mont_counter_reg.pmc_e = has_mask(e, MESI_E);
		reg.pmc_mont_counter_reg.pmc_m = has_mask(e, MESI_M);
	}
	return reg.pmc_val;
}

/**
 * mont_counters_program() - append the counter of each event
 *
 * Return: PFMLIB_SUCCESS, PFMLIB_ERR_NOTSUPP: an event asks for both threads of a core,
 * or an error of mont_assign_counters().
 */
int mont_counters_program(struct mont_call *call)
{
	unsigned char cntrs[PMU_MONT_NUM_COUNTERS];
	unsigned int i;
	int ret;

	ret = mont_assign_counters(call, cntrs);
	for (i = 0; !ret && i < call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(call, i);

		if (call->mod &&
		    call->mod->pfp_mont_counters[i].flags & PFMLIB_MONT_FL_EVT_ALL_THRD)
			return mont_refuse(PFMLIB_ERR_NOTSUPP,
					   "event %s at position %u of the list cannot be counted for both "
					   "threads of a core, nor can any other; drop the flag ALL_THRD",
					   event->name, i + 1);
		ret = mont_call_add_pmc(call, cntrs[i], counter_value(call, i), event->name);
		mont_call_add_pmds(call, cntrs[i], cntrs[i]);
	}
	return ret;
}
