// SPDX-License-Identifier: GPL-2.0-only
/* The frequency of the time stamp counter by CPUID: the formula of SDM vol. 3, and its gaps. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/stat/stat.h"

static const struct {
	const char *name;
	struct tsc_cpuid cpuid;
	__u64 hz;
} cases[] = {
	{ "a processor that enumerates all", { 2, 216, 24000000, 0x406e3 }, 2592000000 },
	{ "Goldmont, which leaves the crystal out", { 3, 171, 0, 0x506c9 }, 1094400000 },
	{ "Goldmont in servers", { 1, 88, 0, 0x506f1 }, 2200000000 },
	{ "one that is not known to have any crystal", { 2, 216, 0, 0x406e3 }, 0 },
	{ "no numerator", { 2, 0, 24000000, 0x406e3 }, 0 },
	{ "no denominator", { 0, 216, 24000000, 0x406e3 }, 0 },
	{ "what 32 bits do not hold", { 1, 4000000000U, 4000000000U, 0 }, 16000000000000000000ULL },
};

int main(void)
{
	static const char *const wrong[] = {
		"x", "0", "0x0", "-1", "+1", " 1", "1 ", "1.5", "1.5e9", "1.5GHz", "1500000000Hz",
		"18446744073709551616",
	};
	__u64 by_cpuid;
	unsigned int i;

	plan(0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_u64(tsc_hz_of(&cases[i].cpuid), cases[i].hz, "%s", cases[i].name);
	setenv(STAT_TSC_HZ_ENV, "1500000000", 1);
	is_u64(tsc_hz(), 1500000000, "the environment goes before CPUID");
	ok(tsc_check("test"), "and is right");
	unsetenv(STAT_TSC_HZ_ENV);
	by_cpuid = tsc_hz();
	ok(tsc_check("test"), "it need not be there");
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		setenv(STAT_TSC_HZ_ENV, wrong[i], 1);
		ok(!tsc_check("test"), "'%s' is refused", wrong[i]);
	}
	setenv(STAT_TSC_HZ_ENV, "", 1);
	ok(tsc_check("test"), "what is empty says nothing");
	is_u64(tsc_hz(), by_cpuid, "and leaves it to CPUID");
	return done();
}
