// SPDX-License-Identifier: GPL-2.0-only
/* Output on a terminal: page by page, as wide as the terminal, without control characters. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ends at once if all fits, keeps what it showed; without less, plain output must do */
#define DEFAULT_PAGER	"if command -v less > /dev/null; then exec less -FRX; else exec cat; fi"
#define DEFAULT_COLUMNS	80
#define MIN_COLUMNS	40

/* of sh, if the command cannot be run or is not there */
#define EXIT_NOT_RUN	126
#define EXIT_NOT_FOUND	127

/* ---- names and lines ---------------------------------------------------------------------- */

/**
 * terminal_char() - a character that is safe to print
 *
 * Return: @c, or '?' if it is not printable ASCII.
 */
char terminal_char(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

static void put_blanks(FILE *f, size_t nr)
{
	while (nr--)
		putc_unlocked(' ', f);
}

/**
 * terminal_print() - print a name from a recording or a command line
 *
 * As in messages, what is not printable ASCII becomes '?', so that no name of a program or function
 * can send the terminal a command.  @width pads as in printf(): negative on the right.
 */
void terminal_print(FILE *f, int width, const char *text)
{
	size_t len = strlen(text), wide = abs(width), fill = wide > len ? wide - len : 0;

	flockfile(f);
	if (width > 0)
		put_blanks(f, fill);
	for (; *text; text++)
		putc_unlocked(terminal_char(*text), f);
	if (width < 0)
		put_blanks(f, fill);
	funlockfile(f);
}

/* Print @text in lines of whole words, each after @indent and at most @columns wide. */
void terminal_print_wrapped(const char *indent, const char *text, unsigned int columns)
{
	unsigned int room = columns - strlen(indent), used = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (used && used + 1 + len > room) {
			putchar('\n');
			used = 0;
		}
		printf("%s%.*s", used ? " " : indent, (int)len, text);
		used += (used ? 1 : 0) + len;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/**
 * terminal_columns() - the width of output
 *
 * Return: columns of the terminal, of COLUMNS, or the usual 80; at least 40.
 */
unsigned int terminal_columns(void)
{
	struct winsize size;
	unsigned int columns = DEFAULT_COLUMNS;
	const char *env = getenv("COLUMNS");

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		columns = size.ws_col;
	else if (env && atoi(env) > 0)
		columns = atoi(env);
	return columns < MIN_COLUMNS ? MIN_COLUMNS : columns;
}

/* ---- page by page ------------------------------------------------------------------------- */

static const char *pager_command(void)
{
	const char *command = getenv("PAGER");

	if (!isatty(STDOUT_FILENO))
		return NULL;
	if (!command)
		return DEFAULT_PAGER;
	return *command && strcmp(command, "cat") ? command : NULL;
}

/**
 * terminal_page_begin() - send standard output through $PAGER, or less, if it is a terminal
 */
void terminal_page_begin(struct terminal_pager *pager)
{
	const char *command = pager_command();

	*pager = (struct terminal_pager){ .stdout_fd = -1 };
	if (!command || fflush(stdout))
		return;
	pager->stdout_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (pager->stdout_fd < 0)
		return;
	pager->input = popen(command, "we");
	if (!pager->input) {
		close(pager->stdout_fd);
		return;
	}
	/* the reader may quit before everything is written */
	signal(SIGPIPE, SIG_IGN);
	dup2(fileno(pager->input), STDOUT_FILENO);
}

static bool could_run(int status)
{
	return !WIFEXITED(status) || (WEXITSTATUS(status) != EXIT_NOT_RUN &&
				      WEXITSTATUS(status) != EXIT_NOT_FOUND);
}

/**
 * terminal_page_end() - wait until the pager has ended
 *
 * Return: 0, or -ENOENT after a message in the name of @command: the pager could not be run, and
 * nothing was shown.
 */
int terminal_page_end(struct terminal_pager *pager, const char *command)
{
	int status;

	if (!pager->input)
		return 0;
	if (fflush(stdout) && errno == EPIPE)
		clearerr(stdout);
	/* the pager sees the end of its input only when the last copy is closed */
	dup2(pager->stdout_fd, STDOUT_FILENO);
	close(pager->stdout_fd);
	status = pclose(pager->input);
	signal(SIGPIPE, SIG_DFL);
	if (could_run(status))
		return 0;
	fprintf(stderr, "acrctl: %s: the pager '%s' could not be run; unset PAGER, or set it to "
		"'cat' for output without one\n", command, pager_command());
	return -ENOENT;
}
