// SPDX-License-Identifier: GPL-2.0-only
/* CPUs coming online and going offline, one by one or with the whole system. */
#include <linux/cpuhotplug.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/suspend.h>

#include "session.h"
#include "arrive.h"
#include "discover.h"
#include "hotplug.h"
#include "notify.h"
#include "owner.h"
#include "registry.h"
#include "restore.h"
#include "pmu.h"

static enum cpuhp_state state;

/* Runs on the CPU, after in-tree perf has set it up. */
static int cpu_online_here(unsigned int cpu)
{
	struct acrpmu_session *session;

	acrpmu_notify_cpu(cpu, true);
	mutex_lock(&acrpmu_lock);
	acrpmu_discover_cpu();
	list_for_each_entry(session, &acrpmu_sessions, node) {
		if (session->follows_all && !cpumask_test_cpu(cpu, session->cpus))
			session->new_cpus = true;
		acrpmu_restore_cpu(session, cpu);
	}
	mutex_unlock(&acrpmu_lock);
	return 0;
}

/* Runs on the CPU, before in-tree perf tears it down. */
static int cpu_offline_here(unsigned int cpu)
{
	struct acrpmu_session *session;

	acrpmu_notify_cpu(cpu, false);
	mutex_lock(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node)
		if (cpumask_test_cpu(cpu, session->cpus))
			acrpmu_restore_lose_cpu(session, cpu);
	mutex_unlock(&acrpmu_lock);
	acrpmu_owner_settle(cpu);
	return 0;
}

/* Whoever has started the sleep finds the sessions as before when it is over. */
static void resume(void)
{
	acrpmu_restore_resume();
	acrpmu_arrive_flush();
	acrpmu_restore_done();
}

/* The boot CPU never goes offline, yet a system suspend clears its registers. */
static int on_suspend(struct notifier_block *block, unsigned long event, void *data)
{
	if (event == PM_SUSPEND_PREPARE || event == PM_HIBERNATION_PREPARE)
		acrpmu_restore_stop(ACRPMU_REASON_SUSPEND);
	else if (event == PM_POST_SUSPEND || event == PM_POST_HIBERNATION)
		resume();
	return NOTIFY_DONE;
}

static struct notifier_block suspend_block = {
	.notifier_call = on_suspend,
};

/* A kernel that kexec starts would find our counters enabled, and get their PMIs. */
static int on_reboot(struct notifier_block *block, unsigned long event, void *data)
{
	acrpmu_restore_stop(ACRPMU_REASON_SHUTDOWN);
	return NOTIFY_DONE;
}

static struct notifier_block reboot_block = {
	.notifier_call = on_reboot,
};

/**
 * acrpmu_hotplug_init() - discover the CPUs that are online, and those that come online later
 *
 * Context: process, at load.
 * Return: 0 or the errno of what registers a callback.
 */
int acrpmu_hotplug_init(void)
{
	int ret;

	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "acrpmu:online", cpu_online_here,
				cpu_offline_here);
	if (ret < 0)
		return ret;
	state = ret;
	ret = register_pm_notifier(&suspend_block);
	if (ret)
		goto err_state;
	ret = register_reboot_notifier(&reboot_block);
	if (ret)
		goto err_suspend;
	return 0;

err_suspend:
	unregister_pm_notifier(&suspend_block);
err_state:
	cpuhp_remove_state_nocalls(state);
	return ret;
}

/**
 * acrpmu_hotplug_exit() - undo acrpmu_hotplug_init()
 *
 * Context: process, at unload; no session is left.
 */
void acrpmu_hotplug_exit(void)
{
	unregister_reboot_notifier(&reboot_block);
	unregister_pm_notifier(&suspend_block);
	cpuhp_remove_state_nocalls(state);
}
