/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as columns of text that fit a width, safe for any terminal. */
#ifndef _ACRCTL_TOP_LAYOUT_H
#define _ACRCTL_TOP_LAYOUT_H

#include "tally.h"

/* a cell is not wider, and a character has at most four bytes */
#define LAYOUT_MAX_WIDTH	1024
#define LAYOUT_CELL_LEN		(4 * LAYOUT_MAX_WIDTH + 1)
/* between two columns */
#define LAYOUT_GAP		2

/* A column of the table. */
struct layout_column {
	unsigned int order;		/* TALLY_BY_*: by which rows can be ordered */
	const char *title;
	unsigned int at;		/* its first column on the terminal */
	unsigned int width;
	bool right;			/* aligned there */
};

struct layout {
	struct layout_column columns[TALLY_NR_ORDERS];
	unsigned int nr;
};

void layout_make(struct layout *l, const bool *chosen, unsigned int width);
char *layout_value(const struct layout_column *c, const struct tally_row *row);
const char *layout_piece(char *out, const char *text, unsigned int width);
void layout_cell(char *out, const char *text, unsigned int width, bool right);

#endif /* _ACRCTL_TOP_LAYOUT_H */
