/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The result of reading event strings: groups of events, with what the user gave for each. */
#ifndef _ACRPMU_LIB_SPEC_H
#define _ACRPMU_LIB_SPEC_H

#include <stdbool.h>

#include "acrpmu_lib.h"
#include "decimal.h"
#include "text.h"

#define SPEC_GIVEN_EVENT	(1U << 0)	/* a name, raw code, event= or config= */
#define SPEC_GIVEN_PERIOD	(1U << 1)
#define SPEC_GIVEN_MASK		(1U << 2)
#define SPEC_GIVEN_RATIO	(1U << 3)
#define SPEC_GIVEN_EXTRA	(1U << 4)
#define SPEC_GIVEN_NAME		(1U << 5)
#define SPEC_GIVEN_WHOLE	(1U << 6)	/* by name, raw code or config=: umask too */
#define SPEC_NAMED_EXTRA	(1U << 7)	/* with SPEC_GIVEN_EXTRA: by the event's name */
#define SPEC_GIVEN_CNTRS	(1U << 8)
#define SPEC_GIVEN_CAUSES	(1U << 9)	/* reloaded-by= */
#define SPEC_GIVEN_RESETS	(1U << 10)
#define SPEC_NEEDS_PEBS		(1U << 11)	/* by its table, it counts right with PEBS only */

/**
 * struct spec_event - one event while it is read
 * @pub: its public struct
 * @given: SPEC_GIVEN_*
 * @config_set: bits of the config word that have been decided
 * @levels: ACRPMU_EVENT_USER and ACRPMU_EVENT_KERNEL as far as modifiers name them
 * @table_period: period that its table suggests, 0 if none
 * @table_cntrs: counters that its table has, 0 if these are all that the module knows
 * @named_msr: with SPEC_NAMED_EXTRA: the extra register of its table, 0 for a name of libpfm's
 * @ratio: with SPEC_GIVEN_RATIO
 * @reloaded_by: with SPEC_GIVEN_CAUSES: its causes as written, valid while the string is read
 * @resets: with SPEC_GIVEN_RESETS: the events that it is a cause of, likewise
 * @short_name: its own name without terms, empty if it has none
 * @modified_config: bits of the config word set by modifiers
 * @owned: strings to free
 */
struct spec_event {
	struct acrpmu_spec_event pub;
	unsigned int given;
	__u64 config_set;
	__u32 levels;
	__u64 table_period;
	__u64 table_cntrs;
	__u32 named_msr;
	struct decimal ratio;
	struct span reloaded_by;
	struct span resets;
	char *short_name;
	__u64 modified_config;
	struct {
		char *name;
		char *text;
		char *modifiers;
		char *ratio;
	} owned;
};

/**
 * struct spec_group - one group
 * @ev: its events; 0 is the leader
 * @nr: how many
 * @room: how many @ev has room for
 * @kind: index of its kind of core among those given
 * @text: as written, or as named after its kind
 * @condition: what it samples, owned by the spec; NULL: it is not from a condition
 */
struct spec_group {
	struct spec_event *ev;
	unsigned int nr;
	unsigned int room;
	unsigned int kind;
	char *text;
	const struct acrpmu_condition *condition;
};

/**
 * struct acrpmu_spec - all groups of a command line
 * @nr: how many
 * @condition: which all groups sample, each for its kind of core; NULL: event strings were read
 * @how: with @condition: its window and smallest periods
 * @software: software reloads counters
 */
struct acrpmu_spec {
	struct spec_group **groups;
	unsigned int nr;
	struct acrpmu_condition *condition;
	struct acrpmu_condition_options how;
	bool software;
};

/**
 * acrpmu_spec_add_group() - append an empty group
 *
 * Return: the new group, or NULL if there is no memory.
 */
struct spec_group *acrpmu_spec_add_group(struct acrpmu_spec *spec);

/**
 * acrpmu_spec_add_event() - append an empty event to a group of fewer than ACRPMU_MAX_EVENTS
 *
 * The others may move.
 *
 * Return: the event, or NULL if there is no memory.
 */
struct spec_event *acrpmu_spec_add_event(struct spec_group *group);

/**
 * acrpmu_spec_clear_group() - free all events of a group
 */
void acrpmu_spec_clear_group(struct spec_group *group);

/**
 * acrpmu_spec_drop_group() - remove the last group
 */
void acrpmu_spec_drop_group(struct acrpmu_spec *spec);

/**
 * acrpmu_spec_name_unique() - check whether an event's name is unique in its group
 * @event: index of the event
 *
 * Return: false if another event of the group has the same name.
 */
bool acrpmu_spec_name_unique(const struct spec_group *group, unsigned int event);

#endif /* _ACRPMU_LIB_SPEC_H */
