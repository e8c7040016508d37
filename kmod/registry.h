/* SPDX-License-Identifier: GPL-2.0-only */
/* The sessions that exist, and the lock that serialises changes to them. */
#ifndef _ACRPMU_REGISTRY_H
#define _ACRPMU_REGISTRY_H

#include <linux/list.h>
#include <linux/mutex.h>

struct acrpmu_session;

/*
 * Serialises what changes sessions, claims and CPUs.  Taken after cpus_read_lock(), or in a CPU
 * hotplug callback; never in interrupts.
 */
extern struct mutex acrpmu_lock;
/* every session; acrpmu_lock */
extern struct list_head acrpmu_sessions;

void acrpmu_registry_lock(void);
void acrpmu_registry_unlock(void);
void acrpmu_registry_add(struct acrpmu_session *session);
void acrpmu_registry_remove(struct acrpmu_session *session);
unsigned int acrpmu_registry_count(void);

#endif /* _ACRPMU_REGISTRY_H */
