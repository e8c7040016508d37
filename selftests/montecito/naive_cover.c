// SPDX-License-Identifier: GPL-2.0-only
/* Naive covers of ranges: the reference's step by step, and the best by walking all blocks. */
#include <math.h>
#include <string.h>

#include "naive_cover.h"

#define NR_PAIRS   4
#define MASK_ORDER 56

static u128 size_of(unsigned int order)
{
	return (u128)1 << order;
}

/**
 * naive_highest_bit() - position of the highest bit that is set
 * @v: not 0
 * @decisions: without DECIDE_EXACT as the reference finds it, through a double
 *
 * Return: 0 to 63, or 64 where a double has been rounded up to 2^64.
 */
unsigned int naive_highest_bit(uint64_t v, unsigned int decisions)
{
	unsigned int bit = 0;

	if (!(decisions & DECIDED(DECIDE_EXACT)))
		return ilogb((double)v);
	while (v >>= 1)
		bit++;
	return bit;
}

/* Section 11.4 in its own words, in arithmetic that wraps at 2^64. */
static void reference(uint64_t start, uint64_t end, unsigned int budget, char direction,
		      unsigned int decisions, struct naive_cover *c)
{
	uint64_t cut, a, left, right;
	unsigned int p, to_left, to_right;

	if (budget < 1 || end <= start)
		return;
	p = naive_highest_bit(end - start, decisions);
	cut = end - end % (u128)size_of(p);
	if ((u128)start + size_of(p) <= cut) {
		a = cut - (uint64_t)size_of(p);
	} else {
		p = p - 1;
		a = cut + size_of(p) <= end ? cut : cut - (uint64_t)size_of(p);
	}
	left = a - start;
	right = end - (a + (uint64_t)size_of(p));
	if (budget == 1 && direction == 'l' && left != 0) {
		p = p + 1;
		a = end - (uint64_t)size_of(p);
	} else if (budget == 1 && direction == 'r' && right != 0) {
		p = p + 1;
		a = start;
	}
	left = a - start;
	right = end - (a + (uint64_t)size_of(p));
	c->base[c->nr] = a;
	c->order[c->nr] = p;
	c->nr++;
	budget -= 1;
	if (left == 0 && right == 0)
		return;
	to_left = budget / 2 + (budget % 2 == 1 && left > right);
	to_right = budget / 2 + (budget % 2 == 1 && !(left > right));
	reference(start, a, to_left, 'l', decisions, c);
	reference(a + (uint64_t)size_of(p), end, to_right, 'r', decisions, c);
}

/**
 * naive_covers() - whether every byte of a range is in a block
 * @c: the blocks
 * @start: first byte
 * @end: first byte behind it
 *
 * Return: true if so.
 */
bool naive_covers(const struct naive_cover *c, uint64_t start, uint64_t end)
{
	unsigned int i;

	/* take away what a block covers, and ask the same of the rest on its both sides */
	if (start >= end)
		return true;
	for (i = 0; i < c->nr; i++) {
		const u128 first = c->base[i], behind = first + size_of(c->order[i]);

		if (first >= end || behind <= start)
			continue;
		return (first <= start || naive_covers(c, start, first)) &&
		       (behind >= end || naive_covers(c, behind, end));
	}
	return false;
}

/**
 * naive_aligned() - whether every block is one that an address and a mask can match
 * @c: the blocks
 * @max_order: largest block
 *
 * Return: true if so.
 */
bool naive_aligned(const struct naive_cover *c, unsigned int max_order)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		if (c->order[i] > max_order || c->base[i] % size_of(c->order[i]))
			return false;
	}
	return true;
}

/* How good a cover of a part of the tree of blocks is; impossible ones have no good. */
struct choice {
	bool possible;
	u128 excess;
	struct naive_cover c;
};

static bool better(const struct choice *a, const struct choice *b)
{
	if (!a->possible || !b->possible)
		return a->possible;
	if (a->excess != b->excess)
		return a->excess < b->excess;
	if (a->c.nr != b->c.nr)
		return a->c.nr < b->c.nr;
	return a->c.nr && a->c.base[0] < b->c.base[0];
}

static struct choice join(const struct choice *a, const struct choice *b)
{
	struct choice both = *a;
	unsigned int i;

	both.possible = a->possible && b->possible && a->c.nr + b->c.nr <= NR_PAIRS;
	if (!both.possible)
		return both;
	both.excess += b->excess;
	for (i = 0; i < b->c.nr; i++) {
		both.c.base[both.c.nr] = b->c.base[i];
		both.c.order[both.c.nr++] = b->c.order[i];
	}
	return both;
}

static u128 overlap(u128 base, unsigned int order, uint64_t start, uint64_t end)
{
	const u128 low = base > start ? base : start;
	const u128 high = base + size_of(order) < end ? base + size_of(order) : end;

	return high > low ? high - low : 0;
}

/* The best cover of what a range has in the block of that order at base. */
static struct choice walk(u128 base, unsigned int order, uint64_t start, uint64_t end,
			  unsigned int budget, unsigned int max_order)
{
	const u128 inside = overlap(base, order, start, end);
	struct choice best = { .possible = false }, low, high, both;
	u128 half, left, right;
	unsigned int k, from = 1, to = budget - 1;

	if (!inside) {
		best.possible = true;
		return best;
	}
	if (!budget)
		return best;
	if (order <= max_order) {
		best.possible = true;
		best.excess = size_of(order) - inside;
		best.c.nr = 1;
		best.c.base[0] = base;
		best.c.order[0] = order;
		if (!best.excess)
			return best;
	} else if (inside > budget * size_of(max_order)) {
		return best;
	}
	half = base + size_of(order - 1);
	left = overlap(base, order - 1, start, end);
	right = overlap(half, order - 1, start, end);
	/* a half outside of the range takes no pair, and one that is in it as a whole takes one */
	if (!left)
		from = 0, to = 0;
	else if (!right)
		from = budget, to = budget;
	else if (order <= max_order + 1 && left == size_of(order - 1))
		to = from;
	else if (order <= max_order + 1 && right == size_of(order - 1))
		from = to;
	for (k = from; k <= to; k++) {
		low = walk(base, order - 1, start, end, k, max_order);
		high = walk(half, order - 1, start, end, budget - k, max_order);
		both = join(&low, &high);
		if (better(&both, &best))
			best = both;
	}
	return best;
}

/**
 * naive_cover_best() - the cover of a range with the smallest excess
 * @start: first byte
 * @end: first byte behind it
 * @budget: blocks that it may have
 * @cover: receives it
 *
 * Return: false if there is none.
 */
bool naive_cover_best(uint64_t start, uint64_t end, unsigned int budget, struct naive_cover *cover)
{
	const struct choice best = walk(0, 64, start, end, budget, MASK_ORDER);

	*cover = best.c;
	return best.possible;
}

/* Tries every distribution of the pairs over the ranges that need a cover, fewest first. */
static u128 share(const pfmlib_mont_input_rr_desc_t *ranges, unsigned int nr, unsigned int wrong,
		  unsigned int budget, unsigned int max_order, struct naive_cover *covers,
		  bool *possible)
{
	struct naive_cover rest[4], best[4];
	unsigned int i = __builtin_ctz(wrong), k;
	u128 best_excess = 0;

	*possible = false;
	for (k = 1; k <= budget; k++) {
		struct choice own = walk(0, 64, ranges[i].rr_start, ranges[i].rr_end, k, max_order);
		bool others = true;

		if (!own.possible)
			continue;
		memcpy(rest, covers, sizeof(rest));
		rest[i] = own.c;
		if (wrong & (wrong - 1))
			own.excess += share(ranges, nr, wrong & (wrong - 1), budget - k, max_order,
					    rest, &others);
		if (!others || (*possible && own.excess >= best_excess))
			continue;
		*possible = true;
		best_excess = own.excess;
		memcpy(best, rest, sizeof(best));
	}
	if (*possible)
		memcpy(covers, best, sizeof(best));
	return best_excess;
}

static void offsets(const struct naive_cover *c, uint64_t start, uint64_t end,
		    unsigned int decisions, uint64_t *soff, uint64_t *eoff)
{
	unsigned int i;

	*soff = 0;
	*eoff = 0;
	for (i = 0; i < c->nr; i++) {
		u128 behind = (u128)c->base[i] + size_of(c->order[i]);

		if (!(decisions & DECIDED(DECIDE_MASK)) && c->order[i] >= MASK_ORDER)
			behind = c->base[i];
		if (!(decisions & DECIDED(DECIDE_TOP)))
			behind = (uint64_t)behind;
		if (c->base[i] <= start)
			*soff = start - c->base[i];
		if (behind >= end)
			*eoff = behind - end;
	}
}

/**
 * naive_cover_all() - cover all ranges with four pairs of registers
 * @ranges: the ranges
 * @nr: how many
 * @decisions: DECIDE_COVER and the like
 * @covers: receives the blocks of each
 * @soff: receives the bytes in front of each
 * @eoff: receives the bytes behind each
 *
 * Return: 0, PFMLIB_ERR_TOOMANY: the first ranges take all pairs, or PFMLIB_ERR_IRRTOOBIG: a range
 * is larger than any cover.
 */
int naive_cover_all(const pfmlib_mont_input_rr_desc_t *ranges, unsigned int nr,
		    unsigned int decisions, struct naive_cover *covers, uint64_t *soff,
		    uint64_t *eoff)
{
	const unsigned int max_order = decisions & DECIDED(DECIDE_MASK) ? MASK_ORDER : 64;
	unsigned int i, used = 0, kept = 0, wrong = 0;
	bool possible = true;

	for (i = 0; i < nr; i++) {
		const uint64_t start = ranges[i].rr_start, end = ranges[i].rr_end;
		bool good = true;

		if (used == NR_PAIRS)
			return PFMLIB_ERR_TOOMANY;
		memset(&covers[i], 0, sizeof(covers[i]));
		reference(start, end, NR_PAIRS - used, 'l', decisions, &covers[i]);
		used += covers[i].nr;
		if (decisions & DECIDED(DECIDE_COVER))
			good = naive_aligned(&covers[i], 64) &&
			       naive_covers(&covers[i], start, end);
		if (decisions & DECIDED(DECIDE_MASK))
			good = good && naive_aligned(&covers[i], MASK_ORDER);
		if (good)
			kept += covers[i].nr;
		else
			wrong |= 1u << i;
	}
	if (wrong)
		share(ranges, nr, wrong, NR_PAIRS - kept, max_order, covers, &possible);
	if (!possible)
		return PFMLIB_ERR_IRRTOOBIG;
	for (i = 0; i < nr; i++)
		offsets(&covers[i], ranges[i].rr_start, ranges[i].rr_end, decisions, &soff[i],
			&eoff[i]);
	return 0;
}
