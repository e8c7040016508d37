/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of Montecito's events, which jevents makes from userspace/montecito/events. */
#ifndef ACRPFM_MONT_EVENT_H
#define ACRPFM_MONT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* Which event address register an event stands for. */
enum mont_ear {
	MONT_EAR_NONE,
	MONT_EAR_I_CACHE,
	MONT_EAR_I_TLB,
	MONT_EAR_D_CACHE,
	MONT_EAR_D_TLB,
	MONT_EAR_D_ALAT,
};

/**
 * struct mont_event - an event
 * @name: in upper case
 * @desc: a sentence
 * @counters: bit n for PMCn
 * @code: event code
 * @umask: unit mask; of an EAR event that of its EAR's register
 * @maxincr: most occurrences in a cycle
 * @type: PFMLIB_MONT_EVT_ACTIVE and so on
 * @group: PFMLIB_MONT_EVT_NO_GRP and so on
 * @set: of its group, or PFMLIB_MONT_EVT_NO_SET
 * @ear: the EAR that it stands for
 * @opcm: an opcode matcher restricts it
 * @iarr: a code range restricts it
 * @darr: a data range restricts it
 * @all_thrd: it can be counted for both threads of a core
 * @mesi: it has unit masks I, S, E, M and needs one of them
 * @etb: it stands for the execution trace buffer
 */
struct mont_event {
	const char *name;
	const char *desc;
	uint16_t counters;
	uint8_t code;
	uint8_t umask;
	uint8_t maxincr;
	uint8_t type;
	uint8_t group;
	int8_t set;
	uint8_t ear;
	bool opcm;
	bool iarr;
	bool darr;
	bool all_thrd;
	bool mesi;
	bool etb;
};

/* Ordered by descriptor, which is the index. */
extern const struct mont_event mont_events[];
extern const unsigned int mont_nr_events;

#endif
