// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finding the word that a misspelt one may stand for. */
#include "suggest.h"

#include <ctype.h>
#include <string.h>

#define NEAR_PART	3	/* one letter in so many may differ */
#define NEAR_MAX	6	/* and no more than this */

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/*
 * Letters to add, leave out, change or swap with a neighbour; case does not count.  Any number
 * above @near stands for more than that.
 */
static unsigned int edit_distance(const char *a, size_t a_len, const char *b, size_t b_len,
				  unsigned int near)
{
	unsigned int rows[3][SUGGEST_MAX_LEN + 1], least = 0, before;
	size_t i, j;

	for (j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (i = 1; i <= a_len; i++) {
		const unsigned int *last = rows[(i - 1) % 3], *last_but_one = rows[(i + 1) % 3];
		unsigned int *row = rows[i % 3];

		before = least;
		least = i;
		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			int ca = tolower((unsigned char)a[i - 1]);
			int cb = tolower((unsigned char)b[j - 1]);

			row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]))
				row[j] = min3(row[j], row[j], last_but_one[j - 2] + 1);
			least = min3(least, least, row[j]);
		}
		/* what follows is made from these two rows, and never less */
		if (before > near && least > near)
			return least;
	}
	return rows[a_len % 3][b_len];
}

unsigned int acrpmu_suggest_distance(const char *misspelt, size_t len, const char *word)
{
	size_t word_len = strlen(word), longer = len > word_len ? len : word_len;
	unsigned int near = word_len / NEAR_PART, distance;

	if (near > NEAR_MAX)
		near = NEAR_MAX;
	/* each letter by which they differ in length counts */
	if (!len || longer > SUGGEST_MAX_LEN || 2 * longer - len - word_len > near)
		return SUGGEST_FAR;
	distance = edit_distance(misspelt, len, word, word_len, near);
	return distance > near ? SUGGEST_FAR : distance;
}

void acrpmu_suggest_consider(struct suggestion *best, const char *misspelt, size_t len,
			     const char *word)
{
	unsigned int distance = acrpmu_suggest_distance(misspelt, len, word);

	if (distance == SUGGEST_FAR || (best->word && best->distance <= distance))
		return;
	best->word = word;
	best->distance = distance;
}
