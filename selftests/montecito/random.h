/* SPDX-License-Identifier: GPL-2.0-only */
/* Random calls of pfm_dispatch_events(), most of which make some sense. */
#ifndef ACRPFM_TEST_RANDOM_H
#define ACRPFM_TEST_RANDOM_H

#include "result.h"

uint64_t random_u64(void);
unsigned int random_below(unsigned int nr);
void random_seed(uint64_t seed);
void random_range(pfmlib_mont_input_rr_desc_t *range, unsigned int align);
void random_call(struct call *call);
void random_event_list(struct call *call);

#endif
