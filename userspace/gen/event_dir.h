/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading an arch directory (mapfile.csv, a directory of JSON files for each CPU) into tables. */
#ifndef _ACRPMU_GEN_EVENT_DIR_H
#define _ACRPMU_GEN_EVENT_DIR_H

#include "../lib/event_table.h"

/**
 * struct event_report - one thing that was found wrong or left out
 * @path: file, as it was opened
 * @line: line in it, from 1; 0 if the whole file is meant
 * @field: field or column ("UMask", "CPUID"), empty if none is to blame
 * @text: what is wrong, and what becomes of it
 * @warning: something is not understood, so that what was made of the rest may be wrong
 * @fatal: the file could not be used (of a mapfile: a line of it, so that which CPU has which
 *	events is not known); otherwise one entry or event was left out or mended
 */
struct event_report {
	const char *path;
	unsigned int line;
	const char *field;
	const char *text;
	bool warning;
	bool fatal;
};

/**
 * typedef event_report_fn - told of each thing that was found
 * @ctx: as given to event_dir_load()
 * @report: valid during the call only
 */
typedef void (*event_report_fn)(void *ctx, const struct event_report *report);

/**
 * struct event_dir - tables that were read, and the memory they lie in
 * @maps: what was read
 * @nr_reports: reports that were made
 * @nr_warnings: those that were warnings
 * @nr_fatal: those that were fatal
 * @nr_left_out: events that are in no table since they cannot be encoded or have a name twice; of a
 *	file that could not be used none are counted
 * @nr_files: JSON files that were read, those counted once that several tables share
 * @nr_metrics: metrics in them, which are no events and in no table
 * @arena: memory of it all
 */
struct event_dir {
	struct event_maps maps;
	unsigned int nr_reports;
	unsigned int nr_warnings;
	unsigned int nr_fatal;
	unsigned int nr_left_out;
	unsigned int nr_files;
	unsigned int nr_metrics;
	void *arena;
};

/**
 * event_dir_load() - read an arch directory of perf's or of Intel's form
 * @path: the directory; its sub-directories are walked; or a single directory of one CPU, or one
 *	JSON file, which give one table named after it and no mapping table
 * @report: told of everything that is wrong
 * @ctx: handed to @report
 * @dir: out, to be freed by event_dir_free() in any case
 *
 * Return: 0, also when there were reports; -errno if the directory cannot be read; -ENOMEM.
 */
int event_dir_load(const char *path, event_report_fn report, void *ctx, struct event_dir *dir);

/**
 * event_dir_free() - free what event_dir_load() read
 * @dir: it
 */
void event_dir_free(struct event_dir *dir);

#endif /* _ACRPMU_GEN_EVENT_DIR_H */
