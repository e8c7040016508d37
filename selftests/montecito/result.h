/* SPDX-License-Identifier: GPL-2.0-only */
/* Results of pfm_dispatch_events() in the form that they are compared in. */
#ifndef ACRPFM_TEST_RESULT_H
#define ACRPFM_TEST_RESULT_H

#include <stddef.h>

#include "naive.h"

/**
 * struct call - a call of pfm_dispatch_events()
 * @has_inp: generic input is given
 * @has_mod: model input is given
 * @has_out: generic output is given
 * @has_mod_out: model output is given
 * @inp: generic input
 * @mod: model input
 */
struct call {
	bool has_inp;
	bool has_mod;
	bool has_out;
	bool has_mod_out;
	pfmlib_input_param_t inp;
	pfmlib_mont_input_param_t mod;
};

bool result_of_library(const struct call *call, struct naive_result *result);
void result_of_naive(const struct call *call, unsigned int decisions, struct naive_result *result);
bool result_equal(const struct naive_result *got, const struct naive_result *want, char *why,
		  size_t size);
bool result_covers(const struct call *call, const struct naive_result *result, char *why,
		   size_t size);

#endif
