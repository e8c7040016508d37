// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of processes: the initial ones inside the module, those of the reader outside. */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "pids.h"

/* The number of a process that has exited may be that of another one by now. */
static pid_t number_of(struct pid *pid, struct pid_namespace *ns)
{
	return pid && pid_task(pid, PIDTYPE_TGID) ? pid_nr_ns(pid, ns) : 0;
}

/**
 * acrpmu_pids_of() - get the number of a process in a namespace
 *
 * Context: any but NMI.
 * Return: the number; 0 if it has none there or has exited.
 */
pid_t acrpmu_pids_of(struct pid *pid, struct pid_namespace *ns)
{
	pid_t nr;

	rcu_read_lock();
	nr = number_of(pid, ns);
	rcu_read_unlock();
	return nr;
}

/**
 * acrpmu_pids_translate() - get the number in a namespace of a process with an initial number
 *
 * Context: any but NMI.
 * Return: as acrpmu_pids_of().
 */
pid_t acrpmu_pids_translate(pid_t nr, struct pid_namespace *ns)
{
	rcu_read_lock();
	nr = nr ? number_of(find_pid_ns(nr, &init_pid_ns), ns) : 0;
	rcu_read_unlock();
	return nr;
}
