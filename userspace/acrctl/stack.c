// SPDX-License-Identifier: GPL-2.0-only
/* The code of a sample by name: where it was taken and, if recorded, who called that. */
#include "stack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

#define FIRST_FRAMES	128
#define NAME_LEN	24	/* of an address as text */
#define KNOWN_BITS	16	/* of the number of addresses that are kept */
#define DSO_SHIFT	48	/* file offsets are smaller */
#define HASH_FACTOR	0x9e3779b97f4a7c15ULL

/* The function at an address, which stays the same. */
struct stack_known {
	struct sym_code code;
	__u64 ip;
	struct stack_frame frame;	/* without a symbol there is no address */
};

static const char *keep(struct stack *st, const char *text)
{
	size_t number = intern_add(&st->texts, text);

	return number == INTERN_FAILED ? NULL : st->texts.texts[number];
}

/* NULL: out of memory. */
static struct stack_frame *add_frame(struct stack *st)
{
	size_t room = st->room ? 2 * st->room : FIRST_FRAMES;
	struct stack_frame *frames;

	if (st->nr == st->room) {
		frames = reallocarray(st->frames, room, sizeof(*frames));
		if (!frames)
			return NULL;
		st->frames = frames;
		st->room = room;
	}
	return &st->frames[st->nr++];
}

static int name(struct stack *st, const struct sym_location *loc, struct stack_frame *f)
{
	const char *symbol = loc->symbol;
	char address[NAME_LEN];

	f->known = symbol;
	if (!symbol) {
		snprintf(address, sizeof(address), "0x%016llx", f->ip);
		symbol = address;
	}
	f->symbol = keep(st, symbol);
	f->dso = keep(st, loc->dso ? loc->dso : "[unknown]");
	return f->symbol && f->dso ? 0 : -ENOMEM;
}

/* Where the code at an address is kept, be it this or other code. */
static struct stack_known *known_of(struct stack *st, const struct sym_code *code,
				    const struct frame_walk *w)
{
	/* offsets have the low bits of addresses, or in the kernel all: mix one first */
	__u64 hash = (code->offset ^ code->dso << DSO_SHIFT) * HASH_FACTOR;

	hash = (hash ^ w->ip ^ code->kernel) * HASH_FACTOR;
	if (!st->known)
		st->known = calloc(1ULL << KNOWN_BITS, sizeof(*st->known));
	return st->known ? &st->known[hash >> (64 - KNOWN_BITS)] : NULL;
}

static bool is_known(const struct stack_known *k, const struct sym_code *code,
		     const struct frame_walk *w)
{
	return k->frame.symbol && k->ip == w->ip && k->code.dso == code->dso &&
	       k->code.offset == code->offset && k->code.kernel == code->kernel;
}

static int look_up(struct stack *st, struct view *v, const struct pd_sample *s,
		   const struct frame_walk *w, struct stack_frame *f)
{
	struct sym_location loc;

	frame_resolve(v, s, w, true, &loc);
	*f = (struct stack_frame){
		.level = w->kernel ? VIEW_LEVEL_KERNEL : VIEW_LEVEL_USER, .ip = w->ip,
	};
	return name(st, &loc, f);
}

/* The address of @w, which is in no guest. */
static int add(struct stack *st, struct view *v, const struct pd_sample *s,
	       const struct frame_walk *w)
{
	struct stack_frame *f = add_frame(st);
	struct stack_known *k;
	struct sym_code code;

	if (!f)
		return -ENOMEM;
	if (!sym_space_code(&v->space, w->kernel, s->pid, w->ip, &code))
		return look_up(st, v, s, w, f);
	k = known_of(st, &code, w);
	if (!k)
		return -ENOMEM;
	if (!is_known(k, &code, w)) {
		*k = (struct stack_known){ .code = code, .ip = w->ip };
		if (look_up(st, v, s, w, &k->frame))
			return -ENOMEM;
	}
	*f = k->frame;
	return 0;
}

static int add_guest(struct stack *st, struct view *v, const struct pd_sample *s)
{
	struct stack_frame *f = add_frame(st);
	struct sym_location loc;

	if (!f)
		return -ENOMEM;
	*f = (struct stack_frame){ .level = VIEW_LEVEL_GUEST, .ip = s->ip };
	view_resolve(v, s, true, &loc);
	return name(st, &loc, f);
}

/**
 * stack_read() - find the functions of a sample, in place of those of an earlier one
 *
 * A sample without a call chain has one frame.
 *
 * Return: 0 or -ENOMEM.
 */
int stack_read(struct stack *st, struct view *v, const struct pd_sample *s)
{
	const struct frame_walk alone = { .kernel = view_is_kernel(s), .ip = s->ip };
	struct frame_walk w = { 0 };

	st->nr = 0;
	if (view_is_guest(s))
		return add_guest(st, v, s);
	while (frame_next(s, &w)) {
		if (add(st, v, s, &w))
			return -ENOMEM;
	}
	return st->nr ? 0 : add(st, v, s, &alone);
}

/**
 * stack_free() - free the frames and all texts; it is empty then
 */
void stack_free(struct stack *st)
{
	free(st->known);
	free(st->frames);
	intern_free(&st->texts);
	*st = (struct stack){ 0 };
}
