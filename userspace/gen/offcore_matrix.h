/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Intel's offcore matrix files: requests times responses are OFFCORE_RESPONSE events. */
#ifndef _ACRPMU_GEN_OFFCORE_MATRIX_H
#define _ACRPMU_GEN_OFFCORE_MATRIX_H

#include "arena.h"
#include "table.h"

#define MATRIX_MAX_PARTS	128

/**
 * struct matrix_part - a request or a response
 * @desc: description, may be empty
 * @value: bits of the offcore register
 * @registers: which registers have them: bit 0 for 0x1a6, bit 1 for 0x1a7
 * @path: its file
 * @topic: topic of its file
 */
struct matrix_part {
	const char *name;
	const char *desc;
	__u64 value;
	unsigned int registers;
	const char *path;
	unsigned int line;
	const char *topic;
};

/**
 * struct offcore_matrix - the requests and responses of one table
 */
struct offcore_matrix {
	struct matrix_part requests[MATRIX_MAX_PARTS];
	unsigned int nr_requests;
	struct matrix_part responses[MATRIX_MAX_PARTS];
	unsigned int nr_responses;
};

/**
 * matrix_add() - add an entry of a matrix file
 * @event: the entry, with MATRIX_REQUEST or MATRIX_RESPONSE
 * @topic: topic of its file; it and @event->path must outlive the matrix
 * @arena: holds its strings
 * @reporter: receives a report if it cannot be used
 *
 * Return: 0; -EINVAL after a report; -ENOMEM.
 */
int matrix_add(struct offcore_matrix *matrix, const struct json_event *event, const char *topic,
	       struct arena *arena, struct reporter *reporter);

/**
 * matrix_expand() - make an event of each request with each response
 * @pmu: their PMU
 * @table: receives them; an offcore event that it has already gives counters and period
 * @pool: receives the strings
 * @reporter: receives pairs that are not both in register 0
 * @nr_left_out: incremented for each of these events
 *
 * Return: 0; -ENOMEM.
 */
int matrix_expand(const struct offcore_matrix *matrix, const char *pmu, struct table *table,
		  struct text_pool *pool, struct reporter *reporter, unsigned int *nr_left_out);

#endif /* _ACRPMU_GEN_OFFCORE_MATRIX_H */
