/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grammar of event strings, as perf has it. */
#ifndef _ACRPMU_LIB_EVENT_PARSE_H
#define _ACRPMU_LIB_EVENT_PARSE_H

#include "spec.h"
#include "text.h"

/* Reads the group at @at, appends it once or more often, and moves @at behind it. */
typedef int parse_group_fn(const struct text *text, const struct acrpmu_parse_options *options,
			   struct acrpmu_spec *spec, const char **at);

/**
 * acrpmu_parse_string() - read one event string and append its groups
 * @options: how to read it
 * @parse_group: called for each group; returns as this does
 *
 * A string is one or more events and groups with commas between them; a group is events in braces;
 * an event is a name, "pmu/terms/" or "name/terms/", with modifiers after it, or a name as libpfm
 * has it (pfm_name.h), two of which may be joined by a plus.  Blanks, line feeds
 * and backslashes before a line feed may stand around commas, slashes and braces.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_parse_string(const struct text *text, const struct acrpmu_parse_options *options,
			struct acrpmu_spec *spec, parse_group_fn *parse_group);

/**
 * acrpmu_parse_group() - read one group and append it
 * @options: how to read it
 * @at: in, its first byte; out, behind it if it was read, or with -ENODEV at the PMU
 * @pmu: out, the PMU that it names, NULL: none
 *
 * Return: 0, -EINVAL or -ENOMEM; -ENODEV without a message if it names a PMU that is not that of
 * @text->events.
 */
int acrpmu_parse_group(const struct text *text, const struct acrpmu_parse_options *options,
		       struct acrpmu_spec *spec, const char **at, const char **pmu);

/**
 * acrpmu_parse_operand() - read one event of a condition and append it to a group
 * @options: how to read it
 * @group: gets the event, as its last
 * @at: in, its first byte; out, behind it if it was read, or with -ENODEV at the PMU
 * @pmu: in and out, the PMU that the condition names, NULL: none so far
 *
 * A slash opens terms only right behind a PMU; any other ends the event.
 *
 * Return: 0, -EINVAL or -ENOMEM; -ENODEV without a message if it names a PMU that is not that of
 * @text->events.
 */
int acrpmu_parse_operand(const struct text *text, const struct acrpmu_parse_options *options,
			 struct spec_group *group, const char **at, const char **pmu);

#endif /* _ACRPMU_LIB_EVENT_PARSE_H */
