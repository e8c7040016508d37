// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls with the reference's results, done again naively, as vectors: the judge finds each
 * ok or explained by decisions.
 */
#include <stdlib.h>

#include "judge.h"
#include "random.h"
#include "tap.h"

#define ROUNDS	500000
#define MAX_SAY 10

static void run(unsigned int rounds)
{
	unsigned int i, decisions, bad = 0, ok_count = 0, several = 0, met = 0;
	static struct vector vector;
	char why[512];

	random_seed(7);
	for (i = 0; i < rounds; i++) {
		random_call(&vector.call);
		result_of_naive(&vector.call, NO_DECISION, &vector.out);
		if (!judge(&vector, &decisions, why, sizeof(why))) {
			if (bad++ < MAX_SAY)
				printf("# round %u, reference %d: %s\n", i, vector.out.ret, why);
			continue;
		}
		ok_count += !decisions;
		several += !!(decisions & (decisions - 1));
		met |= decisions;
	}
	is_u64(bad, 0, "of %u random calls with the reference's result none is judged not ok",
	       rounds);
	ok(ok_count > rounds / 20 && ok_count < rounds,
	   "%u are ok, %u of the others have more than one decision", ok_count, several);
	/* sizes that a double rounds up, and outputs that are not zeroed, do not come by chance */
	is_u64(met | DECIDED(DECIDE_EXACT) | DECIDED(DECIDE_FRESH), ALL_DECISIONS,
	       "every decision explains something");
}

int main(int argc, char **argv)
{
	plan(0);
	pfm_force_pmu(PFMLIB_MONTECITO_PMU);
	run(argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS);
	return done();
}
