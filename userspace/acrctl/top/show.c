// SPDX-License-Identifier: GPL-2.0-only
/* What a user has chosen to see, and what each key changes. */
#include "show.h"

#include <string.h>

#define FIRST_PRINTABLE	' '
#define DELETE		127
/* of the bytes of a character in UTF-8 all but the first */
#define UTF8_REST_MASK	0xc0
#define UTF8_REST	0x80

/* ---- views -------------------------------------------------------------------------------- */

/* An order by a column that is gone becomes the usual one. */
static void choose(struct show *s, unsigned int keys)
{
	unsigned int i;

	for (i = 0; i < HIST_NR_KEYS; i++)
		s->view.chosen[i] = keys >> i & 1;
	if (s->view.order >= TALLY_BY_KEY && !s->view.chosen[s->view.order - TALLY_BY_KEY])
		s->view.order = TALLY_BY_OVERHEAD;
}

/**
 * show_per_symbol() - a row for each function
 */
void show_per_symbol(struct show *s)
{
	choose(s, 1U << HIST_DSO | 1U << HIST_SYM);
}

/**
 * show_per_cpu() - a row for each function on each CPU
 */
void show_per_cpu(struct show *s)
{
	choose(s, 1U << HIST_CPU | 1U << HIST_DSO | 1U << HIST_SYM);
}

/**
 * show_per_task() - a row for each function in each process
 */
void show_per_task(struct show *s)
{
	choose(s, 1U << HIST_COMM | 1U << HIST_PID | 1U << HIST_DSO | 1U << HIST_SYM);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool has_order(const struct show *s, unsigned int order)
{
	return order < TALLY_BY_KEY || s->view.chosen[order - TALLY_BY_KEY];
}

/* Order by the column on the left or right; after the last one comes the first. */
static void move_order(struct show *s, unsigned int step)
{
	do {
		s->view.order = (s->view.order + step) % TALLY_NR_ORDERS;
	} while (!has_order(s, s->view.order));
	s->view.reversed = false;
}

static void erase_character(struct show *s)
{
	size_t len = strlen(s->filter);

	while (len && (s->filter[len - 1] & UTF8_REST_MASK) == UTF8_REST)
		len--;
	s->filter[len ? len - 1 : 0] = 0;
}

static void type(struct show *s, int key)
{
	size_t len = strlen(s->filter);

	s->selected = 0;
	if (key == SHOW_KEY_ENTER || key == SHOW_KEY_ESCAPE)
		s->typing = false;
	if (key == SHOW_KEY_ESCAPE)
		s->filter[0] = 0;
	if (key == SHOW_KEY_ERASE)
		erase_character(s);
	if (key < FIRST_PRINTABLE || key == DELETE || key >= SHOW_KEY_FIRST ||
	    len + 1 >= sizeof(s->filter))
		return;
	s->filter[len] = key;
	s->filter[len + 1] = 0;
}

/* Returns whether the key moves the selection. */
static bool move(struct show *s, int key)
{
	size_t last = s->nr_rows ? s->nr_rows - 1 : 0, up = 0, down = 0;

	if (key == SHOW_KEY_UP || key == 'k')
		up = 1;
	else if (key == SHOW_KEY_DOWN || key == 'j')
		down = 1;
	else if (key == SHOW_KEY_PAGE_UP)
		up = s->page;
	else if (key == SHOW_KEY_PAGE_DOWN)
		down = s->page;
	else if (key == SHOW_KEY_HOME)
		up = s->selected;
	else if (key == SHOW_KEY_END)
		down = last - s->selected;
	else
		return false;
	s->selected -= up < s->selected ? up : s->selected;
	s->selected += down < last - s->selected ? down : last - s->selected;
	return true;
}

/* Returns whether the key chooses what rows there are, so that the selection begins anew. */
static bool choose_rows(struct show *s, int key)
{
	switch (key) {
	case 's':
		show_per_symbol(s);
		return true;
	case 'c':
		show_per_cpu(s);
		return true;
	case 't':
		show_per_task(s);
		return true;
	case '<':
		move_order(s, TALLY_NR_ORDERS - 1);
		return true;
	case '>':
		move_order(s, 1);
		return true;
	case 'r':
		s->view.reversed = !s->view.reversed;
		return true;
	case 'e':
		s->view.event = (s->view.event + 1) % s->nr_events;
		return true;
	case 'd':
		s->view.recent = !s->view.recent;
		return true;
	case SHOW_KEY_ESCAPE:
		s->filter[0] = 0;
		return true;
	}
	return false;
}

static void command(struct show *s, int key)
{
	switch (key) {
	case 'q':
		s->quit = true;
		break;
	case '?':
	case 'h':
		s->cover = SHOW_HELP;
		break;
	case SHOW_KEY_ENTER:
		s->cover = s->nr_rows ? SHOW_DETAILS : SHOW_TABLE;
		break;
	case 'p':
	case ' ':
		s->paused = !s->paused;
		break;
	case 'z':
		s->clear = true;
		break;
	case '/':
		s->typing = true;
		break;
	}
}

/**
 * show_take_key() - do what a key asks for
 * @key: a byte of what was typed, or SHOW_KEY_*
 */
void show_take_key(struct show *s, int key)
{
	/* any key uncovers the table */
	if (s->typing)
		type(s, key);
	else if (s->cover != SHOW_TABLE)
		s->cover = SHOW_TABLE;
	else if (choose_rows(s, key))
		s->selected = 0;
	else if (!move(s, key))
		command(s, key);
}

/**
 * show_fit() - keep the selection among the rows, and on the screen
 * @page: rows that the screen has room for
 */
void show_fit(struct show *s, size_t nr_rows, size_t page)
{
	s->nr_rows = nr_rows;
	s->page = page ? page : 1;
	if (s->selected >= nr_rows)
		s->selected = nr_rows ? nr_rows - 1 : 0;
	if (s->first > s->selected)
		s->first = s->selected;
	if (s->selected - s->first >= s->page)
		s->first = s->selected - s->page + 1;
	/* no empty lines while there are rows for them */
	if (s->first + s->page > nr_rows)
		s->first = nr_rows > s->page ? nr_rows - s->page : 0;
}
