// SPDX-License-Identifier: GPL-2.0-only
/* The code of a sample by name: where it was taken and, if recorded, who called that. */
#include "stack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

#define FIRST_FRAMES	128
/* twice as many as a record holds; only functions inlined very deeply into all of them are more */
#define MAX_FRAMES	16384
#define NAME_LEN	24	/* of an address as text */
#define KNOWN_BITS	16	/* of the number of addresses that are kept */
#define KNOWN_FRAMES	(1U << 18)	/* that are kept for all of them */
#define DSO_SHIFT	48	/* file offsets are smaller */
#define HASH_FACTOR	0x9e3779b97f4a7c15ULL

/* The functions at an address, which stay the same. */
struct stack_known {
	struct sym_code code;
	__u64 ip;
	bool returned;			/* @ip is behind a call */
	unsigned int nr;		/* 0: there is no address */
	struct stack_frame *frames;
};

static const char *keep(struct stack *st, const char *text)
{
	size_t number = intern_add(&st->texts, text);

	return number == INTERN_FAILED ? NULL : st->texts.texts[number];
}

/* Add frames; NULL: out of memory. */
static struct stack_frame *add_frames(struct stack *st, size_t nr)
{
	size_t room = st->room ? st->room : FIRST_FRAMES;
	struct stack_frame *frames;

	while (st->nr + nr > room)
		room *= 2;
	if (room != st->room) {
		frames = reallocarray(st->frames, room, sizeof(*frames));
		if (!frames)
			return NULL;
		st->frames = frames;
		st->room = room;
	}
	st->nr += nr;
	return &st->frames[st->nr - nr];
}

/* @source: its line, or NULL; that of an inlined function has its name, too. */
static int name(struct stack *st, const struct sym_location *loc, const struct sym_frame *source,
		struct stack_frame *f)
{
	const char *symbol = loc->symbol;
	char address[NAME_LEN];

	if (source && source->name)
		symbol = source->name;
	if (source && source->file) {
		f->file = keep(st, source->file);
		f->line = source->line;
		if (!f->file)
			return -ENOMEM;
	}
	f->inlined = source && source->name;
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
	return k->nr && k->ip == w->ip && k->returned == w->returned &&
	       k->code.dso == code->dso && k->code.offset == code->offset &&
	       k->code.kernel == code->kernel;
}

/* Keep the last @nr frames, unless there are too many of them. */
static int remember(struct stack *st, struct stack_known *k, const struct sym_code *code,
		    const struct frame_walk *w, unsigned int nr)
{
	struct stack_frame *frames;

	if (st->nr_known_frames - k->nr + nr > KNOWN_FRAMES)
		return 0;
	frames = reallocarray(k->frames, nr, sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	st->nr_known_frames += nr - k->nr;
	memcpy(frames, &st->frames[st->nr - nr], nr * sizeof(*frames));
	*k = (struct stack_known){
		.code = *code, .ip = w->ip, .returned = w->returned, .nr = nr, .frames = frames,
	};
	return 0;
}

/* Returns how many frames were added, 0: out of memory. */
static unsigned int look_up(struct stack *st, struct view *v, const struct pd_sample *s,
			    const struct frame_walk *w)
{
	const struct sym_frame *sources;
	struct sym_location loc;
	struct stack_frame *f;
	size_t i, nr;

	frame_resolve(v, s, w, true, &loc);
	sources = frame_inlined(v, s, w, &nr);
	f = add_frames(st, nr ? nr : 1);
	for (i = 0; f && i < (nr ? nr : 1); i++) {
		f[i] = (struct stack_frame){
			.level = w->kernel ? VIEW_LEVEL_KERNEL : VIEW_LEVEL_USER, .ip = w->ip,
		};
		if (name(st, &loc, nr ? &sources[i] : NULL, &f[i]))
			return 0;
	}
	return f ? i : 0;
}

/* The address of @w, which is in no guest. */
static int add(struct stack *st, struct view *v, const struct pd_sample *s,
	       const struct frame_walk *w)
{
	struct stack_known *k = NULL;
	struct stack_frame *f;
	struct sym_code code;
	unsigned int nr;

	if (sym_space_code(&v->space, w->kernel, s->pid, w->ip, &code)) {
		k = known_of(st, &code, w);
		if (!k)
			return -ENOMEM;
		if (is_known(k, &code, w)) {
			f = add_frames(st, k->nr);
			if (f)
				memcpy(f, k->frames, k->nr * sizeof(*f));
			return f ? 0 : -ENOMEM;
		}
	}
	nr = look_up(st, v, s, w);
	if (!nr)
		return -ENOMEM;
	return k ? remember(st, k, &code, w, nr) : 0;
}

static int add_guest(struct stack *st, struct view *v, const struct pd_sample *s)
{
	struct stack_frame *f = add_frames(st, 1);
	struct sym_location loc;

	if (!f)
		return -ENOMEM;
	*f = (struct stack_frame){ .level = VIEW_LEVEL_GUEST, .ip = s->ip };
	view_resolve(v, s, true, &loc);
	return name(st, &loc, NULL, f);
}

/**
 * stack_read() - find the functions of a sample, in place of those of an earlier one
 *
 * A sample without a call chain has one frame, and those of functions that were inlined there.
 * Readers may walk through the frames by recursion: beyond MAX_FRAMES the outer ones are left out.
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
	while (st->nr < MAX_FRAMES && frame_next(s, &w)) {
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
	size_t i;

	for (i = 0; st->known && i < 1ULL << KNOWN_BITS; i++)
		free(st->known[i].frames);
	free(st->known);
	free(st->frames);
	intern_free(&st->texts);
	*st = (struct stack){ 0 };
}
