// SPDX-License-Identifier: GPL-2.0-only
/* acrctl ps: the table of sessions, with a row for each event and each set of CPUs. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "../terminal.h"
#include "../ui/color.h"
#include "monitor.h"

/* a longer entry moves the rest of its row, not that of others */
#define WIDTH_MAX	16

enum column { SESSION, PID, USER, COMMAND, STATE, AGE, CPUS, COUNTER, EVENT };

static const struct {
	const char *title;
	bool right;
} columns[PS_COLUMNS] = {
	[SESSION] = { "SESSION", true },
	[PID] = { "PID", true },
	[USER] = { "USER", false },
	[COMMAND] = { "COMMAND", false },
	[STATE] = { "STATE", false },
	[AGE] = { "AGE", true },
	[CPUS] = { "CPUS", false },
	[COUNTER] = { "COUNTER", false },
	[EVENT] = { "EVENT", false },
};

/* ---- filling ------------------------------------------------------------------------------ */

static struct ps_row *add_row(struct ps_table *table)
{
	struct ps_row *more = reallocarray(table->rows, table->nr + 1, sizeof(*more));

	if (!more)
		return NULL;
	table->rows = more;
	more[table->nr] = (struct ps_row){ { NULL } };
	return &more[table->nr++];
}

__attribute__((format(printf, 3, 4)))
static int put(struct ps_row *row, enum column column, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&row->cells[column], format, args);
	va_end(args);
	if (len >= 0)
		return 0;
	row->cells[column] = NULL;
	return -ENOMEM;
}

static int put_session(struct ps_row *row, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	bool lost = n->state & ACRPMU_STATE_CPU_LOST;
	char word[WORD_LEN], pid[WORD_LEN] = "-", uid[WORD_LEN];

	if (n->pid)
		snprintf(pid, sizeof(pid), "%u", n->pid);
	snprintf(uid, sizeof(uid), "%u", n->uid);
	return put(row, SESSION, "%llu", n->session) ?: put(row, PID, "%s", pid) ?:
	       put(row, USER, "%s", words_user(n->uid, word) ?: uid) ?:
	       put(row, COMMAND, "%s", n->comm) ?:
	       put(row, STATE, "%s%s", words_state(n->state), lost ? ",cpu-lost" : "") ?:
	       put(row, AGE, "%s", words_age(moment_age_ns(&item->now, n->created_ns), word));
}

static int put_cpus(struct ps_row *row, const struct acrpmu_cpu_set *cpus)
{
	char *list = words_cpus(cpus);

	if (!list)
		return -ENOMEM;
	row->cells[CPUS] = *list ? list : strdup("-");
	if (!*list)
		free(list);
	return row->cells[CPUS] ? 0 : -ENOMEM;
}

/* The events on CPUs with the same counters; those of the first begin with the session. */
static int add_placement(struct ps_table *table, const struct item *item,
			 const struct acrpmu_notice_placement *p, bool first)
{
	const struct known_session *session = item->session;
	char cntr[WORD_LEN];
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < session->nr_events; i++) {
		struct ps_row *row = add_row(table);

		if (!row)
			return -ENOMEM;
		if (first && !i)
			err = put_session(row, item);
		if (!err && !i)
			err = put_cpus(row, &p->cpus);
		if (!err)
			err = put(row, COUNTER, "%s",
				  i < p->nr_cntrs ? words_cntr(p->cntrs[i], cntr) : "-") ?:
			      put(row, EVENT, "%s", session->events[i]);
	}
	return err;
}

/**
 * ps_table_add() - add a session
 *
 * Return: 0 or -ENOMEM.
 */
int ps_table_add(struct ps_table *table, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	const struct acrpmu_notice_placement none = { .cpus = n->cpus };
	struct ps_row *row;
	unsigned int i;
	int err = 0;

	if (!n->nr_placements)
		err = add_placement(table, item, &none, true);
	for (i = 0; !err && i < n->nr_placements; i++)
		err = add_placement(table, item, &n->placements[i], !i);
	if (err || !n->unplaced)
		return err;
	row = add_row(table);
	return row ? put(row, CPUS, "and %u more", n->unplaced) : -ENOMEM;
}

/* ---- printing ----------------------------------------------------------------------------- */

static void measure(const struct ps_table *table, int widths[PS_COLUMNS])
{
	enum column c;
	size_t i;

	for (c = 0; c < PS_COLUMNS; c++) {
		widths[c] = strlen(columns[c].title);
		for (i = 0; i < table->nr; i++) {
			const char *cell = table->rows[i].cells[c];
			int len = cell ? strlen(cell) : 0;

			if (len > widths[c])
				widths[c] = len > WIDTH_MAX ? WIDTH_MAX : len;
		}
	}
}

/* Nothing follows the last entry of a row. */
static void print_row(FILE *f, const struct ps_row *row, const int widths[PS_COLUMNS])
{
	enum column c, last = 0;

	for (c = 0; c < PS_COLUMNS; c++) {
		if (row->cells[c])
			last = c;
	}
	for (c = 0; c <= last; c++) {
		int width = columns[c].right ? widths[c] : c == last ? 0 : -widths[c];

		terminal_print(f, width, row->cells[c] ?: "");
		fputc(c == last ? '\n' : ' ', f);
	}
}

/**
 * ps_table_print() - print the sessions
 */
void ps_table_print(FILE *f, const struct ps_table *table)
{
	int widths[PS_COLUMNS];
	struct ps_row titles;
	enum column c;
	size_t i;

	for (c = 0; c < PS_COLUMNS; c++)
		titles.cells[c] = (char *)columns[c].title;
	measure(table, widths);
	color_begin(f, COLOR_BOLD);
	print_row(f, &titles, widths);
	color_end(f, COLOR_BOLD);
	for (i = 0; i < table->nr; i++)
		print_row(f, &table->rows[i], widths);
}

/**
 * ps_table_free() - free all rows
 */
void ps_table_free(struct ps_table *table)
{
	enum column c;

	while (table->nr--) {
		for (c = 0; c < PS_COLUMNS; c++)
			free(table->rows[table->nr].cells[c]);
	}
	free(table->rows);
	*table = (struct ps_table){ NULL };
}
