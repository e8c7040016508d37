// SPDX-License-Identifier: GPL-2.0-only
/* Tests of extra registers: register of an event, valid values, alternates, reference counts. */
#include "core_helpers.h"
#include "kmod/core/extra_reg.h"

static void test_find(void)
{
	const struct acrpmu_model *glm = acrpmu_cpu_table_model("goldmont");

	is_u64(acrpmu_extra_reg_find(glm, 0x1b7), 0, "0x1b7 uses RSP_0");
	is_u64(acrpmu_extra_reg_find(glm, 0x2b7), 1, "0x2b7 uses RSP_1");
	is_u64(acrpmu_extra_reg_find(glm, 0x10401b7), 0, "other bits do not matter");
	is_u64(acrpmu_extra_reg_find(glm, 0x3b7), ACRPMU_EXTRA_REG_NONE, "0x3b7 uses none");
}

static void test_config(void)
{
	const struct acrpmu_model *glm = acrpmu_cpu_table_model("goldmont");

	is_u64(acrpmu_extra_reg_config(glm, 0x10401b7, 1), 0x10402b7,
	       "the alternate has another umask, modifiers stay");
	is_u64(acrpmu_extra_reg_config(glm, 0x1b7, 0), 0x1b7, "its own register changes nothing");
	is_u64(acrpmu_extra_reg_config(glm, 0xc0, ACRPMU_EXTRA_REG_NONE), 0xc0,
	       "nor does an event without one");
}

static void test_valid(void)
{
	const struct acrpmu_model *glm = acrpmu_cpu_table_model("goldmont");

	ok(acrpmu_extra_reg_is_valid(glm, 0, 0x4000000001), "RSP_0 has bit 38");
	ok(!acrpmu_extra_reg_is_valid(glm, 1, 0x4000000001), "RSP_1 lacks it");
	ok(acrpmu_extra_reg_is_valid(glm, 1, 0x10001), "a value for both");
}

/* Three events of Redwood Cove use the front-end register, each with its own values. */
static void test_others(void)
{
	const struct acrpmu_model *rwc = acrpmu_cpu_table_model("redwoodcove");

	is_u64(acrpmu_extra_reg_find(rwc, 0x3c6), 2, "0x3c6 uses the front-end register");
	is_u64(acrpmu_extra_reg_find(rwc, 0x2c6), 2, "so does 0x2c6");
	is_u64(acrpmu_extra_reg_find(rwc, 0x10004c2), 2, "and 0x4c2, with any other bits");
	is_u64(acrpmu_extra_reg_find(rwc, 0x1c6), ACRPMU_EXTRA_REG_NONE, "0x1c6 does not");
	is_u64(acrpmu_extra_reg_valid_mask(rwc, 0x3c6), 0x7fff1f, "its values");
	is_u64(acrpmu_extra_reg_valid_mask(rwc, 0x40ad), 0x7, "fewer for 0x40ad");
	is_u64(acrpmu_extra_reg_valid_mask(rwc, 0xc0), 0, "none without a register");
	is_u64(acrpmu_extra_reg_config(rwc, 0x10004c2, 2), 0x10004c2, "the config stays");
	is_u64(acrpmu_extra_reg_find(acrpmu_cpu_table_model("skylake"), 0x4c2),
	       ACRPMU_EXTRA_REG_NONE, "0x4c2 of Skylake is another event");
}

/* Events 0x2a, 0x4f and 0xd6 of Coyote Cove use the OMR registers, chosen by the umask. */
static void test_others_move(void)
{
	const struct acrpmu_model *cyc = acrpmu_cpu_table_model("coyotecove");
	static const u8 selects[] = { 0x2a, 0x4f, 0xd6 };
	unsigned int i;
	int reg, to;

	for (i = 0; i < ARRAY_SIZE(selects); i++) {
		for (reg = 0; reg < 4; reg++) {
			u64 config = 0x1000000 | 0x100 << reg | selects[i];

			is_u64(acrpmu_extra_reg_find(cyc, config), reg, "%#llx uses OMR_%d",
			       (unsigned long long)config, reg);
			is_u64(acrpmu_extra_reg_valid_mask(cyc, config), 0x40ffffff0000ffff,
			       "with these values");
			for (to = 0; to < 4; to++)
				is_u64(acrpmu_extra_reg_config(cyc, config, to),
				       0x1000000 | 0x100 << to | selects[i],
				       "on OMR_%d it is the same event, other bits stay", to);
		}
	}
	is_u64(acrpmu_extra_reg_find(cyc, 0x34f), ACRPMU_EXTRA_REG_NONE, "0x34f uses none");
	is_u64(acrpmu_extra_reg_find(cyc, 0x10d6), ACRPMU_EXTRA_REG_NONE, "nor does 0x10d6");
	is_u64(acrpmu_extra_reg_find(acrpmu_cpu_table_model("lioncove"), 0x1d6),
	       ACRPMU_EXTRA_REG_NONE, "nor 0x1d6 of Lion Cove");
}

static void test_use(void)
{
	struct acrpmu_extra_state state = { .reg[1].hidden = true };

	ok(acrpmu_extra_reg_is_usable(&state, 0, 0x10001), "a free register is usable");
	ok(!acrpmu_extra_reg_is_usable(&state, 1, 0x10001), "a hidden one is not");
	acrpmu_extra_reg_get(&state, 0, 0x10001);
	acrpmu_extra_reg_get(&state, 0, 0x10001);
	acrpmu_extra_reg_get(&state, ACRPMU_EXTRA_REG_NONE, 0x10002);
	ok(state.reg[0].refs == 2 && state.reg[0].value == 0x10001, "two events share it");
	ok(acrpmu_extra_reg_is_usable(&state, 0, 0x10001), "its value remains usable");
	ok(!acrpmu_extra_reg_is_usable(&state, 0, 0x10002), "another value is not");
	acrpmu_extra_reg_put(&state, 0);
	acrpmu_extra_reg_put(&state, ACRPMU_EXTRA_REG_NONE);
	ok(!acrpmu_extra_reg_is_usable(&state, 0, 0x10002), "one user left");
	acrpmu_extra_reg_put(&state, 0);
	ok(acrpmu_extra_reg_is_usable(&state, 0, 0x10002), "free after the last user");
}

int main(void)
{
	plan(0);
	test_find();
	test_config();
	test_valid();
	test_others();
	test_others_move();
	test_use();
	return done();
}
