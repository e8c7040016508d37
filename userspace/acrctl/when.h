/* SPDX-License-Identifier: GPL-2.0-only */
/* The options --when, --window and -F: a condition instead of events. */
#ifndef _ACRCTL_WHEN_H
#define _ACRCTL_WHEN_H

#include <stdio.h>

#include "cmd.h"

enum { WHEN_OPT_WHEN = 1024, WHEN_OPT_WINDOW };
#define WHEN_OPT_RATE	'F'	/* of record and top */

#define WHEN_WINDOW_USAGE \
"      --window N        judge it over N occurrences of its first B (default: 100000, in\n" \
"                        software 1000000; more or fewer if a period would not fit)\n"

#define WHEN_USAGE \
"      --when COND       instead of -e and -c: sample where a condition holds, such as\n" \
"                        'instructions / cycles > 2', 'ipc < 1/2' or\n" \
"                        'branch-misses / branches > 20% && branch-misses / instructions > 1%'\n" \
WHEN_WINDOW_USAGE

/* in a recording's header, behind the version of acrctl and RELOAD_HEADER; once for each group */
#define WHEN_HEADER	", when "

#define WHEN_RATE_USAGE \
"  -F, --samples-per-sec HZ\n" \
"                        instead of --window: change its length while recording, so that about\n" \
"                        HZ samples a second are taken, on all CPUs together\n"

struct when {
	const char *condition;		/* NULL: not given */
	__u64 window;			/* 0: not given */
	__u64 hz;			/* samples a second, 0: not given */
};

int when_take_option(struct when *when, int c, const char *arg, struct acrpmu_message *message);
int when_check(const struct when *when, unsigned int nr_events, bool count,
	       struct acrpmu_message *message);
int when_add(const struct when *when, struct event_args *args);
void when_explain_window(const struct acrpmu_spec *spec, FILE *f, const char *before);

#endif /* _ACRCTL_WHEN_H */
