// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the branch predictor: known patterns, and a naive second implementation. */
#include <stdlib.h>

#include "predictor.h"
#include "tap.h"

static int misses(const char *pattern, int rounds)
{
	static struct predictor p;
	int missed = 0, i;
	const char *c;

	memset(&p, 0, sizeof(p));
	for (i = 0; i < rounds; i++)
		for (c = pattern; *c; c++)
			missed += predictor_branch(&p, 0x401234, *c == 'T');
	return missed;
}

static void learns_patterns(void)
{
	int random = 0, i;
	static struct predictor p;

	is_u64(misses("N", 1000), 0, "never taken: never wrong");
	ok(misses("T", 1000) <= 2 * (PREDICTOR_HISTORY + 1), "always taken: wrong until learnt");
	ok(misses("TTTN", 1000) < 60, "a pattern shorter than the history is learnt");
	srand(1);
	for (i = 0; i < 10000; i++)
		random += predictor_branch(&p, 0x401234, rand() >> 8 & 1);
	ok(random > 4000 && random < 6000, "random branches: wrong half of the time (%d)", random);
}

/* History as a string of bits; each counter as two guesses, now and after a miss */
struct naive {
	bool past[8];
	struct {
		bool guess, sure;
	} entry[4096];
};

static bool naive_branch(struct naive *n, uint64_t address, bool taken)
{
	unsigned int index = 0, i;
	bool guess;

	for (i = 0; i < 8; i++)
		index += (unsigned int)n->past[i] << i;
	index ^= (unsigned int)(address / 2) & 0xfff;
	guess = n->entry[index].guess;
	if (guess == taken)
		n->entry[index].sure = true;
	else if (n->entry[index].sure)
		n->entry[index].sure = false;
	else
		n->entry[index].guess = taken;
	for (i = 7; i; i--)
		n->past[i] = n->past[i - 1];
	n->past[0] = taken;
	return guess != taken;
}

static void agrees_with_another(void)
{
	static struct predictor p;
	static struct naive n;
	int differ = 0, i;

	/* both start sure of "not taken" */
	memset(&p, 0, sizeof(p));
	for (i = 0; i < 4096; i++)
		n.entry[i].sure = true;
	srand(2);
	for (i = 0; i < 200000; i++) {
		uint64_t address = 0x401000 + rand() % 64 * 3;
		bool taken = rand() % 100 < (int)(address % 100);

		differ += predictor_branch(&p, address, taken) != naive_branch(&n, address, taken);
	}
	is_u64(differ, 0, "200000 branches at 64 addresses");
}

int main(void)
{
	plan(5);
	learns_patterns();
	agrees_with_another();
	return done();
}
