/* SPDX-License-Identifier: GPL-2.0-only */
/* One spelling of what differs between kernels 6.1 and 7.x, found by what a kernel has. */
#ifndef _ACRPMU_COMPAT_H
#define _ACRPMU_COMPAT_H

#include <linux/version.h>

/* This header is included before any other, so that every message carries the module's name. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "acrpmu needs Linux 6.1 or newer, for its sched_switch arguments and copy_struct_from_user()"
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)
#error "acrpmu is known up to Linux 7.x: check kmod/compat.h against this kernel first"
#endif

/* 6.16 moved the CPUID functions out of asm/processor.h. */
#if __has_include("asm/cpuid/api.h")
#include <asm/cpuid/api.h>
#endif

/* 6.13 folded setting a timer's function into its setup, and 6.15 dropped the old function. */
#ifdef COMPAT_HAS_hrtimer_setup
#define compat_hrtimer_setup(timer, func, clock, mode)	hrtimer_setup(timer, func, clock, mode)
#else
static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*func)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = func;
}
#endif

/* 6.3 made the flags of a mapping read-only except through functions. */
#ifdef COMPAT_HAS_vm_flags_set
#define compat_vm_flags_set(vma, flags)	vm_flags_set(vma, flags)
#else
#define compat_vm_flags_set(vma, flags)	((vma)->vm_flags |= (flags))
#endif

/* Chooses between two expressions by the type of a function; both are compiled. */
#define compat_if_type(func, type, then, otherwise)				\
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(func), type), then, otherwise)

/* 6.16 gave sched_process_exit a second argument, which we do not need: one of two probes. */
#define compat_exit_probe(probe, probe_with_group_dead)				\
	compat_if_type(check_trace_callback_type_sched_process_exit,		\
		       void(void (*)(void *, struct task_struct *)),		\
		       probe, probe_with_group_dead)

/* Dumpability, by which the kernel tells a privileged program, moved from the mm to the task. */
#ifdef SUID_DUMP_USER
#define compat_dumpable_by_user(task)	(get_dumpable((task)->mm) == SUID_DUMP_USER)
#else
#include <linux/sched/exec_state.h>
static inline bool compat_dumpable_by_user(struct task_struct *task)
{
	bool by_user;

	rcu_read_lock();
	by_user = READ_ONCE(rcu_dereference(task->exec_state)->dumpable) == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return by_user;
}
#endif

/*
 * The kernel's own questions whether the caller may use perf at kernel level and on whole CPUs.
 * 6.12 exported the first, with an argument that nothing used and 6.15 dropped, and 7.3 the
 * second.  Before, they are inline functions of what modules cannot use.
 */
static inline int compat_ask_with_attr(int (*allow)(struct perf_event_attr *),
				       struct perf_event_attr *attr)
{
	return allow(attr);
}

static inline int compat_ask(int (*allow)(void), struct perf_event_attr *attr)
{
	return allow();
}

#define compat_asker(func)							\
	compat_if_type(func, int(void), compat_ask, compat_ask_with_attr)

#ifdef COMPAT_HAS_perf_allow_kernel
#define compat_perf_allow_kernel()						\
	compat_asker(perf_allow_kernel)(perf_allow_kernel, &(struct perf_event_attr){})
#else
#define compat_perf_allow_kernel()	0
#endif

#ifdef COMPAT_HAS_perf_allow_cpu
#define compat_perf_allow_cpu()							\
	compat_asker(perf_allow_cpu)(perf_allow_cpu, &(struct perf_event_attr){})
#else
#define compat_perf_allow_cpu()		0
#endif

/*
 * 6.2 gave a task one context for the events of all PMUs.  Before, it has an array of them, which
 * begins with that of hardware events and hence has its address.
 */
#define compat_perf_ctx(task)							\
	((struct perf_event_context __rcu **)&(task)->perf_event_ctxp)

/* 6.4 gave all threads of the kernel that work for a program this flag, not only io_uring's. */
#ifdef PF_USER_WORKER
#define COMPAT_PF_USER_WORKER	PF_USER_WORKER
#else
#define COMPAT_PF_USER_WORKER	PF_IO_WORKER
#endif

/* 7.0 lets KVM hand the PMU to guests, where perf's driver has this capability. */
#ifdef PERF_PMU_CAP_MEDIATED_VPMU
#define COMPAT_PMU_CAP_MEDIATED_VPMU	PERF_PMU_CAP_MEDIATED_VPMU
#else
#define COMPAT_PMU_CAP_MEDIATED_VPMU	0
#endif

/* leave_mm() lost its argument, which it ignored, somewhere between 6.1 and 6.12. */
static inline void compat_call_with_0(void (*func)(int))
{
	func(0);
}

static inline void compat_call(void (*func)(void))
{
	func();
}

#define compat_leave_mm()							\
	compat_if_type(leave_mm, void(int), compat_call_with_0, compat_call)(leave_mm)

#endif /* _ACRPMU_COMPAT_H */
