/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Periods of a condition: whole numbers with exactly the ratios of its comparisons. */
#ifndef _ACRPMU_LIB_COND_PERIOD_H
#define _ACRPMU_LIB_COND_PERIOD_H

#include "acrpmu_lib.h"

/** COND_MAX_PERIOD - largest period of an event that hardware reloads, and of these units */
#define COND_MAX_PERIOD		0x7fffffffULL

/**
 * acrpmu_cond_add_unit() - determine the units with one comparison more
 * @c: its last comparison is new; the units of those before it are set
 *
 * Units have no common factor, so that each group with these ratios has a multiple of them.
 *
 * Return: 0, or -ERANGE if a unit would exceed COND_MAX_PERIOD.
 */
int acrpmu_cond_add_unit(struct acrpmu_condition *c);

/**
 * acrpmu_cond_set_range() - determine which factors fit
 * @c: with all units
 * @min_sampled: smallest period of the sampled event
 * @min_limit: smallest period of a limit
 *
 * Return: 0, or -ERANGE if none fits.
 */
int acrpmu_cond_set_range(struct acrpmu_condition *c, __u64 min_sampled, __u64 min_limit);

/**
 * acrpmu_cond_set_window() - choose the factor for the window that was asked for
 * @c: with units, range and asked_window
 * @adjust: whether a window that is too small is raised, and one that is too large lowered
 *
 * Return: 0; -EDOM: the window is too small; -ERANGE: it is too large.
 */
int acrpmu_cond_set_window(struct acrpmu_condition *c, int adjust);

#endif /* _ACRPMU_LIB_COND_PERIOD_H */
