// SPDX-License-Identifier: GPL-2.0-only
/* What the samples of a profile refer to: strings, files, functions, frames and stacks. */
#include "tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../symbols/function.h"
#include "../../util/util.h"

#define FIRST_ROOM	256
#define UNKNOWN		"[unknown]"	/* the file of a frame without one */

/* What is known of an address: numbers + 1, 0: unknown. */
struct firefox_place {
	__u64 lib;
	__u64 address;			/* from the beginning of its file's image, + 1 */
	__u64 symbol;
};

/* ---- where code is ------------------------------------------------------------------------ */

/* Returns a number + 1, or 0: out of memory. */
static __u64 lib_of(struct firefox_tables *t, size_t dso, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t path = intern_add(&t->strings, name), number;
	size_t file = intern_add(&t->strings, slash && slash[1] ? slash + 1 : name);
	const uint64_t key[] = { dso, path, file };
	bool added;

	if (path == INTERN_FAILED || file == INTERN_FAILED)
		return 0;
	number = tuples_add(&t->libs, key, ARRAY_SIZE(key), &added);
	return number == TUPLES_FAILED ? 0 : number + 1;
}

/* Where the image of the file at an address would begin; false: unknown. */
static bool find_image(const struct sym_space *sp, const struct sym_map *m, bool kernel, __u64 ip,
		       __u64 *begin)
{
	bool module = m && strcmp(sp->dsos[m->dso].name, SYM_KERNEL_NAME);
	__u64 vaddr;

	if (kernel) {
		*begin = module ? m->start : sp->kernel_ref;
		return *begin && *begin <= ip;
	}
	if (!m || !sym_elf_vaddr(&sp->dsos[m->dso].elf, ip - m->start + m->pgoff, &vaddr))
		return false;
	*begin = ip - (vaddr - sp->dsos[m->dso].elf.base);
	return true;
}

/* The function there. */
static int find_symbol(struct firefox_tables *t, bool kernel, __u32 pid, __u64 ip,
		       struct firefox_place *p)
{
	struct sym_function f;
	struct sym_location loc;
	uint64_t key[] = { p->lib - 1, 0, 0, 0 };
	size_t number;
	bool added;

	if (!sym_function_find(&t->view->space, kernel, pid, ip, &loc, &f) ||
	    loc.offset >= p->address)
		return 0;
	key[1] = p->address - 1 - loc.offset;
	key[2] = f.end > f.start ? f.end - f.start : 0;
	key[3] = intern_add(&t->strings, loc.symbol);
	if (key[3] == INTERN_FAILED)
		return -ENOMEM;
	number = tuples_add(&t->symbols, key, ARRAY_SIZE(key), &added);
	p->symbol = number + 1;
	return number == TUPLES_FAILED ? -ENOMEM : 0;
}

static int find_place(struct firefox_tables *t, __u32 pid, const struct stack_frame *f, __u64 ip,
		      struct firefox_place *p)
{
	bool kernel = f->level == VIEW_LEVEL_KERNEL, mapped;
	const struct sym_space *sp = &t->view->space;
	const struct sym_map *m = sym_space_map_at(sp, kernel, pid, ip);
	__u64 begin;

	*p = (struct firefox_place){ 0 };
	/* lists of code made at run time are no files that were mapped */
	mapped = m && !strcmp(sp->dsos[m->dso].name, f->dso);
	if (!strcmp(f->dso, UNKNOWN))
		return 0;
	p->lib = lib_of(t, mapped ? m->dso : SYM_NO_DSO, f->dso);
	if (!p->lib)
		return -ENOMEM;
	if (!find_image(sp, m, kernel, ip, &begin))
		return 0;
	p->address = ip - begin + 1;
	return find_symbol(t, kernel, pid, ip, p);
}

static int remember(struct firefox_tables *t, size_t number, const struct firefox_place *p)
{
	size_t room = t->room_found ? 2 * t->room_found : FIRST_ROOM;
	struct firefox_place *more;

	if (number == t->room_found) {
		more = reallocarray(t->found, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->found = more;
		t->room_found = room;
	}
	t->found[number] = *p;
	return 0;
}

/* As find_place(), once for each address in a file. */
static int place_of(struct firefox_tables *t, __u32 pid, const struct stack_frame *f, __u64 ip,
		    struct firefox_place *p)
{
	struct sym_code code;
	uint64_t key[3];
	size_t number;
	bool added;
	int err;

	*p = (struct firefox_place){ 0 };
	if (f->level == VIEW_LEVEL_GUEST)
		return 0;
	if (!sym_space_code(&t->view->space, f->level == VIEW_LEVEL_KERNEL, pid, ip, &code))
		return find_place(t, pid, f, ip, p);
	key[0] = code.kernel;
	key[1] = code.dso;
	key[2] = code.offset;
	number = tuples_add(&t->places, key, ARRAY_SIZE(key), &added);
	if (number == TUPLES_FAILED)
		return -ENOMEM;
	if (!added) {
		*p = t->found[number];
		return 0;
	}
	err = find_place(t, pid, f, ip, p);
	return err ? err : remember(t, number, p);
}

/* ---- functions, frames and stacks --------------------------------------------------------- */

static size_t source_of(struct firefox_tables *t, const char *file)
{
	uint64_t key[] = { intern_add(&t->strings, file) };
	bool added;

	return key[0] == INTERN_FAILED ? TUPLES_FAILED :
					 tuples_add(&t->sources, key, ARRAY_SIZE(key), &added);
}

static size_t function_of(struct firefox_tables *t, const struct stack_frame *f, __u64 lib)
{
	size_t name = intern_add(&t->strings, f->symbol), source = TUPLES_FAILED;
	uint64_t key[] = { name, lib, 0 };
	bool added;

	if (f->file)
		source = source_of(t, f->file);
	if (name == INTERN_FAILED || (f->file && source == TUPLES_FAILED))
		return TUPLES_FAILED;
	key[2] = source + 1;
	return tuples_add(&t->functions, key, ARRAY_SIZE(key), &added);
}

static enum firefox_category category_of(char level)
{
	return level == VIEW_LEVEL_KERNEL ? FIREFOX_KERNEL :
	       level == VIEW_LEVEL_GUEST ? FIREFOX_GUEST : FIREFOX_USER;
}

/* Add a frame on top of a stack, a number + 1; returns the same, or 0: out of memory. */
static __u64 push(struct firefox_tables *t, __u64 below, const struct stack_frame *f,
		  const struct firefox_place *p, unsigned int depth)
{
	size_t function = function_of(t, f, p->lib), frame, number;
	const uint64_t key[] = {
		p->address, depth, category_of(f->level), function, p->symbol, f->line,
	};
	uint64_t stack[] = { below, 0 };
	bool added;

	if (function == TUPLES_FAILED)
		return 0;
	frame = tuples_add(&t->frames, key, ARRAY_SIZE(key), &added);
	if (frame == TUPLES_FAILED)
		return 0;
	stack[1] = frame;
	number = tuples_add(&t->stacks, stack, ARRAY_SIZE(stack), &added);
	return number == TUPLES_FAILED ? 0 : number + 1;
}

/* Index of the first of the frames that belong to one address, which ends with @last. */
static size_t first_of(const struct stack *st, size_t last)
{
	while (last && st->frames[last - 1].inlined)
		last--;
	return last;
}

/**
 * firefox_stack() - the number of a stack
 *
 * Return: it, or FIREFOX_FAILED: out of memory.
 */
__u64 firefox_stack(struct firefox_tables *t, __u32 pid, const struct stack *st)
{
	size_t last, first, i, end;
	struct firefox_place p;
	__u64 stack = 0;

	for (end = st->nr; end; end = first) {
		const struct stack_frame *f = &st->frames[end - 1];

		last = end - 1;
		first = first_of(st, last);
		/* callers have the address behind the call, what was interrupted its own */
		if (place_of(t, pid, f, f->ip - (first && st->frames[first - 1].level == f->level),
			     &p))
			return FIREFOX_FAILED;
		for (i = end; i > first; i--) {
			stack = push(t, stack, &st->frames[i - 1], &p, last - (i - 1));
			if (!stack)
				return FIREFOX_FAILED;
		}
	}
	return stack - 1;
}

/**
 * firefox_free_tables() - free all of them
 */
void firefox_free_tables(struct firefox_tables *t)
{
	intern_free(&t->strings);
	tuples_free(&t->libs);
	tuples_free(&t->symbols);
	tuples_free(&t->places);
	tuples_free(&t->sources);
	tuples_free(&t->functions);
	tuples_free(&t->frames);
	tuples_free(&t->stacks);
	free(t->found);
}
