/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finding the word that a misspelt one may stand for. */
#ifndef _ACRPMU_UTIL_SUGGEST_H
#define _ACRPMU_UTIL_SUGGEST_H

#include <stddef.h>

#define SUGGEST_FAR	(~0U)	/* too far to be a misspelling */
#define SUGGEST_MAX_LEN	63	/* longer words are not compared */

/**
 * struct suggestion - the nearest word so far
 * @word: it, NULL if none is near
 * @distance: its distance from the misspelt word
 */
struct suggestion {
	const char *word;
	unsigned int distance;
};

/**
 * acrpmu_suggest_distance() - how far a misspelt word is from one that exists
 * @misspelt: as the user wrote it
 * @len: its bytes
 * @word: one that exists
 *
 * Return: letters added, left out, changed or swapped; SUGGEST_FAR if they are more than a third of
 * the word, or more than six.
 */
unsigned int acrpmu_suggest_distance(const char *misspelt, size_t len, const char *word);

/**
 * acrpmu_suggest_consider() - compare a misspelt word with one that exists
 * @best: keeps the nearest; start with all zero
 * @misspelt: as the user wrote it
 * @len: its bytes
 * @word: one that exists
 */
void acrpmu_suggest_consider(struct suggestion *best, const char *misspelt, size_t len,
			     const char *word);

#endif /* _ACRPMU_UTIL_SUGGEST_H */
