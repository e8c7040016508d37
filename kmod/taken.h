/* SPDX-License-Identifier: GPL-2.0-only */
/* Noticing that somebody else has got at the counters of a session, which ends there then. */
#ifndef _ACRPMU_TAKEN_H
#define _ACRPMU_TAKEN_H

#include <linux/types.h>

struct acrpmu_session;

bool acrpmu_taken_is_new(const struct acrpmu_session *session);
void acrpmu_taken_settle(void);
void acrpmu_taken_init(void);
void acrpmu_taken_exit(void);

#endif /* _ACRPMU_TAKEN_H */
