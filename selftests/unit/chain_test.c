// SPDX-License-Identifier: GPL-2.0-only
/* Tests of call chains: markers, the limit of frames, frame pointers in a made-up memory. */
#include "core_helpers.h"
#include "kmod/core/chain.h"

#define BASE	0x7000ULL
#define POISON	0xccccccccccccccccULL

/* The only memory there is, at BASE. */
static u64 memory[8];

static bool read_memory(void *to, u64 from, u32 size)
{
	if (from < BASE || from > BASE + sizeof(memory) - size)
		return false;
	memcpy(to, (char *)memory + (from - BASE), size);
	return true;
}

static void check(const char *what, const struct acrpmu_chain *chain, const u64 *want, u32 nr)
{
	is_u64(chain->nr, nr, "%s: entries", what);
	ok(!memcmp(chain->entries, want, nr * sizeof(*want)), "%s: addresses", what);
	is_u64(chain->entries[nr], POISON, "%s: nothing behind them", what);
}

static void follow(struct acrpmu_chain *chain, u64 *entries, u64 fp, u32 word, u32 max)
{
	memset(entries, 0xcc, (ACRPMU_CHAIN_ENTRIES + 1) * sizeof(*entries));
	*chain = (struct acrpmu_chain){ .entries = entries, .max_frames = max };
	acrpmu_chain_mark(chain, PERF_CONTEXT_USER);
	acrpmu_chain_add(chain, 0x400);
	acrpmu_chain_follow(chain, fp, word, read_memory);
}

static void test_follow(void)
{
	static const u64 all[] = { PERF_CONTEXT_USER, 0x400, 0x401, 0x402 };
	static const u64 none[] = { PERF_CONTEXT_USER, 0x400 };
	u64 entries[ACRPMU_CHAIN_ENTRIES + 1];
	struct acrpmu_chain chain;

	memory[0] = BASE + 32;
	memory[1] = 0x401;
	memory[4] = 0;
	memory[5] = 0x402;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	check("ends with a frame pointer of 0", &chain, all, 4);
	memory[4] = ~0ULL;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	check("ends with one beyond the end", &chain, all, 4);
	memory[4] = BASE + sizeof(memory) - 8;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	check("ends with a frame of which half can be read", &chain, all, 4);
	follow(&chain, entries, 0, 8, ACRPMU_MAX_STACK);
	check("no frame pointer at all", &chain, none, 2);
	follow(&chain, entries, BASE, 8, 1);
	check("room for one frame", &chain, none, 2);
	follow(&chain, entries, BASE, 8, 3);
	check("room for all frames", &chain, all, 4);
	memory[0] = (BASE + 32) | 0x401ULL << 32;
	memory[4] = 0x402ULL << 32;
	follow(&chain, entries, BASE, 4, ACRPMU_MAX_STACK);
	check("pointers of 32 bits", &chain, all, 4);
}

/* Whoever reads a chain of user level must find no frames of the kernel in it. */
static void test_no_forged_markers(void)
{
	static const u64 before[] = { PERF_CONTEXT_USER, 0x400 };
	static const u64 kept[] = { PERF_CONTEXT_USER, 0x400, PERF_CONTEXT_MAX - 1, 0x402 };
	u64 entries[ACRPMU_CHAIN_ENTRIES + 1];
	struct acrpmu_chain chain;

	memory[0] = BASE + 32;
	memory[1] = PERF_CONTEXT_KERNEL;
	memory[4] = 0;
	memory[5] = 0x402;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	check("ends before a return address of the kernel's marker", &chain, before, 2);
	memory[1] = PERF_CONTEXT_MAX;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	check("and before the lowest that can be a marker", &chain, before, 2);
	memory[1] = PERF_CONTEXT_MAX - 1;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	check("not before others", &chain, kept, 4);
	chain.nr = 0;
	chain.nr_frames = 0;
	ok(!acrpmu_chain_add(&chain, PERF_CONTEXT_KERNEL), "nor is it a first frame");
	is_u64(chain.nr, 0, "which leaves none");
}

static void test_limit(void)
{
	u64 entries[ACRPMU_CHAIN_ENTRIES + 1];
	struct acrpmu_chain chain;

	memory[0] = BASE;
	memory[1] = 0x401;
	follow(&chain, entries, BASE, 8, ACRPMU_MAX_STACK);
	is_u64(chain.nr, 1 + 127, "a circle ends at the limit, 127");
	is_u64(chain.nr_frames, 127, "the marker is no frame");
	ok(!acrpmu_chain_add(&chain, 1), "no more frames");
	acrpmu_chain_mark(&chain, PERF_CONTEXT_USER);
	is_u64(chain.nr, ACRPMU_CHAIN_ENTRIES, "there is always room for a second marker");
	is_u64(entries[ACRPMU_CHAIN_ENTRIES], POISON, "and nothing behind it");
}

int main(void)
{
	plan(0);
	test_follow();
	test_no_forged_markers();
	test_limit();
	return done();
}
