// SPDX-License-Identifier: GPL-2.0-only
/* acrctl script: one line, or one JSON object, for each sample of a recording. */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "cmd.h"
#include "json.h"
#include "view.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000

static const char usage[] =
"Usage: acrctl script [-i FILE] [-F FIELD,...] [--json] [--vmlinux FILE] [--kallsyms FILE]\n"
"\n"
"Print the samples of a recording one by one, in the order of their times.\n"
"\n"
"  -i, --input FILE      the recording, also one by perf (default: perf.data)\n"
"  -F, --fields FIELD,...  what to print: comm, pid, tid, cpu, time, event, period, id, ip, sym,\n"
"                        symoff, dso (default: comm,tid,cpu,time,period,event,ip,sym,symoff,dso)\n"
"  -j, --json            print a JSON array with an object for each sample, all fields or those of -F\n"
"      --vmlinux FILE    take the kernel's symbols from this file\n"
"      --kallsyms FILE   take the kernel's symbols from this copy of /proc/kallsyms\n"
"  -h, --help            show this help\n";

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

static const char *const field_names[NR_FIELDS] = {
	"comm", "pid", "tid", "cpu", "time", "period", "event", "id", "ip", "sym", "symoff", "dso",
};

struct script {
	const char *path;
	bool json;
	bool chosen;		/* -F was given */
	bool fields[NR_FIELDS];
	struct view view;
};

/* A sample with everything found out about it. */
struct found {
	const struct pd_sample *s;
	const char *comm;
	const char *event;
	__u64 period;
	struct sym_location loc;
};

static bool parse_fields(struct script *sc, char *list)
{
	char *word, *save = NULL;
	int i;

	memset(sc->fields, 0, sizeof(sc->fields));
	sc->chosen = true;
	for (word = strtok_r(list, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < NR_FIELDS; i++) {
			if (!strcmp(word, field_names[i]))
				break;
		}
		if (i == NR_FIELDS) {
			fprintf(stderr,
				"acrctl: -F '%s' is not known; use comm, pid, tid, cpu, time, period, event, id, ip, sym, symoff or dso, with commas between them\n",
				word);
			return false;
		}
		sc->fields[i] = true;
	}
	return true;
}

static int parse_args(struct script *sc, int argc, char **argv)
{
	enum { OPT_VMLINUX = 256, OPT_KALLSYMS };
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "fields", required_argument, NULL, 'F' },
		{ "json", no_argument, NULL, 'j' },
		{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "i:F:jh", options, NULL)) != -1) {
		if (c == 'i')
			sc->path = optarg;
		else if (c == 'j')
			sc->json = true;
		else if (c == OPT_VMLINUX)
			sc->view.space.vmlinux = optarg;
		else if (c == OPT_KALLSYMS)
			sc->view.space.kallsyms = optarg;
		else if (c == 'F' && !parse_fields(sc, optarg))
			return ACRCTL_EXIT_USAGE;
		else if (c == 'h')
			return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		else if (c == '?')
			return ACRCTL_EXIT_USAGE;
	}
	if (optind < argc) {
		fprintf(stderr, "acrctl: script takes no argument '%s'; name the file with -i\n",
			argv[optind]);
		return ACRCTL_EXIT_USAGE;
	}
	return -1;
}

static void find(struct script *sc, const struct pd_sample *s, struct found *f)
{
	const struct pd_file_event *e = &sc->view.reader.events[s->event];
	bool kernel = view_is_kernel(s);

	memset(f, 0, sizeof(*f));
	f->s = s;
	f->event = e->name;
	f->period = s->fields & PERF_SAMPLE_PERIOD ? s->period : e->attr.sample_period;
	f->comm = sym_space_comm_of(&sc->view.space, s->pid, s->tid);
	if (sc->fields[FIELD_SYM] || sc->fields[FIELD_SYMOFF] || sc->json)
		sym_space_resolve(&sc->view.space, kernel, s->pid, s->ip, &f->loc);
	else
		f->loc.dso = sym_space_dso_of(&sc->view.space, kernel, s->pid, s->ip);
	if (kernel && !f->loc.dso)
		f->loc.dso = SYM_KERNEL_NAME;
}

static void print_who(const struct script *sc, const struct found *f)
{
	const struct pd_sample *s = f->s;

	if (sc->fields[FIELD_COMM])
		printf("%16s ", f->comm ? f->comm : "[unknown]");
	if (sc->fields[FIELD_PID] && sc->fields[FIELD_TID])
		printf("%7u/%-7u ", s->pid, s->tid);
	else if (sc->fields[FIELD_PID] || sc->fields[FIELD_TID])
		printf("%7u ", sc->fields[FIELD_PID] ? s->pid : s->tid);
	if (sc->fields[FIELD_CPU])
		printf("[%03u] ", s->cpu);
	if (sc->fields[FIELD_TIME])
		printf("%6llu.%06llu: ", s->time / NSEC_PER_SEC,
		       s->time % NSEC_PER_SEC / NSEC_PER_USEC);
	if (sc->fields[FIELD_PERIOD])
		printf("%10llu ", f->period);
	if (sc->fields[FIELD_EVENT])
		printf("%s: ", f->event);
	if (sc->fields[FIELD_ID])
		printf("%#llx ", s->id);
}

static void print_where(const struct script *sc, const struct found *f)
{
	if (sc->fields[FIELD_IP])
		printf("%16llx ", f->s->ip);
	if (sc->fields[FIELD_SYM] || sc->fields[FIELD_SYMOFF]) {
		printf("%s", f->loc.symbol ? f->loc.symbol : "[unknown]");
		if (sc->fields[FIELD_SYMOFF] && f->loc.symbol)
			printf("+%#llx", f->loc.offset);
	}
	if (sc->fields[FIELD_DSO])
		printf(" (%s)", f->loc.dso ? f->loc.dso : "[unknown]");
	printf("\n");
}

/* The start of a member: comma and name; false if the field is not wanted. */
static bool member(const struct script *sc, enum field field, int *nr)
{
	if (!sc->fields[field])
		return false;
	printf("%s\"%s\":", (*nr)++ ? "," : "", field_names[field]);
	return true;
}

static void print_json(const struct script *sc, const struct found *f)
{
	const struct pd_sample *s = f->s;
	int nr = 0;

	printf("{");
	if (member(sc, FIELD_COMM, &nr))
		json_string(stdout, f->comm);
	if (member(sc, FIELD_PID, &nr))
		printf("%u", s->pid);
	if (member(sc, FIELD_TID, &nr))
		printf("%u", s->tid);
	if (member(sc, FIELD_CPU, &nr))
		printf("%u", s->cpu);
	/* nanoseconds in a string: more digits than many readers' numbers hold */
	if (member(sc, FIELD_TIME, &nr))
		printf("\"%llu\"", s->time);
	if (member(sc, FIELD_PERIOD, &nr))
		printf("%llu", f->period);
	if (member(sc, FIELD_EVENT, &nr))
		json_string(stdout, f->event);
	if (member(sc, FIELD_ID, &nr))
		printf("\"%#llx\"", s->id);
	if (member(sc, FIELD_IP, &nr))
		printf("\"%#llx\"", s->ip);
	if (member(sc, FIELD_SYM, &nr))
		json_string(stdout, f->loc.symbol);
	if (member(sc, FIELD_SYMOFF, &nr))
		printf("%llu", f->loc.offset);
	if (member(sc, FIELD_DSO, &nr))
		json_string(stdout, f->loc.dso);
	printf("}");
}

static void run(struct script *sc)
{
	const char *comma = "\n";
	struct pd_sample s;
	struct found f;

	if (sc->json)
		printf("[");
	while (view_next(&sc->view, &s)) {
		find(sc, &s, &f);
		if (sc->json) {
			fputs(comma, stdout);
			print_json(sc, &f);
			comma = ",\n";
			continue;
		}
		print_who(sc, &f);
		print_where(sc, &f);
	}
	if (sc->json)
		printf("\n]\n");
	view_close_notes(&sc->view, sc->path);
}

/**
 * cmd_script() - acrctl script
 * @argc: number of arguments, the command's name included
 * @argv: the arguments
 *
 * Return: the exit status.
 */
int cmd_script(int argc, char **argv)
{
	struct script sc = { .path = "perf.data" };
	int i, status;

	status = parse_args(&sc, argc, argv);
	if (status >= 0)
		return status;
	for (i = 0; !sc.chosen && i < NR_FIELDS; i++)
		sc.fields[i] = sc.json || (i != FIELD_PID && i != FIELD_ID);
	status = ACRCTL_EXIT_FAILED;
	if (!view_open_file(&sc.view, sc.path)) {
		run(&sc);
		status = ACRCTL_EXIT_DONE;
	}
	view_end(&sc.view);
	if (fflush(stdout) && status == ACRCTL_EXIT_DONE) {
		fprintf(stderr, "acrctl: output: %s\n", strerror(errno));
		status = ACRCTL_EXIT_FAILED;
	}
	return status;
}
