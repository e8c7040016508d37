// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tuples of numbers that are kept once, each with a number of its own. */
#include "tuples.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS	256
#define FIRST_WORDS	1024
#define MIX		0x9e3779b97f4a7c15ULL	/* odd, of no pattern */

static uint32_t hash_of(const uint64_t *words, size_t nr)
{
	uint64_t hash = nr;
	size_t i;

	for (i = 0; i < nr; i++) {
		hash = (hash ^ words[i]) * MIX;
		hash ^= hash >> 32;
	}
	return hash;
}

/**
 * tuples_get() - the words of a tuple, valid until the next is added
 */
const uint64_t *tuples_get(const struct tuples *t, size_t number, size_t *nr)
{
	size_t begin = number ? t->ends[number - 1] : 0;

	*nr = t->ends[number] - begin;
	return t->words + begin;
}

static bool equal(const struct tuples *t, size_t number, const uint64_t *words, size_t nr)
{
	size_t len;
	const uint64_t *own = tuples_get(t, number, &len);

	if (len != nr)
		return false;
	/* a few words, for which a function would cost more */
	while (nr && own[nr - 1] == words[nr - 1])
		nr--;
	return !nr;
}

/* The slot of a tuple, or the free one where it belongs. */
static struct tuples_slot *find(const struct tuples *t, uint32_t hash, const uint64_t *words,
				size_t nr)
{
	size_t i = hash & (t->nr_slots - 1);

	while (t->slots[i].number &&
	       (t->slots[i].hash != hash || !equal(t, t->slots[i].number - 1, words, nr)))
		i = (i + 1) & (t->nr_slots - 1);
	return &t->slots[i];
}

/* Put the slot of a tuple that is in none so far where it belongs. */
static void put(const struct tuples *t, struct tuples_slot slot)
{
	size_t i = slot.hash & (t->nr_slots - 1);

	while (t->slots[i].number)
		i = (i + 1) & (t->nr_slots - 1);
	t->slots[i] = slot;
}

/* Doubles the slots, of which at most half are in use. */
static bool grow(struct tuples *t)
{
	struct tuples bigger = *t;
	size_t i, *ends;

	bigger.nr_slots = t->nr_slots ? 2 * t->nr_slots : FIRST_SLOTS;
	bigger.room = bigger.nr_slots / 2;
	ends = bigger.room < UINT32_MAX ? reallocarray(t->ends, bigger.room, sizeof(*ends)) : NULL;
	if (!ends)
		return false;
	t->ends = ends;
	bigger.ends = ends;
	bigger.slots = calloc(bigger.nr_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (i = 0; i < t->nr_slots; i++) {
		if (t->slots[i].number)
			put(&bigger, t->slots[i]);
	}
	free(t->slots);
	*t = bigger;
	return true;
}

static bool make_room(struct tuples *t, size_t nr)
{
	size_t room = t->room_words ? t->room_words : FIRST_WORDS;
	uint64_t *words;

	while (room - t->nr_words < nr)
		room *= 2;
	if (room == t->room_words)
		return true;
	words = reallocarray(t->words, room, sizeof(*words));
	if (!words)
		return false;
	t->words = words;
	t->room_words = room;
	return true;
}

/**
 * tuples_add() - keep a copy of a tuple, unless there is one
 * @added: set to whether there was none; may be NULL
 *
 * Return: its number, counted from 0; TUPLES_FAILED: out of memory.
 */
size_t tuples_add(struct tuples *t, const uint64_t *words, size_t nr, bool *added)
{
	uint32_t hash = hash_of(words, nr);
	struct tuples_slot *slot;

	if ((t->nr == t->room && !grow(t)) || !make_room(t, nr))
		return TUPLES_FAILED;
	slot = find(t, hash, words, nr);
	if (added)
		*added = !slot->number;
	if (slot->number)
		return slot->number - 1;
	memcpy(t->words + t->nr_words, words, nr * sizeof(*words));
	t->nr_words += nr;
	t->ends[t->nr] = t->nr_words;
	*slot = (struct tuples_slot){ hash, ++t->nr };
	return t->nr - 1;
}

/**
 * tuples_clear() - forget all tuples, but keep the memory
 */
void tuples_clear(struct tuples *t)
{
	if (t->slots)
		memset(t->slots, 0, t->nr_slots * sizeof(*t->slots));
	t->nr = 0;
	t->nr_words = 0;
}

/**
 * tuples_free() - free all tuples; it is empty then
 */
void tuples_free(struct tuples *t)
{
	free(t->words);
	free(t->ends);
	free(t->slots);
	*t = (struct tuples){ 0 };
}
