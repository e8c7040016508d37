/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups that do not fit at once take turns: whose turn it is, what a part says of the whole. */
#ifndef _ACRCTL_STAT_TURNS_H
#define _ACRCTL_STAT_TURNS_H

#include <linux/types.h>
#include <stdbool.h>

/**
 * struct stat_turn - one group among those that take turns
 * @runs: whether it runs
 * @since: turn in which it began to run, or stopped
 */
struct stat_turn {
	bool runs;
	__u64 since;
};

/**
 * struct stat_turns - who runs and who waits
 * @groups: the groups
 * @order: room for as many numbers
 * @nr: how many
 * @turn: the turn now, 0: none yet
 * @run: tries to let a group run beside those that run; returns whether it does
 * @stop: stops a group that runs
 * @ctx: passed to both
 */
struct stat_turns {
	struct stat_turn *groups;
	unsigned int *order;
	unsigned int nr;
	__u64 turn;
	bool (*run)(void *ctx, unsigned int group);
	void (*stop)(void *ctx, unsigned int group);
	void *ctx;
};

unsigned int stat_turns_next(struct stat_turns *t);
__u64 stat_turns_scale(__u64 raw, __u64 running_ns, __u64 total_ns);

#endif /* _ACRCTL_STAT_TURNS_H */
