// SPDX-License-Identifier: GPL-2.0-only
/* Adding samples up: a hash table while they arrive, a sorted array at the end. */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

#define FIRST_SLOTS	128
#define FNV_BASIS	0xcbf29ce484222325ULL
#define FNV_PRIME	0x100000001b3ULL

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

static __u64 hash_of(const struct hist_entry *key)
{
	__u64 hash = (key->event + FNV_BASIS) ^ key->level;
	const char *text;
	int i;

	for (i = 0; i < HIST_NR_KEYS; i++) {
		for (text = key->keys[i]; *text; text++)
			hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
		hash *= FNV_PRIME;
	}
	return hash;
}

/* The slot of an entry, or the free one where it belongs. */
static struct hist_entry **find_slot(const struct hist *h, const struct hist_entry *key, __u64 hash)
{
	size_t i = hash & (h->nr_slots - 1);

	while (h->slots[i] && (h->slots[i]->hash != hash || hist_compare(h->slots[i], key)))
		i = (i + 1) & (h->nr_slots - 1);
	return &h->slots[i];
}

/* Doubles the slots, of which at most half are in use. */
static int grow(struct hist *h)
{
	struct hist bigger = *h;
	size_t i;

	bigger.nr_slots = h->nr_slots ? 2 * h->nr_slots : FIRST_SLOTS;
	bigger.entries = reallocarray(h->entries, bigger.nr_slots / 2, sizeof(*bigger.entries));
	if (!bigger.entries)
		return -ENOMEM;
	h->entries = bigger.entries;
	bigger.slots = calloc(bigger.nr_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (i = 0; i < h->nr; i++)
		*find_slot(&bigger, h->entries[i], h->entries[i]->hash) = h->entries[i];
	free(h->slots);
	*h = bigger;
	return 0;
}

/* The texts lie behind the entry. */
static struct hist_entry *copy_entry(const struct hist_entry *key, __u64 hash)
{
	size_t size = sizeof(*key);
	struct hist_entry *e;
	char *at;
	int i;

	for (i = 0; i < HIST_NR_KEYS; i++)
		size += strlen(key->keys[i]) + 1;
	e = calloc(1, size);
	if (!e)
		return NULL;
	e->event = key->event;
	e->level = key->level;
	e->hash = hash;
	e->paths = TREE_NONE;
	at = (char *)(e + 1);
	for (i = 0; i < HIST_NR_KEYS; i++) {
		e->keys[i] = at;
		at = stpcpy(at, key->keys[i]) + 1;
	}
	return e;
}

/**
 * hist_find() - the entry of samples that agree in all properties, NULL: there are none
 */
struct hist_entry *hist_find(const struct hist *h, const struct hist_entry *key)
{
	return h->nr ? *find_slot(h, key, hash_of(key)) : NULL;
}

/**
 * hist_get() - find or make the entry of samples that agree in all properties
 *
 * Return: the entry, NULL: out of memory.
 */
struct hist_entry *hist_get(struct hist *h, const struct hist_entry *key)
{
	__u64 hash = hash_of(key);
	struct hist_entry **slot;

	if (h->nr == h->nr_slots / 2 && grow(h))
		return NULL;
	slot = find_slot(h, key, hash);
	if (*slot)
		return *slot;
	*slot = copy_entry(key, hash);
	if (*slot)
		h->entries[h->nr++] = *slot;
	return *slot;
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
	return hist_compare(x, y);
}

/**
 * hist_sort() - order the entries by event, then by weight
 */
void hist_sort(struct hist *h)
{
	if (h->nr)
		qsort(h->entries, h->nr, sizeof(*h->entries), compare_weight);
}

/**
 * hist_free() - free the entries; the histogram is empty afterwards
 */
void hist_free(struct hist *h)
{
	size_t i;

	for (i = 0; i < h->nr; i++)
		free(h->entries[i]);
	free(h->entries);
	free(h->slots);
	memset(h, 0, sizeof(*h));
}
