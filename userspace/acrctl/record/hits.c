// SPDX-License-Identifier: GPL-2.0-only
/* Finding the files that samples of a recording hit, and when the samples were taken. */
#include "hits.h"

#include "../frame.h"

#define SAMPLES_AT_ONCE	64

static void mark(struct view *v, const struct pd_sample *s)
{
	struct frame_walk w = { 0 };

	if (view_is_guest(s))
		return;
	sym_space_mark(&v->space, view_is_kernel(s), s->pid, s->ip);
	while (frame_next(s, &w))
		sym_space_mark(&v->space, w.kernel, s->pid, w.ip);
}

/**
 * record_hits_find() - play back an open recording, and mark the files in which its samples and
 * their callers are
 */
struct record_hits record_hits_find(struct view *v)
{
	struct record_hits hits = { 0 };
	struct pd_sample s[SAMPLES_AT_ONCE];
	size_t i, nr;

	/* between two changes of maps it makes no difference which sample comes first */
	pd_reader_any_order(&v->reader);
	while ((nr = view_next_some(v, s, SAMPLES_AT_ONCE))) {
		for (i = 0; i < nr; i++) {
			if (!hits.first || s[i].time < hits.first)
				hits.first = s[i].time;
			if (s[i].time > hits.last)
				hits.last = s[i].time;
			mark(v, &s[i]);
		}
	}
	return hits;
}
