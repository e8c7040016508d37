// SPDX-License-Identifier: GPL-2.0-only
/* acrctl report: samples of a recording added up by program, file and function. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "../reload.h"
#include "../terminal.h"
#include "../ui/color.h"
#include "condition.h"
#include "diff.h"
#include "export.h"
#include "graph.h"
#include "keys.h"
#include "places.h"

#define CMDLINE_LEN	4096
#define SAMPLES_AT_ONCE	64
#define NUMBER_LEN	20	/* of the largest one */
#define NSEC_PER_SEC	1e9
#define PERCENT_PARTS	1e4	/* JSON has percentages to four decimals */

static const char usage[] =
"Usage: acrctl report [-i FILE] [--sort KEY,...] [-g] [--no-inline] [--json] [--stdio]\n"
"                     [--vmlinux FILE] [--kallsyms FILE]\n"
"                     [--symfs DIR] [--buildid-dir DIR] [--debuginfod[=URLS] | --no-debuginfod]\n"
"       acrctl report --html FILE | --pprof FILE | --firefox FILE [-i FILE] [--no-inline] ...\n"
"       acrctl report --diff OLD [NEW] [--sort KEY,...] [--json]\n"
"\n"
"Show where the samples of a recording were taken, for each event the most frequent code first.\n"
"\n"
"  -i, --input FILE     the recording, also one by perf (default: perf.data); - for standard input\n"
"  -s, --sort KEY,...   distinguish samples by: comm, pid, tid, cpu, dso, sym\n"
"                       (default: comm,dso,sym; with --diff: dso,sym)\n"
"  -g                   show call chains below each entry, in percent of the event\n"
"      --call-graph ORDER  the same: from the function to its callers (callee, as does -g), or\n"
"                       from the outermost caller to the function (caller)\n"
"      --no-inline      do not show inlined functions in call chains\n"
"  -j, --json           print JSON\n"
"      --stdio          print text, which is the default; accepted because perf has it\n"
"      --vmlinux FILE   take the kernel's symbols from this file\n"
"      --kallsyms FILE  take the kernel's symbols from this copy of /proc/kallsyms\n"
SOURCES_USAGE
"      --diff OLD       compare shares with those of this recording, function by function\n"
"      --html FILE      write a page for browsers: flame graph, timeline, table; - for standard output\n"
"      --pprof FILE     write a profile for pprof, Pyroscope or Parca; - for standard output\n"
"      --firefox FILE   write a profile for profiler.firefox.com; - for standard output\n"
"  -h, --help           show this help\n";

static const struct option own[] = {
	{ "diff", required_argument, NULL, 1 },
	{ 0 },
};

static void take_diff(struct view_args *a, int letter, const char *argument)
{
	(void)letter;
	a->diff = argument;
}

static const struct view_command command = {
	.name = "report",
	.usage = usage,
	.list_letter = 's',
	.list_name = "sort",
	.list_shown = "--sort",
	.choices = keys_choices,
	.nr_choices = HIST_NR_KEYS,
	.has_graph = true,
	.has_exports = true,
	.ignored = "stdio",
	.own = own,
	.take_own = take_diff,
};

struct report {
	struct view_args args;
	struct view view;
	struct condition condition;
	struct hist hist;
	struct places places;
	struct graph graph;
	__u64 *samples;		/* by event */
	__u64 *period;		/* by event */
	bool chains;		/* some sample has a call chain */
};

/* Between which nothing happened. */
static int add_samples(struct report *r, const struct pd_sample *s, size_t nr)
{
	struct places_spot spots[SAMPLES_AT_ONCE];
	int err;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct perf_event_attr *attr = &r->view.reader.events[s[i].event].attr;
		bool known = s[i].fields & PERF_SAMPLE_PERIOD;

		r->chains |= s[i].fields & PERF_SAMPLE_CALLCHAIN;
		spots[i].event = s[i].event;
		spots[i].period = known ? s[i].period : attr->sample_period;
	}
	err = places_add(&r->places, &r->hist, &r->view, s, nr, spots);
	for (i = 0; r->args.graph && !err && i < nr; i++)
		err = graph_add(&r->graph, &r->view, &s[i],
				(__u64)spots[i].origin << 32 | spots[i].source,
				r->places.entries[spots[i].origin], spots[i].period);
	return err;
}

static double percent(const struct report *r, const struct hist_entry *e)
{
	__u64 total = r->period[e->event];

	if (total)
		return 100.0 * e->period / total;
	return 100.0 * e->samples / r->samples[e->event];
}

/* As printf() does with "%*llu". */
static void print_number(unsigned int width, __u64 number)
{
	char text[NUMBER_LEN];
	unsigned int at = sizeof(text);

	do {
		text[--at] = '0' + number % 10;
		number /= 10;
	} while (number);
	while (sizeof(text) - at < width)
		text[--at] = ' ';
	fwrite(text + at, 1, sizeof(text) - at, stdout);
}

/* As printf() does with "%9.2f%%", which takes long for numbers with a point. */
static void print_percent(double percent)
{
	double hundredths = percent * 100;
	__u64 number = hundredths + 0.5;

	/* so near to the middle between two that only all digits decide */
	if (fabs(fabs(hundredths - number) - 0.5) < 0.001) {
		printf("%9.2f%%", percent);
		return;
	}
	print_number(6, number / 100);
	putchar('.');
	putchar('0' + number / 10 % 10);
	putchar('0' + number % 10);
	putchar('%');
}

static void print_entry(const struct report *r, const struct hist_entry *e)
{
	double share = percent(r, e);
	enum color color = color_of_percent(share);

	color_begin(stdout, color);
	print_percent(share);
	color_end(stdout, color);
	putchar(' ');
	print_number(9, e->samples);
	keys_print(r->args.chosen, e);
}

/* Returns 0 or -ENOMEM, and so below. */
static int print_event(const struct report *r, __u32 event)
{
	const struct pd_file_event *e = &r->view.reader.events[event];
	struct view_times times = view_times_of(&r->view, event);
	int err = 0;
	size_t i;

	printf("#\n# %llu samples of event '", r->samples[event]);
	terminal_print(stdout, 0, e->name);
	printf("'");
	if (!e->attr.freq && e->attr.sample_period)
		printf(", period %llu", (unsigned long long)e->attr.sample_period);
	if (e->group != event) {
		printf(", group of '");
		terminal_print(stdout, 0, r->view.reader.events[e->group].name);
		printf("'");
	}
	printf("\n");
	if (times.running_ns < times.enabled_ns)
		printf("# counted for %.6f s of the %.6f s that %s (%.2f%%)\n",
		       times.running_ns / NSEC_PER_SEC, times.enabled_ns / NSEC_PER_SEC,
		       times.of_cpus ? "it should have" : "its tasks ran",
		       100.0 * times.running_ns / times.enabled_ns);
	if (!r->samples[event])
		return 0;
	printf("# %llu occurrences (approximately)\n#\n", r->period[event]);
	printf("# Overhead   Samples");
	keys_print_titles(r->args.chosen);
	for (i = 0; !err && i < r->hist.nr; i++) {
		if (r->hist.entries[i]->event != event)
			continue;
		print_entry(r, r->hist.entries[i]);
		if (r->args.graph)
			err = graph_print(&r->graph, r->hist.entries[i], r->period[event],
					  r->samples[event]);
	}
	return err;
}

static __u64 total_samples(const struct report *r)
{
	__u64 total = 0;
	__u32 i;

	for (i = 0; i < r->view.reader.nr_events; i++)
		total += r->samples[i];
	return total;
}

static void print_comparison(const struct report *r, const struct comparison *c)
{
	struct condition_counts counts = condition_counts(&r->view, c);

	if (c->windows) {
		printf("# sampled windows: %llu, each with ", r->samples[c->sampled]);
		terminal_print(stdout, 0, c->windows);
		printf("\n");
	}
	printf("# in all of the recording: ");
	terminal_print(stdout, 0, c->ratio);
	if (counts.unknown)
		printf(" was not measured: %s%s\n", counts.unknown,
		       counts.reloaded ? CONDITION_REMEDY : "");
	else
		printf(" = %.4g (%llu / %llu)\n", (double)counts.a / counts.b, counts.a,
		       counts.b);
}

static void print_condition(const struct report *r)
{
	const struct condition *c = &r->condition;
	size_t i;

	if (!c->text)
		return;
	printf("# condition: ");
	terminal_print(stdout, 0, c->text);
	printf("\n");
	for (i = 0; i < c->nr; i++)
		print_comparison(r, &c->list[i]);
}

static int print_text(const struct report *r)
{
	enum reload reload = reload_of(&r->view.reader);
	char cmdline[CMDLINE_LEN];
	int err = 0;
	__u32 i;

	if (!pd_reader_cmdline(&r->view.reader, cmdline, sizeof(cmdline))) {
		printf("# recorded by: ");
		terminal_print(stdout, 0, cmdline);
		printf("\n");
	}
	if (reload != RELOAD_AUTO)
		printf("# auto counter reload: %s\n", reload_words(reload));
	print_condition(r);
	printf("# %llu samples, %llu lost", total_samples(r), r->view.lost);
	if (r->view.pauses)
		printf(", %llu throttled", r->view.pauses);
	printf("\n");
	if (view_lost_cpus_ns(&r->view))
		printf("# CPUs were offline or taken away for %.6f s in all; "
		       "samples of that time are missing\n",
		       (double)view_lost_cpus_ns(&r->view) / NSEC_PER_SEC);
	if (view_taken(&r->view))
		printf("# %s\n", view_taken(&r->view));
	for (i = 0; !err && i < r->view.reader.nr_events; i++) {
		if (r->samples[i] || !view_is_dummy(&r->view.reader.events[i]))
			err = print_event(r, i);
	}
	if (!total_samples(r))
		printf("#\n# No samples: no event of the recording reached its period.\n");
	return err;
}

static struct json_object *entry_json(const struct report *r, const struct hist_entry *e)
{
	double decimals = round(percent(r, e) * PERCENT_PARTS) / PERCENT_PARTS;
	struct json_object *json;

	json = jsonout_object("percent", json_object_new_double(decimals),
			      "samples", jsonout_count(e->samples),
			      "period", jsonout_count(e->period), NULL);
	keys_set_json(&json, r->args.chosen, e);
	if (r->args.graph)
		jsonout_set(&json, graph_member(r->args.graph),
			    graph_json(&r->graph, e), NULL);
	return json;
}

static struct json_object *event_json(const struct report *r, __u32 event)
{
	const struct pd_file_event *e = &r->view.reader.events[event];
	__u64 sample_period = e->attr.freq ? 0 : e->attr.sample_period;
	struct view_times t = view_times_of(&r->view, event);
	__u64 missed_ns = t.enabled_ns > t.running_ns ? t.enabled_ns - t.running_ns : 0;
	struct json_object *entries = json_object_new_array();
	size_t i;

	for (i = 0; i < r->hist.nr; i++) {
		if (r->hist.entries[i]->event == event)
			jsonout_add(&entries, entry_json(r, r->hist.entries[i]));
	}
	return jsonout_object("name", jsonout_text(e->name),
			      "leader", jsonout_text(r->view.reader.events[e->group].name),
			      "config", jsonout_hex(e->attr.config),
			      "sample_period", jsonout_count(sample_period),
			      "samples", jsonout_count(r->samples[event]),
			      "period", jsonout_count(r->period[event]),
			      "running_ns", t.known ? jsonout_count(t.running_ns) : jsonout_null,
			      "missed_ns", jsonout_count(missed_ns),
			      "entries", entries, NULL);
}

static struct json_object *windows_json(const struct report *r, const struct comparison *c)
{
	const struct pd_file_event *sampled, *limit;
	bool fixed;

	if (!c->windows)
		return jsonout_null;
	sampled = &r->view.reader.events[c->sampled];
	limit = &r->view.reader.events[c->limit];
	fixed = !sampled->attr.freq;
	return jsonout_object("samples", jsonout_count(r->samples[c->sampled]),
			      "event", jsonout_text(sampled->name),
			      "at_least", fixed ? jsonout_count(sampled->attr.sample_period) :
						  jsonout_null,
			      "limit", jsonout_text(limit->name),
			      "fewer_than", fixed ? jsonout_count(limit->attr.sample_period) :
						    jsonout_null, NULL);
}

static struct json_object *ratio_json(const struct report *r, const struct comparison *c)
{
	struct condition_counts n = condition_counts(&r->view, c);
	bool known = !n.unknown;

	return jsonout_object("name", jsonout_text(c->ratio),
			      "a", known ? jsonout_count(n.a) : jsonout_null,
			      "b", known ? jsonout_count(n.b) : jsonout_null,
			      "value", known ? jsonout_real((double)n.a / n.b) : jsonout_null,
			      "unknown", jsonout_text(n.unknown),
			      "windows", windows_json(r, c), NULL);
}

/* Of each comparison: what was counted in all windows, and what those with a sample had. */
static struct json_object *ratios_json(const struct report *r)
{
	struct json_object *ratios = json_object_new_array();
	size_t i;

	for (i = 0; i < r->condition.nr; i++)
		jsonout_add(&ratios, ratio_json(r, &r->condition.list[i]));
	return ratios;
}

static struct json_object *report_json(const struct report *r)
{
	struct json_object *events = json_object_new_array();
	enum reload reload = reload_of(&r->view.reader);
	char cmdline[CMDLINE_LEN];
	__u64 lost_cpus_ns = view_lost_cpus_ns(&r->view);
	bool known, complete = !r->view.reader.truncated && !r->view.reader.unfinished &&
			       !lost_cpus_ns && !view_taken(&r->view);
	__u32 i;

	known = !pd_reader_cmdline(&r->view.reader, cmdline, sizeof(cmdline));
	for (i = 0; i < r->view.reader.nr_events; i++) {
		if (r->samples[i] || !view_is_dummy(&r->view.reader.events[i]))
			jsonout_add(&events, event_json(r, i));
	}
	return jsonout_object("schema", jsonout_text("acrctl-report/1"),
			      "file", jsonout_text(r->args.path),
			      "cmdline", jsonout_text(known ? cmdline : NULL),
			      "reload", jsonout_text(reload == RELOAD_AUTO ? NULL :
						     reload_name(reload)),
			      "condition", jsonout_text(r->condition.text),
			      "ratios", ratios_json(r),
			      "complete", jsonout_bool(complete),
			      "samples", jsonout_count(total_samples(r)),
			      "lost", jsonout_count(r->view.lost),
			      "lost_sideband", jsonout_count(r->view.lost_sideband),
			      "lost_cpus_ns", jsonout_count(lost_cpus_ns),
			      "pauses", jsonout_count(r->view.pauses),
			      "events", events, NULL);
}

/* Returns an exit status. */
static int print_json(const struct report *r)
{
	if (jsonout_print(report_json(r)))
		return output_no_memory(command.name);
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

static int add_up(struct report *r)
{
	struct pd_sample s[SAMPLES_AT_ONCE];
	size_t i, nr;

	r->samples = calloc(r->view.reader.nr_events, sizeof(*r->samples));
	r->period = calloc(r->view.reader.nr_events, sizeof(*r->period));
	if (!r->samples || !r->period || condition_read(&r->condition, &r->view))
		return -ENOMEM;
	r->places.chosen = r->args.chosen;
	r->places.graph = r->args.graph ? &r->graph : NULL;
	r->graph.order = r->args.graph;
	pd_reader_any_order(&r->view.reader);
	while ((nr = view_next_some(&r->view, s, SAMPLES_AT_ONCE))) {
		if (add_samples(r, s, nr))
			return -ENOMEM;
	}
	places_end(&r->places);
	for (i = 0; i < r->hist.nr; i++) {
		const struct hist_entry *e = r->hist.entries[i];

		r->samples[e->event] += e->samples;
		r->period[e->event] += e->period;
	}
	hist_sort(&r->hist);
	return 0;
}

static int run(struct report *r)
{
	int status = ACRCTL_EXIT_DONE;

	if (r->args.export)
		return export_run(&r->args, &r->view);
	if (add_up(r)) {
		fprintf(stderr, "acrctl: out of memory while reading %s\n", r->args.path);
		return ACRCTL_EXIT_FAILED;
	}
	if (r->args.graph && !r->chains && total_samples(r))
		fprintf(stderr,
			"acrctl: %s: its samples have no call chains; record them with 'acrctl record -g'\n",
			r->args.path);
	if (r->args.json)
		status = print_json(r);
	else if (print_text(r))
		status = output_no_memory(command.name);
	return view_close_notes(&r->view, r->args.path) ? ACRCTL_EXIT_FAILED : status;
}

/**
 * cmd_report() - acrctl report
 *
 * Return: the exit status.
 */
int cmd_report(int argc, char **argv)
{
	struct report r = {
		.args = {
			.path = VIEW_DEFAULT_PATH,
			.chosen = { [HIST_COMM] = true, [HIST_DSO] = true, [HIST_SYM] = true },
		},
	};
	int status;

	status = view_args_parse(&command, &r.args, argc, argv);
	if (status >= 0)
		return status;
	if (r.args.diff)
		return diff_check(&r.args) ? ACRCTL_EXIT_USAGE : diff_run(&r.args);
	status = view_args_open(&r.args, &r.view) ? ACRCTL_EXIT_FAILED : run(&r);
	view_end(&r.view);
	places_free(&r.places);
	hist_free(&r.hist);
	condition_free(&r.condition);
	graph_free(&r.graph);
	free(r.samples);
	free(r.period);
	return status;
}
