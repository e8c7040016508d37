// SPDX-License-Identifier: LGPL-2.1-or-later
/* State of the library between calls: the selected PMU and the options. */
#include "pfmlib_state.h"

#include <stdarg.h>
#include <stdio.h>

#include "pfmlib_say.h"

struct pfmlib_state pfmlib_state = { .pmu = PFMLIB_NO_PMU };

/**
 * pfmlib_state_set_options() - set what the library prints, and where
 * @options: verbose and debug mode
 * @to_stdout: print on standard output instead of standard error
 */
void pfmlib_state_set_options(pfmlib_options_t options, bool to_stdout)
{
	pfmlib_state.options = options;
	pfmlib_state.to_stdout = to_stdout;
	pfmlib_say_set(options.pfm_verbose, to_stdout);
}

/**
 * pfm_set_options() - set verbose and debug mode
 * @opt: the options, which are copied
 *
 * LIBPFM_VERBOSE and LIBPFM_DEBUG override them in pfm_initialize().
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: @opt is NULL.
 */
int pfm_set_options(pfmlib_options_t *opt)
{
	if (!opt)
		return PFMLIB_ERR_INVAL;
	pfmlib_state_set_options(*opt, pfmlib_state.to_stdout);
	return PFMLIB_SUCCESS;
}

/**
 * pfmlib_debug() - print how a result came about, if pfm_debug is set
 * @format: as for printf(), without a newline
 */
void pfmlib_debug(const char *format, ...)
{
	FILE *f = pfmlib_state.to_stdout ? stdout : stderr;
	va_list args;

	if (!pfmlib_state.options.pfm_debug)
		return;
	fputs("libacrpfm: ", f);
	va_start(args, format);
	vfprintf(f, format, args);
	va_end(args);
	fputc('\n', f);
}
