// SPDX-License-Identifier: GPL-2.0-only
/* Which topics somebody listens to, and what interrupts leave for a worker to report. */
#include <linux/irq_work.h>
#include <linux/kprobes.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "topic.h"

/* see topic.h */
u32 acrpmu_topics;
struct irq_work acrpmu_topic_work;

/* The worker of notify.c removes the mark before it looks. */
static void leave(bool *mark)
{
	/*
	 * A, pairs with B in notify.c: what was counted before is seen by the worker that removes
	 * this mark, or that finds the one which is there already.
	 */
	if (!xchg(mark, true))
		irq_work_queue(&acrpmu_topic_work);
}

NOKPROBE_SYMBOL(leave);

/**
 * acrpmu_topic_set() - listen to some topics from now on
 * @topics: ACRPMU_NL_TOPIC_* of all listeners together
 *
 * Context: process, one caller at a time.
 */
void acrpmu_topic_set(u32 topics)
{
	WRITE_ONCE(acrpmu_topics, topics);
	/* Its worker has more to look at now. */
	if (topics)
		irq_work_queue(&acrpmu_topic_work);
}

/**
 * acrpmu_topic_mark_enabled() - note that exec has enabled a session
 *
 * Context: any, NMI included.
 */
void acrpmu_topic_mark_enabled(struct acrpmu_session *session)
{
	if (acrpmu_topic_wanted(ACRPMU_NL_TOPIC_SESSIONS))
		leave(&session->marked);
}

/**
 * acrpmu_topic_mark_losses() - note that a session lost overflows on this CPU, pauses or resumes
 *
 * Context: any, NMI included.
 */
void acrpmu_topic_mark_losses(struct acrpmu_session_cpu *scpu)
{
	if (acrpmu_topic_wanted(ACRPMU_NL_TOPIC_LOSSES))
		leave(&scpu->marked);
}

NOKPROBE_SYMBOL(acrpmu_topic_mark_losses);
