// SPDX-License-Identifier: GPL-2.0-only
/* Long output on a terminal: page by page, and as wide as the terminal is. */
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ends at once if all fits, keeps what it showed; where there is no less, plain output must do */
#define DEFAULT_PAGER	"if command -v less > /dev/null; then exec less -FRX; else exec cat; fi"
#define DEFAULT_COLUMNS	80
#define MIN_COLUMNS	40

/* of sh, if the command cannot be run or is not there */
#define EXIT_NOT_RUN	126
#define EXIT_NOT_FOUND	127

static const char *pager_command(void)
{
	const char *command = getenv("PAGER");

	if (!isatty(STDOUT_FILENO))
		return NULL;
	if (!command)
		return DEFAULT_PAGER;
	return *command && strcmp(command, "cat") ? command : NULL;
}

static _Noreturn void run(const char *command, const int pipe_fds[2])
{
	if (dup2(pipe_fds[0], STDIN_FILENO) >= 0) {
		close(pipe_fds[0]);
		close(pipe_fds[1]);
		execl("/bin/sh", "sh", "-c", command, NULL);
	}
	_exit(EXIT_NOT_FOUND);
}

/**
 * pager_begin() - send standard output through $PAGER, or less, if it is a terminal
 * @pager: out; pager_end() must follow
 */
void pager_begin(struct pager *pager)
{
	const char *command = pager_command();
	int fds[2];

	*pager = (struct pager){ .stdout_fd = -1 };
	if (!command || fflush(stdout) || pipe(fds))
		return;
	pager->stdout_fd = dup(STDOUT_FILENO);
	pager->pid = pager->stdout_fd < 0 ? -1 : fork();
	if (!pager->pid)
		run(command, fds);
	if (pager->pid > 0) {
		/* its user may have seen enough before all is written */
		signal(SIGPIPE, SIG_IGN);
		dup2(fds[1], STDOUT_FILENO);
	} else {
		if (pager->stdout_fd >= 0)
			close(pager->stdout_fd);
		pager->pid = 0;
	}
	close(fds[0]);
	close(fds[1]);
}

static bool could_run(int status)
{
	return !WIFEXITED(status) || (WEXITSTATUS(status) != EXIT_NOT_RUN &&
				      WEXITSTATUS(status) != EXIT_NOT_FOUND);
}

/**
 * pager_end() - wait until the user has seen all
 * @pager: of pager_begin()
 * @command: acrctl's command, for the message
 *
 * Return: 0, or -ENOENT after a message if the pager could not be run, so that nothing was seen.
 */
int pager_end(struct pager *pager, const char *command)
{
	int status = 0;

	if (!pager->pid)
		return 0;
	if (fflush(stdout) && errno == EPIPE)
		clearerr(stdout);
	/* so that the pager sees the end */
	dup2(pager->stdout_fd, STDOUT_FILENO);
	close(pager->stdout_fd);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGPIPE, SIG_DFL);
	pager->pid = 0;
	if (could_run(status))
		return 0;
	fprintf(stderr, "acrctl: %s: the pager '%s' could not be run; unset PAGER, or set it to "
		"'cat' for output without one\n", command, pager_command());
	return -ENOENT;
}

/**
 * pager_columns() - how wide output may be
 *
 * Return: columns of the terminal, or as many as usual.
 */
unsigned int pager_columns(void)
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

/* Print @text in lines of whole words, each after @indent and at most @columns wide. */
void pager_print_wrapped(const char *indent, const char *text, unsigned int columns)
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
