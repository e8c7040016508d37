// SPDX-License-Identifier: LGPL-2.1-or-later
/* Covers a range of addresses with a few blocks: like the reference, or with the least excess. */
#include "mont_cover.h"

/* 2^64 wraps to 0. */
static uint64_t size_of(unsigned int order)
{
	return order < 64 ? 1ULL << order : 0;
}

static uint64_t last_of(const struct mont_block *block)
{
	return block->base + size_of(block->order) - 1;
}

static void split(uint64_t start, uint64_t end, unsigned int budget, bool to_the_right,
		  struct mont_cover *cover)
{
	uint64_t cut, base, left, right;
	unsigned int order, half;

	if (budget < 1 || end <= start)
		return;
	/* the largest block inside, or about in the middle where that is not aligned */
	order = 63 - __builtin_clzll(end - start);
	cut = end & -size_of(order);
	base = cut - size_of(order);
	if (base < start) {
		order--;
		base = cut + size_of(order) <= end ? cut : cut - size_of(order);
	}
	left = base - start;
	right = end - (base + size_of(order));
	/* the last pair of a side covers all of it */
	if (budget == 1 && !to_the_right && left) {
		order++;
		base = end - size_of(order);
	} else if (budget == 1 && to_the_right && right) {
		order++;
		base = start;
	}
	cover->blocks[cover->nr++] = (struct mont_block){ base, order };
	budget--;
	half = budget / 2;
	split(start, base, left > right ? budget - half : half, false, cover);
	split(base + size_of(order), end, left > right ? half : budget - half, true, cover);
}

/**
 * mont_cover_split() - cover a range like the reference
 * @start: first byte
 * @end: first byte after it, above @start
 * @budget: pairs available, 1 to MONT_COVER_PAIRS
 * @cover: out, the blocks
 *
 * The first block covers the middle; the remaining pairs cover both sides, more of them
 * the larger one. With one or two pairs the result may cover too little or have blocks that no mask
 * can match, so check it with mont_cover_valid().
 */
void mont_cover_split(uint64_t start, uint64_t end, unsigned int budget, struct mont_cover *cover)
{
	cover->nr = 0;
	split(start, end, budget, false, cover);
}

/**
 * mont_cover_valid() - check that debug registers can match all blocks and these cover a range
 * @start: first byte
 * @end: first byte after it, above @start
 * @cover: the blocks
 *
 * Return: true if every block is aligned to its size and fits a mask, and the blocks cover every
 * byte of the range.
 */
bool mont_cover_valid(uint64_t start, uint64_t end, const struct mont_cover *cover)
{
	unsigned int i, round;

	for (i = 0; i < cover->nr; i++) {
		const struct mont_block *block = &cover->blocks[i];

		if (block->order > MONT_COVER_MAX_ORDER ||
		    block->base & (size_of(block->order) - 1))
			return false;
	}
	/* each round passes at least one block */
	for (round = 0; round < cover->nr; round++) {
		for (i = 0; i < cover->nr; i++) {
			if (cover->blocks[i].base > start || last_of(&cover->blocks[i]) < start)
				continue;
			if (last_of(&cover->blocks[i]) >= end - 1)
				return true;
			start = last_of(&cover->blocks[i]) + 1;
		}
	}
	return false;
}

/* Cover exactly first to last with the fewest blocks; fails if they exceed the budget. */
static bool tile(uint64_t first, uint64_t last, unsigned int budget, struct mont_cover *cover)
{
	unsigned int order;

	cover->nr = 0;
	do {
		if (cover->nr == budget)
			return false;
		/* the largest block that starts here and does not pass the end */
		order = first ? __builtin_ctzll(first) : MONT_COVER_MAX_ORDER;
		if (order > MONT_COVER_MAX_ORDER)
			order = MONT_COVER_MAX_ORDER;
		while (size_of(order) - 1 > last - first)
			order--;
		cover->blocks[cover->nr++] = (struct mont_block){ first, order };
		first += size_of(order);
	} while (first && first <= last);
	return true;
}

/**
 * mont_cover_best() - cover a range with the smallest excess
 * @start: first byte
 * @end: first byte after it, above @start
 * @budget: pairs available, 1 to MONT_COVER_PAIRS
 * @cover: out, the blocks in ascending order; undefined if there is no cover
 *
 * A minimal cover has no holes, starts at or below @start on a boundary of its first block and ends
 * on a boundary of its last block, so trying all sizes of these two blocks is enough. Of covers
 * with the same excess the one with the fewest blocks wins, then the one that starts lowest.
 *
 * Return: false if the range is too large for @budget blocks of 2^56 bytes.
 */
bool mont_cover_best(uint64_t start, uint64_t end, unsigned int budget, struct mont_cover *cover)
{
	uint64_t first, last, excess, best = UINT64_MAX;
	unsigned int front, back;
	struct mont_cover tiles;

	cover->nr = 0;
	for (front = 0; front <= MONT_COVER_MAX_ORDER; front++) {
		first = start & -size_of(front);
		for (back = 0; back <= MONT_COVER_MAX_ORDER; back++) {
			last = (end - 1) | (size_of(back) - 1);
			excess = (start - first) + (last - (end - 1));
			if (excess > best || !tile(first, last, budget, &tiles))
				continue;
			if (excess < best || tiles.nr < cover->nr ||
			    (tiles.nr == cover->nr && first < cover->blocks[0].base))
				*cover = tiles;
			best = excess;
		}
	}
	return cover->nr > 0;
}

/**
 * mont_cover_offsets() - measure how far a cover exceeds a range
 * @start: first byte
 * @end: first byte after it, above @start
 * @cover: a valid cover of it
 * @soff: out, bytes covered before @start
 * @eoff: out, bytes covered from @end on
 */
void mont_cover_offsets(uint64_t start, uint64_t end, const struct mont_cover *cover,
			unsigned long *soff, unsigned long *eoff)
{
	uint64_t first = start, last = end - 1;
	unsigned int i;

	for (i = 0; i < cover->nr; i++) {
		if (cover->blocks[i].base < first)
			first = cover->blocks[i].base;
		if (last_of(&cover->blocks[i]) > last)
			last = last_of(&cover->blocks[i]);
	}
	*soff = start - first;
	*eoff = last - (end - 1);
}
