/* SPDX-License-Identifier: GPL-2.0-only */
/* Which records of whole CPUs are about processes that are followed. */
#ifndef _ACRCTL_FOLLOW_H
#define _ACRCTL_FOLLOW_H

#include <stdbool.h>
#include <sys/types.h>

#include "../../lib/acrpmu_lib.h"
#include "../../perfdata/blob.h"

/* Zeroed, but for @inherit, it follows nobody. */
struct follow {
	bool inherit;			/* follow what followed processes fork */
	bool all;			/* forks may have been lost: keep everything */
	unsigned char *pids;		/* FOLLOW_ flags of each process number */
	size_t nr_pids;
	struct pd_blob read;		/* records that wait */
	size_t first_round;		/* bytes of @read up to follow_end_round() */
};

int follow_add(struct follow *f, pid_t process);
int follow_put(struct follow *f, const struct acrpmu_ring_batch *b);
void follow_end_round(struct follow *f);
int follow_pass(struct follow *f, struct pd_blob *out, __u64 *lost);
void follow_free(struct follow *f);

#endif /* _ACRCTL_FOLLOW_H */
