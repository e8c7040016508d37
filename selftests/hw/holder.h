/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that hold sessions until they are killed. */
#ifndef HW_HOLDER_H
#define HW_HOLDER_H

#include "work.h"
#include "session.h"

/**
 * holder_start() - start a process that creates sessions and keeps them enabled
 * @sessions: described, not created yet
 * @nr: how many
 *
 * Return: its pid, to be ended with end_child(); -errno if one of its sessions was refused.
 */
static inline pid_t holder_start(struct session *sessions, unsigned int nr)
{
	int fds[2], ret = 0;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		while (nr-- && !ret)
			ret = session_make(sessions) ?: session_enable(sessions++);
		if (write(fds[1], &ret, sizeof(ret)) != sizeof(ret))
			_exit(1);
		while (!ret)
			pause();
		_exit(0);
	}
	close(fds[1]);
	if (read(fds[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = -EPIPE;
	close(fds[0]);
	if (!ret)
		return pid;
	end_child(pid);
	return ret;
}

#endif /* HW_HOLDER_H */
