/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that listens, maybe as another user, and acts in turns with the test. */
#ifndef ABI_TURNS_H
#define ABI_TURNS_H

#include "listen.h"

#define UNPRIVILEGED	PARAMETERS "unprivileged"
#define SOMEBODY	65533	/* a user that is not the overflow user */
#define ANOTHER		65532

/**
 * struct turns - how the test and the listener let each other go on
 * @to: pipe to the listener
 * @from: pipe from it
 */
struct turns {
	int to[2];
	int from[2];
};

static inline int turns_begin(struct turns *turns)
{
	return pipe2(turns->to, O_CLOEXEC) || pipe2(turns->from, O_CLOEXEC) ? -errno : 0;
}

static inline void turns_end(const struct turns *turns)
{
	for (int i = 0; i < 2; i++) {
		close(turns->to[i]);
		close(turns->from[i]);
	}
}

static inline bool give(int pipe[2])
{
	return write(pipe[1], "", 1) == 1;
}

static inline bool take(int pipe[2])
{
	char byte;

	return read(pipe[0], &byte, 1) == 1;
}

/* Let the test act, and wait until it has. */
static inline bool turn(struct turns *turns)
{
	return give(turns->from) && take(turns->to);
}

static inline int become(uid_t uid)
{
	if (setresgid(uid, uid, uid) || setresuid(uid, uid, uid) || prctl(PR_SET_DUMPABLE, 1))
		return -errno;
	return 0;
}

static inline bool next_is(struct client *client, uint8_t cmd, struct message *msg)
{
	return !client_next(client, msg) && msg->cmd == cmd;
}

#define CHECK(condition) do {								\
	if (!(condition)) {								\
		fprintf(stderr, "# line %d: %s\n", __LINE__, #condition);		\
		return 1;								\
	}										\
} while (0)

/* Run a listener as a process of its own; the test acts when it has subscribed. */
static inline pid_t start_listener(struct turns *turns, int (*listen)(struct turns *turns))
{
	pid_t pid = fork();

	if (!pid) {
		/* It must notice when the test closes its ends. */
		close(turns->to[1]);
		close(turns->from[0]);
		_exit(listen(turns));
	}
	close(turns->to[0]);
	close(turns->from[1]);
	turns->to[0] = -1;
	turns->from[1] = -1;
	return pid;
}

static inline int stop_listener(struct turns *turns, pid_t pid)
{
	int status = -1;

	turns_end(turns);
	waitpid(pid, &status, 0);
	return status;
}

#endif /* ABI_TURNS_H */
