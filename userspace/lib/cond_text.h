/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A group that samples a condition, as text: the condition, and the same as an event string. */
#ifndef _ACRPMU_LIB_COND_TEXT_H
#define _ACRPMU_LIB_COND_TEXT_H

#include "spec.h"

/**
 * acrpmu_cond_text() - the condition of a group with its events as they are named there
 *
 * Return: "instructions:u / cycles:u > 2", to be freed; NULL: out of memory.
 */
char *acrpmu_cond_text(const struct spec_group *group);

#endif /* _ACRPMU_LIB_COND_TEXT_H */
