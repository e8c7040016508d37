// SPDX-License-Identifier: GPL-2.0-only
/* Runs programs, by three threads that share everything. */
#include "run.h"

#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cover.h"
#include "request.h"

#define NOBODY		65534
#define UNPRIVILEGED	(NR_THREADS - 1)

static void (*const functions[NR_CALLS])(struct thread *t, const struct call *c) = {
	[CALL_CREATE] = call_create,
	[CALL_CTL] = call_ctl,
	[CALL_UNPARK] = call_unpark,
	[CALL_PERIODS] = call_periods,
	[CALL_ATTACH] = call_attach,
	[CALL_READ] = call_read,
	[CALL_QUERY] = call_query,
	[CALL_INFO] = call_info,
	[CALL_ODD] = call_odd,
	[CALL_MAP] = call_map,
	[CALL_UNMAP] = call_unmap,
	[CALL_PROTECT] = call_protect,
	[CALL_RING] = call_ring,
	[CALL_POLL] = call_poll,
	[CALL_FILE] = call_file,
	[CALL_CLOSE] = call_close,
	[CALL_DUP] = call_dup,
	[CALL_CHILD] = call_child,
	[CALL_KILL] = call_kill,
	[CALL_WORK] = call_work,
	[CALL_SIGNAL] = call_signal,
	[CALL_PIN] = call_pin,
	[CALL_NETLINK] = call_netlink,
	[CALL_LIMIT] = call_limit,
	[CALL_CGROUP] = call_cgroup,
	[CALL_PERF] = call_perf,
	[CALL_HOTPLUG] = call_hotplug,
};

struct world world;

/**
 * struct helper - a thread besides the first one
 * @call: what it is to do, NULL: to end
 * @go: there is something to do
 * @idle: it has been done
 */
static struct helper {
	pthread_t thread;
	const struct call *call;
	sem_t go;
	sem_t idle;
} helpers[NR_THREADS];

static __thread struct thread *self;

static void on_fault(int number)
{
	if (self && self->guarded)
		siglongjmp(self->guard, 1);
	signal(number, SIG_DFL);
}

static void on_signal(int number)
{
}

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) && errno == EINTR)
		;
}

/*
 * Of this thread alone, unlike those of the C library; what it does must stay visible to itself.
 * Whoever ends a child waits for its end, so each thread must be able to kill those of the others.
 */
static void drop_privileges(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct keep[_LINUX_CAPABILITY_U32S_3] = {
		{ .effective = 1 << CAP_KILL, .permitted = 1 << CAP_KILL },
	};

	if (syscall(SYS_setgroups, 0, NULL) || syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) ||
	    prctl(PR_SET_KEEPCAPS, 1) || syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) ||
	    syscall(SYS_capset, &header, keep)) {
		perror("# a thread without privileges");
		abort();
	}
	prctl(PR_SET_DUMPABLE, 1);
}

static void begin_thread(unsigned int index)
{
	self = &world.threads[index];
	self->index = index;
	self->tid = gettid();
	if (!cover_thread(index)) {
		perror("# KCOV of a thread");
		abort();
	}
}

static void *be_helper(void *data)
{
	struct helper *helper = data;
	unsigned int index = helper - helpers;

	begin_thread(index);
	if (index == UNPRIVILEGED)
		drop_privileges();
	for (;;) {
		sem_post(&helper->idle);
		wait_for(&helper->go);
		if (!helper->call)
			return NULL;
		functions[helper->call->kind](self, helper->call);
	}
}

static bool start_helper(unsigned int index)
{
	struct helper *helper = &helpers[index];

	sem_init(&helper->go, 0, 0);
	sem_init(&helper->idle, 0, 0);
	return !pthread_create(&helper->thread, NULL, be_helper, helper);
}

static void give(unsigned int index, const struct call *c)
{
	wait_for(&helpers[index].idle);
	helpers[index].call = c;
	sem_post(&helpers[index].go);
}

/* Its tasks end, with the sessions that follow them. */
static void replace_helper(unsigned int index)
{
	give(index, NULL);
	pthread_join(helpers[index].thread, NULL);
	count_call(CALL_THREAD, start_helper(index) ? 0 : -1);
}

static void run_call(const struct call *c)
{
	if (c->kind == CALL_THREAD)
		replace_helper(1 + part(c->args[0], 0, NR_THREADS - 1));
	else if (c->thread)
		give(c->thread, c);
	else
		functions[c->kind](self, c);
}

void run_program(const struct program *p, unsigned int with)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		if (!(call_needs(p->calls[i].kind) & ~with))
			run_call(&p->calls[i]);
	for (i = 1; i < NR_THREADS; i++) {
		wait_for(&helpers[i].idle);
		sem_post(&helpers[i].idle);
	}
	tasks_reset();
	sessions_reset();
	beside_reset();
}

/* Kernels may be without the gate of 32-bit programs, where it is a fault. */
static bool try_compat(void)
{
	long ret = 0;

	if (!sigsetjmp(self->guard, 1)) {
		self->guarded = 1;
		__asm__ volatile("int $0x80" : "=a" (ret) : "a" (20) : "memory");
	}
	self->guarded = 0;
	return ret == getpid();
}

bool run_begin(void)
{
	struct sigaction fault = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };
	struct sigaction other = { .sa_handler = on_signal };	/* without SA_RESTART */
	unsigned int i;

	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGBUS, &fault, NULL);
	sigaction(SIGALRM, &other, NULL);
	sigaction(SIGUSR1, &other, NULL);
	sigaction(SIGIO, &other, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (!sessions_begin() || !tasks_begin() || !beside_begin()) {
		perror("# the device, cgroups or the module's netlink family");
		return false;
	}
	for (i = 0; i < NR_THREADS; i++)
		if (!request_begin(&world.threads[i]))
			return false;
	begin_thread(0);
	world.has_compat = try_compat();
	for (i = 1; i < NR_THREADS; i++)
		if (!start_helper(i))
			return false;
	/* They have numbers now, for whoever follows them. */
	for (i = 1; i < NR_THREADS; i++) {
		wait_for(&helpers[i].idle);
		sem_post(&helpers[i].idle);
	}
	return true;
}
