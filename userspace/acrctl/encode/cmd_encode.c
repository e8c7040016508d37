// SPDX-License-Identifier: GPL-2.0-only
/* acrctl encode: the registers that events would be programmed with, on this or any other CPU. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "../cmd.h"
#include "../jsonout.h"
#include "../../montecito/acrctl/montecito.h"
#include "../names.h"
#include "../printable.h"

#define RATIO_LEN	128
#define VERSION_6	6	/* from it on in-tree perf may address the registers at 0x1900 */

typedef unsigned long long ull;

static const char usage[] =
"Usage: acrctl encode [--pmu NAME] [--events DIR] [-c N] [--json] [-e] EVENTS...\n"
"\n"
"Show the counters and register values that event groups would get, without touching any.\n"
"EVENTS are as for 'acrctl record'. An event for which neither a period is given nor its table\n"
"suggests one is shown as a plain counter.\n"
"\n"
"  -e, --event EVENTS   an event or group in perf's syntax, may be repeated\n"
"  -c, --count N        period of events that have none of their own, instead of the suggested one\n"
"  -p, --pmu NAME       the CPU; 'list' names those known (default: that of this machine, or\n"
"                       " NAMES_DEFAULT_PMU " if this machine's is not known)\n"
"  -E, --events DIR     read named events from JSON files in perf's or Intel's form\n"
"  -j, --json           print JSON\n"
"  -h, --help           show this help\n"
"\n";

struct encode {
	struct event_args args;
	struct montecito_args montecito;
	struct names names;
	__u64 count;
	bool json;
	struct acrpmu_message wrong;	/* the first thing wrong with the command line */
	struct acrpmu_cpu cpu;
	struct acrpmu_spec *spec;
};

/* ---- text --------------------------------------------------------------------------------- */

static void print_levels(__u32 flags)
{
	printf("%s%s", flags & ACRPMU_EVENT_USER ? " user" : "",
	       flags & ACRPMU_EVENT_KERNEL ? " kernel" : "");
}

static void print_cfg_a(const struct acrpmu_spec_event *ev, const struct acrpmu_event_hw *hw)
{
	struct acrpmu_config_fields fields;

	if (hw->cntr >= ACRPMU_FIXED_BASE) {
		printf("    FIXED_CTR_CTRL  MSR 0x%-5x 0x%016llx", hw->cfg_a_msr, (ull)hw->cfg_a);
	} else {
		acrpmu_config_split(hw->cfg_a, &fields);
		printf("    CFG_A           MSR 0x%-5x 0x%016llx  event=0x%02x,umask=0x%02x",
		       hw->cfg_a_msr, (ull)hw->cfg_a, fields.select, fields.umask);
		if (fields.umask2)
			printf(",umask2=0x%02x", fields.umask2);
		if (fields.cmask)
			printf(",cmask=%u", fields.cmask);
		printf("%s%s%s", fields.edge ? ",edge" : "", fields.inv ? ",inv" : "",
		       fields.eq ? ",eq" : "");
	}
	printf(" ");
	print_levels(ev->attr.flags);
	printf("%s\n", ev->attr.flags & ACRPMU_EVENT_SAMPLED ? " interrupt" : "");
}

static void print_cntrs(__u64 cntrs)
{
	unsigned int i;

	for (i = 0; i < ACRPMU_CNTR_BITS; i++) {
		if (!(cntrs & BIT_ULL(i)))
			continue;
		if (i < ACRPMU_FIXED_BASE)
			printf(" GP%u", i);
		else
			printf(" FIXED%u", i - ACRPMU_FIXED_BASE);
	}
}

static void print_registers(const struct acrpmu_spec_event *ev, const struct acrpmu_event_hw *hw)
{
	print_cfg_a(ev, hw);
	if (hw->cfg_b_msr) {
		printf("    CFG_B           MSR 0x%-5x 0x%016llx  reloaded by:", hw->cfg_b_msr,
		       (ull)hw->cfg_b);
		print_cntrs(hw->cfg_b);
		printf("%s\n", hw->cfg_b ? "" : " none");
	}
	if (hw->cfg_c_msr)
		printf("    CFG_C           MSR 0x%-5x 0x%016llx\n", hw->cfg_c_msr, (ull)hw->cfg_c);
	printf("    counter         MSR 0x%-5x 0x%016llx\n", hw->cntr_msr, (ull)hw->start);
	if (hw->extra_msr)
		printf("    extra register  MSR 0x%-5x 0x%016llx\n", hw->extra_msr,
		       (ull)hw->extra_value);
}

static const char *role(__u32 flags)
{
	if (flags & ACRPMU_EVENT_SAMPLED)
		return "sampled";
	return flags & ACRPMU_EVENT_COUNT ? "counted" : "quiet";
}

static void print_event(unsigned int i, const struct acrpmu_spec_event *ev,
			const struct acrpmu_event_hw *hw)
{
	char ratio[RATIO_LEN];
	bool fixed = hw->cntr >= ACRPMU_FIXED_BASE;

	printf("  event %u: ", i);
	printable_print(stdout, 0, ev->name);
	printf("\n");
	printf("    config 0x%llx, %s", (ull)ev->attr.config, role(ev->attr.flags));
	if (ev->attr.period)
		printf(", period %llu", (ull)ev->attr.period);
	if (ev->attr.acr_mask)
		printf(", acr_mask 0x%llx", (ull)ev->attr.acr_mask);
	printf(", counter %s%u\n", fixed ? "FIXED" : "GP",
	       fixed ? hw->cntr - ACRPMU_FIXED_BASE : hw->cntr);
	if (ev->ratio_den) {
		acrpmu_spec_ratio(ev, ratio, sizeof(ratio));
		printf("    ratio to the previous event: %s, asked for ", ratio);
		printable_print(stdout, 0, ev->ratio);
		printf("\n");
	}
	print_registers(ev, hw);
}

static int print_group(const struct encode *e, unsigned int g, const struct acrpmu_event_hw *hw)
{
	char *matrix = output_matrix(e->spec, g);
	unsigned int i;

	if (!matrix)
		return -ENOMEM;
	printf("group %u: ", g);
	printable_print(stdout, 0, acrpmu_spec_text(e->spec, g));
	printf("\n  ");
	printable_print(stdout, 0, matrix);
	printf("\n");
	for (i = 0; i < acrpmu_spec_nr_events(e->spec, g); i++)
		print_event(i, acrpmu_spec_event(e->spec, g, i), &hw[i]);
	free(matrix);
	return 0;
}

/* Returns an exit status. */
static int print_text(const struct encode *e, struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS])
{
	unsigned int g;

	printf("pmu: %s (%s)%s\n", e->cpu.name, e->cpu.core,
	       e->names.guessed ? ", since this machine's CPU is not known; --pmu chooses" : "");
	for (g = 0; g < acrpmu_spec_nr_groups(e->spec); g++) {
		if (print_group(e, g, hw[g]))
			return output_no_memory("encode");
	}
	if (e->cpu.pmu_version >= VERSION_6)
		printf("%s\n",
		       "on kernels that address the registers of version 6, one general-purpose counter may be held by the claim that keeps in-tree perf off");
	return ACRCTL_EXIT_DONE;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static struct json_object *fixed_json(const struct acrpmu_event_hw *hw)
{
	return hw->cntr >= ACRPMU_FIXED_BASE ? jsonout_count(hw->cntr - ACRPMU_FIXED_BASE) :
					       jsonout_null;
}

static struct json_object *extra_reg_json(const struct acrpmu_event_hw *hw)
{
	if (!hw->extra_msr)
		return jsonout_null;
	return jsonout_object("msr", jsonout_hex(hw->extra_msr),
			      "value", jsonout_hex(hw->extra_value), NULL);
}

static struct json_object *ratio_json(const struct acrpmu_spec_event *ev)
{
	char ratio[RATIO_LEN];

	if (!ev->ratio_den)
		return jsonout_null;
	acrpmu_spec_ratio(ev, ratio, sizeof(ratio));
	return jsonout_text(ratio);
}

static void set_registers(struct json_object **json, const struct acrpmu_event_hw *hw)
{
	jsonout_set(json, "cfg_a", jsonout_hex(hw->cfg_a),
		    "cfg_b", jsonout_hex(hw->cfg_b),
		    "cfg_c", jsonout_hex(hw->cfg_c),
		    "start", jsonout_hex(hw->start),
		    "cntr_msr", jsonout_hex(hw->cntr_msr),
		    "cfg_a_msr", jsonout_hex(hw->cfg_a_msr),
		    "cfg_b_msr", jsonout_hex(hw->cfg_b_msr),
		    "cfg_c_msr", jsonout_hex(hw->cfg_c_msr), NULL);
}

static struct json_object *event_json(const struct encode *e, unsigned int g, unsigned int i,
				      const struct acrpmu_event_hw *hw)
{
	const struct acrpmu_spec_event *ev = acrpmu_spec_event(e->spec, g, i);
	struct json_object *json;

	json = jsonout_object("name", jsonout_text(ev->name),
			      "config", jsonout_hex(ev->attr.config),
			      "evtsel", jsonout_hex(acrpmu_evtsel(&e->cpu, &ev->attr, hw)),
			      "fixed", fixed_json(hw),
			      "period", jsonout_count(ev->attr.period),
			      "acr_mask", jsonout_hex(ev->attr.acr_mask),
			      "extra_reg", extra_reg_json(hw),
			      "modifiers", jsonout_text(ev->modifiers),
			      "counter", jsonout_count(hw->cntr),
			      "group", jsonout_count(g),
			      "role", jsonout_text(role(ev->attr.flags)),
			      "text", jsonout_text(ev->text),
			      "ratio", ratio_json(ev), NULL);
	set_registers(&json, hw);
	return json;
}

static struct json_object *group_json(const struct encode *e, unsigned int g)
{
	char *matrix = output_matrix(e->spec, g);
	struct json_object *json = NULL;

	if (matrix)
		json = jsonout_object("text", jsonout_text(acrpmu_spec_text(e->spec, g)),
				      "matrix", jsonout_text(matrix), NULL);
	free(matrix);
	return json;
}

static struct json_object *groups_json(const struct encode *e,
				       struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS])
{
	unsigned int g, i, nr = acrpmu_spec_nr_groups(e->spec);
	struct json_object *events = json_object_new_array(), *groups = json_object_new_array();

	for (g = 0; g < nr; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(e->spec, g); i++)
			jsonout_add(&events, event_json(e, g, i, &hw[g][i]));
		jsonout_add(&groups, group_json(e, g));
	}
	return jsonout_object("pmu", jsonout_text(e->cpu.name), "events", events,
			      "groups", groups, NULL);
}

static struct json_object *refusal_json(const struct encode *e, const struct acrpmu_message *m)
{
	struct json_object *error;

	error = jsonout_object("code", jsonout_text(m->code),
			       "column", jsonout_count(m->column),
			       "message", jsonout_text(m->text),
			       "hint", jsonout_text(m->hint), NULL);
	/* which one the column is of */
	if (e->args.nr > 1)
		jsonout_set(&error, "string", jsonout_count(m->string), NULL);
	return jsonout_object("error", error, NULL);
}

/* Returns an exit status. */
static int print_json(struct json_object *json)
{
	if (jsonout_print(json))
		return output_no_memory("encode");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

static int refuse(const struct encode *e, const struct acrpmu_message *m)
{
	if (e->json)
		return print_json(refusal_json(e, m)) ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_USAGE;
	output_error("encode", m, &e->args);
	return ACRCTL_EXIT_USAGE;
}

/* ---- the command -------------------------------------------------------------------------- */

/* Returns an exit status, or -1 to go on. */
static int open_names(struct encode *e)
{
	struct acrpmu_message message;
	int err = names_open(&e->names, &message);

	if (err == -ENOMEM)
		return output_no_memory("encode");
	return err ? refuse(e, &message) : -1;
}

static struct json_object *pmu_json(const struct acrpmu_cpu *cpu)
{
	return jsonout_object("name", jsonout_text(cpu->name),
			      "short_name", jsonout_text(*cpu->short_name ? cpu->short_name : NULL),
			      "core", jsonout_text(cpu->core),
			      "pmu_version", jsonout_count(cpu->pmu_version),
			      "acr", jsonout_bool(cpu->flags & ACRPMU_CPU_ACR), NULL);
}

static int list_pmus(struct encode *e)
{
	/* its PMU has no version of CPUID's */
	static const struct acrpmu_cpu mont = {
		.name = MONTECITO_NAME,
		.short_name = MONTECITO_SHORT_NAME,
		.core = MONTECITO_CORE,
	};
	struct json_object *pmus;
	const char *name = NULL;
	struct acrpmu_cpu cpu;

	if (!e->json) {
		names_list_pmus(&e->names);
		return ACRCTL_EXIT_DONE;
	}
	pmus = json_object_new_array();
	while ((name = acrpmu_cpu_next_name(name))) {
		if (!acrpmu_cpu_by_name(name, &cpu))
			jsonout_add(&pmus, pmu_json(&cpu));
	}
	jsonout_add(&pmus, pmu_json(&mont));
	return print_json(jsonout_object("pmus", pmus, NULL));
}

/* An event that names its CPU goes before a CPU that was only guessed. */
static void choose_by_event(struct encode *e)
{
	unsigned int g;

	for (g = 0; e->names.guessed && g < acrpmu_spec_nr_groups(e->spec); g++) {
		const struct acrpmu_spec_event *ev = acrpmu_spec_event(e->spec, g, 0);

		if (*ev->cpu && !acrpmu_cpu_by_name(ev->cpu, &e->cpu))
			e->names.guessed = false;
	}
}

/* Returns an exit status, or -1 to go on. */
static int refuse_cpu(struct encode *e)
{
	struct acrpmu_message m = { .code = "cpu-registers" };

	snprintf(m.text, sizeof(m.text), "the registers of %s are not known here",
		 acrpmu_events_cpuid(e->names.events));
	snprintf(m.hint, sizeof(m.hint), "'acrctl list' shows the names of its events and their "
		 "codes");
	return refuse(e, &m);
}

static int add_events(struct encode *e, const char *word, int argc, char **argv)
{
	return event_args_add(&e->args, word, argc, argv, &optind) ? ACRCTL_EXIT_FAILED : -1;
}

static int print_usage(void)
{
	bool failed = fputs(usage, stdout) < 0 || fputs(montecito_usage, stdout) < 0;

	return failed ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

static const struct option options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "count", required_argument, NULL, 'c' },
	{ "pmu", required_argument, NULL, 'p' },
	{ "events", required_argument, NULL, 'E' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
};

static struct option all_options[ARRAY_SIZE(options) + MONTECITO_NR_OPTIONS + 1];

/* Returns an exit status, or -1 to go on. */
static int parse_options(struct encode *e, int argc, char **argv)
{
	struct acrpmu_message m;
	int c, status = -1;

	memcpy(all_options, options, sizeof(options));
	memcpy(all_options + ARRAY_SIZE(options), montecito_options, sizeof(montecito_options));
	optind = 1;
	/* in order, since events are also taken without -e; the messages are ours */
	while (status < 0 &&
	       (c = getopt_long(argc, argv, "-:e:c:p:E:jh", all_options, NULL)) != -1) {
		int bad = 0;

		if (c == 'e' || c == 1)
			status = add_events(e, optarg, argc, argv);
		else if (c == 'c')
			bad = event_args_count(optarg, &e->count, &m);
		else if (c == 'p')
			e->names.pmu = optarg;
		else if (c == 'E')
			e->names.dir = optarg;
		else if (c == 'j')
			e->json = true;
		else if (c == 'h' && !*e->wrong.code)
			return print_usage();
		else if (c == '?' || c == ':')
			bad = option_refusal(&m, "encode", c, argv, all_options);
		else if (c != 'h')
			status = montecito_args_add(&e->montecito, c);
		/* said at the end, when it is known whether as JSON */
		if (bad && !*e->wrong.code)
			e->wrong = m;
	}
	while (status < 0 && optind < argc) {
		const char *word = argv[optind++];

		status = add_events(e, word, argc, argv);
	}
	return status;
}

/*
 * The claim sits on one general-purpose counter, on which one is up to in-tree perf: do the groups
 * fit whichever it is?
 */
static bool fits_beside_claim(const struct encode *e,
			      struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS])
{
	unsigned int i;

	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (e->cpu.cntrs & BIT_ULL(i) &&
		    acrpmu_encode_all(e->spec, &e->cpu, BIT_ULL(i), hw[0], NULL))
			return false;
	}
	return true;
}

/* Not an error: kernels with legacy addressing have no claim. */
static int warn_of_claim(const struct encode *e)
{
	unsigned int nr = acrpmu_spec_nr_groups(e->spec);
	struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS];

	if (e->cpu.pmu_version < VERSION_6)
		return 0;
	hw = calloc(nr, sizeof(*hw));
	if (!hw)
		return -ENOMEM;
	if (!fits_beside_claim(e, hw))
		fprintf(stderr,
			"acrctl: encode: note: the claim that keeps in-tree perf off takes one general-purpose counter on kernels that address the registers of version 6, and the events may not fit beside it; leave one out there\n");
	free(hw);
	return 0;
}

/* Not an error here: the registers are shown, with nothing in the extra one. */
static void warn_of_no_value(const struct encode *e)
{
	struct acrpmu_message m;
	unsigned int g;

	for (g = 0; g < acrpmu_spec_nr_groups(e->spec); g++) {
		if (acrpmu_spec_check_runnable(e->spec, g, e->cpu.name, &m) &&
		    !strcmp(m.code, "extra-missing"))
			fprintf(stderr, "acrctl: encode: note: %s, and is refused where it would "
				"run; %s\n", m.text, m.hint);
	}
}

static int encode_groups(struct encode *e)
{
	unsigned int nr = acrpmu_spec_nr_groups(e->spec);
	struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS] = calloc(nr, sizeof(*hw));
	struct acrpmu_message message;
	int status;

	if (!hw)
		return output_no_memory("encode");
	/* all or nothing: print only once every group has been encoded */
	if (acrpmu_encode_all(e->spec, &e->cpu, 0, hw[0], &message))
		status = refuse(e, &message);
	else if (warn_of_claim(e))
		status = output_no_memory("encode");
	else
		status = e->json ? print_json(groups_json(e, hw)) : print_text(e, hw);
	if (!status)
		warn_of_no_value(e);
	free(hw);
	return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int run(struct encode *e)
{
	static const struct acrpmu_message no_event = {
		.code = "no-event",
		.text = "no event is given",
		.hint = "name some, like 'cycles', or see 'acrctl encode --help'",
	};
	struct acrpmu_parse_options options = {
		.size = sizeof(options),
		.flags = ACRPMU_PARSE_COUNT | ACRPMU_PARSE_TABLE_PERIOD,
		.period = e->count,
	};
	const struct montecito_request montecito = {
		.names = &e->names,
		.words = e->args,
		.args = &e->montecito,
		.count = e->count,
		.json = e->json,
	};
	struct acrpmu_message message;
	int err, status;

	if (*e->wrong.code)
		return refuse(e, &e->wrong);
	if (names_asks_for_list(e->names.pmu))
		return list_pmus(e);
	status = montecito_encode(&montecito);
	if (status < 0)
		status = open_names(e);
	if (status >= 0)
		return status;
	if (!e->args.nr)
		return refuse(e, &no_event);
	options.events = e->names.events;
	if (!acrpmu_events_cpu(e->names.events, &e->cpu) && !e->names.guessed)
		options.pmu = e->cpu.name;
	err = acrpmu_spec_parse((const char *const *)e->args.strings, e->args.nr, &options,
				&e->spec, &message);
	if (err == -ENOMEM)
		return output_no_memory("encode");
	if (err) {
		names_explain_montecito(&e->args, &message);
		return refuse(e, &message);
	}
	choose_by_event(e);
	return *e->cpu.name ? encode_groups(e) : refuse_cpu(e);
}

/**
 * cmd_encode() - acrctl encode
 * @argc: number of words
 * @argv: the words
 *
 * Return: exit status.
 */
int cmd_encode(int argc, char **argv)
{
	struct encode e = { .names = { .command = "encode", .guess = NAMES_GUESS_OTHER } };
	int status;

	status = parse_options(&e, argc, argv);
	if (status < 0)
		status = run(&e);
	acrpmu_spec_free(e.spec);
	names_close(&e.names);
	event_args_free(&e.args);
	montecito_args_free(&e.montecito);
	return status;
}
