// SPDX-License-Identifier: GPL-2.0-only
/* Tuples keep their numbers and words, whatever else is added. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/util/tuples.h"

/* So many that some share a hash of 32 bits: 2^18 have 2^35 pairs. */
#define MANY		(1U << 18)
#define MAX_WORDS	7

static uint64_t any(void)
{
	static uint64_t state = 20261128;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return state ^ state >> 29;
}

/* Words of tuple @number, of which no other has the first. */
static size_t words_of(uint64_t number, const uint64_t *rest, uint64_t *words)
{
	size_t i, nr = 1 + number % MAX_WORDS;

	words[0] = number * 0x10001;
	for (i = 1; i < nr; i++)
		words[i] = rest[number * MAX_WORDS + i];
	return nr;
}

static unsigned int add_all(struct tuples *t, const uint64_t *rest, bool is_new)
{
	uint64_t words[MAX_WORDS];
	unsigned int wrong = 0;
	size_t i, nr;
	bool added;

	for (i = 0; i < MANY; i++) {
		nr = words_of(i, rest, words);
		wrong += tuples_add(t, words, nr, &added) != i || added != is_new;
	}
	return wrong;
}

static unsigned int differ(const struct tuples *t, const uint64_t *rest)
{
	uint64_t words[MAX_WORDS];
	unsigned int wrong = 0;
	const uint64_t *own;
	size_t i, nr, len;

	for (i = 0; i < MANY; i++) {
		nr = words_of(i, rest, words);
		own = tuples_get(t, i, &len);
		wrong += len != nr || memcmp(own, words, nr * sizeof(*words));
	}
	return wrong;
}

static void test_many(void)
{
	uint64_t *rest = malloc(MANY * MAX_WORDS * sizeof(*rest));
	struct tuples t = { 0 };
	size_t i;

	for (i = 0; i < MANY * MAX_WORDS; i++)
		rest[i] = any();
	is_u64(add_all(&t, rest, true), 0, "each tuple is new and gets the next number");
	is_u64(add_all(&t, rest, false), 0, "each is found under its number");
	is_u64(differ(&t, rest), 0, "and has its words");
	tuples_clear(&t);
	is_u64(add_all(&t, rest, true), 0, "none is known after all were forgotten");
	tuples_free(&t);
	free(rest);
}

/* One that begins like another, one word more or less, and none. */
static void test_lengths(void)
{
	const uint64_t words[] = { 0, 0, 0 };
	struct tuples t = { 0 };
	unsigned int wrong = 0;
	size_t round, nr;

	for (round = 0; round < 2; round++) {
		for (nr = 0; nr <= 3; nr++)
			wrong += tuples_add(&t, words, nr, NULL) != nr;
	}
	is_u64(wrong, 0, "tuples of different lengths differ");
	tuples_free(&t);
}

int main(void)
{
	plan(0);
	test_many();
	test_lengths();
	return done();
}
