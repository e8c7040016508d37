/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the counts and accounts of a session. */
#ifndef _ACRPMU_READ_H
#define _ACRPMU_READ_H

#include <linux/types.h>

struct acrpmu_count;
struct acrpmu_read;
struct acrpmu_session;

int acrpmu_read_session(struct acrpmu_session *session, struct acrpmu_read *read,
			struct acrpmu_count *counts, u64 *outside);

#endif /* _ACRPMU_READ_H */
