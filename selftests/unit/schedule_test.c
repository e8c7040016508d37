// SPDX-License-Identifier: GPL-2.0-only
/* Tests of scheduling events without extra registers, against trying every assignment. */
#include "core_helpers.h"
#include "kmod/core/constraint.h"

#define FIXED_CNTRS	0xffffffff00000000ULL

/* Naive: try each counter for each event; return the most preferred counters of any assignment. */
static int best_preferred(const u64 *allowed, unsigned int nr, u64 prefer, u64 used)
{
	int best = -1, rest;
	unsigned int cntr;

	if (!nr)
		return 0;
	for (cntr = 0; cntr < 64; cntr++) {
		u64 bit = 1ULL << cntr;

		if (!(*allowed & bit) || used & bit)
			continue;
		rest = best_preferred(allowed + 1, nr - 1, prefer, used | bit);
		if (rest >= 0 && rest + !!(prefer & bit) > best)
			best = rest + !!(prefer & bit);
	}
	return best;
}

static bool is_valid(const u64 *allowed, unsigned int nr, const s8 *cntr)
{
	u64 used = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (cntr[i] < 0)
			continue;
		if (!(allowed[i] >> cntr[i] & 1) || used >> cntr[i] & 1)
			return false;
		used |= 1ULL << cntr[i];
	}
	return true;
}

/* Sparse enough that about half of the cases have no assignment. */
static u64 random_cntrs(void)
{
	u64 gp = rnd() & rnd() & 0x1f, fixed = rnd() & rnd() & 0x7;

	return gp | fixed << 32;
}

static void test_against_brute_force(void)
{
	unsigned int i, n, nr, found, feasible = 0, bad = 0, preferred;
	u64 allowed[6];
	s8 cntr[6], again[6];
	int best;

	for (n = 0; n < 20000; n++) {
		nr = 1 + rnd_below(6);
		for (i = 0; i < nr; i++)
			allowed[i] = random_cntrs();
		best = best_preferred(allowed, nr, FIXED_CNTRS, 0);
		found = acrpmu_schedule_match(allowed, nr, FIXED_CNTRS, cntr);
		acrpmu_schedule_match(allowed, nr, FIXED_CNTRS, again);

		for (i = 0, preferred = 0; i < nr; i++)
			preferred += cntr[i] >= 32;
		feasible += best >= 0;
		bad += (found == nr) != (best >= 0) || !is_valid(allowed, nr, cntr) ||
		       memcmp(cntr, again, nr) ||
		       (best >= 0 && preferred != (unsigned int)best);
	}
	is_u64(bad, 0, "exists, is valid, is stable and uses most fixed counters: as brute force");
	ok(feasible > 5000 && feasible < 15000, "both outcomes were common: %u of 20000", feasible);
}

static void test_sixteen_events(void)
{
	u64 allowed[16];
	s8 cntr[16];
	unsigned int i;

	/* event i may use counters 0..i, offered in the worst order: one assignment only */
	for (i = 0; i < 16; i++)
		allowed[i] = (1ULL << (16 - i)) - 1;
	is_u64(acrpmu_schedule_match(allowed, 16, 0, cntr), 16, "a chain of 16 is resolved");
	ok(is_valid(allowed, 16, cntr) && cntr[0] == 15 && cntr[15] == 0, "in its only way");
	allowed[0] = 0x7fff;
	is_u64(acrpmu_schedule_match(allowed, 16, 0, cntr), 15, "one counter short: 15 fit");
}

#define EV(...)	{ .flags = USER, .period = 5000, __VA_ARGS__ }

/* Counters that an event of a group may use. */
static u64 able_of(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		   unsigned int event)
{
	u64 allowed_cntrs = group->ev[event].allowed_cntrs;
	u64 able = acrpmu_constraint_config(caps, group->ev[event].config);

	return acrpmu_constraint_reload(group, caps, event,
					allowed_cntrs ? able & allowed_cntrs : able);
}

/* Schedule a group of events that use no extra register. */
static int schedule(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		    u64 free_cntrs, struct acrpmu_schedule *result, struct acrpmu_error *error)
{
	const struct acrpmu_extra_state nobody = { 0 };

	return schedule_on(&nobody, caps, group, free_cntrs, result, error);
}

static void test_prefers_fixed(void)
{
	const struct acrpmu_event_attr events[] = {
		EV(.config = 0xc4), EV(.config = 0x3c), EV(.config = 0xc0), EV(.config = 0x3c),
	};
	struct acrpmu_caps cwf = caps_of("clearwaterforest");
	struct acrpmu_group group = group_of(events, 4);
	struct acrpmu_schedule result;
	const s8 *cntr = result.cntr;

	is_u64(schedule(&group, &cwf, cwf.cntrs, &result, NULL), 0, "it fits");
	ok(cntr[0] == 0 && cntr[1] == 33 && cntr[2] == 32 && cntr[3] == 1,
	   "fixed 0 and 1, then the lowest: %d %d %d %d", cntr[0], cntr[1], cntr[2], cntr[3]);
	is_u64(schedule(&group, &cwf, cwf.cntrs & ~FIXED(1), &result, NULL), 0,
	       "it fits without fixed 1");
	ok(cntr[1] < 32 && cntr[2] == 32 && cntr[3] < 32, "cycles move to the others");
}

/* A refused call writes no result; event, value and limit identify the cause. */
static void refused(const char *what, const struct acrpmu_group *group,
		    const struct acrpmu_caps *caps, u64 free_cntrs, int errnum,
		    struct acrpmu_error want)
{
	struct acrpmu_schedule result, poison;
	struct acrpmu_error got;

	memset(&got, 0xcc, sizeof(got));
	memset(&result, 0x55, sizeof(result));
	memset(&poison, 0x55, sizeof(poison));
	is_u64(-schedule(group, caps, free_cntrs, &result, &got), errnum,
	       "%s: errno", what);
	is_u64(got.reason, want.reason, "%s: reason", what);
	is_u64(got.event, want.event, "%s: event", what);
	is_u64(got.value, want.value, "%s: value", what);
	is_u64(got.limit, want.limit, "%s: limit", what);
	ok(!memcmp(&result, &poison, sizeof(result)), "%s: no result written", what);
}

static void test_refusals(void)
{
	const struct acrpmu_event_attr three_refs[] = {
		EV(.config = 0xc4), EV(.config = 0x300), EV(.config = 0x300),
	};
	const struct acrpmu_event_attr five[] = {
		EV(.config = 0xc4), EV(.config = 0xc5), EV(.config = 0xc2), EV(.config = 0xd0),
		EV(.config = 0x2e),
	};
	const struct acrpmu_event_attr pair[] = {
		EV(.config = 0x2c2, .acr_mask = 2), EV(.config = 0x73, .acr_mask = 3),
	};
	struct acrpmu_caps glm = caps_of("goldmont"), ptl = caps_of("pantherlake-e");
	struct acrpmu_group group = group_of(three_refs, 3);

	refused("two events for fixed 2", &group, &glm, glm.cntrs, ENOSPC, (struct acrpmu_error){
		.reason = ACRPMU_REASON_NO_ASSIGNMENT, .event = 2, .value = FIXED(2), .limit = 2 });
	group = group_of(five, 5);
	refused("five events on four counters", &group, &glm, glm.cntrs, ENOSPC,
		(struct acrpmu_error){ .reason = ACRPMU_REASON_NO_ASSIGNMENT, .event = 4,
				       .value = 0xf, .limit = 5 });
	group = group_of(five, 4);
	refused("four events, one counter held", &group, &glm, glm.cntrs & ~4ULL, EBUSY,
		(struct acrpmu_error){ .reason = ACRPMU_REASON_HELD, .event = 3, .value = 4 });
	group = group_of(three_refs, 2);
	refused("fixed 2 held", &group, &glm, 0xf, EBUSY, (struct acrpmu_error){
		.reason = ACRPMU_REASON_HELD, .event = 1, .value = FIXED(2) });

	group = group_of(&(struct acrpmu_event_attr)EV(.config = 0x400), 1);
	refused("no event", &group, &glm, glm.cntrs, EOPNOTSUPP, (struct acrpmu_error){
		.reason = ACRPMU_REASON_EVENT_CPU, .limit = 0x70000000fULL });
	group = group_of(pair, 2);
	ptl.cntrs = 0x7700000003ULL;
	ptl.reloadable_cntrs = FIXED(0);
	refused("no reloadable counter", &group, &ptl, ptl.cntrs, EOPNOTSUPP, (struct acrpmu_error){
		.reason = ACRPMU_REASON_NO_RELOADABLE, .value = FIXED(6) | 3, .limit = FIXED(0) });
	ptl.reloadable_cntrs = 3;
	ptl.cause_cntrs = FIXED(0);
	refused("no cause-capable counter", &group, &ptl, ptl.cntrs, EOPNOTSUPP,
		(struct acrpmu_error){ .reason = ACRPMU_REASON_NO_CAUSE, .value = 3,
				       .limit = FIXED(0) });
}

/* Events that count on one counter only, among others that would take it: Intel's event files. */
static void test_restricted(void)
{
	const struct acrpmu_event_attr skylake[] = {
		EV(.config = 0xc4), EV(.config = 0xc5),
		/* INST_RETIRED.PREC_DIST, INST_RETIRED.TOTAL_CYCLES_PS */
		EV(.config = 0x1c0, .allowed_cntrs = 0x2),
		EV(.config = 0xa8001c0, .allowed_cntrs = 0xd),
	};
	const struct acrpmu_event_attr haswell[] = {
		EV(.config = 0xc4), EV(.config = 0xc5),
		/* L1D_PEND_MISS.PENDING */
		EV(.config = 0x148, .allowed_cntrs = 0x4), EV(.config = 0x4f2e),
	};
	struct acrpmu_caps arch = caps_of("architectural");
	struct acrpmu_group group = group_of(skylake, 4);
	struct acrpmu_schedule result;

	is_u64(schedule(&group, &arch, arch.cntrs, &result, NULL), 0, "Skylake's four fit");
	is_u64(result.cntr[2], 1, "0x1c0 is on counter 1");
	ok(result.cntr[3] != 1, "with inv and cmask it is on another");
	group = group_of(haswell, 4);
	is_u64(schedule(&group, &arch, arch.cntrs, &result, NULL), 0, "Haswell's four fit");
	is_u64(result.cntr[2], 2, "0x148 is on counter 2");
	refused("its counter is held", &group, &arch, arch.cntrs & ~4ULL, EBUSY,
		(struct acrpmu_error){ .reason = ACRPMU_REASON_HELD, .event = 2, .value = 4 });
	group.ev[1].allowed_cntrs = 0x4;
	refused("two for one counter", &group, &arch, arch.cntrs, ENOSPC, (struct acrpmu_error){
		.reason = ACRPMU_REASON_NO_ASSIGNMENT, .event = 2, .value = 4, .limit = 2 });
}

/*
 * The verdict of the whole function against brute force: with all counters, with the free ones.
 * Random CPUs, so that reloadable and cause masks differ.
 */
static int expected(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		    u64 free_cntrs)
{
	u64 able[6], usable[6];
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		bool fixed = group->ev[i].config == 0xc0 || group->ev[i].config == 0x3c;

		able[i] = 0xff;
		if (fixed)
			able[i] |= FIXED(group->ev[i].config == 0x3c);
		able[i] &= caps->cntrs;
		if (group->ev[i].allowed_cntrs)
			able[i] &= group->ev[i].allowed_cntrs;
		if (group->ev[i].cause_events)
			able[i] &= caps->reloadable_cntrs;
		if (group->cause_events >> i & 1)
			able[i] &= caps->cause_cntrs;
		if (!able[i])
			return -EOPNOTSUPP;
		usable[i] = able[i] & free_cntrs;
	}
	if (best_preferred(usable, group->nr, 0, 0) >= 0)
		return 0;
	return best_preferred(able, group->nr, 0, 0) >= 0 ? -EBUSY : -ENOSPC;
}

static void test_group_against_brute_force(void)
{
	static const u64 configs[] = { 0xc0, 0x3c, 0xc4 };
	unsigned int n, i, bad = 0, seen[4] = { 0 };
	struct acrpmu_caps cwf = caps_of("clearwaterforest");

	for (n = 0; n < 10000; n++) {
		struct acrpmu_event_attr events[5];
		unsigned int nr = 1 + rnd_below(5);
		struct acrpmu_schedule result;
		struct acrpmu_group group;
		u64 free_cntrs;
		int ret;

		for (i = 0; i < nr; i++)
			events[i] = (struct acrpmu_event_attr){
				.config = configs[rnd_below(3)], .flags = USER, .period = 1,
				.acr_mask = rnd() & rnd() & ((1 << nr) - 1),
				.allowed_cntrs = rnd_below(2) ? 0 : rnd() & 0xffff000000ffULL,
			};
		group = group_of(events, nr);
		cwf.cntrs = 0x70000001fULL;
		cwf.reloadable_cntrs = rnd() & cwf.cntrs;
		cwf.cause_cntrs = rnd() & cwf.cntrs;
		free_cntrs = rnd();
		ret = schedule(&group, &cwf, free_cntrs, &result, NULL);
		bad += ret != expected(&group, &cwf, free_cntrs);
		for (i = 0; !ret && i < nr; i++)
			bad += !(able_of(&group, &cwf, i) & free_cntrs &
				 1ULL << result.cntr[i]);
		seen[ret == 0 ? 0 : ret == -EBUSY ? 1 : ret == -ENOSPC ? 2 : 3]++;
	}
	is_u64(bad, 0, "10000 random groups, CPUs and holders: same verdict as brute force");
	ok(seen[0] > 500 && seen[1] > 500 && seen[2] > 200 && seen[3] > 500,
	   "all verdicts were common: %u %u %u %u", seen[0], seen[1], seen[2], seen[3]);
}

int main(void)
{
	plan(0);
	test_against_brute_force();
	test_sixteen_events();
	test_prefers_fixed();
	test_refusals();
	test_restricted();
	test_group_against_brute_force();
	return done();
}
