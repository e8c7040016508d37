/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of one table while it is being made: adding, sorting and checking them. */
#ifndef _ACRPMU_GEN_TABLE_H
#define _ACRPMU_GEN_TABLE_H

#include "convert.h"
#include "report.h"
#include "text_pool.h"

/**
 * struct table_row - an event and where it stands
 * @row: the event
 * @path: its file
 * @line: its line
 * @order: number among all that were added, so that sorting is stable
 * @made: made from an offcore matrix, not written down in a file
 */
struct table_row {
	struct event_row row;
	const char *path;
	unsigned int line;
	unsigned int order;
	bool made;
};

/**
 * struct table - events of one kind of core
 * @rows: them
 * @nr: how many
 * @size: how many there is room for
 */
struct table {
	struct table_row *rows;
	unsigned int nr;
	unsigned int size;
};

/**
 * table_add() - add an event
 * @table: to what
 * @row: the event, with the place it stands at; its order is set here
 *
 * Return: 0; -ENOMEM.
 */
int table_add(struct table *table, const struct table_row *row);

/**
 * table_sort() - sort by name, then by PMU, then as added
 * @table: what
 * @pool: its strings
 */
void table_sort(struct table *table, const struct text_pool *pool);

/**
 * table_check() - check what conversion made, and take out what must not stay
 * @table: sorted
 * @pool: its strings
 * @reporter: told of each event that is taken out
 *
 * Names must be words that an event string can hold, and there once for each PMU; config words of
 * a core must have no bits but those of its fields; values of extra registers must fit. Events made
 * from a matrix go without a word if their like is in a file.
 *
 * Return: how many were taken out, without those of a matrix that are written down as well.
 */
unsigned int table_check(struct table *table, const struct text_pool *pool,
			 struct reporter *reporter);

/**
 * table_free() - free the rows
 * @table: of what
 */
void table_free(struct table *table);

#endif /* _ACRPMU_GEN_TABLE_H */
