// SPDX-License-Identifier: GPL-2.0-only
/* acrctl report: samples of a recording added up by program, file and function. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "hist.h"
#include "json.h"
#include "view.h"

#define CMDLINE_LEN	4096

static const char usage[] =
"Usage: acrctl report [-i FILE] [--sort KEY,...] [--json] [--stdio]\n"
"                     [--vmlinux FILE] [--kallsyms FILE]\n"
"\n"
"Show where the samples of a recording were taken, for each event the most frequent place first.\n"
"\n"
"  -i, --input FILE     the recording, also one by perf (default: perf.data)\n"
"  -s, --sort KEY,...   what to tell apart: comm, pid, tid, cpu, dso, sym (default: comm,dso,sym)\n"
"  -j, --json           print JSON\n"
"      --stdio          print text; always so, accepted because perf has it\n"
"      --vmlinux FILE   take the kernel's symbols from this file\n"
"      --kallsyms FILE  take the kernel's symbols from this copy of /proc/kallsyms\n"
"  -h, --help           show this help\n";

/* How each property is called by users, in headings and in JSON. */
static const struct key_info {
	const char *name;
	const char *alias;
	const char *title;
	const char *json;
	int width;
} key_info[HIST_NR_KEYS] = {
	[HIST_COMM] = { "comm", "comm", "Command", "comm", 15 },
	[HIST_PID] = { "pid", "pid", "Pid", "pid", 7 },
	[HIST_TID] = { "tid", "tid", "Tid", "tid", 7 },
	[HIST_CPU] = { "cpu", "cpu", "CPU", "cpu", 4 },
	[HIST_DSO] = { "dso", "dso", "Shared Object", "dso", 24 },
	[HIST_SYM] = { "sym", "symbol", "Symbol", "symbol", 0 },
};

struct report {
	const char *path;
	bool json;
	bool keys[HIST_NR_KEYS];
	struct view view;
	struct hist hist;
	__u64 *samples;		/* by event */
	__u64 *period;		/* by event */
};

static bool parse_keys(struct report *r, char *list)
{
	char *word, *save = NULL;
	int i;

	memset(r->keys, 0, sizeof(r->keys));
	for (word = strtok_r(list, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < HIST_NR_KEYS; i++) {
			if (!strcmp(word, key_info[i].name) || !strcmp(word, key_info[i].alias))
				break;
		}
		if (i == HIST_NR_KEYS) {
			fprintf(stderr,
				"acrctl: --sort '%s' is not known; use comm, pid, tid, cpu, dso or sym, with commas between them\n",
				word);
			return false;
		}
		r->keys[i] = true;
	}
	return true;
}

static int parse_args(struct report *r, int argc, char **argv)
{
	enum { OPT_STDIO = 256, OPT_VMLINUX, OPT_KALLSYMS };
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "sort", required_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },
		{ "stdio", no_argument, NULL, OPT_STDIO },
		{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "i:s:jh", options, NULL)) != -1) {
		if (c == 'i')
			r->path = optarg;
		else if (c == 'j')
			r->json = true;
		else if (c == OPT_VMLINUX)
			r->view.space.vmlinux = optarg;
		else if (c == OPT_KALLSYMS)
			r->view.space.kallsyms = optarg;
		else if (c == 's' && !parse_keys(r, optarg))
			return ACRCTL_EXIT_USAGE;
		else if (c == 'h')
			return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		else if (c == '?')
			return ACRCTL_EXIT_USAGE;
	}
	if (optind < argc) {
		fprintf(stderr, "acrctl: report takes no argument '%s'; name the file with -i\n",
			argv[optind]);
		return ACRCTL_EXIT_USAGE;
	}
	return -1;
}

/* The last part of a path; names in brackets and "//anon" stay whole. */
static const char *short_name(const char *dso)
{
	const char *slash = strrchr(dso, '/');

	return slash && slash[1] && dso[0] == '/' && dso[1] != '/' ? slash + 1 : dso;
}

static int add_sample(struct report *r, const struct pd_sample *s)
{
	const struct pd_file_event *e = &r->view.reader.events[s->event];
	__u64 period = s->fields & PERF_SAMPLE_PERIOD ? s->period : e->attr.sample_period;
	char words[HIST_NR_KEYS][HIST_KEY_LEN] = { "" };
	struct hist_entry key = { .event = s->event };
	bool kernel = view_is_kernel(s);
	struct sym_location loc = { 0 };
	const char *comm;
	int i;

	if (r->keys[HIST_SYM])
		sym_space_resolve(&r->view.space, kernel, s->pid, s->ip, &loc);
	else
		loc.dso = sym_space_dso_of(&r->view.space, kernel, s->pid, s->ip);
	comm = sym_space_comm_of(&r->view.space, s->pid, s->tid);
	snprintf(words[HIST_COMM], HIST_KEY_LEN, "%s", comm ? comm : "[unknown]");
	snprintf(words[HIST_PID], HIST_KEY_LEN, "%u", s->pid);
	snprintf(words[HIST_TID], HIST_KEY_LEN, "%u", s->tid);
	snprintf(words[HIST_CPU], HIST_KEY_LEN, "%u", s->cpu);
	snprintf(words[HIST_DSO], HIST_KEY_LEN, "%s", loc.dso ? short_name(loc.dso) :
		 kernel ? SYM_KERNEL_NAME : "[unknown]");
	if (loc.symbol)
		snprintf(words[HIST_SYM], HIST_KEY_LEN, "[%c] %s", kernel ? 'k' : '.', loc.symbol);
	else
		snprintf(words[HIST_SYM], HIST_KEY_LEN, "[%c] 0x%016llx", kernel ? 'k' : '.',
			 s->ip);
	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (!r->keys[i])
			words[i][0] = 0;
		key.keys[i] = words[i];
	}
	r->samples[s->event]++;
	r->period[s->event] += period;
	return hist_add(&r->hist, &key, period);
}

static double percent(const struct report *r, const struct hist_entry *e)
{
	__u64 total = r->period[e->event];

	if (total)
		return 100.0 * e->period / total;
	return 100.0 * e->samples / r->samples[e->event];
}

static void print_heading(const struct report *r)
{
	int i;

	printf("# Overhead   Samples");
	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (r->keys[i])
			printf("  %-*s", key_info[i].width, key_info[i].title);
	}
	printf("\n");
}

static void print_entry(const struct report *r, const struct hist_entry *e)
{
	int i;

	printf("%9.2f%% %9llu", percent(r, e), e->samples);
	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (r->keys[i])
			printf("  %-*s", key_info[i].width, e->keys[i]);
	}
	printf("\n");
}

static bool is_dummy(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

static void print_event(const struct report *r, __u32 event)
{
	const struct pd_file_event *e = &r->view.reader.events[event];
	size_t i;

	printf("#\n# %llu samples of event '%s'", r->samples[event], e->name);
	if (!e->attr.freq && e->attr.sample_period)
		printf(", period %llu", (unsigned long long)e->attr.sample_period);
	if (e->group != event)
		printf(", group of '%s'", r->view.reader.events[e->group].name);
	printf("\n");
	if (!r->samples[event])
		return;
	printf("# %llu occurrences (approximately)\n#\n", r->period[event]);
	print_heading(r);
	for (i = 0; i < r->hist.nr; i++) {
		if (r->hist.entries[i]->event == event)
			print_entry(r, r->hist.entries[i]);
	}
}

static __u64 total_samples(const struct report *r)
{
	__u64 total = 0;
	__u32 i;

	for (i = 0; i < r->view.reader.nr_events; i++)
		total += r->samples[i];
	return total;
}

static void print_text(const struct report *r)
{
	char cmdline[CMDLINE_LEN];
	__u32 i;

	if (!pd_reader_cmdline(&r->view.reader, cmdline, sizeof(cmdline)))
		printf("# recorded by: %s\n", cmdline);
	printf("# %llu samples, %llu lost\n", total_samples(r), r->view.lost);
	for (i = 0; i < r->view.reader.nr_events; i++) {
		if (r->samples[i] || !is_dummy(&r->view.reader.events[i].attr))
			print_event(r, i);
	}
	if (!total_samples(r))
		printf("#\n# No samples: no event of the recording reached its period.\n");
}

static void print_json_entry(const struct report *r, const struct hist_entry *e)
{
	int i;

	printf("{\"percent\":%.4f,\"samples\":%llu,\"period\":%llu", percent(r, e), e->samples,
	       e->period);
	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (!r->keys[i])
			continue;
		printf(",\"%s\":", key_info[i].json);
		if (i == HIST_PID || i == HIST_TID || i == HIST_CPU) {
			fputs(e->keys[i], stdout);
		} else if (i == HIST_SYM) {
			/* "[.] name": the level is a member of its own */
			json_string(stdout, e->keys[i] + 4);
			printf(",\"level\":\"%s\"", e->keys[i][1] == 'k' ? "kernel" : "user");
		} else {
			json_string(stdout, e->keys[i]);
		}
	}
	printf("}");
}

static void print_json_event(const struct report *r, __u32 event)
{
	const struct pd_file_event *e = &r->view.reader.events[event];
	const char *comma = "";
	size_t i;

	printf("{\"name\":");
	json_string(stdout, e->name);
	printf(",\"leader\":");
	json_string(stdout, r->view.reader.events[e->group].name);
	printf(",\"config\":\"%#llx\",\"sample_period\":%llu,\"samples\":%llu,\"period\":%llu,"
	       "\"entries\":[", (unsigned long long)e->attr.config,
	       e->attr.freq ? 0 : (unsigned long long)e->attr.sample_period,
	       r->samples[event], r->period[event]);
	for (i = 0; i < r->hist.nr; i++) {
		if (r->hist.entries[i]->event != event)
			continue;
		fputs(comma, stdout);
		print_json_entry(r, r->hist.entries[i]);
		comma = ",";
	}
	printf("]}");
}

static void print_json(const struct report *r)
{
	char cmdline[CMDLINE_LEN];
	const char *comma = "";
	bool known;
	__u32 i;

	known = !pd_reader_cmdline(&r->view.reader, cmdline, sizeof(cmdline));
	printf("{\"file\":");
	json_string(stdout, r->path);
	printf(",\"cmdline\":");
	json_string(stdout, known ? cmdline : NULL);
	printf(",\"complete\":%s,\"samples\":%llu,\"lost\":%llu,\"events\":[",
	       r->view.reader.truncated ? "false" : "true", total_samples(r), r->view.lost);
	for (i = 0; i < r->view.reader.nr_events; i++) {
		if (!r->samples[i] && is_dummy(&r->view.reader.events[i].attr))
			continue;
		fputs(comma, stdout);
		print_json_event(r, i);
		comma = ",";
	}
	printf("]}\n");
}

static int run(struct report *r)
{
	struct pd_sample s;

	r->samples = calloc(r->view.reader.nr_events, sizeof(*r->samples));
	r->period = calloc(r->view.reader.nr_events, sizeof(*r->period));
	if (!r->samples || !r->period)
		goto no_memory;
	while (view_next(&r->view, &s)) {
		if (add_sample(r, &s))
			goto no_memory;
	}
	hist_sort(&r->hist);
	if (r->json)
		print_json(r);
	else
		print_text(r);
	view_close_notes(&r->view, r->path);
	return ACRCTL_EXIT_DONE;
no_memory:
	fprintf(stderr, "acrctl: out of memory while reading %s\n", r->path);
	return ACRCTL_EXIT_FAILED;
}

/**
 * cmd_report() - acrctl report
 * @argc: number of arguments, the command's name included
 * @argv: the arguments
 *
 * Return: the exit status.
 */
int cmd_report(int argc, char **argv)
{
	struct report r = {
		.path = "perf.data",
		.keys = { [HIST_COMM] = true, [HIST_DSO] = true, [HIST_SYM] = true },
	};
	int status;

	status = parse_args(&r, argc, argv);
	if (status >= 0)
		return status;
	status = ACRCTL_EXIT_FAILED;
	if (!view_open_file(&r.view, r.path))
		status = run(&r);
	view_end(&r.view);
	hist_free(&r.hist);
	free(r.samples);
	free(r.period);
	if (fflush(stdout) && status == ACRCTL_EXIT_DONE) {
		fprintf(stderr, "acrctl: output: %s\n", strerror(errno));
		status = ACRCTL_EXIT_FAILED;
	}
	return status;
}
