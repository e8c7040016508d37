// SPDX-License-Identifier: GPL-2.0-only
/* A function as text: the share of samples beside each instruction, sources in between. */
#include <stdio.h>
#include <string.h>

#include "../terminal.h"
#include "../ui/color.h"
#include "annotate.h"
#include "source.h"

#define TAB	8
#define WIDTH	9	/* of a column with shares */

static double percent(const struct annotate_count *part, const struct annotate_count *all)
{
	if (all->period)
		return 100.0 * part->period / all->period;
	return all->samples ? 100.0 * part->samples / all->samples : 0;
}

static void print_event(const struct annotate *an, __u32 i)
{
	const struct annotate_count *in = &an->in_function[i], *all = &an->totals[an->events[i]];

	printf("# ");
	if (an->nr_events > 1)
		printf("column %u: ", i + 1);
	printf("%llu of %llu samples of event '", in->samples, all->samples);
	terminal_print(stdout, 0, an->view.reader.events[an->events[i]].name);
	printf("', %.2f%% of its occurrences\n", percent(in, all));
}

static void print_head(const struct annotate *an)
{
	const struct annotate_function *f = an->chosen;
	__u32 i;

	printf("# ");
	terminal_print(stdout, 0, f->symbol);
	printf(" of ");
	terminal_print(stdout, 0, f->dso);
	printf(", at %#llx", f->at.start);
	if (f->at.end > f->at.start)
		printf(", %llu bytes", f->at.end - f->at.start);
	printf("\n");
	for (i = 0; i < an->nr_events; i++)
		print_event(an, i);
	if (an->unknown)
		printf("# addresses only: %s\n", an->unknown);
	printf("#\n# Percent of the samples of this function, by instruction\n#\n");
}

/* Code behind something else; tabs become spaces, as wide as they would be. */
static void print_code(const char *text)
{
	char out[TAB + 1] = "";
	size_t column = 0;

	printf("%s", *text ? "  " : "");
	for (; *text; text++) {
		size_t len = *text == '\t' ? TAB - column % TAB : 1;

		memset(out, *text == '\t' ? ' ' : *text, len);
		out[len] = 0;
		terminal_print(stdout, 0, out);
		column += len;
	}
	printf("\n");
}

static void print_empty_columns(const struct annotate *an)
{
	printf("%*s :  ", (int)an->nr_events * WIDTH, "");
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* The source of a line, unless it is that of the line before. */
static void print_source(const struct annotate *an, struct source *source, size_t i, bool color)
{
	static const struct annotate_line none;
	const struct annotate_line *l = &an->lines[i], *before = i ? l - 1 : &none;
	const char *text, *slash;

	if (!l->file || (same(l->file, before->file) && l->line == before->line &&
			 same(l->inlined, before->inlined)))
		return;
	text = source_line(source, l->file, l->line);
	slash = strrchr(l->file, '/');
	print_empty_columns(an);
	color_put(stdout, COLOR_BOLD, color);
	terminal_print(stdout, 0, slash ? slash + 1 : l->file);
	printf(":%u", l->line);
	if (l->inlined) {
		printf(" (inlined ");
		terminal_print(stdout, 0, l->inlined);
		printf(")");
	}
	print_code(text ? text : "");
	color_put(stdout, COLOR_PLAIN, color);
}

static void print_line(const struct annotate *an, size_t i, bool color)
{
	const struct annotate_line *l = &an->lines[i];
	__u32 e;

	for (e = 0; e < an->nr_events; e++) {
		const struct annotate_count *cell = &an->cells[i * an->nr_events + e];
		double share = percent(cell, &an->in_function[e]);

		if (!cell->samples) {
			printf("%*s", WIDTH, "");
			continue;
		}
		color_put(stdout, color_of_percent(share), color);
		printf("%*.2f%%", WIDTH - 1, share);
		color_put(stdout, COLOR_PLAIN, color);
	}
	printf(" :  %8llx:", l->addr);
	print_code(l->text ? l->text : an->unknown ? "" : "(no instruction begins here)");
}

/**
 * annotate_print() - print the chosen function on standard output
 * @color: with colours
 */
void annotate_print(const struct annotate *an, bool color)
{
	struct source source = { 0 };
	size_t i;

	print_head(an);
	for (i = 0; i < an->nr_lines && !ferror(stdout); i++) {
		print_source(an, &source, i, color);
		print_line(an, i, color);
	}
	source_free(&source);
}
