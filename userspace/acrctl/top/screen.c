// SPDX-License-Identifier: GPL-2.0-only
/* The table on a terminal, and its keys. */
#include "screen.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/util.h"
#include "../ui/color.h"
#include "layout.h"

/* ncurses has macros of the same names as these colours */
enum { HOT = COLOR_RED, WARM = COLOR_GREEN };

#define NCURSES_NOMACROS
#include <ncurses.h>

#define MIN_LINES	8
#define MIN_COLUMNS	40
#define ESCAPE_MS	25
#define ESCAPE		27
#define BACKSPACE	8
#define DELETE		127
/* above the rows are the summary and the titles, below them the footer */
#define FIRST_ROW	(TOP_SUMMARY_LINES + 1)
#define MESSAGE_LEN	1024

struct screen {
	SCREEN *curses;
	bool colors;
	int stderr_fd;			/* where messages go in the end, -1: they are not kept */
	int kept_fd;			/* where they are until then */
};

static const char *const help[] = {
	"s c t       a row per symbol, per symbol and CPU, per symbol and process",
	"< >         order by the column on the left, on the right",
	"r           reverse the order",
	"d           recent samples, or all since the start",
	"/           show rows with a text: Enter keeps it, Esc shows all rows",
	"e           the next event",
	"p Space     pause what is shown; sampling goes on",
	"z           forget all samples, and read processes and symbols again",
	"arrows j k  select a row; also PgUp, PgDn, Home and End",
	"Enter       the selected row in full",
	"q Ctrl-C    quit",
	"",
	"Recent samples count 7/8 as much with every refresh.",
};

/* ---- messages, which would destroy the screen ---------------------------------------------- */

static void keep_messages(struct screen *s)
{
	s->stderr_fd = -1;
	s->kept_fd = -1;
	if (!isatty(STDERR_FILENO))
		return;
	fflush(stderr);
	s->kept_fd = memfd_create("messages", MFD_CLOEXEC);
	s->stderr_fd = s->kept_fd < 0 ? -1 : dup(STDERR_FILENO);
	if (s->stderr_fd >= 0)
		dup2(s->kept_fd, STDERR_FILENO);
}

static void release_messages(struct screen *s)
{
	char text[MESSAGE_LEN];
	off_t at = 0;
	ssize_t len;

	if (s->stderr_fd >= 0) {
		fflush(stderr);
		dup2(s->stderr_fd, STDERR_FILENO);
		close(s->stderr_fd);
		for (; (len = pread(s->kept_fd, text, sizeof(text), at)) > 0; at += len)
			fwrite(text, 1, len, stderr);
	}
	if (s->kept_fd >= 0)
		close(s->kept_fd);
}

/* The last line of them; empty if there is none. */
static void last_message(const struct screen *s, char *text, size_t size)
{
	off_t end = s->kept_fd < 0 ? 0 : lseek(s->kept_fd, 0, SEEK_END);
	off_t from = end > (off_t)size - 1 ? end - (off_t)size + 1 : 0;
	ssize_t len = end > 0 ? pread(s->kept_fd, text, size - 1, from) : 0;
	char *line;

	text[len > 0 ? len : 0] = 0;
	if (len > 0 && text[len - 1] == '\n')
		text[len - 1] = 0;
	line = strrchr(text, '\n');
	if (line)
		memmove(text, line + 1, strlen(line));
}

/* ---- the terminal ------------------------------------------------------------------------- */

static void begin_colors(struct screen *s)
{
	s->colors = color_wanted(stdout) && has_colors() && start_color() == OK;
	if (!s->colors)
		return;
	use_default_colors();
	init_pair(HOT, COLOR_RED, -1);
	init_pair(WARM, COLOR_GREEN, -1);
}

/**
 * screen_open() - take the terminal; screen_close() in any case
 *
 * Return: 0, or -errno after a message.
 */
int screen_open(struct top *t)
{
	struct screen *s = calloc(1, sizeof(*s));

	if (!s) {
		TARGET_SAY(&t->sm.target, "there is no memory left for the screen");
		return -ENOMEM;
	}
	setlocale(LC_CTYPE, "");
	s->curses = newterm(NULL, stdout, stdin);
	if (!s->curses) {
		free(s);
		TARGET_SAY(&t->sm.target,
			   "the terminal '%s' is not known here; set TERM, or print text with --plain",
			   getenv("TERM"));
		return -ENOTTY;
	}
	t->screen = s;
	keep_messages(s);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	begin_colors(s);
	return 0;
}

/**
 * screen_close() - leave the terminal as it was, and print what was to be said in the meantime
 */
void screen_close(struct top *t)
{
	struct screen *s = t->screen;

	if (!s)
		return;
	endwin();
	delscreen(s->curses);
	release_messages(s);
	free(s);
	t->screen = NULL;
}

/**
 * screen_key() - take a key that was typed
 *
 * Return: a byte, SHOW_KEY_* or SCREEN_*; keys that mean nothing are left out.
 */
int screen_key(void)
{
	static const struct {
		int curses;
		int key;
	} keys[] = {
		{ ERR, SCREEN_NO_KEY }, { KEY_RESIZE, SCREEN_RESIZED },
		{ KEY_UP, SHOW_KEY_UP }, { KEY_DOWN, SHOW_KEY_DOWN },
		{ KEY_PPAGE, SHOW_KEY_PAGE_UP }, { KEY_NPAGE, SHOW_KEY_PAGE_DOWN },
		{ KEY_HOME, SHOW_KEY_HOME }, { KEY_END, SHOW_KEY_END },
		{ KEY_ENTER, SHOW_KEY_ENTER }, { '\n', SHOW_KEY_ENTER }, { '\r', SHOW_KEY_ENTER },
		{ ESCAPE, SHOW_KEY_ESCAPE }, { KEY_BACKSPACE, SHOW_KEY_ERASE },
		{ BACKSPACE, SHOW_KEY_ERASE }, { DELETE, SHOW_KEY_ERASE },
	};
	size_t i;
	int key;

	do {
		key = getch();
		for (i = 0; i < ARRAY_SIZE(keys); i++) {
			if (keys[i].curses == key)
				return keys[i].key;
		}
	} while (key < 0 || key >= SHOW_KEY_FIRST);
	return key;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static unsigned int columns(void)
{
	unsigned int nr = COLS;

	return nr < LAYOUT_MAX_WIDTH ? nr : LAYOUT_MAX_WIDTH;
}

static void put(unsigned int line, unsigned int at, unsigned int width, const char *text,
		bool right)
{
	char cell[LAYOUT_CELL_LEN];

	layout_cell(cell, text, width, right);
	mvaddstr(line, at, cell);
}

static void put_line(unsigned int line, const char *text, attr_t attributes)
{
	attrset(attributes);
	put(line, 0, columns(), text, false);
	attrset(A_NORMAL);
}

static void draw_summary(const struct top *t)
{
	unsigned int i;

	for (i = 0; i < TOP_SUMMARY_LINES; i++) {
		char *line = top_summary(t, i);

		put_line(i, line ? line : "", i ? A_NORMAL : A_BOLD);
		free(line);
	}
}

static void draw_titles(const struct top *t, const struct layout *l)
{
	unsigned int i;

	put_line(TOP_SUMMARY_LINES, "", A_REVERSE);
	for (i = 0; i < l->nr; i++) {
		const struct layout_column *c = &l->columns[i];

		attrset(A_REVERSE | (c->order == t->show.view.order ? A_BOLD | A_UNDERLINE : 0));
		put(TOP_SUMMARY_LINES, c->at, c->width, c->title, c->right);
	}
	attrset(A_NORMAL);
}

static attr_t attributes_of(const struct top *t, const struct layout_column *c,
			    const struct tally_row *row)
{
	enum color color = color_of_percent(row->percent);

	if (c->order != TALLY_BY_OVERHEAD || !t->screen->colors || color == COLOR_PLAIN)
		return A_NORMAL;
	return COLOR_PAIR(color);
}

static void draw_row(const struct top *t, const struct layout *l, size_t number)
{
	const struct tally_row *row = &t->rows.rows[number];
	unsigned int i, line = FIRST_ROW + number - t->show.first;
	bool selected = number == t->show.selected;

	if (selected)
		put_line(line, "", A_REVERSE);
	for (i = 0; i < l->nr; i++) {
		const struct layout_column *c = &l->columns[i];
		char *text = layout_value(c, row);

		attrset(selected ? A_REVERSE : attributes_of(t, c, row));
		put(line, c->at, c->width, text ? text : "", c->right);
		free(text);
	}
	attrset(A_NORMAL);
}

static void draw_footer(const struct top *t)
{
	char text[MESSAGE_LEN];

	if (t->show.typing)
		snprintf(text, sizeof(text), "filter: %s_   (Enter keeps it, Esc shows all rows)",
			 t->show.filter);
	else
		last_message(t->screen, text, sizeof(text));
	if (!*text)
		snprintf(text, sizeof(text), "%s", t->over ?
			 "what was sampled has ended; q quits, ? helps" :
			 "? help  q quit  s c t rows  < > order  / filter  p pause  z forget");
	put_line(LINES - 1, text, A_BOLD);
}

static void draw_table(const struct top *t)
{
	struct layout l;
	size_t i;

	layout_make(&l, t->show.view.chosen, COLS);
	draw_summary(t);
	draw_titles(t, &l);
	for (i = t->show.first; i < t->rows.nr && i < t->show.first + t->show.page; i++)
		draw_row(t, &l, i);
	draw_footer(t);
}

static void draw_help(void)
{
	int line;

	for (line = 0; line < (int)ARRAY_SIZE(help) && line < LINES - 1; line++)
		put_line(line, help[line], A_NORMAL);
	put_line(LINES - 1, line < (int)ARRAY_SIZE(help) ?
		 "more lines on a taller terminal; any key goes back" : "any key goes back",
		 A_BOLD);
}

/* The selected row, each text on as many lines as it takes. */
static void draw_details(const struct top *t)
{
	const struct tally_row *row = &t->rows.rows[t->show.selected];
	unsigned int i;
	char cell[LAYOUT_CELL_LEN];
	int line = 0;

	for (i = 0; i < HIST_NR_KEYS; i++) {
		const char *rest = row->keys[i];

		if (!t->show.view.chosen[i] || line + 1 >= LINES - 1)
			continue;
		put_line(line++, keys_columns[i].title, A_BOLD);
		do {
			rest = layout_piece(cell, rest, columns());
			mvaddstr(line++, 0, cell);
		} while (*rest && line < LINES - 1);
	}
	put_line(LINES - 1, "any key goes back", A_BOLD);
}

static void draw_small(void)
{
	char text[MESSAGE_LEN];

	snprintf(text, sizeof(text), "%dx%d is too small; make the terminal at least %dx%d",
		 COLS, LINES, MIN_COLUMNS, MIN_LINES);
	put_line(0, text, A_NORMAL);
}

/**
 * screen_draw() - show the table as it is now
 *
 * Return: 0 or -ENOMEM.
 */
int screen_draw(struct top *t)
{
	if (top_make_rows(t))
		return -ENOMEM;
	show_fit(&t->show, t->rows.nr, LINES > FIRST_ROW + 1 ? LINES - FIRST_ROW - 1 : 1);
	erase();
	if (LINES < MIN_LINES || COLS < MIN_COLUMNS)
		draw_small();
	else if (t->show.cover == SHOW_HELP)
		draw_help();
	else if (t->show.cover == SHOW_DETAILS && t->rows.nr)
		draw_details(t);
	else
		draw_table(t);
	refresh();
	return 0;
}
