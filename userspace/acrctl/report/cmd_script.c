// SPDX-License-Identifier: GPL-2.0-only
/* acrctl script: one line, or one JSON object, for each sample of a recording. */
#include <stdio.h>
#include <string.h>

#include "../cmd.h"
#include "../frame.h"
#include "../jsonout.h"
#include "../terminal.h"
#include "fold.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000
#define COMM_WIDTH	16

static const char usage[] =
"Usage: acrctl script [-i FILE] [-F FIELD,...] [--no-inline] [--fold] [--json]\n"
"                     [--vmlinux FILE] [--kallsyms FILE]\n"
"                     [--symfs DIR] [--buildid-dir DIR] [--debuginfod[=URLS] | --no-debuginfod]\n"
"\n"
"Print the samples of a recording one by one, in the order of their times.\n"
"\n"
"  -i, --input FILE     the recording, also one by perf (default: perf.data); - for standard input\n"
"  -F, --fields FIELD,...  what to print: comm, pid, tid, cpu, time, event, period, id, ip, sym,\n"
"                       symoff, dso (default: comm,tid,cpu,time,period,event,ip,sym,symoff,dso)\n"
"      --fold           add samples up by stack and print lines for flame graphs: the command and\n"
"                       its frames with semicolons between them, a space, the number of samples\n"
"  -j, --json           print JSON with an object for each sample, all fields or those of -F\n"
"      --no-inline      do not show inlined functions in call chains\n"
"      --vmlinux FILE   take the kernel's symbols from this file\n"
"      --kallsyms FILE  take the kernel's symbols from this copy of /proc/kallsyms\n"
SOURCES_USAGE
"  -h, --help           show this help\n"
"\n"
"With ip among the fields, a call chain follows: a line for each frame, then an empty one.\n";

enum field {
	FIELD_COMM,
	FIELD_PID,
	FIELD_TID,
	FIELD_CPU,
	FIELD_TIME,
	FIELD_PERIOD,
	FIELD_EVENT,
	FIELD_ID,
	FIELD_IP,
	FIELD_SYM,
	FIELD_SYMOFF,
	FIELD_DSO,
	NR_FIELDS
};

static const struct view_choice fields[NR_FIELDS] = {
	[FIELD_COMM] = { "comm", NULL },
	[FIELD_PID] = { "pid", NULL },
	[FIELD_TID] = { "tid", NULL },
	[FIELD_CPU] = { "cpu", NULL },
	[FIELD_TIME] = { "time", NULL },
	[FIELD_PERIOD] = { "period", NULL },
	[FIELD_EVENT] = { "event", NULL },
	[FIELD_ID] = { "id", NULL },
	[FIELD_IP] = { "ip", NULL },
	[FIELD_SYM] = { "sym", NULL },
	[FIELD_SYMOFF] = { "symoff", NULL },
	[FIELD_DSO] = { "dso", NULL },
};

static const struct view_command command = {
	.name = "script",
	.usage = usage,
	.list_letter = 'F',
	.list_name = "fields",
	.list_shown = "-F",
	.choices = fields,
	.nr_choices = NR_FIELDS,
	.has_fold = true,
};

struct script {
	struct view_args args;
	struct view view;
};

/* A sample and what it resolves to. */
struct resolved {
	const struct pd_sample *s;
	const char *comm;
	const char *event;
	__u64 period;
	struct sym_location loc;
};

static bool wants_symbols(const struct script *sc)
{
	return sc->args.chosen[FIELD_SYM] || sc->args.chosen[FIELD_SYMOFF] || sc->args.json;
}

static void resolve(struct script *sc, const struct pd_sample *s, struct resolved *f)
{
	const struct pd_file_event *e = &sc->view.reader.events[s->event];

	memset(f, 0, sizeof(*f));
	f->s = s;
	f->event = e->name;
	f->period = s->fields & PERF_SAMPLE_PERIOD ? s->period : e->attr.sample_period;
	f->comm = sym_space_comm_of(&sc->view.space, s->pid, s->tid);
	view_resolve(&sc->view, s, wants_symbols(sc), &f->loc);
}

/* A name, or NULL if it is unknown, and what follows it. */
static void print_name(int width, const char *name, const char *after)
{
	terminal_print(stdout, width, name ? name : "[unknown]");
	fputs(after, stdout);
}

static void print_task(const struct script *sc, const struct resolved *f)
{
	const struct pd_sample *s = f->s;

	if (sc->args.chosen[FIELD_COMM])
		print_name(COMM_WIDTH, f->comm, " ");
	if (sc->args.chosen[FIELD_PID] && sc->args.chosen[FIELD_TID])
		printf("%7u/%-7u ", s->pid, s->tid);
	else if (sc->args.chosen[FIELD_PID] || sc->args.chosen[FIELD_TID])
		printf("%7u ", sc->args.chosen[FIELD_PID] ? s->pid : s->tid);
	if (sc->args.chosen[FIELD_CPU] && s->fields & PERF_SAMPLE_CPU)
		printf("[%03u] ", s->cpu);
	else if (sc->args.chosen[FIELD_CPU])
		printf("[---] ");
	if (sc->args.chosen[FIELD_TIME] && s->fields & PERF_SAMPLE_TIME)
		printf("%6llu.%06llu: ", s->time / NSEC_PER_SEC,
		       s->time % NSEC_PER_SEC / NSEC_PER_USEC);
	else if (sc->args.chosen[FIELD_TIME])
		printf("%13s: ", "-");
	if (sc->args.chosen[FIELD_PERIOD])
		printf("%10llu ", f->period);
	if (sc->args.chosen[FIELD_EVENT])
		print_name(0, f->event, ": ");
	if (sc->args.chosen[FIELD_ID])
		printf("%#llx ", s->id);
}

static void print_code(const struct script *sc, __u64 ip, const struct sym_location *loc)
{
	if (sc->args.chosen[FIELD_IP])
		printf("%16llx ", ip);
	if (sc->args.chosen[FIELD_SYM] || sc->args.chosen[FIELD_SYMOFF]) {
		print_name(0, loc->symbol, "");
		if (sc->args.chosen[FIELD_SYMOFF] && loc->symbol)
			printf("+%#llx", loc->offset);
	}
	if (sc->args.chosen[FIELD_DSO]) {
		printf(" (");
		print_name(0, loc->dso, ")");
	}
	printf("\n");
}

static bool has_chain(const struct script *sc, const struct pd_sample *s)
{
	return sc->args.chosen[FIELD_IP] && s->fields & PERF_SAMPLE_CALLCHAIN;
}

/* What was inlined where a frame is, innermost first; the last is the function itself. */
static size_t inlined_in(struct script *sc, const struct pd_sample *s, const struct frame_walk *w,
			 const struct sym_frame **frames)
{
	size_t nr = 0;

	if (wants_symbols(sc))
		*frames = frame_inlined(&sc->view, s, w, &nr);
	return nr ? nr - 1 : 0;
}

static void print_inlined(struct script *sc, const struct pd_sample *s,
			  const struct frame_walk *w)
{
	const struct sym_frame *frames;
	size_t i, nr = inlined_in(sc, s, w, &frames);

	for (i = 0; i < nr; i++) {
		printf("\t%16llx ", w->ip);
		print_name(0, frames[i].name, " (inlined)\n");
	}
}

/* As perf prints it: a line for each frame, then an empty one. */
static void print_chain(struct script *sc, const struct pd_sample *s)
{
	struct frame_walk w = { 0 };
	struct sym_location loc;

	printf("\n");
	while (frame_next(s, &w)) {
		frame_resolve(&sc->view, s, &w, wants_symbols(sc), &loc);
		print_inlined(sc, s, &w);
		printf("\t");
		print_code(sc, w.ip, &loc);
	}
	printf("\n");
}

static void add_inlined(struct script *sc, const struct pd_sample *s, const struct frame_walk *w,
			const struct sym_location *loc, struct json_object **json)
{
	const struct sym_frame *frames;
	size_t i, nr = inlined_in(sc, s, w, &frames);

	for (i = 0; i < nr; i++)
		jsonout_add(json, jsonout_object("ip", jsonout_hex(w->ip),
						 "sym", jsonout_text(frames[i].name),
						 "symoff", jsonout_null,
						 "dso", jsonout_text(loc->dso),
						 "inlined", jsonout_bool(true), NULL));
}

static struct json_object *offset_json(const struct sym_location *loc)
{
	return loc->symbol ? jsonout_count(loc->offset) : jsonout_null;
}

static struct json_object *chain_json(struct script *sc, const struct pd_sample *s)
{
	struct json_object *json = json_object_new_array(), *frame;
	struct frame_walk w = { 0 };
	struct sym_location loc;

	while (frame_next(s, &w)) {
		frame_resolve(&sc->view, s, &w, true, &loc);
		add_inlined(sc, s, &w, &loc, &json);
		frame = jsonout_object("ip", jsonout_hex(w.ip),
				       "sym", jsonout_text(loc.symbol),
				       "symoff", offset_json(&loc),
				       "dso", jsonout_text(loc.dso),
				       "inlined", jsonout_bool(false), NULL);
		jsonout_add(&json, frame);
	}
	return json;
}

static bool has(const struct pd_sample *s, __u64 field)
{
	return s->fields & field;
}

/* The value of one field; NULL: out of memory. */
static struct json_object *field_json(const struct resolved *f, enum field field)
{
	const struct pd_sample *s = f->s;

	switch (field) {
	case FIELD_COMM:
		return jsonout_text(f->comm);
	case FIELD_PID:
		return has(s, PERF_SAMPLE_TID) ? jsonout_count(s->pid) : jsonout_null;
	case FIELD_TID:
		return has(s, PERF_SAMPLE_TID) ? jsonout_count(s->tid) : jsonout_null;
	case FIELD_CPU:
		return has(s, PERF_SAMPLE_CPU) ? jsonout_count(s->cpu) : jsonout_null;
	case FIELD_TIME:
		/* nanoseconds as a string: many readers' numbers hold fewer digits */
		return has(s, PERF_SAMPLE_TIME) ? jsonout_format("%llu", s->time) : jsonout_null;
	case FIELD_PERIOD:
		return jsonout_count(f->period);
	case FIELD_EVENT:
		return jsonout_text(f->event);
	case FIELD_ID:
		return has(s, PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? jsonout_hex(s->id) :
									 jsonout_null;
	case FIELD_IP:
		return has(s, PERF_SAMPLE_IP) ? jsonout_hex(s->ip) : jsonout_null;
	case FIELD_SYM:
		return jsonout_text(f->loc.symbol);
	case FIELD_SYMOFF:
		return offset_json(&f->loc);
	case FIELD_DSO:
		return jsonout_text(f->loc.dso);
	default:
		return jsonout_null;
	}
}

static struct json_object *sample_json(struct script *sc, const struct resolved *f)
{
	struct json_object *json = json_object_new_object();
	int i;

	for (i = 0; i < NR_FIELDS; i++) {
		if (sc->args.chosen[i])
			jsonout_set(&json, fields[i].name, field_json(f, i), NULL);
	}
	if (has_chain(sc, f->s))
		jsonout_set(&json, "chain", chain_json(sc, f->s), NULL);
	return json;
}

/* Print samples one by one, since a recording may hold any number of them. */
static int print_json(struct script *sc)
{
	const char *before = "\n";
	struct pd_sample s;
	struct resolved f;

	fputs("{\"schema\":\"acrctl-script/1\",\"samples\":[", stdout);
	while (!ferror(stdout) && view_next(&sc->view, &s)) {
		resolve(sc, &s, &f);
		fputs(before, stdout);
		if (jsonout_print(sample_json(sc, &f)))
			return output_no_memory(command.name);
		before = ",\n";
	}
	fputs("\n]}\n", stdout);
	return ACRCTL_EXIT_DONE;
}

static int print_text(struct script *sc)
{
	struct pd_sample s;
	struct resolved f;

	while (!ferror(stdout) && view_next(&sc->view, &s)) {
		resolve(sc, &s, &f);
		print_task(sc, &f);
		if (has_chain(sc, &s))
			print_chain(sc, &s);
		else
			print_code(sc, s.ip, &f.loc);
	}
	return ACRCTL_EXIT_DONE;
}

static int run(struct script *sc)
{
	int status;

	/* samples are printed while they are read, but for folded ones */
	if (!sc->args.fold && !progress_fits_stdout())
		progress_end(&sc->view.progress);
	status = sc->args.fold ? fold_print(&sc->args, &sc->view) :
		 sc->args.json ? print_json(sc) : print_text(sc);
	return view_close_notes(&sc->view, sc->args.path) ? ACRCTL_EXIT_FAILED : status;
}

/**
 * cmd_script() - acrctl script
 *
 * Return: the exit status.
 */
int cmd_script(int argc, char **argv)
{
	struct script sc = { .args = { .path = VIEW_DEFAULT_PATH } };
	int i, status;

	status = view_args_parse(&command, &sc.args, argc, argv);
	if (status >= 0)
		return status;
	for (i = 0; !sc.args.listed && i < NR_FIELDS; i++)
		sc.args.chosen[i] = sc.args.json || (i != FIELD_PID && i != FIELD_ID);
	status = view_args_open(&sc.args, &sc.view) ? ACRCTL_EXIT_FAILED : run(&sc);
	view_end(&sc.view);
	return status;
}
