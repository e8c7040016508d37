/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting in progress: what was asked for, the sessions, and blocks of counts to be shown. */
#ifndef _ACRCTL_STAT_H
#define _ACRCTL_STAT_H

#include <stdbool.h>
#include <stdio.h>

#include "../../lib/acrpmu_lib.h"
#include "../cmd.h"
#include "turns.h"
#include "../target.h"

/**
 * struct stat_options - the command line
 * @groups: event groups as the user wrote them, and those made of @latency and of nothing
 * @latency: arguments of --offcore-latency
 * @events_dir: directory of JSON files with named events, NULL: not given
 * @output: file to write, NULL: not given
 * @interval_ms: time between two blocks of counts, 0: one block at the end
 * @rotate_ms: length of a turn where groups do not fit at once
 * @repeat: how often the command runs
 * @json: print JSON
 * @per_cpu: each CPU for itself
 * @twins: a plain counter beside each event that is reloaded
 * @verbose: first explain the groups
 */
struct stat_options {
	struct event_args groups;
	struct event_args latency;
	const char *events_dir;
	const char *output;
	__u64 interval_ms;
	__u64 rotate_ms;
	__u64 repeat;
	bool json;
	bool per_cpu;
	bool twins;
	bool verbose;
};

/**
 * struct stat_counts - what a group has counted at one place: on one CPU, or wherever it ran
 * @running_ns: for how long
 * @lost: its CPU went offline
 * @counts: for each event
 */
struct stat_counts {
	__u64 running_ns;
	bool lost;
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
};

/**
 * struct stat_group - one group and its session
 * @session: the session, NULL: none now
 * @nr_events: how many events
 * @parked: it holds no counters
 * @waits: it has not run since the block began
 * @had_turn: it has had a turn in this run of the command
 * @gone: its CPUs were offline when it was tried last
 * @now: for each place, as read last
 * @block: the same when the block began
 * @turn_ns: for each place, running_ns when the turn began
 * @base_ns: it runs since then, by CLOCK_MONOTONIC, or that much of it is in @wall_ns
 * @wall_ns: for how long it held counters in this turn
 * @read: its accounts
 * @why: why it could not run when it was tried last, empty: it could
 */
struct stat_group {
	struct acrpmu_session *session;
	unsigned int nr_events;
	bool parked;
	bool waits;
	bool had_turn;
	bool gone;
	struct stat_counts *now;
	struct stat_counts *block;
	__u64 *turn_ns;
	__u64 base_ns;
	__u64 wall_ns;
	struct acrpmu_read read;
	struct acrpmu_message why;
};

/**
 * struct stat_event - an event in a block
 * @raw: what was counted
 * @value: @raw, or if groups took turns what it stands for
 * @total: of several runs the sum of @raw, otherwise @raw; quotients in a group are made of it
 * @overflows: how many reached software
 * @deviation: of @value over several runs, in per cent
 */
struct stat_event {
	__u64 raw;
	__u64 value;
	__u64 total;
	__u64 overflows;
	double deviation;
};

/**
 * struct stat_cell - a group at one place in a block
 * @counted: whether it ran
 * @runs: in a block of several runs, in how many of them it did
 * @running_ns: how long it ran
 * @total_ns: how long it would have run all the time
 * @ev: its events
 */
struct stat_cell {
	bool counted;
	unsigned int runs;
	__u64 running_ns;
	__u64 total_ns;
	struct stat_event ev[ACRPMU_MAX_EVENTS];
};

/**
 * struct stat_block - counts of an interval, of a run or of several
 * @end_ns: when it ended, from the start of counting
 * @length_ns: its length, of several runs the mean
 * @lost_ns: how much of it no group held counters, as others did; of several runs the mean
 * @deviation: of @length_ns over several runs, in per cent
 * @runs: of how many runs
 * @scaled: groups took turns
 * @cells: for each place its groups
 */
struct stat_block {
	__u64 end_ns;
	__u64 length_ns;
	__u64 lost_ns;
	double deviation;
	unsigned int runs;
	bool scaled;
	struct stat_cell *cells;
};

/**
 * struct stat_series - a number over several runs
 * @nr: how many runs had it
 * @mean: its mean
 * @squares: sum of the squares of the distances from it
 */
struct stat_series {
	unsigned int nr;
	double mean;
	double squares;
};

/**
 * struct stat_repeat - blocks of several runs
 * @sum: sums of times and raw counts
 * @events: for each cell the values of its events
 * @length: lengths of the runs
 */
struct stat_repeat {
	struct stat_block sum;
	struct stat_series (*events)[ACRPMU_MAX_EVENTS];
	struct stat_series length;
};

/**
 * struct stat_accounts - what must not be lost silently, over all runs
 * @throttled: overflows after which a group paused
 * @inherit_failed: tasks that could not be followed
 * @cpu_lost: some CPU went or could not be had
 * @ended: all CPUs were gone before the end was asked for
 * @time_ns: for how long was counted
 * @lost_ns: for how long of it no group held counters, as others did
 * @lost_why: why a group could not run then, the last time
 */
struct stat_accounts {
	__u64 throttled;
	__u64 inherit_failed;
	bool cpu_lost;
	bool ended;
	__u64 time_ns;
	__u64 lost_ns;
	struct acrpmu_message lost_why;
};

/**
 * struct stat - counting
 * @opt: the command line
 * @target: whom to count
 * @device: the module's device
 * @cpu: name of the CPUs that are counted
 * @nr_cntrs: how many counters the one with the most has
 * @spec: the event groups
 * @groups: the same, with their sessions
 * @nr_groups: how many
 * @nr_places: 1, or how many CPUs are shown one by one
 * @rotates: the groups do not fit at once
 * @may_fit: there are as many counters as events
 * @order_matters: one found no extra register or counter, which those before it may have chosen
 *	otherwise
 * @turns: whose turn it is
 * @turn_start_ns: when the turn began
 * @kept_off: others kept all groups from running when the turn began
 * @gone: the CPUs were offline when the turn began
 * @stop_ns: when all was stopped, 0: it was not
 * @failed: a group could not be stopped or read in this turn: -errno
 * @total_ns: for each place, how long a group would have run that ran all the time
 * @block_ns: the same when the block began
 * @lost_ns: for how long no group held counters, as others did
 * @block_lost_ns: the same when the block began
 * @start_ns: when counting began, CLOCK_MONOTONIC
 * @block_start_ns: when the block began
 * @accounts: what to warn of
 * @out: where counts go
 */
struct stat {
	struct stat_options opt;
	struct target target;
	struct acrpmu_device *device;
	char cpu[32];
	unsigned int nr_cntrs;
	struct acrpmu_spec *spec;
	struct stat_group *groups;
	unsigned int nr_groups;
	size_t nr_places;
	bool rotates;
	bool may_fit;
	bool order_matters;
	struct stat_turns turns;
	__u64 turn_start_ns;
	bool kept_off;
	bool gone;
	__u64 stop_ns;
	int failed;
	__u64 *total_ns;
	__u64 *block_ns;
	__u64 lost_ns;
	__u64 block_lost_ns;
	__u64 start_ns;
	__u64 block_start_ns;
	struct stat_accounts accounts;
	FILE *out;
};

/**
 * struct stat_derived - a quotient of two counts
 * @value: the quotient
 * @unit: words that follow it
 */
struct stat_derived {
	double value;
	const char *unit;
};

/**
 * struct stat_latency - the average latency of requests, from a pair of events of a group
 * @outstanding: index of the event that counts what is outstanding
 * @responses: index of its partner
 * @name: the requests
 * @has_clock: the group has cycles and reference cycles, too
 * @known: there were responses
 * @cycles: core cycles from request to response, valid if @known
 * @has_ns: @ns is valid
 * @ns: the same in nanoseconds
 */
struct stat_latency {
	unsigned int outstanding;
	unsigned int responses;
	char name[ACRPMU_NAME_LEN];
	bool has_clock;
	bool known;
	double cycles;
	bool has_ns;
	double ns;
};

/* cmd_stat.c */
int stat_flush(const struct stat *st);

/* session.c */
int stat_sessions_alloc(struct stat *st);
int stat_sessions_open(struct stat *st);
int stat_sessions_switch(struct stat *st, bool on);
int stat_sessions_read(struct stat *st);
int stat_sessions_turn(struct stat *st);
void stat_sessions_close(struct stat *st);
void stat_sessions_free(struct stat *st);

/* loop.c */
int stat_loop_run(struct stat *st);
__u64 stat_now_ns(void);

/* block.c */
int stat_block_alloc(const struct stat *st, struct stat_block *block);
void stat_block_begin(struct stat *st);
void stat_block_take(struct stat *st, struct stat_block *block);
struct stat_cell *stat_block_cell(const struct stat *st, const struct stat_block *block,
				  size_t place, unsigned int group);
bool stat_block_never_ran(const struct stat *st, const struct stat_block *block,
			  unsigned int group);

/* repeat.c */
int stat_repeat_begin(const struct stat *st, struct stat_repeat *repeat);
void stat_repeat_add(const struct stat *st, struct stat_repeat *repeat,
		     const struct stat_block *block);
void stat_repeat_finish(const struct stat *st, const struct stat_repeat *repeat,
			struct stat_block *block);
void stat_repeat_free(struct stat_repeat *repeat);

/* derive.c */
bool stat_derive(const struct stat *st, const struct stat_block *block, size_t place,
		 unsigned int group, unsigned int event, struct stat_derived *derived);

/* latency.c */
int stat_latency_check(struct stat *st);
int stat_latency_add_groups(struct stat *st);
bool stat_latency_next(const struct stat *st, const struct stat_cell *cell, unsigned int group,
		       unsigned int from, struct stat_latency *latency);

/* messages.c */
bool stat_words_lost_much(const struct stat_accounts *accounts);
void stat_words_groups(const struct stat *st, unsigned int group);
char **stat_words_remarks(const struct stat *st, const struct stat_block *block);
void stat_words_free(char **remarks);

/* text.c */
void stat_text_begin(const struct stat *st);
void stat_text_block(const struct stat *st, const struct stat_block *block);
void stat_text_last(const struct stat *st, const struct stat_block *block, char *const *remarks);

/* json.c */
int stat_json_block(const struct stat *st, const struct stat_block *block, char *const *remarks);

#endif /* _ACRCTL_STAT_H */
