// SPDX-License-Identifier: LGPL-2.1-or-later
/* Whether somebody else has taken a CPU from a session, and who. */
#include <errno.h>
#include <stdint.h>

#include "device.h"
#include "../util/message.h"
#include "error.h"

/**
 * acrpmu_session_taken() - check whether somebody else has taken a CPU from a session
 * @cpu: a CPU of a CPU session, or ACRPMU_CPU_ALL
 * @message: out, what has happened and by whom, and what to do; empty if nothing has; may be NULL
 *
 * poll(2) reports POLLERR until this was asked after it has happened, or the session was read.  Its
 * counts have ACRPMU_COUNT_TAKEN then.
 *
 * Return: 1 if it has happened, 0 if not, or the module is older than ABI version 6; or an error of
 * the module.
 */
int acrpmu_session_taken(struct acrpmu_session *session, int cpu, struct acrpmu_message *message)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_read read = {
		.size = sizeof(read),
		.cpu = cpu,
		.nr_counts = session->nr,
		.counts = (__u64)(uintptr_t)counts,
	};
	int ret = session->ops->ioctl(session->fd, ACRPMU_READ, &read);

	acrpmu_message_clear(message);
	if (ret < 0 || !(read.state & ACRPMU_STATE_TAKEN))
		return ret < 0 ? ret : 0;
	acrpmu_explain(-EBUSY, &read.taken, NULL, 0, message);
	return 1;
}
