// SPDX-License-Identifier: GPL-2.0-only
/* Messages of a recording: refusals, the groups explained, warnings, the closing line. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB		1024.0
#define NSEC_PER_SEC	1e9
#define RATIO_LEN	64
#define GUEST_LEN	64
#define RELOAD_LEN	32
#define FILES_LEN	32

static void print_matrix(const struct record *r, unsigned int group)
{
	char *text = output_matrix(r->sm.spec, group);

	if (text)
		fprintf(stderr, "%s\n", text);
	free(text);
}

static void print_periods(const struct record *r, unsigned int group)
{
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(r->sm.spec, group); i++) {
		const struct acrpmu_spec_event *event = acrpmu_spec_event(r->sm.spec, group, i);
		char ratio[RATIO_LEN];

		fprintf(stderr, "  %s: period %llu", event->name, event->attr.period);
		if (event->ratio_den) {
			acrpmu_spec_ratio(event, ratio, sizeof(ratio));
			fprintf(stderr, ", ratio to the previous event %s, asked for %s", ratio,
				event->ratio);
		}
		fprintf(stderr, "\n");
	}
}

static void print_reload(const struct record *r)
{
	fprintf(stderr, "  reload: %s%s\n", reload_words(r->sm.kinds.reload),
		r->sm.kinds.reload == RELOAD_SOFTWARE ?
		", with an interrupt for each overflow that restarts something" : "");
}

/**
 * record_messages_groups() - explain each group and how it is programmed
 */
void record_messages_groups(const struct record *r)
{
	unsigned int g;
	size_t i;

	for (g = 0; g < r->sm.nr_groups; g++) {
		fprintf(stderr, "acrctl: record: group %s\n", acrpmu_spec_text(r->sm.spec, g));
		print_matrix(r, g);
		print_periods(r, g);
		if (reload_is_used(r->sm.spec, g))
			print_reload(r);
		for (i = 0; i < r->sm.nr_sessions; i++) {
			if (r->sm.sessions[i].group != g)
				continue;
			output_hw(r->sm.spec, g, r->sm.sessions[i].session);
			break;
		}
	}
}

/**
 * record_messages_sums() - add up the accounts of all sessions
 */
struct record_sums record_messages_sums(const struct record *r)
{
	struct record_sums sums = { 0 };
	size_t i;

	for (i = 0; i < r->sm.nr_sessions; i++) {
		const struct sampling_session *s = &r->sm.sessions[i];

		sums.samples += s->counts.samples;
		sums.records += s->stats.records;
		sums.lost += s->counts.lost + sampling_sessions_missing(s);
		sums.throttled += s->stats.throttled;
		sums.discarded += s->stats.discarded;
		sums.guest += s->stats.guest;
	}
	return sums;
}

static void print_warnings(const struct record *r, const struct record_sums *sums)
{
	/* there are no records if the accounts could not be read */
	__u64 unwritten = sums->records > sums->samples ? sums->records - sums->samples : 0;

	if (r->write_err)
		fprintf(stderr,
			"acrctl: record: %llu samples and %llu records about tasks and maps could not be written to %s\n",
			unwritten, r->sm.sideband.counts.dropped, r->opt.output);
	else if (sums->samples != sums->records)
		fprintf(stderr,
			"acrctl: record: warning: the module wrote %llu samples, %llu arrived in the file\n",
			sums->records, sums->samples);
	sampling_warn(&r->sm, r->hidden_kernel);
}

static void print_accounts(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->sm.nr_sessions; i++) {
		const struct acrpmu_read *st = &r->sm.sessions[i].stats;

		fprintf(stderr,
			"acrctl: record: %s: enabled %.6f s, counted %.6f s, on %u CPUs, %u tasks left\n",
			acrpmu_spec_text(r->sm.spec, r->sm.sessions[i].group),
			st->time_enabled_ns / NSEC_PER_SEC, st->time_running_ns / NSEC_PER_SEC,
			st->nr_cpus, st->nr_tasks);
	}
}

/**
 * record_messages_snapshot() - read and print the accounts while recording
 *
 * Return: 0, or -errno after a message.
 */
int record_messages_snapshot(struct record *r)
{
	__u64 records = 0, lost = 0, throttled = 0;
	int err = sampling_sessions_read(&r->sm);
	size_t i;

	if (err)
		return err;
	/* what the module has written since the rings were read is not lost */
	for (i = 0; i < r->sm.nr_sessions; i++) {
		records += r->sm.sessions[i].stats.records;
		lost += r->sm.sessions[i].stats.lost;
		throttled += r->sm.sessions[i].stats.throttled;
	}
	fprintf(stderr,
		"acrctl: record: snapshot: %llu samples, %llu lost, %llu throttled\n", records,
		lost, throttled);
	if (r->sm.opt.verbose)
		print_accounts(r);
	return 0;
}

/* What reload in software had to do for a group, and what it could not see. */
static void print_software(const struct record *r, const struct sampling_session *s)
{
	const char *before = "; outside of windows: ";
	unsigned int i;

	fprintf(stderr,
		"acrctl: record: %s: restarted in software: %llu interrupts without a sample, %llu overflows dropped",
		acrpmu_spec_text(r->sm.spec, s->group), s->stats.quiet, s->stats.dropped);
	for (i = 0; i < acrpmu_spec_nr_events(r->sm.spec, s->group); i++) {
		if (!reload_is_cause(r->sm.spec, s->group, i))
			continue;
		fprintf(stderr, "%s%llu x %s", before, s->outside[i],
			acrpmu_spec_event(r->sm.spec, s->group, i)->name);
		before = ", ";
	}
	fprintf(stderr, "\n");
}

static void print_all_software(const struct record *r)
{
	size_t i;

	for (i = 0; r->sm.kinds.reload == RELOAD_SOFTWARE && i < r->sm.nr_sessions; i++) {
		if (reload_is_used(r->sm.spec, r->sm.sessions[i].group))
			print_software(r, &r->sm.sessions[i]);
	}
}

/* With -F each sample has its own period. */
static void print_meaning(const struct record *r, unsigned int group)
{
	const struct acrpmu_spec_event *sampled = acrpmu_spec_event(r->sm.spec, group, 0);
	const char *where = acrpmu_spec_text(r->sm.spec, group);
	__u64 unit = acrpmu_spec_condition(r->sm.spec)->units[0];

	if (r->sm.opt.when.hz)
		fprintf(stderr,
			"acrctl: record: each sample ends a window of its period, %llu to %llu x %s, where %s\n",
			r->sm.rate.lowest * unit, r->sm.rate.highest * unit, sampled->text, where);
	else
		fprintf(stderr,
			"acrctl: record: each sample ends a window of %llu x %s where %s\n",
			sampled->attr.period, sampled->text, where);
}

/* What the number of samples means. */
static void print_condition(const struct record *r, __u64 samples)
{
	unsigned int g;

	for (g = 0; g < r->sm.nr_groups; g++) {
		if (samples)
			print_meaning(r, g);
		else
			fprintf(stderr,
				"acrctl: nothing was sampled: there was no window where %s, or nothing ran\n",
				acrpmu_spec_text(r->sm.spec, g));
	}
}

static void print_sums(const struct record *r, const struct record_sums *sums, int err)
{
	char guest[GUEST_LEN] = "", reload[RELOAD_LEN] = "", files[FILES_LEN] = "";

	if (r->sm.opt.exclude_guest)
		snprintf(guest, sizeof(guest), ", %llu excluded in guests", sums->guest);
	if (r->sm.kinds.reload != RELOAD_AUTO)
		snprintf(reload, sizeof(reload), "reload %s, ", reload_words(r->sm.kinds.reload));
	if (r->next.on)
		snprintf(files, sizeof(files), "%llu files, ", r->next.nr_files);
	fprintf(stderr,
		"acrctl: %s%s%s: %llu samples, %llu lost, %llu throttled, %llu discarded after stop%s (%s%s%.1f KiB)\n",
		r->opt.output, r->next.on ? ".*" : "", err ? " (incomplete)" : "", sums->samples,
		sums->lost, sums->throttled, sums->discarded, guest, reload, files,
		(r->next.on ? r->next.all_bytes : r->file_bytes) / KIB);
}

/* What the samples are, and what else is known about them. */
static void print_meanings(const struct record *r, __u64 samples, int err)
{
	print_all_software(r);
	if (!err && r->sm.opt.when.hz)
		sampling_adapt_closing(&r->sm);
	if (!err && acrpmu_spec_condition(r->sm.spec))
		print_condition(r, samples);
	else if (!err && !samples)
		fprintf(stderr,
			"acrctl: nothing was sampled: no event reached its period before it was reloaded, or nothing ran\n");
}

/**
 * record_messages_closing() - summarise the recording; @err is what went wrong, 0: nothing
 */
void record_messages_closing(const struct record *r, int err)
{
	struct record_sums sums = record_messages_sums(r);
	bool quiet = r->sm.opt.quiet;

	print_warnings(r, &sums);
	if (r->sm.opt.verbose)
		print_accounts(r);
	if (!quiet)
		sampling_warn_missed(&r->sm);
	/* a round has a line of its own, with its losses */
	if (!quiet || (sums.lost && !r->rounds.every_ms))
		print_sums(r, &sums, err);
	if (!quiet)
		print_meanings(r, sums.samples, err);
}
