/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding the files that samples of a recording hit, and when the samples were taken. */
#ifndef _ACRCTL_RECORD_HITS_H
#define _ACRCTL_RECORD_HITS_H

#include "../view.h"

/* Times of samples, 0: there is none. */
struct record_hits {
	__u64 first, last;
};

struct record_hits record_hits_find(struct view *v);

#endif /* _ACRCTL_RECORD_HITS_H */
