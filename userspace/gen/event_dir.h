/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading an arch directory (mapfile.csv, a directory of JSON files for each CPU) into tables. */
#ifndef _ACRPMU_GEN_EVENT_DIR_H
#define _ACRPMU_GEN_EVENT_DIR_H

#include "../lib/event_table.h"

/**
 * struct event_report - one problem, or one thing left out
 * @path: file, as it was opened
 * @line: line in it from 1, 0 for the whole file
 * @field: field or column ("UMask", "CPUID"), may be empty
 * @text: the problem and its effect
 * @warning: something is unknown, so that the rest may be read wrongly
 * @fatal: the file cannot be used (a line, for a mapfile: then it is unknown which CPU has which
 *	events); otherwise one entry or event was left out or corrected
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
 * typedef event_report_fn - receives each report
 * @ctx: as given to event_dir_load()
 * @report: valid only during the call
 */
typedef void (*event_report_fn)(void *ctx, const struct event_report *report);

/**
 * struct event_dir - tables that were read, and the memory they lie in
 * @maps: what was read
 * @text: all strings of the tables
 * @text_len: its bytes
 * @nr_reports: reports that were made
 * @nr_warnings: those that were warnings
 * @nr_fatal: those that were fatal
 * @nr_left_out: events in no table because they cannot be encoded or their name is a duplicate,
 *	not counting those of unusable files
 * @nr_files: JSON files read; a file of several tables counts once
 * @nr_metrics: metrics in them, which are in no table
 * @arena: memory of all this
 */
struct event_dir {
	struct event_maps maps;
	char *text;
	size_t text_len;
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
 * @path: the directory, walked with its sub-directories; a directory of one CPU or a single JSON
 *	file gives one table named after it and no mapping table
 * @report: called for everything that is wrong
 * @ctx: passed to @report
 * @dir: out; call event_dir_free() in any case
 *
 * Return: 0, also when there were reports; -errno if the directory cannot be read; -ENOMEM.
 */
int event_dir_load(const char *path, event_report_fn report, void *ctx, struct event_dir *dir);

/**
 * event_dir_free() - free the result of event_dir_load()
 */
void event_dir_free(struct event_dir *dir);

#endif /* _ACRPMU_GEN_EVENT_DIR_H */
