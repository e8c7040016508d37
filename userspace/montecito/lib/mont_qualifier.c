// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks the events of a call against its opcode matchers and address ranges. */
#include "mont_qualifier.h"

static int check_event(const struct mont_call *call, unsigned int i)
{
	const struct mont_event *event = mont_call_event(call, i);
	const char *what = NULL;

	if (call->mod->pfp_mont_counters[i].flags & PFMLIB_MONT_FL_EVT_NO_QUALCHECK)
		return PFMLIB_SUCCESS;
	if (mont_call_has_irange(call) && !event->iarr)
		what = "a code range";
	else if (mont_call_has_drange(call) && !event->darr)
		what = "a data range";
	else if ((call->mod->pfp_mont_opcm1.opcm_used || call->mod->pfp_mont_opcm2.opcm_used) &&
		 !event->opcm)
		what = "an opcode matcher";
	if (what)
		return mont_refuse(PFMLIB_ERR_FEATCOMB,
				   "%s does not restrict event %s at position %u of the list; leave one of "
				   "them out, or count the event in the whole program with the flag "
				   "NO_QUALCHECK",
				   what, event->name, i + 1);
	return PFMLIB_SUCCESS;
}

/* A range of addresses has one privilege level mask for all events. */
static int check_plm(const struct mont_call *call, unsigned int i)
{
	const unsigned int plm = call->inp->pfp_events[i].plm;

	if (plm && plm != call->inp->pfp_dfl_plm)
		return mont_refuse(PFMLIB_ERR_FEATCOMB,
				   "event %s at position %u of the list has privilege levels 0x%x, but with "
				   "ranges all events use the default, 0x%x; use the default for it, too",
				   mont_call_event(call, i)->name, i + 1, plm,
				   call->inp->pfp_dfl_plm);
	return PFMLIB_SUCCESS;
}

/**
 * mont_qualifier_check() - check every event against the qualifiers of the call
 *
 * Return: PFMLIB_SUCCESS, or PFMLIB_ERR_FEATCOMB: a qualifier does not apply to an event that has
 * no NO_QUALCHECK, or an event has other privilege levels than the default although ranges are
 * used.
 */
int mont_qualifier_check(const struct mont_call *call)
{
	unsigned int i;
	int ret = PFMLIB_SUCCESS;

	if (!call->mod)
		return PFMLIB_SUCCESS;
	for (i = 0; !ret && i < call->inp->pfp_event_count; i++)
		ret = check_event(call, i);
	if (!mont_call_has_irange(call) && !mont_call_has_drange(call))
		return ret;
	for (i = 0; !ret && i < call->inp->pfp_event_count; i++)
		ret = check_plm(call, i);
	return ret;
}
