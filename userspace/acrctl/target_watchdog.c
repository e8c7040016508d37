// SPDX-License-Identifier: GPL-2.0-only
/* The NMI watchdog while a target is followed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "target.h"

/* longest wait for the watchdog's return; its helper goes on by itself */
#define RESUME_MS	5000

/**
 * target_pause_watchdog() - stop the NMI watchdog if that was asked for
 * @t: the target
 *
 * Return: 0, also where there is none; or -errno after a message.
 */
int target_pause_watchdog(struct target *t)
{
	const char *failed;
	int err;

	if (!t->opt.pause_watchdog)
		return 0;
	err = watchdog_pause(&t->watchdog, &watchdog_default_paths, &failed);
	if (err == -ENOENT && !strcmp(failed, watchdog_default_paths.control))
		return 0;
	if (err)
		TARGET_SAY(t, "the NMI watchdog cannot be paused: %s: %s; run as root", failed,
			   strerror(-err));
	return err;
}

/**
 * target_resume_watchdog() - undo target_pause_watchdog(), also where it did nothing
 * @t: the target; the sessions are closed
 */
void target_resume_watchdog(struct target *t)
{
	if (watchdog_resume(&t->watchdog, RESUME_MS))
		TARGET_SAY(t, "the NMI watchdog comes back when the other sessions have ended");
}
