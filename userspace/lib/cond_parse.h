/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grammar of conditions: "A / B > x", joined by "&&". */
#ifndef _ACRPMU_LIB_COND_PARSE_H
#define _ACRPMU_LIB_COND_PARSE_H

#include "spec.h"
#include "text.h"

/**
 * acrpmu_cond_parse() - read a whole condition and append the group that samples it
 * @options: how to read its events
 * @spec: with the condition, which is overwritten
 * @at: in, its first byte; out, its end if it was read, or with -ENODEV the PMU
 * @pmu: out, the PMU that it names, NULL: none
 *
 * A condition is comparisons with "&&" between them; a comparison is a ratio, ">" or "<", and a
 * number; a ratio is two events with a slash between them, "ipc", "cpi" or "mpki(EVENT)".  Each of
 * these may stand in parentheses.
 *
 * Return: 0, -EINVAL or -ENOMEM; -ENODEV without a message if it names a PMU that is not that of
 * @text->events.
 */
int acrpmu_cond_parse(const struct text *text, const struct acrpmu_parse_options *options,
		      struct acrpmu_spec *spec, const char **at, const char **pmu);

#endif /* _ACRPMU_LIB_COND_PARSE_H */
