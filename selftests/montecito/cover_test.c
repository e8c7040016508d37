// SPDX-License-Identifier: GPL-2.0-only
/*
 * Covers of ranges: every range of a small space against every set of blocks, others against a
 * walk.
 */
#include <stdlib.h>

#include "naive_cover.h"
#include "random.h"
#include "tap.h"
#include "userspace/montecito/lib/mont_cover.h"

#define SPACE	  32 /* bytes */
#define NR_BLOCKS 63 /* of 1, 2, 4 to 32 bytes */
#define NR_PAIRS  4
#define NO_COVER  255
#define ROUNDS	  300000

/* The space at several addresses, so that nothing depends on its location. */
static const uint64_t places[] = { 0, 0x40, 0x6000000000000fe0, 0x1fffffffffffe0,
				   -(uint64_t)SPACE };

/* For each range and number of pairs: the bytes that a cover has at least, and its fewest blocks.
 */
static unsigned char fewest_bytes[SPACE][SPACE + 1][NR_PAIRS + 1];
static unsigned char fewest_blocks[SPACE][SPACE + 1][NR_PAIRS + 1];

static uint32_t blocks[NR_BLOCKS];

static uint32_t bytes(unsigned int start, unsigned int end)
{
	return ((1ULL << end) - 1) & ~((1ULL << start) - 1);
}

/* What this set of blocks is good for. */
static void note(uint32_t set, unsigned int nr)
{
	const unsigned int size = __builtin_popcount(set);
	unsigned int start, end;

	for (start = 0; start < SPACE; start++) {
		for (end = start + 1; end <= SPACE && set >> (end - 1) & 1; end++) {
			if (size > fewest_bytes[start][end][nr])
				continue;
			fewest_bytes[start][end][nr] = size;
			fewest_blocks[start][end][nr] = nr;
		}
	}
}

/* Every set of exactly so many blocks. */
static void all_sets(uint32_t set, unsigned int from, unsigned int left, unsigned int nr)
{
	unsigned int i;

	if (!left) {
		note(set, nr);
		return;
	}
	for (i = from; i < NR_BLOCKS; i++)
		all_sets(set | blocks[i], i + 1, left - 1, nr);
}

static void enumerate(void)
{
	unsigned int order, base, nr = 0, start, end;

	for (order = 0; order <= 5; order++) {
		for (base = 0; base < SPACE; base += 1u << order)
			blocks[nr++] = bytes(base, base + (1u << order));
	}
	memset(fewest_bytes, NO_COVER, sizeof(fewest_bytes));
	for (nr = 1; nr <= NR_PAIRS; nr++)
		all_sets(0, 0, nr, nr);
	/* more pairs may also be left over */
	for (nr = 2; nr <= NR_PAIRS; nr++) {
		for (start = 0; start < SPACE; start++) {
			for (end = start + 1; end <= SPACE; end++) {
				if (fewest_bytes[start][end][nr - 1] > fewest_bytes[start][end][nr])
					continue;
				fewest_bytes[start][end][nr] = fewest_bytes[start][end][nr - 1];
				fewest_blocks[start][end][nr] = fewest_blocks[start][end][nr - 1];
			}
		}
	}
}

/* Byte by byte, what a cover has in the space; more than that is an error. */
static uint32_t bytes_of(uint64_t place, const struct mont_cover *cover)
{
	uint32_t set = 0;
	unsigned int i, k;

	for (i = 0; i < cover->nr; i++) {
		if (cover->blocks[i].order > 5 || cover->blocks[i].base - place >= SPACE)
			return 0;
		for (k = 0; k < 1u << cover->blocks[i].order; k++)
			set |= 1u << (cover->blocks[i].base - place + k);
	}
	return set;
}

static bool best_is_best(uint64_t place, unsigned int start, unsigned int end, unsigned int nr)
{
	struct mont_cover cover;
	unsigned long soff, eoff;
	uint32_t set;

	if (!mont_cover_best(place + start, place + end, nr, &cover) ||
	    !mont_cover_valid(place + start, place + end, &cover))
		return false;
	set = bytes_of(place, &cover);
	mont_cover_offsets(place + start, place + end, &cover, &soff, &eoff);
	return (set & bytes(start, end)) == bytes(start, end) && cover.nr <= nr &&
	       __builtin_popcount(set) == fewest_bytes[start][end][nr] &&
	       cover.nr == fewest_blocks[start][end][nr] && set == bytes(start - soff, end + eoff);
}

static void test_small_space(void)
{
	unsigned int i, start, end, nr, wrong = 0, tried = 0;

	enumerate();
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		for (start = 0; start < SPACE; start++) {
			for (end = start + 1; end <= SPACE; end++) {
				/* no limit is as high as 2^64 */
				if (!(places[i] + end))
					continue;
				for (nr = 1; nr <= NR_PAIRS; nr++) {
					tried++;
					wrong += !best_is_best(places[i], start, end, nr);
				}
			}
		}
	}
	is_u64(tried, 4 * (5 * 528 - 32), "every range of %d bytes, one to four pairs", SPACE);
	is_u64(wrong, 0, "no set of blocks is better than the chosen one");
}

/* Whether a split is valid is checked byte by byte, too. */
static void test_split(void)
{
	unsigned int start, end, nr, invalid[NR_PAIRS + 1] = { 0 }, wrong = 0;
	const uint64_t place = 0x4000;
	struct mont_cover cover;
	bool aligned, valid;
	unsigned int i;
	uint32_t set;

	for (start = 0; start < SPACE; start++) {
		for (end = start + 1; end <= SPACE; end++) {
			for (nr = 1; nr <= NR_PAIRS; nr++) {
				mont_cover_split(place + start, place + end, nr, &cover);
				aligned = true;
				for (i = 0; i < cover.nr; i++)
					aligned = aligned && !(cover.blocks[i].base %
							       (1ULL << cover.blocks[i].order));
				valid = mont_cover_valid(place + start, place + end, &cover);
				set = aligned ? bytes_of(place, &cover) : 0;
				if (aligned && set)
					wrong += valid !=
						 ((set & bytes(start, end)) == bytes(start, end));
				else
					wrong += valid;
				wrong += cover.nr > nr || !cover.nr;
				invalid[nr] += !valid;
			}
		}
	}
	is_u64(wrong, 0, "what is said to be valid covers byte by byte, and only that");
	is_u64(invalid[3] + invalid[4], 0,
	       "the reference covers everything with three or four pairs");
	ok(invalid[1] > 100 && invalid[2] > 100, "and falls short with one (%u ranges) or two (%u)",
	   invalid[1], invalid[2]);
}

static void test_random(unsigned int rounds)
{
	unsigned int i, k, budget, wrong = 0, impossible = 0;
	pfmlib_mont_input_rr_desc_t range;
	struct naive_cover naive;
	struct mont_cover best;
	bool there;

	random_seed(11);
	for (i = 0; i < rounds; i++) {
		random_range(&range, 1);
		if (range.rr_start >= range.rr_end)
			continue;
		budget = 1 + random_below(NR_PAIRS);
		there = naive_cover_best(range.rr_start, range.rr_end, budget, &naive);
		impossible += !there;
		if (mont_cover_best(range.rr_start, range.rr_end, budget, &best) != there) {
			wrong++;
			continue;
		}
		if (!there)
			continue;
		wrong += best.nr != naive.nr;
		for (k = 0; k < best.nr && k < naive.nr; k++)
			wrong += best.blocks[k].base != naive.base[k] ||
				 best.blocks[k].order != naive.order[k];
		wrong += !naive_covers(&naive, range.rr_start, range.rr_end);
	}
	is_u64(wrong, 0, "%u random ranges are covered as a walk through all blocks finds", rounds);
	ok(impossible > rounds / 1000 && impossible < rounds / 2,
	   "some (%u) are too large for their pairs", impossible);
}

static void test_edges(void)
{
	const uint64_t big = 1ULL << 56;
	struct mont_cover cover;
	unsigned long soff, eoff;
	bool there;

	ok(mont_cover_best(0, big, 1, &cover) && cover.nr == 1 && cover.blocks[0].order == 56,
	   "2^56 bytes are one block");
	ok(!mont_cover_best(0, big + 1, 1, &cover), "one more does not fit one");
	ok(mont_cover_best(0, big + 1, 2, &cover) && cover.nr == 2 && cover.blocks[1].order == 0,
	   "but two");
	ok(mont_cover_best(3 * big, 7 * big, 4, &cover) && cover.nr == 4,
	   "four times 2^56 need four");
	ok(!mont_cover_best(3 * big, 7 * big + 1, 4, &cover), "more than that do not fit");
	ok(!mont_cover_best(0, UINT64_MAX, 4, &cover), "nor does everything");
	there = mont_cover_best(UINT64_MAX - 1, UINT64_MAX, 1, &cover);
	ok(there && cover.blocks[0].base == UINT64_MAX - 1 && cover.blocks[0].order == 0,
	   "the last byte that a range can have");
	mont_cover_best(UINT64_MAX - 2, UINT64_MAX, 1, &cover);
	mont_cover_offsets(UINT64_MAX - 2, UINT64_MAX, &cover, &soff, &eoff);
	ok(soff == 1 && eoff == 1, "reports the excess of a block at the end of the address space");
}

int main(int argc, char **argv)
{
	plan(0);
	test_small_space();
	test_split();
	test_random(argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS);
	test_edges();
	return done();
}
