/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the fields of one event to its config word, extra register, counters and perf's words. */
#ifndef _ACRPMU_GEN_CONVERT_H
#define _ACRPMU_GEN_CONVERT_H

#include "json_events.h"
#include "text_pool.h"

/* Which bits of the config word an event select has. */
enum event_family {
	FAMILY_UNKNOWN,		/* no CPUID is known: Intel unless the select is too wide */
	FAMILY_INTEL,		/* config:0-7 */
	FAMILY_AMD,		/* config:0-7,32-35 */
	FAMILY_OTHER,		/* the whole word, as for Power */
};

/**
 * struct convert_options - what a file does not say of its events itself
 * @topic: their topic
 * @pmu: their PMU unless they have a unit, "cpu" or "cpu_atom"
 * @family: whose events they are
 */
struct convert_options {
	const char *topic;
	const char *pmu;
	enum event_family family;
};

/**
 * convert_family() - whose CPUs a CPUID string stands for
 * @cpuid: exact or a regular expression
 *
 * Return: FAMILY_AMD or FAMILY_OTHER for what is known to be neither Intel's nor alike.
 */
enum event_family convert_family(const char *cpuid);

/**
 * convert_event() - make a row of an event
 * @event: the event, no part of an offcore matrix
 * @options: what else is known of it
 * @pool: where the strings go
 * @row: out
 * @reporter: told if it cannot be encoded
 *
 * As perf's jevents: of several codes, umasks or MSRs the first; names of events that a fixed
 * counter counts are encoded as the general-purpose counters would count them, if they can.
 *
 * Return: 0; -EINVAL if it cannot be encoded, it was reported then; -ENOMEM.
 */
int convert_event(const struct json_event *event, const struct convert_options *options,
		  struct text_pool *pool, struct event_row *row, struct reporter *reporter);

#endif /* _ACRPMU_GEN_CONVERT_H */
