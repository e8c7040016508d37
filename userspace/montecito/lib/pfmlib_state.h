/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* State of the library between calls: the selected PMU and the options. */
#ifndef ACRPFM_PFMLIB_STATE_H
#define ACRPFM_PFMLIB_STATE_H

#include <stdbool.h>

#include <perfmon/pfmlib.h>

/**
 * struct pfmlib_state - state of the library
 * @pmu: type of the selected PMU, initially PFMLIB_NO_PMU
 * @options: verbose and debug mode
 * @to_stdout: print on standard output instead of standard error
 *
 * Only pfm_initialize(), pfm_force_pmu() and pfm_set_options() write it, and must not run in
 * parallel with any other call.
 */
struct pfmlib_state {
	int pmu;
	pfmlib_options_t options;
	bool to_stdout;
};

extern struct pfmlib_state pfmlib_state;

/* Check whether a PMU is selected; if not, a call must return PFMLIB_ERR_NOINIT. */
static inline bool pfmlib_is_ready(void)
{
	return pfmlib_state.pmu != PFMLIB_NO_PMU;
}

void pfmlib_state_set_options(pfmlib_options_t options, bool to_stdout);
void pfmlib_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
