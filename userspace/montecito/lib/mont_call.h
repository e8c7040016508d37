/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One call of pfm_dispatch_events(): its input and its output. */
#ifndef ACRPFM_MONT_CALL_H
#define ACRPFM_MONT_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/pfmlib_montecito.h>

#include "mont_event.h"
#include "pfmlib_say.h"

/* Record the reason of a refusal; evaluates to the error to return. */
#define mont_refuse(err, ...) (pfmlib_say(__VA_ARGS__), (err))

/**
 * struct mont_call - a call in progress
 * @inp: at most PMU_MONT_NUM_COUNTERS events, with descriptors and unit masks checked
 * @mod: model input, or NULL
 * @outp: PMCs and PMDs
 * @mod_out: debug registers, or NULL
 * @irange_fine: code ranges are in fine mode; valid once they are programmed
 */
struct mont_call {
	const pfmlib_input_param_t *inp;
	const pfmlib_mont_input_param_t *mod;
	pfmlib_output_param_t *outp;
	pfmlib_mont_output_param_t *mod_out;
	bool irange_fine;
};

const struct mont_event *mont_call_event(const struct mont_call *call, unsigned int i);
unsigned int mont_call_plm(const struct mont_call *call, unsigned int plm);
bool mont_call_systemwide(const struct mont_call *call);
bool mont_call_has_irange(const struct mont_call *call);
bool mont_call_has_drange(const struct mont_call *call);
bool mont_call_has_etb_event(const struct mont_call *call);
bool mont_call_unavailable(const struct mont_call *call, unsigned int pmc);
int mont_call_add_pmc(struct mont_call *call, unsigned int pmc, uint64_t value,
		      const char *purpose);
void mont_call_add_pmds(struct mont_call *call, unsigned int first, unsigned int last);

#endif
