// SPDX-License-Identifier: GPL-2.0-only
/* Rows as columns of text that fit a width, safe for any terminal. */
#include "layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../../util/util.h"

#define OVERHEAD_WIDTH	8
#define SAMPLES_WIDTH	9
/* what the last column needs before others become narrower */
#define LAST_WIDTH	20
/* ends a text that was cut */
#define CUT		"~"

/* ---- columns ------------------------------------------------------------------------------ */

/* From the widest names on; numbers stay whole. */
static const struct {
	unsigned int key;
	unsigned int width;		/* that must do where there is little room */
} narrow[] = {
	{ HIST_DSO, 12 },
	{ HIST_COMM, 8 },
};

static void add_column(struct layout *l, unsigned int order, const char *title, unsigned int width)
{
	l->columns[l->nr++] = (struct layout_column){
		.order = order, .title = title, .width = width, .right = order < TALLY_BY_KEY,
	};
}

/* Whether the last column would get too little. */
static bool is_tight(const struct layout *l, unsigned int width)
{
	unsigned int i, needed = LAST_WIDTH;

	for (i = 0; i + 1 < l->nr; i++)
		needed += l->columns[i].width + LAYOUT_GAP;
	return needed > width;
}

static void make_narrow(struct layout *l, unsigned int key, unsigned int width)
{
	unsigned int i;

	for (i = 0; i + 1 < l->nr; i++) {
		if (l->columns[i].order == TALLY_BY_KEY + key)
			l->columns[i].width = width;
	}
}

static void drop_samples(struct layout *l)
{
	l->nr--;
	memmove(&l->columns[1], &l->columns[2], (l->nr - 1) * sizeof(*l->columns));
}

/* Columns beyond the width go, and the last one that is left gets the rest. */
static void place(struct layout *l, unsigned int width)
{
	unsigned int i, at = 0;

	for (i = 0; i < l->nr && at < width; i++) {
		l->columns[i].at = at;
		at += l->columns[i].width + LAYOUT_GAP;
	}
	l->nr = i;
	l->columns[i - 1].width = width - l->columns[i - 1].at;
}

/**
 * layout_make() - choose the columns
 * @chosen: keys, which follow the numbers
 * @width: of all, 0: as wide as texts usually are
 */
void layout_make(struct layout *l, const bool *chosen, unsigned int width)
{
	unsigned int i;

	l->nr = 0;
	add_column(l, TALLY_BY_OVERHEAD, "Overhead", OVERHEAD_WIDTH);
	add_column(l, TALLY_BY_SAMPLES, "Samples", SAMPLES_WIDTH);
	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (chosen[i])
			add_column(l, TALLY_BY_KEY + i, keys_columns[i].title,
				   keys_columns[i].width);
	}
	if (!width)
		return;
	for (i = 0; i < ARRAY_SIZE(narrow) && is_tight(l, width); i++)
		make_narrow(l, narrow[i].key, narrow[i].width);
	if (is_tight(l, width))
		drop_samples(l);
	place(l, width < LAYOUT_MAX_WIDTH ? width : LAYOUT_MAX_WIDTH);
}

/**
 * layout_value() - what a column shows of a row
 *
 * Return: a text to be freed, NULL: out of memory.
 */
char *layout_value(const struct layout_column *c, const struct tally_row *row)
{
	unsigned int key = c->order - TALLY_BY_KEY;
	char *text;
	int len;

	if (c->order == TALLY_BY_OVERHEAD)
		len = asprintf(&text, "%.2f%%", row->percent);
	else if (c->order == TALLY_BY_SAMPLES)
		len = asprintf(&text, "%.0f", row->sum.samples);
	else if (key == HIST_SYM)
		len = asprintf(&text, "[%c] %s", row->level, row->keys[key]);
	else
		len = asprintf(&text, "%s", row->keys[key]);
	return len < 0 ? NULL : text;
}

/* ---- cells -------------------------------------------------------------------------------- */

/* A character as it is printed. */
struct glyph {
	const char *bytes;
	size_t len;
	unsigned int columns;
};

/*
 * A byte that is no character of this locale, and a character that takes no column of its own or
 * commands the terminal, become '?'.  Returns where the next one is.
 */
static const char *next_glyph(const char *text, struct glyph *g)
{
	mbstate_t state = { 0 };
	wchar_t c;
	size_t len = mbrtowc(&c, text, strnlen(text, MB_CUR_MAX), &state);
	int columns = len == (size_t)-1 || len == (size_t)-2 ? -1 : wcwidth(c);

	if (columns > 0) {
		*g = (struct glyph){ text, len, columns };
		return text + len;
	}
	*g = (struct glyph){ "?", 1, 1 };
	return text + (len == (size_t)-1 || len == (size_t)-2 ? 1 : len);
}

static unsigned int columns_of(const char *text, unsigned int max)
{
	unsigned int columns = 0;
	struct glyph g;

	while (*text && columns <= max) {
		text = next_glyph(text, &g);
		columns += g.columns;
	}
	return columns;
}

static char *put_blanks(char *out, unsigned int nr)
{
	memset(out, ' ', nr);
	return out + nr;
}

/**
 * layout_piece() - copy as much of a text as fits, and pad it
 * @out: of LAYOUT_CELL_LEN bytes
 * @width: in columns of the terminal, at most LAYOUT_MAX_WIDTH
 *
 * Return: the rest of the text.
 */
const char *layout_piece(char *out, const char *text, unsigned int width)
{
	unsigned int used = 0;

	while (*text) {
		struct glyph g;
		const char *next = next_glyph(text, &g);

		if (used + g.columns > width)
			break;
		memcpy(out, g.bytes, g.len);
		out += g.len;
		used += g.columns;
		text = next;
	}
	*put_blanks(out, width - used) = 0;
	return text;
}

/**
 * layout_cell() - make a text exactly so wide: padded, or cut and marked as that
 * @out: of LAYOUT_CELL_LEN bytes
 * @width: in columns of the terminal, at most LAYOUT_MAX_WIDTH
 * @right: pad on the left
 */
void layout_cell(char *out, const char *text, unsigned int width, bool right)
{
	unsigned int columns = columns_of(text, width);

	if (columns > width) {
		layout_piece(out, text, width ? width - 1 : 0);
		if (width)
			strcat(out, CUT);
		return;
	}
	layout_piece(right ? put_blanks(out, width - columns) : out, text,
		     right ? columns : width);
}
