/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a line of a file of vectors: a call and its result. */
#ifndef ACRPFM_TEST_VECTOR_H
#define ACRPFM_TEST_VECTOR_H

#include "result.h"

/**
 * struct vector - a line
 * @id: its name
 * @call: the call
 * @out: the result
 */
struct vector {
	char id[64];
	struct call call;
	struct naive_result out;
};

bool vector_read(const char *line, size_t len, struct vector *vector, char *why, size_t size);

#endif
