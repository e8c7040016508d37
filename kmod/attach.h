/* SPDX-License-Identifier: GPL-2.0-only */
/* Following tasks, or every thread of processes, from now on. */
#ifndef _ACRPMU_ATTACH_H
#define _ACRPMU_ATTACH_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;

int acrpmu_attach(struct acrpmu_session *session, pid_t pid, bool process, u32 *nr,
		  struct acrpmu_error *err);

#endif /* _ACRPMU_ATTACH_H */
