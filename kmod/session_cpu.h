/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a session on one CPU: made when the session first needs it. */
#ifndef _ACRPMU_SESSION_CPU_H
#define _ACRPMU_SESSION_CPU_H

struct acrpmu_session;
struct cpumask;

int acrpmu_session_cpu_get(struct acrpmu_session *session, const struct cpumask *cpus);
void acrpmu_session_cpu_stop(struct acrpmu_session *session);
void acrpmu_session_cpu_free(struct acrpmu_session *session);

#endif /* _ACRPMU_SESSION_CPU_H */
