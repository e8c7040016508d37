/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grammar of event strings, as perf has it. */
#ifndef _ACRPMU_LIB_EVENT_PARSE_H
#define _ACRPMU_LIB_EVENT_PARSE_H

#include "spec.h"
#include "text.h"

/**
 * acrpmu_parse_string() - read one event string and append its groups
 * @options: how to read it
 *
 * A string is one or more events and groups with commas between them; a group is events in braces;
 * an event is a name, "pmu/terms/" or "name/terms/", with modifiers after it, or a name as libpfm
 * has it (pfm_name.h), two of which may be joined by a plus.  Blanks, line feeds
 * and backslashes before a line feed may stand around commas, slashes and braces.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_parse_string(const struct text *text, const struct acrpmu_parse_options *options,
			struct acrpmu_spec *spec);

#endif /* _ACRPMU_LIB_EVENT_PARSE_H */
