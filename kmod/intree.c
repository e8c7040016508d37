// SPDX-License-Identifier: GPL-2.0-only
/* Events that programs, and the kernel for tasks, have opened in in-tree perf. */
#include <linux/completion.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "../uapi/acrpmu.h"
#include "core/model.h"
#include "core/refuse.h"
#include "intree.h"
#include "pmu.h"
#include "trace.h"

/* What in-tree perf has as owner of events that the kernel opened. */
#define KERNEL_OWNER	((struct task_struct *)-1L)

/* Numbers of tasks between two points at which another task may run. */
#define BATCH		256

/* Looks at tasks that all walks together take in a second, at most but for the first walk. */
#define LOOKS_PER_S	500000

/* A walk does not run after a storm of forks: what that hides is noticed later, see taken.c. */
#define MAX_ROUNDS	16

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

/**
 * acrpmu_intree_is_core() - check whether an event is of a PMU that acrpmu_intree_learn() noted
 *
 * Context: any.
 */
bool acrpmu_intree_is_core(const struct perf_event *event)
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
 * @node: in the list of searches that wait for a walk, or of those that it makes
 * @cpus: an event that may run on one of these CPUs
 * @min_state: in this state or one above it
 * @pinned: also one that does not count now, but would come before a claim: it is pinned, and was
 *	there first
 * @starved: instead every event that is enabled and on no counter, where its task is now
 * @err: to be filled, for the first event
 * @nr: events found
 * @done: the walk has ended, or needs to look no further for this one
 */
struct search {
	struct list_head node;
	const struct cpumask *cpus;
	int min_state;
	bool pinned;
	bool starved;
	struct acrpmu_error *err;
	unsigned int nr;
	struct completion done;
};

/**
 * struct walk - a walk over all tasks, under way
 * @searches: that are not done
 * @nr: how many it began with
 * @next: number of the task to visit next
 * @tasks: visited
 * @looks: visits, those of each search to tasks with events, and the events that it saw there
 * @batch: visits and events since another task could run
 * @longest: the largest that was
 */
struct walk {
	struct list_head searches;
	unsigned int nr;
	int next;
	unsigned int tasks;
	unsigned int looks;
	unsigned int batch;
	unsigned int longest;
};

static void rest(struct walk *walk)
{
	walk->longest = max(walk->longest, walk->batch);
	walk->batch = 0;
	cond_resched();
}

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

	if (!has_state(event, search) || !acrpmu_intree_is_core(event))
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

/* A list is seen in one go, as perf itself sees those of tasks with interrupts off. */
static void find_of_task(struct walk *walk, struct task_struct *task, struct search *search)
{
	const struct cpumask *allowed = search->starved ? cpumask_of(task_cpu(task)) :
							  &task->cpus_mask;
	struct perf_event_context *ctx;
	struct perf_event *event;
	int cpu;

	/* Perf frees contexts, events and owners only after an RCU grace period. */
	rcu_read_lock();
	ctx = rcu_dereference_raw(*compat_perf_ctx(task));
	if (!ctx)
		goto out;
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		walk->looks++;
		walk->batch++;
		cpu = cpu_of(event, search, allowed);
		if (cpu < 0 || search->nr++)
			continue;
		search->err->cpu = cpu;
		name_reason(event, search);
		name_owner(event, task, search->err);
		if (!search->starved)
			break;
	}
out:
	rcu_read_unlock();
}

/* ---- events of CPUs ---- */

/*
 * A real-time task may keep an opener that holds its list from running for ever, and so may the
 * opener's own memory.  acrpmu_hold_check() sees what such a list has on a counter.
 */
static void find_of_opener(struct walk *walk, struct task_struct *opener, struct search *search)
{
	struct perf_event *event;
	int cpu;

	if (!mutex_trylock(&opener->perf_event_mutex))
		return;
	/* An event leaves the list before it is freed. */
	list_for_each_entry(event, &opener->perf_event_list, owner_entry) {
		walk->looks++;
		walk->batch++;
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

/* ---- a walk over all tasks, for all who have asked before it ---- */

static struct workqueue_struct *walk_wq;
static DEFINE_SPINLOCK(asked_lock);
static LIST_HEAD(asked);			/* asked_lock */
static unsigned int nr_asked;			/* asked_lock */
static unsigned long next_walk;			/* jiffies before which none begins; asked_lock */

/* A task has a context for the events that count it, and a list of those that it has opened. */
static bool may_have_events(struct task_struct *task)
{
	return READ_ONCE(*compat_perf_ctx(task)) || !list_empty(&task->perf_event_list);
}

/* Find the next task with events, among some tasks; its reference is the caller's. */
static struct task_struct *visit_some(struct walk *walk, int end)
{
	struct task_struct *task = NULL;
	struct pid *pid;

	rcu_read_lock();
	while (!task && walk->next < end && walk->batch < BATCH) {
		pid = find_ge_pid(walk->next, &init_pid_ns);
		walk->next = pid ? pid_nr(pid) + 1 : end;
		walk->batch++;
		/* The number of a process group or session may outlive its tasks. */
		task = pid ? pid_task(pid, PIDTYPE_PID) : NULL;
		walk->tasks += !!task;
		walk->looks += !!task;
		if (task && may_have_events(task))
			get_task_struct(task);
		else
			task = NULL;
	}
	rcu_read_unlock();
	return task;
}

/* A task may have many events, and there may be many searches. */
static void search_task(struct walk *walk, struct task_struct *task)
{
	struct search *search, *next;

	list_for_each_entry_safe(search, next, &walk->searches, node) {
		walk->looks++;
		find_of_task(walk, task, search);
		if (search->starved || !search->nr)
			find_of_opener(walk, task, search);
		if (search->nr && !search->starved) {
			list_del(&search->node);
			complete(&search->done);
		}
		rest(walk);
	}
}

static void visit(struct walk *walk, int from, int end)
{
	struct task_struct *task;

	walk->next = from;
	while (walk->next < end && !list_empty(&walk->searches)) {
		task = visit_some(walk, end);
		rest(walk);
		if (!task)
			continue;
		search_task(walk, task);
		put_task_struct(task);
	}
}

/*
 * New tasks get growing numbers, and small ones after the largest.  So a walk that begins where
 * the next ones will be, and ends where they are by then, misses none that another has forked
 * and left its events to.
 */
static void visit_all(struct walk *walk)
{
	int from = idr_get_cursor(&init_pid_ns.idr), to, round;

	visit(walk, from, INT_MAX);
	visit(walk, 1, from);
	for (round = 0; round < MAX_ROUNDS && !list_empty(&walk->searches); round++) {
		to = idr_get_cursor(&init_pid_ns.idr);
		if (to == from)
			break;
		visit(walk, from, to > from ? to : INT_MAX);
		if (to < from)
			visit(walk, 1, to);
		from = to;
	}
}

static void walk_tasks(struct work_struct *work);
static DECLARE_DELAYED_WORK(walk_work, walk_tasks);

static void queue_walk(void)
{
	unsigned long now = jiffies;

	lockdep_assert_held(&asked_lock);
	queue_delayed_work(walk_wq, &walk_work, time_after(next_walk, now) ? next_walk - now : 0);
}

/* Begin a walk for all who have asked, unless it is too early or an earlier one was for them. */
static bool begin(struct walk *walk)
{
	spin_lock(&asked_lock);
	if (time_before(jiffies, next_walk)) {
		queue_walk();
	} else {
		list_splice_init(&asked, &walk->searches);
		swap(nr_asked, walk->nr);
	}
	spin_unlock(&asked_lock);
	return walk->nr;
}

static void end(const struct walk *walk, unsigned long began)
{
	struct search *search, *next;

	spin_lock(&asked_lock);
	next_walk = began + max(1, walk->looks / (LOOKS_PER_S / HZ));
	spin_unlock(&asked_lock);
	list_for_each_entry_safe(search, next, &walk->searches, node)
		complete(&search->done);
	trace_acrpmu_search(walk->nr, walk->tasks, walk->looks, walk->longest);
}

static void walk_tasks(struct work_struct *work)
{
	struct walk walk = { .searches = LIST_HEAD_INIT(walk.searches) };
	unsigned long began = jiffies;

	if (!begin(&walk))
		return;
	visit_all(&walk);
	end(&walk, began);
}

/* Whatever the caller's priority, others do not wait for it. */
static int find(struct search *search)
{
	init_completion(&search->done);
	spin_lock(&asked_lock);
	list_add_tail(&search->node, &asked);
	nr_asked++;
	queue_walk();
	spin_unlock(&asked_lock);
	wait_for_completion(&search->done);
	return search->nr;
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
 * The walk that answers begins after the call, visits tasks a few at a time, and is for all who ask
 * in the meantime: at most one begins in a tick, and they look at LOOKS_PER_S tasks and events
 * in a second.
 *
 * Context: process, may sleep, without locks; the hotplug lock may be held.
 * Return: 1 if there is one, 0 if not.
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
 * Return: 1 if there is one, 0 if not.
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
		if (event == claim || !acrpmu_intree_is_core(event) || !is_pinned(event) ||
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
 * Return: their number.
 */
int acrpmu_intree_starved(const struct cpumask *cpus, struct acrpmu_error *err)
{
	struct search search = { .cpus = cpus, .starved = true, .err = err };

	return find(&search);
}

/**
 * acrpmu_intree_init() - get ready to walk over tasks
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_intree_init(void)
{
	next_walk = jiffies;
	/* A real-time task must not hold it up, hence on whatever CPU is free. */
	walk_wq = alloc_workqueue("acrpmu_search", WQ_UNBOUND, 0);
	return walk_wq ? 0 : -ENOMEM;
}

/**
 * acrpmu_intree_exit() - undo acrpmu_intree_init()
 *
 * Context: process, may sleep, at unload; nobody asks any more.
 */
void acrpmu_intree_exit(void)
{
	cancel_delayed_work_sync(&walk_work);
	destroy_workqueue(walk_wq);
}
