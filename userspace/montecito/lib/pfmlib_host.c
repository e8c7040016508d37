// SPDX-License-Identifier: LGPL-2.1-or-later
/* The processor that this program runs on. */
#include "pfmlib_host.h"

#define FAMILY_SHIFT	24
#define FAMILY_MASK	0xff
#define FAMILY_MONT	0x20

/**
 * pfmlib_cpuid_is_montecito() - check for an Itanium 2 9000
 * @cpuid3: IA-64 CPUID register 3: family in bits 24 to 31
 *
 * Return: true for an Itanium 2 9000.
 */
bool pfmlib_cpuid_is_montecito(uint64_t cpuid3)
{
	return (cpuid3 >> FAMILY_SHIFT & FAMILY_MASK) == FAMILY_MONT;
}

#ifdef __ia64__
static uint64_t read_cpuid(unsigned long nr)
{
	uint64_t value;

	asm volatile("mov %0=cpuid[%r1]" : "=r" (value) : "rO" (nr));
	return value;
}

bool pfmlib_host_is_montecito(void)
{
	return pfmlib_cpuid_is_montecito(read_cpuid(3));
}
#else
/**
 * pfmlib_host_is_montecito() - check whether this program runs on an Itanium 2 9000
 *
 * Return: true for an Itanium 2 9000; always false if not built for IA-64.
 */
bool pfmlib_host_is_montecito(void)
{
	return false;
}
#endif
