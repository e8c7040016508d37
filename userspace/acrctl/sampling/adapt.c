// SPDX-License-Identifier: GPL-2.0-only
/* The option -F: measuring the rate of samples, and changing the periods of all sessions. */
#include "sampling.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NSEC_PER_SEC	1e9

/**
 * sampling_adapt_check() - check that the module can change the periods of a session
 *
 * Return: 0, or -EOPNOTSUPP after a message.
 */
int sampling_adapt_check(const struct sampling *sm)
{
	if (!sm->opt.when.hz || sm->kinds.features & ACRPMU_FEATURE_PERIODS)
		return 0;
	TARGET_SAY(&sm->target,
		   "-F changes periods while the program runs, and this module cannot, since it is older than ABI version 5; install module and acrctl of one version, or set the length of a window with --window");
	return -EOPNOTSUPP;
}

/* Returns 0, 1 if a CPU was taken: nothing is known of samples then, or -errno after a message. */
static int read_all(struct sampling *sm, struct rate_reading *now)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_read read;
	size_t i;
	int err;

	*now = (struct rate_reading){ 0 };
	for (i = 0; i < sm->nr_sessions; i++) {
		struct sampling_session *s = &sm->sessions[i];

		err = acrpmu_session_read(s->session, ACRPMU_CPU_ALL, &read, counts);
		if (err) {
			TARGET_SAY(&sm->target, "the accounts of '%s' cannot be read: %s",
				   acrpmu_spec_text(sm->spec, s->group), strerror(-err));
			return err;
		}
		/* all sessions are enabled together */
		if (read.time_enabled_ns > now->time_ns)
			now->time_ns = read.time_enabled_ns;
		if (read.state & ACRPMU_STATE_TAKEN) {
			/* which poll(2) no longer reports */
			sampling_session_take_loss(sm, s);
			return 1;
		}
		/* event 0 is the sampled one */
		now->samples += counts[0].overflows;
		now->throttled += read.throttled;
	}
	return 0;
}

static int set_periods(const struct sampling *sm, const struct sampling_session *s,
		       struct acrpmu_message *message)
{
	__u64 periods[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(sm->spec, s->group); i++)
		periods[i] = acrpmu_spec_event(sm->spec, s->group, i)->attr.period;
	return acrpmu_session_set_periods(s->session, periods, sm->spec, s->group, message);
}

/* All sessions get the periods of a factor, or sampling ends. */
static int set_factor(struct sampling *sm, __u64 factor)
{
	struct acrpmu_message message;
	size_t i;
	int err = acrpmu_spec_set_factor(sm->spec, factor);

	for (i = 0; !err && i < sm->nr_sessions; i++) {
		err = set_periods(sm, &sm->sessions[i], &message);
		if (err)
			output_error(sm->target.text->command, &message, NULL);
	}
	return err;
}

static void explain(const struct sampling *sm, const struct rate_reading *from,
		    const struct rate_reading *now)
{
	unsigned int g, i;

	fprintf(stderr,
		"acrctl: %s: %.1f samples a second instead of %llu: k = %llu, periods",
		sm->target.text->command,
		(now->samples - from->samples) * NSEC_PER_SEC / (now->time_ns - from->time_ns),
		sm->rate.hz, sm->rate.factor);
	for (g = 0; g < sm->nr_groups; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(sm->spec, g); i++)
			fprintf(stderr, "%s %llu", i ? "," : g ? ";" : "",
				acrpmu_spec_event(sm->spec, g, i)->attr.period);
	}
	fputc('\n', stderr);
}

/**
 * sampling_adapt_begin() - begin to measure
 *
 * Return: 0, or -errno after a message.
 */
int sampling_adapt_begin(struct sampling *sm)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(sm->spec);
	struct rate_reading now;
	int err;

	if (!sm->opt.when.hz)
		return 0;
	err = read_all(sm, &now);
	if (err < 0)
		return err;
	rate_init(&sm->rate, sm->opt.when.hz, c->factor, c->min_factor, c->max_factor);
	rate_measure(&sm->rate, &now);
	return 0;
}

/**
 * sampling_adapt_step() - change the periods if samples are too many or too few
 *
 * Return: 0, or -errno after a message.
 */
int sampling_adapt_step(struct sampling *sm)
{
	struct rate_reading now, from = sm->rate.base;
	int err;

	if (!sm->opt.when.hz)
		return 0;
	err = read_all(sm, &now);
	if (err || !rate_step(&sm->rate, &now))
		return err < 0 ? err : 0;
	err = set_factor(sm, sm->rate.factor);
	if (err)
		return err;
	if (sm->opt.verbose)
		explain(sm, &from, &now);
	/* what was sampled until now had the old periods */
	err = read_all(sm, &now);
	if (!err)
		rate_measure(&sm->rate, &now);
	return err < 0 ? err : 0;
}

/**
 * sampling_adapt_closing() - print how many samples came, and with which windows, unless somebody
 *	else has taken a CPU
 */
void sampling_adapt_closing(const struct sampling *sm)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(sm->spec);
	__u64 time_ns = 0, samples = 0;
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++) {
		const struct sampling_session *s = &sm->sessions[i];

		if (s->stats.state & ACRPMU_STATE_TAKEN)
			return;
		if (s->stats.time_enabled_ns > time_ns)
			time_ns = s->stats.time_enabled_ns;
		samples += s->totals[0].overflows;
	}
	TARGET_SAY(&sm->target,
		   "%.1f samples a second came of %llu that were asked for; k was %llu to %llu, of %llu to %llu that are possible",
		   time_ns ? samples * NSEC_PER_SEC / time_ns : 0, sm->rate.hz, sm->rate.lowest,
		   sm->rate.highest, c->min_factor, c->max_factor);
}
