/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Covering a range of addresses with a few blocks that an address and a mask can match. */
#ifndef ACRPFM_MONT_COVER_H
#define ACRPFM_MONT_COVER_H

#include <stdbool.h>
#include <stdint.h>

#define MONT_COVER_PAIRS     4 /* pairs of debug registers */
#define MONT_COVER_MAX_ORDER 56 /* address bits that a mask can ignore */

/**
 * struct mont_block - what one pair of debug registers matches
 * @base: first byte
 * @order: it has 2^order bytes
 */
struct mont_block {
	uint64_t base;
	unsigned int order;
};

/**
 * struct mont_cover - what several pairs match
 * @nr: how many of @blocks
 * @blocks: in the order of their pairs
 */
struct mont_cover {
	unsigned int nr;
	struct mont_block blocks[MONT_COVER_PAIRS];
};

void mont_cover_split(uint64_t start, uint64_t end, unsigned int budget, struct mont_cover *cover);
bool mont_cover_valid(uint64_t start, uint64_t end, const struct mont_cover *cover);
bool mont_cover_best(uint64_t start, uint64_t end, unsigned int budget, struct mont_cover *cover);
void mont_cover_offsets(uint64_t start, uint64_t end, const struct mont_cover *cover,
			unsigned long *soff, unsigned long *eoff);

#endif
