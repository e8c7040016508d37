// SPDX-License-Identifier: LGPL-2.1-or-later
/* The directory or file of events that a user gives: reading it, and whether it fits the CPU. */
#include "events_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../gen/mapfile.h"
#include "../gen/walk.h"
#include "../util/message.h"
#include "event_term.h"
#include "perf_name.h"

#define LINE_LEN	1024

/* Read now rather than on first use: the user wants to know of errors. */
int acrpmu_events_open_dir(struct acrpmu_events *events, const char *path,
			   struct acrpmu_message *message)
{
	int err = acrpmu_events_read_dir(events, path);

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

/* Names in a user's files that no event string can refer to. */
void acrpmu_events_report_dir(struct acrpmu_events *events, const char *path)
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

/* Whether a table is for the CPU in use, or for its other kind of core and has this one's too. */
static bool is_table_here(const struct acrpmu_events *events, const struct event_maps *maps,
			  const struct event_table *table)
{
	const char *cpuid = events->id.string;
	bool here = false;
	__u32 i;

	if (!*cpuid)
		return false;
	if (event_maps_find(maps, cpuid, events->id.core_type) == table)
		return true;
	for (i = 0; i < maps->nr && !here; i++)
		here = maps->maps[i].table == table && event_maps_match(&maps->maps[i], cpuid);
	for (i = 0; here && i < table->nr; i++) {
		if (!strcmp(table->text + table->rows[i].pmu, events->id.pmu))
			return true;
	}
	return false;
}

/*
 * The CPU that a directory, file or table is named after, NULL if none; @same: whether it is the
 * one in use.  Other names carry no meaning, nor does that of the fallback.
 */
static const struct acrpmu_model *model_of_name(const struct acrpmu_events *events,
						const char *name, bool *same)
{
	const struct event_maps *builtin = events->places->builtin;
	const struct acrpmu_model *model = acrpmu_events_find_model(name);
	const struct event_table *table;
	struct cpu_identity id;

	*same = model && model == events->caps.model;
	if (model)
		return model->nr_ids ? model : NULL;
	table = event_maps_by_name(builtin, name);
	if (!table)
		return NULL;
	*same = is_table_here(events, builtin, table);
	return acrpmu_events_model_of_table(builtin, table, &id);
}

static int refuse_other_cpu(const struct acrpmu_events *events, const char *path, const char *name,
			    struct acrpmu_message *message)
{
	const struct acrpmu_model *model = events->caps.model;

	acrpmu_message_text(message, "events-cpu", "the events in '%.*s' are those of '%.*s', but "
			    "the CPU is '%s'", SHOWN_LEN, path, SHOWN_LEN, name,
			    model ? model->name : events->id.string);
	acrpmu_message_hint(message, "give the directory of events of this CPU");
	return -ENOENT;
}

/* Events without a mapfile are for any CPU, unless they are named after another one. */
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
	/* if nothing else determines the CPU, the name does */
	acrpmu_events_set_model(events, model);
	return 0;
}

/* Whether an entry is for the directory @name next to the mapfile, or for a file in it. */
static bool is_in(const struct mapfile_entry *entry, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(entry->path, name, len) && (!entry->path[len] || entry->path[len] == '/');
}

/* Whether a mapfile assigns a directory to CPUs, but not to the one in use. */
static bool is_for_others(const struct mapfile *mapfile, const char *name, const char *cpuid)
{
	bool others = false;
	unsigned int i;

	for (i = 0; i < mapfile->nr; i++) {
		const struct event_map map = { .cpuid = mapfile->entries[i].cpuid };

		if (!is_in(&mapfile->entries[i], name))
			continue;
		if (event_maps_match(&map, cpuid))
			return false;
		others = true;
	}
	return others;
}

/* The directory of one CPU may be part of a tree, with the mapfile.csv in @parent. */
static int check_parent(const struct acrpmu_events *events, const char *path, const char *parent,
			const char *name, struct acrpmu_message *message)
{
	const char *cpuid = events->id.string;
	struct mapfile mapfile = { .nr = 0 };
	struct reporter silent = { .fn = NULL };
	struct arena *arena;
	const char *file;
	int err = 0;

	/* a table chosen by its name is for that CPU */
	if (!*cpuid || !strcmp(cpuid, events->table->name))
		return 0;
	arena = arena_new();
	file = arena ? walk_join(arena, parent, "mapfile.csv") : NULL;
	if (!file)
		err = -ENOMEM;
	else if (!access(file, R_OK))
		err = mapfile_read(file, arena, &mapfile, &silent);
	/* ignore a mapfile that cannot be read */
	if (err != -ENOMEM)
		err = is_for_others(&mapfile, name, cpuid) ?
		      refuse_other_cpu(events, path, name, message) : 0;
	arena_free(arena);
	return err;
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
		if (!err && !named)
			err = check_parent(events, path, real, name, message);
	}
	free(real);
	return err;
}

int acrpmu_events_check_dir(struct acrpmu_events *events, const char *path,
			    struct acrpmu_message *message)
{
	if (events->table || acrpmu_events_use_maps(events, &events->dir.maps))
		return events->maps->nr || events->maps->nr_tables > 1 ? 0 :
		       check_names(events, path, message);
	acrpmu_message_text(message, "no-table", "no table in '%.*s' is for the CPU '%s'",
			    SHOWN_LEN, path, *events->id.string ? events->id.string :
			    *events->name ? events->name : "of this machine");
	acrpmu_message_hint(message, "give the directory of events of that CPU, or see whether "
			    "mapfile.csv has it");
	return -ENOENT;
}
