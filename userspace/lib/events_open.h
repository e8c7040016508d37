/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of opening named events: the CPU, its table, the directory that the user gives. */
#ifndef _ACRPMU_LIB_EVENTS_OPEN_H
#define _ACRPMU_LIB_EVENTS_OPEN_H

#include "events.h"

#define SHOWN_LEN	128	/* of a path or name in a message */

/* ---- events_load.c ---- */

/** acrpmu_events_read_dir() - read a directory or file of events; 0 or -errno */
int acrpmu_events_read_dir(struct acrpmu_events *events, const char *path);

/** acrpmu_events_drop_dir() - free what acrpmu_events_read_dir() has read, if anything */
void acrpmu_events_drop_dir(struct acrpmu_events *events);

/** acrpmu_events_use_maps() - look for the table of the CPU; returns whether there is one */
bool acrpmu_events_use_maps(struct acrpmu_events *events, const struct event_maps *maps);

/** acrpmu_events_load_table() - find the table in the directories of the system, or built in */
void acrpmu_events_load_table(struct acrpmu_events *events);

/** acrpmu_events_set_id() - the CPUID string of any CPU that a row of the CPU table stands for */
bool acrpmu_events_set_id(struct cpu_identity *id, const struct acrpmu_model_id *model_id,
			  unsigned int stepping);

/* ---- events_cpu.c ---- */

/** acrpmu_events_choose_cpu() - find the CPU that the options name; 0 or -errno */
int acrpmu_events_choose_cpu(struct acrpmu_events *events,
			     const struct acrpmu_events_options *options,
			     struct acrpmu_message *message);

/** acrpmu_events_find_model() - as acrpmu_cpu_table_model(), in either case */
const struct acrpmu_model *acrpmu_events_find_model(const char *name);

/** acrpmu_events_set_model() - let the events be for a typical CPU of a model */
void acrpmu_events_set_model(struct acrpmu_events *events, const struct acrpmu_model *model);

/**
 * acrpmu_events_model_of_table() - the first CPU with a table
 *
 * Return: the CPU with its identity in @id; NULL if the module supports none of the table's CPUs.
 */
const struct acrpmu_model *acrpmu_events_model_of_table(const struct event_maps *maps,
							const struct event_table *table,
							struct cpu_identity *id);

/* ---- events_dir.c ---- */

/** acrpmu_events_open_dir() - read the user's directory; 0 or -errno */
int acrpmu_events_open_dir(struct acrpmu_events *events, const char *path,
			   struct acrpmu_message *message);

/** acrpmu_events_check_dir() - check that the user's directory is for the CPU; 0 or -errno */
int acrpmu_events_check_dir(struct acrpmu_events *events, const char *path,
			    struct acrpmu_message *message);

/** acrpmu_events_report_dir() - report names in the user's directory that no string can name */
void acrpmu_events_report_dir(struct acrpmu_events *events, const char *path);

#endif /* _ACRPMU_LIB_EVENTS_OPEN_H */
