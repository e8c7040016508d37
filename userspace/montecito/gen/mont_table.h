/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Montecito's table of events: read from JSON files of Itanium's form, and checked. */
#ifndef _ACRPMU_GEN_MONT_TABLE_H
#define _ACRPMU_GEN_MONT_TABLE_H

#include "../../gen/event_dir.h"
#include "../lib/mont_event.h"

/**
 * struct mont_row - an event and its location
 * @event: the event; its type and group are indexes of mont_type_words and mont_group_words
 * @index: descriptor
 * @path: file
 * @line: line of the file
 */
struct mont_row {
	struct mont_event event;
	unsigned int index;
	const char *path;
	unsigned int line;
};

/**
 * struct mont_table - all events, by descriptor
 * @rows: the events
 * @nr: number of events
 * @nr_files: number of files
 * @nr_faults: number of errors; if there is any, rows are missing and indexes are no descriptors
 * @arena: holds all memory
 */
struct mont_table {
	struct mont_row *rows;
	unsigned int nr;
	unsigned int nr_files;
	unsigned int nr_faults;
	void *arena;
};

/* Types, groups and EARs as spelled in files; NULL ends each list. */
extern const char * const mont_type_words[];
extern const char * const mont_group_words[];
extern const char * const mont_ear_words[];

/**
 * mont_table_load() - read a directory
 * @path: the directory; reads all its JSON files
 * @report: called for each error
 * @ctx: passed to @report
 * @table: out, to be freed by mont_table_free() in any case
 *
 * Return: 0, even after reports; -errno if the directory cannot be read; -ENOMEM.
 */
int mont_table_load(const char *path, event_report_fn report, void *ctx, struct mont_table *table);

/** mont_table_free() - free a table */
void mont_table_free(struct mont_table *table);

#endif /* _ACRPMU_GEN_MONT_TABLE_H */
