// SPDX-License-Identifier: GPL-2.0-only
/* Samples added up by their stacks, a line for each: what flame graphs are drawn from. */
#include "fold.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../perfdata/blob.h"
#include "../../util/utf8.h"
#include "../cmd.h"
#include "../stack.h"

#define UNKNOWN		"[unknown]"
#define FIRST_COUNTS	256
#define C1_LEAD		0xc2	/* first byte of U+0080 to U+00BF ... */
#define C1_LAST		0x9f	/* ... of which control characters end here */

/* Samples of one event with one stack. */
struct line {
	const char *stack;
	__u64 samples;
	size_t next;		/* number + 1 of the same stack with another event, 0: none */
	__u32 event;
};

struct fold {
	struct stack stack;
	struct intern stacks;	/* the first lines have their numbers */
	size_t *first;		/* by number of a stack: number + 1 of a line with it */
	size_t nr_stacks;
	size_t room_stacks;
	struct line *lines;
	size_t nr;
	size_t room;
	struct pd_blob text;	/* of one stack */
};

/* ---- a stack as text ---------------------------------------------------------------------- */

static void put(struct fold *f, const char *text, size_t len)
{
	pd_blob_put(&f->text, text, len);
}

/* The byte in place of a character of one byte. */
static char plain(char c)
{
	if (c == ';')
		return ':';
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return '_';
	return c < ' ' || c == 0x7f ? '?' : c;
}

/*
 * Semicolons separate frames, and a space the count; some readers take a number behind any space
 * for another count.  Nothing in a name may look like these, or command a terminal.
 */
static void put_name(struct fold *f, const char *name)
{
	while (*name) {
		const unsigned char *at = (const unsigned char *)name;
		size_t len = utf8_length(name);
		char c = '?';

		if (len == 1)
			c = plain(*name);
		if (len > 1 && !(at[0] == C1_LEAD && at[1] <= C1_LAST))
			put(f, name, len);
		else
			put(f, &c, 1);
		name += len ? len : 1;
	}
}

/* A function, or the file that unknown code is from. */
static void put_frame(struct fold *f, const struct stack_frame *frame)
{
	const char *slash = strrchr(frame->dso, '/');
	const char *file = slash && slash[1] ? slash + 1 : frame->dso;

	put(f, ";", 1);
	if (frame->known && *frame->symbol) {
		put_name(f, frame->symbol);
	} else if (*file == '[' || !*file) {
		put_name(f, *file ? file : UNKNOWN);
	} else {
		put(f, "[", 1);
		put_name(f, file);
		put(f, "]", 1);
	}
	if (frame->level == VIEW_LEVEL_KERNEL)
		put(f, "_[k]", 4);
	else if (frame->inlined)
		put(f, "_[i]", 4);
}

/* The outermost caller first. */
static const char *make_text(struct fold *f, const char *comm)
{
	size_t i;

	f->text.size = 0;
	put_name(f, comm && *comm ? comm : UNKNOWN);
	for (i = f->stack.nr; i > 0; i--)
		put_frame(f, &f->stack.frames[i - 1]);
	put(f, "", 1);
	return f->text.failed ? NULL : (const char *)f->text.data;
}

/* ---- adding up ---------------------------------------------------------------------------- */

/* Where the number of the first line with a stack is kept; NULL: out of memory. */
static size_t *first_of(struct fold *f, size_t stack)
{
	size_t room = f->room_stacks ? 2 * f->room_stacks : FIRST_COUNTS;
	size_t *first;

	if (stack == f->room_stacks) {
		first = reallocarray(f->first, room, sizeof(*first));
		if (!first)
			return NULL;
		f->first = first;
		f->room_stacks = room;
	}
	if (stack == f->nr_stacks)
		f->first[f->nr_stacks++] = 0;
	return &f->first[stack];
}

static struct line *new_line(struct fold *f)
{
	size_t room = f->room ? 2 * f->room : FIRST_COUNTS;
	struct line *lines;

	if (f->nr == f->room) {
		lines = reallocarray(f->lines, room, sizeof(*lines));
		if (!lines)
			return NULL;
		f->lines = lines;
		f->room = room;
	}
	return &f->lines[f->nr++];
}

static int count(struct fold *f, const char *text, __u32 event)
{
	size_t stack = intern_add(&f->stacks, text), at, *first;
	struct line *line;

	if (stack == INTERN_FAILED)
		return -ENOMEM;
	first = first_of(f, stack);
	if (!first)
		return -ENOMEM;
	for (at = *first; at; at = f->lines[at - 1].next) {
		if (f->lines[at - 1].event == event) {
			f->lines[at - 1].samples++;
			return 0;
		}
	}
	line = new_line(f);
	if (!line)
		return -ENOMEM;
	*line = (struct line){
		.stack = f->stacks.texts[stack], .samples = 1, .next = *first, .event = event,
	};
	*first = f->nr;
	return 0;
}

static int add_up(struct fold *f, struct view *v)
{
	struct pd_sample s;

	while (view_next(v, &s)) {
		const char *text;

		if (stack_read(&f->stack, v, &s))
			return -ENOMEM;
		text = make_text(f, sym_space_comm_of(&v->space, s.pid, s.tid));
		if (!text || count(f, text, s.event))
			return -ENOMEM;
	}
	return 0;
}

/* ---- printing ----------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return strcmp(x->stack, y->stack);
}

/* Events that are sampled together have a frame of their own, below all others. */
static int print(struct fold *f, const struct view *v)
{
	bool several = false;
	size_t i;

	if (f->nr)
		qsort(f->lines, f->nr, sizeof(*f->lines), compare);
	for (i = 0; i < f->nr; i++)
		several |= f->lines[i].event != f->lines[0].event;
	for (i = 0; i < f->nr && !ferror(stdout); i++) {
		if (several) {
			f->text.size = 0;
			put_name(f, v->reader.events[f->lines[i].event].name);
			put(f, ";", 2);
			if (f->text.failed)
				return -ENOMEM;
			fputs((const char *)f->text.data, stdout);
		}
		printf("%s %llu\n", f->lines[i].stack, f->lines[i].samples);
	}
	return 0;
}

/**
 * fold_print() - print all samples of @v as lines "command;outer;inner COUNT"
 *
 * Return: an exit status.
 */
int fold_print(const struct view_args *a, struct view *v)
{
	struct fold f = { 0 };
	int err = add_up(&f, v);

	if (!err)
		err = print(&f, v);
	if (err)
		fprintf(stderr, "acrctl: out of memory while reading %s\n", a->path);
	stack_free(&f.stack);
	intern_free(&f.stacks);
	pd_blob_free(&f.text);
	free(f.first);
	free(f.lines);
	return err ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}
