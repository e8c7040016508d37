// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of random lists of events: as the naive assignment has them, for every rule of the L1D
 * and L2D groups.
 */
#include <stdlib.h>

#include "random.h"
#include "tap.h"
#include "userspace/montecito/lib/mont_event.h"

#define ROUNDS 300000

/* How often a rule was met by a list that got its counters. */
struct met {
	unsigned int l1d;
	unsigned int two_sets;
	unsigned int fourth;
	unsigned int restricted;
	unsigned int cancel;
	unsigned int full;
	unsigned int unavailable;
};

static void look(const struct call *call, struct met *met)
{
	unsigned int i, l2d[16] = { 0 }, sets = 0, most = 0;
	bool l1d = false, few = false, cancel = false;

	for (i = 0; i < call->inp.pfp_event_count; i++) {
		const struct mont_event *event = &mont_events[call->inp.pfp_events[i].event];

		l1d |= event->group == PFMLIB_MONT_EVT_L1D_CACHE_GRP;
		few |= event->counters != 0xfff0;
		cancel |= event->code == 0xe0 || event->code == 0xe2;
		if (event->group != PFMLIB_MONT_EVT_L2D_CACHE_GRP)
			continue;
		sets += !l2d[event->set]++;
		if (l2d[event->set] > most)
			most = l2d[event->set];
	}
	met->l1d += l1d;
	met->two_sets += sets == 2;
	met->fourth += most > 3;
	met->restricted += few;
	met->cancel += cancel;
	met->full += call->inp.pfp_event_count == 12;
	met->unavailable += !!call->inp.pfp_unavail_pmcs.bits[0];
}

static void run(unsigned int rounds)
{
	unsigned int i, wrong = 0, good = 0, set = 0, cancels = 0, none = 0;
	struct naive_result got, want;
	struct met met = { .l1d = 0 };
	static struct call call;
	char why[512];
	bool all;

	random_seed(7);
	for (i = 0; i < rounds; i++) {
		random_event_list(&call);
		result_of_naive(&call, ALL_DECISIONS, &want);
		if (!result_of_library(&call, &got) ||
		    !result_equal(&got, &want, why, sizeof(why))) {
			if (wrong++ < 10)
				printf("# round %u: %s\n", i, why);
			continue;
		}
		good += !got.ret;
		set += got.ret == PFMLIB_ERR_EVTSET;
		cancels += got.ret == PFMLIB_ERR_INVAL;
		none += got.ret == PFMLIB_ERR_NOASSIGN;
		if (!got.ret)
			look(&call, &met);
	}
	is_u64(wrong, 0, "%u random lists get the counters of the naive assignment", rounds);
	ok(good && set && cancels && none,
	   "%u do, %u have too many sets, %u cancels, %u no counter", good, set, cancels, none);
	all = met.l1d && met.two_sets && met.fourth && met.restricted && met.cancel && met.full &&
	      met.unavailable;
	ok(all,
	   "L1D %u, two L2D sets %u, a fourth event of a set %u, few counters %u, cancels %u, "
	   "all counters %u, some kept back %u",
	   met.l1d, met.two_sets, met.fourth, met.restricted, met.cancel, met.full,
	   met.unavailable);
}

int main(int argc, char **argv)
{
	plan(0);
	pfm_force_pmu(PFMLIB_MONTECITO_PMU);
	run(argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS);
	return done();
}
