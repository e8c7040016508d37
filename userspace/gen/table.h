/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of one table while it is being made: adding, sorting and checking them. */
#ifndef _ACRPMU_GEN_TABLE_H
#define _ACRPMU_GEN_TABLE_H

#include "convert.h"
#include "report.h"
#include "text_pool.h"

/**
 * struct table_row - an event and its location
 * @row: the event
 * @path: its file
 * @order: number among all that were added, so that sorting is stable
 * @made: made from an offcore matrix, not listed in a file
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
 * @size: rows that there is room for
 */
struct table {
	struct table_row *rows;
	unsigned int nr;
	unsigned int size;
};

/**
 * table_add() - add an event
 * @row: the event and its location; its order is set here
 *
 * Return: 0; -ENOMEM.
 */
int table_add(struct table *table, const struct table_row *row);

/**
 * table_sort() - sort by name, then by PMU, then as added
 */
void table_sort(struct table *table, const struct text_pool *pool);

/**
 * table_check() - check converted events and remove those that cannot stay
 * @table: sorted
 * @pool: its strings
 * @reporter: receives each event that is removed
 *
 * Event strings must be able to hold a name, and each PMU may have it once; config words of a core
 * must have no bits outside its fields; values of extra registers must fit. Events made from a
 * matrix are dropped silently if a file lists them too.
 *
 * Return: how many were removed, not counting events of a matrix that a file lists too.
 */
unsigned int table_check(struct table *table, const struct text_pool *pool,
			 struct reporter *reporter);

/**
 * table_free() - free the rows
 */
void table_free(struct table *table);

#endif /* _ACRPMU_GEN_TABLE_H */
