/* SPDX-License-Identifier: GPL-2.0-only */
/* Continuous profiling: rounds, each in its own process, and what becomes of their profiles. */
#ifndef _ACRCTL_FLEET_ROUNDS_H
#define _ACRCTL_FLEET_ROUNDS_H

#include <limits.h>

#include "push_args.h"
#include "round_args.h"

/* What came of a round; its process writes it into memory that both share. */
struct rounds_result {
	__u64 samples;
	__u64 lost;
	__u64 throttled;
	__u64 from_s;			/* CLOCK_REALTIME */
	__u64 until_s;
	__u64 rate_hz;			/* samples a second, of each CPU if CPUs are sampled */
	bool taken;			/* somebody else took a CPU */
	bool profile;			/* there is one */
	char path[PATH_MAX];		/* of a file, empty: there is none */
};

/* What a command does in a round. */
struct rounds_ops {
	/* In its own process: check what was asked for; returns an exit status. */
	int (*check)(void *ctx);
	/* A round begins; returns whether there is still something to sample. */
	bool (*begin)(void *ctx);
	/*
	 * In its own process: sample, and write a profile to @profile_fd, if that is not -1.
	 * @dir is for files without a name.  Returns an exit status, after a message unless 0.
	 */
	int (*take)(void *ctx, const char *dir, int profile_fd, struct rounds_result *out);
	/* A round is over. */
	void (*end)(void *ctx, const struct rounds_result *result);
};

struct rounds_options {
	const struct round_args *args;
	struct push_args *push;		/* NULL: profiles are not sent */
	bool verbose;			/* a line for each round */
	bool quiet;			/* no line but about failures and losses */
	const struct rounds_ops *ops;
	void *ctx;
};

int rounds_run(const struct rounds_options *o);
int rounds_open_nameless(const char *dir);

#endif /* _ACRCTL_FLEET_ROUNDS_H */
