/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the fields of one event to its config word, extra register, counters and perf's terms. */
#ifndef _ACRPMU_GEN_CONVERT_H
#define _ACRPMU_GEN_CONVERT_H

#include "json_events.h"
#include "text_pool.h"

/* The bits of the event select in the config word. */
enum event_family {
	FAMILY_UNKNOWN,		/* no CPUID is known: Intel unless the select is too wide */
	FAMILY_INTEL,		/* config:0-7 */
	FAMILY_AMD,		/* config:0-7,32-35 */
	FAMILY_OTHER,		/* the whole word, as for Power */
};

/**
 * struct convert_options - properties of events that are not in their file
 * @topic: their topic
 * @pmu: their PMU unless they have a unit, "cpu" or "cpu_atom"
 * @family: their vendor's encoding
 */
struct convert_options {
	const char *topic;
	const char *pmu;
	enum event_family family;
};

/**
 * convert_family() - the vendor that a CPUID string stands for
 * @cpuid: exact or a regular expression
 *
 * Return: FAMILY_AMD or FAMILY_OTHER for CPUs known not to encode like Intel's.
 */
enum event_family convert_family(const char *cpuid);

/**
 * convert_event() - make a table row from an event
 * @event: the event, no part of an offcore matrix
 * @options: its other properties
 * @pool: receives the strings
 * @row: out
 * @reporter: receives a report if it cannot be encoded
 *
 * As perf's jevents does: the first of several codes, umasks or MSRs; events of fixed counters are
 * encoded for general-purpose counters where these can count them.
 *
 * Return: 0; -EINVAL after a report that it cannot be encoded; -ENOMEM.
 */
int convert_event(const struct json_event *event, const struct convert_options *options,
		  struct text_pool *pool, struct event_row *row, struct reporter *reporter);

#endif /* _ACRPMU_GEN_CONVERT_H */
