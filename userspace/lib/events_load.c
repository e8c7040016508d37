// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finding the table of a CPU: in a directory of JSON files, or built in. */
#include "events_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kmod/regs.h"

#define LINE_LEN	1024

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

void acrpmu_events_drop_dir(struct acrpmu_events *events)
{
	if (events->path)
		event_dir_free(&events->dir);
	free(events->path);
	events->path = NULL;
}

int acrpmu_events_read_dir(struct acrpmu_events *events, const char *path)
{
	int err;

	events->path = strdup(path);
	if (!events->path)
		return -ENOMEM;
	err = event_dir_load(path, pass_report, events, &events->dir);
	if (err)
		acrpmu_events_drop_dir(events);
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
	/* files of one CPU without a mapfile: the user knows which CPU they are for */
	if (!table && !maps->nr && maps->nr_tables == 1)
		table = maps->tables[0];
	return table;
}

/*
 * The CPUID string of any CPU that a row of the CPU table stands for.  An entry without a type, of
 * a part whose other entries have one, is for its P-cores.
 */
bool acrpmu_events_set_id(struct cpu_identity *id, const struct acrpmu_model_id *model_id,
			  unsigned int stepping)
{
	char string[CPU_IDENTITY_LEN];

	snprintf(string, sizeof(string), "GenuineIntel-%u-%X-%X", model_id->family,
		 model_id->model, stepping);
	if (acrpmu_cpu_identity_parse(string, (__u32)model_id->core_type << 24 |
				      model_id->native_model, id))
		return false;
	if (!model_id->core_type && id->core_type)
		acrpmu_cpu_identity_set(id, id->signature, CPUID_1A_CORE_TYPE_CORE << 24);
	return true;
}

/* A CPU given by name may be any of those that its row in the CPU table stands for. */
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
		if (!acrpmu_events_set_id(&id, &model->ids[i], 0))
			continue;
		table = event_maps_find(maps, id.string, id.core_type);
		if (!table)
			continue;
		events->id = id;
		return table;
	}
	return NULL;
}

bool acrpmu_events_use_maps(struct acrpmu_events *events, const struct event_maps *maps)
{
	events->maps = maps;
	events->table = table_in(events, maps);
	if (!events->table)
		events->table = table_of_ids(events, maps);
	return events->table;
}

/* Look in the directories of the system, then in what is built in. */
void acrpmu_events_load_table(struct acrpmu_events *events)
{
	const char *const *path;

	events->loaded = true;
	for (path = events->places->dirs; *path; path++) {
		if (access(*path, R_OK | X_OK) || acrpmu_events_read_dir(events, *path))
			continue;
		if (acrpmu_events_use_maps(events, &events->dir.maps))
			return;
		acrpmu_events_drop_dir(events);
	}
	acrpmu_events_use_maps(events, events->places->builtin);
}
