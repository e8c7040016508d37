/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Periods and masks of a group: ratios to the previous event, default period, what is sampled. */
#ifndef _ACRPMU_LIB_RATIO_H
#define _ACRPMU_LIB_RATIO_H

#include "spec.h"
#include "text.h"

/**
 * acrpmu_ratio_resolve() - give every event of a complete group its period, mask and sampling
 * @text: the string it stands in
 * @options: the default period, and whether events without a period only count
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_ratio_resolve(const struct text *text, const struct acrpmu_parse_options *options,
			 struct spec_group *group);

#endif /* _ACRPMU_LIB_RATIO_H */
