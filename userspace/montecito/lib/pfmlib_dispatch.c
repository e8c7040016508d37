// SPDX-License-Identifier: LGPL-2.1-or-later
/* The part of pfm_dispatch_events() that is the same for every PMU: checks of the generic input. */
#include <string.h>

#include <perfmon/pfmlib_montecito.h>

#include "mont_dispatch.h"
#include "pfmlib_masks.h"
#include "pfmlib_say.h"
#include "pfmlib_state.h"

static int check_count(unsigned int nr)
{
	if (nr <= PMU_MONT_NUM_COUNTERS)
		return PFMLIB_SUCCESS;
	pfmlib_say("pfp_event_count is %u; there are %d counters", nr, PMU_MONT_NUM_COUNTERS);
	return nr >= PFMLIB_MAX_PMCS ? PFMLIB_ERR_INVAL : PFMLIB_ERR_NOASSIGN;
}

static int check_events(const pfmlib_input_param_t *inp)
{
	unsigned int i;

	for (i = 0; i < inp->pfp_event_count; i++) {
		const pfmlib_event_t *e = &inp->pfp_events[i];
		int ret;

		if (!pfmlib_is_event(e->event)) {
			pfmlib_say("there is no event %u, which is at position %u of the list; "
				   "pfm_find_event() returns descriptors", e->event, i + 1);
			return PFMLIB_ERR_INVAL;
		}
		ret = pfmlib_check_masks(e, i + 1);
		if (ret)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int check_input(const pfmlib_input_param_t *inp)
{
	int ret;

	if (!inp->pfp_dfl_plm) {
		pfmlib_say("pfp_dfl_plm is 0; it must be one or more of PFM_PLM0 to PFM_PLM3");
		return PFMLIB_ERR_INVAL;
	}
	ret = check_count(inp->pfp_event_count);
	return ret ? ret : check_events(inp);
}

static void debug_output(const pfmlib_output_param_t *outp)
{
	unsigned int i;

	for (i = 0; i < outp->pfp_pmc_count; i++)
		pfmlib_debug("PMC%u = 0x%llx", outp->pfp_pmcs[i].reg_num,
			     outp->pfp_pmcs[i].reg_value);
	for (i = 0; i < outp->pfp_pmd_count; i++)
		pfmlib_debug("PMD%u holds results", outp->pfp_pmds[i].reg_num);
}

/**
 * pfm_dispatch_events() - compute the registers of a measurement
 * @inp: events
 * @model_in: features of the PMU, a pfmlib_mont_input_param_t; may be NULL
 * @outp: out, PMCs and PMDs; not specified after an error
 * @model_out: out, debug registers, a pfmlib_mont_output_param_t; may be NULL if no ranges are
 *	wanted; not specified after an error
 *
 * The first check that fails determines the result. Generic checks come first, in the order below.
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT: no PMU was selected; PFMLIB_ERR_INVAL: @inp or @outp
 * is NULL, pfp_dfl_plm is 0, or pfp_event_count is PFMLIB_MAX_PMCS or more; PFMLIB_ERR_NOASSIGN:
 * there are more events than counters; for each event PFMLIB_ERR_INVAL: there is none of this
 * descriptor, or too many unit masks, PFMLIB_ERR_UMASK: a unit mask is missing or not known; and
 * what mont_dispatch() returns.
 */
int pfm_dispatch_events(pfmlib_input_param_t *inp, void *model_in, pfmlib_output_param_t *outp,
			void *model_out)
{
	int ret;

	pfmlib_say_clear();
	if (!pfmlib_is_ready()) {
		pfmlib_say("no PMU was selected; call pfm_initialize() or pfm_force_pmu()");
		return PFMLIB_ERR_NOINIT;
	}
	if (!inp || !outp) {
		pfmlib_say("the generic %s is NULL", inp ? "output" : "input");
		return PFMLIB_ERR_INVAL;
	}
	ret = check_input(inp);
	if (ret)
		return ret;
	memset(outp, 0, sizeof(*outp));
	ret = mont_dispatch(inp, model_in, outp, model_out);
	if (!ret)
		debug_output(outp);
	return ret;
}
