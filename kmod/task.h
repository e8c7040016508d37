/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting and stopping a session's counters, with its tasks: at switch, fork, exec and exit. */
#ifndef _ACRPMU_TASK_H
#define _ACRPMU_TASK_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;

int acrpmu_task_init(void);
int acrpmu_task_get_probes(void);
void acrpmu_task_put_probes(void);
int acrpmu_task_attach(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err);
void acrpmu_task_detach_all(struct acrpmu_session *session);
void acrpmu_task_activate(struct acrpmu_session *session);
void acrpmu_task_start_here(void *data);
void acrpmu_task_stop_here(void *data);

#endif /* _ACRPMU_TASK_H */
