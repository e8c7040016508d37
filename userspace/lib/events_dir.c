// SPDX-License-Identifier: LGPL-2.1-or-later
/* The directory or file of events that a user gives: whether it is for the CPU. */
#include "events_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gen/walk.h"
#include "../util/message.h"
#include "event_term.h"
#include "perf_name.h"

#define LINE_LEN	1024

/* The user's own files: what is wrong with them is told at once. */
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

/* Names in a user's files that cannot be asked for: better said when they are read. */
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

/*
 * The CPU that a directory, file or table is called after, NULL if none; @same: whether it is the
 * one in use.  A name of no CPU of ours says nothing, and neither does that of the fallback.
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
	*same = *events->id.string &&
		event_maps_find(builtin, events->id.string, events->id.core_type) == table;
	return acrpmu_events_model_of_table(builtin, table, &id);
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
	acrpmu_events_set_model(events, model);
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

int acrpmu_events_check_dir(struct acrpmu_events *events, const char *path,
			    struct acrpmu_message *message)
{
	if (events->table || acrpmu_events_use_maps(events, &events->dir.maps))
		return events->maps->nr || events->maps->nr_tables > 1 ? 0 :
		       check_names(events, path, message);
	acrpmu_message_text(message, "no-table", "no table in '%.*s' is for the CPU '%s'",
			    SHOWN_LEN, path, *events->id.string ? events->id.string :
			    *events->name ? events->name : "of this machine");
	acrpmu_message_hint(message, "name one of its directories with --pmu, or see whether its "
			    "mapfile.csv has that CPU");
	return -ENOENT;
}
