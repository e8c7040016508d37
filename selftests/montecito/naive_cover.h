/* SPDX-License-Identifier: GPL-2.0-only */
/* Naive covers of ranges by blocks. */
#ifndef ACRPFM_TEST_NAIVE_COVER_H
#define ACRPFM_TEST_NAIVE_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "naive.h"

typedef unsigned __int128 u128;

/**
 * struct naive_cover - blocks
 * @nr: how many
 * @base: first byte of each
 * @order: each has 2^order bytes
 */
struct naive_cover {
	unsigned int nr;
	uint64_t base[4];
	unsigned int order[4];
};

unsigned int naive_highest_bit(uint64_t v, unsigned int decisions);
bool naive_covers(const struct naive_cover *c, uint64_t start, uint64_t end);
bool naive_aligned(const struct naive_cover *c, unsigned int max_order);
bool naive_cover_best(uint64_t start, uint64_t end, unsigned int budget, struct naive_cover *cover);
int naive_cover_all(const pfmlib_mont_input_rr_desc_t *ranges, unsigned int nr,
		    unsigned int decisions, struct naive_cover *covers, uint64_t *soff,
		    uint64_t *eoff);

#endif
