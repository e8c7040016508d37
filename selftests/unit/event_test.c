// SPDX-License-Identifier: GPL-2.0-only
/* Tests of event encoding. */
#include "core_helpers.h"
#include "kmod/core/event.h"

static void test_config(void)
{
	struct acrpmu_event_fields fields = { .select = 0xc4, .umask = 0x7e };
	struct acrpmu_event_fields back;
	u64 i, bad = 0, config;

	is_u64(acrpmu_event_config(&fields), 0x7ec4, "select and umask");
	fields = (struct acrpmu_event_fields){ .select = 0xc2, .cmask = 1, .inv = true };
	is_u64(acrpmu_event_config(&fields), 0x18000c2ULL, "inv is bit 23, cmask starts at 24");
	fields = (struct acrpmu_event_fields){ .select = 0x3c, .edge = true };
	is_u64(acrpmu_event_config(&fields), 0x4003c, "edge is bit 18");
	fields = (struct acrpmu_event_fields){ .select = 0x3c, .eq = true, .umask2 = 0xab };
	is_u64(acrpmu_event_config(&fields), 0xab100000003cULL, "eq is bit 36, umask2 from 40");

	is_u64(acrpmu_event_config_all(), 0xff10ff84ffffULL, "bits that a config may have");
	for (i = 0; i < 100000; i++) {
		config = rnd() & acrpmu_event_config_all();
		acrpmu_event_split(config | (i & 1 ? 1ULL << 22 : 0), &back);
		bad += acrpmu_event_config(&back) != config;
	}
	is_u64(bad, 0, "split and build return the config, without bits of no field");
}

/* libpfm4 encodes u and k with INT and EN: 0x5301b7 and 0x5101b7 */
static void test_evtsel(void)
{
	struct acrpmu_caps caps = caps_of("clearwaterforest");

	is_u64(acrpmu_event_evtsel(0x1b7, USER | KERNEL | SAMPLED), 0x5301b7, "user and kernel");
	is_u64(acrpmu_event_evtsel(0x1b7, USER | SAMPLED), 0x5101b7, "user only");
	is_u64(acrpmu_event_evtsel(0x1b7, USER), 0x4101b7, "quiet: no INT");
	is_u64(acrpmu_event_evtsel(0x1b7, KERNEL | COUNT), 0x4201b7, "plain counter: no INT");
	is_u64(acrpmu_event_fixed_ctrl(0, USER | SAMPLED), 0xa, "fixed 0: user, PMI");
	is_u64(acrpmu_event_fixed_ctrl(1, USER), 0x20, "fixed 1: user, no PMI");
	is_u64(acrpmu_event_fixed_ctrl(6, USER | KERNEL | SAMPLED), 0xb000000, "fixed 6: all");
	is_u64(acrpmu_event_fixed_ctrl(15, KERNEL), 0x1000000000000000ULL, "fixed 15: kernel");
	is_u64(acrpmu_event_fixed_field(&caps, 2), 0xf00, "field of fixed 2");
	caps.rdpmc_disable = true;
	is_u64(acrpmu_event_fixed_field(&caps, 2), 0x20000000f00, "with its bit against RDPMC");
}

static void test_fixed_equivalents(void)
{
	struct acrpmu_caps cwf = caps_of("clearwaterforest"), glm = caps_of("goldmont");

	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0xc0), FIXED(0), "instructions: fixed 0");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x3c), FIXED(1), "cycles: fixed 1");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x300), FIXED(2), "0x300: fixed 2");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x13c), FIXED(2), "Darkmont's 0x13c: fixed 2");
	is_u64(acrpmu_event_fixed_cntrs(&glm, 0x13c), 0, "Goldmont's 0x13c: no fixed counter");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x73), FIXED(4), "bad speculation: fixed 4");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x19c), FIXED(5), "front-end bound: fixed 5");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x2c2), FIXED(6), "retiring: fixed 6");
	is_u64(acrpmu_event_fixed_cntrs(&glm, 0x2c2), 0, "Goldmont has no fixed 6");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x1c0), 0, "another umask is another event");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x10000c0), 0, "not with cmask");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x400c0), 0, "not with edge");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x8000c0), 0, "not with inv");
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x10000000000c0ULL), 0, "not with umask2");

	cwf.cntrs &= ~FIXED(1);
	is_u64(acrpmu_event_fixed_cntrs(&cwf, 0x3c), 0, "not on a counter that is missing");
}

static void test_gp(void)
{
	struct acrpmu_caps cwf = caps_of("clearwaterforest"), glm = caps_of("goldmont");
	struct acrpmu_caps srf = caps_of("sierraforest");

	is_u64(acrpmu_event_gp_cntrs(&cwf, 0xc0), 0xff, "instructions on any of 8");
	is_u64(acrpmu_event_gp_cntrs(&glm, 0x3c), 0xf, "cycles on any of 4");
	is_u64(acrpmu_event_gp_cntrs(&glm, 0x300), 0, "Goldmont's 0x300: fixed counter only");
	is_u64(acrpmu_event_gp_cntrs(&cwf, 0x300), 0xff, "Darkmont's 0x300 is 0x13c elsewhere");
	is_u64(acrpmu_event_gp_cntrs(&cwf, 0), 0, "event select 0 is no event");
	is_u64(acrpmu_event_gp_cntrs(&cwf, 0x400), 0, "nor with a umask of no counter");
	is_u64(acrpmu_event_gp_cntrs(&srf, 0x5d0), 0x3, "load latency on counters 0 and 1");
	is_u64(acrpmu_event_gp_cntrs(&srf, 0x1d0), 0xff, "its neighbour on all");

	is_u64(acrpmu_event_canonical(&cwf, 0x100), 0xc0, "pseudo instructions");
	is_u64(acrpmu_event_canonical(&cwf, 0x10100), 0x100c0, "other bits stay");
	is_u64(acrpmu_event_canonical(&glm, 0x300), 0x300, "no real code: stays");
	is_u64(acrpmu_event_canonical(&glm, 0x500), 0x500, "code of a counter it lacks: stays");
	is_u64(acrpmu_event_canonical(&cwf, 0x7ec4), 0x7ec4, "real codes stay");
}

/* Events and bits: vol. 3, "Pre-defined Architectural Performance Events". */
static void test_architectural(void)
{
	is_u64(acrpmu_event_architectural(0x3c), BIT_ULL(0), "core cycles: bit 0");
	is_u64(acrpmu_event_architectural(0xc0), BIT_ULL(1), "instructions: bit 1");
	is_u64(acrpmu_event_architectural(0x13c), BIT_ULL(2), "reference cycles: bit 2");
	is_u64(acrpmu_event_architectural(0x412e), BIT_ULL(4), "last-level misses: bit 4");
	is_u64(acrpmu_event_architectural(0xc5), BIT_ULL(6), "mispredictions: bit 6");
	is_u64(acrpmu_event_architectural(0x1a4), BIT_ULL(7), "top-down slots: bit 7");
	is_u64(acrpmu_event_architectural(0x1e4), BIT_ULL(12), "LBR inserts: bit 12");
	is_u64(acrpmu_event_architectural(0x108400c0), BIT_ULL(1), "with modifiers, too");
	is_u64(acrpmu_event_architectural(0x1c0), 0, "another umask is another event");
	is_u64(acrpmu_event_architectural(0x100000000c0ULL), 0, "nor with umask2");
	is_u64(acrpmu_event_architectural(0), 0, "no event");
}

static void test_announced(void)
{
	struct acrpmu_caps arch = caps_of("architectural");

	arch.lacking_events = BIT_ULL(4) | BIT_ULL(1) | ~0x7fULL;
	ok(acrpmu_event_is_architectural(&arch, 0x3c), "core cycles");
	ok(acrpmu_event_is_architectural(&arch, 0x200), "their pseudo code");
	ok(acrpmu_event_is_architectural(&arch, 0x10d3003c), "with modifiers");
	ok(acrpmu_event_is_architectural(&arch, 0x300), "what fixed counter 2 counts");
	ok(!acrpmu_event_is_architectural(&arch, 0xc0), "not what leaf 0xa denies");
	ok(!acrpmu_event_is_architectural(&arch, 0x100), "nor its pseudo code");
	ok(!acrpmu_event_is_architectural(&arch, 0x412e), "nor cache misses then");
	ok(!acrpmu_event_is_architectural(&arch, 0x1a4), "nor what is beyond its vector");
	ok(!acrpmu_event_is_architectural(&arch, 0x1c0), "nor any other event");
	arch.cntrs &= ~FIXED(2);
	ok(!acrpmu_event_is_architectural(&arch, 0x300), "nor that of a counter it lacks");
}

int main(void)
{
	plan(0);
	test_config();
	test_evtsel();
	test_fixed_equivalents();
	test_gp();
	test_architectural();
	test_announced();
	return done();
}
