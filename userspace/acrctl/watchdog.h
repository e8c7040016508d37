/* SPDX-License-Identifier: GPL-2.0-only */
/* Stopping the NMI watchdog for the time of a recording, and making sure that it comes back. */
#ifndef _ACRCTL_WATCHDOG_H
#define _ACRCTL_WATCHDOG_H

/**
 * struct watchdog_paths - the files involved, so that tests can use others
 * @control: the kernel's switch
 * @state: holds the old value while somebody keeps the watchdog off; its lock counts them
 * @mutex: locked while one of them comes or goes
 * @device: asked for the number of sessions
 */
struct watchdog_paths {
	const char *control;
	const char *state;
	const char *mutex;
	const char *device;
};

/* the real ones */
extern const struct watchdog_paths watchdog_default_paths;

/**
 * struct watchdog - a pause
 * @keep_fd: while any copy of it is open the pause lasts; -1: nothing was paused
 * @done_fd: end of file when the helper has finished
 */
struct watchdog {
	int keep_fd;
	int done_fd;
};

int watchdog_pause(struct watchdog *w, const struct watchdog_paths *paths, const char **failed);
int watchdog_resume(struct watchdog *w, int timeout_ms);

#endif /* _ACRCTL_WATCHDOG_H */
