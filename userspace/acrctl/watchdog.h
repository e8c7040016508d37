/* SPDX-License-Identifier: GPL-2.0-only */
/* Stopping the NMI watchdog during a recording, and making sure that it starts again. */
#ifndef _ACRCTL_WATCHDOG_H
#define _ACRCTL_WATCHDOG_H

/* The files involved; tests use others. */
struct watchdog_paths {
	const char *control;	/* the kernel's switch */
	const char *state;	/* the old value, locked by each process that pauses */
	const char *mutex;	/* locked while a process starts or ends a pause */
	const char *device;	/* reports the number of sessions */
};

extern const struct watchdog_paths watchdog_default_paths;

/* A pause. */
struct watchdog {
	int keep_fd;		/* the pause lasts while a copy is open; -1: nothing was paused */
	int done_fd;		/* end of file when the helper has finished */
};

int watchdog_pause(struct watchdog *w, const struct watchdog_paths *paths, const char **failed);
int watchdog_resume(struct watchdog *w, int timeout_ms);

#endif /* _ACRCTL_WATCHDOG_H */
