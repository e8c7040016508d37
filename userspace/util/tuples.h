/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tuples of numbers that are kept once, each with a number of its own. */
#ifndef _ACRPMU_TUPLES_H
#define _ACRPMU_TUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TUPLES_FAILED	((size_t)-1)

/* Where a tuple is found; with its hash few others need to be looked at. */
struct tuples_slot {
	uint32_t hash;
	uint32_t number;		/* of the tuple + 1, 0: free */
};

/* Zeroed it is empty. */
struct tuples {
	uint64_t *words;		/* of all tuples, one after another */
	size_t nr_words;
	size_t room_words;
	size_t *ends;			/* by number: index of the first word behind the tuple */
	size_t nr;
	size_t room;
	struct tuples_slot *slots;
	size_t nr_slots;		/* a power of 2, or 0 */
};

size_t tuples_add(struct tuples *t, const uint64_t *words, size_t nr, bool *added);
const uint64_t *tuples_get(const struct tuples *t, size_t number, size_t *nr);
void tuples_clear(struct tuples *t);
void tuples_free(struct tuples *t);

#endif /* _ACRPMU_TUPLES_H */
