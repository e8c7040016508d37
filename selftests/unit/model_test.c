// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the CPU table and of capabilities from CPUID leaves. */
#include "core_helpers.h"
#include "kmod/core/constraint.h"
#include "kmod/core/event.h"

#define ATOM	0x20000000
#define CORE	0x40000000

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
		{ __LINE__, 0x00090672, CORE | 1, "goldencove" },	/* its P-cores */
		{ __LINE__, 0x00090675, 0, "goldencove" },		/* without E-cores */
		{ __LINE__, 0x000b0671, CORE | 1, "goldencove" },	/* Raptor Lake */
		{ __LINE__, 0x000806f8, 0, "goldencove" },		/* Sapphire Rapids */
		{ __LINE__, 0x000c06f2, 0, "goldencove" },		/* Emerald Rapids */
		{ __LINE__, 0x000a06f3, 0, "sierraforest" },
		{ __LINE__, 0x000b0664, 0, "grandridge" },
		{ __LINE__, 0x000a06a4, ATOM | 2, "crestmont" },
		{ __LINE__, 0x000a06a4, CORE | 2, "redwoodcove" },	/* Meteor Lake */
		{ __LINE__, 0x000b0650, CORE | 2, "redwoodcove" },	/* Arrow Lake U */
		{ __LINE__, 0x000a06d1, 0, "redwoodcove" },		/* Granite Rapids */
		{ __LINE__, 0x000c0652, ATOM | 3, "skymont" },		/* Arrow Lake H */
		{ __LINE__, 0x000c0652, ATOM | 2, "crestmont" },	/* its low-power cores */
		{ __LINE__, 0x000c0652, ATOM | 9, "architectural" },	/* unknown ones */
		{ __LINE__, 0x000c0652, CORE | 3, "lioncove" },
		{ __LINE__, 0x000c0662, CORE | 3, "lioncove" },		/* Arrow Lake S */
		{ __LINE__, 0x000b06d1, ATOM | 3, "skymont" },
		{ __LINE__, 0x000b06d1, CORE | 3, "lioncove" },		/* Lunar Lake */
		{ __LINE__, 0x000c06c1, ATOM | 3, "pantherlake-e" },
		{ __LINE__, 0x000c06c1, CORE | 4, "lioncove" },
		{ __LINE__, 0x000d0650, CORE | 4, "lioncove" },		/* Wildcat Lake */
		{ __LINE__, 0x00300f10, ATOM | 4, "arcticwolf" },	/* family 18 */
		{ __LINE__, 0x00300f10, CORE | 5, "coyotecove" },
		{ __LINE__, 0x00300f30, CORE | 5, "coyotecove" },
		{ __LINE__, 0x00400f10, 0, "panthercove" },		/* family 19 */
		{ __LINE__, 0x00400f20, 0, "architectural" },
		{ __LINE__, 0x00000000, 0, "architectural" },
		{ __LINE__, 0x000306c3, 0, "architectural" },		/* Haswell */
		{ __LINE__, 0x000506e3, 0, "skylake" },
		{ __LINE__, 0x00050654, 0, "skylake" },			/* Skylake server */
		{ __LINE__, 0x00050657, 0, "skylake" },			/* Cascade Lake */
		{ __LINE__, 0x000906ed, 0, "skylake" },			/* Coffee Lake */
		{ __LINE__, 0x000a0652, 0, "skylake" },			/* Comet Lake */
		{ __LINE__, 0x000706e5, 0, "icelake" },
		{ __LINE__, 0x000606a6, 0, "icelake" },			/* Icelake server */
		{ __LINE__, 0x000806c1, 0, "icelake" },			/* Tiger Lake */
		{ __LINE__, 0x000a0671, 0, "icelake" },			/* Rocket Lake */
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

/* Two cores that differ in nothing but leaf 0x1a. */
static bool same_kind(u32 signature, u32 core_type, u32 other_type)
{
	struct acrpmu_cpuid leaves =
		acrpmu_cpu_table_row(acrpmu_cpu_table_model("skymont"))->cpuid;
	struct acrpmu_caps caps, other;

	leaves.l1_eax = signature;
	leaves.l1a_eax = core_type;
	acrpmu_model_caps(&leaves, &caps);
	leaves.l1a_eax = other_type;
	acrpmu_model_caps(&leaves, &other);
	return acrpmu_model_same_kind(&caps, &other);
}

static void test_same_kind(void)
{
	const u32 arrowlake_h = 0x000c0652, unknown = 0x00400f00;

	ok(same_kind(arrowlake_h, ATOM | 3, ATOM | 3), "E-cores are of one kind");
	ok(!same_kind(arrowlake_h, CORE | 3, ATOM | 3), "P-cores of another");
	ok(!same_kind(arrowlake_h, ATOM | 2, ATOM | 3), "low-power ones as well");
	ok(same_kind(unknown, ATOM | 7, ATOM | 7), "unknown cores may be of one kind");
	ok(!same_kind(unknown, CORE | 7, ATOM | 7), "or be big and small");
	ok(!same_kind(unknown, ATOM | 7, ATOM | 6), "or small and smaller");
	ok(same_kind(unknown, 0, 0), "not hybrid: of one kind");
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
		bool unique = true, regs = model->nr_extra_regs <= ACRPMU_MODEL_MAX_EXTRA_REGS;

		for (other = acrpmu_model_next(model); other; other = acrpmu_model_next(other))
			unique &= !names_clash(model, other);
		ok(unique, "%s: names are unique", model->name);
		ok(acrpmu_cpu_table_model(model->name) == model &&
		   acrpmu_cpu_table_model(acrpmu_cpu_table_row(model)->short_name) == model,
		   "%s: is found by both of its names", model->name);
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
	is_u64(nr, 19, "rows seen");
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

	caps = caps_of("lioncove");
	is_u64(caps.cntrs, 0xf000003ffULL, "lioncove: its own counters, not the common ones");
	ok(!caps.acr && caps.v6_msrs && !caps.reloadable_cntrs, "lioncove: no reloads");
	caps = caps_of("coyotecove");
	ok(caps.acr && !(caps.reloadable_cntrs & BIT_ULL(35)), "coyotecove: reloads, not of slots");
	caps = caps_of("goldencove");
	is_u64(caps.cntrs, 0xf000000ffULL, "goldencove: counters");
	ok(!caps.acr && !caps.v6_msrs && caps.full_width, "goldencove: abilities");

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

	leaves = leaves_of("pantherlake-e");
	leaves.l23_5_eax = 0x103;
	leaves.l23_5_ecx = 0x11;
	leaves.l23_0_eax = 0x1f;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cfg_c_cntrs == 0x7000000fcULL,
	   "CFG_C of reloadable counters; bit 4 does not announce sub-leaf 5");
	leaves.l23_0_eax = 0x3f;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cfg_c_cntrs == 0x17000000ffULL,
	   "CFG_C also of counters with PEBS, as far as they exist");
	is_u64(caps.reloadable_cntrs, 0x7000000fcULL, "which are not reloadable for that");
	is_u64(acrpmu_model_msr(&caps, 1, ACRPMU_MODEL_CFG_C), 0x1907, "CFG_C of GP 1 with PEBS");
	is_u64(acrpmu_model_msr(&caps, 36, ACRPMU_MODEL_CFG_C), 0x1993, "of fixed 4");
	is_u64(acrpmu_model_msr(&caps, 1, ACRPMU_MODEL_CFG_B), 0, "CFG_B only with reloads");
	leaves.l23_0_eax = 0x23;
	ok(!acrpmu_model_caps(&leaves, &caps) && caps.cfg_c_cntrs == 0x1100000003ULL && !caps.acr,
	   "PEBS without auto counter reload");
	leaves.la_eax = 0x00300805;
	ok(!acrpmu_model_caps(&leaves, &caps) && !caps.cfg_c_cntrs, "and without the MSRs none");
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

static const struct {
	u32 eax, ebx;
	u64 lacking;
} leaves[] = {
	/* bits 31 to 24 of EAX: events in the vector; those behind it are lacking */
	{ 0x07000000, 0x00, ~0x7fULL },
	{ 0x07000000, 0x14, ~0x7fULL | 0x14 },
	{ 0x0d000000, 0x00, ~0x1fffULL },
	{ 0x0d000000, 0x200, ~0x1fffULL | 0x200 },
	{ 0x07000000, 0x80, ~0x7fULL },
	{ 0x20000000, 0x80000000, 0xffffffff80000000ULL },
	{ 0xff000000, 0x01, 0xffffffff00000001ULL },
	/* a hypervisor that reports nothing */
	{ 0x00000000, 0x7f, ~0x7fULL },
};

static void test_lacking_events(void)
{
	struct acrpmu_caps caps;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(leaves); i++) {
		const struct acrpmu_cpuid cpuid = {
			.la_eax = leaves[i].eax, .la_ebx = leaves[i].ebx,
		};

		acrpmu_model_caps(&cpuid, &caps);
		is_u64(caps.lacking_events, leaves[i].lacking, "leaf 0xa %u", i);
	}
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
 * the later cores, intel_glc_extra_regs to intel_pnc_extra_regs for P-cores.  @values: bits that
 * Intel's event files set in the first one, a lower bound.
 */
static const struct {
	const char *name;
	struct {
		u32 config, msr;
		u64 valid;
	} reg[ACRPMU_MODEL_MAX_EXTRA_REGS];
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
#define SNOOP_REGS { 0x127, 0x1328, ~0ULL }, { 0x227, 0x1329, ~0ULL }
#define CRESTMONT_REGS { { 0x1b7, 0x1a6, 0x800ff3ffffffffff }, { 0x2b7, 0x1a7, 0xff3ffffffffff }, \
			 SNOOP_REGS }
	{ "crestmont", CRESTMONT_REGS, 0 },
	{ "sierraforest", CRESTMONT_REGS, 0x3fbffd0803 },
	{ "grandridge", CRESTMONT_REGS, 0x3fbffd0803 },
	{ "skymont", CRESTMONT_REGS, 0 },
	{ "pantherlake-e", CRESTMONT_REGS, 0 },
	{ "clearwaterforest", CRESTMONT_REGS, 0x33fbfc10003 },
	{ "skylake", { { 0x1b7, 0x1a6, 0x3fffff8fff }, { 0x1bb, 0x1a7, 0x3fffff8fff },
		       { 0x1c6, 0x3f7, 0x7fff17 } }, 0x3fffff87f7 },
	{ "icelake", { { 0x1b7, 0x1a6, 0x3fffffbfff }, { 0x1bb, 0x1a7, 0x3fffffbfff },
		       { 0x1c6, 0x3f7, 0x7fff17 } }, 0x3ffffdaff7 },
	{ "goldencove", { { 0x12a, 0x1a6, 0x3fffffffff }, { 0x12b, 0x1a7, 0x3fffffffff },
			  { 0x1c6, 0x3f7, 0x7fff1f } }, 0x3fbffd7fff },
	{ "redwoodcove", { { 0x12a, 0x1a6, 0x3fffffffff }, { 0x12b, 0x1a7, 0x3fffffffff },
			   { 0x3c6, 0x3f7, 0x7fff1f } }, 0x3fbffd4c7f },
	{ "lioncove", { { 0x12a, 0x1a6, 0xfffffffffff }, { 0x12b, 0x1a7, 0xfffffffffff },
			{ 0x3c6, 0x3f7, 0x7fff1f } }, 0xfe7fbe15c7f },
#define COVE_OMR 0x40ffffff0000ffff
#define OMR_REGS { { 0x12a, 0x3e0, COVE_OMR }, { 0x22a, 0x3e1, COVE_OMR }, \
		   { 0x42a, 0x3e2, COVE_OMR }, { 0x82a, 0x3e3, COVE_OMR }, \
		   { 0x3c6, 0x3f7, 0x7fff1f } }
	{ "coyotecove", OMR_REGS, 0xff03f400000001 },
	{ "panthercove", OMR_REGS, 0x40fffff000000003 },
	{ "arcticwolf", { { 0x1b7, 0x3e0, 0xc0ffffffffffffff },
			  { 0x2b7, 0x3e1, 0xc0ffffffffffffff },
			  { 0x4b7, 0x3e2, 0xc0ffffffffffffff },
			  { 0x8b7, 0x3e3, 0xc0ffffffffffffff }, SNOOP_REGS }, 0 },
};

/* Further events of a register, as in Linux 7.3. */
#define OMR_OTHERS(n)	{ 0x4f | 0x100 << (n), 0x40ffffff0000ffff }, \
			{ 0xd6 | 0x100 << (n), 0x40ffffff0000ffff }
#define LIONCOVE_OTHERS	{ 0x2c6, 0x9 }, { 0x40ad, 0xf }, { 0x4c2, 0x8 }

static const struct {
	const char *name;
	u32 msr;
	struct acrpmu_extra_event event[3];
} known_others[] = {
	{ "goldencove", 0x3f7, { { 0x40ad, 0x7 }, { 0x4c2, 0x8 } } },
	{ "redwoodcove", 0x3f7, { { 0x2c6, 0x9 }, { 0x40ad, 0x7 }, { 0x4c2, 0x8 } } },
	{ "lioncove", 0x3f7, { LIONCOVE_OTHERS } },
	{ "coyotecove", 0x3f7, { LIONCOVE_OTHERS } },
	{ "coyotecove", 0x3e0, { OMR_OTHERS(0) } },
	{ "coyotecove", 0x3e1, { OMR_OTHERS(1) } },
	{ "coyotecove", 0x3e2, { OMR_OTHERS(2) } },
	{ "coyotecove", 0x3e3, { OMR_OTHERS(3) } },
	{ "panthercove", 0x3f7, { LIONCOVE_OTHERS } },
	{ "panthercove", 0x3e0, { OMR_OTHERS(0) } },
	{ "panthercove", 0x3e1, { OMR_OTHERS(1) } },
	{ "panthercove", 0x3e2, { OMR_OTHERS(2) } },
	{ "panthercove", 0x3e3, { OMR_OTHERS(3) } },
};

static void check_others(const struct acrpmu_model *model, unsigned int reg)
{
	const struct acrpmu_extra_reg *r = &model->extra_regs[reg];
	unsigned int i, k, nr = 0;

	for (i = 0; i < ARRAY_SIZE(known_others); i++) {
		if (r->msr != known_others[i].msr || strcmp(model->name, known_others[i].name))
			continue;
		for (nr = 0; nr < 3 && known_others[i].event[nr].config; nr++) {
			ok(nr < r->nr_others &&
			   r->others[nr].config == known_others[i].event[nr].config &&
			   r->others[nr].valid_mask == known_others[i].event[nr].valid_mask,
			   "%s: event %#x uses it too", model->name,
			   known_others[i].event[nr].config);
		}
	}
	is_u64(r->nr_others, nr, "%s: so many more events use register %u", model->name, reg);
	for (k = 0; k < r->nr_others; k++) {
		const struct acrpmu_extra_reg *alt = &model->extra_regs[r->alt];

		ok(!(r->others[k].valid_mask & ~r->valid_mask),
		   "%s: their values are the register's", model->name);
		ok(k < alt->nr_others &&
		   (r->others[k].config & 0xff) == (alt->others[k].config & 0xff) &&
		   r->others[k].valid_mask == alt->others[k].valid_mask,
		   "%s: the alternate has them, too, in the same order", model->name);
	}
}

static void test_extra_regs(void)
{
	unsigned int i, reg;

	for (i = 0; i < ARRAY_SIZE(known_regs); i++) {
		const struct acrpmu_model *model = acrpmu_cpu_table_model(known_regs[i].name);

		for (reg = 0; reg < ARRAY_SIZE(known_regs[i].reg) &&
		     known_regs[i].reg[reg].msr; reg++) {
			const struct acrpmu_extra_reg *r = &model->extra_regs[reg];

			ok(r->config == known_regs[i].reg[reg].config &&
			   r->msr == known_regs[i].reg[reg].msr &&
			   r->valid_mask == known_regs[i].reg[reg].valid,
			   "%s: register %u is %#x by event %#x, bits %#llx", model->name, reg,
			   r->msr, r->config, (unsigned long long)r->valid_mask);
			ok(r->thread == (r->msr == 0x3f7), "%s: %s", model->name, r->thread ?
			   "each thread has its own" : "threads share it");
			check_others(model, reg);
		}
		is_u64(model->nr_extra_regs, reg, "%s: so many registers", model->name);
		ok(!(known_regs[i].values & ~model->extra_regs[0].valid_mask),
		   "%s: what event files set is valid", model->name);
	}
}

/*
 * Events that only some counters of a P-core count, and neighbours that all count: the counters
 * that Intel's event files list for them, and those of Linux 7.2 where there is no file.
 */
static const struct {
	const char *name;
	struct {
		u32 config;
		u64 cntrs;
	} event[20];
} known_events[] = {
	{ "goldencove", {
		{ 0x012a, 0xf }, { 0x0187, 0xf }, { 0x0160, 0xf }, { 0x412e, 0xff },
		{ 0x4f2e, 0xff }, { 0x023c, 0xff }, { 0x019c, 0xff }, { 0x01a3, 0xf },
		{ 0x04a3, 0xff }, { 0x0ca3, 0xf }, { 0x02a4, 0xff }, { 0x04a4, 0x1 },
		{ 0x08a4, 0x1 }, { 0x20cc, 0xff }, { 0x01cd, 0xfe }, { 0x02cd, 0x1 },
		{ 0x81d0, 0xf }, { 0x04d4, 0xf }, { 0x20e0, 0xff }, { 0x01a4, 0x8000000ff } } },
	{ "skylake", {
		{ 0x01c0, 0x2 }, { 0x02c0, 0xff }, { 0x01c6, 0xf }, { 0x01cd, 0xf },
		{ 0x81d0, 0xf }, { 0x01d1, 0xf }, { 0x01d2, 0xf }, { 0x04d4, 0xff },
		{ 0x01b7, 0xff }, { 0x00c4, 0xff }, { 0x0408, 0xff } } },
	{ "icelake", {
		{ 0x0203, 0xf }, { 0x0107, 0xf }, { 0x0e08, 0xf }, { 0x010d, 0xff },
		{ 0x0724, 0xf }, { 0x0728, 0xf }, { 0x4f2e, 0xff }, { 0x0154, 0xf },
		{ 0x105e, 0xff }, { 0x0160, 0xf }, { 0x0187, 0xf }, { 0x019c, 0xff },
		{ 0x04a3, 0xff }, { 0x05a3, 0xf }, { 0x01a6, 0xff }, { 0x01a8, 0xf },
		{ 0x01b7, 0xf }, { 0x81d0, 0xf }, { 0x1ff1, 0xf }, { 0x01c6, 0xff } } },
	{ "redwoodcove", {
		{ 0x012b, 0xf }, { 0x0148, 0xf }, { 0x20c4, 0xff }, { 0x82d0, 0xf } } },
	{ "lioncove", {
		{ 0x0120, 0xf }, { 0x1020, 0xf }, { 0x0121, 0x3ff }, { 0x012a, 0x3ff },
		{ 0x4f2e, 0x3ff }, { 0x0148, 0x4 }, { 0x0149, 0x3ff }, { 0x0175, 0x4 },
		{ 0x04a3, 0x3ff }, { 0x04a4, 0x1 }, { 0x08a4, 0x1 }, { 0x10a4, 0x8 },
		{ 0x01b1, 0x8 }, { 0x10b1, 0x3ff }, { 0x01cd, 0x3fc }, { 0x02cd, 0x3 },
		{ 0x81d0, 0xf }, { 0x87d0, 0x3ff }, { 0x00d3, 0xf }, { 0x01a4, 0x8000003ff } } },
	{ "coyotecove", {
		{ 0x0820, 0xf }, { 0x0479, 0xf }, { 0x0275, 0xf }, { 0x0175, 0x3ff },
		{ 0x0176, 0xf }, { 0x04a4, 0x1 }, { 0x01b1, 0x8 }, { 0x02b2, 0xf },
		{ 0x04b2, 0x3ff }, { 0x01cd, 0xfc }, { 0x02cd, 0x3 }, { 0x01ce, 0x1 },
		{ 0x81d0, 0xf }, { 0x01d2, 0x3ff }, { 0x01df, 0xf }, { 0x0847, 0xf },
		{ 0x0446, 0xf }, { 0x0846, 0xf }, { 0x0148, 0xf }, { 0x012a, 0x3ff } } },
	{ "panthercove", {
		{ 0x0820, 0xf }, { 0x0479, 0xf }, { 0x0175, 0xff }, { 0x0176, 0xf },
		{ 0x04a4, 0x1 }, { 0x01b1, 0x8 }, { 0x02b2, 0xf }, { 0x04b2, 0xff },
		{ 0x01cd, 0xfc }, { 0x02cd, 0x3 }, { 0x01ce, 0x1 }, { 0x04d1, 0xf },
		{ 0x02d6, 0xf }, { 0x014f, 0xff }, { 0x0847, 0xf }, { 0x0148, 0xf },
		{ 0x082a, 0xff }, { 0x03c6, 0xff }, { 0x01a4, 0x8000000ff } } },
};

static void test_constraints(void)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(known_events); i++) {
		struct acrpmu_caps caps = caps_of(known_events[i].name);

		/* Skylake with one thread a core */
		if (!strcmp(known_events[i].name, "skylake"))
			caps.cntrs |= 0xff;
		for (j = 0; j < 20 && known_events[i].event[j].config; j++) {
			u32 config = known_events[i].event[j].config;

			is_u64(acrpmu_constraint_config(&caps, config),
			       known_events[i].event[j].cntrs, "%s: counters of event %#x",
			       known_events[i].name, config);
		}
	}
}

static const char *const big_cores[] = { "goldencove", "redwoodcove", "lioncove", "coyotecove",
					 "panthercove", "icelake" };

/* vol. 3, "Fixed-function Performance Counters" */
static void test_fixed_events(void)
{
	struct acrpmu_caps caps;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(big_cores); i++) {
		const char *name = big_cores[i];

		caps = caps_of(name);
		is_u64(acrpmu_event_fixed_cntrs(&caps, 0x0400), BIT_ULL(35),
		       "%s: slots are on fixed counter 3", name);
		is_u64(acrpmu_event_fixed_cntrs(&caps, 0x0300), BIT_ULL(34),
		       "%s: cycles at TSC frequency on 2", name);
		is_u64(acrpmu_event_fixed_cntrs(&caps, 0x00c0), BIT_ULL(32),
		       "%s: instructions on 0", name);
		is_u64(acrpmu_event_fixed_cntrs(&caps, 0x0500), 0, "%s: none on 4", name);
		is_u64(acrpmu_event_canonical(&caps, 0x0400), 0x01a4,
		       "%s: slots are an architectural event, too", name);
		caps.cntrs &= ~BIT_ULL(35);
		is_u64(acrpmu_constraint_config(&caps, 0x0400), caps.cntrs & 0x3ff,
		       "%s: which counts where the fixed counter is missing", name);
	}
	caps = caps_of("skymont");
	is_u64(acrpmu_constraint_config(&caps, 0x0400), 0, "no E-core counts slots");
}

static void test_pmi_ack(void)
{
	unsigned int i;

	is_u64(acrpmu_cpu_table_model("goldmont")->pmi_ack, ACRPMU_PMI_ACK_EARLY,
	       "goldmont: early");
	is_u64(acrpmu_cpu_table_model("tremont")->pmi_ack, ACRPMU_PMI_ACK_LATE, "tremont: late");
	is_u64(acrpmu_cpu_table_model("skylake")->pmi_ack, ACRPMU_PMI_ACK_LATE, "skylake: late");
	for (i = 0; i < ARRAY_SIZE(big_cores); i++)
		is_u64(acrpmu_cpu_table_model(big_cores[i])->pmi_ack, ACRPMU_PMI_ACK_LATE,
		       "%s: late", big_cores[i]);
	is_u64(acrpmu_cpu_table_model("clearwaterforest")->pmi_ack, ACRPMU_PMI_ACK_MID,
	       "clearwaterforest: in the middle");
}

int main(void)
{
	plan(0);
	test_find();
	test_same_kind();
	test_table();
	test_caps();
	test_old_pmus();
	test_lacking_events();
	test_msrs();
	test_extra_regs();
	test_constraints();
	test_fixed_events();
	test_pmi_ack();
	return done();
}
