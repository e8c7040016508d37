/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks of a group by the names of its events: reloaded-by= and resets=. */
#ifndef _ACRPMU_LIB_CAUSES_H
#define _ACRPMU_LIB_CAUSES_H

#include "spec.h"

/**
 * acrpmu_causes_resolve() - give the events of a complete group the masks that these terms describe
 * @text: the string it stands in
 *
 * The mask of an event is its acr_mask=, its reloaded-by=, or that of a ratio; if it has none of
 * these, the events that have it in their resets=.  Whatever else is given must agree.
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_causes_resolve(const struct text *text, struct spec_group *group);

#endif /* _ACRPMU_LIB_CAUSES_H */
