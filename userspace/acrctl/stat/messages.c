// SPDX-License-Identifier: GPL-2.0-only
/* Messages next to the counts: groups explained, and remarks on how far to trust counts. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

/* remarks that are not about one group, and NULL */
#define OTHER_REMARKS	(15 + ACRPMU_MAX_KINDS)
#define GROUP_REMARKS	2
#define NSEC_PER_SEC	1e9
#define NSEC_PER_USEC	1000
#define PER_CENT	100.0
/* share of the time that others may take */
#define MAX_LOST	0.01

/**
 * stat_messages_group() - explain a group, and how it is programmed if it runs now, on stderr
 */
void stat_messages_group(const struct stat *st, unsigned int group)
{
	char *text = output_matrix(st->spec, group);

	fprintf(stderr, "acrctl: stat: group %s\n", acrpmu_spec_text(st->spec, group));
	if (text && *text)
		fprintf(stderr, "%s\n", text);
	free(text);
	if (reload_is_used(st->spec, group))
		fprintf(stderr, "  reload: %s\n", reload_words(st->kinds.reload));
	output_hw(st->spec, group, st->groups[group].session);
}

__attribute__((format(printf, 2, 3)))
static void add(char **list, const char *format, ...)
{
	va_list args;

	while (*list)
		list++;
	va_start(args, format);
	if (vasprintf(list, format, args) < 0)
		*list = NULL;
	va_end(args);
}

static bool is_taken(const struct stat *st, const struct stat_block *block, unsigned int group)
{
	size_t location;

	for (location = 0; location < st->nr_locations; location++) {
		if (stat_block_cell(st, block, location, group)->taken)
			return true;
	}
	return false;
}

static void add_not_counted(const struct stat *st, const struct stat_block *block, char **list)
{
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		const struct stat_group *group = &st->groups[g];
		const struct acrpmu_message *why = &group->why;
		const char *text = acrpmu_spec_text(st->spec, g);

		if (!stat_block_never_ran(st, block, g))
			continue;
		if (is_taken(st, block, g))
			continue; /* which is said once */
		if (*why->text)
			add(list, "'%s' never ran: %s; %s", text, why->text, why->hint);
		else if (st->accounts.privileged_exec && group->had_turn)
			continue; /* its tasks had been left, which is said once */
		else if (!st->rotates)
			add(list, "'%s' never ran: its CPUs were gone; count on others", text);
		else
			add(list, "'%s' never ran: its turn did not come; count for longer, or "
			    "take shorter turns with --rotate", text);
	}
}

/* The fewest runs in which a group counted, over the locations where it did. */
static unsigned int fewest_runs(const struct stat *st, const struct stat_block *block,
				unsigned int group)
{
	unsigned int runs, fewest = block->runs;
	size_t location;

	for (location = 0; location < st->nr_locations; location++) {
		runs = stat_block_cell(st, block, location, group)->runs;
		if (runs && runs < fewest)
			fewest = runs;
	}
	return fewest;
}

/* For how long sessions of CPUs lacked some.  Older modules do not know that. */
static void add_lost_cpus(const struct stat *st, char **list)
{
	const char *still = st->accounts.cpu_lost ? ", and one still is" : "";
	__u64 missed_ns = 0;
	unsigned int k;

	for (k = 0; !st->target.nr_tids && k < st->kinds.nr; k++) {
		if (st->accounts.missed_ns[k] > missed_ns)
			missed_ns = st->accounts.missed_ns[k];
	}
	if (missed_ns >= NSEC_PER_USEC)
		add(list, "CPUs were offline or taken away for %s%.6f s in all%s; counts of that "
		    "time are missing", st->rotates ? "at least " : "", missed_ns / NSEC_PER_SEC,
		    still);
	else if (st->accounts.cpu_lost && !*st->accounts.taken.message.text)
		add(list, "some CPU went offline or was taken away; its counts are missing");
}

/* Time of tasks on CPUs of other kinds, or outside of those given. */
static void add_missed(const struct stat *st, char **list)
{
	unsigned int k;

	add_lost_cpus(st, list);
	for (k = 0; st->target.nr_tids && k < st->kinds.nr; k++) {
		__u64 missed_ns = st->accounts.missed_ns[k];

		if (missed_ns >= NSEC_PER_USEC)
			add(list, "%s: tasks also ran for %s%.6f s on other CPUs, which its groups "
			    "do not count", st->kinds.list[k].pmu, st->rotates ? "at least " : "",
			    missed_ns / NSEC_PER_SEC);
	}
}

/* Groups that had no turn in some runs: their means are those of the others. */
static void add_fewer_runs(const struct stat *st, const struct stat_block *block, char **list)
{
	unsigned int g, runs;

	for (g = 0; block->runs > 1 && g < st->nr_groups; g++) {
		runs = fewest_runs(st, block, g);
		if (runs < block->runs)
			add(list, "'%s' ran in %u of %u runs%s: its means are of those; let the "
			    "command run for longer, or take shorter turns with --rotate",
			    acrpmu_spec_text(st->spec, g), runs, block->runs,
			    st->opt.per_cpu ? ", on one CPU at least" : "");
	}
}

/* The command ran less often than asked for. */
static void add_missing_runs(const struct stat *st, const struct stat_block *block, char **list)
{
	int sig = st->target.stop_signal;

	if (block->runs >= st->opt.repeat)
		return;
	if (sig)
		add(list, "%u of %llu runs were counted, then signal %d (%s) came", block->runs,
		    st->opt.repeat, sig, strsignal(sig));
	else
		add(list, "%u of %llu runs were counted, then one failed", block->runs,
		    st->opt.repeat);
}

static void add_software(const struct stat *st, char **list)
{
	unsigned int g;
	char *text;

	for (g = 0; g < st->nr_groups; g++) {
		if (!reload_is_used(st->spec, g))
			continue;
		text = stat_software_remark(st, g);
		add(list, "%s", text ? text : "reload in software: out of memory");
		free(text);
	}
}

/* Why latencies have no value in ns. */
static void add_no_ns(const struct stat *st, const struct stat_block *block, char **list)
{
	bool no_hz = false, no_clock = false;
	struct stat_latency latency;
	unsigned int g, i;

	for (g = 0; g < st->nr_groups; g++) {
		const struct stat_cell *cell = stat_block_cell(st, block, 0, g);

		for (i = 0; stat_latency_next(st, cell, g, i, &latency);
		     i = latency.outstanding + 1) {
			no_hz |= !tsc_hz();
			no_clock |= !latency.has_clock;
		}
	}
	if (no_hz)
		add(list, "cycles are not converted to ns: the frequency of the time stamp "
		    "counter is not known; give it in Hz as " STAT_TSC_HZ_ENV);
	if (no_clock)
		add(list, "cycles are not converted to ns in a group without the core's clock; "
		    "add cycles and ref-cycles to it, at the levels of the requests");
}

/**
 * stat_messages_lost_much() - whether others held the counters for more than 1 % of the time
 */
bool stat_messages_lost_much(const struct stat_accounts *accounts)
{
	return accounts->lost_ns > MAX_LOST * accounts->time_ns;
}

static void add_accounts(const struct stat_accounts *a, char **list)
{
	if (a->lost_ns)
		add(list, "for %.6f s (%.1f %%) no group held counters, as others did, and counts "
		    "lack what happened then: %s; %s", a->lost_ns / NSEC_PER_SEC,
		    PER_CENT * a->lost_ns / a->time_ns, a->lost_why.text, a->lost_why.hint);
	if (a->gone_ns)
		add(list, "for %.6f s all CPUs were offline", a->gone_ns / NSEC_PER_SEC);
	if (a->throttled)
		add(list, "%llu overflows were beyond a limit of the CPU, its rate or its time; "
		    "after each the group paused, and its counts lack the pauses; use longer "
		    "periods", a->throttled);
	if (a->inherit_failed)
		add(list, "%llu new tasks could not be followed for lack of memory; their counts "
		    "are missing", a->inherit_failed);
	if (a->privileged_exec)
		add(list, "a set-uid or otherwise privileged program was executed; it was not "
		    "counted, nor what it started; to include it, count all CPUs with -a");
	if (*a->taken.message.text)
		add(list, "%s; %s", a->taken.message.text, a->taken.message.hint);
	if (a->taken_others)
		add(list, "%s", a->taken_others);
	if (a->cpu_new)
		add(list, "some CPU came online that was offline in the beginning; its counts are "
		    "missing");
}

/**
 * stat_messages_remarks() - what the user should know of the counts
 *
 * Return: sentences and NULL, for stat_messages_free(); NULL: out of memory.
 */
char **stat_messages_remarks(const struct stat *st, const struct stat_block *block)
{
	char **list = calloc(GROUP_REMARKS * st->nr_groups + OTHER_REMARKS, sizeof(*list));

	if (!list)
		return NULL;
	if (block->scaled)
		add(list, "the groups did not fit at once and took turns of %llu ms: counts are "
		    "estimates, from the share of the time that each group ran, in per cent",
		    st->opt.rotate_ms);
	if (st->kinds.reload == RELOAD_HARDWARE)
		add(list, "hardware reloads the counters of <reloaded> events, so that they hold "
		    "no count%s", st->opt.twins ? "; the twins count the same events" :
		    *st->no_shares.text ? "" : "; --twins counts each of them on a second counter");
	if (st->kinds.reload == RELOAD_SOFTWARE)
		add_software(st, list);
	if (*st->no_shares.text)
		add(list, "there are no shares, since plain counters for all events of the "
		    "condition do not fit: %s", st->no_shares.text);
	add_missed(st, list);
	add_no_ns(st, block, list);
	add_accounts(&st->accounts, list);
	add_not_counted(st, block, list);
	add_fewer_runs(st, block, list);
	add_missing_runs(st, block, list);
	return list;
}

/**
 * stat_messages_free() - free remarks
 */
void stat_messages_free(char **remarks)
{
	size_t i;

	for (i = 0; remarks && remarks[i]; i++)
		free(remarks[i]);
	free(remarks);
}
