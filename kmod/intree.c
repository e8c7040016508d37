// SPDX-License-Identifier: GPL-2.0-only
/* Events that programs, and the kernel for tasks, have opened in in-tree perf. */
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../uapi/acrpmu.h"
#include "core/model.h"
#include "core/refuse.h"
#include "intree.h"
#include "pmu.h"

/* What in-tree perf has as owner of events that the kernel opened. */
#define KERNEL_OWNER	((struct task_struct *)-1L)

/* Room for openers that appear while they are being counted. */
#define SPARE_OPENERS	16

/**
 * struct core - a kind of core with in-tree perf's PMU for it
 * @caps: of one of its CPUs, a copy
 * @pmu: only to be compared: that of another event may be freed at any time
 */
struct core {
	struct acrpmu_caps caps;
	const struct pmu *pmu;
};

/* At most three kinds are in one processor. */
static struct core cores[4];
static unsigned int nr_cores;
static DEFINE_MUTEX(cores_mutex);

static bool is_core(const struct perf_event *event)
{
	const struct pmu *pmu = READ_ONCE(event->pmu);
	/* Pairs with the release in acrpmu_intree_learn(). */
	unsigned int i, nr = smp_load_acquire(&nr_cores);

	for (i = 0; i < nr; i++)
		if (cores[i].pmu == pmu)
			return true;
	return false;
}

/**
 * acrpmu_intree_knows() - check whether in-tree perf's PMU of a CPU is known
 *
 * Context: any but NMI.
 */
bool acrpmu_intree_knows(int cpu)
{
	/* Pairs with the release in acrpmu_intree_learn(). */
	unsigned int i, nr = smp_load_acquire(&nr_cores);

	for (i = 0; i < nr; i++)
		if (acrpmu_model_same_kind(&cores[i].caps, &acrpmu_pmu_of(cpu)->caps))
			return true;
	return false;
}

/**
 * acrpmu_intree_learn() - note in-tree perf's PMU of a CPU, so that its events are found
 *
 * Context: process, may sleep.
 */
void acrpmu_intree_learn(int cpu, const struct pmu *pmu)
{
	mutex_lock(&cores_mutex);
	if (!acrpmu_intree_knows(cpu) && nr_cores < ARRAY_SIZE(cores)) {
		cores[nr_cores].caps = acrpmu_pmu_of(cpu)->caps;
		cores[nr_cores].pmu = pmu;
		/* Pairs with the readers, which look only at what is written. */
		smp_store_release(&nr_cores, nr_cores + 1);
	}
	mutex_unlock(&cores_mutex);
}

/**
 * struct search - what to look for
 * @cpus: an event that may run on one of these CPUs
 * @min_state: in this state or one above it
 * @pinned: also one that does not count now, but would come before a claim: it is pinned, and was
 *	there first
 * @starved: instead every event that is enabled and on no counter, where its task is now
 * @err: to be filled, for the first event
 * @nr: events found
 */
struct search {
	const struct cpumask *cpus;
	int min_state;
	bool pinned;
	bool starved;
	struct acrpmu_error *err;
	unsigned int nr;
};

/* Perf puts pinned events on counters in the order in which they were opened. */
static bool is_pinned(const struct perf_event *event)
{
	return READ_ONCE(event->group_leader)->attr.pinned &&
	       READ_ONCE(event->state) >= PERF_EVENT_STATE_ERROR;
}

static bool has_state(const struct perf_event *event, const struct search *search)
{
	int state = READ_ONCE(event->state);

	if (search->pinned && is_pinned(event))
		return true;
	if (search->starved)
		return state == PERF_EVENT_STATE_INACTIVE || state == PERF_EVENT_STATE_ERROR;
	return state >= search->min_state;
}

/* One of the CPUs that an event may run on, where its task may; -ENOENT if there is none. */
static int cpu_of(const struct perf_event *event, const struct search *search,
		  const struct cpumask *allowed)
{
	unsigned int cpu;

	if (!has_state(event, search) || !is_core(event))
		return -ENOENT;
	cpu = event->cpu < 0 ? cpumask_any_and(search->cpus, allowed) : event->cpu;
	if (cpu >= nr_cpu_ids || !cpumask_test_cpu(cpu, search->cpus) ||
	    !cpumask_test_cpu(cpu, allowed))
		return -ENOENT;
	return cpu;
}

static void name_process(struct task_struct *task, struct acrpmu_error *err)
{
	struct task_struct *process = task;

	rcu_read_lock();
	/* The leader lives as long as a thread that has not been reaped. */
	if (pid_alive(task))
		process = READ_ONCE(task->group_leader);
	err->holder_pid = task_tgid_nr(process);
	get_task_comm(err->holder, process);
	rcu_read_unlock();
}

/* An enabled one is in the way now, another one would be later. */
static void name_reason(const struct perf_event *event, const struct search *search)
{
	if (search->pinned && READ_ONCE(event->state) < PERF_EVENT_STATE_INACTIVE)
		search->err->reason = ACRPMU_REASON_PINNED;
}

/* ---- events of tasks ---- */

/* An event that nobody owns any more was left to others who have its descriptor. */
static void name_owner(const struct perf_event *event, struct task_struct *task,
		       struct acrpmu_error *err)
{
	const struct perf_event *opened = READ_ONCE(event->parent) ?: event;
	struct task_struct *owner = READ_ONCE(opened->owner);

	if (owner == KERNEL_OWNER) {
		err->reason = ACRPMU_REASON_VPMU_EVENT;
		name_process(task, err);
	} else if (owner) {
		name_process(owner, err);
	}
}

/* Returns true if that is enough. */
static bool find_of_task(struct task_struct *task, struct search *search)
{
	const struct cpumask *allowed = search->starved ? cpumask_of(task_cpu(task)) :
							  &task->cpus_mask;
	/* Perf frees contexts, events and owners only after an RCU grace period. */
	struct perf_event_context *ctx = rcu_dereference_raw(*compat_perf_ctx(task));
	struct perf_event *event;
	int cpu;

	if (!ctx)
		return false;
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		cpu = cpu_of(event, search, allowed);
		if (cpu < 0 || search->nr++)
			continue;
		search->err->cpu = cpu;
		name_reason(event, search);
		name_owner(event, task, search->err);
		if (!search->starved)
			return true;
	}
	return false;
}

/* Whoever opened them: a program, its parent for it, the kernel, or somebody who has exited. */
static void find_of_tasks(struct search *search)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (find_of_task(task, search))
			goto out;
	}
out:
	rcu_read_unlock();
}

/* ---- events of CPUs ---- */

/*
 * A real-time task may keep an opener that holds its list from running for ever, and so may the
 * opener's own memory.  acrpmu_hold_check() sees what such a list has on a counter.
 */
static void find_of_opener(struct task_struct *opener, struct search *search)
{
	struct perf_event *event;
	int cpu;

	if (!mutex_trylock(&opener->perf_event_mutex))
		return;
	/* An event leaves the list before it is freed. */
	list_for_each_entry(event, &opener->perf_event_list, owner_entry) {
		cpu = event->hw.target ? -ENOENT : cpu_of(event, search, cpu_possible_mask);
		if (cpu < 0 || search->nr++)
			continue;
		search->err->cpu = cpu;
		name_reason(event, search);
		name_process(opener, search->err);
		if (!search->starved)
			break;
	}
	mutex_unlock(&opener->perf_event_mutex);
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

static int find_of_cpus(struct search *search)
{
	struct task_struct **openers;
	unsigned int nr, i;

	openers = all_openers(&nr);
	if (!openers)
		return -ENOMEM;
	for (i = 0; i < nr && (search->starved || !search->nr); i++)
		find_of_opener(openers[i], search);
	put_openers(openers, nr);
	return 0;
}

static int find(struct search *search)
{
	int ret = 0;

	find_of_tasks(search);
	if (search->starved || !search->nr)
		ret = find_of_cpus(search);
	return ret ?: search->nr;
}

/**
 * acrpmu_intree_find() - find an event of a program or task that may run on some CPUs
 * @min_state: PERF_EVENT_STATE_INACTIVE for enabled events, _EXIT for all that exist
 * @err: filled with the CPU, and with the process that opened the event if it still exists; for
 *	an event that the kernel opened for a task, with that task's process and the reason
 *
 * An event of a task that is not running occupies no counter, so only perf's own lists show it.
 * They lack the kernel's events of CPUs, such as the NMI watchdog's, and events of CPUs that their
 * opener passed on before it exited; both are on a counter while they are enabled.  An opener that
 * is just opening or closing an event is passed over.
 *
 * Context: process, may sleep, without locks; the hotplug lock may be held.
 * Return: 1 if there is one, 0 if not, -ENOMEM.
 */
int acrpmu_intree_find(const struct cpumask *cpus, int min_state, struct acrpmu_error *err)
{
	struct search search = { .cpus = cpus, .min_state = min_state, .err = err };

	return find(&search);
}

/**
 * acrpmu_intree_find_rival() - find an event that counts on some CPUs, or would keep a claim off
 * @err: filled as acrpmu_intree_find() does; the reason too, if the event is not enabled
 *
 * Context: as acrpmu_intree_find().
 * Return: 1 if there is one, 0 if not, -ENOMEM.
 */
int acrpmu_intree_find_rival(const struct cpumask *cpus, struct acrpmu_error *err)
{
	struct search search = {
		.cpus = cpus,
		.min_state = PERF_EVENT_STATE_INACTIVE,
		.pinned = true,
		.err = err,
	};

	return find(&search);
}

static void refuse_older(const struct perf_event *claim, struct task_struct *owner,
			 struct acrpmu_error *err)
{
	acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_PINNED, ACRPMU_NO_EVENT, 0, 0);
	err->cpu = claim->cpu;
	if (owner && owner != KERNEL_OWNER)
		name_process(owner, err);
	else
		strscpy(err->holder, "perf", sizeof(err->holder));
}

/**
 * acrpmu_intree_find_older() - find an event that would go on a CPU before a claim there
 * @claim: the claim, a pinned event of a CPU
 * @err: filled if there is one, with the process that opened it if it still exists
 *
 * This looks at the CPU's own list: it also has what the kernel opened, and what openers passed on.
 *
 * Context: process.
 */
bool acrpmu_intree_find_older(const struct perf_event *claim, struct acrpmu_error *err)
{
	const struct perf_event *event;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(event, &claim->ctx->event_list, event_entry) {
		if (event == claim || !is_core(event) || !is_pinned(event) ||
		    READ_ONCE(event->group_leader)->group_index > claim->group_index)
			continue;
		found = true;
		refuse_older(claim, READ_ONCE(event->owner), err);
		break;
	}
	rcu_read_unlock();
	return found;
}

/**
 * acrpmu_intree_starved() - count the enabled events that are on no counter of some CPUs
 * @err: filled as acrpmu_intree_find() does, for one of them
 *
 * They are events of these CPUs, and of tasks that run there or did so last.
 *
 * Context: as acrpmu_intree_find().
 * Return: their number; -ENOMEM.
 */
int acrpmu_intree_starved(const struct cpumask *cpus, struct acrpmu_error *err)
{
	struct search search = { .cpus = cpus, .starved = true, .err = err };

	return find(&search);
}
