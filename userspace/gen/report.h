/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports about the files of an arch directory: file, line, field, text. */
#ifndef _ACRPMU_GEN_REPORT_H
#define _ACRPMU_GEN_REPORT_H

#include "event_dir.h"

/*
 * A note leaves something out or mends it; a warning is about something unknown, so that
 * the rest may be read wrongly; a fatal one makes a file unusable.
 */
enum report_kind { REPORT_NOTE, REPORT_WARNING, REPORT_FATAL };

/**
 * struct reporter - the receiver of reports, and how many it got
 * @fn: called for each report, may be NULL
 * @ctx: passed to @fn
 * @nr: reports so far
 * @nr_warnings: those that were warnings
 * @nr_fatal: those that were fatal
 */
struct reporter {
	event_report_fn fn;
	void *ctx;
	unsigned int nr;
	unsigned int nr_warnings;
	unsigned int nr_fatal;
};

/**
 * report_say() - make a report
 * @reporter: receives the report
 * @kind: how bad it is
 * @path: file
 * @line: its line, 0 for the whole file
 * @field: field or column, "" if none
 * @format: what is wrong and what becomes of it, as for printf()
 *
 * Control characters of the text become '?': it may quote the file and go to a terminal. A text of
 * more than about 400 bytes is cut.
 */
void report_say(struct reporter *reporter, enum report_kind kind, const char *path,
		unsigned int line, const char *field, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

#endif /* _ACRPMU_GEN_REPORT_H */
