// SPDX-License-Identifier: GPL-2.0-only
/* The frequency of the time stamp counter, at which reference cycles are counted. */
#include "stat.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/number.h"

#define LEAF_SIGNATURE	0x01
#define LEAF_TSC	0x15
/* family, extended and model, without type and stepping */
#define MODEL_MASK	0x0fff0ff0

/* Not enumerated: SDM vol. 3, "Nominal Core Crystal Clock Frequency"; 5FH as in Linux. */
static const struct {
	__u32 model;
	__u32 hz;
} crystals[] = {
	{ 0x000506c0, 19200000 },	/* Goldmont */
	{ 0x000506f0, 25000000 },	/* Goldmont in servers */
};

/**
 * tsc_hz_of() - the frequency by CPUID
 *
 * Return: the frequency in Hz, 0: not known.
 */
__u64 tsc_hz_of(const struct tsc_cpuid *cpuid)
{
	__u32 crystal = cpuid->crystal_hz;
	unsigned int i;

	for (i = 0; !crystal && i < sizeof(crystals) / sizeof(*crystals); i++) {
		if ((cpuid->signature & MODEL_MASK) == crystals[i].model)
			crystal = crystals[i].hz;
	}
	if (!cpuid->den || !cpuid->num)
		return 0;
	return (__u64)crystal * cpuid->num / cpuid->den;
}

/* Read STAT_TSC_HZ_ENV, 0: not set; returns whether it can be a frequency. */
static bool read_env(__u64 *hz)
{
	const char *env = getenv(STAT_TSC_HZ_ENV);
	size_t bad;

	*hz = 0;
	return !env || !*env || (!acrpmu_number_parse(env, strlen(env), hz, &bad) && *hz);
}

/**
 * tsc_check() - check that the environment variable, if set, is a frequency
 *
 * Return: whether it is; if not, a message has been printed.
 */
bool tsc_check(const char *command)
{
	__u64 hz;

	if (read_env(&hz))
		return true;
	fprintf(stderr,
		"acrctl: %s: %s='%s' is not a number of Hz; give the frequency as one, such as 1500000000, or leave it out\n",
		command, STAT_TSC_HZ_ENV, getenv(STAT_TSC_HZ_ENV));
	return false;
}

/**
 * tsc_hz() - the frequency on this machine
 *
 * Return: that of the environment, else that by CPUID, in Hz; 0: not known.
 */
__u64 tsc_hz(void)
{
	struct tsc_cpuid cpuid = { 0 };
	unsigned int b, c, d;
	__u64 hz;

	if (read_env(&hz) && hz)
		return hz;
	if (!__get_cpuid_count(LEAF_TSC, 0, &cpuid.den, &cpuid.num, &cpuid.crystal_hz, &d))
		return 0;
	__get_cpuid(LEAF_SIGNATURE, &cpuid.signature, &b, &c, &d);
	return tsc_hz_of(&cpuid);
}
