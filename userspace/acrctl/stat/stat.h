/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting in progress: what was asked for, the sessions, and blocks of counts to print. */
#ifndef _ACRCTL_STAT_H
#define _ACRCTL_STAT_H

#include "../cmd.h"
#include "../control.h"
#include "../kinds.h"
#include "../taken/taken.h"
#include "../target.h"
#include "../when.h"
#include "windows.h"

#define STAT_TSC_HZ_ENV	"ACRCTL_TSC_HZ"	/* Hz of the time stamp counter, instead of CPUID's */

/* The command line. */
struct stat_options {
	struct event_args groups;	/* of -e, of @latency, or the default; or the condition */
	struct when when;
	struct event_args latency;	/* of --offcore-latency */
	const char *events_dir;
	const char *output;
	__u64 interval_ms;		/* 0: one block at the end */
	__u64 rotate_ms;
	__u64 repeat;			/* 0: once */
	__u32 levels;			/* ACRPMU_PARSE_USER or _KERNEL, 0: not given */
	bool json;
	bool per_cpu;
	bool per_thread;
	bool twins;
	bool verbose;
};

/* A thread that is printed on its own. */
struct stat_thread {
	pid_t tid;
	char comm[64];			/* a thread of the kernel has more than 15 bytes */
};

/* What a group has counted at one location: on one CPU, of one thread, or wherever it ran. */
struct stat_counts {
	__u64 running_ns;
	__u64 missed_ns;		/* of tasks on CPUs that it did not hold, or without CPUs */
	__u32 nr_cpus;			/* that it holds */
	__u64 throttled;
	__u64 nr_tasks;			/* that it follows now; 0 for CPUs */
	__u64 tasks;			/* that it has followed */
	bool lost;			/* its CPU is offline */
	bool taken;			/* somebody else has taken it: there are no counts */
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
};

/* What reload in software did over all runs. */
struct stat_software {
	__u64 quiet;			/* interrupts without a sample */
	__u64 dropped;			/* overflows */
	__u64 outside[ACRPMU_MAX_EVENTS];	/* occurrences outside of windows */
};

struct stat_group {
	struct acrpmu_session *session;
	const struct kind *kind;
	unsigned int nr_events;
	pid_t first_tid;		/* of the session, if threads have locations */
	__u32 *targets;			/* by location, if those are threads; 0: none */
	bool parked;			/* it holds no counters */
	bool waits;			/* it has not run since the block began */
	bool had_turn;			/* in this run of the command */
	bool gone;			/* its CPUs were offline when it was last tried */
	struct stat_counts *now;	/* by location, as last read */
	struct stat_counts *block;	/* the same when the block began */
	__u64 *turn_ns;			/* by location, running_ns when the turn began */
	__u64 base_ns;			/* @wall_ns holds its time until then */
	__u64 wall_ns;			/* time with counters in this turn, by CLOCK_MONOTONIC */
	struct acrpmu_read read;	/* accounts of the session, as last read */
	struct acrpmu_message why;	/* it could not run when last tried; empty: it could */
	__u64 outside[ACRPMU_MAX_EVENTS];	/* as in @read; 0 unless software reloads */
	struct stat_software software;
};

struct stat_event {
	__u64 raw;			/* counted */
	__u64 value;			/* estimated if groups took turns, else @raw */
	__u64 total;			/* sum of @raw over runs, for ratios within a group */
	__u64 overflows;		/* those that reached software */
	__u64 total_overflows;		/* sum of @overflows over runs */
	double deviation;		/* of @value over runs, in per cent */
};

/* A group at one location in a block. */
struct stat_cell {
	bool counted;
	bool taken;			/* in a run at least: see struct stat_counts */
	unsigned int runs;		/* in how many runs it counted */
	__u64 running_ns;
	__u64 missed_ns;
	__u64 total_ns;			/* what @running_ns would be without turns */
	__u64 begun;			/* most windows that were open in the beginning */
	__u64 open;			/* most that did not end, of all runs */
	struct stat_event ev[ACRPMU_MAX_EVENTS];
};

/* Counts of an interval or a run, or the means of several runs. */
struct stat_block {
	__u64 end_ns;			/* from the start of counting */
	__u64 length_ns;
	__u64 lost_ns;			/* in which no group held counters because others did */
	double deviation;		/* of @length_ns over runs, in per cent */
	unsigned int runs;
	bool scaled;			/* groups took turns */
	bool begun;			/* something was counted before it */
	struct stat_cell *cells;	/* see stat_block_cell() */
};

/* Mean and variance of a number over runs. */
struct stat_series {
	unsigned int nr;
	double mean;
	double squares;			/* sum of squared distances from @mean */
};

struct stat_repeat {
	struct stat_block sum;
	struct stat_series (*events)[ACRPMU_MAX_EVENTS];
	struct stat_series length;
};

/* What must not be lost silently, over all runs. */
struct stat_accounts {
	__u64 throttled;
	__u64 inherit_failed;
	__u64 missed_ns[ACRPMU_MAX_KINDS];	/* as in a cell; groups of a kind share it */
	bool cpu_lost;			/* in the end */
	bool cpu_new;			/* came online, and was not counted */
	bool privileged_exec;		/* a task was left when it executed a privileged program */
	struct taken taken;		/* CPUs that somebody else has taken */
	char *taken_others;		/* a sentence about those after the first, NULL: none */
	__u64 time_ns;
	__u64 lost_ns;			/* as in a block */
	__u64 gone_ns;			/* in turns for which all CPUs were offline */
	struct acrpmu_message lost_why;
};

struct stat_turn {
	bool runs;
	__u64 since;			/* turn in which it began to run, or stopped */
};

/* Which groups run and which wait, where not all fit at once. */
struct stat_turns {
	struct stat_turn *groups;
	unsigned int *order;		/* room for @nr numbers */
	unsigned int nr;
	__u64 turn;			/* 0: none yet */
	bool (*run)(void *ctx, unsigned int group);	/* whether it fits beside the others */
	void (*stop)(void *ctx, unsigned int group);
	void *ctx;
};

struct stat {
	struct stat_options opt;
	struct target target;
	struct control control;
	struct acrpmu_device *device;
	struct acrpmu_message device_why;	/* it is not open */
	char cpu[32];
	__u32 abi_version;		/* of the module */
	struct kinds kinds;
	struct acrpmu_spec *spec;
	struct stat_group *groups;
	unsigned int nr_groups;
	size_t nr_locations;		/* CPUs or threads shown one by one, or 1 */
	struct stat_thread *threads;	/* by location, if those are threads */
	bool rotates;			/* the groups do not fit at once */
	bool order_matters;		/* a group may fit if it chooses before others */
	struct stat_turns turns;
	__u64 turn_start_ns;
	bool kept_off;			/* others hold the counters in this turn */
	bool gone;			/* the CPUs are offline in this turn */
	__u64 stop_ns;			/* 0: not stopped */
	int failed;			/* -errno of a group in this turn */
	__u64 *total_ns;		/* by location and kind, see stat_total() */
	__u64 *block_ns;		/* the same when the block began */
	__u64 lost_ns;			/* see struct stat_block */
	__u64 gone_ns;			/* in turns for which the CPUs were offline */
	__u64 block_lost_ns;		/* the same when the block began */
	__u64 start_ns;			/* CLOCK_MONOTONIC */
	__u64 block_start_ns;
	struct stat_accounts accounts;
	struct acrpmu_message no_shares;	/* plain counters did not fit; empty: they did */
	FILE *out;
};

/* A metric derived from two counts. */
struct stat_derived {
	double value;
	const char *unit;
};

/* The average latency of requests, from a pair of events of a group. */
struct stat_latency {
	unsigned int outstanding;
	unsigned int responses;
	char name[ACRPMU_NAME_LEN];	/* of the requests */
	bool has_clock;			/* the group has cycles and ref-cycles */
	bool known;			/* there were responses: @cycles is valid */
	double cycles;
	bool has_ns;
	double ns;
};

/* What counts say of a condition. */
struct stat_condition {
	__u64 matches;			/* windows that matched; of several runs the mean */
	bool has_share;
	double share;			/* of the sampled event, in windows that matched */
	bool has_bounds;
	struct windows_bounds others;	/* windows that did not match, of all runs */
	bool has_windows;		/* there may be any: */
	double least;			/* smallest share of windows that matched */
	double most;
};

/* CPUID leaf 15H and the signature. */
struct tsc_cpuid {
	__u32 den;			/* EAX: of the ratio to the crystal clock */
	__u32 num;			/* EBX */
	__u32 crystal_hz;		/* ECX, 0: not enumerated */
	__u32 signature;		/* CPUID.01H:EAX */
};

/* cmd_stat.c */
int stat_open_output(struct stat *st);
int stat_flush(const struct stat *st);
int stat_refuse_module(const struct stat *st, const char *cannot);

/* run.c */
int stat_run(struct stat *st);

/* session.c */
bool stat_counts_at(const struct stat *st, size_t location, unsigned int group);
bool stat_follows_tasks(const struct stat *st);
size_t stat_total(const struct stat *st, size_t location, unsigned int group);
int stat_sessions_alloc(struct stat *st);
int stat_sessions_open(struct stat *st);
int stat_sessions_enable(struct stat *st, bool on);
int stat_sessions_switch(struct stat *st, bool on);
int stat_sessions_read(struct stat *st);
int stat_sessions_turn(struct stat *st);
void stat_sessions_close(struct stat *st);
void stat_sessions_free(struct stat *st);

/* threads.c */
int stat_threads_create(struct stat *st, unsigned int group,
			struct acrpmu_session_options *options, struct acrpmu_message *message);
int stat_threads_attach(struct stat *st);
void stat_threads_free(struct stat *st);

/* read.c */
int stat_read_check_module(const struct stat *st);
int stat_read_group(struct stat *st, unsigned int group);
void stat_read_taken(struct stat *st);

/* turns.c */
unsigned int stat_turns_next(struct stat_turns *t);
__u64 stat_turns_scale(__u64 raw, __u64 running_ns, __u64 total_ns);

/* loop.c */
int stat_loop_run(struct stat *st);
__u64 stat_now_ns(void);

/* block.c */
int stat_block_alloc(const struct stat *st, struct stat_block *block);
void stat_block_begin(struct stat *st);
void stat_block_take(struct stat *st, struct stat_block *block);
struct stat_cell *stat_block_cell(const struct stat *st, const struct stat_block *block,
				  size_t location, unsigned int group);
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
bool stat_derive(const struct stat *st, const struct stat_block *block, size_t location,
		 unsigned int group, unsigned int event, struct stat_derived *derived);

/* latency.c */
int stat_latency_check(struct stat *st);
int stat_latency_add_groups(struct stat *st);
bool stat_latency_next(const struct stat *st, const struct stat_cell *cell, unsigned int group,
		       unsigned int from, struct stat_latency *latency);

/* condition.c */
int stat_condition_take_option(struct stat *st, int c, const char *arg);
int stat_condition_take(struct stat *st);
int stat_condition_add_counters(struct stat *st);
bool stat_condition(const struct stat *st, const struct stat_block *block, size_t location,
		    unsigned int group, struct stat_condition *result);

/* software.c */
bool stat_has_count(const struct stat *st, const struct acrpmu_spec_event *ev);
bool stat_has_overflows(const struct stat *st, unsigned int group, unsigned int event);
void stat_software_add(struct stat *st, unsigned int group);
char *stat_software_remark(const struct stat *st, unsigned int group);

/* tsc.c */
__u64 tsc_hz_of(const struct tsc_cpuid *cpuid);
bool tsc_check(const char *command);
__u64 tsc_hz(void);

/* messages.c */
bool stat_messages_lost_much(const struct stat_accounts *accounts);
void stat_messages_group(const struct stat *st, unsigned int group);
char **stat_messages_remarks(const struct stat *st, const struct stat_block *block);
void stat_messages_free(char **remarks);

/* text.c */
void stat_text_begin(const struct stat *st);
void stat_text_snapshot(const struct stat *st, const struct stat_block *block);
void stat_text_block(const struct stat *st, const struct stat_block *block);
void stat_text_last(const struct stat *st, const struct stat_block *block, char *const *remarks);

/* json.c */
int stat_json_block(const struct stat *st, const struct stat_block *block, char *const *remarks);

#endif /* _ACRCTL_STAT_H */
