/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of acrctl annotate share: samples by function and instruction, and its code. */
#ifndef _ACRCTL_ANNOTATE_H
#define _ACRCTL_ANNOTATE_H

#include "../../symbols/function.h"
#include "../../util/intern.h"
#include "../../util/tuples.h"
#include "../report/report.h"

/* A function with samples. */
struct annotate_function {
	struct sym_function at;		/* @addr is not used */
	const char *symbol;
	const char *dso;		/* path, or a name in brackets */
	__u64 samples;			/* of all events */
};

/* Samples of an event at an instruction, or in all of a function or recording. */
struct annotate_count {
	__u64 samples;
	__u64 period;			/* sum of their periods */
};

/* An instruction, or an address with samples where no instructions are known. */
struct annotate_line {
	__u64 addr;
	char *text;			/* NULL: unknown */
	const char *file;		/* of the source, NULL: unknown */
	const char *inlined;		/* function that was inlined here, NULL: none */
	unsigned int line;		/* 0: unknown */
};

struct annotate {
	struct view_args args;		/* first: options are taken through it */
	const char *symbol;		/* name or address, NULL: the hottest */
	const char *dso;		/* --dso, NULL: any */
	const char *objdump;
	const char *style;		/* of the disassembler, NULL: its default */
	bool no_source;
	struct view view;
	struct intern texts;
	struct tuples functions_known;	/* dso, level, start, number of name and of file's name */
	struct annotate_function *functions;	/* by number of @functions_known */
	struct tuples known;		/* event, function, address */
	struct annotate_count *counts;	/* by number of @known */
	struct annotate_count *totals;	/* by event */
	const struct annotate_function *chosen;
	size_t chosen_number;
	__u32 *events;			/* those with samples in the recording */
	__u32 nr_events;
	struct annotate_count *in_function;	/* by index of @events */
	struct annotate_line *lines;	/* by address */
	size_t nr_lines;
	size_t room_lines;
	struct annotate_count *cells;	/* of each line, those of all @events */
	const char *unknown;		/* why there are no instructions, NULL: there are */
};

/* collect.c */
int annotate_collect(struct annotate *an);

/* choose.c */
int annotate_choose(struct annotate *an);

/* code.c */
int annotate_read_code(struct annotate *an);

/* text.c */
void annotate_print(const struct annotate *an, bool color);

/* json.c */
int annotate_print_json(const struct annotate *an);

#endif /* _ACRCTL_ANNOTATE_H */
