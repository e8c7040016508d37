// SPDX-License-Identifier: LGPL-2.1-or-later
/* Regions of code: a session counts and samples only between their marks. */
#include <errno.h>

#include "device.h"

/**
 * acrpmu_region_begin() - mark the beginning of a region of code: the group starts
 * @session: a session that the program has created and not enabled
 *
 * Regions may nest: the group runs until the outermost one ends.  Each thread needs its own
 * session, created by it with ACRPMU_SESSION_TASK and pid 0, because a session that follows several
 * threads starts and stops for all of them.  After fork(2) only one of the two processes may mark
 * regions of a session.
 *
 * Only the marks of an outermost region enter the kernel, which starts or stops the group on each
 * CPU that the session holds.  If @cpus in struct acrpmu_session_options names the CPU of the
 * thread only, no other CPU is interrupted.
 *
 * Return: 0; or the module's error: then this is no beginning, and has no end.
 */
int acrpmu_region_begin(struct acrpmu_session *session)
{
	int err = session->region_depth ? 0 : acrpmu_session_enable(session);

	if (!err)
		session->region_depth++;
	return err;
}

/**
 * acrpmu_region_end() - mark the end of the region that began last; the outermost stops the group
 * @session: the session, whose counts and records stay readable
 *
 * A period that has begun continues in the next region.
 *
 * Return: 0; -EINVAL: there is no region; or the module's error: then the region has not ended.
 */
int acrpmu_region_end(struct acrpmu_session *session)
{
	int err = 0;

	if (!session->region_depth)
		return -EINVAL;
	if (session->region_depth == 1)
		err = acrpmu_session_disable(session);
	if (!err)
		session->region_depth--;
	return err;
}
