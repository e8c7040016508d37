// SPDX-License-Identifier: LGPL-2.1-or-later
/* Strings that are kept once, each with a number. */
#include "intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS	256
#define FNV_BASIS	0xcbf29ce484222325ULL
#define FNV_PRIME	0x100000001b3ULL

static uint64_t hash_of(const char *text)
{
	uint64_t hash = FNV_BASIS;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
	return hash;
}

/* The slot of a text, or the free one where it belongs. */
static size_t *find(const struct intern *t, const char *text)
{
	size_t i = hash_of(text) & (t->nr_slots - 1);

	while (t->slots[i] && strcmp(t->texts[t->slots[i] - 1], text))
		i = (i + 1) & (t->nr_slots - 1);
	return &t->slots[i];
}

/* Doubles the slots, of which at most half are in use. */
static int grow(struct intern *t)
{
	struct intern bigger = *t;
	char **texts;
	size_t i;

	bigger.nr_slots = t->nr_slots ? 2 * t->nr_slots : FIRST_SLOTS;
	bigger.room = bigger.nr_slots / 2;
	texts = realloc(t->texts, bigger.room * sizeof(*texts));
	if (!texts)
		return -1;
	t->texts = texts;
	bigger.texts = texts;
	bigger.slots = calloc(bigger.nr_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -1;
	for (i = 0; i < t->nr; i++)
		*find(&bigger, texts[i]) = i + 1;
	free(t->slots);
	*t = bigger;
	return 0;
}

/**
 * intern_add() - keep a copy of a text, unless there is one
 *
 * Return: its number, or INTERN_FAILED: out of memory.
 */
size_t intern_add(struct intern *t, const char *text)
{
	size_t *slot;

	if (t->nr == t->room && grow(t))
		return INTERN_FAILED;
	slot = find(t, text);
	if (*slot)
		return *slot - 1;
	t->texts[t->nr] = strdup(text);
	if (!t->texts[t->nr])
		return INTERN_FAILED;
	*slot = ++t->nr;
	return t->nr - 1;
}

/**
 * intern_free() - free all texts; it is empty then
 */
void intern_free(struct intern *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->texts[i]);
	free(t->texts);
	free(t->slots);
	*t = (struct intern){ 0 };
}
