// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Says why a call was refused: kept for the thread that called, and printed where verbose output is
 * on.
 */
#include <stdarg.h>
#include <stdio.h>

#include "pfmlib_say.h"

#define REASON_SIZE 512

static __thread char reason[REASON_SIZE];
static bool is_verbose;
static bool is_to_stdout;

/**
 * pfmlib_say_set() - choose where reasons go besides pfmlib_last_reason()
 * @verbose: print them
 * @to_stdout: to standard output instead of standard error
 */
void pfmlib_say_set(bool verbose, bool to_stdout)
{
	is_verbose = verbose;
	is_to_stdout = to_stdout;
}

/** pfmlib_say_clear() - forget the last reason of this thread, as at the start of a call */
void pfmlib_say_clear(void)
{
	reason[0] = 0;
}

/**
 * pfmlib_say() - say why something is refused: what, why, and what to do
 * @fmt: format of printf() without a newline
 */
void pfmlib_say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	if (is_verbose)
		fprintf(is_to_stdout ? stdout : stderr, "libacrpfm: %s\n", reason);
}

/**
 * pfmlib_last_reason() - why this thread's last call was refused
 *
 * Return: a sentence, or an empty string: it was not, or nobody said why. It is valid until the
 * thread's next call.
 */
const char *pfmlib_last_reason(void)
{
	return reason;
}
