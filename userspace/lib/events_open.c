// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opening the named events of a CPU: which CPU is meant, and where its table is. */
#include "events.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../gen/walk.h"
#include "cpu.h"
#include "perf_name.h"
#include "event_term.h"
#include "../util/message.h"

#ifndef ACRPMU_DATA_DIR
#define ACRPMU_DATA_DIR	"/usr/local/share/acrpmu"
#endif

#define LINE_LEN	1024
#define SHOWN_LEN	128	/* of a path or name in a message */

static const char *const system_dirs[] = { "/etc/acrpmu/events", ACRPMU_DATA_DIR "/events", NULL };

/* ---- reading files ------------------------------------------------------------------------ */

static void pass_report(void *ctx, const struct event_report *report)
{
	const struct acrpmu_events *events = ctx;
	char line[LINE_LEN];
	int n;

	if (!events->report)
		return;
	n = snprintf(line, sizeof(line), "%s:", report->path);
	if (report->line && n < (int)sizeof(line))
		n += snprintf(line + n, sizeof(line) - n, "%u:", report->line);
	if (n < (int)sizeof(line))
		snprintf(line + n, sizeof(line) - n, "%s%s%s %s", *report->field ? " " : "",
			 report->field, *report->field ? ":" : "", report->text);
	events->report(events->ctx, line);
}

static void drop_dir(struct acrpmu_events *events)
{
	if (events->path)
		event_dir_free(&events->dir);
	free(events->path);
	events->path = NULL;
}

static int read_dir(struct acrpmu_events *events, const char *path)
{
	int err;

	events->path = strdup(path);
	if (!events->path)
		return -ENOMEM;
	err = event_dir_load(path, pass_report, events, &events->dir);
	if (err)
		drop_dir(events);
	return err;
}

/* ---- which table -------------------------------------------------------------------------- */

static const struct event_table *table_in(const struct acrpmu_events *events,
					  const struct event_maps *maps)
{
	const struct event_table *table = NULL;

	if (*events->name)
		table = event_maps_by_name(maps, events->name);
	if (!table && *events->id.string)
		table = event_maps_find(maps, events->id.string, events->id.core_type);
	/* files of one CPU without a mapping table: the user knows for which */
	if (!table && !maps->nr && maps->nr_tables == 1)
		table = maps->tables[0];
	return table;
}

/* The CPUID string of any CPU that a row of the CPU table stands for. */
static bool set_id(struct cpu_identity *id, const struct acrpmu_model_id *model_id)
{
	char string[CPU_IDENTITY_LEN];

	snprintf(string, sizeof(string), "GenuineIntel-%u-%X", model_id->family, model_id->model);
	return !acrpmu_cpu_identity_parse(string, (__u32)model_id->core_type << 24 |
					  model_id->native_model, id);
}

/* A CPU that was asked for by its name may be any of those that its row stands for. */
static const struct event_table *table_of_ids(struct acrpmu_events *events,
					      const struct event_maps *maps)
{
	const struct acrpmu_model *model = events->caps.model;
	const struct event_table *table;
	struct cpu_identity id;
	unsigned int i;

	if (!model || strcmp(events->name, model->name))
		return NULL;
	for (i = 0; i < model->nr_ids; i++) {
		if (!set_id(&id, &model->ids[i]))
			continue;
		table = event_maps_find(maps, id.string, id.core_type);
		if (!table)
			continue;
		events->id = id;
		return table;
	}
	return NULL;
}

static bool use_maps(struct acrpmu_events *events, const struct event_maps *maps)
{
	events->maps = maps;
	events->table = table_in(events, maps);
	if (!events->table)
		events->table = table_of_ids(events, maps);
	return events->table;
}

/* Look in the directories of the system, then in what is built in. */
static void load_table(struct acrpmu_events *events)
{
	const char *const *path;

	events->loaded = true;
	for (path = events->places->dirs; *path; path++) {
		if (access(*path, R_OK | X_OK) || read_dir(events, *path))
			continue;
		if (use_maps(events, &events->dir.maps))
			return;
		drop_dir(events);
	}
	use_maps(events, events->places->builtin);
}

/* ---- which CPU ---------------------------------------------------------------------------- */

static void set_model(struct acrpmu_events *events, const struct acrpmu_model *model)
{
	acrpmu_model_caps(&model->cpuid, &events->caps);
	/* the signature of the fallback is nobody's */
	events->caps.model = model;
}

static void set_model_id(struct acrpmu_events *events, const struct acrpmu_model *model)
{
	set_model(events, model);
	if (model->nr_ids)
		acrpmu_cpu_identity_set(&events->id, model->cpuid.l1_eax, model->cpuid.l1a_eax);
	else
		strcpy(events->id.pmu, CPU_PMU);
}

/* As acrpmu_model_by_name(), in either case. */
static const struct acrpmu_model *find_model(const char *name)
{
	char small[CPU_IDENTITY_LEN];
	size_t i;

	for (i = 0; name[i] && i < sizeof(small) - 1; i++)
		small[i] = tolower((unsigned char)name[i]);
	small[i] = 0;
	return name[i] ? NULL : acrpmu_model_by_name(small);
}

static bool is_for_id(const struct event_maps *maps, const struct event_table *table,
		      const struct acrpmu_model_id *model_id, struct cpu_identity *id)
{
	return set_id(id, model_id) && event_maps_find(maps, id->string, id->core_type) == table;
}

/* The first CPU that a table is for; NULL if it is none that the module is for. */
static const struct acrpmu_model *model_of_table(const struct event_maps *maps,
						 const struct event_table *table,
						 struct cpu_identity *id)
{
	const struct acrpmu_model *model = NULL;
	unsigned int i;

	while ((model = acrpmu_model_next(model))) {
		for (i = 0; i < model->nr_ids; i++) {
			if (is_for_id(maps, table, &model->ids[i], id))
				return model;
		}
	}
	return NULL;
}

/* The CPU of a table that was chosen by its own name. */
static void find_cpu_of_table(struct acrpmu_events *events)
{
	const struct event_maps *maps = events->maps;
	const struct event_table *table = events->table;
	const struct acrpmu_model *model;
	struct cpu_identity id;

	/* files without a mapping table: that of the built-in ones may have the name */
	if (!maps->nr) {
		maps = events->places->builtin;
		table = event_maps_by_name(maps, table->name);
	}
	model = table ? model_of_table(maps, table, &id) : NULL;
	if (model) {
		set_model(events, model);
		events->id = id;
		return;
	}
	/* a CPU that the module is not for: its names can be shown */
	events->id = (struct cpu_identity){ .pmu = CPU_PMU };
	snprintf(events->id.string, sizeof(events->id.string), "%s", events->table->name);
}

static int refuse_pmu(const struct acrpmu_events *events, const char *pmu,
		      struct acrpmu_message *message)
{
	const struct event_maps *maps = events->maps ? events->maps : events->places->builtin;
	struct suggestion best = { NULL };
	const char *name = NULL;
	unsigned int i;

	while ((name = acrpmu_cpu_next_name(name)))
		acrpmu_suggest_consider(&best, pmu, strlen(pmu), name);
	for (i = 0; i < maps->nr_tables; i++)
		acrpmu_suggest_consider(&best, pmu, strlen(pmu), maps->tables[i]->name);
	acrpmu_message_text(message, "unknown-pmu", "there is no CPU '%.*s'", SHOWN_LEN, pmu);
	if (best.word)
		acrpmu_message_hint(message, "did you mean '%s'?", best.word);
	else
		acrpmu_message_hint(message, "'acrctl list --pmu list' names those known%s",
				    events->path ? "" : "; events of others can be read with "
				    "--events DIR");
	return -ENOENT;
}

static int set_here(struct acrpmu_events *events, const char *pmu)
{
	struct acrpmu_cpuid cpuid;
	int err = acrpmu_cpu_identity_here(events->places->sysfs, pmu, &events->id, &cpuid);

	if (err)
		return err;
	if (acrpmu_cpuid_caps(&cpuid, &events->caps))
		events->caps.model = NULL;
	events->lacking = acrpmu_cpu_identity_lacking(&cpuid);
	return 0;
}

static bool is_pmu_here(const struct acrpmu_events *events, const char *pmu)
{
	return (!strcmp(pmu, CPU_PMU_ATOM) || !strcmp(pmu, CPU_PMU_CORE) ||
		!strcmp(pmu, CPU_PMU_LOWPOWER)) &&
	       acrpmu_cpu_identity_first(events->places->sysfs, pmu) >= 0;
}

/* By the name of a table, be it in the files given or, for those, among the built-in ones. */
static bool set_by_table(struct acrpmu_events *events, const char *pmu)
{
	const struct event_maps *given = events->maps;

	if (!events->loaded)
		load_table(events);
	/* one table without a mapping table is for any CPU, but not of any name */
	if (events->table && event_maps_by_name(events->maps, pmu) == events->table) {
		find_cpu_of_table(events);
		return true;
	}
	events->maps = events->places->builtin;
	events->table = event_maps_by_name(events->maps, pmu);
	if (!given || !events->table)
		return false;
	find_cpu_of_table(events);
	events->maps = given;
	events->table = NULL;
	return true;
}

static int set_by_name(struct acrpmu_events *events, const char *pmu,
		       struct acrpmu_message *message)
{
	const struct acrpmu_model *model = find_model(pmu);

	if (is_pmu_here(events, pmu) && !set_here(events, pmu))
		return 0;
	snprintf(events->name, sizeof(events->name), "%s", pmu);
	if (model) {
		/* so that the table of that CPU is found by either of its names */
		snprintf(events->name, sizeof(events->name), "%s", model->name);
		set_model_id(events, model);
		return 0;
	}
	return set_by_table(events, pmu) ? 0 : refuse_pmu(events, pmu, message);
}

static int set_by_cpuid(struct acrpmu_events *events, const struct acrpmu_events_options *options,
			struct acrpmu_message *message)
{
	if (acrpmu_cpu_identity_parse(options->cpuid, options->core_type, &events->id)) {
		acrpmu_message_text(message, "cpuid", "'%.*s' is not a CPUID string", SHOWN_LEN,
				    options->cpuid);
		acrpmu_message_hint(message, "write it like GenuineIntel-6-DD-0: family in "
				    "decimal, model and stepping in hexadecimal digits");
		return -EINVAL;
	}
	if (events->id.signature)
		set_model(events, acrpmu_model_find(events->id.signature, events->id.core_type));
	return 0;
}

static int choose_cpu(struct acrpmu_events *events, const struct acrpmu_events_options *options,
		      struct acrpmu_message *message)
{
	if (options->pmu)
		return set_by_name(events, options->pmu, message);
	if (options->cpuid)
		return set_by_cpuid(events, options, message);
	/* without any CPU, perf's generic names are still known */
	if (set_here(events, NULL))
		strcpy(events->id.pmu, CPU_PMU);
	return 0;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* The user's own files: what is wrong with them is told at once. */
static int open_dir(struct acrpmu_events *events, const char *path, struct acrpmu_message *message)
{
	int err = read_dir(events, path);

	if (err == -ENOMEM)
		return err;
	if (err) {
		acrpmu_message_text(message, "events-dir", "the events in '%.*s' cannot be read: "
				    "%s", SHOWN_LEN, path, strerror(-err));
		acrpmu_message_hint(message, "give a directory of JSON files in perf's or Intel's "
				    "form, with its mapfile.csv, or a JSON file");
		return err;
	}
	events->loaded = true;
	events->maps = &events->dir.maps;
	return 0;
}

/* Why an event string cannot name the event of a row; NULL: it can. */
static const char *unreadable(const char *name, const struct event_row *row)
{
	__u64 config;

	if (acrpmu_perf_name_find(name, strlen(name), &config) && config != row->config)
		return "is read as perf's own event of that name";
	if (acrpmu_term_is_raw((struct span){ name, strlen(name) }))
		return "is read as a raw code";
	return strpbrk(name, ":+") ? "has a ':' or '+', which ends a name" : NULL;
}

/* Names in a user's files that cannot be asked for: better said when they are read. */
static void report_unreadable(struct acrpmu_events *events, const char *path)
{
	const struct event_table *table = events->table;
	char line[LINE_LEN];
	unsigned int i;

	for (i = 0; events->report && i < table->nr; i++) {
		const char *name = table->text + table->rows[i].name;
		const char *why = unreadable(name, &table->rows[i]);

		if (!why || table->rows[i].flags & EVENT_OTHER_PMU)
			continue;
		snprintf(line, sizeof(line), "%s: the name '%.*s' %s; rename it, or write "
			 "cpu/%s/", path, SHOWN_LEN, name, why, table->text + table->rows[i].terms);
		events->report(events->ctx, line);
	}
}

/* The last part of a path, which is cut off. */
static const char *cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return "";
	*slash = 0;
	return slash + 1;
}

/*
 * The CPU that a directory, file or table is called after, NULL if none; @same: whether it is the
 * one in use.  A name of no CPU of ours says nothing, and neither does that of the fallback.
 */
static const struct acrpmu_model *model_of_name(const struct acrpmu_events *events,
						const char *name, bool *same)
{
	const struct event_maps *builtin = events->places->builtin;
	const struct acrpmu_model *model = find_model(name);
	const struct event_table *table;
	struct cpu_identity id;

	*same = model && model == events->caps.model;
	if (model)
		return model->nr_ids ? model : NULL;
	table = event_maps_by_name(builtin, name);
	if (!table)
		return NULL;
	*same = *events->id.string &&
		event_maps_find(builtin, events->id.string, events->id.core_type) == table;
	return model_of_table(builtin, table, &id);
}

static int refuse_other_cpu(const struct acrpmu_events *events, const char *path, const char *name,
			    struct acrpmu_message *message)
{
	const struct acrpmu_model *model = events->caps.model;

	acrpmu_message_text(message, "events-cpu", "the events in '%.*s' are those of '%.*s', but "
			    "the CPU is '%s'", SHOWN_LEN, path, SHOWN_LEN, name,
			    model ? model->name : events->id.string);
	acrpmu_message_hint(message, "choose that CPU with --pmu %.*s, or give the directory of "
			    "events of this one", SHOWN_LEN, name);
	return -ENOENT;
}

/* Events without a mapping table are for any CPU, but not if they are called after another one. */
static int check_name(struct acrpmu_events *events, const char *path, const char *name,
		      bool *named, struct acrpmu_message *message)
{
	bool same;
	const struct acrpmu_model *model = model_of_name(events, name, &same);

	*named = model;
	if (!model || same)
		return 0;
	if (*events->id.string || events->caps.model)
		return refuse_other_cpu(events, path, name, message);
	/* where nothing else tells the CPU, the name does */
	set_model_id(events, model);
	return 0;
}

static int check_names(struct acrpmu_events *events, const char *path,
		       struct acrpmu_message *message)
{
	char *real = realpath(path, NULL);
	const char *name;
	bool named;
	int err;

	if (!real)
		return -errno;
	err = check_name(events, path, events->table->name, &named, message);
	if (!err && !named) {
		name = cut_name(real);
		if (walk_is_json(name))
			name = cut_name(real);
		/* Intel has the files of a CPU in NAME/events */
		if (!strcmp(name, "events"))
			name = cut_name(real);
		err = check_name(events, path, name, &named, message);
	}
	free(real);
	return err;
}

static int check_dir(struct acrpmu_events *events, const char *path,
		     struct acrpmu_message *message)
{
	if (events->table || use_maps(events, &events->dir.maps))
		return events->maps->nr || events->maps->nr_tables > 1 ? 0 :
		       check_names(events, path, message);
	acrpmu_message_text(message, "no-table", "no table in '%.*s' is for the CPU '%s'",
			    SHOWN_LEN, path, *events->id.string ? events->id.string :
			    *events->name ? events->name : "of this machine");
	acrpmu_message_hint(message, "name one of its directories with --pmu, or see whether its "
			    "mapfile.csv has that CPU");
	return -ENOENT;
}

static int open_events(struct acrpmu_events *events, const struct acrpmu_events_options *options,
		       struct acrpmu_message *message)
{
	int err = 0;

	if (options->dir)
		err = open_dir(events, options->dir, message);
	/* a name may be that of a table there */
	if (!err && options->dir && options->pmu) {
		snprintf(events->name, sizeof(events->name), "%s", options->pmu);
		events->table = event_maps_by_name(events->maps, events->name);
	}
	if (!err)
		err = choose_cpu(events, options, message);
	if (!err && options->dir)
		err = check_dir(events, options->dir, message);
	if (!err && options->dir)
		report_unreadable(events, options->dir);
	return err;
}

int acrpmu_events_open_at(const struct events_places *places,
			  const struct acrpmu_events_options *options,
			  struct acrpmu_events **events, struct acrpmu_message *message)
{
	struct acrpmu_events *e;
	int err;

	acrpmu_message_clear(message);
	if (options->size < sizeof(*options))
		return -EINVAL;
	e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	e->places = places;
	e->load = load_table;
	e->report = options->report;
	e->ctx = options->ctx;
	e->self = e;
	err = open_events(e, options, message);
	if (err) {
		acrpmu_events_close(e);
		return err;
	}
	*events = e;
	return 0;
}

/**
 * acrpmu_events_open() - the named events of a CPU
 * @options: which CPU, and where events may be read from
 * @events: out, to be closed by acrpmu_events_close(); written only on success
 * @message: out, why not; may be NULL
 *
 * Without @options->dir, /etc/acrpmu/events, the directory share/acrpmu/events where the library is
 * installed, and the built-in tables are looked into in this order, when a name is first asked for
 * that is not one of perf's generic names; the first that has the CPU is taken.
 *
 * Return: 0, also if there is no table for the CPU, which acrpmu_events_missing() tells; -EINVAL:
 * bad options or CPUID string; -ENOENT: no CPU or table has that name, or nothing in the directory
 * is for the CPU, or it is that of another one by its name; -ENOMEM; another errno if the directory
 * cannot be read.
 */
int acrpmu_events_open(const struct acrpmu_events_options *options, struct acrpmu_events **events,
		       struct acrpmu_message *message)
{
	static const struct events_places places = {
		.sysfs = CPU_SYSFS,
		.dirs = system_dirs,
		.builtin = &acrpmu_builtin_events,
	};

	return acrpmu_events_open_at(&places, options, events, message);
}

/**
 * acrpmu_events_close() - give back what acrpmu_events_open() returned
 * @events: may be NULL
 */
void acrpmu_events_close(struct acrpmu_events *events)
{
	if (!events)
		return;
	drop_dir(events);
	free(events);
}
