// SPDX-License-Identifier: GPL-2.0-only
/* A table of functions by address: adding, sorting and finding. */
#include "elf_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SYMBOLS	256
#define FIRST_NAMES	4096

/**
 * sym_table_add() - add a function; one of size 0 ends at the next function
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

/* By address; the larger first, so that a symbol with a size replaces aliases without one. */
static int compare_symbols(const void *a, const void *b, void *names)
{
	const struct sym_symbol *x = a, *y = b;
	const char *s, *t;
	int diff;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	/* of aliases the plainest name: fewest leading underscores, then by the alphabet */
	s = (char *)names + x->name;
	t = (char *)names + y->name;
	diff = (int)strspn(s, "_") - (int)strspn(t, "_");
	return diff ? diff : strcmp(s, t);
}

/* By address; the one added last first. */
static int compare_ages(const void *a, const void *b)
{
	const struct sym_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* names are appended */
	return x->name > y->name ? -1 : x->name < y->name;
}

/* Leave the first of each address; returns how many those are. */
static size_t drop_others(struct sym_table *t)
{
	size_t i, nr = 0;

	for (i = 1; i < t->nr; i++) {
		if (t->symbols[i].start != t->symbols[nr].start)
			t->symbols[++nr] = t->symbols[i];
	}
	return nr + 1;
}

/* With about as many pieces as functions, few begin in one; without memory there are none. */
static void make_index(struct sym_table *t)
{
	__u64 first = t->symbols->start, span = t->symbols[t->nr - 1].start - first;
	size_t piece, at = 0;

	free(t->index);
	t->piece_bits = 0;
	while (span >> t->piece_bits >= t->nr)
		t->piece_bits++;
	t->nr_pieces = (span >> t->piece_bits) + 1;
	t->index = t->nr < UINT32_MAX ? calloc(t->nr_pieces + 1, sizeof(*t->index)) : NULL;
	if (!t->index)
		return;
	for (piece = 0; piece < t->nr_pieces; piece++) {
		while (at + 1 < t->nr &&
		       t->symbols[at + 1].start - first <= (__u64)piece << t->piece_bits)
			at++;
		t->index[piece] = at;
	}
	t->index[piece] = t->nr - 1;
}

/** sym_table_latest() - as sym_table_sort(), for functions that replace those added before them */
void sym_table_latest(struct sym_table *t)
{
	if (!t->nr)
		return;
	qsort(t->symbols, t->nr, sizeof(*t->symbols), compare_ages);
	t->nr = drop_others(t);
	make_index(t);
}

/** sym_table_sort() - order the functions after the last one was added; one is left per address */
void sym_table_sort(struct sym_table *t)
{
	size_t i;

	if (!t->nr)
		return;
	qsort_r(t->symbols, t->nr, sizeof(*t->symbols), compare_symbols, t->names);
	t->nr = drop_others(t);
	make_index(t);
	for (i = 0; i + 1 < t->nr; i++) {
		if (t->symbols[i].end == t->symbols[i].start)
			t->symbols[i].end = t->symbols[i + 1].start;
	}
}

/* Where the last function that does not start behind an address may be; returns of how many. */
static size_t bounds_of(const struct sym_table *t, __u64 addr, size_t *from)
{
	__u64 piece;

	*from = 0;
	if (!t->index || !t->nr || addr < t->symbols->start)
		return t->nr;
	piece = (addr - t->symbols->start) >> t->piece_bits;
	*from = piece < t->nr_pieces ? t->index[piece] : t->nr - 1;
	return piece < t->nr_pieces ? t->index[piece + 1] - *from + 1 : 1;
}

/**
 * sym_table_find() - find the function at an address in a sorted table
 *
 * Return: the function, NULL if there is none.
 */
const struct sym_symbol *sym_table_find(const struct sym_table *t, __u64 addr)
{
	size_t lo, hi, nr = bounds_of(t, addr, &lo);

	/* there is no branch to be predicted wrongly */
	for (; nr > 1; nr -= nr / 2)
		lo += t->symbols[lo + nr / 2].start <= addr ? nr / 2 : 0;
	lo += nr && t->symbols[lo].start <= addr;
	/* a function may lie inside a larger one; a few steps back find it */
	for (hi = lo > 8 ? lo - 8 : 0; lo > hi; lo--) {
		const struct sym_symbol *s = &t->symbols[lo - 1];

		if (addr < s->end || (s->end == s->start && addr == s->start))
			return s;
	}
	return NULL;
}

/** sym_table_name() - return the name of a function of the table */
const char *sym_table_name(const struct sym_table *t, const struct sym_symbol *s)
{
	return t->names + s->name;
}

/** sym_table_free() - free the table, which is empty afterwards */
void sym_table_free(struct sym_table *t)
{
	free(t->symbols);
	free(t->names);
	free(t->index);
	memset(t, 0, sizeof(*t));
}
