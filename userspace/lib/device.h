/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An open device and a session. */
#ifndef _ACRPMU_LIB_DEVICE_H
#define _ACRPMU_LIB_DEVICE_H

#include "acrpmu_lib.h"

/**
 * struct acrpmu_device - an open device
 * @ops: how system calls are made
 * @fd: its descriptor
 */
struct acrpmu_device {
	const struct acrpmu_ops *ops;
	int fd;
};

/**
 * struct acrpmu_session - a session
 * @ops: how system calls are made
 * @fd: its descriptor
 * @id: its number
 * @nr: number of events
 * @ids: of the events
 * @ring_bytes: bytes of one CPU's mapping, 0 when no event is sampled
 * @region_depth: regions that have begun and not ended, one inside the other
 */
struct acrpmu_session {
	const struct acrpmu_ops *ops;
	int fd;
	__u64 id;
	unsigned int nr;
	__u64 ids[ACRPMU_MAX_EVENTS];
	size_t ring_bytes;
	unsigned int region_depth;
};

#endif /* _ACRPMU_LIB_DEVICE_H */
