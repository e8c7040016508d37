// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finding named events of a CPU: by name, one after another, or the nearest to a name. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../../kmod/core/attr.h"
#include "../../kmod/core/constraint.h"
#include "../../kmod/core/event.h"
#include "../../kmod/core/extra_reg.h"
#include "../../kmod/regs.h"
#include "cpu.h"
#include "cpu_table.h"
#include "perf_name.h"
#include "events.h"
#include "../util/message.h"

#define TOPIC_GENERIC	"generic"
#define TOPIC_CACHE	"generic-cache"
#define TABLE_ARCHITECTURAL	"architectural"
#define GP_CNTRS	GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0)
#define NEAREST_MAX	16

static const char *cpu_name(const struct acrpmu_events *events)
{
	return events->caps.model ? events->caps.model->name : NULL;
}

const struct event_table *acrpmu_events_rows(const struct acrpmu_events *events)
{
	if (!events->loaded)
		events->load(events->self);
	return events->table;
}

/* ---- from a row or a generic name to what is shown of it ------------------------------------ */

bool acrpmu_events_lack(const struct acrpmu_events *events, __u64 config)
{
	return events->lacking & acrpmu_event_architectural(config);
}

/* Counters of the CPU, without those that the table leaves out. */
static __u64 usable_cntrs(const struct acrpmu_caps *caps, const struct acrpmu_named *named)
{
	__u64 cntrs = acrpmu_constraint_config(caps, named->config);

	return named->gp_cntrs ? cntrs & (named->gp_cntrs | ~GP_CNTRS) : cntrs;
}

__u64 acrpmu_events_allowed(const struct acrpmu_caps *caps, __u64 config, __u64 gp_cntrs)
{
	__u64 able = caps->model ? acrpmu_constraint_config(caps, config) : 0;
	/* what a fixed counter counts is the same on all CPUs that have it */
	__u64 cntrs = gp_cntrs | (able & ~GP_CNTRS);

	if (!gp_cntrs || !able)
		return 0;
	/* without a row of the CPU the module knows no others */
	if (!caps->model->nr_ids && !acrpmu_event_is_architectural(caps, config))
		return cntrs;
	return able & ~cntrs ? cntrs : 0;
}

static bool has_extra_reg(const struct acrpmu_caps *caps, const struct acrpmu_named *named)
{
	int reg = acrpmu_extra_reg_find(caps->model, named->config);

	return reg != ACRPMU_EXTRA_REG_NONE && caps->model->extra_regs[reg].msr == named->extra_msr;
}

void acrpmu_events_add_cpu(const struct acrpmu_events *events, struct acrpmu_named *named)
{
	const struct acrpmu_caps *caps = &events->caps;
	int reg;

	if (!caps->model) {
		named->flags |= ACRPMU_NAMED_OTHER_PMU;
		return;
	}
	if (named->flags & ACRPMU_NAMED_OTHER_PMU)
		return;
	if (named->extra_msr && !has_extra_reg(caps, named))
		named->flags |= ACRPMU_NAMED_EXTRA;
	reg = acrpmu_extra_reg_find(caps->model, named->config);
	if (!named->extra_msr && reg >= 0) {
		named->extra_msr = caps->model->extra_regs[reg].msr;
		named->flags |= ACRPMU_NAMED_OPEN;
	}
	named->cntrs = usable_cntrs(caps, named);
	if (named->config & ~caps->config_mask)
		named->flags |= ACRPMU_NAMED_BITS;
	if (!named->cntrs)
		named->flags |= ACRPMU_NAMED_NO_CNTR;
	named->reloadable_cntrs = named->cntrs & caps->reloadable_cntrs;
	named->cause_cntrs = named->cntrs & caps->cause_cntrs;
	/* a fixed counter is taken first, also for an event that others count as well */
	named->fixed = named->cntrs & ~GP_CNTRS ?
		       (int)__ffs64(named->cntrs & ~GP_CNTRS) - ACRPMU_FIXED_BASE : -1;
}

/* The tables of other CPUs have what these count, whether architectural or not. */
static bool is_architectural(const struct acrpmu_events *events)
{
	return !strcmp(events->table->name, TABLE_ARCHITECTURAL);
}

static bool is_hybrid_pmu(const char *pmu)
{
	return !strcmp(pmu, CPU_PMU_ATOM) || !strcmp(pmu, CPU_PMU_CORE) ||
	       !strcmp(pmu, CPU_PMU_LOWPOWER);
}

/* Which kind of cores is meant: that of the CPU unless another one is named. */
static const char *wanted_pmu(const struct acrpmu_events *events, const char *pmu)
{
	return pmu && is_hybrid_pmu(pmu) ? pmu : events->id.pmu;
}

/* Of rare events tables suggest less than the module allows for any. */
static __u64 usable_period(__u64 period)
{
	struct acrpmu_limits limits;

	acrpmu_attr_limits(&limits, 0);
	return period && period < limits.min_period_sampled ? limits.min_period_sampled : period;
}

static bool ends_with(const char *name, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !event_table_compare(name + len - n, n, end);
}

/* What only precise events can do, whatever else a list marks. */
static bool is_precise_only(const struct event_row *row, const char *name, size_t len)
{
	return row->extra_msr == MSR_PEBS_LD_LAT || ends_with(name, len, ".PREC_DIST") ||
	       ends_with(name, len, ".STORE_SAMPLE");
}

/* Intel's lists of Goldmont and Goldmont Plus mark all that retires, which counts without PEBS. */
bool acrpmu_events_needs_pebs(const struct acrpmu_caps *caps, const struct event_row *row,
			      const char *name, size_t len)
{
	const char *cpu = caps->model ? caps->model->name : "";

	if (!(row->flags & EVENT_NEEDS_PEBS))
		return false;
	return (strcmp(cpu, "goldmont") && strcmp(cpu, "goldmontplus")) ||
	       is_precise_only(row, name, len);
}

static void show_row(const struct acrpmu_events *events, const char *pmu,
		     const struct event_row *row, struct acrpmu_named *named)
{
	const char *text = events->table->text, *name = text + row->name;
	bool pebs = acrpmu_events_needs_pebs(&events->caps, row, name, strlen(name));

	*named = (struct acrpmu_named){
		.name = name,
		.desc = text + row->desc,
		.topic = text + row->topic,
		.terms = text + row->terms,
		.pmu = text + row->pmu,
		.config = row->config,
		.extra_value = row->extra,
		.period = usable_period(row->period),
		.gp_cntrs = row->gp_cntrs,
		.extra_msr = row->extra_msr,
		.flags = (row->flags & EVENT_DEPRECATED ? ACRPMU_NAMED_DEPRECATED : 0) |
			 (row->flags & EVENT_OTHER_PMU ? ACRPMU_NAMED_OTHER_PMU : 0) |
			 (pebs ? ACRPMU_NAMED_PEBS : 0),
		.fixed = row->fixed == EVENT_NO_FIXED ? -1 : row->fixed,
	};
	if (is_hybrid_pmu(named->pmu) && strcmp(named->pmu, wanted_pmu(events, pmu)))
		named->flags |= ACRPMU_NAMED_OTHER_PMU;
	if (is_architectural(events) && acrpmu_events_lack(events, named->config))
		named->flags |= ACRPMU_NAMED_LACKING;
	acrpmu_events_add_cpu(events, named);
}

static void show_code(const struct acrpmu_events *events, const struct perf_name *code,
		      struct acrpmu_named *named)
{
	*named = (struct acrpmu_named){
		.name = code->name,
		.desc = code->desc,
		.topic = code->cache ? TOPIC_CACHE : TOPIC_GENERIC,
		.terms = "",
		.pmu = events->id.pmu,
		.config = code->config,
		.extra_value = code->extra,
		.extra_msr = code->extra_msr,
		.flags = ACRPMU_NAMED_GENERIC |
			 (acrpmu_events_lack(events, code->config) ? ACRPMU_NAMED_LACKING : 0),
		.fixed = -1,
	};
	/* the same on every CPU of the module, so that none is needed */
	if (!events->caps.model)
		return;
	acrpmu_events_add_cpu(events, named);
	named->gp_cntrs = named->cntrs & GP_CNTRS;
}

/* ---- by name ------------------------------------------------------------------------------ */

/* Of several rows of a name that of the PMU, else one for any core, else the first. */
static const struct event_row *choose_row(const struct event_table *table,
					  const struct event_row *first, const char *pmu)
{
	const struct event_row *row, *end = table->rows + table->nr, *any = NULL;
	const char *name = table->text + first->name;

	for (row = first; row < end; row++) {
		if (event_table_compare(name, strlen(name), table->text + row->name))
			break;
		if (!strcmp(table->text + row->pmu, pmu))
			return row;
		if (!any && !strcmp(table->text + row->pmu, CPU_PMU))
			any = row;
	}
	return any ? any : first;
}

int acrpmu_events_find_pmu(const struct acrpmu_events *events, const char *pmu, const char *name,
			   size_t len, struct acrpmu_named *named)
{
	const struct event_table *table;
	const struct event_row *row;
	enum perf_name_result result;
	struct perf_name code;
	__u64 config;

	/* only now, since loading the table may read files */
	if (!acrpmu_perf_name_find(name, len, &config)) {
		table = acrpmu_events_rows(events);
		row = table ? event_table_find(table, name, len) : NULL;
		if (row) {
			row = choose_row(table, row, wanted_pmu(events, pmu));
			show_row(events, pmu, row, named);
			return 0;
		}
	}
	result = acrpmu_perf_name_code(cpu_name(events), name, len, &code);
	if (result == PERF_NAME_NONE)
		return -ENOENT;
	if (result == PERF_NAME_UNSUPPORTED)
		return -EOPNOTSUPP;
	show_code(events, &code, named);
	return 0;
}

/**
 * acrpmu_events_find() - look up a name
 * @name: first byte of the name, in either case
 * @len: its bytes
 * @named: out, written only if found; its strings are valid as long as @events
 *
 * perf's generic names come first, then the table, then perf's names of cache events.  Takes no
 * memory, except that files are read when the first name is looked up, if there are any.
 *
 * Return: 0; -ENOENT: there is no such name; -EOPNOTSUPP: it is one of perf's, but the kernel has
 * nothing to count for it on this CPU.
 */
int acrpmu_events_find(const struct acrpmu_events *events, const char *name, size_t len,
		       struct acrpmu_named *named)
{
	return acrpmu_events_find_pmu(events, NULL, name, len, named);
}

const struct event_row *acrpmu_events_find_cpu(const struct acrpmu_events *events, const char *cpu,
					       const char *name, size_t len,
					       struct acrpmu_caps *caps)
{
	const struct event_maps *builtin = events->places->builtin;
	const struct acrpmu_model *model = acrpmu_cpu_table_model(cpu);
	const struct event_table *table;
	struct cpu_identity id;

	if (!model)
		return NULL;
	if (model == events->caps.model) {
		table = acrpmu_events_rows(events);
		*caps = events->caps;
	} else {
		const struct acrpmu_cpuid *cpuid = &acrpmu_cpu_table_row(model)->cpuid;

		acrpmu_model_caps(cpuid, caps);
		acrpmu_cpu_identity_set(&id, cpuid->l1_eax, cpuid->l1a_eax);
		table = event_maps_find(builtin, id.string, id.core_type);
	}
	return table ? event_table_find(table, name, len) : NULL;
}

/* ---- one after another -------------------------------------------------------------------- */

/* perf's own names are of no use where not even the CPU is one of ours. */
static unsigned int nr_generic(const struct acrpmu_events *events)
{
	struct perf_name code;
	unsigned int nr = 0;

	if (!events->caps.model && *events->id.string)
		return 0;
	while (acrpmu_perf_name_get(cpu_name(events), nr, &code))
		nr++;
	return nr;
}

/**
 * acrpmu_events_nr() - number of names
 *
 * Return: the number, perf's own names included.
 */
unsigned int acrpmu_events_nr(const struct acrpmu_events *events)
{
	const struct event_table *table = acrpmu_events_rows(events);

	return nr_generic(events) + (table ? table->nr : 0);
}

/**
 * acrpmu_events_get() - walk through the names
 * @i: 0 to acrpmu_events_nr() - 1; perf's own names come first, then the table's by name
 * @named: out, written only on success
 *
 * Return: 0, or -ENOENT after the last.
 */
int acrpmu_events_get(const struct acrpmu_events *events, unsigned int i,
		      struct acrpmu_named *named)
{
	const struct event_table *table = acrpmu_events_rows(events);
	unsigned int nr = nr_generic(events);
	struct perf_name code;

	if (i < nr) {
		if (!acrpmu_perf_name_get(cpu_name(events), i, &code))
			return -ENOENT;
		show_code(events, &code, named);
		return 0;
	}
	if (!table || i - nr >= table->nr)
		return -ENOENT;
	show_row(events, NULL, &table->rows[i - nr], named);
	return 0;
}

/* ---- near ones ---------------------------------------------------------------------------- */

/* Added if a name continues after the misspelt prefix: BR_MIPS for BR_MISP_RETIRED... */
#define PART_DISTANCE	2
#define PART_MIN_LEN	4

struct nearest {
	const char **names;
	unsigned int *distances;
	unsigned int nr;
	unsigned int max;
};

static unsigned int distance_of(const char *name, size_t len, const char *word)
{
	unsigned int whole = acrpmu_suggest_distance(name, len, word), part;
	char start[SUGGEST_MAX_LEN + 1];

	if (whole <= PART_DISTANCE || len < PART_MIN_LEN || len >= sizeof(start) ||
	    strlen(word) <= len)
		return whole;
	memcpy(start, word, len);
	start[len] = 0;
	part = acrpmu_suggest_distance(name, len, start);
	return part == SUGGEST_FAR || part + PART_DISTANCE > whole ? whole : part + PART_DISTANCE;
}

static void consider(struct nearest *near, const char *word, unsigned int distance)
{
	unsigned int i;

	if (distance == SUGGEST_FAR)
		return;
	/* list a name once that each PMU has */
	for (i = 0; i < near->nr; i++) {
		if (!strcmp(near->names[i], word))
			return;
	}
	for (i = near->nr < near->max ? near->nr++ : near->nr; i; i--) {
		if (near->distances[i - 1] <= distance)
			break;
		if (i == near->max)
			continue;
		near->names[i] = near->names[i - 1];
		near->distances[i] = near->distances[i - 1];
	}
	if (i == near->max)
		return;
	near->names[i] = word;
	near->distances[i] = distance;
}

static void consider_all(const struct acrpmu_events *events, struct nearest *near,
			 const char *name, size_t len)
{
	const struct event_table *table = acrpmu_events_rows(events);
	unsigned int i, nr = nr_generic(events);
	struct perf_name code;

	for (i = 0; i < nr && acrpmu_perf_name_get(cpu_name(events), i, &code); i++)
		consider(near, code.name, distance_of(name, len, code.name));
	for (i = 0; table && i < table->nr; i++) {
		const char *word = table->text + table->rows[i].name;

		consider(near, word, distance_of(name, len, word));
	}
}

/**
 * acrpmu_events_nearest() - find the names nearest to a misspelt one
 * @name: first byte of the misspelt name
 * @len: its bytes
 * @nearest: out, the names, the nearest first; valid as long as @events
 * @max: elements of @nearest, at most 16 are used
 *
 * Return: the number of names found.
 */
unsigned int acrpmu_events_nearest(const struct acrpmu_events *events, const char *name,
				   size_t len, const char **nearest, unsigned int max)
{
	unsigned int distances[NEAREST_MAX];
	struct nearest near = { nearest, distances, 0, max < NEAREST_MAX ? max : NEAREST_MAX };

	if (near.max)
		consider_all(events, &near, name, len);
	return near.nr;
}

void acrpmu_events_suggest(const struct acrpmu_events *events, struct suggestion *best,
			   const char *name, size_t len)
{
	struct nearest near = { &best->word, &best->distance, best->word ? 1 : 0, 1 };

	consider_all(events, &near, name, len);
}

/* ---- what they are of --------------------------------------------------------------------- */

/**
 * acrpmu_events_cpu() - the CPU of the events
 * @cpu: out, written only on success
 *
 * Return: 0, or -ENOENT if the module does not know the CPU.
 */
int acrpmu_events_cpu(const struct acrpmu_events *events, struct acrpmu_cpu *cpu)
{
	if (!events->caps.model)
		return -ENOENT;
	acrpmu_cpu_show(&events->caps, cpu);
	snprintf(cpu->core, sizeof(cpu->core), "%s",
		 acrpmu_cpu_table_core(events->caps.model, events->id.signature));
	return 0;
}

/**
 * acrpmu_events_cpuid() - CPUID string of that CPU
 *
 * Return: the string, valid as long as @events; empty if it is not known.
 */
const char *acrpmu_events_cpuid(const struct acrpmu_events *events)
{
	return events->id.string;
}

/**
 * acrpmu_events_pmu() - PMU of its cores
 *
 * Return: "cpu", or on a hybrid CPU "cpu_atom", "cpu_core" or "cpu_lowpower".
 */
const char *acrpmu_events_pmu(const struct acrpmu_events *events)
{
	return events->id.pmu;
}

/**
 * acrpmu_events_table() - name of its table
 *
 * Return: name of the table's directory ("skymont"), empty if there is none.
 */
const char *acrpmu_events_table(const struct acrpmu_events *events)
{
	const struct event_table *table = acrpmu_events_rows(events);

	return table ? table->name : "";
}

/**
 * acrpmu_events_source() - the directory of the table
 *
 * Return: the directory, "" if it is built in or there is none.
 */
const char *acrpmu_events_source(const struct acrpmu_events *events)
{
	acrpmu_events_rows(events);
	return events->path ? events->path : "";
}

/**
 * acrpmu_events_next_table() - iterate over the tables of the same source
 * @name: NULL for the first, else the one before
 *
 * Return: the next name, NULL after the last or if @name is none.
 */
const char *acrpmu_events_next_table(const struct acrpmu_events *events, const char *name)
{
	const struct event_maps *maps;
	unsigned int i = 0;

	acrpmu_events_rows(events);
	maps = events->maps ? events->maps : events->places->builtin;
	if (name) {
		while (i < maps->nr_tables && strcmp(maps->tables[i]->name, name))
			i++;
		i++;
	}
	return i < maps->nr_tables ? maps->tables[i]->name : NULL;
}

/**
 * acrpmu_events_missing() - explain why only perf's own names are known
 * @message: out, why; written only if they are missing; may be NULL
 *
 * Return: 0 if there is a table, otherwise -ENOENT.
 */
int acrpmu_events_missing(const struct acrpmu_events *events, struct acrpmu_message *message)
{
	static const char hint[] = "give JSON files with --events DIR, or put them into "
				   "/etc/acrpmu/events";

	if (acrpmu_events_rows(events))
		return 0;
	if (*events->missing.code) {
		if (message)
			*message = events->missing;
		return -ENOENT;
	}
	if (!events->places->builtin->nr_tables)
		acrpmu_message_text(message, "no-tables", "the names of events are not available: "
				    "this build has no tables, since 'jevents' could not read "
				    "userspace/events");
	else if (*events->id.string)
		acrpmu_message_text(message, "no-table", "the names of events are not available: "
				    "no table is for the CPU '%s'", events->id.string);
	else
		acrpmu_message_text(message, "no-table", "the names of events are not available: "
				    "this machine's CPU is not one of Intel's");
	acrpmu_message_hint(message, "%s", hint);
	return -ENOENT;
}
