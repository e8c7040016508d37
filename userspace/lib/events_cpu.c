// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which CPU named events are for: by name, by CPUID string, by the name of a table, or this one. */
#include "events_open.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../util/message.h"
#include "cpu.h"
#include "cpu_table.h"

#define NR_STEPPINGS	16

static void set_model(struct acrpmu_events *events, const struct acrpmu_model *model)
{
	acrpmu_model_caps(&acrpmu_cpu_table_row(model)->cpuid, &events->caps);
	/* no CPU has the signature of the fallback */
	events->caps.model = model;
}

void acrpmu_events_set_model(struct acrpmu_events *events, const struct acrpmu_model *model)
{
	const struct acrpmu_cpuid *cpuid = &acrpmu_cpu_table_row(model)->cpuid;

	set_model(events, model);
	if (model->nr_ids)
		acrpmu_cpu_identity_set(&events->id, cpuid->l1_eax, cpuid->l1a_eax);
	else
		strcpy(events->id.pmu, CPU_PMU);
}

/* As acrpmu_cpu_table_model(), in either case. */
const struct acrpmu_model *acrpmu_events_find_model(const char *name)
{
	char small[CPU_IDENTITY_LEN];
	size_t i;

	for (i = 0; name[i] && i < sizeof(small) - 1; i++)
		small[i] = tolower((unsigned char)name[i]);
	small[i] = 0;
	return name[i] ? NULL : acrpmu_cpu_table_model(small);
}

/* A table may be for some steppings only. */
static bool is_for_id(const struct event_maps *maps, const struct event_table *table,
		      const struct acrpmu_model_id *model_id, struct cpu_identity *id)
{
	unsigned int stepping;

	for (stepping = 0; stepping < NR_STEPPINGS; stepping++) {
		if (acrpmu_events_set_id(id, model_id, stepping) &&
		    event_maps_find(maps, id->string, id->core_type) == table)
			return true;
	}
	return false;
}

/* The first row with this table for cores of a PMU; NULL: of any. */
static const struct acrpmu_model *first_model(const struct event_maps *maps,
					      const struct event_table *table, const char *pmu,
					      struct cpu_identity *id)
{
	const struct acrpmu_model *model = NULL;
	struct cpu_identity found;
	unsigned int i;

	while ((model = acrpmu_model_next(model))) {
		for (i = 0; i < model->nr_ids; i++) {
			if (!is_for_id(maps, table, &model->ids[i], &found) ||
			    (pmu && strcmp(found.pmu, pmu)))
				continue;
			*id = found;
			return model;
		}
	}
	return NULL;
}

/*
 * The first CPU with this table, a P-core if it is for several kinds of cores; NULL if the module
 * supports none of its CPUs.
 */
const struct acrpmu_model *acrpmu_events_model_of_table(const struct event_maps *maps,
							const struct event_table *table,
							struct cpu_identity *id)
{
	const struct acrpmu_model *model = first_model(maps, table, CPU_PMU_CORE, id);

	return model ? model : first_model(maps, table, NULL, id);
}

/* The CPU of a table that was chosen by its own name. */
static void find_cpu_of_table(struct acrpmu_events *events)
{
	const struct event_maps *maps = events->maps;
	const struct event_table *table = events->table;
	const struct acrpmu_model *model;
	struct cpu_identity id;

	/* files without a mapfile: the built-in tables may have that name */
	if (!maps->nr) {
		maps = events->places->builtin;
		table = event_maps_by_name(maps, table->name);
	}
	model = table ? acrpmu_events_model_of_table(maps, table, &id) : NULL;
	if (model) {
		set_model(events, model);
		events->id = id;
		return;
	}
	/* a CPU that the module does not support: its names can be listed */
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
	events->lacking = events->caps.lacking_events;
	return 0;
}

static bool is_pmu_here(const struct acrpmu_events *events, const char *pmu)
{
	return (!strcmp(pmu, CPU_PMU_ATOM) || !strcmp(pmu, CPU_PMU_CORE) ||
		!strcmp(pmu, CPU_PMU_LOWPOWER)) &&
	       acrpmu_cpu_identity_first(events->places->sysfs, pmu) >= 0;
}

/* By the name of a table, either in the files given or built in. */
static bool set_by_table(struct acrpmu_events *events, const char *pmu)
{
	const struct event_maps *given = events->maps;

	if (!events->loaded)
		acrpmu_events_load_table(events);
	/* a table without a mapfile is for any CPU, but only its own name chooses it */
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
	const struct acrpmu_model *model = acrpmu_events_find_model(pmu);

	if (is_pmu_here(events, pmu) && !set_here(events, pmu))
		return 0;
	snprintf(events->name, sizeof(events->name), "%s", pmu);
	if (model) {
		/* so that the table of that CPU is found by either of its names */
		snprintf(events->name, sizeof(events->name), "%s", model->name);
		acrpmu_events_set_model(events, model);
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

/* 0: not known, or no CPU of this machine. */
static __u64 lacking_on(const struct acrpmu_cpu_info *cpu)
{
	struct acrpmu_cpuid cpuid;
	struct acrpmu_caps caps;

	if (!(cpu->flags & ACRPMU_CPU_USABLE) || acrpmu_cpu_identity_read(cpu->cpu, &cpuid) ||
	    cpuid.l1_eax != cpu->signature || cpuid.l1a_eax != cpu->core_type ||
	    acrpmu_cpuid_caps(&cpuid, &caps))
		return 0;
	return caps.lacking_events;
}

/* What a hypervisor hides is not there. */
static void set_by_info(struct acrpmu_events *events, const struct acrpmu_cpu_info *cpu)
{
	struct acrpmu_caps *caps = &events->caps;

	acrpmu_cpu_identity_set(&events->id, cpu->signature, cpu->core_type);
	set_model(events, acrpmu_model_find(cpu->signature, cpu->core_type));
	caps->pmu_version = cpu->pmu_version;
	caps->cntrs = cpu->cntrs;
	caps->reloadable_cntrs = cpu->reloadable_cntrs;
	caps->cause_cntrs = cpu->cause_cntrs;
	caps->acr = cpu->flags & ACRPMU_CPU_ACR;
	events->lacking = lacking_on(cpu);
}

int acrpmu_events_choose_cpu(struct acrpmu_events *events,
			     const struct acrpmu_events_options *options,
			     struct acrpmu_message *message)
{
	if (options->cpu) {
		set_by_info(events, options->cpu);
		return 0;
	}
	if (options->pmu)
		return set_by_name(events, options->pmu, message);
	if (options->cpuid)
		return set_by_cpuid(events, options, message);
	/* without any CPU, perf's generic names are still known */
	if (!events->places->sysfs || set_here(events, NULL))
		strcpy(events->id.pmu, CPU_PMU);
	return 0;
}
