/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What code ranges and data ranges have in common. */
#ifndef ACRPFM_MONT_RANGE_H
#define ACRPFM_MONT_RANGE_H

#include "mont_call.h"
#include "mont_cover.h"

/**
 * struct mont_range_kind - differences between code and data
 * @name: "code" or "data"
 * @align: limits are multiples of it
 * @bad: error of an empty or reversed range, or none at all
 * @unaligned: error of a limit that is not a multiple of @align
 * @too_many: error of ranges for which there are not enough pairs
 * @too_big: error of a range that is larger than the pairs can cover
 */
struct mont_range_kind {
	const char *name;
	unsigned int align;
	int bad;
	int unaligned;
	int too_many;
	int too_big;
};

int mont_range_count(const pfmlib_mont_input_rr_t *in, const struct mont_range_kind *kind,
		     unsigned int *nr);
void mont_range_add_pair(const struct mont_call *call, pfmlib_mont_output_rr_t *out,
			 unsigned int num, uint64_t address, uint64_t mask, unsigned int plm);
uint64_t mont_range_mask(unsigned int order);
int mont_range_cover(const struct mont_call *call, const pfmlib_mont_input_rr_t *in,
		     unsigned int nr, const struct mont_range_kind *kind,
		     pfmlib_mont_output_rr_t *out);

#endif
