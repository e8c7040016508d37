// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the plan of a group: documented values, and the translation of masks. */
#include "core_helpers.h"
#include "kmod/core/reload.h"

static int plan_of(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		   struct acrpmu_plan *plan)
{
	const struct acrpmu_extra_state nobody = { 0 };
	struct acrpmu_schedule schedule;
	int ret = schedule_on(&nobody, caps, group, caps->cntrs, &schedule, NULL);

	memset(plan, 0xcc, sizeof(*plan));
	return ret ? ret : acrpmu_reload_plan(group, caps, &schedule, plan);
}

/* A schedule of events without extra registers on given counters. */
static struct acrpmu_schedule schedule_of(const struct acrpmu_group *group, const s8 *cntr)
{
	struct acrpmu_schedule schedule;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		schedule.cntr[i] = cntr[i];
		schedule.reg[i] = ACRPMU_EXTRA_REG_NONE;
		schedule.config[i] = group->ev[i].config;
	}
	return schedule;
}

/*
 * The documented group for IPC > 2: instructions with period 200000 are sampled unless cycles with
 * period 100000 overflow first.
 */
static const struct acrpmu_event_attr ipc_above_2[] = {
	{ .config = 0xc0, .period = 200000, .acr_mask = 2, .flags = USER | SAMPLED },
	{ .config = 0x3c, .period = 100000, .acr_mask = 3, .flags = USER },
};

static void test_counters_kept_from_rdpmc(void)
{
	static const struct acrpmu_event_attr events[] = {
		{ .config = 0x3c, .period = 100000, .flags = USER | SAMPLED },
		{ .config = 0x1b7, .flags = USER | COUNT, .extra_value = 0x10001 },
	};
	struct acrpmu_caps caps = caps_of("clearwaterforest");
	struct acrpmu_group group = group_of(events, 2);
	struct acrpmu_plan p;

	caps.rdpmc_disable = true;
	group.flags &= ~ACRPMU_SESSION_TASK;
	is_u64(plan_of(&group, &caps, &p), 0, "a group of CPUs");
	is_u64(p.hw[0].cfg_a, 0x20000000a0, "fixed 1: bit 37");
	is_u64(p.hw[1].cfg_a, 0x20004101b7, "a general-purpose counter: bit 37");
	is_u64(p.fixed_ctrl, 0x20000000a0, "in what is written for all fixed counters");
	is_u64(p.fixed_ctrl_mask, 0x20000000f0, "which it has a place in");
	group.flags |= ACRPMU_SESSION_TASK;
	is_u64(plan_of(&group, &caps, &p), 0, "a group of tasks");
	is_u64(p.hw[0].cfg_a, 0xa0, "fixed 1: no such bit");
	is_u64(p.hw[1].cfg_a, 0x4101b7, "a general-purpose counter: none either");
}

static void test_documented_pair(void)
{
	struct acrpmu_caps cwf = caps_of("clearwaterforest");
	struct acrpmu_group group = group_of(ipc_above_2, 2);
	struct acrpmu_plan p;
	const struct acrpmu_event_hw *instructions = &p.hw[0], *cycles = &p.hw[1];

	is_u64(plan_of(&group, &cwf, &p), 0, "IPC > 2 on clearwaterforest");
	is_u64(instructions->cntr, 32, "instructions: fixed 0");
	is_u64(instructions->cntr_msr, 0x1980, "instructions: counter MSR");
	is_u64(instructions->cfg_a_msr, 0x38d, "instructions: control MSR");
	is_u64(instructions->cfg_b_msr, 0x1982, "instructions: CFG_B MSR");
	is_u64(instructions->cfg_c_msr, 0x1983, "instructions: CFG_C MSR");
	is_u64(instructions->cfg_a, 0xa, "instructions: user level, PMI");
	is_u64(instructions->cfg_b, 0x200000000ULL, "instructions: reloaded by fixed 1");
	is_u64(instructions->cfg_c, 0xfffcf2c0, "instructions: reload value");
	is_u64(instructions->start, 0xfffffffcf2c0ULL, "instructions: start");
	is_u64(instructions->extra_msr, 0, "instructions: no extra register");
	is_u64(cycles->cntr, 33, "cycles: fixed 1");
	is_u64(cycles->cntr_msr, 0x1984, "cycles: counter MSR");
	is_u64(cycles->cfg_a, 0x20, "cycles: user level, no PMI");
	is_u64(cycles->cfg_b_msr, 0x1986, "cycles: CFG_B MSR");
	is_u64(cycles->cfg_b, 0x300000000ULL, "cycles: reloaded by both");
	is_u64(cycles->cfg_c, 0xfffe7960, "cycles: reload value");

	is_u64(p.all_cntrs, 0x300000000ULL, "counters");
	is_u64(p.gp_cntrs, 0, "no general-purpose counter");
	is_u64(p.fixed_cntrs, 0x300000000ULL, "fixed counters");
	is_u64(p.int_cntrs, FIXED(0), "sampled counter");
	is_u64(p.reloaded_cntrs, 0x300000000ULL, "both have a mask");
	is_u64(p.kernel_cntrs, 0, "none counts the kernel");
	is_u64(p.fixed_ctrl, 0x2a, "IA32_FIXED_CTR_CTRL");
	is_u64(p.fixed_ctrl_mask, 0xff, "fields of IA32_FIXED_CTR_CTRL");
	is_u64(p.ev_of_cntr[32], 0, "event of fixed 0");
	is_u64(p.ev_of_cntr[33], 1, "event of fixed 1");
	is_u64(p.ev_of_cntr[0], -1, "no event on counter 0");
}

/* The values of the plan that depend on periods, and only they, follow those of the group. */
static void test_other_periods(void)
{
	static const u64 periods[] = { 300000, 150000 };
	struct acrpmu_caps cwf = caps_of("clearwaterforest");
	struct acrpmu_group group = group_of(ipc_above_2, 2);
	struct acrpmu_plan p, before;

	is_u64(plan_of(&group, &cwf, &p), 0, "a plan with the first periods");
	is_u64(p.periods_nr, 1, "which it names");
	is_u64(p.period[0], 200000, "instructions: period");
	is_u64(p.period[1], 100000, "cycles: period");
	is_u64(p.period[2], 0xcccccccccccccccc, "none behind the last event");
	before = p;
	acrpmu_attr_set_periods(&group, periods);
	acrpmu_reload_set_periods(&group, &cwf, &p);
	is_u64(p.periods_nr, 2, "then the second");
	is_u64(p.period[0], 300000, "instructions: another period");
	is_u64(p.hw[0].start, 0xfffffffb6c20ULL, "instructions: start");
	is_u64(p.hw[0].cfg_c, 0xfffb6c20, "instructions: reload value");
	is_u64(p.period[1], 150000, "cycles: another period");
	is_u64(p.hw[1].start, 0xfffffffdb610ULL, "cycles: start");
	is_u64(p.hw[1].cfg_c, 0xfffdb610, "cycles: reload value");
	acrpmu_attr_set_periods(&group, (const u64[]){ 200000, 100000 });
	acrpmu_reload_set_periods(&group, &cwf, &p);
	is_u64(p.periods_nr, 3, "and the third, equal to the first");
	p.periods_nr = 1;
	ok(!memcmp(&p, &before, sizeof(p)), "nothing else has changed");
}

/* With the causes {B,C}, {C}, {} every reading of the mask but the right one differs. */
static void test_asymmetric_masks(void)
{
	const struct acrpmu_event_attr events[] = {
		{ .config = 0xc4, .period = 5000, .acr_mask = 6, .flags = USER | SAMPLED },
		{ .config = 0x3c, .period = 7000, .acr_mask = 4, .flags = USER | KERNEL },
		{ .config = 0xc5, .period = 9000, .acr_mask = 0, .flags = KERNEL | SAMPLED },
	};
	struct acrpmu_caps ptl = caps_of("pantherlake-e");
	struct acrpmu_group group = group_of(events, 3);
	struct acrpmu_plan p;

	is_u64(plan_of(&group, &ptl, &p), 0, "three events on pantherlake-e");
	is_u64(p.hw[0].cntr, 2, "0: the lowest counter that can be reloaded");
	is_u64(p.hw[1].cntr, 33, "1: fixed 1");
	is_u64(p.hw[2].cntr, 3, "2: the lowest other one that can be a cause");
	is_u64(p.hw[0].cfg_b, 0x200000008ULL, "0: reloaded by 1 and 2");
	is_u64(p.hw[1].cfg_b, 0x8, "1: reloaded by 2");
	is_u64(p.hw[2].cfg_b, 0, "2: reloaded by none");
	is_u64(p.hw[2].cfg_c, 0, "2: no reload value");
	is_u64(p.hw[2].cfg_b_msr, 0x190e, "2: but a CFG_B to clear");
	is_u64(p.hw[0].cfg_a, 0x5100c4, "0: USR, INT, EN");
	is_u64(p.hw[0].cfg_a_msr, 0x1909, "0: CFG_A of counter 2");
	is_u64(p.hw[1].cfg_a, 0x30, "1: both levels, no PMI");
	is_u64(p.hw[2].cfg_a, 0x5200c5, "2: OS, INT, EN");
	is_u64(p.int_cntrs, 0xc, "two are sampled");
	is_u64(p.kernel_cntrs, 0x200000008ULL, "two count the kernel");
	is_u64(p.fixed_ctrl_mask, 0xf0, "only fixed 1 is ours");
}

static void test_offcore(void)
{
	const struct acrpmu_event_attr events[] = {
		{ .config = 0x1b7, .extra_value = 0x10001, .flags = USER | COUNT },
		{ .config = 0x1b7, .extra_value = 0x10002, .flags = USER | COUNT },
		{ .config = 0x300, .period = 1000, .flags = USER | KERNEL | SAMPLED },
	};
	struct acrpmu_caps glm = caps_of("goldmont");
	struct acrpmu_group group = group_of(events, 3);
	struct acrpmu_plan p;

	is_u64(plan_of(&group, &glm, &p), 0, "offcore on goldmont");
	is_u64(p.hw[0].extra_msr, 0x1a6, "0: RSP_0");
	is_u64(p.hw[0].extra_value, 0x10001, "0: its value");
	is_u64(p.hw[0].cfg_a, 0x4101b7, "0: event select");
	is_u64(p.hw[0].start, 0, "0: a plain counter starts at 0");
	is_u64(p.hw[0].cfg_b_msr, 0, "0: no reload registers");
	is_u64(p.hw[1].extra_msr, 0x1a7, "1: moved to RSP_1");
	is_u64(p.hw[1].cfg_a, 0x4102b7, "1: event select rewritten");
	is_u64(p.hw[1].cntr_msr, 0x4c2, "1: full-width alias");
	is_u64(p.hw[2].cfg_a, 0xb00, "2: fixed 2, both levels, PMI");
	is_u64(p.hw[2].cntr_msr, 0x30b, "2: counter MSR");
}

/* A pseudo code on a general-purpose counter is programmed by its real one. */
static void test_pseudo_on_gp(void)
{
	const struct acrpmu_event_attr event = { .config = 0x100, .period = 5, .flags = USER };
	struct acrpmu_caps cwf = caps_of("clearwaterforest");
	struct acrpmu_group group = group_of(&event, 1);
	struct acrpmu_schedule schedule = schedule_of(&group, (const s8[]){ 4 });
	struct acrpmu_plan p;

	is_u64(acrpmu_reload_plan(&group, &cwf, &schedule, &p), 0, "instructions on counter 4");
	is_u64(p.hw[0].cfg_a, 0x4100c0, "0x100 is written as 0xc0");
}

static void test_bad_assignments(void)
{
	struct acrpmu_caps ptl = caps_of("pantherlake-e");
	struct acrpmu_group group = group_of(ipc_above_2, 2);
	struct acrpmu_plan p, poison;
	static const struct {
		s8 cntr[ACRPMU_MAX_EVENTS];
		const char *what;
	} cases[] = {
		{ { 2, 2 }, "one counter twice" },
		{ { 0, 2 }, "a counter that cannot be reloaded" },
		{ { 33, 32 }, "fixed counters of other events" },
		{ { -1, 2 }, "no counter" },
		{ { 2, 64 }, "no such counter" },
		{ { 2, 8 }, "a counter that the CPU lacks" },
	};
	unsigned int i;

	memset(&poison, 0xcc, sizeof(poison));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct acrpmu_schedule schedule = schedule_of(&group, cases[i].cntr);

		memset(&p, 0xcc, sizeof(p));
		is_u64(-acrpmu_reload_plan(&group, &ptl, &schedule, &p), EINVAL,
		       "refused: %s", cases[i].what);
		ok(!memcmp(&p, &poison, sizeof(p)), "nothing written: %s", cases[i].what);
	}
}

/* Bit by bit: CFG_B of event i has the counter of event k exactly if bit k is in its mask. */
static void test_masks_bit_by_bit(void)
{
	struct acrpmu_caps cwf = caps_of("clearwaterforest");
	unsigned int n, i, k, bad = 0, planned = 0;

	for (n = 0; n < 5000; n++) {
		struct acrpmu_event_attr events[8];
		unsigned int nr = 1 + rnd_below(8);
		struct acrpmu_group group;
		struct acrpmu_plan p;

		for (i = 0; i < nr; i++)
			events[i] = (struct acrpmu_event_attr){
				.config = i & 1 ? 0xc0 : 0xc4, .period = 1 + rnd_below(1000000),
				.flags = USER, .acr_mask = rnd() & ((1 << nr) - 1),
			};
		group = group_of(events, nr);
		if (plan_of(&group, &cwf, &p))
			continue;
		planned++;
		for (i = 0; i < nr; i++) {
			u64 left = p.hw[i].cfg_b;

			for (k = 0; k < nr; k++) {
				u64 bit = 1ULL << p.hw[k].cntr;

				bad += !(p.hw[i].cfg_b & bit) != !(events[i].acr_mask >> k & 1);
				left &= ~bit;
			}
			bad += left != 0;
			if (events[i].acr_mask)
				bad += (u32)(p.hw[i].cfg_c + events[i].period) != 0;
		}
	}
	is_u64(bad, 0, "masks over counters agree with masks over events bit by bit");
	is_u64(planned, 5000, "all groups had a plan");
}

int main(void)
{
	plan(0);
	test_documented_pair();
	test_counters_kept_from_rdpmc();
	test_other_periods();
	test_asymmetric_masks();
	test_offcore();
	test_pseudo_on_gp();
	test_bad_assignments();
	test_masks_bit_by_bit();
	return done();
}
