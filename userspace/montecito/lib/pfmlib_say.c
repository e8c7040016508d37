// SPDX-License-Identifier: LGPL-2.1-or-later
/* The reason of a refusal: stored for the calling thread, and printed in verbose mode. */
#include <stdarg.h>
#include <stdio.h>

#include "pfmlib_say.h"

#define REASON_SIZE 512

static __thread char reason[REASON_SIZE];
static bool is_verbose;
static bool is_to_stdout;

/**
 * pfmlib_say_set() - set verbose mode
 * @verbose: print reasons
 * @to_stdout: on standard output instead of standard error
 */
void pfmlib_say_set(bool verbose, bool to_stdout)
{
	is_verbose = verbose;
	is_to_stdout = to_stdout;
}

/* Forget this thread's reason, at the start of a call. */
void pfmlib_say_clear(void)
{
	reason[0] = 0;
}

/**
 * pfmlib_say() - record the reason of a refusal: what, why, and what to do
 * @fmt: as for printf(), without a newline
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
 * Return: a sentence, or an empty string if there is no reason. It is valid until the next call of
 * this thread.
 */
const char *pfmlib_last_reason(void)
{
	return reason;
}
