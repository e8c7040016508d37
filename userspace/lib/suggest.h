/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finding what a misspelt word may have meant. */
#ifndef _ACRPMU_LIB_SUGGEST_H
#define _ACRPMU_LIB_SUGGEST_H

#include <stddef.h>

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
 * acrpmu_suggest_consider() - compare a misspelt word with one that exists
 * @best: keeps the nearest; start with all zero
 * @misspelt: as the user wrote it
 * @len: its bytes
 * @word: one that exists
 *
 * Near means: at most a third of the letters added, left out, changed or swapped.
 */
void acrpmu_suggest_consider(struct suggestion *best, const char *misspelt, size_t len,
			     const char *word);

#endif /* _ACRPMU_LIB_SUGGEST_H */
