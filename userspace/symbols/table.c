// SPDX-License-Identifier: GPL-2.0-only
/* A table of functions by address: add, sort, find. */
#include "elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SYMBOLS	256
#define FIRST_NAMES	4096

/**
 * sym_table_add() - add a function
 * @t: the table
 * @start: its address
 * @size: its bytes, 0: up to the next function
 * @name: its name, copied
 *
 * Return: 0 or -ENOMEM.
 */
int sym_table_add(struct sym_table *t, __u64 start, __u64 size, const char *name)
{
	size_t len = strlen(name) + 1;

	if (t->nr == t->room) {
		size_t room = t->room ? t->room * 2 : FIRST_SYMBOLS;
		struct sym_symbol *more = reallocarray(t->symbols, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		t->symbols = more;
		t->room = room;
	}
	if (len > t->names_room - t->names_size) {
		size_t room = t->names_room * 2 + FIRST_NAMES + len;
		char *more = realloc(t->names, room);

		if (!more)
			return -ENOMEM;
		t->names = more;
		t->names_room = room;
	}
	memcpy(t->names + t->names_size, name, len);
	t->symbols[t->nr].start = start;
	t->symbols[t->nr].end = start + size < start ? start : start + size;
	t->symbols[t->nr].name = t->names_size;
	t->names_size += len;
	t->nr++;
	return 0;
}

/* By address; the wider first, so that one with a size stands for its aliases without. */
static int compare_symbols(const void *a, const void *b, void *names)
{
	const struct sym_symbol *x = a, *y = b;
	const char *s, *t;
	int diff;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	/* among equals the plainest name: fewest leading underscores, then the alphabet */
	s = (char *)names + x->name;
	t = (char *)names + y->name;
	diff = (int)strspn(s, "_") - (int)strspn(t, "_");
	return diff ? diff : strcmp(s, t);
}

/**
 * sym_table_sort() - bring the functions into order and drop all but one at each address
 * @t: the table, to be called after the last sym_table_add()
 */
void sym_table_sort(struct sym_table *t)
{
	size_t i, nr = 0;

	if (!t->nr)
		return;
	qsort_r(t->symbols, t->nr, sizeof(*t->symbols), compare_symbols, t->names);
	for (i = 1; i < t->nr; i++) {
		if (t->symbols[i].start != t->symbols[nr].start)
			t->symbols[++nr] = t->symbols[i];
	}
	t->nr = nr + 1;
	for (i = 0; i + 1 < t->nr; i++) {
		if (t->symbols[i].end == t->symbols[i].start)
			t->symbols[i].end = t->symbols[i + 1].start;
	}
}

/**
 * sym_table_find() - the function at an address
 * @t: the table, sorted
 * @addr: the address
 *
 * Return: the function, NULL if there is none.
 */
const struct sym_symbol *sym_table_find(const struct sym_table *t, __u64 addr)
{
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->symbols[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* a function may lie inside another, wider one: a few steps back are enough */
	for (hi = lo > 8 ? lo - 8 : 0; lo > hi; lo--) {
		const struct sym_symbol *s = &t->symbols[lo - 1];

		if (addr < s->end || (s->end == s->start && addr == s->start))
			return s;
	}
	return NULL;
}

/**
 * sym_table_name() - the name of a function
 * @t: the table
 * @s: one of its functions
 *
 * Return: the name.
 */
const char *sym_table_name(const struct sym_table *t, const struct sym_symbol *s)
{
	return t->names + s->name;
}

/**
 * sym_table_free() - give the memory back; the table is empty afterwards
 * @t: the table
 */
void sym_table_free(struct sym_table *t)
{
	free(t->symbols);
	free(t->names);
	memset(t, 0, sizeof(*t));
}
