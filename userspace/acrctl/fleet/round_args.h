/* SPDX-License-Identifier: GPL-2.0-only */
/* The options about rounds: how often, and for how long. */
#ifndef _ACRCTL_FLEET_ROUND_ARGS_H
#define _ACRCTL_FLEET_ROUND_ARGS_H

#include <stdbool.h>
#include <linux/types.h>

#define ROUND_ARGS_USAGE								\
"      --every TIME      continuous profiling: every TIME (such as 60s) ...\n"		\
"      --for TIME        ... sample for TIME, until Ctrl-C or the end of the tasks; each\n" \
"                        round is a profile for --push, or a file like those of --switch-output\n" \
"      --spread TIME     begin up to TIME later, by chance (default: 0; with --push, the time\n" \
"                        of --every)\n"

/* options, for getopt_long() */
enum { ROUND_OPT_EVERY = 960, ROUND_OPT_FOR, ROUND_OPT_SPREAD };

struct round_args {
	__u64 every_ms;			/* 0: not given */
	__u64 for_ms;
	__u64 spread_ms;
	bool spread;			/* it was given */
};

bool round_args_take(struct round_args *a, int c, const char *arg);
bool round_args_check(struct round_args *a, bool push);

#endif /* _ACRCTL_FLEET_ROUND_ARGS_H */
