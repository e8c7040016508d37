/* SPDX-License-Identifier: GPL-2.0-only */
/* A second, naive pfm_dispatch_events(): the reference as described, and each decision on its own.
 */
#ifndef ACRPFM_TEST_NAIVE_H
#define ACRPFM_TEST_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/pfmlib_montecito.h>

/* Decisions as Documentation/montecito.rst numbers them; here those that change a result. */
enum naive_decision {
	DECIDE_WIDTH = 4,
	DECIDE_ONE_PAIR = 5,
	DECIDE_FINE = 6,
	DECIDE_INFOS = 7,
	DECIDE_BOTH_PAIRS = 8,
	DECIDE_DRRINVAL = 10,
	DECIDE_COVER = 11,
	DECIDE_MASK = 12,
	DECIDE_EXACT = 13,
	DECIDE_INVERSE = 15,
	DECIDE_DS = 16,
	DECIDE_UNDEFINED = 17,
	DECIDE_FRESH = 18,
	DECIDE_TOP = 19,
	DECIDE_LAST = 19,
};

#define DECIDED(k)  (1u << (k))
#define NO_DECISION 0u
#define ALL_DECISIONS                                                                    \
	(DECIDED(DECIDE_WIDTH) | DECIDED(DECIDE_ONE_PAIR) | DECIDED(DECIDE_FINE) |       \
	 DECIDED(DECIDE_INFOS) | DECIDED(DECIDE_BOTH_PAIRS) | DECIDED(DECIDE_DRRINVAL) | \
	 DECIDED(DECIDE_COVER) | DECIDED(DECIDE_MASK) | DECIDED(DECIDE_EXACT) |          \
	 DECIDED(DECIDE_INVERSE) | DECIDED(DECIDE_DS) | DECIDED(DECIDE_UNDEFINED) |      \
	 DECIDED(DECIDE_FRESH) | DECIDED(DECIDE_TOP))

#define NAIVE_MAX_PMCS 32
#define NAIVE_MAX_PMDS 64

/**
 * struct naive_reg - a register
 * @num: number
 * @addr: both addresses
 * @value: what to write
 */
struct naive_reg {
	unsigned int num;
	unsigned int addr;
	uint64_t value;
};

/**
 * struct naive_ranges - the debug registers of code or data ranges
 * @nr: how many of @br
 * @soff: for each range the bytes in front
 * @eoff: for each range the bytes behind
 * @br: the registers
 */
struct naive_ranges {
	unsigned int nr;
	uint64_t soff[4];
	uint64_t eoff[4];
	struct naive_reg br[8];
};

/**
 * struct naive_result - what a call gives
 * @ret: 0 or PFMLIB_ERR_*; after an error the rest means nothing
 * @nr_pmcs: how many of @pmcs
 * @nr_pmds: how many of @pmds
 * @pmcs: in order
 * @pmds: in order
 * @has_mod: @drange, @irange and @fine were asked for
 * @drange: DBRs
 * @irange: IBRs
 * @fine: what pfm_mont_irange_is_fine() is to answer
 */
struct naive_result {
	int ret;
	unsigned int nr_pmcs;
	unsigned int nr_pmds;
	struct naive_reg pmcs[NAIVE_MAX_PMCS];
	struct naive_reg pmds[NAIVE_MAX_PMDS];
	bool has_mod;
	struct naive_ranges drange;
	struct naive_ranges irange;
	int fine;
};

void naive_dispatch(const pfmlib_input_param_t *inp, const pfmlib_mont_input_param_t *mod,
		    bool has_out, bool has_mod_out, unsigned int decisions,
		    struct naive_result *result);

#endif
