// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the steps of a call share: reading its input, appending to its output. */
#include "mont_call.h"

/* Return the table row of event @i of the list. */
const struct mont_event *mont_call_event(const struct mont_call *call, unsigned int i)
{
	return &mont_events[call->inp->pfp_events[i].event];
}

/* Return privilege levels @plm, or the default of the call if it is 0. */
unsigned int mont_call_plm(const struct mont_call *call, unsigned int plm)
{
	return plm ? plm : call->inp->pfp_dfl_plm;
}

/* Return the "privileged monitor" bit of every register: set for a CPU, clear for a thread. */
bool mont_call_systemwide(const struct mont_call *call)
{
	return call->inp->pfp_flags & PFMLIB_PFP_SYSTEMWIDE;
}

/* Check whether the call uses code ranges. */
bool mont_call_has_irange(const struct mont_call *call)
{
	return call->mod && call->mod->pfp_mont_irange.rr_used;
}

/* Check whether the call uses data ranges. */
bool mont_call_has_drange(const struct mont_call *call)
{
	return call->mod && call->mod->pfp_mont_drange.rr_used;
}

/* Check whether an event of the list stands for the trace buffer. */
bool mont_call_has_etb_event(const struct mont_call *call)
{
	unsigned int i;

	for (i = 0; i < call->inp->pfp_event_count; i++) {
		if (mont_call_event(call, i)->etb)
			return true;
	}
	return false;
}

/* Check whether pfp_unavail_pmcs has @pmc, which is below PFMLIB_REG_MAX. */
bool mont_call_unavailable(const struct mont_call *call, unsigned int pmc)
{
	const unsigned long word = call->inp->pfp_unavail_pmcs.bits[pmc / PFMLIB_ULONG_BITS];

	return word >> pmc % PFMLIB_ULONG_BITS & 1;
}

static void set_reg(pfmlib_reg_t *reg, unsigned int num, uint64_t value)
{
	reg->reg_num = num;
	reg->reg_addr = num;
	reg->reg_alt_addr = num;
	reg->reg_value = value;
}

/**
 * mont_call_add_pmc() - append a PMC to the output
 * @purpose: what needs it, for the reason of a refusal
 *
 * Return: PFMLIB_SUCCESS, or PFMLIB_ERR_NOASSIGN: the register is in pfp_unavail_pmcs.
 */
int mont_call_add_pmc(struct mont_call *call, unsigned int pmc, uint64_t value, const char *purpose)
{
	if (mont_call_unavailable(call, pmc))
		return mont_refuse(PFMLIB_ERR_NOASSIGN,
				   "%s needs PMC%u, which pfp_unavail_pmcs excludes; leave it out "
				   "or allow that register",
				   purpose, pmc);
	set_reg(&call->outp->pfp_pmcs[call->outp->pfp_pmc_count++], pmc, value);
	return PFMLIB_SUCCESS;
}

/* Append PMDs @first to @last to the output. */
void mont_call_add_pmds(struct mont_call *call, unsigned int first, unsigned int last)
{
	unsigned int pmd;

	for (pmd = first; pmd <= last; pmd++)
		set_reg(&call->outp->pfp_pmds[call->outp->pfp_pmd_count++], pmd, 0);
}
