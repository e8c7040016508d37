/* SPDX-License-Identifier: GPL-2.0-only */
/* The sessions that exist, and the lock that serialises changes to them. */
#ifndef _ACRPMU_REGISTRY_H
#define _ACRPMU_REGISTRY_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>

struct acrpmu_error;
struct acrpmu_session;
struct workqueue_struct;

/*
 * Serialises what changes sessions, claims and CPUs.  Taken after cpus_read_lock(), or in a CPU
 * hotplug callback; never in interrupts.
 */
extern struct mutex acrpmu_lock;
/* every session; acrpmu_lock */
extern struct list_head acrpmu_sessions;
/* work that may wait; unbound */
extern struct workqueue_struct *acrpmu_wq;
/* queued when a session wants a CPU; arrive.c */
extern struct irq_work acrpmu_notice;

int acrpmu_registry_init(void);
void acrpmu_registry_exit(void);
void acrpmu_registry_lock(void);
void acrpmu_registry_unlock(void);
int acrpmu_registry_add(struct acrpmu_session *session, struct acrpmu_error *err);
void acrpmu_registry_announce(struct acrpmu_session *session);
unsigned int acrpmu_registry_generation(void);
void acrpmu_registry_remove(struct acrpmu_session *session);
unsigned int acrpmu_registry_count(void);

#endif /* _ACRPMU_REGISTRY_H */
