// SPDX-License-Identifier: GPL-2.0-only
/* Linked into acrctl with --coverage: counts of each test of bats go to their own folder. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void by_test(void)
{
	const char *counts = getenv("MUTATE_COUNTS"), *test = getenv("BATS_TEST_NUMBER");
	char prefix[4096];

	if (!counts)
		return;
	/* what runs before the first test counts for all */
	snprintf(prefix, sizeof(prefix), "%s/%s", counts, test ? test : "0");
	setenv("GCOV_PREFIX", prefix, 1);
}
