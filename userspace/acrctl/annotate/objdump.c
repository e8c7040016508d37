// SPDX-License-Identifier: GPL-2.0-only
/* The instructions between two addresses of a file, by objdump, which runs as a process. */
#include "objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADDRESS_LEN	48	/* of an option with an address */
#define ARGUMENTS_MAX	12

/**
 * objdump_line() - read a line that objdump has printed, which is changed
 * @text: set to the instruction
 *
 * Return: 0, or -ENOENT if it is none of an instruction.
 */
int objdump_line(char *line, __u64 *addr, const char **text)
{
	char *end, *at;

	line += strspn(line, " \t");
	errno = 0;
	*addr = strtoull(line, &end, 16);
	if (end == line || *end != ':' || errno)
		return -ENOENT;
	/* a tab comes before it, and spaces perhaps; "FILE:     file format" has none */
	end += 1 + strspn(end + 1, " ");
	if (*end != '\t')
		return -ENOENT;
	end += strspn(end, " \t");
	end[strcspn(end, "\n")] = 0;
	for (at = end; *at; at++) {
		if (*at == '\t')
			*at = ' ';
	}
	while (at > end && at[-1] == ' ')
		*--at = 0;
	*text = end;
	return *end ? 0 : -ENOENT;
}

/* Returns the process and in @out what it prints; -errno. */
static pid_t spawn(const struct objdump *o, int *out)
{
	char from[ADDRESS_LEN], to[ADDRESS_LEN];
	char *argv[ARGUMENTS_MAX] = {
		(char *)o->program, "-d", "-w", "--no-show-raw-insn", from, to,
	};
	posix_spawn_file_actions_t actions;
	int fds[2], err, nr = 6;
	pid_t pid;

	snprintf(from, sizeof(from), "--start-address=%#llx", o->start);
	snprintf(to, sizeof(to), "--stop-address=%#llx", o->end);
	if (o->style) {
		argv[nr++] = "-M";
		argv[nr++] = (char *)o->style;
	}
	argv[nr++] = "--";
	argv[nr++] = (char *)o->path;
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	err = posix_spawnp(&pid, o->program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (err) {
		close(fds[0]);
		return -err;
	}
	*out = fds[0];
	return pid;
}

static int read_lines(FILE *out, objdump_fn fn, void *arg)
{
	const char *text;
	char *line = NULL;
	size_t room = 0;
	__u64 addr;
	int err = 0;

	while (!err && getline(&line, &room, out) >= 0) {
		if (!objdump_line(line, &addr, &text))
			err = fn(arg, addr, text);
	}
	free(line);
	return err;
}

/**
 * objdump_run() - disassemble
 *
 * Return: 0; the value of @fn that ended it; -ENOENT if there is no such program, -EIO if it
 * failed, which it has explained on standard error; -errno.
 */
int objdump_run(const struct objdump *o, objdump_fn fn, void *arg)
{
	int fd, err, status = 0;
	pid_t pid = spawn(o, &fd);
	FILE *out;

	if (pid < 0)
		return pid;
	out = fdopen(fd, "r");
	err = out ? read_lines(out, fn, arg) : -errno;
	/* if it still writes, this ends it */
	if (out)
		fclose(out);
	else
		close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return err || !status ? err : -EIO;
}
