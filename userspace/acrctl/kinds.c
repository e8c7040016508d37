// SPDX-License-Identifier: GPL-2.0-only
/* The kinds of cores that are observed; where all cores are alike there is one. */
#include "kinds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/message.h"
#include "names.h"

/* from this ABI version on, sessions of CPUs reserve those that come online later */
#define ABI_ARRIVE_CPUS	6

/* A CPU as the module describes it; NULL: it cannot be used. */
static const struct acrpmu_cpu_info *usable(const struct kinds *kinds, int cpu)
{
	if (cpu < 0 || (unsigned int)cpu >= kinds->nr_cpus ||
	    !(kinds->cpus[cpu].flags & ACRPMU_CPU_USABLE))
		return NULL;
	return &kinds->cpus[cpu];
}

static __u32 core_type_of(const struct acrpmu_cpu_info *cpu)
{
	return cpu && cpu->flags & ACRPMU_CPU_HYBRID ? cpu->core_type : 0;
}

/* The kind with a core type, which is added in its place; NULL: there are too many. */
static struct kind *get_kind(struct kinds *kinds, __u32 core_type)
{
	unsigned int i, at = 0;

	while (at < kinds->nr && kinds->list[at].core_type > core_type)
		at++;
	if (at < kinds->nr && kinds->list[at].core_type == core_type)
		return &kinds->list[at];
	if (kinds->nr == ACRPMU_MAX_KINDS)
		return NULL;
	for (i = kinds->nr++; i > at; i--)
		kinds->list[i] = kinds->list[i - 1];
	kinds->list[at] = (struct kind){ .core_type = core_type };
	return &kinds->list[at];
}

static int add_cpu(struct kinds *kinds, int cpu)
{
	const struct acrpmu_cpu_info *info = usable(kinds, cpu);
	struct kind *kind = get_kind(kinds, core_type_of(info));
	unsigned int nr_cntrs = info ? __builtin_popcountll(info->cntrs) : 0;

	if (!kind)
		return -E2BIG;
	if (nr_cntrs > kind->nr_cntrs)
		kind->nr_cntrs = nr_cntrs;
	return cpu_list_add(&kind->cpus, cpu);
}

/* Unusable CPUs join the first kind, so that the module refuses them with its reason. */
static int add_unusable(struct kinds *kinds, const struct cpu_list *cpus)
{
	struct kind *first = kinds->nr ? &kinds->list[0] : get_kind(kinds, 0);
	size_t i;
	int err = 0;

	for (i = 0; !err && i < cpus->nr; i++) {
		if (!usable(kinds, cpus->cpus[i]))
			err = cpu_list_add(&first->cpus, cpus->cpus[i]);
	}
	return err;
}

/**
 * kinds_pmu() - the PMU of a CPU, as in-tree perf calls it
 * @signature: CPUID.01H:EAX
 * @core_type: as in struct acrpmu_cpu_info, 0 unless hybrid
 */
void kinds_pmu(__u32 signature, __u32 core_type, char pmu[KIND_PMU_LEN])
{
	const struct acrpmu_cpu_info cpu = { .signature = signature, .core_type = core_type };
	const struct acrpmu_events_options options = { .size = sizeof(options), .cpu = &cpu };
	struct acrpmu_events *events;

	snprintf(pmu, KIND_PMU_LEN, "cpu");
	if (!core_type || acrpmu_events_open(&options, &events, NULL))
		return;
	snprintf(pmu, KIND_PMU_LEN, "%s", acrpmu_events_pmu(events));
	acrpmu_events_close(events);
}

/* The module takes those of each kind, once it can tell. */
static int add_later(struct kinds *kinds, struct target *target)
{
	unsigned int k;
	size_t i;
	int err = 0;

	if (target_takes_all(target) && !target->opt.listed &&
	    kinds->abi_version >= ABI_ARRIVE_CPUS)
		err = cpu_list_offline(&target->later);
	for (k = 0; k < kinds->nr && !err; k++) {
		struct kind *kind = &kinds->list[k];

		for (i = 0; i < kind->cpus.nr && !err; i++)
			err = cpu_list_add(&kind->reach, kind->cpus.cpus[i]);
		for (i = 0; i < target->later.nr && !err; i++)
			err = cpu_list_add(&kind->reach, target->later.cpus[i]);
	}
	return err;
}

/**
 * kinds_leave_later() - leave out the CPUs that may come online later
 */
void kinds_leave_later(struct kinds *kinds, struct target *target)
{
	unsigned int k;

	cpu_list_free(&target->later);
	/* where add_later() has put them */
	for (k = 0; k < kinds->nr; k++)
		kinds->list[k].reach.nr = kinds->list[k].cpus.nr;
}

/**
 * kinds_find() - find the kinds of the CPUs of a target; kinds_free() in any case
 * @device: NULL: the module cannot be queried, then there is one kind
 *
 * Return: 0, or -errno after a message.
 */
int kinds_find(struct kinds *kinds, struct acrpmu_device *device, struct target *target)
{
	const struct cpu_list *cpus = &target->cpus;
	struct acrpmu_info info;
	size_t i;
	int err = 0;

	if (device && !acrpmu_device_info(device, &info, &kinds->cpus)) {
		kinds->nr_cpus = info.nr_cpus;
		kinds->min_period_sampled = info.min_period_sampled;
		kinds->min_period_quiet = info.min_period_quiet;
		kinds->features = info.features;
		kinds->abi_version = info.abi_version;
		target->arrive = info.features & ACRPMU_FEATURE_ARRIVAL;
	}
	for (i = 0; !err && i < cpus->nr; i++) {
		if (usable(kinds, cpus->cpus[i]))
			err = add_cpu(kinds, cpus->cpus[i]);
	}
	if (!err)
		err = add_unusable(kinds, cpus);
	if (!err)
		err = add_later(kinds, target);
	if (err)
		TARGET_SAY(target, "the kinds of the CPUs cannot be listed: %s", strerror(-err));
	return err;
}

/* Whether sessions of a kind that was found have taken a CPU that has come online since. */
static bool takes(const struct kinds *kinds, const struct target *target,
		  const struct acrpmu_cpu_info *cpus, int cpu)
{
	unsigned int k;

	if (cpu_list_has(&target->cpus, cpu) || !cpu_list_has(&target->later, cpu))
		return cpu_list_has(&target->cpus, cpu);
	for (k = 0; k < kinds->nr; k++) {
		if (kinds->list[k].core_type == core_type_of(&cpus[cpu]))
			return cpus[cpu].flags & ACRPMU_CPU_USABLE;
	}
	return false;
}

/**
 * kinds_miss_cpu() - whether all CPUs are observed, but one that has come online since is not
 *
 * Older modules extend sessions of CPUs to none; others only to those of a kind that was there.
 */
bool kinds_miss_cpu(const struct kinds *kinds, struct acrpmu_device *device,
		    const struct target *target)
{
	struct acrpmu_cpu_info *cpus = NULL;
	struct cpu_list now = { NULL };
	struct acrpmu_info info;
	bool misses = false;
	size_t i;

	if (!target_takes_all(target) || cpu_list_online(&now) ||
	    acrpmu_device_info(device, &info, &cpus))
		now.nr = 0;
	for (i = 0; i < now.nr; i++)
		misses |= now.cpus[i] < (int)info.nr_cpus &&
			  !takes(kinds, target, cpus, now.cpus[i]);
	cpu_list_free(&now);
	free(cpus);
	return misses;
}

/* ---- events ------------------------------------------------------------------------------- */

/* What acrpmu_spec_parse() calls for kinds that are left out. */
struct leaving {
	const struct kinds *kinds;
	const char *command;
};

static void show_left_out(void *ctx, unsigned int kind, const struct acrpmu_message *why)
{
	const struct leaving *l = ctx;

	fprintf(stderr, "acrctl: %s: %s is left out: %s\n", l->command, l->kinds->list[kind].pmu,
		why->text);
}

/* Where the cores are alike, this CPU's own CPUID says which they are. */
static int open_kind(const struct kinds *kinds, struct kind *kind, struct names *names,
		     struct acrpmu_message *message)
{
	int err;

	if (kind->core_type)
		names->cpu = usable(kinds, kind->cpus.cpus[0]);
	err = names_open(names, message);
	if (!err)
		snprintf(kind->pmu, sizeof(kind->pmu), "%s", acrpmu_events_pmu(names->events));
	return err;
}

/* Files for some kinds will do; events of the others are refused or left out. */
static int check_tables(const struct kinds *kinds, const struct names *names,
			struct acrpmu_message *message)
{
	unsigned int k;

	for (k = kinds->nr; names->dir && k--;) {
		if (!acrpmu_events_missing(names[k].events, message))
			return 0;
	}
	return names->dir ? -ENOENT : 0;
}

static int parse_condition(const struct kinds *kinds, const struct when *when,
			   struct acrpmu_parse_options *options, struct acrpmu_spec **spec,
			   struct acrpmu_message *message)
{
	bool software = options->flags & ACRPMU_PARSE_SOFTWARE;
	const struct acrpmu_condition_options how = {
		.size = sizeof(how),
		.flags = software ? ACRPMU_CONDITION_SOFTWARE : 0,
		.window = when->window,
		.min_period = kinds->min_period_sampled,
		.min_period_quiet = kinds->min_period_quiet,
	};

	/* periods follow from the condition */
	options->flags &= ACRPMU_PARSE_USER | ACRPMU_PARSE_KERNEL;
	options->period = 0;
	return acrpmu_spec_parse_condition(when->condition, &how, options, spec, message);
}

/* @options: a copy, because a condition changes them */
static int parse_as(const struct kinds *kinds, enum reload reload, const struct event_args *args,
		    const struct when *when, struct acrpmu_parse_options options,
		    struct acrpmu_spec **spec, struct acrpmu_message *message)
{
	if (reload == RELOAD_SOFTWARE)
		options.flags |= ACRPMU_PARSE_SOFTWARE;
	if (when && when->condition)
		return parse_condition(kinds, when, &options, spec, message);
	return acrpmu_spec_parse((const char *const *)args->strings, args->nr, &options, spec,
				 message);
}

/* Whether all its CPUs have auto counter reload, as far as is known. */
static bool has_reload(const struct kinds *kinds, const struct kind *kind)
{
	size_t i;

	for (i = 0; i < kind->cpus.nr; i++) {
		const struct acrpmu_cpu_info *cpu = usable(kinds, kind->cpus.cpus[i]);

		if (cpu && !(cpu->flags & ACRPMU_CPU_ACR))
			return false;
	}
	return true;
}

/* The groups are also for a kind that hardware would leave out. */
static void not_all_suit(void *ctx, unsigned int kind, const struct acrpmu_message *why)
{
	(void)kind;
	(void)why;
	*(bool *)ctx = false;
}

/* Whether hardware can reload all groups for all of their kinds, and its limits admit them. */
static bool suits_hardware(const struct kinds *kinds, const struct event_args *args,
			   const struct when *when, struct acrpmu_parse_options options)
{
	struct acrpmu_message message;
	struct acrpmu_spec *spec;
	bool suits = true;
	unsigned int g;

	options.left_out = not_all_suit;
	options.ctx = &suits;
	if (parse_as(kinds, RELOAD_HARDWARE, args, when, options, &spec, &message))
		return false;
	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++) {
		if (reload_is_used(spec, g))
			suits &= has_reload(kinds, kinds_of(kinds, spec, g));
	}
	acrpmu_spec_free(spec);
	return suits;
}

/*
 * How to reload what these groups have: in software, for all of them, if one of them is for CPUs
 * that cannot.  A group that names no kind of core is for all kinds that have its events.
 */
static int choose_reload(struct kinds *kinds, const struct event_args *args,
			 const struct when *when, const struct acrpmu_parse_options *options,
			 struct acrpmu_message *message)
{
	enum reload as = kinds->asked;
	bool used = false, lacking = false;
	struct acrpmu_spec *spec;
	unsigned int g, k;
	int err;

	for (k = 0; as == RELOAD_AUTO && k < kinds->nr; k++)
		lacking |= !has_reload(kinds, &kinds->list[k]);
	if (lacking)
		as = RELOAD_SOFTWARE;
	err = parse_as(kinds, as, args, when, *options, &spec, message);
	/* limits of software do not concern groups that are only for kinds with reload */
	if (err && lacking && suits_hardware(kinds, args, when, *options)) {
		kinds->reload = RELOAD_HARDWARE;
		return 0;
	}
	if (err)
		return err;
	lacking = false;
	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++) {
		if (!reload_is_used(spec, g))
			continue;
		used = true;
		lacking |= !has_reload(kinds, kinds_of(kinds, spec, g));
	}
	acrpmu_spec_free(spec);
	if (!used)
		kinds->reload = RELOAD_AUTO;
	else if (kinds->asked != RELOAD_AUTO)
		kinds->reload = kinds->asked;
	else
		kinds->reload = lacking ? RELOAD_SOFTWARE : RELOAD_HARDWARE;
	if (kinds->reload == RELOAD_SOFTWARE && kinds->cpus)
		return reload_check_module(kinds->asked, kinds->features, kinds->abi_version,
					   message);
	return 0;
}

static int parse(struct kinds *kinds, struct names *names, const struct event_args *args,
		 const struct when *when, const struct acrpmu_parse_options *how,
		 struct acrpmu_spec **spec, struct acrpmu_message *message)
{
	const struct acrpmu_events *events[ACRPMU_MAX_KINDS];
	struct leaving leaving = { kinds, names->command };
	struct acrpmu_parse_options options = *how;
	unsigned int k;
	int err;

	for (k = 0; k < kinds->nr; k++) {
		/* the same files have the same errors */
		names[k].nr_repeated = names[0].nr_reports;
		err = open_kind(kinds, &kinds->list[k], &names[k], message);
		if (err)
			return err;
		events[k] = names[k].events;
	}
	err = check_tables(kinds, names, message);
	if (err)
		return err;
	options.size = sizeof(options);
	options.kinds = events;
	options.nr_kinds = kinds->nr;
	options.ctx = &leaving;
	err = choose_reload(kinds, args, when, &options, message);
	if (err)
		return err;
	options.left_out = show_left_out;
	return parse_as(kinds, kinds->reload, args, when, options, spec, message);
}

/**
 * kinds_parse() - parse event strings or a condition, with the named events of each kind
 * @dir: of --events, NULL: not given
 * @args: the event strings, or the condition
 * @when: NULL: there can be no condition
 *
 * Return: 0, or -errno after a message; @spec is written only on success.
 */
int kinds_parse(struct kinds *kinds, const char *command, const char *dir,
		const struct event_args *args, const struct when *when,
		const struct acrpmu_parse_options *options, struct acrpmu_spec **spec)
{
	struct names names[ACRPMU_MAX_KINDS] = { { .command = command } };
	struct acrpmu_message message;
	unsigned int k;
	int err;

	for (k = 0; k < kinds->nr; k++)
		names[k] = (struct names){ .command = command, .dir = dir };
	err = parse(kinds, names, args, when, options, spec, &message);
	if (err) {
		if (!kinds->cpus && !strcmp(message.code, "no-pmu"))
			acrpmu_message_hint(&message, "only the module knows all kinds of cores, "
					    "and it cannot be asked: is it loaded?");
		names_explain_montecito(args, &message);
		output_error(command, &message, args);
	}
	for (k = 0; k < kinds->nr; k++)
		names_close(&names[k]);
	return err;
}

/**
 * kinds_of() - the kind that a group is for
 */
const struct kind *kinds_of(const struct kinds *kinds, const struct acrpmu_spec *spec,
			    unsigned int group)
{
	return &kinds->list[acrpmu_spec_kind(spec, group)];
}

/**
 * kinds_free() - undo kinds_find()
 */
void kinds_free(struct kinds *kinds)
{
	unsigned int k;

	for (k = 0; k < kinds->nr; k++) {
		cpu_list_free(&kinds->list[k].cpus);
		cpu_list_free(&kinds->list[k].reach);
	}
	free(kinds->cpus);
	*kinds = (struct kinds){ .nr = 0 };
}
