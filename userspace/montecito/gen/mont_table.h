/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Montecito's table of events: read from JSON files of Itanium's form, and checked. */
#ifndef _ACRPMU_GEN_MONT_TABLE_H
#define _ACRPMU_GEN_MONT_TABLE_H

#include "../../gen/event_dir.h"
#include "../lib/mont_event.h"

/**
 * struct mont_row - an event and where it was read
 * @event: it; @event.type and @event.group are places in mont_type_words and mont_group_words
 * @index: its descriptor
 * @path: its file
 * @line: its line there
 */
struct mont_row {
	struct mont_event event;
	unsigned int index;
	const char *path;
	unsigned int line;
};

/**
 * struct mont_table - all events, by descriptor
 * @rows: them
 * @nr: how many
 * @nr_files: files that they are from
 * @nr_faults: what was found wrong; with any the rows are not to be used, since a descriptor is a
 *	place in the table
 * @arena: memory of it all
 */
struct mont_table {
	struct mont_row *rows;
	unsigned int nr;
	unsigned int nr_files;
	unsigned int nr_faults;
	void *arena;
};

/* How files spell types, groups and EARs, each list closed by NULL. */
extern const char * const mont_type_words[];
extern const char * const mont_group_words[];
extern const char * const mont_ear_words[];

/**
 * mont_table_load() - read a directory
 * @path: it; its JSON files are all read
 * @report: told of everything that is wrong
 * @ctx: handed to @report
 * @table: out, to be freed by mont_table_free() in any case
 *
 * Return: 0, also when there were reports; -errno if the directory cannot be read; -ENOMEM.
 */
int mont_table_load(const char *path, event_report_fn report, void *ctx, struct mont_table *table);

/**
 * mont_table_free() - free what mont_table_load() read
 * @table: it
 */
void mont_table_free(struct mont_table *table);

#endif /* _ACRPMU_GEN_MONT_TABLE_H */
