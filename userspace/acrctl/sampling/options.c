// SPDX-License-Identifier: GPL-2.0-only
/* What to sample: options of the command line, the default event, groups. */
#include "sampling.h"

#include <errno.h>
#include <stdio.h>

/* of a period, in per cent, to either side, see loops.rst */
#define DEFAULT_JITTER	10

static const char *command_of(const struct sampling *sm)
{
	return sm->target.text->command;
}

static int take_ring_pages(struct sampling *sm, const char *arg)
{
	__u64 value;

	if (event_args_number(command_of(sm), "-m", arg, ACRPMU_MAX_RING_PAGES, &value))
		return -EINVAL;
	if (value & (value - 1)) {
		TARGET_SAY(&sm->target,
			   "-m %llu is not a power of 2; use 64, 128, 256 or another one up to %d",
			   value, ACRPMU_MAX_RING_PAGES);
		return -EINVAL;
	}
	sm->opt.ring_pages = value;
	return 0;
}

static int take_jitter(struct sampling *sm, const char *arg)
{
	__u64 value;

	if (event_args_number_or_0(command_of(sm), "--jitter", arg, ACRPMU_MAX_JITTER, &value))
		return -EINVAL;
	sm->opt.jitter_given = true;
	sm->opt.jitter = value;
	return 0;
}

/**
 * sampling_jitter() - the random part of periods in per cent: what was asked for, or the default if
 *	the module knows it
 */
unsigned int sampling_jitter(const struct sampling *sm)
{
	if (sm->opt.jitter_given)
		return sm->opt.jitter;
	return sm->kinds.features & ACRPMU_FEATURE_JITTER ? DEFAULT_JITTER : 0;
}

/**
 * sampling_take_option() - take an option of getopt_long(), if it is one about what to sample
 *
 * These are -c, -E, -m, --jitter, levels, guests, conditions, reload and the target.
 *
 * Return: 0, or -errno after a message.
 */
int sampling_take_option(struct sampling *sm, int c, const char *arg)
{
	struct acrpmu_message message;
	int err = 0;

	if (c == 'm')
		return take_ring_pages(sm, arg);
	if (c == SAMPLING_OPT_JITTER)
		return take_jitter(sm, arg);
	if (c == 'E')
		sm->opt.events_dir = arg;
	if (c == SAMPLING_OPT_ALL_USER)
		sm->opt.levels |= ACRPMU_PARSE_USER;
	if (c == SAMPLING_OPT_ALL_KERNEL)
		sm->opt.levels |= ACRPMU_PARSE_KERNEL;
	if (c == SAMPLING_OPT_EXCLUDE_GUEST)
		sm->opt.exclude_guest = true;
	if (c == 'c')
		err = event_args_count(arg, &sm->opt.count, &message);
	if (!err)
		err = when_take_option(&sm->opt.when, c, arg, &message);
	if (!err)
		err = reload_take_option(&sm->kinds.asked, c, arg, &message);
	if (err)
		output_error(command_of(sm), &message, NULL);
	return err ? err : target_take_option(&sm->target, c, arg);
}

/**
 * sampling_take_condition() - check the options that were taken, and make a group of a condition
 *
 * Return: an exit status, or -1 to go on.
 */
int sampling_take_condition(struct sampling *sm)
{
	struct sampling_options *o = &sm->opt;
	struct acrpmu_message message;

	if (when_check(&o->when, o->groups.nr, o->count, &message)) {
		output_error(command_of(sm), &message, NULL);
		return ACRCTL_EXIT_USAGE;
	}
	if (o->when.condition && when_add(&o->when, &o->groups))
		return ACRCTL_EXIT_FAILED;
	return -1;
}

/**
 * sampling_add_default() - add the default event if no other one was given, and print that
 *
 * sampling_parse() does it, if it was not done before.
 *
 * Return: 0 or -ENOMEM.
 */
int sampling_add_default(struct sampling *sm)
{
	struct sampling_options *o = &sm->opt;
	const char *event = o->levels == ACRPMU_PARSE_KERNEL ? SAMPLING_DEFAULT_KERNEL_EVENT :
							       SAMPLING_DEFAULT_EVENT;
	int none = 0;

	if (o->groups.nr)
		return 0;
	if (!o->count)
		o->count = SAMPLING_DEFAULT_PERIOD;
	TARGET_SAY(&sm->target,
		   "no events were given: sampling %s with period %llu; choose others with -e",
		   event, o->count);
	return event_args_add(&o->groups, event, 0, NULL, &none);
}

static int parse_groups(struct sampling *sm)
{
	const struct acrpmu_parse_options options = {
		.flags = ACRPMU_PARSE_TABLE_PERIOD | sm->opt.levels, .period = sm->opt.count,
	};
	struct acrpmu_message message;
	char before[64];
	int err;

	err = kinds_parse(&sm->kinds, command_of(sm), sm->opt.events_dir, &sm->opt.groups,
			  &sm->opt.when, &options, &sm->spec);
	if (err)
		return err;
	snprintf(before, sizeof(before), "acrctl: %s: ", command_of(sm));
	if (!sm->opt.quiet)
		when_explain_window(sm->spec, stderr, before);
	sm->nr_groups = acrpmu_spec_nr_groups(sm->spec);
	err = acrpmu_spec_check_sampled(sm->spec, &message);
	if (err)
		output_error(command_of(sm), &message, &sm->opt.groups);
	return err;
}

/**
 * sampling_parse() - parse events and CPUs, and open the device, if there is one
 *
 * Return: an exit status, or -1 to go on.
 */
int sampling_parse(struct sampling *sm)
{
	int err = sampling_add_default(sm);

	if (!err)
		err = target_parse_cpus(&sm->target);
	if (err)
		return err == -EINVAL || err == -ERANGE ? ACRCTL_EXIT_USAGE : ACRCTL_EXIT_FAILED;
	/* before the groups, because events differ between kinds of CPUs */
	acrpmu_open(acrctl_ops, &sm->device, &sm->device_why);
	err = kinds_find(&sm->kinds, sm->device, &sm->target);
	if (err)
		return ACRCTL_EXIT_FAILED;
	err = parse_groups(sm);
	if (!err)
		return -1;
	return err == -ENOMEM || err == -EOPNOTSUPP ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_USAGE;
}
