// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as the inputs of pfm_dispatch_events(), with and without each pointer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "selftests/montecito/bytes.h"
#include "userspace/montecito/lib/pfmlib_say.h"

static void check(int cond)
{
	if (!cond)
		abort();
}

/* What a caller left in outputs must not be believed. */
static void check_is_fine(const uint8_t *data, size_t size)
{
	static pfmlib_mont_output_param_t mod_out;
	static pfmlib_output_param_t out;

	memset(&out, data[size - 1], sizeof(out));
	memset(&mod_out, data[0], sizeof(mod_out));
	memcpy(&out, data, size < sizeof(out) ? size : sizeof(out));
	check(pfm_mont_irange_is_fine(&out, &mod_out) >> 1 == 0);
	check(!pfm_mont_irange_is_fine(NULL, &mod_out) && !pfm_mont_irange_is_fine(&out, NULL));
}

static void check_regs(const struct naive_reg *regs, unsigned int nr, unsigned int max)
{
	bool seen[64] = { false };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		check(regs[i].num < max);
		check(!seen[regs[i].num]);
		seen[regs[i].num] = true;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct call call, copy;
	struct naive_result got, want;
	char why[512];

	if (!size)
		return 0;
	pfm_force_pmu(PFMLIB_MONTECITO_PMU);
	bytes_read(data, size, &call);
	memcpy(&copy.inp, &call.inp, sizeof(copy.inp));
	memcpy(&copy.mod, &call.mod, sizeof(copy.mod));
	check(result_of_library(&call, &got));
	check(!memcmp(&copy.inp, &call.inp, sizeof(copy.inp)));
	check(!memcmp(&copy.mod, &call.mod, sizeof(copy.mod)));
	check(!got.ret == !*pfmlib_last_reason());
	result_of_naive(&call, ALL_DECISIONS, &want);
	check(result_equal(&got, &want, why, sizeof(why)));
	check(result_covers(&call, &got, why, sizeof(why)));
	check_regs(got.pmcs, got.nr_pmcs, 43);
	check_regs(got.irange.br, got.irange.nr, 8);
	check_regs(got.drange.br, got.drange.nr, 8);
	check_is_fine(data, size);
	return 0;
}
