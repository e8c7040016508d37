// SPDX-License-Identifier: GPL-2.0-only
/* Calls about tasks: children that inherit sessions, signals, cgroups, CPUs that go offline. */
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hw/file.h"
#include "acrpmu.h"

#define GROUPS		"/tmp/acrpmu_fuzz"
#define CPU1_ONLINE	"/sys/devices/system/cpu/cpu1/online"
#define EXECUTED	"/bin/true"

pid_t task_of(uint64_t arg)
{
	unsigned int which = part(arg, 0, 8);

	if (which < NR_THREADS)
		return world.threads[which].tid;
	if (which < NR_THREADS + NR_CHILDREN)
		return world.children[which - NR_THREADS];
	return which == 7 && !part(arg, 8, 4) ? 0x3ffffff : 0;
}

static void work(unsigned int rounds)
{
	volatile unsigned int sum = 0;
	unsigned int i;

	for (i = 0; i < rounds; i++)
		sum += i & 1 ? sum : i;
}

void call_work(struct thread *t, const struct call *c)
{
	work(1000 + part(c->args[1], 0, 32) * 500);
	if (!part(c->args[1], 8, 4))
		usleep(part(c->args[1], 16, 4) * 300);
	if (!part(c->args[1], 10, 4))
		sched_yield();
	atomic_fetch_add(&world.shared->done[CALL_WORK], 1);
}

/* ---- children ---- */

static void use_sessions(uint64_t arg)
{
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < NR_SLOTS; i++) {
		struct acrpmu_read in = { .size = sizeof(in), .cpu = ACRPMU_CPU_ALL,
					  .nr_counts = world.slots[i].nr_events,
					  .counts = (uintptr_t)counts };
		int fd = world.slots[i].fd;

		if (fd == NO_FD)
			continue;
		count_call(CALL_CTL, ioctl(fd, ACRPMU_ENABLE, &ctl));
		count_call(CALL_READ, ioctl(fd, ACRPMU_READ, &in));
		if (part(arg, i, 2))
			count_call(CALL_CLOSE, close(fd));
	}
}

static void be_child(uint64_t arg)
{
	char *const argv[] = { (char *)EXECUTED, NULL };
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	switch (part(arg, 0, 6)) {
	case 0:
		work(5000);
		break;
	case 1:
		use_sessions(arg >> 8);
		work(2000);
		break;
	case 2:
		pid = fork();
		work(3000);
		if (pid > 0 && part(arg, 8, 2))
			waitpid(pid, NULL, 0);
		break;
	case 3:
		execv(EXECUTED, argv);
		break;
	default:
		for (;;) {
			work(20000);
			usleep(500);
		}
	}
	_exit(0);
}

static void end_child(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void call_child(struct thread *t, const struct call *c)
{
	atomic_int *child = &world.children[part(c->args[0], 0, NR_CHILDREN)];
	pid_t pid;

	end_child(atomic_exchange(child, 0));
	pid = fork();
	if (!pid)
		be_child(c->args[1]);
	count_call(CALL_CHILD, pid);
	/* Another thread may have made one since. */
	if (pid > 0)
		end_child(atomic_exchange(child, pid));
}

void call_kill(struct thread *t, const struct call *c)
{
	atomic_int *child = &world.children[part(c->args[0], 0, NR_CHILDREN)];
	/* Another thread may end it; 0 would be all of this group. */
	pid_t pid = *child;

	if (pid <= 0)
		return;
	switch (part(c->args[1], 0, 4)) {
	case 0:
		count_call(CALL_KILL, kill(pid, SIGSTOP));
		break;
	case 1:
		count_call(CALL_KILL, kill(pid, SIGCONT));
		break;
	default:
		end_child(atomic_exchange(child, 0));
		count_call(CALL_KILL, 0);
	}
}

/* ---- threads ---- */

/* A thread that is in a call, or the own one in a moment */
void call_signal(struct thread *t, const struct call *c)
{
	struct itimerval soon = { .it_value.tv_usec = 50 + part(c->args[1], 8, 256) * 8 };

	if (part(c->args[1], 0, 2))
		count_call(CALL_SIGNAL, setitimer(ITIMER_REAL, &soon, NULL));
	else
		count_call(CALL_SIGNAL,
			   syscall(SYS_tgkill, getpid(),
				   world.threads[part(c->args[1], 8, NR_THREADS)].tid, SIGUSR1));
}

static long pin(pid_t task, unsigned int cpus)
{
	cpu_set_t set;
	int cpu;

	CPU_ZERO(&set);
	for (cpu = 0; cpu < 2; cpu++)
		if (cpus & 1 << cpu)
			CPU_SET(cpu, &set);
	return sched_setaffinity(task, sizeof(set), &set);
}

void call_pin(struct thread *t, const struct call *c)
{
	count_call(CALL_PIN, pin(task_of(c->args[1]), 1 + part(c->args[2], 0, 3)));
}

/* ---- cgroups ---- */

static bool enter_group(unsigned int i, pid_t pid)
{
	char path[64], number[16];

	snprintf(path, sizeof(path), i < NR_GROUPS ? GROUPS "/%u/cgroup.procs" :
						    GROUPS "/cgroup.procs", i);
	snprintf(number, sizeof(number), "%d", pid);
	return !write_text(path, number);
}

void call_cgroup(struct thread *t, const struct call *c)
{
	pid_t pid = world.children[part(c->args[0], 0, NR_CHILDREN)];

	if (part(c->args[1], 0, 3))
		pid = 0;
	count_call(CALL_CGROUP, enter_group(part(c->args[2], 0, NR_GROUPS + 1), pid) ? 0 : -1);
}

static bool make_groups(void)
{
	char path[64];
	unsigned int i;

	mkdir(GROUPS, 0755);
	if (mount("none", GROUPS, "cgroup2", 0, NULL) && errno != EBUSY)
		return false;
	for (i = 0; i < NR_GROUPS; i++) {
		snprintf(path, sizeof(path), GROUPS "/%u", i);
		mkdir(path, 0755);
		world.groups[i] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (world.groups[i] < 0)
			return false;
	}
	return true;
}

/* ---- CPUs ---- */

void call_hotplug(struct thread *t, const struct call *c)
{
	bool online = part(c->args[1], 0, 2);

	if (!online)
		world.offline = true;
	count_call(CALL_HOTPLUG, write_text(CPU1_ONLINE, online ? "1" : "0"));
}

bool tasks_begin(void)
{
	return !prctl(PR_SET_CHILD_SUBREAPER, 1) && make_groups();
}

void tasks_reset(void)
{
	struct itimerval never = { 0 };
	unsigned int i;

	setitimer(ITIMER_REAL, &never, NULL);
	for (i = 0; i < NR_CHILDREN; i++)
		end_child(atomic_exchange(&world.children[i], 0));
	/* Children of children, which end by themselves */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	if (world.offline)
		write_text(CPU1_ONLINE, "1");
	world.offline = false;
	for (i = 0; i < NR_THREADS; i++)
		pin(world.threads[i].tid, 3);
	enter_group(NR_GROUPS, 0);
}
