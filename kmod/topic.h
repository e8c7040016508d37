/* SPDX-License-Identifier: GPL-2.0-only */
/* Which topics somebody listens to, and what interrupts leave for a worker to report. */
#ifndef _ACRPMU_TOPIC_H
#define _ACRPMU_TOPIC_H

#include <linux/compiler.h>
#include <linux/types.h>

struct acrpmu_session;
struct acrpmu_session_cpu;
struct irq_work;

/* ACRPMU_NL_TOPIC_* of all listeners together */
extern u32 acrpmu_topics;
/* queued when a mark was left, or somebody listens; notify.c */
extern struct irq_work acrpmu_topic_work;

void acrpmu_topic_set(u32 topics);
void acrpmu_topic_mark_enabled(struct acrpmu_session *session);
void acrpmu_topic_mark_losses(struct acrpmu_session_cpu *scpu);

/**
 * acrpmu_topic_wanted() - check whether somebody listens to a topic
 *
 * Context: any, NMI included; a snapshot.
 */
static __always_inline bool acrpmu_topic_wanted(u32 topic)
{
	return unlikely(READ_ONCE(acrpmu_topics) & topic);
}

#endif /* _ACRPMU_TOPIC_H */
