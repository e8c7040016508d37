/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of make bench that programs in the guest print: "FIGURE " and an object of JSON. */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include <stdio.h>
#include <stdlib.h>

/**
 * struct figure - a figure of ours, and the same of a peer
 * @part: part of the bench, such as pmi
 * @name: what was measured, by which selftests/bench/limits finds its limit
 * @unit: of both values
 * @ours: the value
 * @peer: the peer's value
 * @peer_name: what the peer is, NULL if there is none
 */
struct figure {
	const char *part;
	const char *name;
	const char *unit;
	double ours;
	double peer;
	const char *peer_name;
};

static inline const char *figure_kernel(void)
{
	return getenv("ACR_KERNEL") ?: "unknown";
}

/**
 * figure_print() - print a figure that is an exact count
 * @f: what; its strings are printable ASCII without quotes and backslashes
 */
static inline void figure_print(const struct figure *f)
{
	fprintf(stderr, "FIGURE {\"t\":\"figure\",\"part\":\"%s\",", f->part);
	fprintf(stderr, "\"name\":\"%s\",\"kernel\":\"%s\",", f->name, figure_kernel());
	fprintf(stderr, "\"unit\":\"%s\",\"ours\":%.10g", f->unit, f->ours);
	if (f->peer_name)
		fprintf(stderr, ",\"peer\":%.10g,\"peer_name\":\"%s\"", f->peer, f->peer_name);
	fprintf(stderr, ",\"kind\":\"count\"}\n");
}

/**
 * struct figure_point - a point of a series that shows how a cost grows
 * @part: part of the bench
 * @series: what grows
 * @x: how many
 * @x_unit: of what
 * @y: the cost
 * @unit: of @y
 */
struct figure_point {
	const char *part;
	const char *series;
	double x;
	const char *x_unit;
	double y;
	const char *unit;
};

/**
 * figure_point_print() - print a point of a series
 * @p: the point; strings as in figure_print()
 */
static inline void figure_point_print(const struct figure_point *p)
{
	fprintf(stderr, "FIGURE {\"t\":\"point\",\"part\":\"%s\",\"series\":\"%s\",", p->part,
		p->series);
	fprintf(stderr, "\"kernel\":\"%s\",\"x\":%.10g,\"y\":%.10g,", figure_kernel(), p->x, p->y);
	fprintf(stderr, "\"unit\":\"%s\",\"x_unit\":\"%s\"}\n", p->unit, p->x_unit);
}

/**
 * struct figure_row - a row of a table by symbol
 * @part: part of the bench
 * @table: the table, such as the figure that it explains
 * @group: owner of the code, by which rows are added up: "ours", "kernel"
 * @symbol: the function
 * @value: its share
 * @unit: of @value
 */
struct figure_row {
	const char *part;
	const char *table;
	const char *group;
	const char *symbol;
	double value;
	const char *unit;
};

/**
 * figure_row_print() - print a row of a table by symbol
 * @r: the row; strings as in figure_print()
 */
static inline void figure_row_print(const struct figure_row *r)
{
	fprintf(stderr, "FIGURE {\"t\":\"row\",\"part\":\"%s\",", r->part);
	fprintf(stderr, "\"table\":\"%s\",\"kernel\":\"%s\",", r->table, figure_kernel());
	fprintf(stderr, "\"group\":\"%s\",", r->group);
	fprintf(stderr, "\"symbol\":\"%s\",\"value\":%.10g,\"unit\":\"%s\"}\n", r->symbol, r->value,
		r->unit);
}

#endif /* BENCH_FIGURE_H */
