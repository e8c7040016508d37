/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the library's result of a vector is right, and by which decisions it is another than the
 * vector's.
 */
#ifndef ACRPFM_TEST_JUDGE_H
#define ACRPFM_TEST_JUDGE_H

#include "vector.h"

bool judge(const struct vector *vector, unsigned int *decisions, char *why, size_t size);
void judge_decisions_text(unsigned int decisions, char *text, size_t size);

#endif
