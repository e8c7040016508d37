// SPDX-License-Identifier: GPL-2.0-only
/* Tests of offcore response values: those of Intel's event files, and their parts. */
#include "event.h"
#include "offcore.h"
#include "tap.h"

#define RD		(KIND(EV_RD_HIT) | KIND(EV_RD_MISS))
#define WR		(KIND(EV_WR_HIT) | KIND(EV_WR_MISS))
#define CODE		(KIND(EV_CODE_HIT) | KIND(EV_CODE_MISS))
#define RD_CYC		(KIND(EV_RD_HIT_CYC) | KIND(EV_RD_MISS_CYC))
#define WR_CYC		(KIND(EV_WR_HIT_CYC) | KIND(EV_WR_MISS_CYC))
#define CODE_CYC	(KIND(EV_CODE_HIT_CYC) | KIND(EV_CODE_MISS_CYC))

struct value {
	uint64_t value;
	uint32_t kinds;
	const char *what;
};

static const struct value goldmont[] = {
	{ 0x10001, RD, "data reads, any response" },
	{ 0x10002, WR, "reads for ownership, any response" },
	{ 0x10004, CODE, "code reads, any response" },
	{ 0x18000, RD | WR | CODE, "any request, any response" },
	{ 0x10003, RD | WR, "two requests" },
	{ 0x40001, KIND(EV_RD_HIT), "data reads, L2 hit" },
	{ 0x40004, KIND(EV_CODE_HIT), "code reads, L2 hit" },
	{ 0x48000, KIND(EV_RD_HIT) | KIND(EV_WR_HIT) | KIND(EV_CODE_HIT), "any request, L2 hit" },
	{ 0x3600000001, KIND(EV_RD_MISS), "data reads, L2 miss, any snoop" },
	{ 0x200000002, KIND(EV_WR_MISS), "ownership, L2 miss, no snoop needed" },
	{ 0x400000001, 0, "another core has the line: never" },
	{ 0x1000000004, 0, "another core has it modified: never" },
	{ 0x3600040004, CODE, "hits and misses are all responses" },
	{ 0x10010, 0, "prefetches, which the model does not make" },
	{ 0x1, 0, "no response" },
	{ 0x10000, 0, "no request" },
	{ 0x4000000001, RD_CYC, "data reads outstanding" },
	{ 0x4000000006, WR_CYC | CODE_CYC, "two kinds outstanding" },
	{ 0x4000008000, RD_CYC | WR_CYC | CODE_CYC, "any outstanding" },
	{ 0x4000040001, RD_CYC, "outstanding, whatever the response" },
};

static const struct value darkmont[] = {
	{ 0x10001, RD, "data reads, any response" },
	{ 0x33fbfc00001, KIND(EV_RD_MISS), "data reads, L3 miss" },
	{ 0x33fbfc00002, KIND(EV_WR_MISS), "ownership, L3 miss" },
	{ 0x184000001, KIND(EV_RD_MISS), "data reads, local DRAM" },
	{ 0x730000001, 0, "data reads, remote DRAM: never" },
	{ 0x1003c0001, KIND(EV_RD_HIT), "data reads, L3 hit, no snoop needed" },
	{ 0x10003c0001, 0, "L3 hit, modified elsewhere: never" },
	{ 0x3c0001, 0, "L3 hit, no snoop result" },
	{ 0x18000, 0, "bit 15 is a request of another kind" },
	{ 1ULL << 63 | 4, CODE_CYC, "code reads outstanding" },
	{ 1ULL << 63 | 0x10001, RD_CYC, "outstanding, whatever the response" },
	{ 0x4000000001, 0, "bit 38 is a snoop result" },
};

static void check(const char *name, const struct offcore_layout *layout, const struct value *v,
		  unsigned int nr)
{
	for (; nr--; v++)
		is_u64(offcore_kinds(layout, v->value), v->kinds, "%s %#llx: %s", name,
		       (unsigned long long)v->value, v->what);
}

int main(void)
{
	plan(0);
	check("goldmont", &offcore_goldmont, goldmont, sizeof(goldmont) / sizeof(goldmont[0]));
	check("darkmont", &offcore_darkmont, darkmont, sizeof(darkmont) / sizeof(darkmont[0]));
	return done();
}
