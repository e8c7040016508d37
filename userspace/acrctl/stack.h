/* SPDX-License-Identifier: GPL-2.0-only */
/* The code of a sample by name: where it was taken and, if recorded, who called that. */
#ifndef _ACRCTL_STACK_H
#define _ACRCTL_STACK_H

#include "../util/intern.h"
#include "view.h"

/* A function on a stack; its texts live as long as the stack that they were read with. */
struct stack_frame {
	const char *symbol;		/* or the address as text */
	const char *dso;		/* path, or a name in brackets */
	char level;			/* VIEW_LEVEL_* */
	bool known;			/* @symbol is a name */
	bool inlined;			/* into the frame that follows */
	__u64 ip;
	const char *file;		/* of the source at @ip or the call, NULL: unknown */
	unsigned int line;		/* 0: unknown */
};

struct stack_known;

/* Frames of one sample after another; zeroed it is empty. */
struct stack {
	struct stack_frame *frames;	/* innermost first */
	size_t nr;
	size_t room;
	struct intern texts;
	struct stack_known *known;	/* code that was looked up last, NULL: none so far */
	size_t nr_known_frames;		/* in all of it */
};

int stack_read(struct stack *st, struct view *v, const struct pd_sample *s);
void stack_free(struct stack *st);

#endif /* _ACRCTL_STACK_H */
