// SPDX-License-Identifier: LGPL-2.1-or-later
/* Code or data ranges: checks their list and covers all of them with four pairs. */
#include <string.h>

#include "mont_range.h"

#define NR_RANGES 4

/* The second register of a pair: bits of the address that are compared, and privilege levels. */
#define MASK_BITS 0x00ffffffffffffffULL
#define PLM_SHIFT 56
#define PLM_BITS  0xf

/**
 * mont_range_count() - check the limits of all ranges
 * @in: the ranges; one with start and end 0 ends the list
 * @kind: of code or of data
 * @nr: out, their number
 *
 * Return: PFMLIB_SUCCESS, @kind->bad: a range is empty or reversed, or there is none; or
 * @kind->unaligned.
 */
int mont_range_count(const pfmlib_mont_input_rr_t *in, const struct mont_range_kind *kind,
		     unsigned int *nr)
{
	unsigned int i;

	for (i = 0; i < NR_RANGES; i++) {
		const pfmlib_mont_input_rr_desc_t *range = &in->rr_limits[i];

		if (!range->rr_start && !range->rr_end)
			break;
		if (range->rr_start >= range->rr_end)
			return mont_refuse(kind->bad,
					   "%s range 0x%lx to 0x%lx is empty; its end is the "
					   "first byte after it and must be above its start",
					   kind->name, range->rr_start, range->rr_end);
		if (range->rr_start % kind->align || range->rr_end % kind->align)
			return mont_refuse(kind->unaligned,
					   "%s range 0x%lx to 0x%lx starts or ends inside a "
					   "bundle; use multiples of %u",
					   kind->name, range->rr_start, range->rr_end, kind->align);
	}
	*nr = i;
	if (!i)
		return mont_refuse(kind->bad,
				   "%s ranges are used, but there is none; add one, or set rr_used to 0",
				   kind->name);
	return PFMLIB_SUCCESS;
}

/**
 * mont_range_mask() - mask for a block
 * @order: the block has 2^order bytes, up to MONT_COVER_MAX_ORDER
 *
 * Return: bits of the address that are compared.
 */
uint64_t mont_range_mask(unsigned int order)
{
	return MASK_BITS & -(1ULL << order);
}

/**
 * mont_range_add_pair() - append a pair of debug registers
 * @out: the registers so far, with room for two
 * @num: number of the first of the two
 * @address: value of the first
 * @mask: bits of the address that are compared
 * @plm: privilege levels, 0: the default
 */
void mont_range_add_pair(const struct mont_call *call, pfmlib_mont_output_rr_t *out,
			 unsigned int num, uint64_t address, uint64_t mask, unsigned int plm)
{
	const uint64_t levels = mont_call_plm(call, plm) & PLM_BITS;
	pfmlib_reg_t *reg = &out->rr_br[out->rr_nbr_used];
	unsigned int i;

	memset(reg, 0, 2 * sizeof(*reg));
	reg[0].reg_value = address;
	reg[1].reg_value = mask | levels << PLM_SHIFT;
	for (i = 0; i < 2; i++) {
		reg[i].reg_num = num + i;
		reg[i].reg_addr = num + i;
		reg[i].reg_alt_addr = num + i;
	}
	out->rr_nbr_used += 2;
}

/**
 * struct covers - covers of all ranges
 * @in: the ranges
 * @nr: number of ranges
 * @of: the cover of each
 * @wrong: bit n: range n has no valid cover yet
 */
struct covers {
	const pfmlib_mont_input_rr_t *in;
	unsigned int nr;
	struct mont_cover of[NR_RANGES];
	unsigned int wrong;
};

/*
 * Like the reference, cover each range with the pairs that the ranges before it left. Returns the
 * number of pairs in valid covers, or -1.
 */
static int cover_in_turn(struct covers *c)
{
	unsigned int i, used = 0, valid = 0;

	for (i = 0; i < c->nr; i++) {
		const pfmlib_mont_input_rr_desc_t *range = &c->in->rr_limits[i];

		if (used == MONT_COVER_PAIRS)
			return -1;
		mont_cover_split(range->rr_start, range->rr_end, MONT_COVER_PAIRS - used,
				 &c->of[i]);
		used += c->of[i].nr;
		if (mont_cover_valid(range->rr_start, range->rr_end, &c->of[i]))
			valid += c->of[i].nr;
		else
			c->wrong |= 1u << i;
	}
	return valid;
}

static uint64_t excess_of(const pfmlib_mont_input_rr_desc_t *range, const struct mont_cover *cover)
{
	unsigned long soff, eoff;

	mont_cover_offsets(range->rr_start, range->rr_end, cover, &soff, &eoff);
	return soff + eoff;
}

/*
 * Cover the ranges from i on that have no valid cover with at most so many pairs and the least
 * total excess; on a tie the first ranges get the fewest pairs. Returns the excess, or UINT64_MAX:
 * impossible.
 */
static uint64_t cover_wrong(struct covers *c, unsigned int i, unsigned int pairs)
{
	uint64_t excess, best = UINT64_MAX;
	struct covers trial;
	unsigned int k;

	while (i < c->nr && !(c->wrong >> i & 1))
		i++;
	if (i == c->nr)
		return 0;
	for (k = 1; k <= pairs; k++) {
		const pfmlib_mont_input_rr_desc_t *range = &c->in->rr_limits[i];

		trial = *c;
		if (!mont_cover_best(range->rr_start, range->rr_end, k, &trial.of[i]))
			continue;
		excess = cover_wrong(&trial, i + 1, pairs - k);
		if (excess == UINT64_MAX)
			continue;
		excess += excess_of(range, &trial.of[i]);
		if (excess < best) {
			best = excess;
			*c = trial;
		}
	}
	return best;
}

/**
 * mont_range_cover() - append the registers that cover all ranges
 * @in: the ranges, checked
 * @nr: number of ranges
 * @kind: of code or of data
 * @out: out, initially empty
 *
 * Ranges that the reference covers keep its choice; the others share the remaining pairs.
 *
 * Return: PFMLIB_SUCCESS, @kind->too_many: the first ranges take all pairs, or @kind->too_big.
 */
int mont_range_cover(const struct mont_call *call, const pfmlib_mont_input_rr_t *in,
		     unsigned int nr, const struct mont_range_kind *kind,
		     pfmlib_mont_output_rr_t *out)
{
	struct covers covers = { .in = in, .nr = nr };
	unsigned int i, k, pair = 0;
	int valid_pairs;

	valid_pairs = cover_in_turn(&covers);
	if (valid_pairs < 0)
		return mont_refuse(kind->too_many,
				   "the first of %u %s ranges need all %d pairs of debug "
				   "registers; use fewer ranges, or larger and better aligned ones",
				   nr, kind->name, MONT_COVER_PAIRS);
	if (cover_wrong(&covers, 0, MONT_COVER_PAIRS - valid_pairs) == UINT64_MAX)
		return mont_refuse(kind->too_big,
				   "a %s range needs more blocks of 2^%d bytes, the largest that a mask "
				   "matches, than there are pairs of debug registers; use a smaller range",
				   kind->name, MONT_COVER_MAX_ORDER);
	for (i = 0; i < nr; i++) {
		const pfmlib_mont_input_rr_desc_t *range = &in->rr_limits[i];

		for (k = 0; k < covers.of[i].nr; k++)
			mont_range_add_pair(call, out, 2 * pair++, covers.of[i].blocks[k].base,
					    mont_range_mask(covers.of[i].blocks[k].order),
					    range->rr_plm);
		mont_cover_offsets(range->rr_start, range->rr_end, &covers.of[i],
				   &out->rr_infos[i].rr_soff, &out->rr_infos[i].rr_eoff);
	}
	return PFMLIB_SUCCESS;
}
