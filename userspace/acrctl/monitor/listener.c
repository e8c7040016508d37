// SPDX-License-Identifier: GPL-2.0-only
/* Getting ready to listen to the module, and what this user does not get to hear. */
#include "../permission.h"
#include "monitor.h"

/**
 * listener_open() - get ready to listen; listener_close() in any case
 *
 * Return: 0, or -errno after a message.
 */
int listener_open(struct listener *listener)
{
	struct acrpmu_message message;
	int err = acrpmu_monitor_open(&listener->monitor, &message);

	if (err)
		output_error(listener->command, &message, NULL);
	else
		event_names_open(&listener->names, listener->command);
	return err;
}

/**
 * listener_close() - undo listener_open()
 */
void listener_close(struct listener *listener)
{
	event_names_close(&listener->names);
	acrpmu_monitor_close(listener->monitor);
}

/**
 * listener_note_limits() - report that a user without capabilities does not hear of all sessions
 */
void listener_note_limits(const struct listener *listener)
{
	struct permission_facts user;

	permission_probe(&user);
	if (permission_of(&user, ACRPMU_FEATURE_UNPRIVILEGED) != PERMISSION_ALL)
		fprintf(stderr, "acrctl: %s: note: sessions of other users are not shown, which "
			"takes CAP_PERFMON\n", listener->command);
}
