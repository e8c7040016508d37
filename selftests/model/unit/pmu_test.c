// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the register file: what each profile accepts and refuses, and why. */
#include "pmu.h"
#include "tap.h"

#define RD	false
#define WR	true

static const struct {
	int line;
	const char *profile;
	uint32_t msr;
	bool write;
	uint64_t value;
	enum pmu_access want;
} rules[] = {
#define R(profile, msr, op, value, want) { __LINE__, profile, msr, op, value, want }
	/* version 6: 8 GP, fixed 0-2 and 4-6, both layouts */
	R("clearwaterforest", 0x0c1, RD, 0, PMU_OK),
	R("clearwaterforest", 0x0c8, WR, ~0ULL, PMU_OK),
	R("clearwaterforest", 0x0c9, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x4c8, WR, BIT_ULL(48) - 1, PMU_OK),
	R("clearwaterforest", 0x4c1, WR, BIT_ULL(48), PMU_GP_WIDTH),
	R("clearwaterforest", 0x186, WR, 0x5300c0, PMU_OK),
	R("clearwaterforest", 0x186, WR, BIT_ULL(21), PMU_GP_RESERVED),
	R("clearwaterforest", 0x18d, WR, BIT_ULL(32), PMU_GP_RESERVED),
	R("clearwaterforest", 0x18d, WR, BIT_ULL(36) | 0xffULL << 40, PMU_OK),
	R("clearwaterforest", 0x18e, WR, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x309, WR, BIT_ULL(48), PMU_GP_WIDTH),
	R("clearwaterforest", 0x30c, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x30f, RD, 0, PMU_OK),
	R("clearwaterforest", 0x310, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x345, WR, 0, PMU_GP_READ_ONLY),
	R("clearwaterforest", 0x38d, WR, 0xbbb0bbb, PMU_OK),
	R("clearwaterforest", 0x38d, WR, 0x4, PMU_GP_RESERVED),
	R("clearwaterforest", 0x38d, WR, 0x1000, PMU_GP_RESERVED),
	R("clearwaterforest", 0x38e, WR, 0, PMU_GP_READ_ONLY),
	R("clearwaterforest", 0x38f, WR, 0x77000000ff, PMU_OK),
	R("clearwaterforest", 0x38f, WR, 0x100, PMU_GP_RESERVED),
	R("clearwaterforest", 0x38f, WR, BIT_ULL(35), PMU_GP_RESERVED),
	R("clearwaterforest", 0x390, WR, BIT_ULL(63) | BIT_ULL(59) | 0xff, PMU_OK),
	R("clearwaterforest", 0x390, WR, 0x100, PMU_GP_RESERVED),
	R("clearwaterforest", 0x391, WR, BIT_ULL(63), PMU_GP_RESERVED),
	R("clearwaterforest", 0x391, WR, BIT_ULL(62) | 1, PMU_OK),
	R("clearwaterforest", 0x392, WR, 0, PMU_GP_READ_ONLY),
	R("clearwaterforest", 0x3f1, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x600, WR, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x1900, WR, BIT_ULL(48), PMU_GP_WIDTH),
	R("clearwaterforest", 0x191d, WR, 0x5300c0, PMU_OK),
	R("clearwaterforest", 0x1902, WR, 0x7000000ff, PMU_OK),
	R("clearwaterforest", 0x1902, WR, BIT_ULL(20), PMU_GP_CAUSE),
	R("clearwaterforest", 0x1986, WR, 0x200000001, PMU_OK),
	R("clearwaterforest", 0x1986, WR, BIT_ULL(36), PMU_GP_CAUSE),
	R("clearwaterforest", 0x1903, WR, BIT_ULL(32), PMU_GP_RELOAD_RANGE),
	R("clearwaterforest", 0x1903, WR, BIT_ULL(32) - 1, PMU_OK),
	R("clearwaterforest", 0x1920, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x1981, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x198c, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x1992, WR, 0, PMU_GP_NOT_RELOADABLE),
	R("clearwaterforest", 0x1990, WR, 5, PMU_OK),
	R("clearwaterforest", 0x199c, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x19ff, RD, 0, PMU_GP_ABSENT),
	R("clearwaterforest", 0x1d9, WR, BIT_ULL(12), PMU_OK),
	R("clearwaterforest", 0x1d9, WR, BIT_ULL(20), PMU_GP_RESERVED),
	R("clearwaterforest", 0x174, RD, 0, PMU_NOT_MINE),
	/* the same PMU, but GP 0 and 1 do not take part in reloading */
	R("pantherlake-e", 0x1902, RD, 0, PMU_GP_NOT_RELOADABLE),
	R("pantherlake-e", 0x1906, WR, 0, PMU_GP_NOT_RELOADABLE),
	/* which have CFG_C for PEBS */
	R("pantherlake-e", 0x1907, WR, 0xe002037800000000ULL, PMU_OK),
	R("pantherlake-e", 0x1907, WR, BIT_ULL(34), PMU_GP_RELOAD_RANGE),
	R("pantherlake-e", 0x190b, WR, BIT_ULL(63) | 0xfffff000, PMU_OK),
	R("pantherlake-e", 0x198b, WR, BIT_ULL(63), PMU_OK),
	R("pantherlake-e", 0x1993, RD, 0, PMU_GP_NOT_RELOADABLE),
	R("pantherlake-e", 0x3f4, WR, 0x12345000, PMU_OK),
	R("pantherlake-e", 0x3f5, RD, 0, PMU_OK),
	R("clearwaterforest", 0x1903, WR, BIT_ULL(63), PMU_GP_RELOAD_RANGE),
	R("clearwaterforest", 0x3f4, RD, 0, PMU_GP_ABSENT),
	R("pantherlake-e", 0x190a, WR, 0x3, PMU_GP_CAUSE),
	R("pantherlake-e", 0x190a, WR, 0xfc, PMU_OK),
	R("pantherlake-e", 0x1986, WR, 0x200000001, PMU_GP_CAUSE),
	R("pantherlake-e", 0x1986, WR, 0x200000004, PMU_OK),
	/* P-core of a hybrid: 10 GP, fixed 0-3 with SLOTS, metrics, no reloading */
	R("lunarlake.P", 0x0ca, RD, 0, PMU_OK),
	R("lunarlake.P", 0x0cb, RD, 0, PMU_NOT_MINE),
	R("lunarlake.P", 0x18f, WR, 0x5300c0, PMU_OK),
	R("lunarlake.P", 0x4ca, WR, BIT_ULL(48) - 1, PMU_OK),
	R("lunarlake.P", 0x1924, WR, 1, PMU_OK),
	R("lunarlake.P", 0x1928, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.P", 0x30c, WR, 0, PMU_OK),
	R("lunarlake.P", 0x30d, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.P", 0x198c, RD, 0, PMU_OK),
	R("lunarlake.P", 0x1990, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.P", 0x329, WR, ~0ULL, PMU_OK),
	R("lunarlake.P", 0x38d, WR, 0xbbbb, PMU_OK),
	R("lunarlake.P", 0x38d, WR, 0x10000, PMU_GP_RESERVED),
	R("lunarlake.P", 0x38f, WR, 0x1000f000003ff, PMU_OK),
	R("lunarlake.P", 0x38f, WR, BIT_ULL(36), PMU_GP_RESERVED),
	R("lunarlake.P", 0x390, WR, BIT_ULL(48), PMU_OK),
	R("lunarlake.P", 0x391, WR, BIT_ULL(48), PMU_OK),
	R("lunarlake.P", 0x1902, RD, 0, PMU_GP_NOT_RELOADABLE),
	R("lunarlake.P", 0x1a6, WR, 0xfffffffffff, PMU_OK),
	R("lunarlake.P", 0x1a6, WR, BIT_ULL(63), PMU_GP_RESERVED),
	R("lunarlake.P", 0x1a7, WR, 0xfffffffffff, PMU_OK),
	R("lunarlake.P", 0x3f6, WR, 0xffff, PMU_OK),
	R("lunarlake.P", 0x3f7, WR, 0x7fff1f, PMU_OK),
	R("lunarlake.P", 0x3f7, WR, BIT_ULL(5), PMU_GP_RESERVED),
	R("lunarlake.P", 0x3e0, RD, 0, PMU_GP_ABSENT),
	/* its E-core: fixed 4-6 and reloading instead */
	R("lunarlake.E", 0x0c9, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.E", 0x1920, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.E", 0x30c, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.E", 0x30f, RD, 0, PMU_OK),
	R("lunarlake.E", 0x329, RD, 0, PMU_GP_ABSENT),
	R("lunarlake.E", 0x38f, WR, 0x77000000ff, PMU_OK),
	R("lunarlake.E", 0x38f, WR, BIT_ULL(48), PMU_GP_RESERVED),
	R("lunarlake.E", 0x390, WR, BIT_ULL(48), PMU_GP_RESERVED),
	R("lunarlake.E", 0x1902, WR, 0x7000000ff, PMU_OK),
	R("lunarlake.E", 0x1a6, WR, 0x800ff3ffffffffff, PMU_OK),
	R("lunarlake.E", 0x3f7, RD, 0, PMU_GP_ABSENT),
	/* the low-power core of Arrow Lake H: three fixed counters, no reloading */
	R("arrowlake-h.L", 0x30b, RD, 0, PMU_OK),
	R("arrowlake-h.L", 0x30d, RD, 0, PMU_GP_ABSENT),
	R("arrowlake-h.L", 0x1902, RD, 0, PMU_GP_NOT_RELOADABLE),
	R("arrowlake-h.E", 0x1902, WR, 0x7000000ff, PMU_OK),
	R("arrowlake-h.P", 0x329, WR, 1, PMU_OK),
	/* Nova Lake: both kinds reload and have four OMR registers instead of offcore ones */
	R("novalake.P", 0x1902, WR, 0x7000003ff, PMU_OK),
	R("novalake.P", 0x1926, WR, BIT_ULL(9), PMU_OK),
	R("novalake.P", 0x198e, RD, 0, PMU_GP_NOT_RELOADABLE),
	R("novalake.P", 0x1a6, RD, 0, PMU_GP_ABSENT),
	R("novalake.P", 0x3e0, WR, 0x40ffffff0000ffff, PMU_OK),
	R("novalake.P", 0x3e3, WR, BIT_ULL(16), PMU_GP_RESERVED),
	R("novalake.P", 0x3e3, WR, BIT_ULL(63), PMU_GP_RESERVED),
	R("novalake.E", 0x1902, WR, 0x7000000ff, PMU_OK),
	R("novalake.E", 0x1902, WR, BIT_ULL(8), PMU_GP_CAUSE),
	R("novalake.E", 0x3e3, WR, 0xc0ffffffffffffff, PMU_OK),
	R("novalake.E", 0x3e3, WR, BIT_ULL(56), PMU_GP_RESERVED),
	R("novalake.E", 0x3e4, RD, 0, PMU_NOT_MINE),
	R("novalake.E", 0x1328, WR, ~0ULL, PMU_OK),
	R("novalake.E", 0x1329, WR, ~0ULL, PMU_OK),
	R("novalake.P", 0x1329, RD, 0, PMU_NOT_MINE),
	R("diamondrapids", 0x1902, WR, 0x7000000ff, PMU_OK),
	R("diamondrapids", 0x1902, WR, BIT_ULL(8), PMU_GP_CAUSE),
	R("diamondrapids", 0x198e, RD, 0, PMU_GP_NOT_RELOADABLE),
	R("diamondrapids", 0x3e3, WR, 0x40ffffff0000ffff, PMU_OK),
	R("diamondrapids", 0x3e0, WR, BIT_ULL(16), PMU_GP_RESERVED),
	R("diamondrapids", 0x3f7, WR, 0x7fff1f, PMU_OK),
	R("diamondrapids", 0x1a6, RD, 0, PMU_GP_ABSENT),
	/* version 4: legacy numbers, four GP counters, offcore registers */
	R("goldmont", 0x0c4, WR, 0, PMU_OK),
	R("goldmont", 0x0c5, RD, 0, PMU_GP_ABSENT),
	R("goldmont", 0x4c4, WR, BIT_ULL(48) - 1, PMU_OK),
	R("goldmont", 0x186, WR, BIT_ULL(21), PMU_OK),
	R("goldmont", 0x186, WR, BIT_ULL(36), PMU_GP_RESERVED),
	R("goldmont", 0x18a, WR, 0, PMU_GP_ABSENT),
	R("goldmont", 0x1a6, WR, 0x760005ffbf, PMU_OK),
	R("goldmont", 0x1a6, WR, BIT_ULL(6), PMU_GP_RESERVED),
	R("goldmont", 0x1a6, WR, BIT_ULL(35), PMU_GP_RESERVED),
	R("goldmont", 0x1a7, WR, 0x360005ffbf, PMU_OK),
	R("goldmont", 0x1a7, WR, BIT_ULL(38), PMU_GP_RESERVED),
	R("goldmont", 0x30c, RD, 0, PMU_GP_ABSENT),
	R("skylake", 0x0c8, WR, 0, PMU_OK),
	R("skylake-ht", 0x0c5, RD, 0, PMU_GP_ABSENT),
	R("skylake", 0x1a7, WR, 0x3fffff8fff, PMU_OK),
	R("skylake", 0x1a7, WR, BIT_ULL(12), PMU_GP_RESERVED),
	R("skylake", 0x3f7, WR, 0x7fff17, PMU_OK),
	R("skylake", 0x3f7, WR, BIT_ULL(3), PMU_GP_RESERVED),
	R("skylake", 0x30c, RD, 0, PMU_GP_ABSENT),
	R("goldmont-rsp0", 0x1a6, WR, 0x760005ffbf, PMU_OK),
	R("goldmont-rsp0", 0x1a7, RD, 0, PMU_GP_ABSENT),
	R("goldmont-rsp0", 0x1a7, WR, 0, PMU_GP_ABSENT),
	R("goldmont", 0x38f, WR, 0x70000000f, PMU_OK),
	R("goldmont", 0x38f, WR, 0x10, PMU_GP_RESERVED),
	R("goldmont", 0x391, WR, 1, PMU_OK),
	R("goldmont", 0x392, RD, 0, PMU_OK),
	R("goldmont", 0x1900, RD, 0, PMU_GP_ABSENT),
	R("goldmont", 0x1982, WR, 0, PMU_GP_ABSENT),
	/* version 2: nothing but the oldest registers */
	R("v2", 0x0c1, WR, ~0ULL, PMU_OK),
	R("v2", 0x0c3, RD, 0, PMU_GP_ABSENT),
	R("v2", 0x4c1, RD, 0, PMU_GP_ABSENT),
	R("v2", 0x345, RD, 0, PMU_GP_ABSENT),
	R("v2", 0x186, WR, BIT_ULL(21), PMU_GP_RESERVED),
	R("v2", 0x1a6, RD, 0, PMU_GP_ABSENT),
	R("v2", 0x309, WR, BIT_ULL(40), PMU_GP_WIDTH),
	R("v2", 0x390, WR, BIT_ULL(62) | 0x3, PMU_OK),
	R("v2", 0x390, WR, BIT_ULL(59), PMU_GP_RESERVED),
	R("v2", 0x391, WR, 0, PMU_GP_ABSENT),
	R("v2", 0x392, RD, 0, PMU_GP_ABSENT),
	R("vpmu", 0x0c8, RD, 0, PMU_OK),
	R("vpmu", 0x0c9, RD, 0, PMU_GP_ABSENT),
	R("vpmu", 0x4c8, WR, BIT_ULL(48) - 1, PMU_OK),
	R("vpmu", 0x186, WR, BIT_ULL(21), PMU_GP_RESERVED),
	R("vpmu", 0x38d, WR, 0xbbb, PMU_OK),
	R("vpmu", 0x38d, WR, 0x4, PMU_GP_RESERVED),
	R("vpmu", 0x390, WR, BIT_ULL(62) | 0x7000000ff, PMU_OK),
	R("vpmu", 0x391, WR, 0, PMU_GP_ABSENT),
	R("vpmu", 0x1a6, RD, 0, PMU_GP_ABSENT),
	R("vpmu", 0x3f7, RD, 0, PMU_GP_ABSENT),
	R("vpmu", 0x1d9, WR, 0x3, PMU_OK),
	R("vpmu", 0x1d9, WR, BIT_ULL(12), PMU_GP_RESERVED),
	R("goldmont", 0x1d9, WR, BIT_ULL(12), PMU_OK),
	R("v2", 0x1900, RD, 0, PMU_GP_ABSENT),
	/* no PMU at all */
	R("none", 0x0c1, RD, 0, PMU_GP_ABSENT),
	R("none", 0x186, WR, 0, PMU_GP_ABSENT),
	R("none", 0x309, RD, 0, PMU_GP_ABSENT),
	R("none", 0x345, RD, 0, PMU_GP_ABSENT),
	R("none", 0x38f, WR, 0, PMU_GP_ABSENT),
	R("none", 0x1900, RD, 0, PMU_GP_ABSENT),
	R("none", 0x1d9, RD, 0, PMU_NOT_MINE),
#undef R
};

static struct pmu_shared shared;

/* The first core of a machine */
static const struct profile *core_of(const char *spec)
{
	const struct profile *core = NULL;

	profile_cores(spec, &core, 1);
	return core;
}

static void access_rules(void)
{
	static const struct pmu_shared untouched;
	struct pmu pmu, before;
	unsigned int i;
	uint64_t value;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		enum pmu_access got;

		pmu_reset(&pmu, core_of(rules[i].profile), &shared);
		before = pmu;
		got = rules[i].write ? pmu_wrmsr(&pmu, rules[i].msr, rules[i].value) :
				       pmu_rdmsr(&pmu, rules[i].msr, &value);
		ok(got == rules[i].want, "%s: %s %#x %#llx: %s (line %d)", rules[i].profile,
		   rules[i].write ? "wrmsr" : "rdmsr", rules[i].msr,
		   (unsigned long long)rules[i].value, pmu_access_name(rules[i].want),
		   rules[i].line);
		if (got != PMU_OK && (memcmp(&before, &pmu, sizeof(pmu)) ||
				      memcmp(&untouched, &shared, sizeof(shared))))
			ok(false, "a refused write changes nothing (line %d)", rules[i].line);
	}
}

static uint64_t read_msr(const struct pmu *pmu, uint32_t msr)
{
	uint64_t value = 0xdead;

	pmu_rdmsr(pmu, msr, &value);
	return value;
}

static void aliases_are_one_register(void)
{
	struct pmu pmu;

	pmu_reset(&pmu, profile_find("clearwaterforest"), &shared);
	pmu_wrmsr(&pmu, 0x190c, 0x123456789abc);
	is_u64(read_msr(&pmu, 0x0c4), 0x123456789abc, "GP 3 at 0xc4");
	is_u64(read_msr(&pmu, 0x4c4), 0x123456789abc, "GP 3 at 0x4c4");
	pmu_wrmsr(&pmu, 0x0c4, 0x80000000);
	is_u64(read_msr(&pmu, 0x190c), 0xffff80000000, "a legacy write sign-extends 32 bits");
	pmu_wrmsr(&pmu, 0x0c4, 0x17fffffff);
	is_u64(read_msr(&pmu, 0x190c), 0x7fffffff, "and ignores what is above them");
	pmu_wrmsr(&pmu, 0x4c4, 0x800000000000);
	is_u64(read_msr(&pmu, 0x190c), 0x800000000000, "the full-width alias does not");
	pmu_wrmsr(&pmu, 0x189, 0x5300c4);
	is_u64(read_msr(&pmu, 0x190d), 0x5300c4, "event select 3 is CFG_A 3");
	pmu_wrmsr(&pmu, 0x30f, 42);
	is_u64(read_msr(&pmu, 0x1998), 42, "fixed counter 6");
}

static void reset_state(void)
{
	struct pmu pmu;

	pmu_reset(&pmu, profile_find("clearwaterforest"), &shared);
	is_u64(read_msr(&pmu, 0x38f), 0xff, "GLOBAL_CTRL: all GP counters");
	is_u64(read_msr(&pmu, 0x345), PERF_CAP_FW_WRITE, "PERF_CAPABILITIES: full-width writes");
	is_u64(read_msr(&pmu, 0x38d), 0, "FIXED_CTR_CTRL");
	is_u64(read_msr(&pmu, 0x1902), 0, "CFG_B");
	is_u64(pmu.enabled, 0, "nothing counts");
	pmu_reset(&pmu, profile_find("goldmont"), &shared);
	is_u64(read_msr(&pmu, 0x38f), 0xf, "goldmont: four of them");
}

static void inuse(void)
{
	struct pmu pmu;

	pmu_reset(&pmu, profile_find("clearwaterforest"), &shared);
	is_u64(read_msr(&pmu, 0x392), 0, "nothing in use");
	pmu_wrmsr(&pmu, 0x187, 0xc0);
	is_u64(read_msr(&pmu, 0x392), 0x2, "an event code marks its counter");
	pmu_wrmsr(&pmu, 0x38d, 0x20);
	is_u64(read_msr(&pmu, 0x392), 0x200000002, "an enable marks a fixed counter");
	pmu_wrmsr(&pmu, 0x38d, 0xa0);
	is_u64(read_msr(&pmu, 0x392), 0x8000000200000002, "an interrupt enable marks the PMI");
}

static void enabling(void)
{
	struct pmu pmu;

	pmu_reset(&pmu, profile_find("clearwaterforest"), &shared);
	pmu_wrmsr(&pmu, 0x1901, 0x4100c0);
	is_u64(pmu.enabled, 0x1, "EN with USR, and GLOBAL_CTRL from reset");
	pmu_wrmsr(&pmu, 0x38d, 0x1);
	is_u64(pmu.enabled, 0x1, "fixed 0 needs GLOBAL_CTRL too");
	pmu_wrmsr(&pmu, 0x38f, BIT_ULL(32));
	is_u64(pmu.enabled, BIT_ULL(32), "GLOBAL_CTRL decides");
	pmu_wrmsr(&pmu, 0x391, GLOBAL_STATUS_CTR_FRZ);
	is_u64(pmu.enabled, 0, "CTR_FRZ stops all");
	pmu_wrmsr(&pmu, 0x390, GLOBAL_STATUS_CTR_FRZ);
	is_u64(pmu.enabled, BIT_ULL(32), "until it is cleared");
}

/* What the RDPMC reads if it succeeds: the number of the register; 0 if it does not */
static uint32_t rdpmc_of(const struct pmu *pmu, uint32_t ecx, uint64_t *value)
{
	uint32_t msr;

	return pmu_rdpmc(pmu, ecx, false, &msr, value) ? msr : 0;
}

static void rdpmc(void)
{
	uint64_t value = 0;
	struct pmu pmu;

	pmu_reset(&pmu, profile_find("clearwaterforest"), &shared);
	pmu_wrmsr(&pmu, 0x191c, 77);
	pmu_wrmsr(&pmu, 0x30b, 99);
	is_u64(rdpmc_of(&pmu, 7, &value), 0x191c, "GP 7");
	is_u64(value, 77, "has its value");
	is_u64(rdpmc_of(&pmu, 8, &value), 0, "there is no GP 8");
	is_u64(rdpmc_of(&pmu, 0x40000002, &value), 0x1988, "fixed 2");
	is_u64(value, 99, "has its value");
	is_u64(rdpmc_of(&pmu, 0x40000003, &value), 0, "there is no fixed 3");
	is_u64(rdpmc_of(&pmu, 0x20000000, &value), 0, "there are no metrics");
	is_u64(rdpmc_of(&pmu, 0x80000000, &value), 0, "nor other types");

	pmu_reset(&pmu, core_of("lunarlake.P"), &shared);
	pmu_wrmsr(&pmu, 0x329, 0x11223344);
	is_u64(rdpmc_of(&pmu, 9, &value), 0x1924, "GP 9 of a P-core");
	is_u64(rdpmc_of(&pmu, 0x40000003, &value), 0x198c, "its fixed 3");
	is_u64(rdpmc_of(&pmu, 0x20000000, &value), 0x329, "its metrics");
	is_u64(value, 0x11223344, "are what was written");
	is_u64(rdpmc_of(&pmu, 0x20000001, &value), 0, "of which there is one register");
}

static uint64_t user_reads(const struct pmu *pmu, uint32_t ecx)
{
	uint64_t value = ~0ULL;
	uint32_t msr;

	return pmu_rdpmc(pmu, ecx, true, &msr, &value) ? value : ~0ULL;
}

static void rdpmc_disable(void)
{
	uint64_t value = 0;
	struct pmu pmu;

	pmu_reset(&pmu, profile_find("diamondrapids"), &shared);
	pmu_wrmsr(&pmu, 0xc2, 77);
	pmu_wrmsr(&pmu, 0x30a, 99);
	is_u64(user_reads(&pmu, 1), 77, "user code reads GP 1");
	is_u64(user_reads(&pmu, 0x40000001), 99, "and fixed 1");
	is_u64(pmu_wrmsr(&pmu, 0x187, 0x20000100c0), PMU_OK, "bit 37 of a select can be set");
	is_u64(pmu_wrmsr(&pmu, 0x38d, 0x2000000000), PMU_OK, "and that of fixed 1");
	is_u64(user_reads(&pmu, 1), 0, "then it reads nothing of GP 1");
	is_u64(user_reads(&pmu, 0x40000001), 0, "nor of fixed 1");
	rdpmc_of(&pmu, 1, &value);
	is_u64(value, 77, "the kernel does");
	rdpmc_of(&pmu, 0x40000001, &value);
	is_u64(value, 99, "of both");
	pmu_reset(&pmu, profile_find("clearwaterforest"), &shared);
	is_u64(pmu_wrmsr(&pmu, 0x187, 0x20000100c0), PMU_GP_RESERVED, "others have no such bit");
	is_u64(pmu_wrmsr(&pmu, 0x38d, 0x2000000000), PMU_GP_RESERVED, "nor for fixed counters");
}

/* Registers of CPUID.0AH, composed by the SDM's figure */
static void cpuid_leaves(void)
{
	static const struct {
		const char *profile;
		uint32_t leaf, subleaf, eax, ebx, ecx, edx;
	} leaves[] = {
		{ "clearwaterforest", 0x0a, 0, 0x08300806, 0, 0x77, 0x8603 },
		{ "clearwaterforest", 0x23, 0, 0xf, 0x3, 0, 0 },
		{ "clearwaterforest", 0x23, 1, 0xff, 0x77, 0, 0 },
		{ "clearwaterforest", 0x23, 2, 0xff, 0x7, 0xff, 0x7 },
		{ "clearwaterforest", 0x23, 5, 0, 0, 0, 0 },
		{ "pantherlake-e", 0x23, 0, 0x3f, 0x3, 0, 0 },
		{ "pantherlake-e", 0x23, 2, 0xfc, 0x7, 0xfc, 0x7 },
		{ "pantherlake-e", 0x23, 4, 0, 0x60020378, 0, 0 },
		{ "pantherlake-e", 0x23, 5, 0xff, 0, 0x7, 0 },
		/* hybrid: the common counters in 0AH, each kind's own ones in 23H */
		{ "lunarlake.P", 0x0a, 0, 0x08300806, 0, 0x7, 0x8603 },
		{ "lunarlake.E", 0x0a, 0, 0x08300806, 0, 0x7, 0x8603 },
		{ "lunarlake.P", 0x1a, 0, 0x40000003, 0, 0, 0 },
		{ "lunarlake.E", 0x1a, 0, 0x20000003, 0, 0, 0 },
		{ "lunarlake.P", 0x23, 0, 0xb, 0x3, 0, 0 },
		{ "lunarlake.E", 0x23, 0, 0xf, 0x3, 0, 0 },
		{ "lunarlake.P", 0x23, 1, 0x3ff, 0xf, 0, 0 },
		{ "lunarlake.E", 0x23, 1, 0xff, 0x77, 0, 0 },
		{ "lunarlake.P", 0x23, 2, 0, 0, 0, 0 },
		{ "lunarlake.E", 0x23, 2, 0xff, 0x7, 0xff, 0x7 },
		{ "arrowlake-h.P", 0x1a, 0, 0x40000003, 0, 0, 0 },
		{ "arrowlake-h.E", 0x1a, 0, 0x20000003, 0, 0, 0 },
		{ "arrowlake-h.L", 0x1a, 0, 0x20000002, 0, 0, 0 },
		{ "arrowlake-h.L", 0x0a, 0, 0x08300806, 0, 0x7, 0x8603 },
		{ "arrowlake-h.L", 0x23, 1, 0xff, 0x7, 0, 0 },
		{ "arrowlake-h.L", 0x23, 2, 0, 0, 0, 0 },
		{ "novalake.P", 0x1a, 0, 0x40000005, 0, 0, 0 },
		{ "novalake.P", 0x23, 0, 0xf, 0x3, 0, 0 },
		{ "novalake.P", 0x23, 2, 0x3ff, 0x7, 0x3ff, 0x7 },
		{ "novalake.E", 0x1a, 0, 0x20000005, 0, 0, 0 },
		{ "diamondrapids", 0x1a, 0, 0, 0, 0, 0 },
		{ "diamondrapids", 0x0a, 0, 0x08300806, 0, 0xf, 0x8604 },
		{ "diamondrapids", 0x23, 0, 0x3f, 0x7, 0, 0 },
		{ "diamondrapids", 0x23, 1, 0xff, 0xf, 0, 0 },
		{ "diamondrapids", 0x23, 2, 0xff, 0x7, 0xff, 0x7 },
		{ "diamondrapids", 0x23, 5, 0xff, 0, 0x7, 0 },
		{ "clearwaterforest", 0x1a, 0, 0, 0, 0, 0 },
		{ "goldmont", 0x0a, 0, 0x08300404, 0, 0, 0x603 },
		{ "goldmont", 0x23, 0, 0, 0, 0, 0 },
		{ "v2", 0x0a, 0, 0x08280202, 0, 0, 0x503 },
		{ "vpmu", 0x0a, 0, 0x08300802, 0, 0, 0x8603 },
		{ "v4", 0x0a, 0, 0x08300404, 0x4, 0, 0x603 },
		{ "none", 0x0a, 0, 0, 0, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
		struct cpuid_regs r = { ~0U, ~0U, ~0U, ~0U };

		profile_cpuid(core_of(leaves[i].profile), leaves[i].leaf,
			      leaves[i].subleaf, &r);
		ok(r.eax == leaves[i].eax && r.ebx == leaves[i].ebx &&
		   r.ecx == leaves[i].ecx && r.edx == leaves[i].edx,
		   "%s: CPUID %#x.%u is %x %x %x %x", leaves[i].profile, leaves[i].leaf,
		   leaves[i].subleaf, r.eax, r.ebx, r.ecx, r.edx);
	}
}

static void cpuid_features_keep_the_rest(void)
{
	struct cpuid_regs r = { .eax = 0xf0f, .ecx = 0x80000001 };

	profile_cpuid(profile_find("clearwaterforest"), 0x01, 0, &r);
	is_u64(r.ecx, 0x80008001, "PDCM is added");
	profile_cpuid(profile_find("v2"), 0x01, 0, &r);
	is_u64(r.ecx, 0x80000001, "PDCM is removed");
	r.ecx = 0x1;
	profile_cpuid(profile_find("vpmu"), 0x01, 0, &r);
	is_u64(r.ecx, 0x80008001, "a hypervisor is shown");
	profile_cpuid(profile_find("clearwaterforest"), 0x07, 1, &r);
	is_u64(r.eax, 0xf0f, "ArchPerfmonExt was there and stays");
	profile_cpuid(profile_find("goldmont"), 0x07, 1, &r);
	is_u64(r.eax, 0xe0f, "ArchPerfmonExt is removed");
	r.edx = 0x80007;
	profile_cpuid(core_of("lunarlake.E"), 0x07, 0, &r);
	is_u64(r.edx, 0x88007, "the hybrid bit is added");
	profile_cpuid(core_of("goldmont"), 0x07, 0, &r);
	is_u64(r.edx, 0x80007, "and removed");
	is_u64(r.eax, 0xe0f, "the rest of leaf 7.0 stays");
	ok(!profile_cpuid_mine(0x07, 2), "leaf 7.2 is QEMU's");
	ok(!profile_cpuid_mine(0x0d, 0), "leaf 0xd is QEMU's");
}

/* The letters of the cores of a machine of @nr; NULL if there is no such machine */
static const char *kinds_of(const char *spec, unsigned int nr)
{
	const struct profile *cores[8];
	static char kinds[9];
	unsigned int i;

	if (!profile_cores(spec, cores, nr))
		return NULL;
	for (i = 0; i < nr; i++)
		kinds[i] = cores[i]->kind ? cores[i]->kind : '-';
	kinds[nr] = 0;
	return kinds;
}

static void kinds_of_core(void)
{
	is_str(kinds_of("lunarlake", 4), "PEPE", "the kinds of a CPU take turns");
	is_str(kinds_of("arrowlake-h", 4), "PELP", "all three of them");
	is_str(kinds_of("lunarlake.EP", 3), "EPE", "or the letters given");
	is_str(kinds_of("novalake.EEP", 2), "EE", "of which a small machine uses the first");
	is_str(kinds_of("goldmont", 2), "--", "other CPUs have one kind");
	ok(!kinds_of("lunarlake.L", 1), "a kind that the CPU lacks is refused");
	ok(!kinds_of("lunarlake.EL", 1), "even where the machine is too small to have it");
	ok(!kinds_of("lunarlake.", 1) && !kinds_of("goldmont.P", 1) && !kinds_of("lunar", 1) &&
	   !kinds_of("", 1), "and so are no kind, kinds of other CPUs and unknown names");
	ok(profile_find("arrowlake-h") == profile_find_kind("arrowlake-h", PROFILE_P_CORE),
	   "a name alone is the first kind");
	ok(!profile_find_kind("goldmont", PROFILE_E_CORE), "other CPUs have no letters");
}

static void events_of_big_cores(void)
{
	const uint64_t rsp[2] = { 0x10001, 0x10002 };

	is_u64(event_kinds(0x5301a4, true, NULL, rsp), KIND(EV_SLOT), "a P-core counts slots");
	is_u64(event_kinds(0x5301a4, false, NULL, rsp), 0, "an E-core has no such event");
	is_u64(event_kinds(0x53012a, true, &offcore_lioncove, rsp),
	       KIND(EV_RD_HIT) | KIND(EV_RD_MISS), "offcore responses by another event");
	is_u64(event_kinds(0x53012b, true, &offcore_lioncove, rsp),
	       KIND(EV_WR_HIT) | KIND(EV_WR_MISS), "for each register");
	is_u64(event_kinds(0x5301b7, true, &offcore_lioncove, rsp), 0, "not that of E-cores");
	is_u64(event_kinds(0x53012a, false, &offcore_darkmont, rsp), 0, "nor the other way round");
}

static void events(void)
{
	static const struct {
		uint64_t evtsel, rsp0;
		uint32_t kinds;
	} codes[] = {
		{ 0x5300c0, 0, KIND(EV_INSN) },
		{ 0x0053003c, 0, KIND(EV_CYC) },
		{ 0x0053013c, 0, KIND(EV_REF) },
		{ 0x5300c4, 0, KIND(EV_BR) },
		{ 0x5300c5, 0, KIND(EV_BRMISS) },
		{ 0x534f2e, 0, KINDS_REQUEST },
		{ 0x53412e, 0, KINDS_REQUEST_MISS },
		{ 0x5301c0, 0, 0 },
		{ 0x530000, 0, 0 },
		{ 1ULL << 40 | 0x5300c0, 0, 0 },
		{ 0x5301b7, 0x10001, KIND(EV_RD_HIT) | KIND(EV_RD_MISS) },
		{ 0x5302b7, 0x10001, 0 },
		{ 0x5303b7, 0x10001, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		uint64_t rsp[2] = { codes[i].rsp0, 0 };

		is_u64(event_kinds(codes[i].evtsel, false, &offcore_goldmont, rsp), codes[i].kinds,
		       "event select %#llx with OFFCORE_RSP_0 %#llx",
		       (unsigned long long)codes[i].evtsel, (unsigned long long)codes[i].rsp0);
	}
	is_u64(event_kinds(0x5301b7, false, NULL, (uint64_t[]){ 0x10001, 0 }), 0,
	       "without the registers the event counts nothing");
}

static void events_of_one_counter(void)
{
	static const struct {
		const char *profile;
		uint64_t evtsel;
		uint32_t kinds[4];	/* on counters 0 to 3 */
	} cases[] = {
		{ "v4", 0x4101c0, { 0, KIND(EV_INSN), 0, 0 } },
		{ "v4", 0x410148, { 0, 0, KINDS_WAIT, 0 } },
		{ "v4", 0x4100c0, { KIND(EV_INSN), KIND(EV_INSN), KIND(EV_INSN), KIND(EV_INSN) } },
		{ "goldmont", 0x4101c0, { 0, 0, 0, 0 } },
	};
	struct pmu pmu;
	unsigned int i, n;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pmu_reset(&pmu, profile_find(cases[i].profile), &shared);
		for (n = 0; n < 4; n++) {
			pmu_wrmsr(&pmu, 0x186 + n, cases[i].evtsel);
			is_u64(pmu.cntr[n].kinds, cases[i].kinds[n], "%s: %#llx on counter %u",
			       cases[i].profile, (unsigned long long)cases[i].evtsel, n);
		}
	}
}

#define RSP_READS	0x10001
#define RSP_STORES	0x10002
#define KINDS_READS	(KIND(EV_RD_HIT) | KIND(EV_RD_MISS))
#define KINDS_STORES	(KIND(EV_WR_HIT) | KIND(EV_WR_MISS))

static void threads_of_a_core_share_registers(void)
{
	struct pmu_shared other_core;
	struct pmu first, second, other;

	pmu_reset(&first, profile_find("goldmont"), &shared);
	pmu_reset(&second, profile_find("goldmont"), &shared);
	pmu_reset(&other, profile_find("goldmont"), &other_core);
	pmu_wrmsr(&second, 0x186, 0x4101b7);
	pmu_wrmsr(&second, 0x187, 0x4102b7);
	pmu_wrmsr(&first, 0x1a6, RSP_READS);
	is_u64(read_msr(&first, 0x1a6), RSP_READS, "a thread reads what it wrote");
	is_u64(read_msr(&second, 0x1a6), RSP_READS, "and so does the other thread of its core");
	is_u64(read_msr(&other, 0x1a6), 0, "but not one of another core");
	is_u64(second.cntr[0].kinds, 0, "what ran before the write is not yet counted");
	pmu_catch_up(&second);
	is_u64(second.cntr[0].kinds, KINDS_READS, "what runs after it counts by the new value");
	is_u64(second.cntr[1].kinds, 0, "each event by its own register");
	pmu_wrmsr(&second, 0x1a7, RSP_STORES);
	is_u64(second.cntr[1].kinds, KINDS_STORES, "a thread's own write counts at once");
	is_u64(read_msr(&first, 0x1a7), RSP_STORES, "the second register is shared as well");
	pmu_wrmsr(&first, 0x1a6, RSP_STORES);
	pmu_wrmsr(&second, 0x187, 0x4101b7);
	is_u64(second.cntr[1].kinds, KINDS_STORES, "a new event counts by the last value");
	is_u64(pmu_wrmsr(&first, 0x1a7, 1ULL << 38), PMU_GP_RESERVED, "a reserved bit is refused");
	is_u64(read_msr(&second, 0x1a7), RSP_STORES, "and not set for either thread");
	ok(pmu_shares(&first, 0x1a6) && pmu_shares(&first, 0x1a7), "both registers are shared");
	ok(!pmu_shares(&first, 0x186) && !pmu_shares(&first, 0x0c1) && !pmu_shares(&first, 0x38f),
	   "event selects, counters and controls are not");
	is_u64(read_msr(&first, 0x186), 0, "so that the first thread's select is its own");
}

int main(void)
{
	plan(0);
	access_rules();
	aliases_are_one_register();
	reset_state();
	inuse();
	enabling();
	rdpmc();
	rdpmc_disable();
	cpuid_leaves();
	cpuid_features_keep_the_rest();
	kinds_of_core();
	events();
	events_of_big_cores();
	events_of_one_counter();
	threads_of_a_core_share_registers();
	return done();
}
