// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the CPU table and of capabilities from CPUID leaves. */
#include "core_helpers.h"
#include "kmod/core/event.h"

#define ATOM	0x20000000

static void test_find(void)
{
	static const struct {
		int line;
		u32 signature;
		u32 core_type;
		const char *name;
	} cases[] = {
		{ __LINE__, 0x000d06d0, 0, "clearwaterforest" },	/* 06_DDH */
		{ __LINE__, 0x000d06d1, 0, "clearwaterforest" },	/* another stepping */
		{ __LINE__, 0x000506c9, 0, "goldmont" },		/* Apollo Lake */
		{ __LINE__, 0x000506f1, 0, "goldmont" },		/* Denverton */
		{ __LINE__, 0x000706a8, 0, "goldmontplus" },
		{ __LINE__, 0x00090661, 0, "tremont" },
		{ __LINE__, 0x000906c0, 0, "tremont" },
		{ __LINE__, 0x000b06e0, 0, "gracemont" },		/* not hybrid */
		{ __LINE__, 0x00090672, ATOM | 1, "gracemont" },
		{ __LINE__, 0x00090672, 0x40000001, "architectural" },	/* its P-cores */
		{ __LINE__, 0x000a06f3, 0, "sierraforest" },
		{ __LINE__, 0x000b0664, 0, "grandridge" },
		{ __LINE__, 0x000a06a4, ATOM | 2, "crestmont" },
		{ __LINE__, 0x000c0652, ATOM | 3, "skymont" },		/* Arrow Lake H */
		{ __LINE__, 0x000c0652, ATOM | 2, "crestmont" },	/* its low-power cores */
		{ __LINE__, 0x000c0652, 0x40000003, "architectural" },
		{ __LINE__, 0x000b06d1, ATOM | 3, "skymont" },
		{ __LINE__, 0x000c06c1, ATOM | 3, "pantherlake-e" },
		{ __LINE__, 0x00300f10, ATOM | 4, "arcticwolf" },	/* family 18 */
		{ __LINE__, 0x00000000, 0, "architectural" },
		{ __LINE__, 0x000306c3, 0, "architectural" },		/* Haswell */
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(acrpmu_model_find(cases[i].signature, cases[i].core_type)->name,
		       cases[i].name, "line %d: signature %#x core type %#x", cases[i].line,
		       cases[i].signature, cases[i].core_type);

	is_str(acrpmu_cpu_table_model("glm")->name, "goldmont", "libpfm4's name");
	ok(!acrpmu_cpu_table_model("Goldmont"), "the spelling is exact");
	ok(!acrpmu_cpu_table_model(""), "no empty name");
}

static bool names_clash(const struct acrpmu_model *a, const struct acrpmu_model *b)
{
	const char *short_a = acrpmu_cpu_table_row(a)->short_name;
	const char *short_b = acrpmu_cpu_table_row(b)->short_name;

	return !strcmp(a->name, b->name) || !strcmp(short_a, short_b) ||
	       !strcmp(a->name, short_b) || !strcmp(short_a, b->name);
}

/* Following the alternates leads back. */
static bool alternates_close(const struct acrpmu_model *model, unsigned int own)
{
	unsigned int reg = own, steps = 0;

	do {
		reg = model->extra_regs[reg].alt;
		if (reg >= model->nr_extra_regs || ++steps > model->nr_extra_regs)
			return false;
	} while (reg != own);
	return true;
}

/* A pass over the table itself, for mistakes that no single case would show. */
static void test_table(void)
{
	const struct acrpmu_model *model, *other;
	struct acrpmu_caps caps;
	unsigned int i, j, nr = 0;

	for (model = acrpmu_model_next(NULL); model; model = acrpmu_model_next(model), nr++) {
		bool unique = true, regs = model->nr_extra_regs <= ACRPMU_MAX_EXTRA_REGS;

		for (other = acrpmu_model_next(model); other; other = acrpmu_model_next(other))
			unique &= !names_clash(model, other);
		ok(unique, "%s: names are unique", model->name);
		ok(!acrpmu_model_caps(&acrpmu_cpu_table_row(model)->cpuid, &caps) &&
		   caps.model == model,
		   "%s: its typical leaves lead back to it", model->name);
		for (i = 0; i < model->nr_extra_regs; i++) {
			regs &= alternates_close(model, i);
			for (j = 0; j < i; j++)
				regs &= model->extra_regs[i].msr != model->extra_regs[j].msr &&
					model->extra_regs[i].config != model->extra_regs[j].config;
		}
		ok(regs, "%s: extra registers are distinct, alternates close", model->name);
		ok(strlen(model->name) < sizeof(((struct acrpmu_cpu_info *)0)->name),
		   "%s: fits acrpmu_cpu_info.name", model->name);
	}
	is_u64(nr, 12, "rows seen");
	ok(model == acrpmu_model_next(acrpmu_cpu_table_model("architectural")),
	   "the fallback is the last row");
}

static struct acrpmu_cpuid leaves_of(const char *name)
{
	return acrpmu_cpu_table_row(acrpmu_cpu_table_model(name))->cpuid;
}

static void test_caps(void)
{
	struct acrpmu_cpuid leaves = leaves_of("clearwaterforest");
	struct acrpmu_caps caps = caps_of("clearwaterforest");

	is_u64(caps.cntrs, 0x77000000ffULL, "clearwaterforest: counters");
	is_u64(caps.reloadable_cntrs, 0x7000000ffULL, "clearwaterforest: reloadable");
	is_u64(caps.cause_cntrs, 0x7000000ffULL, "clearwaterforest: causes");
	is_u64(caps.config_mask, 0xff10ff84ffffULL, "clearwaterforest: config bits");
	ok(caps.acr && caps.v6_msrs && caps.full_width, "clearwaterforest: abilities");
	is_u64(caps.gp_width, 48, "clearwaterforest: width");

	caps = caps_of("pantherlake-e");
	is_u64(caps.reloadable_cntrs, 0x7000000fcULL, "pantherlake-e: not counters 0 and 1");
	is_u64(caps.cause_cntrs, 0x7000000fcULL, "pantherlake-e: nor as causes");

	caps = caps_of("goldmont");
	is_u64(caps.cntrs, 0x70000000fULL, "goldmont: counters");
	is_u64(caps.reloadable_cntrs | caps.cause_cntrs, 0, "goldmont: no reloads");
	is_u64(caps.config_mask, 0xff84ffff, "goldmont: neither umask2 nor eq");
	ok(!caps.acr && !caps.v6_msrs && caps.full_width, "goldmont: abilities");

	leaves.l7_1_eax = 0;
	ok(!acrpmu_model_caps(&leaves, &caps) && !caps.acr && caps.config_mask == 0xff84ffff,
	   "leaf 0x23 counts only where CPUID.7.1 announces it");
	is_u64(caps.cntrs, 0x77000000ffULL, "without it leaf 0xa gives the counters");

	leaves = leaves_of("clearwaterforest");
	leaves.l23_0_eax = 0x3;
	ok(!acrpmu_model_caps(&leaves, &caps) && !caps.acr && !caps.reloadable_cntrs,
	   "a sub-leaf counts only where its bit is set");
	leaves.l23_0_eax = 0x7;
	leaves.l23_2_ecx = ~0u;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cause_cntrs == 0x7000000ffULL,
	   "causes are among the counters that exist");
	leaves.la_eax = 0x00300805;
	ok(!acrpmu_model_caps(&leaves, &caps) && !caps.acr, "no reloads without the MSRs for it");
}

static void test_old_pmus(void)
{
	struct acrpmu_cpuid leaves = { .la_eax = 0x07300402, .la_edx = 0x603 };
	struct acrpmu_caps caps;

	ok(!acrpmu_model_caps(&leaves, &caps) && !caps.full_width, "version 2, 31-bit writes");
	is_u64(caps.cntrs, 0x70000000fULL, "version 2: counters");
	leaves.la_eax = 0x07300404;
	leaves.la_ecx = 0x77;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cntrs == 0x70000000fULL,
	   "the bitmap of fixed counters is ignored before version 5");
	leaves.la_eax = 0x07300405;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cntrs == 0x770000000fULL,
	   "and adds to their number from version 5");
	leaves.perf_capabilities = 0x2000;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.full_width, "full-width writes are bit 13");

	leaves.la_eax = 0x07280401;
	is_u64(-acrpmu_model_caps(&leaves, &caps), EOPNOTSUPP, "version 1 cannot be used");
	is_u64(caps.cntrs, 0, "and has no counters");
	leaves.la_eax = 0;
	is_u64(-acrpmu_model_caps(&leaves, &caps), EOPNOTSUPP, "no PMU");
	leaves = (struct acrpmu_cpuid){ .la_eax = 0x00300002 };
	is_u64(-acrpmu_model_caps(&leaves, &caps), EOPNOTSUPP, "a PMU without counters");
	leaves.la_eax = 0x0030ff02;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cntrs == 0xffffffffULL,
	   "more counters than a mask holds are cut off");
}

static void test_msrs(void)
{
	struct acrpmu_caps cwf = caps_of("clearwaterforest"), ptl = caps_of("pantherlake-e");
	struct acrpmu_caps glm = caps_of("goldmont"), arch = caps_of("architectural");

	is_u64(acrpmu_model_msr(&cwf, 0, ACRPMU_MODEL_CNTR), 0x1900, "v6 GP 0 counter");
	is_u64(acrpmu_model_msr(&cwf, 7, ACRPMU_MODEL_CFG_A), 0x191d, "v6 GP 7 CFG_A");
	is_u64(acrpmu_model_msr(&cwf, 3, ACRPMU_MODEL_CFG_B), 0x190e, "v6 GP 3 CFG_B");
	is_u64(acrpmu_model_msr(&cwf, 3, ACRPMU_MODEL_CFG_C), 0x190f, "v6 GP 3 CFG_C");
	is_u64(acrpmu_model_msr(&cwf, 33, ACRPMU_MODEL_CNTR), 0x1984, "v6 fixed 1 counter");
	is_u64(acrpmu_model_msr(&cwf, 33, ACRPMU_MODEL_CFG_A), 0x38d, "v6 fixed 1 control");
	is_u64(acrpmu_model_msr(&cwf, 33, ACRPMU_MODEL_CFG_B), 0x1986, "v6 fixed 1 CFG_B");
	is_u64(acrpmu_model_msr(&cwf, 33, ACRPMU_MODEL_CFG_C), 0x1987, "v6 fixed 1 CFG_C");
	is_u64(acrpmu_model_msr(&cwf, 36, ACRPMU_MODEL_CFG_B), 0, "fixed 4 cannot be reloaded");
	is_u64(acrpmu_model_msr(&ptl, 1, ACRPMU_MODEL_CFG_C), 0, "nor GP 1 of Panther Lake");
	is_u64(acrpmu_model_msr(&glm, 2, ACRPMU_MODEL_CNTR), 0x4c3, "legacy GP 2, full width");
	is_u64(acrpmu_model_msr(&glm, 2, ACRPMU_MODEL_CFG_A), 0x188, "legacy GP 2 event select");
	is_u64(acrpmu_model_msr(&glm, 34, ACRPMU_MODEL_CNTR), 0x30b, "legacy fixed 2");
	is_u64(acrpmu_model_msr(&glm, 2, ACRPMU_MODEL_CFG_B), 0, "no CFG_B before version 6");
	is_u64(acrpmu_model_msr(&arch, 1, ACRPMU_MODEL_CNTR), 0xc2, "legacy GP 1, 31-bit writes");
	cwf.fixed_width = 40;
	is_u64(acrpmu_model_width(&cwf, 31), 48, "width of a general-purpose counter");
	is_u64(acrpmu_model_width(&cwf, 32), 40, "width of a fixed counter");
	is_u64(acrpmu_model_rdpmc(5), 5, "RDPMC of GP 5");
	is_u64(acrpmu_model_rdpmc(34), 0x40000002, "RDPMC of fixed 2");
}

/*
 * Registers, their events and the bits that they have: Linux 7.2, intel_glm_extra_regs and those of
 * the later cores.  @values: bits that Intel's event files set in the first one, a lower bound.
 */
static const struct {
	const char *name;
	struct {
		u32 config, msr;
		u64 valid;
	} reg[4];
	u64 values;
} known_regs[] = {
	{ "goldmont", { { 0x1b7, 0x1a6, 0x760005ffbf }, { 0x2b7, 0x1a7, 0x360005ffbf } },
	  0x760005ffbf },
	{ "goldmontplus", { { 0x1b7, 0x1a6, 0x760005ffbf }, { 0x2b7, 0x1a7, 0x360005ffbf } },
	  0x520005febf },
	{ "tremont", { { 0x1b7, 0x1a6, 0x800ff0ffffff9fff }, { 0x2b7, 0x1a7, 0xff0ffffff9fff } },
	  0 },
	{ "gracemont", { { 0x1b7, 0x1a6, 0x8003f03fffffffff }, { 0x2b7, 0x1a7, 0x3f03fffffffff } },
	  0xc03f847d480f },
#define CRESTMONT_REGS { { 0x1b7, 0x1a6, 0x800ff3ffffffffff }, { 0x2b7, 0x1a7, 0xff3ffffffffff }, \
			 { 0x127, 0x1328, ~0ULL }, { 0x227, 0x1329, ~0ULL } }
	{ "crestmont", CRESTMONT_REGS, 0 },
	{ "sierraforest", CRESTMONT_REGS, 0x3fbffd0803 },
	{ "grandridge", CRESTMONT_REGS, 0x3fbffd0803 },
	{ "skymont", CRESTMONT_REGS, 0 },
	{ "pantherlake-e", CRESTMONT_REGS, 0 },
	{ "clearwaterforest", CRESTMONT_REGS, 0x33fbfc10003 },
	{ "arcticwolf", { { 0x1b7, 0x3e0, 0xc0ffffffffffffff },
			  { 0x2b7, 0x3e1, 0xc0ffffffffffffff },
			  { 0x4b7, 0x3e2, 0xc0ffffffffffffff },
			  { 0x8b7, 0x3e3, 0xc0ffffffffffffff } }, 0 },
};

static void test_extra_regs(void)
{
	unsigned int i, reg;

	for (i = 0; i < ARRAY_SIZE(known_regs); i++) {
		const struct acrpmu_model *model = acrpmu_cpu_table_model(known_regs[i].name);

		for (reg = 0; reg < 4 && known_regs[i].reg[reg].msr; reg++) {
			const struct acrpmu_extra_reg *r = &model->extra_regs[reg];

			ok(r->config == known_regs[i].reg[reg].config &&
			   r->msr == known_regs[i].reg[reg].msr &&
			   r->valid_mask == known_regs[i].reg[reg].valid,
			   "%s: register %u is %#x by event %#x, bits %#llx", model->name, reg,
			   r->msr, r->config, (unsigned long long)r->valid_mask);
		}
		is_u64(model->nr_extra_regs, reg, "%s: so many registers", model->name);
		ok(!(known_regs[i].values & ~model->extra_regs[0].valid_mask),
		   "%s: what event files set is valid", model->name);
	}
}

static void test_pmi_ack(void)
{
	is_u64(acrpmu_cpu_table_model("goldmont")->pmi_ack, ACRPMU_PMI_ACK_EARLY,
	       "goldmont: early");
	is_u64(acrpmu_cpu_table_model("tremont")->pmi_ack, ACRPMU_PMI_ACK_LATE, "tremont: late");
	is_u64(acrpmu_cpu_table_model("clearwaterforest")->pmi_ack, ACRPMU_PMI_ACK_MID,
	       "clearwaterforest: in the middle");
}

int main(void)
{
	plan(0);
	test_find();
	test_table();
	test_caps();
	test_old_pmus();
	test_msrs();
	test_extra_regs();
	test_pmi_ack();
	return done();
}
