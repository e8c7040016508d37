/* SPDX-License-Identifier: GPL-2.0-only */
/* What rings hold, played back a moment later, in the order of time, as a recording would be. */
#ifndef _ACRCTL_TOP_LIVE_H
#define _ACRCTL_TOP_LIVE_H

#include "../sampling/sampling.h"
#include "../view.h"

/* Called with a sample of an event that is counted from 0; returns 0 or -errno, which ends it. */
typedef int (*live_sample_fn)(void *ctx, struct view *v, const struct pd_sample *s, __u32 event);

/* Zeroed it is empty. */
struct live {
	const struct sampling *sm;
	struct view view;		/* its reader is open only in live_play() */
	struct pd_blob head;		/* start of a stream, with its events */
	struct pd_blob stream;		/* that, and the records to be played back */
	unsigned int nr_sideband;	/* events of the sideband, which come first */
	const char **names;		/* of the sampled events */
	__u32 nr_events;		/* of them */
	__u64 newest;			/* time of the newest record so far */
	size_t known;			/* threads and files after /proc was read */
	__u64 lost;			/* records about tasks and maps that were lost by then */
	bool hidden_kernel;		/* the kernel hides its addresses */
};

int live_begin(struct live *l, const struct sampling *sm);
int live_take(struct live *l, const struct acrpmu_ring_batch *b);
int live_play(struct live *l, live_sample_fn fn, void *ctx, bool all);
bool live_is_stale(const struct live *l);
int live_renew(struct live *l);
void live_end(struct live *l);

#endif /* _ACRCTL_TOP_LIVE_H */
