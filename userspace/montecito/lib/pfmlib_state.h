/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the whole library remembers between calls: the PMU that was selected, and the options. */
#ifndef ACRPFM_PFMLIB_STATE_H
#define ACRPFM_PFMLIB_STATE_H

#include <stdbool.h>

#include <perfmon/pfmlib.h>

/**
 * struct pfmlib_state - it
 * @pmu: type of the selected PMU, PFMLIB_NO_PMU before
 * @options: what is to be said
 * @to_stdout: say it on standard output instead of standard error
 *
 * Written by pfm_initialize(), pfm_force_pmu() and pfm_set_options() alone, which must not run
 * beside any other call.
 */
struct pfmlib_state {
	int pmu;
	pfmlib_options_t options;
	bool to_stdout;
};

extern struct pfmlib_state pfmlib_state;

/**
 * pfmlib_is_ready() - was a PMU selected?
 *
 * Return: whether there is one; otherwise the function at hand is to return PFMLIB_ERR_NOINIT.
 */
static inline bool pfmlib_is_ready(void)
{
	return pfmlib_state.pmu != PFMLIB_NO_PMU;
}

void pfmlib_state_set_options(pfmlib_options_t options, bool to_stdout);
void pfmlib_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
