// SPDX-License-Identifier: GPL-2.0-only
/* Events that programs have opened in in-tree perf. */
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../uapi/acrpmu.h"
#include "intree.h"

/* Room for openers that appear while they are being counted. */
#define SPARE_OPENERS	16

/* Whether an event uses the counters of a core. */
static bool is_core(const struct perf_event *event)
{
	const char *name = event->pmu->name;

	return name && (!strcmp(name, "cpu") || !strcmp(name, "cpu_atom") ||
			!strcmp(name, "cpu_lowpower") || !strcmp(name, "cpu_core"));
}

/* One of @cpus that an event may run on; -ENOENT if there is none. */
static int cpu_of(const struct perf_event *event, const struct cpumask *cpus, int min_state)
{
	const struct cpumask *allowed = cpu_possible_mask;
	unsigned int cpu;

	if (READ_ONCE(event->state) < min_state || !is_core(event))
		return -ENOENT;
	if (event->hw.target)
		allowed = &event->hw.target->cpus_mask;
	cpu = event->cpu < 0 ? cpumask_any_and(cpus, allowed) : event->cpu;
	if (cpu >= nr_cpu_ids || !cpumask_test_cpu(cpu, cpus) || !cpumask_test_cpu(cpu, allowed))
		return -ENOENT;
	return cpu;
}

/* The same for an event and those inherited by children of its task; -EINTR if killed. */
static int cpu_of_family(struct perf_event *event, const struct cpumask *cpus, int min_state)
{
	int cpu = cpu_of(event, cpus, min_state);
	struct perf_event *child;

	/* Whoever holds perf's mutexes may have to wait for a real-time task. */
	if (mutex_lock_killable(&event->child_mutex))
		return -EINTR;
	list_for_each_entry(child, &event->child_list, child_list) {
		if (cpu != -ENOENT)
			break;
		cpu = cpu_of(child, cpus, min_state);
	}
	mutex_unlock(&event->child_mutex);
	return cpu;
}

static int cpu_of_opener(struct task_struct *opener, const struct cpumask *cpus, int min_state)
{
	struct perf_event *event;
	int cpu = -ENOENT;

	/* An event leaves the list before it is freed. */
	if (mutex_lock_killable(&opener->perf_event_mutex))
		return -EINTR;
	list_for_each_entry(event, &opener->perf_event_list, owner_entry) {
		cpu = cpu_of_family(event, cpus, min_state);
		if (cpu != -ENOENT)
			break;
	}
	mutex_unlock(&opener->perf_event_mutex);
	return cpu;
}

/* Take references to as many tasks with events as there is room for, and count all of them. */
static unsigned int get_openers(struct task_struct **openers, unsigned int room)
{
	struct task_struct *process, *task;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (list_empty(&task->perf_event_list))
			continue;
		if (nr < room)
			openers[nr] = get_task_struct(task);
		nr++;
	}
	rcu_read_unlock();
	return nr;
}

static void put_openers(struct task_struct **openers, unsigned int nr)
{
	while (nr--)
		put_task_struct(openers[nr]);
	kfree(openers);
}

static struct task_struct **all_openers(unsigned int *nr)
{
	struct task_struct **openers;
	unsigned int room = 0;

	for (;;) {
		room += SPARE_OPENERS;
		openers = kmalloc_array(room, sizeof(*openers), GFP_KERNEL);
		if (!openers)
			return NULL;
		*nr = get_openers(openers, room);
		if (*nr <= room)
			return openers;
		put_openers(openers, room);
		room = *nr;
	}
}

static void name_opener(struct task_struct *opener, unsigned int cpu,
			struct acrpmu_error *err)
{
	struct task_struct *process = opener;

	rcu_read_lock();
	/* The leader lives as long as a thread that has not been reaped. */
	if (pid_alive(opener))
		process = READ_ONCE(opener->group_leader);
	err->cpu = cpu;
	err->holder_pid = task_tgid_vnr(process);
	get_task_comm(err->holder, process);
	rcu_read_unlock();
}

/**
 * acrpmu_intree_find() - find an event opened by a program that may run on some CPUs
 * @min_state: PERF_EVENT_STATE_INACTIVE for enabled events, _EXIT for all that exist
 * @err: filled with the CPU and the process that opened the event
 *
 * An event of a task that is not running occupies no counter, so only perf's own lists show it.
 * They lack events of the kernel, such as the NMI watchdog's, and events that their opener passed
 * on before it exited.
 *
 * Context: process, may sleep; takes perf_event_mutex of tasks and child_mutex of events.
 * Return: 1 if there is one, 0 if not, -ENOMEM; -EINTR if killed.
 */
int acrpmu_intree_find(const struct cpumask *cpus, int min_state, struct acrpmu_error *err)
{
	struct task_struct **openers;
	unsigned int nr, i;
	int cpu = -ENOENT;

	openers = all_openers(&nr);
	if (!openers)
		return -ENOMEM;
	for (i = 0; i < nr && cpu == -ENOENT; i++) {
		cpu = cpu_of_opener(openers[i], cpus, min_state);
		if (cpu >= 0)
			name_opener(openers[i], cpu, err);
	}
	put_openers(openers, nr);
	if (cpu == -ENOENT)
		return 0;
	return cpu < 0 ? cpu : 1;
}
