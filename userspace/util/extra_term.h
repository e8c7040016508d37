/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The term of perf's that gives an event the value of its extra register. */
#ifndef _ACRPMU_UTIL_EXTRA_TERM_H
#define _ACRPMU_UTIL_EXTRA_TERM_H

/**
 * acrpmu_extra_term() - find the term by the register
 * @msr: number of the extra register
 *
 * All of them mean config1; a kernel has those that fit the registers of its CPUs.
 *
 * Return: the name as Linux 7.3 spells it, NULL if no event of a core uses that register.
 */
const char *acrpmu_extra_term(unsigned int msr);

#endif /* _ACRPMU_UTIL_EXTRA_TERM_H */
