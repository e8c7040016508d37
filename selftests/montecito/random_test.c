// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls of pfm_dispatch_events(): each gives what the naive implementation gives, and keeps
 * the rules.
 */
#include <stdlib.h>

#include "random.h"
#include "tap.h"
#include "userspace/montecito/lib/mont_event.h"
#include "userspace/montecito/lib/pfmlib_say.h"

#define ROUNDS	300000
#define REACH	20000 /* rounds that each decision is tried in */
#define POISON	0xa5
#define MAX_SAY 10

static pfmlib_output_param_t out;
static pfmlib_mont_output_param_t mod_out;
static unsigned int said;

static void say(const char *what, unsigned int round)
{
	if (said++ < MAX_SAY)
		printf("# round %u: %s\n", round, what);
}

static bool is_zero(const void *p, size_t size)
{
	const unsigned char *byte = p;
	size_t i;

	for (i = 0; i < size; i++) {
		if (byte[i])
			return false;
	}
	return true;
}

/* Every PMC once, none that is unavailable, and nothing behind the last one. */
static bool pmcs_keep_rules(const struct call *call)
{
	bool seen[PFMLIB_REG_MAX] = { false };
	unsigned int i;

	for (i = 0; i < out.pfp_pmc_count; i++) {
		const unsigned int num = out.pfp_pmcs[i].reg_num;

		if (num >= PFMLIB_REG_MAX || seen[num] ||
		    call->inp.pfp_unavail_pmcs.bits[num / 64] >> num % 64 & 1)
			return false;
		seen[num] = true;
		if (i < call->inp.pfp_event_count) {
			const struct mont_event *event =
				&mont_events[call->inp.pfp_events[i].event];

			if (num > 15 || !(event->counters >> num & 1))
				return false;
			if (out.pfp_pmds[i].reg_num != num)
				return false;
		} else if (num < 32 || num > 42 || num == 36) {
			return false;
		}
	}
	return is_zero(&out.pfp_pmcs[i], (PFMLIB_MAX_PMCS - i) * sizeof(*out.pfp_pmcs)) &&
	       is_zero(&out.pfp_pmds[out.pfp_pmd_count],
		       (PFMLIB_MAX_PMDS - out.pfp_pmd_count) * sizeof(*out.pfp_pmds)) &&
	       is_zero(out.reserved, sizeof(out.reserved));
}

static bool ranges_keep_rules(const pfmlib_mont_output_rr_t *rr, bool used)
{
	bool seen[8] = { false };
	unsigned int i;

	if (!used)
		return is_zero(rr, sizeof(*rr));
	if (rr->rr_nbr_used % 2 || !rr->rr_nbr_used || rr->rr_nbr_used > 8)
		return false;
	for (i = 0; i < rr->rr_nbr_used; i++) {
		if (rr->rr_br[i].reg_num > 7 || seen[rr->rr_br[i].reg_num])
			return false;
		seen[rr->rr_br[i].reg_num] = true;
		/* the kernel's bits */
		if (i % 2 && rr->rr_br[i].reg_value >> 60)
			return false;
	}
	return is_zero(&rr->rr_br[i], (8 - i) * sizeof(*rr->rr_br));
}

/* The same call with garbage in the outputs, and the inputs compared afterwards. */
static bool rules_kept(const struct call *call, int ret)
{
	static struct call copy;
	bool same;

	copy.inp = call->inp;
	copy.mod = call->mod;
	memset(&out, POISON, sizeof(out));
	memset(&mod_out, POISON, sizeof(mod_out));
	same = pfm_dispatch_events(call->has_inp ? &copy.inp : NULL,
				   call->has_mod ? &copy.mod : NULL, call->has_out ? &out : NULL,
				   call->has_mod_out ? &mod_out : NULL) == ret;
	if (!same || memcmp(&copy.inp, &call->inp, sizeof(copy.inp)) ||
	    memcmp(&copy.mod, &call->mod, sizeof(copy.mod)))
		return false;
	if (ret)
		return *pfmlib_last_reason();
	if (!pmcs_keep_rules(call))
		return false;
	if (!call->has_mod_out)
		return ((unsigned char *)&mod_out)[0] == POISON;
	return ranges_keep_rules(&mod_out.pfp_mont_irange, call->mod.pfp_mont_irange.rr_used) &&
	       ranges_keep_rules(&mod_out.pfp_mont_drange, call->mod.pfp_mont_drange.rr_used);
}

static void run(unsigned int rounds)
{
	unsigned int i, wrong = 0, uncovered = 0, broken = 0, good = 0, ranges = 0, fine = 0;
	unsigned int errors[24] = { 0 }, kinds = 0;
	struct naive_result got, want;
	static struct call call;
	char why[512];

	random_seed(5);
	for (i = 0; i < rounds; i++) {
		random_call(&call);
		result_of_naive(&call, ALL_DECISIONS, &want);
		if (!result_of_library(&call, &got) ||
		    !result_equal(&got, &want, why, sizeof(why))) {
			say(why, i);
			wrong++;
			continue;
		}
		if (!result_covers(&call, &got, why, sizeof(why))) {
			say(why, i);
			uncovered++;
		}
		if (!rules_kept(&call, got.ret)) {
			say("a rule is broken", i);
			broken++;
		}
		errors[-got.ret]++;
		good += !got.ret;
		ranges += !got.ret && (got.irange.nr || got.drange.nr);
		fine += !got.ret && got.fine;
	}
	is_u64(wrong, 0, "%u random calls give what the naive implementation gives", rounds);
	is_u64(uncovered, 0, "all successful calls cover their ranges and report the excess");
	is_u64(broken, 0,
	       "registers once, none unavailable, nothing behind the last; refusals say why");
	ok(good > rounds / 20 && ranges > rounds / 50 && fine > rounds / 200,
	   "%u succeed, %u of them with ranges, %u in fine mode", good, ranges, fine);
	for (i = 1; i < sizeof(errors) / sizeof(*errors); i++)
		kinds += errors[i] > 0;
	/*
	 * INVAL NOASSIGN FEATCOMB EVTSET EVTINCOMP IRRTOOBIG IRRINVAL IRRTOOMANY DRRINVAL
	 * DRRTOOMANY IRRALIGN IRRFLAGS UMASK NOTSUPP
	 */
	is_u64(kinds, 14, "all 14 errors that there can be are met");
}

/* Each decision has to make a difference now and then, or the comparison says nothing of it. */
static void reach(void)
{
	/* a double rounds few sizes up; model output is never anything but zeroed here */
	const unsigned int rare = DECIDED(DECIDE_EXACT) | DECIDED(DECIDE_FRESH);
	unsigned int k, i, met[DECIDE_LAST + 1] = { 0 };
	struct naive_result with, without;
	static struct call call;
	char why[512];

	random_seed(6);
	for (i = 0; i < REACH; i++) {
		random_call(&call);
		result_of_naive(&call, ALL_DECISIONS, &with);
		for (k = 0; k <= DECIDE_LAST; k++) {
			if (!(ALL_DECISIONS & ~rare & DECIDED(k)))
				continue;
			result_of_naive(&call, ALL_DECISIONS & ~DECIDED(k), &without);
			met[k] += !result_equal(&with, &without, why, sizeof(why));
		}
	}
	for (k = 0; k <= DECIDE_LAST; k++) {
		if (ALL_DECISIONS & ~rare & DECIDED(k))
			ok(met[k] > 0, "decision %u makes a difference in %u of %u calls", k,
			   met[k], REACH);
	}
}

int main(int argc, char **argv)
{
	plan(0);
	pfm_force_pmu(PFMLIB_MONTECITO_PMU);
	reach();
	run(argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS);
	return done();
}
