/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of named events, one for each kind of core: their layout in memory, and searching them. */
#ifndef _ACRPMU_LIB_EVENT_TABLE_H
#define _ACRPMU_LIB_EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* struct event_row.fixed of an event that no fixed counter counts */
#define EVENT_NO_FIXED		0xff

/* kept for old scripts; the description names a better one */
#define EVENT_DEPRECATED	(1U << 0)
/* of a PMU outside of the core, or of another CPU family */
#define EVENT_OTHER_PMU		(1U << 1)
/* its table says that it is meant as a precise event */
#define EVENT_NEEDS_PEBS	(1U << 2)

/* in struct event_row.config: counts for all hardware threads of a core, perf's term any */
#define EVENT_ANY_THREAD	(1ULL << 21)

/**
 * struct event_row - one event
 * @config: event select, umask and their modifiers where perf has them in its config word
 * @extra: value of the extra register, 0 with @extra_msr 0
 * @period: sample period that its table suggests, 0 if none
 * @extra_msr: MSR that holds more of it (0x1a6, 0x3f6 ...), 0 if none; of several the first
 * @gp_cntrs: general-purpose counters that can count it, bit n is counter n; 0 if none can
 * @name: its name, in the spelling of its file
 * @desc: one or two sentences, empty if unknown
 * @topic: file that it stood in, without directory and ".json"
 * @terms: it in perf's words: "event=0xc5,umask=0x1,period=200003"
 * @pmu: PMU that counts it: "cpu", or as the kernel calls it ("uncore_cha")
 * @flags: EVENT_*
 * @fixed: fixed counter that counts it, or EVENT_NO_FIXED
 *
 * @name to @pmu are offsets into the table's text, so that a row needs no relocation and all
 * processes share it.
 */
struct event_row {
	__u64 config;
	__u64 extra;
	__u64 period;
	__u32 extra_msr;
	__u32 gp_cntrs;
	__u32 name;
	__u32 desc;
	__u32 topic;
	__u32 terms;
	__u32 pmu;
	__u8 flags;
	__u8 fixed;
	__u8 reserved[2];
};

/**
 * struct event_table - the events of one kind of core
 * @name: its directory ("goldmont")
 * @text: all strings, each closed by 0
 * @rows: sorted by event_table_compare() of the names
 * @nr: how many
 */
struct event_table {
	const char *name;
	const char *text;
	const struct event_row *rows;
	__u32 nr;
};

/**
 * struct event_map - the CPUs of a table
 * @cpuid: CPUID string ("GenuineIntel-6-DD-0"), PVR or the like: exactly this, or a POSIX extended
 *	regular expression that matches it whole
 * @version: version of the events
 * @type: "core", "offcore", "hybridcore" ...
 * @role: with "hybridcore": which cores, as in the file's last column ("Atom"), otherwise empty
 * @core_type: with "hybridcore": CPUID.1AH:EAX[31:24], otherwise 0
 * @native_model: with "hybridcore": CPUID.1AH:EAX[23:0] of the core, 0 for any
 * @table: the table; several entries may share one
 */
struct event_map {
	const char *cpuid;
	const char *version;
	const char *type;
	const char *role;
	__u32 core_type;
	__u32 native_model;
	const struct event_table *table;
};

/**
 * struct event_maps - everything that was made from one arch directory
 * @maps: the mapping table, in the order of the file
 * @nr: how many
 * @tables: all tables, sorted by name
 * @nr_tables: how many
 */
struct event_maps {
	const struct event_map *maps;
	__u32 nr;
	const struct event_table *const *tables;
	__u32 nr_tables;
};

/** acrpmu_builtin_events - what jevents made when the library was built; empty if it could not */
extern const struct event_maps acrpmu_builtin_events;

/**
 * event_table_compare() - order of names: by bytes, letters of either case alike
 * @a: a name
 * @a_len: its bytes
 * @b: another, closed by 0
 *
 * Return: less than, equal to or greater than 0.
 */
int event_table_compare(const char *a, size_t a_len, const char *b);

/**
 * event_table_find() - search a table
 * @name: a name in either case
 * @len: its bytes
 *
 * Takes no memory and some twenty comparisons.
 *
 * Return: the row, NULL if there is none.
 */
const struct event_row *event_table_find(const struct event_table *table, const char *name,
					 size_t len);

/**
 * event_maps_match() - check whether an entry of the mapping table is for a CPU
 * @map: the entry
 * @cpuid: CPUID string of the CPU, stepping included ("GenuineIntel-6-5C-9")
 *
 * As perf has it: an entry without stepping stands for all steppings.
 *
 * Return: whether it is.
 */
bool event_maps_match(const struct event_map *map, const char *cpuid);

/**
 * event_maps_find() - the table for a CPU
 * @maps: the mapping table
 * @cpuid: as for event_maps_match()
 * @core_type: CPUID.1AH:EAX of the core, 0 unless hybrid; with a native model of 0, which is then
 *	not known, any of that type fits
 *
 * Return: the table of the first entry that fits, NULL if there is none.
 */
const struct event_table *event_maps_find(const struct event_maps *maps, const char *cpuid,
					  __u32 core_type);

/**
 * event_maps_by_name() - the table of a directory
 * @maps: the tables
 * @name: name of the directory
 *
 * Return: the table, NULL if there is none.
 */
const struct event_table *event_maps_by_name(const struct event_maps *maps, const char *name);

#endif /* _ACRPMU_LIB_EVENT_TABLE_H */
