/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The reason of a refusal. */
#ifndef ACRPFM_PFMLIB_SAY_H
#define ACRPFM_PFMLIB_SAY_H

#include <stdbool.h>

void pfmlib_say_set(bool verbose, bool to_stdout);
void pfmlib_say_clear(void);
void pfmlib_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
const char *pfmlib_last_reason(void);

#endif
