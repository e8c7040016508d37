// SPDX-License-Identifier: GPL-2.0-only
/* Refreshes as blocks of text: for pipes, files and watch(1). */
#include "top.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../../util/util.h"
#include "../terminal.h"
#include "layout.h"

#define TIME_LEN	16
/* for a slow reader after a signal */
#define PATIENCE_MS	1000

static void print_summary(const struct top *t, FILE *f)
{
	time_t now = time(NULL);
	char clock[TIME_LEN] = "";
	struct tm local;
	unsigned int i;

	if (localtime_r(&now, &local))
		strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	fprintf(f, "# %s ", clock);
	for (i = 0; i < TOP_SUMMARY_LINES; i++) {
		char *line = top_summary(t, i);

		if (i)
			fputs("# ", f);
		terminal_print(f, 0, line ? line : "");
		fputc('\n', f);
		free(line);
	}
}

/* The last column is as wide as its text. */
static void print_cell(FILE *f, const struct layout *l, unsigned int i, const char *text)
{
	const struct layout_column *c = &l->columns[i];
	int width = i + 1 == l->nr ? 0 : c->right ? (int)c->width : -(int)c->width;

	if (i)
		fprintf(f, "%*s", LAYOUT_GAP, "");
	terminal_print(f, width, text);
}

static int print_row(FILE *f, const struct layout *l, const struct tally_row *row)
{
	unsigned int i;

	fputs("  ", f);
	for (i = 0; i < l->nr; i++) {
		char *text = layout_value(&l->columns[i], row);

		if (!text)
			return -ENOMEM;
		print_cell(f, l, i, text);
		free(text);
	}
	fputc('\n', f);
	return 0;
}

static int print_event(struct top *t, FILE *f)
{
	struct layout l;
	size_t i;

	if (top_make_rows(t))
		return -ENOMEM;
	print_summary(t, f);
	layout_make(&l, t->show.view.chosen, 0);
	fputs("# ", f);
	for (i = 0; i < l.nr; i++)
		print_cell(f, &l, i, l.columns[i].title);
	fputc('\n', f);
	for (i = 0; i < t->rows.nr; i++) {
		if (print_row(f, &l, &t->rows.rows[i]))
			return -ENOMEM;
	}
	return 0;
}

static int print_block(struct top *t, FILE *f)
{
	int err = 0;
	__u32 i;

	for (i = 0; !err && i < t->live.nr_events; i++) {
		t->show.view.event = i;
		err = print_event(t, f);
	}
	fputc('\n', f);
	return err;
}

/* Wait for a reader that does not read; signals end that, as it may never do so. */
static bool has_room(struct top *t)
{
	struct pollfd polls[] = {
		{ .fd = STDOUT_FILENO, .events = POLLOUT },
		{ .fd = t->sm.target.signal_fd, .events = POLLIN },
	};
	bool stopped;

	do {
		stopped = t->sm.target.stop_signal;
		if (poll(polls, ARRAY_SIZE(polls), stopped ? PATIENCE_MS : -1) < 0 &&
		    errno != EINTR)
			return false;
		if (polls[1].revents)
			target_take_signals(&t->sm.target);
	} while (!polls[0].revents && (!stopped || polls[1].revents));
	return polls[0].revents;
}

/* What is ready to be written has room for so much at least. */
static int write_block(struct top *t, const char *text, size_t size)
{
	size_t len;

	for (; size; text += len, size -= len) {
		len = size < PIPE_BUF ? size : PIPE_BUF;
		if (!has_room(t)) {
			t->reader_gone = true;
			return 0;
		}
		if (fwrite(text, 1, len, stdout) == len && !fflush(stdout))
			continue;
		if (errno != EPIPE)
			return -errno;
		clearerr(stdout);
		t->reader_gone = true;
		return 0;
	}
	return 0;
}

/**
 * top_plain_print() - print what an interval left, for each event
 *
 * Notes when nobody reads it any more.
 *
 * Return: 0 or -errno.
 */
int top_plain_print(struct top *t)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err = f ? print_block(t, f) : -ENOMEM;

	if (f && fclose(f))
		err = -ENOMEM;
	if (!err)
		err = write_block(t, text, size);
	free(text);
	return err;
}
