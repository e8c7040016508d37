// SPDX-License-Identifier: GPL-2.0-only
/* The state of a session on one CPU: made when the session first needs it. */
#include <linux/cpumask.h>
#include <linux/memcontrol.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "session.h"
#include "buffer.h"
#include "ctx.h"
#include "pause.h"
#include "session_cpu.h"

static void stop_state(struct acrpmu_session_cpu *scpu)
{
	acrpmu_pause_exit(scpu);
	acrpmu_buffer_free(scpu);
}

static void free_state(struct acrpmu_session_cpu *scpu)
{
	kfree(scpu->ctx);
	kfree(scpu);
}

static struct acrpmu_session_cpu *make_state(struct acrpmu_session *session, int cpu)
{
	int node = cpu_to_node(cpu);
	struct acrpmu_session_cpu *scpu = kzalloc_node(sizeof(*scpu), ACRPMU_GFP, node);

	if (!scpu)
		return NULL;
	scpu->session = session;
	scpu->cpu = cpu;
	scpu->random = get_random_u64() | 1;
	acrpmu_pause_init(scpu);
	if (!session->task_target) {
		scpu->ctx = kzalloc_node(acrpmu_ctx_bytes(session->group.nr), ACRPMU_GFP, node);
		if (!scpu->ctx)
			goto err_state;
		acrpmu_ctx_init(scpu->ctx, session);
	}
	if (acrpmu_buffer_alloc(scpu))
		goto err_state;
	return scpu;

err_state:
	stop_state(scpu);
	free_state(scpu);
	return NULL;
}

static int get(struct acrpmu_session *session, const struct cpumask *cpus)
{
	struct acrpmu_session_cpu *scpu;
	int cpu;

	lockdep_assert_held(&session->rings_lock);
	for_each_cpu(cpu, cpus) {
		if (session->scpu[cpu])
			continue;
		scpu = make_state(session, cpu);
		if (!scpu)
			return -ENOMEM;
		/* Pairs with the read in acrpmu_session_on(). */
		smp_store_release(&session->scpu[cpu], scpu);
		list_add_tail_rcu(&scpu->node, &session->scpus);
	}
	return 0;
}

/**
 * acrpmu_session_cpu_get() - make the state, with its ring, of a session on some of its CPUs
 * @session: its creator is charged
 * @cpus: CPUs; those that have a state keep it
 *
 * The memory lies on the node of each CPU.
 *
 * Context: process, may sleep, without acrpmu_lock; mmap_lock may be held.
 * Return: 0 or -ENOMEM; states made so far stay.
 */
int acrpmu_session_cpu_get(struct acrpmu_session *session, const struct cpumask *cpus)
{
	/* The creator may have exited since. */
	struct mem_cgroup *before = set_active_memcg(session->memcg);
	int ret;

	mutex_lock(&session->rings_lock);
	ret = get(session, cpus);
	mutex_unlock(&session->rings_lock);
	set_active_memcg(before);
	return ret;
}

/**
 * acrpmu_session_cpu_stop() - free the rings of a session, and end its timers
 * @session: a session that holds no CPU any more
 *
 * Context: process, may sleep; the counters are stopped and no NMI can reach the rings any more.
 */
void acrpmu_session_cpu_stop(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		stop_state(scpu);
}

/**
 * acrpmu_session_cpu_free() - free the states of a session
 * @session: a session after acrpmu_session_cpu_stop()
 *
 * Context: any but NMI; a grace period after its last context was found.
 */
void acrpmu_session_cpu_free(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu, *next;

	list_for_each_entry_safe(scpu, next, &session->scpus, node)
		free_state(scpu);
}
