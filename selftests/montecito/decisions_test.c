// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decisions of Documentation/montecito.rst, one by one, with values from the manual page and
 * register layouts.
 */
#include <stdlib.h>

#include "result.h"
#include "tap.h"
#include "userspace/montecito/lib/pfmlib_say.h"

static struct call call;
static struct naive_result got;

static unsigned int find(const char *name)
{
	unsigned int i = ~0u;

	if (pfm_find_event(name, &i))
		printf("# there is no event %s\n", name);
	return i;
}

/* A call of up to three events, with all pointers. */
static void begin(const char *first, const char *second, const char *third)
{
	const char *const names[] = { first, second, third };
	unsigned int i;

	memset(&call, 0, sizeof(call));
	call.has_inp = true;
	call.has_mod = true;
	call.has_out = true;
	call.has_mod_out = true;
	call.inp.pfp_dfl_plm = PFM_PLM3;
	for (i = 0; i < 3 && names[i]; i++)
		call.inp.pfp_events[call.inp.pfp_event_count++].event = find(names[i]);
}

static void range(pfmlib_mont_input_rr_t *rr, unsigned int i, unsigned long start,
		  unsigned long end)
{
	rr->rr_used = 1;
	rr->rr_limits[i].rr_start = start;
	rr->rr_limits[i].rr_end = end;
}

static void irange(unsigned int i, unsigned long start, unsigned long end)
{
	range(&call.mod.pfp_mont_irange, i, start, end);
}

static void drange(unsigned int i, unsigned long start, unsigned long end)
{
	range(&call.mod.pfp_mont_drange, i, start, end);
}

static void gives(int ret, const char *what)
{
	const bool fits = result_of_library(&call, &got);
	const char *reason = pfmlib_last_reason();

	/* a reason has a remedy after a semicolon */
	if (!ok(fits && got.ret == ret && (ret ? !!strchr(reason, ';') : !*reason), "%s", what))
		printf("#   returned %d instead of %d; reason: %s\n", got.ret, ret, reason);
}

static uint64_t pmc(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < got.nr_pmcs; i++) {
		if (got.pmcs[i].num == num)
			return got.pmcs[i].value;
	}
	return ~0ULL;
}

/* A place in the inputs that has so many bits: all of them set fit, one more does not. */
struct width {
	const char *name;
	void *at;
	unsigned int size;
	unsigned int bits;
};

static void set(const struct width *w, uint64_t value)
{
	memcpy(w->at, &value, w->size);
}

/*
 * Everything that has a width and can be used at once; the fields of the IP-EAR, which cannot,
 * apart.
 */
static void begin_wide(void)
{
	/* up to 6 NOPs in a cycle */
	begin("NOPS_RETIRED", NULL, NULL);
	call.mod.pfp_mont_opcm1.opcm_used = 1;
	call.mod.pfp_mont_opcm2.opcm_used = 1;
	call.mod.pfp_mont_iear.ear_used = 1;
	call.mod.pfp_mont_dear.ear_used = 1;
	call.mod.pfp_mont_etb.etb_used = 1;
}

static void test_widths(void)
{
	pfmlib_mont_input_param_t *m = &call.mod;
	const struct width widths[] = {
		{ "pfp_dfl_plm", &call.inp.pfp_dfl_plm, 4, 4 },
		{ "pfp_flags", &call.inp.pfp_flags, 4, 1 },
		{ "plm", &call.inp.pfp_events[0].plm, 4, 4 },
		{ "opcm1.m", &m->pfp_mont_opcm1.opcm_m, 1, 1 },
		{ "opcm1.i", &m->pfp_mont_opcm1.opcm_i, 1, 1 },
		{ "opcm1.f", &m->pfp_mont_opcm1.opcm_f, 1, 1 },
		{ "opcm1.b", &m->pfp_mont_opcm1.opcm_b, 1, 1 },
		{ "opcm1.match", &m->pfp_mont_opcm1.opcm_match, 8, 41 },
		{ "opcm1.mask", &m->pfp_mont_opcm1.opcm_mask, 8, 41 },
		{ "opcm2.m", &m->pfp_mont_opcm2.opcm_m, 1, 1 },
		{ "opcm2.match", &m->pfp_mont_opcm2.opcm_match, 8, 41 },
		{ "opcm2.mask", &m->pfp_mont_opcm2.opcm_mask, 8, 41 },
		{ "iear.plm", &m->pfp_mont_iear.ear_plm, 4, 4 },
		{ "iear.umask of the cache", &m->pfp_mont_iear.ear_umask, 8, 8 },
		{ "dear.plm", &m->pfp_mont_dear.ear_plm, 4, 4 },
		{ "dear.umask", &m->pfp_mont_dear.ear_umask, 8, 4 },
		{ "etb.plm", &m->pfp_mont_etb.etb_plm, 4, 4 },
		{ "etb.ds", &m->pfp_mont_etb.etb_ds, 1, 1 },
		{ "etb.tm", &m->pfp_mont_etb.etb_tm, 1, 2 },
		{ "etb.ptm", &m->pfp_mont_etb.etb_ptm, 1, 2 },
		{ "etb.ppm", &m->pfp_mont_etb.etb_ppm, 1, 2 },
		{ "etb.brt", &m->pfp_mont_etb.etb_brt, 1, 2 },
	};
	unsigned int i;
	char what[128];

	for (i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		begin_wide();
		set(&widths[i], (1ULL << widths[i].bits) - 1);
		snprintf(what, sizeof(what), "4: %s of %u bits is taken", widths[i].name,
			 widths[i].bits);
		gives(0, what);
		set(&widths[i], 1ULL << widths[i].bits);
		snprintf(what, sizeof(what), "4: %s with bit %u is refused", widths[i].name,
			 widths[i].bits);
		gives(PFMLIB_ERR_INVAL, what);
	}
}

static void test_other_widths(void)
{
	unsigned int i;

	begin("NOPS_RETIRED", NULL, NULL);
	call.mod.pfp_mont_counters[0].thres = 5;
	gives(0, "4: a threshold of 5 of an event of 6 in a cycle is taken");
	is_u64(pmc(4) >> 20 & 7, 5, "and stands in bits 20 to 22");
	call.mod.pfp_mont_counters[0].thres = 6;
	gives(PFMLIB_ERR_INVAL, "4: 6 is refused");
	call.mod.pfp_mont_counters[0].thres = 8;
	gives(PFMLIB_ERR_INVAL, "4: 8, which would be cut to 0, is refused");
	begin("NOPS_RETIRED", NULL, NULL);
	call.mod.pfp_mont_counters[0].flags = 0x10;
	gives(PFMLIB_ERR_INVAL, "4: unknown flags of a counter are refused");
	begin(NULL, NULL, NULL);
	call.mod.pfp_mont_iear.ear_used = 1;
	call.mod.pfp_mont_iear.ear_mode = PFMLIB_MONT_EAR_TLB_MODE;
	call.mod.pfp_mont_iear.ear_umask = 0x7f;
	gives(0, "4: 7 bits of I-EAR unit mask in TLB mode");
	call.mod.pfp_mont_iear.ear_umask = 0x80;
	gives(PFMLIB_ERR_INVAL, "4: not 8");
	begin(NULL, NULL, NULL);
	call.mod.pfp_mont_ipear.ipear_used = 1;
	call.mod.pfp_mont_ipear.ipear_delay = 255;
	gives(0, "4: a delay of 255");
	is_u64(pmc(42), 0x8 | 4 << 8 | 255 << 11, "and its place");
	call.mod.pfp_mont_ipear.ipear_delay = 256;
	gives(PFMLIB_ERR_INVAL, "4: not 256");
	call.mod.pfp_mont_ipear.ipear_delay = 0;
	call.mod.pfp_mont_ipear.ipear_plm = 16;
	gives(PFMLIB_ERR_INVAL, "4: nor privilege levels of 5 bits");
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0x1000, 0x2000);
	call.mod.pfp_mont_drange.rr_limits[0].rr_plm = 16;
	gives(PFMLIB_ERR_INVAL, "4: nor those of a range");
	call.mod.pfp_mont_drange.rr_limits[0].rr_plm = 0;
	call.mod.pfp_mont_drange.rr_limits[2].rr_plm = 16;
	gives(0, "4: behind the last range nothing is looked at");
	begin("LOADS_RETIRED", NULL, NULL);
	for (i = 0; i < 4; i++)
		drange(i, 0x1000 + 0x100 * i, 0x1010 + 0x100 * i);
	gives(0, "4: four ranges");
	for (i = 0; i < 4; i++) {
		call.mod.pfp_mont_drange.rr_limits[i].rr_plm = 16;
		gives(PFMLIB_ERR_INVAL, "4: each of them is looked at");
		call.mod.pfp_mont_drange.rr_limits[i].rr_plm = 15;
	}
	begin("LOADS_RETIRED", NULL, NULL);
	call.mod.pfp_mont_opcm1.opcm_m = 2;
	call.mod.pfp_mont_etb.etb_tm = 4;
	call.mod.pfp_mont_irange.rr_flags = 0x10;
	gives(0, "4: nor is what is not used");
	irange(0, 0x1000, 0x2000);
	gives(PFMLIB_ERR_INVAL, "4: unknown flags of ranges are refused");
	call.mod.pfp_mont_counters[0].flags = PFMLIB_MONT_FL_EVT_ALL_THRD;
	gives(PFMLIB_ERR_NOTSUPP, "4: what the reference refuses has its error");
}

/* Beside an ordinary event those of retired instructions look at the pair in their name, too. */
static void test_tagged(void)
{
	begin("NOPS_RETIRED", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35", NULL);
	irange(0, 0x10000, 0x12000);
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_NO_FINE_MODE;
	gives(PFMLIB_ERR_FEATCOMB, "5: a tagged event of a pair that nothing is in");
	begin("NOPS_RETIRED", "IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33", NULL);
	irange(0, 0x10000, 0x22000);
	gives(PFMLIB_ERR_FEATCOMB, "5: nor is pair 2 in use");
	begin("NOPS_RETIRED", "IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "IA64_INST_RETIRED");
	irange(0, 0x10000, 0x22000);
	gives(0, "5: pair 0 is");
	begin("NOPS_RETIRED", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35", "L1I_FILLS");
	irange(0, 0x10000, 0x22000);
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_IRR_DEMAND_FETCH;
	gives(PFMLIB_ERR_FEATCOMB, "5: fetches on demand leave pair 1 alone");
	call.mod.pfp_mont_irange.rr_flags |= PFMLIB_MONT_IRR_PREFETCH_MATCH;
	gives(0, "5: with prefetches pair 1 is, too");
}

/* Without an ordinary event the reference's registers stay, whatever looks at what. */
static void test_unrestricted(void)
{
	begin("L1I_PREFETCHES", "IA64_INST_RETIRED", NULL);
	irange(0, 0x10000, 0x22000);
	gives(0, "25: retired instructions beside prefetches, by mask");
	is_u64(pmc(38), 0xda6, "only pair 1 is looked at");
	begin("L1I_PREFETCHES", "LOADS_RETIRED", NULL);
	irange(0, 0x10000, 0x12000);
	gives(0, "25: an ordinary event beside prefetches, in fine mode");
	is_u64(pmc(38), 0x29a6, "only pairs 1 and 3 are looked at");
}

static void test_one_pair(void)
{
	begin("LOADS_RETIRED", NULL, NULL);
	irange(0, 0x12340, 0x41000);
	gives(0, "5: an ordinary event and a range of several 64 KB");
	is_u64(got.irange.nr, 2, "take one pair");
	is_u64(got.irange.br[0].value, 0, "from 0 on");
	is_u64(got.irange.br[1].value, 0x08fffffffff80000, "512 KB");
	is_u64(got.irange.soff[0], 0x12340, "offset in front");
	is_u64(got.irange.eoff[0], 0x80000 - 0x41000, "and behind");
	is_u64(pmc(38), 0xdb4, "PMC38 looks at pair 0 alone");
	irange(1, 0x100000, 0x140000);
	gives(PFMLIB_ERR_IRRTOOMANY, "5: two ranges are still too many");
	begin("LOADS_RETIRED", "L1I_PREFETCHES", NULL);
	irange(0, 0x12340, 0x41000);
	gives(PFMLIB_ERR_FEATCOMB, "5: prefetches look at pair 1, so not together");
	test_tagged();
}

static void test_fine(void)
{
	begin("LOADS_RETIRED", NULL, NULL);
	irange(0, 0x10000, 0x20000);
	gives(0, "6: a range that ends on a boundary of 64 KB");
	ok(got.fine && got.irange.nr == 4 && pmc(38) >> 13 & 1, "is in fine mode");
	is_u64(got.irange.br[2].value, 0x1fff0, "its upper limit is its last bundle");
	irange(0, 0x10000, 0x20010);
	gives(0, "6: one bundle more");
	ok(!got.fine && got.irange.nr == 2, "is not");
	irange(0, 0x110000, 0x100110010);
	gives(0, "6: a range of 4 GB with equal bits 16 to 31");
	ok(!got.fine, "is not either");
}

static void test_infos(void)
{
	begin("LOADS_RETIRED", NULL, NULL);
	irange(0, 0x10010, 0x10030);
	irange(1, 0x20020, 0x20080);
	gives(0, "7: two ranges in fine mode");
	ok(got.fine && got.irange.soff[0] == 16 && got.irange.eoff[0] == 16,
	   "offsets of the first");
	ok(got.irange.soff[1] == 0 && got.irange.eoff[1] == 0, "and of the second");
}

static void test_both_pairs(void)
{
	begin("L1I_FILLS", NULL, NULL);
	irange(0, 0x12340, 0x41000);
	call.mod.pfp_mont_irange.rr_flags =
		PFMLIB_MONT_IRR_DEMAND_FETCH | PFMLIB_MONT_IRR_PREFETCH_MATCH;
	gives(0, "8: demand and prefetch at once, outside of fine mode");
	ok(got.irange.nr == 4 && got.irange.br[0].num == 0 && got.irange.br[2].num == 2,
	   "take pairs 0 and 1");
	is_u64(pmc(38), 0xda4, "and PMC38 looks at both");
}

static void test_drrinval(void)
{
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0x2000, 0x1000);
	gives(PFMLIB_ERR_DRRINVAL, "10: a reversed data range");
	drange(0, 0x2000, 0x2000);
	gives(PFMLIB_ERR_DRRINVAL, "10: an empty one");
	drange(0, 0x2000, 0x2001);
	gives(0, "10: one byte");
}

static void test_covers(void)
{
	/* the first takes three pairs, and one is left */
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0x1000, 0x4000 + 0x800);
	drange(1, 0x13000, 0x15000);
	gives(0, "11: a second range with the pairs that are left");
	ok(got.drange.nr <= 8 && got.drange.soff[1] + got.drange.eoff[1] == 0x6000,
	   "a block of 0x8000 holds both halves: excess 0x%llx and 0x%llx",
	   (unsigned long long)got.drange.soff[1], (unsigned long long)got.drange.eoff[1]);
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0, (1UL << 56) + 1);
	gives(0, "12: 2^56 bytes and one more");
	drange(0, 0, 1UL << 60);
	gives(PFMLIB_ERR_DRRTOOMANY, "12: 2^60 bytes of data");
	/* two pairs each are the only way; then three for the first, since the second needs one */
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0, 1UL << 57);
	drange(1, 1UL << 58, 3UL << 57);
	gives(0, "12: two ranges of 2^57 bytes");
	is_u64(got.drange.nr, 8, "share the pairs");
	is_u64(got.drange.soff[0] | got.drange.eoff[0] | got.drange.soff[1] | got.drange.eoff[1], 0,
	       "and are covered exactly");
	drange(1, 1UL << 58, 1UL << 58 | 1UL << 57 | 1);
	gives(PFMLIB_ERR_DRRTOOMANY, "12: one byte more needs another pair");
	drange(0, 0, 3UL << 56);
	drange(1, 1UL << 58, 1UL << 58 | 1UL << 56);
	gives(0, "12: three blocks and one");
	is_u64(got.drange.nr, 8, "take all pairs, too");
	begin("LOADS_RETIRED", NULL, NULL);
	irange(0, 0x10, 1UL << 57);
	gives(PFMLIB_ERR_IRRTOOBIG, "12: 2^57 bytes of code");
	irange(0, 0x10, 1UL << 56);
	gives(0, "12: 2^56 bytes of code");
	is_u64(got.irange.br[1].value, 8ULL << 56, "have mask 0");
	ok(got.irange.soff[0] == 16 && got.irange.eoff[0] == 0, "and their offsets");
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, -0x1000UL, -1UL);
	gives(0, "19: all but the last byte of the address space");
	is_u64(got.drange.eoff[0] + got.drange.soff[0], 1, "one byte more is reported");
}

/* Ranges of code in one pair, at the end of the address space and across its middle. */
static void test_top(void)
{
	begin("L1I_PREFETCHES", NULL, NULL);
	irange(0, 0xfffffffefffffff0, 0xfffffffffffffff0);
	gives(0, "19: a code range below 2^64");
	is_u64(got.irange.br[0].value, 0xfffffffe00000000, "is in a block that ends there");
	is_u64(got.irange.br[1].value, 0x08fffffe00000000, "of 2^33 bytes");
	is_u64(got.irange.soff[0], 0xfffffff0, "with the offset in front");
	is_u64(got.irange.eoff[0], 16, "and the true one behind");
	irange(0, 0xff00000000000000, 0xfffffffffffffff0);
	gives(0, "19: the last 2^56 bytes");
	is_u64(got.irange.br[1].value, 8ULL << 56, "have mask 0");
	irange(0, 0xfe00000000000000, 0xfffffffffffffff0);
	gives(PFMLIB_ERR_IRRTOOBIG, "12: the last 2^57 bytes are no block of a mask");
	irange(0, 0x7ffffffffffffff0, 0x8000000000000010);
	gives(PFMLIB_ERR_IRRTOOBIG, "12: nor is what holds both sides of 2^63");
	irange(0, 0x3ffffffffffffff0, 0x4000000000000010);
	gives(PFMLIB_ERR_IRRTOOBIG, "12: and of 2^62");
}

/* By mask, outside of the block is what is counted: it has to be the range. */
static void test_inverse_block(void)
{
	char why[256];

	begin("LOADS_RETIRED", NULL, NULL);
	irange(0, 0x10000000, 0x237c8ca0);
	gives(0, "15: a range in a block of 2^30 bytes");
	ok(result_covers(&call, &got, why, sizeof(why)), "is covered");
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_INV;
	ok(!result_covers(&call, &got, why, sizeof(why)), "but outside of it bytes are missing");
	gives(PFMLIB_ERR_IRRFLAGS, "15: so its inverse is refused");
	irange(0, 0x10000000, 0x1fffffe0);
	gives(PFMLIB_ERR_IRRFLAGS, "15: where they are behind it only");
	irange(0, 0x10000020, 0x20000000);
	gives(PFMLIB_ERR_IRRFLAGS, "15: or in front of it only");
	irange(0, 0x10000000, 0x20000000);
	gives(0, "15: a range that is a block");
	ok(result_covers(&call, &got, why, sizeof(why)), "is inverted");
	begin("IA64_INST_RETIRED", NULL, NULL);
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_INV;
	irange(0, 0x10010, 0x10030);
	gives(0, "15: in fine mode the lines of 32 bytes are reported and left out");
	ok(got.irange.soff[0] == 16 && got.irange.eoff[0] == 16, "as in the reference");
}

static void test_inverse(void)
{
	begin("LOADS_RETIRED", NULL, NULL);
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_INV;
	irange(0, 0x10000, 0x10100);
	gives(0, "15: the inverse of a range in fine mode");
	is_u64(pmc(32) >> 56 & 3, 1, "PMC32 inverts");
	irange(1, 0x20000, 0x20100);
	gives(PFMLIB_ERR_IRRFLAGS, "15: of two");
	begin("L1I_PREFETCHES", NULL, NULL);
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_INV;
	irange(0, 0x10000, 0x10100);
	gives(PFMLIB_ERR_IRRFLAGS, "15: of prefetches, which look at pair 1");
	begin("IA64_INST_RETIRED", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35", NULL);
	call.mod.pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_INV | PFMLIB_MONT_RR_NO_FINE_MODE;
	irange(0, 0x10000, 0x18000);
	gives(0, "15: of a range that one pair matches");
	irange(0, 0x10000, 0x1c000);
	gives(PFMLIB_ERR_IRRFLAGS, "15: of one that needs two");
	test_inverse_block();
	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0x1000, 0x2000);
	call.mod.pfp_mont_drange.rr_flags = PFMLIB_MONT_RR_INV;
	gives(PFMLIB_ERR_INVAL, "15: of data");
	call.mod.pfp_mont_drange.rr_flags = PFMLIB_MONT_RR_NO_FINE_MODE |
					    PFMLIB_MONT_IRR_DEMAND_FETCH |
					    PFMLIB_MONT_IRR_PREFETCH_MATCH;
	gives(0, "15: flags about code do nothing with data, as in the reference");
	is_u64(got.drange.nr, 2, "and the range is covered");
}

static void test_ds(void)
{
	begin("ETB_EVENT", NULL, NULL);
	call.mod.pfp_mont_etb.etb_used = 1;
	call.mod.pfp_mont_etb.etb_ds = 1;
	gives(0, "16: a data selector");
	is_u64(pmc(39), 0x88, "is bit 7 of PMC39");
}

static void test_undefined(void)
{
	unsigned char *const used[] = {
		&call.mod.pfp_mont_opcm1.opcm_used, &call.mod.pfp_mont_opcm2.opcm_used,
		&call.mod.pfp_mont_iear.ear_used,   &call.mod.pfp_mont_dear.ear_used,
		&call.mod.pfp_mont_etb.etb_used,    &call.mod.pfp_mont_ipear.ipear_used,
		&call.mod.pfp_mont_drange.rr_used,  &call.mod.pfp_mont_irange.rr_used,
	};
	unsigned int i;
	char what[64];

	for (i = 0; i < sizeof(used) / sizeof(*used); i++) {
		begin(NULL, NULL, NULL);
		*used[i] = 2;
		snprintf(what, sizeof(what), "17: *_used %u is 2", i);
		gives(PFMLIB_ERR_INVAL, what);
	}
	begin(NULL, NULL, NULL);
	call.has_mod = false;
	gives(PFMLIB_ERR_INVAL, "model output without model input");
}

/* What is left in the model output is not appended to. */
static void test_fresh(void)
{
	static pfmlib_mont_output_param_t mod_out;
	static pfmlib_output_param_t out;

	begin("LOADS_RETIRED", NULL, NULL);
	drange(0, 0x1000, 0x2000);
	mod_out.pfp_mont_drange.rr_nbr_used = 1000;
	mod_out.pfp_mont_irange.rr_nbr_used = 1000;
	is_u64(pfm_dispatch_events(&call.inp, &call.mod, &out, &mod_out), 0, "18: a used output");
	is_u64(mod_out.pfp_mont_drange.rr_nbr_used, 2, "is begun anew");
	is_u64(mod_out.pfp_mont_irange.rr_nbr_used, 0, "all of it");
}

int main(void)
{
	plan(0);
	pfm_force_pmu(PFMLIB_MONTECITO_PMU);
	test_widths();
	test_other_widths();
	test_one_pair();
	test_unrestricted();
	test_fine();
	test_infos();
	test_both_pairs();
	test_drrinval();
	test_covers();
	test_top();
	test_inverse();
	test_ds();
	test_undefined();
	test_fresh();
	return done();
}
