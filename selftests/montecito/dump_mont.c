// SPDX-License-Identifier: GPL-2.0-only
/* Prints the table of Montecito's events as the facts spell it, or its descriptions. */
#include <perfmon/pfmlib_montecito.h>
#include <stdio.h>

#include "mont_event.h"

static const char *type_word(unsigned int type)
{
	switch (type) {
	case PFMLIB_MONT_EVT_ACTIVE:
		return "active";
	case PFMLIB_MONT_EVT_FLOATING:
		return "floating";
	case PFMLIB_MONT_EVT_CAUSAL:
		return "causal";
	case PFMLIB_MONT_EVT_SELF_FLOATING:
		return "self_floating";
	}
	return "?";
}

static const char *group_word(unsigned int group)
{
	switch (group) {
	case PFMLIB_MONT_EVT_NO_GRP:
		return "none";
	case PFMLIB_MONT_EVT_L1D_CACHE_GRP:
		return "l1d";
	case PFMLIB_MONT_EVT_L2D_CACHE_GRP:
		return "l2d";
	}
	return "?";
}

static const char *ear_word(unsigned int ear)
{
	switch (ear) {
	case MONT_EAR_NONE:
		return "none";
	case MONT_EAR_I_CACHE:
		return "iear_cache";
	case MONT_EAR_I_TLB:
		return "iear_tlb";
	case MONT_EAR_D_CACHE:
		return "dear_cache";
	case MONT_EAR_D_TLB:
		return "dear_tlb";
	case MONT_EAR_D_ALAT:
		return "dear_alat";
	}
	return "?";
}

static void print_facts(unsigned int i, const struct mont_event *e)
{
	printf("%u,%s,0x%02x,0x%x,0x%04x,%u,%s,%s,%d,%d,%d,%d,%d,%d,%s,%d\n", i, e->name, e->code,
	       e->umask, e->counters, e->maxincr, type_word(e->type), group_word(e->group), e->set,
	       e->opcm, e->iarr, e->darr, e->all_thrd, e->mesi ? 4 : 0, ear_word(e->ear), e->etb);
}

int main(int argc, char **argv)
{
	unsigned int i;

	(void)argv;
	for (i = 0; i < mont_nr_events; i++) {
		if (argc > 1)
			puts(mont_events[i].desc);
		else
			print_facts(i, &mont_events[i]);
	}
	return fflush(stdout) ? 1 : 0;
}
