// SPDX-License-Identifier: GPL-2.0-only
/* The frames of a sample's call chain, one by one, innermost first. */
#include "frame.h"

#include <string.h>

/* Returns false if what follows is none of this machine's code. */
static bool take_marker(struct frame_walk *w, __u64 marker)
{
	w->known = true;
	w->kernel = marker == PERF_CONTEXT_KERNEL;
	return w->kernel || marker == PERF_CONTEXT_USER;
}

/**
 * frame_next() - go to the next frame
 *
 * Addresses before the first marker are of the sample's own level.  A marker of another kind, such
 * as one of a virtual machine, ends the chain.
 *
 * Return: false at the end, and for a sample without a chain.
 */
bool frame_next(const struct pd_sample *s, struct frame_walk *w)
{
	bool exact = !w->next;	/* the first frame of each level is where it was interrupted */
	__u64 value;

	while (s->fields & PERF_SAMPLE_CALLCHAIN && w->next < s->nr_chain) {
		value = s->chain[w->next++];
		if (value < PERF_CONTEXT_MAX) {
			if (!w->known)
				w->kernel = view_is_kernel(s);
			w->ip = value;
			w->returned = !exact;
			return true;
		}
		exact = true;
		if (!take_marker(w, value))
			w->next = s->nr_chain;
	}
	return false;
}

/**
 * frame_resolve() - find out where a frame is
 * @symbol: its symbol too
 */
void frame_resolve(struct view *v, const struct pd_sample *s, const struct frame_walk *w,
		   bool symbol, struct sym_location *loc)
{
	memset(loc, 0, sizeof(*loc));
	if (symbol)
		sym_space_resolve(&v->space, w->kernel, s->pid, w->ip, loc);
	else
		loc->dso = sym_space_dso_of(&v->space, w->kernel, s->pid, w->ip);
	if (w->kernel && !loc->dso)
		loc->dso = SYM_KERNEL_NAME;
}

/**
 * frame_inlined() - find functions that were inlined where a frame is, after frame_resolve()
 * @nr: set to the number of frames
 *
 * Return: as sym_space_frames().
 */
const struct sym_frame *frame_inlined(struct view *v, const struct pd_sample *s,
				      const struct frame_walk *w, size_t *nr)
{
	/* behind a call there may already be the code of another function */
	return sym_space_frames(&v->space, w->kernel, s->pid, w->ip - w->returned, nr);
}
