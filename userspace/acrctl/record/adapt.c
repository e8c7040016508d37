// SPDX-License-Identifier: GPL-2.0-only
/* The option -F: measuring the rate of samples, and changing the periods of all sessions. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NSEC_PER_SEC	1e9

/**
 * record_adapt_check() - check that the module can change the periods of a session
 *
 * Return: 0, or -EOPNOTSUPP after a message.
 */
int record_adapt_check(const struct record *r)
{
	if (!r->opt.when.hz || r->kinds.features & ACRPMU_FEATURE_PERIODS)
		return 0;
	fprintf(stderr,
		"acrctl: record: -F changes periods while the program runs, and this module cannot, since it is older than ABI version 5; install module and acrctl of one version, or set the length of a window with --window\n");
	return -EOPNOTSUPP;
}

static int read_all(const struct record *r, struct rate_reading *now)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_read read;
	size_t i;
	int err;

	*now = (struct rate_reading){ 0 };
	for (i = 0; i < r->nr_sessions; i++) {
		const struct record_session *s = &r->sessions[i];

		err = acrpmu_session_read(s->session, ACRPMU_CPU_ALL, &read, counts);
		if (err) {
			fprintf(stderr,
				"acrctl: record: the accounts of '%s' cannot be read: %s\n",
				acrpmu_spec_text(r->spec, s->group), strerror(-err));
			return err;
		}
		/* all sessions are enabled together */
		if (read.time_enabled_ns > now->time_ns)
			now->time_ns = read.time_enabled_ns;
		/* event 0 is the sampled one */
		now->samples += counts[0].overflows;
		now->throttled += read.throttled;
	}
	return 0;
}

static int set_periods(const struct record *r, const struct record_session *s,
		       struct acrpmu_message *message)
{
	__u64 periods[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(r->spec, s->group); i++)
		periods[i] = acrpmu_spec_event(r->spec, s->group, i)->attr.period;
	return acrpmu_session_set_periods(s->session, periods, r->spec, s->group, message);
}

/* All sessions get the periods of a factor, or the recording ends. */
static int set_factor(struct record *r, __u64 factor)
{
	struct acrpmu_message message;
	size_t i;
	int err = acrpmu_spec_set_factor(r->spec, factor);

	for (i = 0; !err && i < r->nr_sessions; i++) {
		err = set_periods(r, &r->sessions[i], &message);
		if (err)
			output_error("record", &message, NULL);
	}
	return err;
}

static void explain(const struct record *r, const struct rate_reading *from,
		    const struct rate_reading *now)
{
	unsigned int g, i;

	fprintf(stderr,
		"acrctl: record: %.1f samples a second instead of %llu: k = %llu, periods",
		(now->samples - from->samples) * NSEC_PER_SEC / (now->time_ns - from->time_ns),
		r->rate.hz, r->rate.factor);
	for (g = 0; g < r->nr_groups; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(r->spec, g); i++)
			fprintf(stderr, "%s %llu", i ? "," : g ? ";" : "",
				acrpmu_spec_event(r->spec, g, i)->attr.period);
	}
	fputc('\n', stderr);
}

/**
 * record_adapt_begin() - begin to measure
 *
 * Return: 0, or -errno after a message.
 */
int record_adapt_begin(struct record *r)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(r->spec);
	struct rate_reading now;
	int err;

	if (!r->opt.when.hz)
		return 0;
	err = read_all(r, &now);
	if (err)
		return err;
	rate_init(&r->rate, r->opt.when.hz, c->factor, c->min_factor, c->max_factor);
	rate_measure(&r->rate, &now);
	return 0;
}

/**
 * record_adapt_step() - change the periods if samples are too many or too few
 *
 * Return: 0, or -errno after a message.
 */
int record_adapt_step(struct record *r)
{
	struct rate_reading now, from = r->rate.base;
	int err;

	if (!r->opt.when.hz)
		return 0;
	err = read_all(r, &now);
	if (err || !rate_step(&r->rate, &now))
		return err;
	err = set_factor(r, r->rate.factor);
	if (err)
		return err;
	if (r->opt.verbose)
		explain(r, &from, &now);
	/* what was sampled until now had the old periods */
	err = read_all(r, &now);
	if (!err)
		rate_measure(&r->rate, &now);
	return err;
}

/**
 * record_adapt_closing() - print how many samples came, and with which windows
 */
void record_adapt_closing(const struct record *r)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(r->spec);
	__u64 time_ns = 0, samples = 0;
	size_t i;

	for (i = 0; i < r->nr_sessions; i++) {
		const struct record_session *s = &r->sessions[i];

		if (s->stats.time_enabled_ns > time_ns)
			time_ns = s->stats.time_enabled_ns;
		samples += s->totals[0].overflows;
	}
	fprintf(stderr,
		"acrctl: record: %.1f samples a second came of %llu that were asked for; k was %llu to %llu, of %llu to %llu that are possible\n",
		time_ns ? samples * NSEC_PER_SEC / time_ns : 0, r->rate.hz, r->rate.lowest,
		r->rate.highest, c->min_factor, c->max_factor);
}
