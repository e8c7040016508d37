/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of an event string for the kinds of cores that can count them. */
#ifndef _ACRPMU_LIB_EVENT_KIND_H
#define _ACRPMU_LIB_EVENT_KIND_H

#include "spec.h"
#include "text.h"

/* Reads a group as acrpmu_parse_group() does. */
typedef int read_group_fn(const struct text *text, const struct acrpmu_parse_options *options,
			  struct acrpmu_spec *spec, const char **at, const char **pmu);

/**
 * acrpmu_kind_read_by() - read a group once for each kind of core that it is for, and append these
 * @options: how to read it
 * @at: in, its first byte; out, behind it if it was read
 * @read: reads the group
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_kind_read_by(const struct text *text, const struct acrpmu_parse_options *options,
			struct acrpmu_spec *spec, const char **at, read_group_fn *read);

/**
 * acrpmu_kind_read() - read a group of event strings, as acrpmu_kind_read_by() does
 * @options: how to read it
 * @at: in, its first byte; out, behind it if it was read
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_kind_read(const struct text *text, const struct acrpmu_parse_options *options,
		     struct acrpmu_spec *spec, const char **at);

#endif /* _ACRPMU_LIB_EVENT_KIND_H */
