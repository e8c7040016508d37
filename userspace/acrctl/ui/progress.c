// SPDX-License-Identifier: GPL-2.0-only
/* How far a step is that takes more than two seconds, on a terminal. */
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "color.h"

#define NSEC_PER_SEC	1000000000ULL
#define QUIET_NS	(2 * NSEC_PER_SEC)	/* what is faster shows nothing */
#define REFRESH_NS	(NSEC_PER_SEC / 5)
#define DEFAULT_COLUMNS	80
#define LINE_LEN	256
#define NUMBER_LEN	64
#define PREFIX		"acrctl: "
#define MIB		(1 << 20)

static __u64 monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static unsigned int columns_of(int fd)
{
	struct winsize size;

	return !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : DEFAULT_COLUMNS;
}

/* A terminal that can overwrite a line, and on which this process is in the foreground. */
static bool is_usable(FILE *f)
{
	return color_terminal(f) && tcgetpgrp(fileno(f)) == getpgrp();
}

/**
 * progress_start() - begin a step; @out, @columns and @now_ns are set
 */
void progress_start(struct progress *p, const char *verb, const char *name, const char *unit)
{
	p->verb = verb;
	p->name = name;
	p->unit = unit;
	p->shown = 0;
	p->next_ns = p->out ? p->now_ns() + QUIET_NS : 0;
}

/**
 * progress_begin() - begin a step; it is shown on standard error, if that is a terminal
 * @verb: what is done, such as "reading"
 * @name: with what, such as a path; it stays the caller's, and so do the other texts
 * @unit: what is counted, such as "records", NULL: bytes
 */
void progress_begin(struct progress *p, const char *verb, const char *name, const char *unit)
{
	*p = (struct progress){ .now_ns = monotonic_ns };
	if (is_usable(stderr)) {
		p->out = stderr;
		p->columns = columns_of(STDERR_FILENO);
	}
	progress_start(p, verb, name, unit);
}

/* Untrusted names must not send the terminal a command. */
static void make_printable(char *text)
{
	for (; *text; text++) {
		if (*text < ' ' || *text > '~')
			*text = '?';
	}
}

/* A long name is cut so that the number fits before the last column, which would wrap. */
static void format(const struct progress *p, char *line, __u64 done, __u64 total)
{
	char number[NUMBER_LEN];
	int room;

	if (total && done <= total)
		snprintf(number, sizeof(number), ": %llu %%", done * 100 / total);
	else if (p->unit)
		snprintf(number, sizeof(number), ": %llu %s", done, p->unit);
	else
		snprintf(number, sizeof(number), ": %.1f MiB", (double)done / MIB);
	room = (int)(p->columns < LINE_LEN ? p->columns : LINE_LEN) - 1 -
	       (int)(strlen(PREFIX) + strlen(p->verb) + strlen(" ") + strlen(number));
	snprintf(line, LINE_LEN, PREFIX "%s %.*s%s", p->verb, room > 0 ? room : 0, p->name, number);
	make_printable(line);
}

/* The cursor returns to the first column, so that whatever else is printed replaces the line. */
static void show(struct progress *p, const char *line)
{
	unsigned int len = strlen(line), fill = p->shown > len ? p->shown - len : 0;

	fprintf(p->out, "%s%*s\r", line, (int)fill, "");
	fflush(p->out);
	p->shown = len;
}

/**
 * progress_step() - report that @done of @total is done, or that much of an unknown whole if @total
 * is 0
 *
 * May be called often: it costs a look at the clock on a terminal, and nothing elsewhere.
 */
void progress_step(struct progress *p, __u64 done, __u64 total)
{
	char line[LINE_LEN];
	__u64 now;

	if (!p->out)
		return;
	now = p->now_ns();
	if (now < p->next_ns)
		return;
	p->next_ns = now + REFRESH_NS;
	format(p, line, done, total);
	show(p, line);
}

/**
 * progress_end() - end the step; its line is erased
 */
void progress_end(struct progress *p)
{
	if (p->out && p->shown)
		show(p, "");
	p->out = NULL;
}

/**
 * progress_fits_stdout() - whether lines may be shown while standard output is written
 *
 * Return: false if it ends on a terminal, or may do so through a pipe.
 */
bool progress_fits_stdout(void)
{
	struct stat st;

	if (isatty(STDOUT_FILENO) || fstat(STDOUT_FILENO, &st))
		return false;
	return S_ISREG(st.st_mode) || S_ISCHR(st.st_mode);
}
