/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The named events of one CPU: its identity, and its table, which is found on first use. */
#ifndef _ACRPMU_LIB_EVENTS_H
#define _ACRPMU_LIB_EVENTS_H

#include "../../kmod/core/model.h"
#include "../gen/event_dir.h"
#include "acrpmu_lib.h"
#include "cpu_identity.h"
#include "../util/suggest.h"

/**
 * struct events_places - paths of the machine and its tables; tests have others
 * @sysfs: CPU_SYSFS, NULL: as on a machine without an Intel CPU
 * @dirs: directories of the system that may hold JSON files, in order of precedence; NULL ends
 *	them
 * @builtin: the built-in tables
 */
struct events_places {
	const char *sysfs;
	const char *const *dirs;
	const struct event_maps *builtin;
};

/**
 * struct acrpmu_events - the named events of one CPU
 * @id: the CPU; @id.string is empty if it is not known
 * @caps: capabilities of its PMU; @caps.model is NULL if the module does not support the CPU
 * @lacking: architectural events that it lacks, as @caps.lacking_events; 0 unless it is a CPU of
 *	this machine, since it is not known of others
 * @name: name of the CPU or table that the options give, empty if none
 * @places: where tables are
 * @table: its table, NULL if there is none; valid once @loaded
 * @maps: what @table is from
 * @path: where that was read from, NULL: built in
 * @dir: memory of @maps, unless built in
 * @missing: why there is none in the directory that the user gives, else empty
 * @loaded: whether a table has been looked for
 * @load: looks for it
 * @report: as in struct acrpmu_events_options
 * @ctx: as in struct acrpmu_events_options
 * @self: this object, not const: a lookup in const events may load the table
 */
struct acrpmu_events {
	struct cpu_identity id;
	struct acrpmu_caps caps;
	__u64 lacking;
	char name[CPU_IDENTITY_LEN];
	const struct events_places *places;
	const struct event_table *table;
	const struct event_maps *maps;
	char *path;
	struct event_dir dir;
	struct acrpmu_message missing;
	bool loaded;
	void (*load)(struct acrpmu_events *events);
	void (*report)(void *ctx, const char *line);
	void *ctx;
	struct acrpmu_events *self;
};

/**
 * acrpmu_events_open_at() - acrpmu_events_open() with other paths
 * @places: paths, valid until the events are closed
 * @options: as there
 * @events: as there
 * @message: as there
 *
 * Return: as there.
 */
int acrpmu_events_open_at(const struct events_places *places,
			  const struct acrpmu_events_options *options,
			  struct acrpmu_events **events, struct acrpmu_message *message);

/**
 * acrpmu_events_rows() - the table
 *
 * Return: the table, NULL if there is none.
 */
const struct event_table *acrpmu_events_rows(const struct acrpmu_events *events);

/**
 * acrpmu_events_find_pmu() - acrpmu_events_find() for one of several PMUs of cores
 * @pmu: "cpu_atom" and the like; "cpu" or empty: that of the CPU
 * @name: first byte of the name
 * @len: its bytes
 * @named: out, written only if found
 *
 * Return: as acrpmu_events_find().
 */
int acrpmu_events_find_pmu(const struct acrpmu_events *events, const char *pmu, const char *name,
			   size_t len, struct acrpmu_named *named);

/**
 * acrpmu_events_add_cpu() - add what the CPU determines to a named event
 * @named: the event, with config word, extra register and the counters that its table names
 */
void acrpmu_events_add_cpu(const struct acrpmu_events *events, struct acrpmu_named *named);

/**
 * acrpmu_events_lack() - check whether the CPU lacks an architectural event
 * @config: its config word
 *
 * Return: true if it lacks the event; false for events that are not architectural.
 */
bool acrpmu_events_lack(const struct acrpmu_events *events, __u64 config);

/**
 * acrpmu_events_allowed() - what an event's table adds to what the module knows of its counters
 * @caps: the CPU
 * @config: config word
 * @gp_cntrs: general-purpose counters in the table, 0 if it has none
 *
 * Return: counters that may count it, 0 if the module knows as much by itself.
 */
__u64 acrpmu_events_allowed(const struct acrpmu_caps *caps, __u64 config, __u64 gp_cntrs);

/**
 * acrpmu_events_needs_pebs() - check whether an event of a table counts right with PEBS only
 * @caps: the CPU
 * @row: the event
 * @name: as the user wrote it
 * @len: bytes of the name
 *
 * Return: whether it does, by its table and by what is known of the CPU's list.
 */
bool acrpmu_events_needs_pebs(const struct acrpmu_caps *caps, const struct event_row *row,
			      const char *name, size_t len);

/**
 * acrpmu_events_find_cpu() - look up a name in the table of another CPU
 * @events: where tables are
 * @cpu: name in the CPU table
 * @name: first byte of the name
 * @len: its bytes
 * @caps: out, of that CPU
 *
 * Return: the row, NULL if there is none.
 */
const struct event_row *acrpmu_events_find_cpu(const struct acrpmu_events *events, const char *cpu,
					       const char *name, size_t len,
					       struct acrpmu_caps *caps);

/**
 * acrpmu_events_suggest() - compare a misspelt name with all names
 * @best: keeps the nearest
 * @name: first byte of the misspelt name
 * @len: its bytes
 */
void acrpmu_events_suggest(const struct acrpmu_events *events, struct suggestion *best,
			   const char *name, size_t len);

#endif /* _ACRPMU_LIB_EVENTS_H */
