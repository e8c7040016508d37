/* SPDX-License-Identifier: GPL-2.0-only */
/* ACR_TEST=FIXTURE, TEST or FIXTURE.TEST makes a kselftest program run only those tests. */
#ifndef SELFTESTS_ONLY_H
#define SELFTESTS_ONLY_H

/* included before what a test defines for itself */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest_harness.h"

/* It only ends hangs: a busy machine is never so slow. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

static inline bool only_wants(const char *wanted, const char *fixture, const char *test)
{
	const char *dot = strrchr(wanted, '.');
	size_t len = strcspn(wanted, ".");

	if (!dot && !strcmp(wanted, fixture))
		return true;
	if (strcmp(dot ? dot + 1 : wanted, test))
		return false;
	return !dot || (strlen(fixture) == len && !memcmp(wanted, fixture, len));
}

static inline void only_keep(const char *wanted)
{
	struct __fixture_metadata *f;
	struct __test_metadata **at;

	for (f = __fixture_list; wanted && *wanted && f; f = f->next) {
		for (at = &f->tests; *at;) {
			if (only_wants(wanted, f->name, (*at)->name))
				at = &(*at)->next;
			else
				*at = (*at)->next;
		}
	}
}

/* What TEST_HARNESS_MAIN calls. */
#define test_harness_run(argc, argv) (only_keep(getenv("ACR_TEST")), test_harness_run(argc, argv))

#endif /* SELFTESTS_ONLY_H */
