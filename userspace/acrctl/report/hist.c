// SPDX-License-Identifier: GPL-2.0-only
/* Adding samples up: a search tree while they arrive, a sorted array at the end. */
#include "report.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

#define FIRST_ROOM	64

/**
 * hist_compare() - order entries by event and by their properties
 */
int hist_compare(const struct hist_entry *x, const struct hist_entry *y)
{
	int i, diff;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	for (i = 0; i < HIST_NR_KEYS; i++) {
		diff = i == HIST_SYM ? x->level - y->level : 0;
		if (!diff)
			diff = strcmp(x->keys[i], y->keys[i]);
		if (diff)
			return diff;
	}
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	return hist_compare(a, b);
}

static void free_entry(struct hist_entry *e)
{
	int i;

	for (i = 0; e && i < HIST_NR_KEYS; i++)
		free((char *)e->keys[i]);
	if (e)
		tree_free(e->chains);
	free(e);
}

static struct hist_entry *copy_entry(const struct hist_entry *key)
{
	struct hist_entry *e = calloc(1, sizeof(*e));
	int i;

	if (!e)
		return NULL;
	e->event = key->event;
	e->level = key->level;
	for (i = 0; i < HIST_NR_KEYS; i++) {
		e->keys[i] = strdup(key->keys[i]);
		if (!e->keys[i]) {
			free_entry(e);
			return NULL;
		}
	}
	return e;
}

static int remember(struct hist *h, struct hist_entry *e)
{
	if (h->nr == h->room) {
		size_t room = h->room ? h->room * 2 : FIRST_ROOM;
		struct hist_entry **more = reallocarray(h->entries, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		h->entries = more;
		h->room = room;
	}
	if (!tsearch(e, &h->root, compare_keys))
		return -ENOMEM;
	h->entries[h->nr++] = e;
	return 0;
}

/**
 * hist_find() - the entry of samples that agree in all properties, NULL: there are none
 */
struct hist_entry *hist_find(const struct hist *h, const struct hist_entry *key)
{
	struct hist_entry **found = tfind(key, &h->root, compare_keys);

	return found ? *found : NULL;
}

/**
 * hist_add() - add a sample that stands for @period occurrences
 *
 * Return: its entry, NULL: out of memory.
 */
struct hist_entry *hist_add(struct hist *h, const struct hist_entry *key, __u64 period)
{
	struct hist_entry *e = hist_find(h, key);

	if (!e) {
		e = copy_entry(key);
		if (!e || remember(h, e)) {
			free_entry(e);
			return NULL;
		}
	}
	e->samples++;
	e->period += period;
	return e;
}

/* By event, then the heaviest first, then by name so that the order is always the same. */
static int compare_weight(const void *a, const void *b)
{
	const struct hist_entry *x = *(struct hist_entry *const *)a;
	const struct hist_entry *y = *(struct hist_entry *const *)b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return compare_keys(x, y);
}

/**
 * hist_sort() - order the entries by event, then by weight
 */
void hist_sort(struct hist *h)
{
	size_t i;

	for (i = 0; i < h->nr; i++) {
		if (h->entries[i]->chains)
			tree_sort(h->entries[i]->chains);
	}
	if (h->nr)
		qsort(h->entries, h->nr, sizeof(*h->entries), compare_weight);
}

static void keep_entry(void *entry)
{
	(void)entry;
}

/**
 * hist_free() - free the entries; the histogram is empty afterwards
 */
void hist_free(struct hist *h)
{
	size_t i;

	tdestroy(h->root, keep_entry);
	for (i = 0; i < h->nr; i++)
		free_entry(h->entries[i]);
	free(h->entries);
	memset(h, 0, sizeof(*h));
}
