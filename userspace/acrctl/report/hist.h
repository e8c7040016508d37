/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples added up by event and by chosen properties. */
#ifndef _ACRCTL_HIST_H
#define _ACRCTL_HIST_H

#include "../view.h"

/**
 * enum hist_key - properties that samples can be told apart by
 * @HIST_COMM: name of the program
 * @HIST_PID: process
 * @HIST_TID: thread
 * @HIST_CPU: CPU
 * @HIST_DSO: file that the code is from, without its directory
 * @HIST_SYM: function
 * @HIST_NR_KEYS: how many there are
 */
enum hist_key {
	HIST_COMM,
	HIST_PID,
	HIST_TID,
	HIST_CPU,
	HIST_DSO,
	HIST_SYM,
	HIST_NR_KEYS
};

#define HIST_LEVEL_USER		'.'
#define HIST_LEVEL_KERNEL	'k'

/**
 * struct hist_entry - samples that agree in all chosen properties
 * @event: index of their event
 * @level: HIST_LEVEL_*, or 0 where functions are not told apart
 * @keys: the properties in words, by enum hist_key; empty where not chosen
 * @samples: how many
 * @period: their periods added up
 */
struct hist_entry {
	__u32 event;
	char level;
	const char *keys[HIST_NR_KEYS];
	__u64 samples;
	__u64 period;
};

/**
 * struct hist - all of them; zeroed it is empty
 * @root: search tree of the entries
 * @entries: the entries, ordered by hist_sort()
 * @nr: how many
 * @room: how many fit
 */
struct hist {
	void *root;
	struct hist_entry **entries;
	size_t nr;
	size_t room;
};

int hist_add(struct hist *h, const struct hist_entry *key, __u64 period);
void hist_sort(struct hist *h);
void hist_free(struct hist *h);

#endif /* _ACRCTL_HIST_H */
