/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples by thread, in a temporary file: they arrive by time, and are needed thread by thread. */
#ifndef _ACRCTL_FIREFOX_SPOOL_H
#define _ACRCTL_FIREFOX_SPOOL_H

#include <stddef.h>
#include <stdio.h>
#include <linux/types.h>

#define SPOOL_CHUNK	64	/* samples that are written at once */

struct spool_sample {
	__u64 time_ns;
	__u64 weight;
	__u64 stack;
};

/* The samples of a thread; zeroed it is empty. */
struct spool_list {
	struct spool_sample last[SPOOL_CHUNK];	/* those not written yet */
	size_t nr;			/* of all */
	__u64 *chunks;			/* where the others are: number of each chunk in the file */
	size_t room;
};

struct spool {
	FILE *file;
	__u64 nr_chunks;
};

typedef void (*spool_fn)(void *arg, const struct spool_sample *s);

int spool_begin(struct spool *s);
int spool_add(struct spool *s, struct spool_list *l, const struct spool_sample *sample);
int spool_read(const struct spool *s, const struct spool_list *l, spool_fn fn, void *arg);
void spool_end(struct spool *s);

#endif /* _ACRCTL_FIREFOX_SPOOL_H */
