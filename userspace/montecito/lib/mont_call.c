// SPDX-License-Identifier: LGPL-2.1-or-later
/* Questions that several steps of a call ask of its input, and how they append to its output. */
#include "mont_call.h"

/**
 * mont_call_event() - an event of the list
 * @call: the call
 * @i: position in the list
 *
 * Return: its row of the table.
 */
const struct mont_event *mont_call_event(const struct mont_call *call, unsigned int i)
{
	return &mont_events[call->inp->pfp_events[i].event];
}

/**
 * mont_call_plm() - privilege levels of something that may have none of its own
 * @call: the call
 * @plm: its own, or 0
 *
 * Return: @plm, or the default of the call.
 */
unsigned int mont_call_plm(const struct mont_call *call, unsigned int plm)
{
	return plm ? plm : call->inp->pfp_dfl_plm;
}

/**
 * mont_call_systemwide() - whether a CPU is measured, not a thread
 * @call: the call
 *
 * Return: what the "privileged monitor" bit of every register becomes.
 */
bool mont_call_systemwide(const struct mont_call *call)
{
	return call->inp->pfp_flags & PFMLIB_PFP_SYSTEMWIDE;
}

/**
 * mont_call_has_irange() - whether code ranges are wanted
 * @call: the call
 *
 * Return: true if so.
 */
bool mont_call_has_irange(const struct mont_call *call)
{
	return call->mod && call->mod->pfp_mont_irange.rr_used;
}

/**
 * mont_call_has_drange() - whether data ranges are wanted
 * @call: the call
 *
 * Return: true if so.
 */
bool mont_call_has_drange(const struct mont_call *call)
{
	return call->mod && call->mod->pfp_mont_drange.rr_used;
}

/**
 * mont_call_has_etb_event() - whether an event of the list stands for the trace buffer
 * @call: the call
 *
 * Return: true if so.
 */
bool mont_call_has_etb_event(const struct mont_call *call)
{
	unsigned int i;

	for (i = 0; i < call->inp->pfp_event_count; i++) {
		if (mont_call_event(call, i)->etb)
			return true;
	}
	return false;
}

/**
 * mont_call_unavailable() - whether a PMC must not be used
 * @call: the call
 * @pmc: number below PFMLIB_REG_MAX
 *
 * Return: true if the caller named it in pfp_unavail_pmcs.
 */
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
 * @call: the call
 * @pmc: number
 * @value: what to write to it
 * @purpose: what it is for, for the reason of a refusal
 *
 * Return: PFMLIB_SUCCESS, or PFMLIB_ERR_NOASSIGN: the register is in pfp_unavail_pmcs.
 */
int mont_call_add_pmc(struct mont_call *call, unsigned int pmc, uint64_t value, const char *purpose)
{
	if (mont_call_unavailable(call, pmc))
		return mont_refuse(PFMLIB_ERR_NOASSIGN,
				   "%s needs PMC%u, which pfp_unavail_pmcs keeps back; leave it "
				   "out or give that register free",
				   purpose, pmc);
	set_reg(&call->outp->pfp_pmcs[call->outp->pfp_pmc_count++], pmc, value);
	return PFMLIB_SUCCESS;
}

/**
 * mont_call_add_pmds() - append PMDs to the output
 * @call: the call
 * @first: number of the first one
 * @last: number of the last one
 */
void mont_call_add_pmds(struct mont_call *call, unsigned int first, unsigned int last)
{
	unsigned int pmd;

	for (pmd = first; pmd <= last; pmd++)
		set_reg(&call->outp->pfp_pmds[call->outp->pfp_pmd_count++], pmd, 0);
}
