// SPDX-License-Identifier: GPL-2.0-only
/* Tests of constraints: counters by config, by extra register, and by role in reloading. */
#include "core_helpers.h"
#include "kmod/core/constraint.h"

#define EV(...)	{ .flags = USER, .period = 5000, __VA_ARGS__ }

/* Counters that an event of a group may use. */
static u64 able_of(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		   unsigned int event)
{
	return acrpmu_constraint_reload(group, caps, event,
					acrpmu_constraint_config(caps, group->ev[event].config));
}

static void test_narrowing(void)
{
	const struct acrpmu_event_attr pair[] = {
		EV(.config = 0xc0, .acr_mask = 2),
		EV(.config = 0x3c, .acr_mask = 3),
		EV(.config = 0xc4),
	};
	struct acrpmu_caps ptl = caps_of("pantherlake-e");
	struct acrpmu_group group = group_of(pair, 3);

	is_u64(acrpmu_constraint_config(&ptl, 0xc0), 0x1000000ffULL, "instructions at large");
	is_u64(able_of(&group, &ptl, 0), 0x1000000fcULL, "reloadable and a cause");
	is_u64(able_of(&group, &ptl, 2), 0xff, "an event outside is not narrowed");
	ptl.cause_cntrs = 0xf0;
	is_u64(able_of(&group, &ptl, 0), 0xf0, "causes are narrowed by theirs");
	ptl.cause_cntrs = 0x7000000ffULL;
	is_u64(able_of(&group, &ptl, 0), 0x1000000fcULL,
	       "and reloadable events, too");
}

/* On Arctic Wolf each register's event counts on a counter of its own only. */
static void test_registers_bound_to_counters(void)
{
	const struct acrpmu_event_attr event = {
		.config = 0x1b7, .extra_value = 0x10001, .flags = USER, .period = 1,
	};
	const struct acrpmu_extra_state hidden = { .reg[0].hidden = true, .reg[2].hidden = true };
	struct acrpmu_caps arw = caps_of("arcticwolf");
	struct acrpmu_group group = group_of(&event, 1);

	is_u64(acrpmu_constraint_config(&arw, 0x1b7), 0x1, "the counter of the config");
	is_u64(acrpmu_constraint_event(&arw, &group.ev[0], NULL), 0xf,
	       "counters of all four registers");
	is_u64(acrpmu_constraint_event(&arw, &group.ev[0], &hidden), 0xa,
	       "counters of the registers that answer");
}

/* The caller's mask narrows what its own config allows, and nothing else. */
static void test_allowed_cntrs(void)
{
	const struct acrpmu_event_attr events[] = {
		EV(.config = 0xc0, .allowed_cntrs = FIXED(0) | 0x4),
		EV(.config = 0x1b7, .extra_value = 0x10001, .allowed_cntrs = 0x10),
		EV(.config = 0x1b7, .extra_value = 1ULL << 63 | 1, .allowed_cntrs = 0x10),
		EV(.config = 0xc4, .allowed_cntrs = 0xf00),
	};
	const struct acrpmu_extra_state hidden = { .reg[1].hidden = true };
	struct acrpmu_caps cwf = caps_of("clearwaterforest");
	struct acrpmu_group group = group_of(events, 4);
	const struct acrpmu_ev *ev = group.ev;

	is_u64(acrpmu_constraint_event(&cwf, &ev[0], NULL), FIXED(0) | 0x4, "of nine counters two");
	is_u64(acrpmu_constraint_event(&cwf, &ev[3], NULL), 0, "of eight none of others");
	is_u64(acrpmu_constraint_as(&cwf, &ev[1], 0x1b7), 0x10, "its own register: its mask");
	is_u64(acrpmu_constraint_as(&cwf, &ev[1], 0x2b7), 0xff, "the alternate: all of that event");
	is_u64(acrpmu_constraint_event(&cwf, &ev[1], NULL), 0xff, "on either");
	is_u64(acrpmu_constraint_event(&cwf, &ev[1], &hidden), 0x10, "the alternate is hidden");
	is_u64(acrpmu_constraint_event(&cwf, &ev[2], NULL), 0x10, "or cannot hold the value");
}

int main(void)
{
	plan(0);
	test_narrowing();
	test_registers_bound_to_counters();
	test_allowed_cntrs();
	return done();
}
