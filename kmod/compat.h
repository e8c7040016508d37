/* SPDX-License-Identifier: GPL-2.0-only */
/* The only kernel version tests: one spelling of what differs between 6.1 and 7.x. */
#ifndef _ACRPMU_COMPAT_H
#define _ACRPMU_COMPAT_H

#include <linux/version.h>

/* This header is included before any other, so that every message carries the module's name. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hrtimer.h>
#include <linux/sched/coredump.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "acrpmu needs Linux 6.1 or newer, for its sched_switch arguments and copy_struct_from_user()"
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)
#error "acrpmu is known up to Linux 7.x: check kmod/compat.h against this kernel first"
#endif

/* 6.16 moved the CPUID functions out of asm/processor.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#endif

/* 6.16 renamed the 64-bit accessor. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define compat_rdmsr_safe(msr, val)	rdmsrq_safe(msr, val)
#else
#define compat_rdmsr_safe(msr, val)	rdmsrl_safe(msr, val)
#endif

/* 6.13 folded setting a timer's function into its setup. */
static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*func)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(timer, clock, mode);
	timer->function = func;
#else
	hrtimer_setup(timer, func, clock, mode);
#endif
}

/* 6.3 made the flags of a mapping read-only except through functions. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define compat_vm_flags_set(vma, flags)	((vma)->vm_flags |= (flags))
#else
#define compat_vm_flags_set(vma, flags)	vm_flags_set(vma, flags)
#endif

/* 6.16 gave sched_process_exit a second argument, which we do not need. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define COMPAT_EXIT_PROBE_ARGS	void *data, struct task_struct *task, bool group_dead
#else
#define COMPAT_EXIT_PROBE_ARGS	void *data, struct task_struct *task
#endif

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
 * 6.12 exported the check for kernel-level events, with an argument that nothing used, and 6.15
 * dropped the argument.  Before 6.12, neither the check nor what it consists of is exported.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define compat_perf_allow_kernel()	perf_allow_kernel()
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define compat_perf_allow_kernel()	perf_allow_kernel(&(struct perf_event_attr){})
#else
#define compat_perf_allow_kernel()	0
#endif

/* 6.2 gave a task one context for the events of all PMUs. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define compat_perf_ctx(task)	(&(task)->perf_event_ctxp[perf_hw_context])
#else
#define compat_perf_ctx(task)	(&(task)->perf_event_ctxp)
#endif

/* 6.4 gave all threads of the kernel that work for a program this flag, not only io_uring's. */
#ifdef PF_USER_WORKER
#define COMPAT_PF_USER_WORKER	PF_USER_WORKER
#else
#define COMPAT_PF_USER_WORKER	PF_IO_WORKER
#endif

/* 7.0 lets KVM hand the PMU to guests, where perf's driver has this capability. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
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

#define compat_leave_mm()						\
	__builtin_choose_expr(						\
		__builtin_types_compatible_p(typeof(leave_mm), void(int)), \
		compat_call_with_0, compat_call)(leave_mm)

#endif /* _ACRPMU_COMPAT_H */
