// SPDX-License-Identifier: GPL-2.0-only
/* Counts as a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../terminal.h"
#include "stat.h"

#define NSEC_PER_SEC	1e9
#define VALUE_WIDTH	18
#define COMM_WIDTH	18
#define TID_WIDTH	8
#define TEXT_LEN	64
#define PER_CENT	100.0

/* One line of the table. */
struct line {
	const struct stat *st;
	const struct stat_block *block;
	size_t location;
	unsigned int group;
	const struct stat_cell *cell;
};

/* Time and CPU or thread, which is printed as perf does. */
static void begin_line(const struct line *l)
{
	FILE *f = l->st->out;

	if (l->st->opt.interval_ms)
		fprintf(f, "%13.6f", l->block->end_ns / NSEC_PER_SEC);
	if (l->st->opt.per_cpu)
		fprintf(f, "  CPU%-4d", l->st->target.cpus.cpus[l->location]);
	if (l->st->opt.per_thread) {
		terminal_print(f, COMM_WIDTH, l->st->threads[l->location].comm);
		fprintf(f, "-%-*d", TID_WIDTH, l->st->threads[l->location].tid);
	}
}

static void end_line(const struct line *l, const char *remark)
{
	FILE *f = l->st->out;

	if (*remark)
		fprintf(f, "  # %s", remark);
	if (l->block->scaled && l->cell->counted && l->cell->total_ns)
		fprintf(f, "  (%.1f%%)",
			PER_CENT * l->cell->running_ns / l->cell->total_ns);
	fputc('\n', f);
}

static void print_value(const struct line *l, const char *value, const char *name)
{
	begin_line(l);
	fprintf(l->st->out, "%*s  ", VALUE_WIDTH, value);
	terminal_print(l->st->out, 0, name);
}

/* With terms between slashes, the name ends with the modifiers. */
static bool ends_with_modifiers(const struct acrpmu_spec_event *ev)
{
	size_t len = strlen(ev->name), tail = strlen(ev->modifiers);

	return len > tail && ev->name[len - tail - 1] == '/' &&
	       !strcmp(ev->name + len - tail, ev->modifiers);
}

static void print_event(const struct line *l, unsigned int event)
{
	const struct acrpmu_spec_event *spec = acrpmu_spec_event(l->st->spec, l->group, event);
	const struct stat_event *ev = &l->cell->ev[event];
	char value[TEXT_LEN], remark[TEXT_LEN] = "";
	bool reloaded = !stat_has_count(l->st, spec);
	struct stat_derived derived;

	snprintf(value, sizeof(value), "%llu", ev->value);
	if (reloaded)
		strcpy(value, "<reloaded>");
	if (!l->cell->counted)
		strcpy(value, "<not counted>");
	else if (stat_has_overflows(l->st, l->group, event))
		snprintf(remark, sizeof(remark), "%llu overflows of %llu", ev->overflows,
			 spec->attr.period);
	else if (stat_derive(l->st, l->block, l->location, l->group, event, &derived))
		snprintf(remark, sizeof(remark), "%.2f %s", derived.value, derived.unit);
	print_value(l, value, spec->name);
	/* a twin follows its event */
	if (*spec->modifiers && !spec->twin_of && !ends_with_modifiers(spec))
		fprintf(l->st->out, ":%s", spec->modifiers);
	if (l->block->runs > 1 && l->cell->counted && !reloaded)
		fprintf(l->st->out, "  ( +- %.2f%% )", ev->deviation);
	end_line(l, remark);
}

static void print_latency(const struct line *l, const struct stat_latency *latency)
{
	char value[TEXT_LEN] = "n/a", remark[TEXT_LEN] = "";
	char name[ACRPMU_NAME_LEN + TEXT_LEN];

	if (latency->known)
		snprintf(value, sizeof(value), "%.2f", latency->cycles);
	if (latency->known && latency->has_ns)
		snprintf(remark, sizeof(remark), "%.2f ns", latency->ns);
	else if (!latency->known)
		strcpy(remark, l->cell->counted ? "no response" : "not counted");
	snprintf(name, sizeof(name), "cycles average latency of %s", latency->name);
	print_value(l, value, name);
	end_line(l, remark);
}

static void print_condition(const struct line *l, const struct stat_condition *c)
{
	const char *condition = acrpmu_spec_text(l->st->spec, l->group);
	char value[TEXT_LEN], remark[TEXT_LEN] = "";
	FILE *f = l->st->out;

	snprintf(value, sizeof(value), "%llu", c->matches);
	print_value(l, value, "windows where ");
	terminal_print(f, 0, condition);
	if (c->has_windows)
		snprintf(remark, sizeof(remark), "%.2f%% to %.2f%% of all windows",
			 PER_CENT * c->least, PER_CENT * c->most);
	else if (c->has_bounds)
		strcpy(remark, "no window ended");
	end_line(l, remark);
	if (!c->has_share)
		return;
	snprintf(value, sizeof(value), "%.2f%%", PER_CENT * c->share);
	print_value(l, value, acrpmu_spec_event(l->st->spec, l->group, 0)->text);
	end_line(l, "in these windows");
}

static void print_group(const struct line *l)
{
	struct stat_latency latency;
	struct stat_condition condition;
	unsigned int i;

	for (i = 0; i < l->st->groups[l->group].nr_events; i++)
		print_event(l, i);
	for (i = 0; stat_latency_next(l->st, l->cell, l->group, i, &latency);
	     i = latency.outstanding + 1)
		print_latency(l, &latency);
	if (stat_condition(l->st, l->block, l->location, l->group, &condition))
		print_condition(l, &condition);
}

/**
 * stat_text_begin() - print what is counted
 */
void stat_text_begin(const struct stat *st)
{
	FILE *f = st->out;

	fputs("# counts of", f);
	target_print(&st->target, f);
	fputs(st->opt.interval_ms ? "\n#    seconds" : "\n\n", f);
	if (!st->opt.interval_ms)
		return;
	if (st->opt.per_thread)
		fprintf(f, "%*s-%-*s", COMM_WIDTH, "thread", TID_WIDTH, "TID");
	fprintf(f, "%s%*s  event\n", st->opt.per_cpu ? "  CPU    " : "", VALUE_WIDTH, "count");
}

/**
 * stat_text_block() - print the counts of a block
 */
void stat_text_block(const struct stat *st, const struct stat_block *block)
{
	struct line l = { .st = st, .block = block };

	for (l.location = 0; l.location < st->nr_locations; l.location++) {
		for (l.group = 0; l.group < st->nr_groups; l.group++) {
			l.cell = stat_block_cell(st, block, l.location, l.group);
			if (stat_counts_at(st, l.location, l.group))
				print_group(&l);
		}
	}
}

/**
 * stat_text_snapshot() - print the counts of a block that goes on
 */
void stat_text_snapshot(const struct stat *st, const struct stat_block *block)
{
	fprintf(st->out, "# snapshot after %.6f seconds\n", block->end_ns / NSEC_PER_SEC);
	stat_text_block(st, block);
	fputc('\n', st->out);
}

/**
 * stat_text_last() - print the last block, which without intervals is the only one, and remarks
 */
void stat_text_last(const struct stat *st, const struct stat_block *block, char *const *remarks)
{
	bool intervals = st->opt.interval_ms;

	if (!intervals)
		stat_text_begin(st);
	stat_text_block(st, block);
	fprintf(st->out, "\n%*.6f  seconds", VALUE_WIDTH,
		(intervals ? block->end_ns : block->length_ns) / NSEC_PER_SEC);
	if (block->runs > 1)
		fprintf(st->out, "  ( +- %.2f%% )  # mean and standard deviation of %u runs",
			block->deviation, block->runs);
	fputc('\n', st->out);
	for (; *remarks; remarks++)
		fprintf(st->out, "# %s\n", *remarks);
}
