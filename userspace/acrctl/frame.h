/* SPDX-License-Identifier: GPL-2.0-only */
/* The frames of a sample's call chain, one by one, innermost first. */
#ifndef _ACRCTL_FRAME_H
#define _ACRCTL_FRAME_H

#include "view.h"

/* A walk along a chain; zeroed it is at the beginning. */
struct frame_walk {
	__u64 next;		/* index in the chain */
	bool kernel;		/* level of @ip */
	bool known;		/* a marker has set @kernel */
	bool returned;		/* @ip is where a call returns to, behind the call itself */
	__u64 ip;
};

bool frame_next(const struct pd_sample *s, struct frame_walk *w);
void frame_resolve(struct view *v, const struct pd_sample *s, const struct frame_walk *w,
		   bool symbol, struct sym_location *loc);
const struct sym_frame *frame_inlined(struct view *v, const struct pd_sample *s,
				      const struct frame_walk *w, size_t *nr);

#endif /* _ACRCTL_FRAME_H */
