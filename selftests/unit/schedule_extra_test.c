// SPDX-License-Identifier: GPL-2.0-only
/* Tests of scheduling events with extra registers, against trying every register. */
#include "core_helpers.h"
#include "kmod/core/reload.h"

#define OUTSTANDING	BIT_ULL(38)

#define OFFCORE(reg, value)	{ .config = (reg) ? 0x2b7 : 0x1b7, .extra_value = (value),	\
				  .flags = USER, .period = 1 }

static struct acrpmu_group offcore_group(u64 value0, u64 value1)
{
	const struct acrpmu_event_attr events[] = { OFFCORE(0, value0), OFFCORE(1, value1) };

	return group_of(events, 2);
}

/* All counters are free: refusals are about registers. */
static int schedule_free(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			 const struct acrpmu_group *group, struct acrpmu_schedule *schedule,
			 struct acrpmu_error *error)
{
	return schedule_on(state, caps, group, caps->cntrs, schedule, error);
}

static void test_alternate(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_event_attr two[] = { OFFCORE(0, 0x10001), OFFCORE(0, 0x10002) };
	const struct acrpmu_event_attr plain = { .config = 0xc0, .flags = USER, .period = 1 };
	struct acrpmu_extra_state state = { 0 };
	struct acrpmu_schedule schedule;
	struct acrpmu_group group = group_of(two, 2);

	is_u64(schedule_free(&state, &glm, &group, &schedule, NULL), 0, "two values");
	ok(schedule.reg[0] == 0 && schedule.reg[1] == 1, "the second moves to the alternate");
	is_u64(schedule.config[0], 0x1b7, "the first keeps its config");
	is_u64(schedule.config[1], 0x2b7, "the second's config is rewritten");

	acrpmu_schedule_get(&state, &group, &schedule);
	ok(state.reg[0].refs == 1 && state.reg[1].refs == 1 && state.reg[1].value == 0x10002,
	   "both are reserved");
	acrpmu_schedule_put(&state, &group, &schedule);
	ok(!state.reg[0].refs && !state.reg[1].refs, "and released");

	group = offcore_group(0x10001, 0x10001);
	schedule_free(&state, &glm, &group, &schedule, NULL);
	ok(schedule.reg[0] == 0 && schedule.reg[1] == 0 && schedule.config[1] == 0x1b7,
	   "equal values share one register");
	group = group_of(&plain, 1);
	schedule_free(&state, &glm, &group, &schedule, NULL);
	ok(schedule.reg[0] == ACRPMU_EXTRA_REG_NONE && schedule.config[0] == 0xc0,
	   "an event without one is left alone");
}

/* RSP_1 has no bit 38: the event stays, and events that can move make room. */
static void test_outstanding(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_event_attr late[] = {
		OFFCORE(0, 0x10001), OFFCORE(0, OUTSTANDING | 1),
	};
	struct acrpmu_extra_state state = { .reg[0] = { .value = 0x10001, .refs = 1 } };
	struct acrpmu_extra_state before = state;
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;
	struct acrpmu_group group = group_of(late, 2);

	memset(&schedule, 0x55, sizeof(schedule));
	is_u64(schedule_free(&(struct acrpmu_extra_state){ 0 }, &glm, &group, &schedule, NULL), 0,
	       "an earlier event makes room");
	ok(schedule.reg[0] == 1 && schedule.reg[1] == 0, "by moving itself");

	group = group_of(&late[1], 1);
	memset(&schedule, 0x55, sizeof(schedule));
	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EBUSY,
	       "one that is running does not move");
	is_u64(error.reason, ACRPMU_REASON_EXTRA_BUSY, "reason");
	is_u64(error.event, 0, "event");
	is_u64(error.value, 0x10001, "value: what the register holds");
	is_u64(error.limit, 0x1a6, "limit: the register's number");
	is_u64((u8)schedule.reg[0], 0x55, "no result written");
	ok(!memcmp(&state, &before, sizeof(state)), "the state is unchanged");

	state.reg[0].value = OUTSTANDING | 1;
	is_u64(schedule_free(&state, &glm, &group, &schedule, NULL), 0,
	       "it shares with an equal value");
}

static void test_too_many_values(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_event_attr three[] = {
		OFFCORE(0, 0x10001), OFFCORE(1, 0x10002), OFFCORE(0, 0x10004),
	};
	const struct acrpmu_extra_state nobody = { 0 };
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;
	struct acrpmu_group group = group_of(three, 3);

	is_u64(-schedule_free(&nobody, &glm, &group, &schedule, &error), ENOSPC,
	       "three values for two registers can never be");
	is_u64(error.event, 2, "event: the third");
	is_u64(error.value, 0x10001, "value: what the group gave the register");
}

/* Events of two codes have one front-end register. */
static void test_other_event(void)
{
	struct acrpmu_caps rwc = caps_of("redwoodcove");
	struct acrpmu_event_attr two[] = {
		{ .config = 0x3c6, .extra_value = 0x8, .flags = USER, .period = 1 },
		{ .config = 0x4c2, .extra_value = 0x8, .flags = USER, .period = 1 },
	};
	const struct acrpmu_extra_state nobody = { 0 };
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;
	struct acrpmu_group group = group_of(two, 2);

	is_u64(schedule_free(&nobody, &rwc, &group, &schedule, NULL), 0, "an equal value");
	ok(schedule.reg[0] == 2 && schedule.reg[1] == 2, "is shared");
	ok(schedule.config[0] == 0x3c6 && schedule.config[1] == 0x4c2, "each keeps its config");
	two[0].extra_value = 0x12;
	group = group_of(two, 2);
	is_u64(-schedule_free(&nobody, &rwc, &group, &schedule, &error), ENOSPC, "two values");
	ok(error.event == 1 && error.limit == 0x3f7 && error.value == 0x12,
	   "the second event, the register and what it holds");
}

/* 64 sessions with one event each: one register, 64 users, free after the last. */
static void test_many_users(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_event_attr event = OFFCORE(0, 0x10001), other = OFFCORE(0, 0x10002);
	struct acrpmu_group group = group_of(&event, 1), second = group_of(&other, 1);
	struct acrpmu_extra_state state = { 0 };
	struct acrpmu_schedule schedule[64];
	unsigned int i, bad = 0;

	for (i = 0; i < 64; i++) {
		bad += schedule_free(&state, &glm, &group, &schedule[i], NULL) != 0;
		bad += schedule[i].reg[0] != 0;
		acrpmu_schedule_get(&state, &group, &schedule[i]);
		bad += state.reg[0].refs != i + 1 || state.reg[1].refs;
	}
	is_u64(bad, 0, "64 sessions share one register");
	for (i = 0; i < 63; i++)
		acrpmu_schedule_put(&state, &group, &schedule[i]);
	ok(state.reg[0].refs == 1 && state.reg[0].value == 0x10001, "63 closed: it is still held");
	schedule_free(&state, &glm, &second, &schedule[0], NULL);
	is_u64(schedule[0].reg[0], 1, "another value uses the alternate");
	acrpmu_schedule_put(&state, &group, &schedule[63]);
	schedule_free(&state, &glm, &second, &schedule[0], NULL);
	is_u64(schedule[0].reg[0], 0, "and the register itself after the last has closed");
}

/* Hypervisors hide registers. */
static void test_hidden(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_event_attr event = OFFCORE(0, 0x10001), three[] = {
		OFFCORE(0, 0x10001), OFFCORE(1, 0x10002), OFFCORE(0, 0x10004),
	};
	struct acrpmu_group group = group_of(&event, 1);
	struct acrpmu_extra_state state = {
		.reg[0] = { .value = 0x10002, .refs = 2 }, .reg[1].hidden = true,
	};
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;

	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EBUSY,
	       "a hidden register is no alternate");
	is_u64(error.limit, 0x1a6, "limit: the register that others hold");
	state.reg[0].hidden = true;
	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EOPNOTSUPP,
	       "both hidden: not supported");
	is_u64(error.reason, ACRPMU_REASON_EXTRA_HIDDEN, "reason");
	is_u64(error.event, 0, "event");
	is_u64(error.value, 0x10001, "value: the event's");
	is_u64(error.limit, 0x1a6, "limit: the event's own register");
	state.reg[1].hidden = false;
	is_u64(schedule_free(&state, &glm, &group, &schedule, &error), 0,
	       "an alternate that answers");
	is_u64(schedule.reg[0], 1, "instead of its own");
	group = offcore_group(0x10001, 0x10002);
	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EOPNOTSUPP,
	       "two values need both registers");
	is_u64(error.event, 1, "event: the second");
	is_u64(error.limit, 0x1a6, "limit: the register that it could use if it answered");
	group = group_of(three, 3);
	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EOPNOTSUPP, "so do three");
	is_u64(error.event, 1, "event: the first that would find one");
	state.reg[0].hidden = false;
	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), ENOSPC,
	       "of which there are two");
	is_u64(error.event, 2, "event: the third");
	state.reg[0].hidden = true;
	group = group_of(&event, 1);
	state.reg[1].hidden = true;
	schedule.reg[0] = 0;
	state.reg[0].refs = 0;
	ok(!acrpmu_schedule_fits(&state, &group, &schedule), "an old schedule does not fit it");
	state.reg[0].hidden = false;
	ok(acrpmu_schedule_fits(&state, &group, &schedule), "one that answers and is free fits");
}

/* If others hold one of the alternates, the refusal names that register, not the group's own. */
static void test_names_what_is_in_the_way(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_event_attr two[] = { OFFCORE(0, 0x10001), OFFCORE(0, 0x10002) };
	const struct acrpmu_extra_state state = { .reg[1] = { .value = 0x10004, .refs = 1 } };
	struct acrpmu_group group = group_of(two, 2);
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;

	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EBUSY,
	       "the first gets RSP_0, the second none");
	is_u64(error.event, 1, "event");
	is_u64(error.value, 0x10004, "value: what others hold");
	is_u64(error.limit, 0x1a7, "limit: the register that they hold");
}

/* One event can only use RSP_0; the refusal names the other event, which could use RSP_1. */
static void test_names_an_event_that_could_use_it(void)
{
	struct acrpmu_caps glm = caps_of("goldmont");
	struct acrpmu_extra_state state = { .reg[1] = { .value = 0x10002, .refs = 1 } };
	const struct acrpmu_event_attr two[] = {
		OFFCORE(1, 0x10001), OFFCORE(0, OUTSTANDING | 1),
	};
	struct acrpmu_group group = group_of(two, 2);
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;

	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EBUSY, "others hold RSP_1");
	is_u64(error.event, 0, "event: the one that could use it");
	is_u64(error.value, 0x10002, "value: what others hold");
	is_u64(error.limit, 0x1a7, "limit: the register that they hold");
	state = (struct acrpmu_extra_state){ .reg[1].hidden = true };
	is_u64(-schedule_free(&state, &glm, &group, &schedule, &error), EOPNOTSUPP,
	       "RSP_1 is hidden");
	is_u64(error.event, 0, "event: the one that could use it");
	is_u64(error.value, 0x10001, "value: that event's");
	is_u64(error.limit, 0x1a7, "limit: the register that is hidden");
}

/* On Arctic Wolf each register's event counts on one counter only. */
static void test_registers_bound_to_counters(void)
{
	struct acrpmu_caps arw = caps_of("arcticwolf");
	const struct acrpmu_event_attr same[] = {
		OFFCORE(0, 0x10001), OFFCORE(0, 0x10001), OFFCORE(1, 0x10002),
	};
	const struct acrpmu_extra_state nobody = { 0 }, first_hidden = { .reg[0].hidden = true };
	struct acrpmu_group group = group_of(same, 3);
	struct acrpmu_schedule schedule;
	struct acrpmu_error error;
	struct acrpmu_plan plan;
	const s8 *cntr = schedule.cntr;
	int ret;

	ret = schedule_on(&nobody, &arw, &group, arw.cntrs, &schedule, &error);
	is_u64(-ret, 0, "three events, each with a register and its counter");
	ok(schedule.reg[0] == cntr[0] && schedule.reg[1] == cntr[1] && schedule.reg[2] == cntr[2],
	   "registers %d %d %d go with counters %d %d %d", schedule.reg[0], schedule.reg[1],
	   schedule.reg[2], cntr[0], cntr[1], cntr[2]);
	ok(cntr[0] != cntr[1], "an equal value cannot share a counter");
	is_u64(acrpmu_reload_plan(&group, &arw, &schedule, &plan), 0, "the plan allows it");
	is_u64(plan.hw[1].cfg_a & 0xffff, schedule.config[1], "event select of the register");

	/* the counters of two registers are held, so that the registers are of no use */
	ret = schedule_on(&nobody, &arw, &group, arw.cntrs & ~0x3ULL, &schedule, &error);
	is_u64(-ret, EBUSY, "two counters for three events");
	is_u64(error.reason, ACRPMU_REASON_HELD, "reason");
	is_u64(error.value, 0x3, "value: the counters in the way");
	group.nr = 2;
	ret = schedule_on(&nobody, &arw, &group, arw.cntrs & ~0x3ULL, &schedule, &error);
	ok(!ret && cntr[0] == 2 && cntr[1] == 3, "two events move to the two that are left");

	/* the one free counter is of no use without its register */
	group.nr = 1;
	ret = schedule_on(&first_hidden, &arw, &group, 0x1, &schedule, &error);
	is_u64(-ret, EBUSY, "the first register is hidden, the other counters are held");
	is_u64(error.reason, ACRPMU_REASON_HELD, "reason");
	is_u64(error.value, 0xe, "value: the counters that would do");
}

/* Naive: try every register for each event, and check whether it is consistent. */
static bool brute_force(const struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			unsigned int event)
{
	static const u64 valid[2] = { 0x760005ffbfULL, 0x360005ffbfULL };
	unsigned int reg;

	if (event == group->nr)
		return true;
	for (reg = 0; reg < 2; reg++) {
		struct acrpmu_extra_state next = *state;
		u64 value = group->ev[event].extra_value;

		if (value & ~valid[reg] || (next.reg[reg].refs && next.reg[reg].value != value))
			continue;
		next.reg[reg].value = value;
		next.reg[reg].refs++;
		if (brute_force(&next, group, event + 1))
			return true;
	}
	return false;
}

/* After reserving a schedule: registers in use kept their values, each event has its value. */
static bool is_consistent(const struct acrpmu_extra_state *before,
			  const struct acrpmu_extra_state *after,
			  const struct acrpmu_group *group,
			  const struct acrpmu_schedule *schedule)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (before->reg[i].refs && before->reg[i].value != after->reg[i].value)
			return false;
	}
	for (i = 0; i < group->nr; i++) {
		unsigned int reg = schedule->reg[i];

		if (reg > 1 || after->reg[reg].value != group->ev[i].extra_value ||
		    schedule->config[i] != (reg ? 0x2b7 : 0x1b7))
			return false;
	}
	return true;
}

static void test_against_brute_force(void)
{
	static const u64 values[] = { 0x10001, 0x10002, OUTSTANDING | 1, OUTSTANDING | 2 };
	struct acrpmu_caps glm = caps_of("goldmont");
	const struct acrpmu_extra_state nobody = { 0 };
	unsigned int n, i, bad = 0, seen[3] = { 0 };

	for (n = 0; n < 20000; n++) {
		struct acrpmu_extra_state state = { 0 }, after;
		struct acrpmu_event_attr events[6];
		unsigned int nr = 1 + rnd_below(4);
		struct acrpmu_schedule schedule;
		struct acrpmu_group group;
		int ret, want;

		for (i = 0; i < nr; i++) {
			unsigned int own = rnd_below(2);

			events[i] = (struct acrpmu_event_attr)OFFCORE(own,
				values[rnd_below(own ? 2 : 4)]);
		}
		for (i = 0; i < 2; i++) {
			state.reg[i].refs = rnd_below(2);
			state.reg[i].value = values[rnd_below(i ? 2 : 4)];
		}
		group = group_of(events, nr);
		want = brute_force(&state, &group, 0) ? 0 :
		       brute_force(&nobody, &group, 0) ? -EBUSY : -ENOSPC;
		ret = schedule_free(&state, &glm, &group, &schedule, NULL);
		bad += ret != want;
		if (!ret) {
			after = state;
			acrpmu_schedule_get(&after, &group, &schedule);
			bad += !is_consistent(&state, &after, &group, &schedule);
			acrpmu_schedule_put(&after, &group, &schedule);
			bad += after.reg[0].refs != state.reg[0].refs ||
			       after.reg[1].refs != state.reg[1].refs;
		}
		seen[!ret ? 0 : ret == -EBUSY ? 1 : 2]++;
	}
	is_u64(bad, 0, "20000 random groups and states: same verdict as brute force");
	ok(seen[0] > 2000 && seen[1] > 2000 && seen[2] > 2000, "all verdicts were common: %u %u %u",
	   seen[0], seen[1], seen[2]);
}

int main(void)
{
	plan(0);
	test_alternate();
	test_outstanding();
	test_too_many_values();
	test_other_event();
	test_many_users();
	test_hidden();
	test_names_what_is_in_the_way();
	test_names_an_event_that_could_use_it();
	test_registers_bound_to_counters();
	test_against_brute_force();
	return done();
}
