// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opening the named events of a CPU. */
#include "events_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../util/message.h"

#ifndef ACRPMU_DATA_DIR
#define ACRPMU_DATA_DIR	"/usr/local/share/acrpmu"
#endif

static const char *const system_dirs[] = { "/etc/acrpmu/events", ACRPMU_DATA_DIR "/events", NULL };

/* In the user's directory, other kinds of cores than that of @options->cpu may have a table. */
static int check_dir(struct acrpmu_events *events, const struct acrpmu_events_options *options,
		     struct acrpmu_message *message)
{
	int err = acrpmu_events_check_dir(events, options->dir, &events->missing);

	if (!err) {
		acrpmu_events_report_dir(events, options->dir);
		return 0;
	}
	if (err == -ENOENT && options->cpu) {
		events->table = NULL;
		return 0;
	}
	if (message)
		*message = events->missing;
	return err;
}

static int open_events(struct acrpmu_events *events, const struct acrpmu_events_options *options,
		       struct acrpmu_message *message)
{
	int err = 0;

	if (options->dir)
		err = acrpmu_events_open_dir(events, options->dir, message);
	/* the name may be that of a table there */
	if (!err && options->dir && options->pmu) {
		snprintf(events->name, sizeof(events->name), "%s", options->pmu);
		events->table = event_maps_by_name(events->maps, events->name);
	}
	if (!err)
		err = acrpmu_events_choose_cpu(events, options, message);
	if (!err && options->dir)
		err = check_dir(events, options, message);
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
	e->load = acrpmu_events_load_table;
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
 * acrpmu_events_open() - open the named events of a CPU
 * @options: which CPU, and where events may be read from
 * @events: out, to be closed by acrpmu_events_close(); written only on success
 * @message: out, why not; may be NULL
 *
 * Without @options->dir, the table comes from the first of these that has the CPU:
 * /etc/acrpmu/events, share/acrpmu/events below the prefix of the installation, and the built-in
 * tables.  They are searched when a name is looked up that is not one of perf's generic names.
 *
 * With @options->cpu nothing in the directory needs to be for that CPU.
 *
 * Return: 0, also if there is no table for the CPU, see acrpmu_events_missing(); -EINVAL: bad
 * options or CPUID string; -ENOENT: no CPU or table has that name, or nothing in the directory
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
 * acrpmu_events_close() - free what acrpmu_events_open() returned
 * @events: may be NULL
 */
void acrpmu_events_close(struct acrpmu_events *events)
{
	if (!events)
		return;
	acrpmu_events_drop_dir(events);
	free(events);
}
