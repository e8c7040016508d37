/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/* The whole ABI between acrpmu.ko and programs: commands, structs, ring page, records, reasons. */
#ifndef _UAPI_ACRPMU_H
#define _UAPI_ACRPMU_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: overview
 *
 * ``/dev/acrpmu`` answers two commands: ACRPMU_INFO describes the CPUs, ACRPMU_SESSION_CREATE
 * creates a session and returns a new file descriptor.  A session is one event group with one
 * target; its descriptor owns every counter, MSR value and ring buffer it uses.  Closing the last
 * copy of it (also by exit or kill) and unmapping its rings releases all of them and restores each
 * MSR to the value found.
 *
 * General format of every command: the argument is a pointer to a struct whose first member is its
 * size in bytes as the caller knows it, and whose second is a mask of flags.  A struct shorter than
 * the module's is padded with zeros, down to the first published size; a longer one is accepted if
 * the tail unknown to the module is zero.  Unknown flags, non-zero reserved members and non-zero
 * unknown tails are refused.  0 in a new member keeps the old behaviour, with one exception:
 * &struct acrpmu_event_attr.allowed_cntrs on a CPU that the module's table does not have.
 *
 * Order of checks: capability, size, unknown tail, flags, reserved members, values, target and
 * levels of a caller without capability, abilities of the CPU, resources and the target task.
 *
 * ========== =====================================================================================
 * errno      meaning, the same for all commands
 * ========== =====================================================================================
 * ENOTTY     unknown command
 * EPERM      neither CAP_PERFMON nor CAP_SYS_ADMIN, or not for that target or level; or lockdown,
 *            a security module or kernel.perf_event_paranoid forbids it
 * EFAULT     a pointer is not readable or writable
 * E2BIG      the struct is longer than the module's and its tail is not zero, or longer than a page
 * EINVAL     a bad value; @error.reason of the attr names it
 * EOPNOTSUPP understood, but this CPU cannot do it, or in-tree perf does not let it
 * EBUSY      the PMU, a counter or an extra register is in use, or the system sleeps or stops
 * ENOSPC     the events of the group do not fit the counters or extra registers
 * ESRCH      the target task does not exist or is exiting
 * ENODEV     the CPU is not online
 * ENOMEM     out of memory
 * EMFILE     too many open files of the process, sessions of the user or targets of the session;
 *            ENFILE: too many open files of the system
 * EBADF      @pid is no descriptor of a cgroup's directory
 * EINTR      a signal came; the same as often as it is restarted
 * ========== =====================================================================================
 */

/** ACRPMU_ABI_VERSION - grows by one whenever a member, flag, reason or command is added */
#define ACRPMU_ABI_VERSION	6

/** ACRPMU_DEVICE - path of the device node */
#define ACRPMU_DEVICE		"/dev/acrpmu"

#define ACRPMU_IOC_TYPE		0xac

/*
 * The numbers encode no size: it is in the struct, and the number must not change when it grows.
 */
/* on the device */
#define ACRPMU_INFO		_IO(ACRPMU_IOC_TYPE, 0x00)
#define ACRPMU_SESSION_CREATE	_IO(ACRPMU_IOC_TYPE, 0x01)
/* on a session */
#define ACRPMU_ENABLE		_IO(ACRPMU_IOC_TYPE, 0x10)
#define ACRPMU_DISABLE		_IO(ACRPMU_IOC_TYPE, 0x11)
#define ACRPMU_RESET		_IO(ACRPMU_IOC_TYPE, 0x12)
#define ACRPMU_READ		_IO(ACRPMU_IOC_TYPE, 0x13)
#define ACRPMU_QUERY		_IO(ACRPMU_IOC_TYPE, 0x14)
#define ACRPMU_PARK		_IO(ACRPMU_IOC_TYPE, 0x15)
#define ACRPMU_UNPARK		_IO(ACRPMU_IOC_TYPE, 0x16)
#define ACRPMU_SET_PERIODS	_IO(ACRPMU_IOC_TYPE, 0x17)
#define ACRPMU_ATTACH		_IO(ACRPMU_IOC_TYPE, 0x18)

/** ACRPMU_MAX_EVENTS - most events in a group */
#define ACRPMU_MAX_EVENTS	16
/** ACRPMU_MAX_EXTRA_REGS - most extra registers described for a CPU, which may have more */
#define ACRPMU_MAX_EXTRA_REGS	4
/** ACRPMU_MAX_RING_PAGES - most data pages of one CPU's ring */
#define ACRPMU_MAX_RING_PAGES	4096
/** ACRPMU_MAX_STACK - most frames of a call chain.  Since ABI version 5 */
#define ACRPMU_MAX_STACK	127
/** ACRPMU_MAX_JITTER - widest random part of periods in per cent.  Since ABI version 6 */
#define ACRPMU_MAX_JITTER	50
/** ACRPMU_MAX_TARGETS - about the most targets of a session.  Since ABI version 5 */
#define ACRPMU_MAX_TARGETS	65536
/** ACRPMU_COMM_LEN - bytes of a task name, including the terminating 0 */
#define ACRPMU_COMM_LEN		16
/** ACRPMU_CPU_ALL - all CPUs of a session together */
#define ACRPMU_CPU_ALL		(-1)
/** ACRPMU_FIXED_BASE - fixed counter n is bit and index ACRPMU_FIXED_BASE + n of counter masks */
#define ACRPMU_FIXED_BASE	32

/* ---- reasons ------------------------------------------------------------------------------ */

/**
 * DOC: reasons
 *
 * Why a request is refused.  value and limit are members of struct acrpmu_error.
 */
/** ACRPMU_REASON_NONE - not refused, or the errno is enough */
#define ACRPMU_REASON_NONE		0
/**
 * ACRPMU_REASON_PERM - no CAP_PERFMON, and the administrator does not let users observe their own
 *	tasks (ACRPMU_FEATURE_UNPRIVILEGED)
 */
#define ACRPMU_REASON_PERM		1
/** ACRPMU_REASON_LOCKDOWN - kernel-level events while lockdown forbids them */
#define ACRPMU_REASON_LOCKDOWN		2
/** ACRPMU_REASON_SIZE - a struct size; value: the size, limit: smallest */
#define ACRPMU_REASON_SIZE		3
/** ACRPMU_REASON_FLAGS - unknown flags; value: those flags */
#define ACRPMU_REASON_FLAGS		4
/** ACRPMU_REASON_RESERVED - a reserved member is not 0 */
#define ACRPMU_REASON_RESERVED		5
/** ACRPMU_REASON_NR_EVENTS - value: number of events, limit: most */
#define ACRPMU_REASON_NR_EVENTS		6
/** ACRPMU_REASON_TARGET - pid and cpus contradict the target flags */
#define ACRPMU_REASON_TARGET		7
/** ACRPMU_REASON_CPU_OFFLINE - cpu: a CPU that is offline */
#define ACRPMU_REASON_CPU_OFFLINE	8
/** ACRPMU_REASON_CPU_EMPTY - the set of CPUs is empty */
#define ACRPMU_REASON_CPU_EMPTY		9
/** ACRPMU_REASON_TASK - value: a pid that does not exist */
#define ACRPMU_REASON_TASK		10
/** ACRPMU_REASON_SAMPLE_TYPE - value: unknown bits, or IP/TID/... missing */
#define ACRPMU_REASON_SAMPLE_TYPE	11
/** ACRPMU_REASON_RING_PAGES - not a power of 2, or too many; value, limit */
#define ACRPMU_REASON_RING_PAGES	12
/** ACRPMU_REASON_WAKEUP - wakeup_bytes beyond the ring; value, limit */
#define ACRPMU_REASON_WAKEUP		13
/** ACRPMU_REASON_CONFIG - config bits that are not allowed; value: those bits */
#define ACRPMU_REASON_CONFIG		14
/** ACRPMU_REASON_NO_LEVEL - neither user nor kernel level */
#define ACRPMU_REASON_NO_LEVEL		15
/** ACRPMU_REASON_PERIOD_ZERO - a sampled or quiet event without a period */
#define ACRPMU_REASON_PERIOD_ZERO	16
/** ACRPMU_REASON_PERIOD_SMALL - value: the period, limit: smallest */
#define ACRPMU_REASON_PERIOD_SMALL	17
/** ACRPMU_REASON_PERIOD_RELOAD - too long for a counter that is reloaded; value, limit */
#define ACRPMU_REASON_PERIOD_RELOAD	18
/** ACRPMU_REASON_PERIOD_LARGE - too long for the counter; value, limit */
#define ACRPMU_REASON_PERIOD_LARGE	19
/** ACRPMU_REASON_PERIOD_COUNT - a count-only event with a period or mask, or as a cause */
#define ACRPMU_REASON_PERIOD_COUNT	20
/** ACRPMU_REASON_MASK_OUTSIDE - acr_mask has bits beyond the group; value: those bits */
#define ACRPMU_REASON_MASK_OUTSIDE	21
/** ACRPMU_REASON_SELF_SAMPLED - a sampled event that reloads itself never samples */
#define ACRPMU_REASON_SELF_SAMPLED	22
/** ACRPMU_REASON_NO_PMU - cpu has no architectural PMU */
#define ACRPMU_REASON_NO_PMU		23
/** ACRPMU_REASON_NO_ACR - cpu has no auto counter reload, but an event has a mask */
#define ACRPMU_REASON_NO_ACR		24
/** ACRPMU_REASON_NO_RELOADABLE - no reloadable counter can count the event; limit: mask */
#define ACRPMU_REASON_NO_RELOADABLE	25
/** ACRPMU_REASON_NO_CAUSE - no cause-capable counter can count the cause; limit: mask */
#define ACRPMU_REASON_NO_CAUSE		26
/** ACRPMU_REASON_EVENT_CPU - no counter of this CPU can count the event at all */
#define ACRPMU_REASON_EVENT_CPU		27
/** ACRPMU_REASON_EXTRA_NONE - extra_value is set, but the event has no extra register */
#define ACRPMU_REASON_EXTRA_NONE	28
/** ACRPMU_REASON_EXTRA_BITS - value: bits outside the valid mask, limit: valid mask */
#define ACRPMU_REASON_EXTRA_BITS	29
/**
 * ACRPMU_REASON_EXTRA_BUSY - an extra register that the event could use holds another value; value:
 *	that value, limit: MSR.  -EBUSY: other sessions hold it; cpu, holder.  -ENOSPC: the group
 *	itself asks for too many values
 */
#define ACRPMU_REASON_EXTRA_BUSY	30
/** ACRPMU_REASON_NO_ASSIGNMENT - each event fits alone, the group does not */
#define ACRPMU_REASON_NO_ASSIGNMENT	31
/** ACRPMU_REASON_HELD - another session holds counters; value: mask, holder */
#define ACRPMU_REASON_HELD		32
/**
 * ACRPMU_REASON_PMU_IN_USE - in-tree perf or another user counts; value: enabled counters, 0 while
 *	the task of an enabled event is not running; cpu, holder
 */
#define ACRPMU_REASON_PMU_IN_USE	33
/** ACRPMU_REASON_PMU_RESERVED - in-tree perf or another user reserved the counters; holder */
#define ACRPMU_REASON_PMU_RESERVED	34
/**
 * ACRPMU_REASON_CLAIM - in-tree perf did not schedule the claim (EBUSY), or refused it (EOPNOTSUPP;
 *	value: its errno); cpu
 */
#define ACRPMU_REASON_CLAIM		35
/** ACRPMU_REASON_ID - two events with the same id, or id 0 in a sampled group */
#define ACRPMU_REASON_ID		36
/** ACRPMU_REASON_INHERIT - inherit or enable-on-exec without a task target */
#define ACRPMU_REASON_INHERIT		37
/** ACRPMU_REASON_CPU_MIXED - the target has CPUs of several kinds; cpu: one of them */
#define ACRPMU_REASON_CPU_MIXED		38
/**
 * ACRPMU_REASON_EXTRA_HIDDEN - an extra register that the event could use cannot be read, because
 *	a hypervisor hides it; value: extra value, limit: MSR
 */
#define ACRPMU_REASON_EXTRA_HIDDEN	39
/**
 * ACRPMU_REASON_EXTRA_LATENCY - retired, the number is never used again: modules of ABI version 2
 *	and early ones of 3 refused outstanding requests without their responses; value: extra
 *	value, limit: that of the responses.  libacrpmu refuses them now
 */
#define ACRPMU_REASON_EXTRA_LATENCY	40
/**
 * ACRPMU_REASON_RING_LOCKED - the rings need more than the caller may lock in memory; value: pages,
 *	limit: RLIMIT_MEMLOCK in pages.  Since ABI version 2
 */
#define ACRPMU_REASON_RING_LOCKED	41
/** ACRPMU_REASON_SUSPEND - the system is going to sleep.  Since ABI version 2 */
#define ACRPMU_REASON_SUSPEND		42
/**
 * ACRPMU_REASON_CPU_STUCK - cpu ran no kernel thread for value milliseconds, since a real-time task
 *	occupies it.  Since ABI version 4
 */
#define ACRPMU_REASON_CPU_STUCK		43
/** ACRPMU_REASON_SESSIONS - the user has limit sessions already.  Since ABI version 4 */
#define ACRPMU_REASON_SESSIONS		44
/** ACRPMU_REASON_SHUTDOWN - the system is going down, or to another kernel.  Since ABI version 4 */
#define ACRPMU_REASON_SHUTDOWN		45
/**
 * ACRPMU_REASON_ALLOWED_CNTRS - -EINVAL: allowed_cntrs has bits for counters that no CPU has;
 *	value: those bits, limit: bits possible.  -EOPNOTSUPP: it has none that can count the event;
 *	value: allowed_cntrs, limit: counters that can.  Or, value 0: it must name some, since the
 *	table of CPUs lacks this CPU, and the event is not architectural.  Since ABI version 4
 */
#define ACRPMU_REASON_ALLOWED_CNTRS	46
/**
 * ACRPMU_REASON_GUEST_PMU - a KVM guest with a mediated vPMU exists, which loads its own values
 *	into all counters while it runs; cpu.  Since ABI version 4
 */
#define ACRPMU_REASON_GUEST_PMU		47
/**
 * ACRPMU_REASON_VPMU_EVENT - the kernel has an event for a task, as KVM does for a vCPU if its
 *	guest uses counters; cpu, holder: that task's process.  Since ABI version 4
 */
#define ACRPMU_REASON_VPMU_EVENT	48
/**
 * ACRPMU_REASON_KERNEL_LEVEL - the kernel's rules for perf, such as those of a security module,
 *	forbid the caller kernel-level events.  Since ABI version 4; asked from Linux 6.12 on
 */
#define ACRPMU_REASON_KERNEL_LEVEL	49
/**
 * ACRPMU_REASON_PERIOD_CAUSE - with ACRPMU_SESSION_SOFTWARE each overflow of a cause is a PMI;
 *	value: the period, limit: smallest.  Since ABI version 5
 */
#define ACRPMU_REASON_PERIOD_CAUSE	50
/**
 * ACRPMU_REASON_NR_PERIODS - value: number of periods, limit: events of the session, each of which
 *	needs one.  Since ABI version 5
 */
#define ACRPMU_REASON_NR_PERIODS	51
/**
 * ACRPMU_REASON_MAX_STACK - value: max_stack, limit: most frames of a call chain, or 0 since there
 *	is no PERF_SAMPLE_CALLCHAIN.  Since ABI version 5
 */
#define ACRPMU_REASON_MAX_STACK		52
/**
 * ACRPMU_REASON_NO_CHAIN - value: flags that exclude parts of call chains, which leave none, or
 *	without PERF_SAMPLE_CALLCHAIN.  limit: the flags that exclude all, if the kernel part is
 *	left but no sampled event has kernel level; else 0.  Since ABI version 5
 */
#define ACRPMU_REASON_NO_CHAIN		53
/** ACRPMU_REASON_ATTACH - the session follows CPUs, not tasks; value: pid.  Since ABI version 5 */
#define ACRPMU_REASON_ATTACH		54
/**
 * ACRPMU_REASON_CGROUP - value: a pid that is no descriptor of a cgroup's directory in the
 *	hierarchy of cgroup v2.  Since ABI version 5
 */
#define ACRPMU_REASON_CGROUP		55
/**
 * ACRPMU_REASON_OWN_TASKS - without CAP_PERFMON the target must be tasks; or cpu: among the CPUs is
 *	one on which the task, value, may not run.  Since ABI version 5
 */
#define ACRPMU_REASON_OWN_TASKS		56
/** ACRPMU_REASON_OWN_LEVEL - without CAP_PERFMON no event at kernel level.  Since ABI version 5 */
#define ACRPMU_REASON_OWN_LEVEL		57
/**
 * ACRPMU_REASON_OWN_USER - without CAP_PERFMON the task, value, must have the user and group of the
 *	caller as real, effective and saved ids, and no capability that the caller lacks; the caller
 *	must have only one user and group, too.  Since ABI version 5
 */
#define ACRPMU_REASON_OWN_USER		58
/**
 * ACRPMU_REASON_OWN_NAMESPACE - without CAP_PERFMON the task, value, must be in the user namespace
 *	of the caller.  Since ABI version 5
 */
#define ACRPMU_REASON_OWN_NAMESPACE	59
/**
 * ACRPMU_REASON_OWN_DUMPABLE - without CAP_PERFMON the task, value, must be dumpable: its program
 *	is readable to the caller, it had no privileges, and it has not asked for protection by
 *	prctl(2).  Since ABI version 5
 */
#define ACRPMU_REASON_OWN_DUMPABLE	60
/** ACRPMU_REASON_TARGETS - the session has limit targets already.  Since ABI version 5 */
#define ACRPMU_REASON_TARGETS		61
/**
 * ACRPMU_REASON_PINNED - in-tree perf has a pinned event that is not on a counter now, and would
 *	come before the session once it is enabled; cpu, holder.  Since ABI version 6
 */
#define ACRPMU_REASON_PINNED		62
/**
 * ACRPMU_REASON_JITTER - value: jitter, limit: most per cent, or 0 since no event is sampled.
 *	Since ABI version 6
 */
#define ACRPMU_REASON_JITTER		63
/**
 * ACRPMU_REASON_PARANOID - kernel.perf_event_paranoid is value, and above limit users without
 *	CAP_PERFMON may observe nothing.  Since ABI version 6
 */
#define ACRPMU_REASON_PARANOID		64
/**
 * ACRPMU_REASON_WHOLE_CPU - the kernel's rules for perf, such as those of a security module, forbid
 *	the caller whole CPUs: for a target of CPUs, and without CAP_PERFMON for any, since
 *	counters of whole CPUs serve all.  Since ABI version 6; asked from Linux 7.3 on
 */
#define ACRPMU_REASON_WHOLE_CPU		65
/**
 * ACRPMU_REASON_CLAIM_LOST - in-tree perf has taken cpu from the session; holder.  Only in &struct
 *	acrpmu_read, and of UNPARK, as ACRPMU_REASON_REGISTER.  Since ABI version 6
 */
#define ACRPMU_REASON_CLAIM_LOST	66
/**
 * ACRPMU_REASON_REGISTER - somebody else has written to a register that the session held on cpu;
 *	value: what was found, 0 for a caller without CAP_PERFMON; limit: MSR.  Since ABI version 6
 */
#define ACRPMU_REASON_REGISTER		67

/**
 * struct acrpmu_error - why a session was refused
 * @reason: ACRPMU_REASON_*
 * @event: index of the offending event in the group, -1 if none
 * @cpu: the CPU concerned, -1 if none in particular
 * @holder_pid: process that created the conflicting session, or opened the conflicting in-tree
 *	event, in the caller's pid namespace; 0 if unknown, and for a caller without CAP_PERFMON
 * @value: the offending value, see the reason
 * @limit: the limit it exceeds, see the reason
 * @holder: name of that process; "perf" for in-tree perf if the process is unknown, as with the NMI
 *	watchdog; "acrpmu" for the counter that keeps perf off; empty if unknown, and instead of
 *	other names for a caller without CAP_PERFMON
 *
 * Without CAP_PERFMON, a value that another session holds is 0 (ACRPMU_REASON_EXTRA_BUSY).
 *
 * Since ABI version 1.
 */
struct acrpmu_error {
	__u32 reason;
	__s32 event;
	__s32 cpu;
	__s32 holder_pid;
	__u64 value;
	__u64 limit;
	char holder[ACRPMU_COMM_LEN];
};

/* ---- ACRPMU_INFO -------------------------------------------------------------------------- */

/** ACRPMU_FEATURE_SAMPLING - sampling into a ring */
#define ACRPMU_FEATURE_SAMPLING	(1ULL << 0)
/** ACRPMU_FEATURE_TASK - task targets */
#define ACRPMU_FEATURE_TASK	(1ULL << 1)
/** ACRPMU_FEATURE_INHERIT - following tasks through fork and clone */
#define ACRPMU_FEATURE_INHERIT	(1ULL << 2)
/** ACRPMU_FEATURE_EXEC - enabling at exec */
#define ACRPMU_FEATURE_EXEC	(1ULL << 3)
/** ACRPMU_FEATURE_PARK - PARK and UNPARK.  Since ABI version 2 */
#define ACRPMU_FEATURE_PARK	(1ULL << 4)
/** ACRPMU_FEATURE_QUERY_CPU - QUERY of one CPU, since each may differ.  Since ABI version 3 */
#define ACRPMU_FEATURE_QUERY_CPU	(1ULL << 5)
/**
 * ACRPMU_FEATURE_ARRIVAL - a session of tasks reserves a CPU, and makes its ring, when a task first
 *	runs there, and READ reports time_missed_ns.  Since ABI version 4
 */
#define ACRPMU_FEATURE_ARRIVAL	(1ULL << 6)
/** ACRPMU_FEATURE_ALLOWED_CNTRS - allowed_cntrs of events.  Since ABI version 4 */
#define ACRPMU_FEATURE_ALLOWED_CNTRS	(1ULL << 7)

/**
 * ACRPMU_FEATURE_GUEST - samples of virtual machines are marked as such, and
 *	ACRPMU_SESSION_EXCLUDE_GUEST is known.  Since ABI version 4
 */
#define ACRPMU_FEATURE_GUEST	(1ULL << 8)
/** ACRPMU_FEATURE_SOFTWARE - ACRPMU_SESSION_SOFTWARE is known.  Since ABI version 5 */
#define ACRPMU_FEATURE_SOFTWARE	(1ULL << 9)
/** ACRPMU_FEATURE_PERIODS - SET_PERIODS.  Since ABI version 5 */
#define ACRPMU_FEATURE_PERIODS	(1ULL << 10)
/**
 * ACRPMU_FEATURE_CALLCHAIN - PERF_SAMPLE_CALLCHAIN, max_stack and the flags about call chains.
 *	Since ABI version 5
 */
#define ACRPMU_FEATURE_CALLCHAIN	(1ULL << 11)
/**
 * ACRPMU_FEATURE_TARGETS - ATTACH, which adds tasks to a session, and ACRPMU_SESSION_CGROUP.  Since
 *	ABI version 5; without it the kernel has no cgroups, and ATTACH works all the same
 */
#define ACRPMU_FEATURE_TARGETS	(1ULL << 12)
/**
 * ACRPMU_FEATURE_UNPRIVILEGED - the administrator lets callers without CAP_PERFMON create sessions
 *	of their own tasks at user level; may change at any time.  Since ABI version 5
 */
#define ACRPMU_FEATURE_UNPRIVILEGED	(1ULL << 13)
/** ACRPMU_FEATURE_JITTER - jitter of sessions.  Since ABI version 6 */
#define ACRPMU_FEATURE_JITTER	(1ULL << 14)

/** ACRPMU_ARBITER_NONE - no in-tree PMU driver to keep off */
#define ACRPMU_ARBITER_NONE	0
/** ACRPMU_ARBITER_RESERVE - legacy addressing: a reservation of all counters */
#define ACRPMU_ARBITER_RESERVE	1
/** ACRPMU_ARBITER_CLAIM - version 6 addressing: a pinned exclusive event on each CPU */
#define ACRPMU_ARBITER_CLAIM	2

/** ACRPMU_INFO_STARVED - fill in @nr_starved; needs CAP_PERFMON.  Since ABI version 4 */
#define ACRPMU_INFO_STARVED	(1U << 0)

/**
 * struct acrpmu_info - what the module and the CPUs offer
 * @size: in, sizeof(struct acrpmu_info)
 * @flags: in, ACRPMU_INFO_STARVED or 0
 * @abi_version: out, ACRPMU_ABI_VERSION of the module
 * @nr_cpus: in, elements that @cpus has room for; out, elements needed (possible CPUs).  With too
 *	little room nothing is written to @cpus
 * @cpus: in, pointer to an array of struct acrpmu_cpu_info, 0 with @nr_cpus 0
 * @cpu_size: in, size of one element, from ACRPMU_CPU_INFO_SIZE_VER0 to a page; a tail unknown to
 *	the module is zeroed
 * @max_events: out, most events in a group
 * @features: out, ACRPMU_FEATURE_*
 * @sample_type: out, PERF_SAMPLE_* bits that @sample_type of a session may have
 * @min_period_sampled: out, smallest period of a sampled event, in occurrences; with
 *	ACRPMU_SESSION_SOFTWARE of every cause
 * @min_period_quiet: out, smallest period of a quiet event, in occurrences
 * @max_ring_pages: out, most data pages of one CPU's ring
 * @max_sample_rate: out, samples per second and CPU, of all sessions, beyond which they pause
 * @nr_sessions: out, sessions that exist now
 * @arbiter: out, ACRPMU_ARBITER_*: how in-tree perf is kept off
 * @max_pmi_percent: out, share of a CPU's time in per cent that overflows of all sessions may take
 *	there before sessions pause; 100: any.  Since ABI version 4
 * @nr_starved: out, with ACRPMU_INFO_STARVED: events of in-tree perf that are enabled, but on no
 *	counter, of CPUs from which the claim keeps them and of tasks that are or were last there;
 *	0 with ACRPMU_ARBITER_RESERVE, where perf has no event then.  Since ABI version 4
 * @starved_cpu: out, the CPU of one of them.  Since ABI version 4
 * @starved_pid: out, the process that opened it, in the caller's pid namespace; 0 if unknown.
 *	Since ABI version 4
 *
 * The administrator may change @min_period_sampled, @min_period_quiet, @max_sample_rate and
 * @max_pmi_percent at any time: a rate or share also for sessions that run, a period for those that
 * are created later, and for SET_PERIODS.
 *
 * Needs no capability but for ACRPMU_INFO_STARVED.  Since ABI version 1.
 */
struct acrpmu_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 nr_cpus;
	__u64 cpus;
	__u32 cpu_size;
	__u32 max_events;
	__u64 features;
	__u64 sample_type;
	__u32 min_period_sampled;
	__u32 min_period_quiet;
	__u32 max_ring_pages;
	__u32 max_sample_rate;
	__u32 nr_sessions;
	__u32 arbiter;
	__u32 max_pmi_percent;
	__u32 nr_starved;
	__s32 starved_cpu;
	__s32 starved_pid;
};

#define ACRPMU_INFO_SIZE_VER0	72	/* up to arbiter */
#define ACRPMU_INFO_SIZE_VER1	88	/* ABI version 4: up to starved_pid */

/** ACRPMU_CPU_ONLINE - online now; a CPU that was never online has 0 in all other members */
#define ACRPMU_CPU_ONLINE	(1U << 0)
/** ACRPMU_CPU_USABLE - sessions can run here */
#define ACRPMU_CPU_USABLE	(1U << 1)
/** ACRPMU_CPU_ACR - has auto counter reload */
#define ACRPMU_CPU_ACR		(1U << 2)
/** ACRPMU_CPU_FULL_WIDTH - counters can be written in full width */
#define ACRPMU_CPU_FULL_WIDTH	(1U << 3)
/** ACRPMU_CPU_HYBRID - core_type is valid */
#define ACRPMU_CPU_HYBRID	(1U << 4)

/**
 * ACRPMU_EXTRA_REG_HIDDEN - it cannot be read, because a hypervisor hides it; only on usable CPUs.
 *	Since ABI version 3
 */
#define ACRPMU_EXTRA_REG_HIDDEN	(1U << 0)

/**
 * struct acrpmu_extra_reg_info - an MSR that holds more of an event
 * @config: event select and umask that use it, as in &struct acrpmu_event_attr.config; on P-cores a
 *	few other events use the front-end register as well, with fewer values, and two the OMR
 *	registers
 * @valid_mask: bits that its value may have
 * @msr: its number
 * @flags: ACRPMU_EXTRA_REG_*; 0 before ABI version 3
 */
struct acrpmu_extra_reg_info {
	__u64 config;
	__u64 valid_mask;
	__u32 msr;
	__u32 flags;
};

/**
 * struct acrpmu_cpu_info - one CPU; the CPUs of a hybrid system differ
 * @cpu: its number
 * @flags: ACRPMU_CPU_*
 * @pmu_version: CPUID.0AH:EAX[7:0]
 * @signature: CPUID.01H:EAX (family, model, stepping)
 * @core_type: CPUID.1AH:EAX (core type in bits 31:24, native model id), 0 unless hybrid
 * @gp_width: bits of a general-purpose counter
 * @fixed_width: bits of a fixed counter
 * @nr_extra_regs: valid elements of @extra_regs; of cores with OMR registers those alone are
 *	described, although events can use the front-end or snoop response registers as well
 * @cntrs: counters that exist; general-purpose n is bit n, fixed n is bit 32 + n
 * @reloadable_cntrs: counters that can be reloaded
 * @cause_cntrs: counters whose overflow can reload others
 * @held_cntrs: counters that sessions or the arbiter hold now
 * @name: name in the table of CPUs ("clearwaterforest"), 0-terminated
 * @extra_regs: the extra registers
 *
 * Since ABI version 1.
 */
struct acrpmu_cpu_info {
	__u32 cpu;
	__u32 flags;
	__u32 pmu_version;
	__u32 signature;
	__u32 core_type;
	__u32 gp_width;
	__u32 fixed_width;
	__u32 nr_extra_regs;
	__u64 cntrs;
	__u64 reloadable_cntrs;
	__u64 cause_cntrs;
	__u64 held_cntrs;
	char name[32];
	struct acrpmu_extra_reg_info extra_regs[ACRPMU_MAX_EXTRA_REGS];
};

#define ACRPMU_CPU_INFO_SIZE_VER0	192

/* ---- ACRPMU_SESSION_CREATE ---------------------------------------------------------------- */

/** ACRPMU_EVENT_USER - count at CPL > 0 */
#define ACRPMU_EVENT_USER	(1U << 0)
/** ACRPMU_EVENT_KERNEL - count at CPL 0 */
#define ACRPMU_EVENT_KERNEL	(1U << 1)
/** ACRPMU_EVENT_SAMPLED - an overflow raises a PMI and writes a record */
#define ACRPMU_EVENT_SAMPLED	(1U << 2)
/** ACRPMU_EVENT_COUNT - only counts: has no period or mask, and is no cause */
#define ACRPMU_EVENT_COUNT	(1U << 3)

/**
 * struct acrpmu_event_attr - one event of the group
 * @config: event select (bits 7:0), umask (15:8), edge (18), inv (23), cmask (31:24), umask2
 *	(47:40) and eq (36) where the CPU has them, as in IA32_PERFEVTSELx; every other bit must
 *	be 0.  0x0300 is the pseudo code of reference cycles on fixed counter 2, as in perf
 * @period: occurrences from one overflow to the next; 0 only with ACRPMU_EVENT_COUNT.  The next
 *	period begins at the overflow and not at its PMI, unless software restarts the event with
 *	others.  An event
 *	without ACRPMU_EVENT_SAMPLED and ACRPMU_EVENT_COUNT is quiet: it overflows without a PMI,
 *	and again only after a reload, by itself or by another cause
 * @acr_mask: cause events: bit k means that an overflow of event k of the group reloads the counter
 *	of this event with -@period; its own bit makes the counter reload itself, silently.  With
 *	ACRPMU_SESSION_SOFTWARE a PMI does it
 * @extra_value: value of the event's extra register (OFFCORE_RSP_x), 0 if it has none
 * @id: written as PERF_SAMPLE_ID, IDENTIFIER and STREAM_ID; chosen by the caller, unique in the
 *	group
 * @flags: ACRPMU_EVENT_*
 * @reserved: must be 0
 * @allowed_cntrs: counters that may count it, laid out as &struct acrpmu_cpu_info.cntrs; at least
 *	one must be among those that the module knows to count it.  It means @config: if the event
 *	moves to another extra register, the counters of that register's event are allowed instead.
 *	0: all that the module knows; but on a CPU that its table does not have (the name is
 *	"architectural") 0 allows only the architectural events that CPUID leaf 0AH announces, since
 *	any other may count on some counters and not on others.  Since ABI version 4
 *
 * Since ABI version 1.
 */
struct acrpmu_event_attr {
	__u64 config;
	__u64 period;
	__u64 acr_mask;
	__u64 extra_value;
	__u64 id;
	__u32 flags;
	__u32 reserved;
	__u64 allowed_cntrs;
};

#define ACRPMU_EVENT_ATTR_SIZE_VER0	48	/* up to reserved */
#define ACRPMU_EVENT_ATTR_SIZE_VER1	56	/* ABI version 4: up to allowed_cntrs */

/** ACRPMU_SESSION_TASK - the target is task @pid; otherwise the CPUs */
#define ACRPMU_SESSION_TASK		(1U << 0)
/** ACRPMU_SESSION_INHERIT - and every task it forks or clones from now on */
#define ACRPMU_SESSION_INHERIT		(1U << 1)
/**
 * ACRPMU_SESSION_ENABLE_ON_EXEC - enabled when the first of the tasks calls exec; other tasks are
 *	counted from the next time they are scheduled
 */
#define ACRPMU_SESSION_ENABLE_ON_EXEC	(1U << 2)
/** ACRPMU_SESSION_PROCESS - with TASK: all threads of process @pid */
#define ACRPMU_SESSION_PROCESS		(1U << 3)
/** ACRPMU_SESSION_PARKED - starts parked, see ACRPMU_PARK.  Since ABI version 2 */
#define ACRPMU_SESSION_PARKED		(1U << 4)
/**
 * ACRPMU_SESSION_ARRIVE - with TASK and @cpus: of these only those are reserved on which a task may
 *	run when the session is created, perhaps none, and others when one runs there.  Since ABI
 *	version 4.  Without TASK: of @cpus those are reserved that are online when the session is
 *	created, at least one, and others when they come online, if they are of the same kind of
 *	core and can do what the first ones can.  Since ABI version 6
 */
#define ACRPMU_SESSION_ARRIVE		(1U << 5)
/**
 * ACRPMU_SESSION_EXCLUDE_GUEST - with a sampled event: no samples taken inside guests.
 *	Periods and counts include what it executes all the same.  Since ABI version 4
 */
#define ACRPMU_SESSION_EXCLUDE_GUEST	(1U << 6)
/**
 * ACRPMU_SESSION_SOFTWARE - software does what acr_mask asks for, on CPUs with and without auto
 *	counter reload: an overflow of a cause raises a PMI, which restarts the events that have it
 *	in their mask.  Of overflows found together, that with the largest overshoot in proportion
 *	to its period is taken to have come first; the others count unless it restarts their event.
 *	Each cause needs at least the smallest period of a sampled event.  A pause restarts the
 *	whole group.  Without a mask it changes nothing.  Since ABI version 5
 */
#define ACRPMU_SESSION_SOFTWARE		(1U << 7)
/**
 * ACRPMU_SESSION_CGROUP - the target are @cpus, but only while a task of a cgroup runs there: that
 *	of the cgroup v2 directory which is open as descriptor @pid, or one below it.
 *	Each switch of tasks decides; a task that moves between cgroups while it runs is noticed a
 *	moment later.  Since ABI version 5
 */
#define ACRPMU_SESSION_CGROUP		(1U << 8)
/**
 * ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL - no frames of the kernel in call chains.  Since ABI version
 *	5
 */
#define ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL	(1U << 9)
/** ACRPMU_SESSION_EXCLUDE_CHAIN_USER - no user frames in call chains.  Since ABI version 5 */
#define ACRPMU_SESSION_EXCLUDE_CHAIN_USER	(1U << 10)

/**
 * struct acrpmu_session_attr - a session to create: one group and one target
 * @size: in, sizeof(struct acrpmu_session_attr)
 * @flags: in, ACRPMU_SESSION_*
 * @events: in, pointer to an array of struct acrpmu_event_attr; event 0 is the leader
 * @nr_events: in, 1 to ACRPMU_MAX_EVENTS
 * @event_size: in, size of one element, ACRPMU_EVENT_ATTR_SIZE_VER0 to a page
 * @cpus: in, pointer to a bitmap of CPU numbers, bit n of byte n / 8; the CPUs of a CPU session, or
 *	those on which a task is counted, all of which are reserved, but see
 *	ACRPMU_SESSION_ARRIVE.  0 with @cpus_size 0, tasks
 *	only: every CPU online now; reserved are those on which a task may run when the session is
 *	created, and others when one runs there
 * @cpus_size: in, bytes of the bitmap, at most a page
 * @pid: in, task id in the caller's pid namespace, 0 the caller; 0 for a CPU session.  With
 *	ACRPMU_SESSION_PROCESS the id of a process: one session follows all its threads.  With
 *	ACRPMU_SESSION_CGROUP the descriptor of its directory, which may be closed afterwards
 * @sample_type: in, PERF_SAMPLE_* bits from acrpmu_info.sample_type; 0 when no event is sampled.
 *	PERF_SAMPLE_READ has the read format PERF_FORMAT_GROUP | PERF_FORMAT_ID
 * @ring_pages: in, data pages of each CPU's ring, a power of 2; 0 when no event is sampled
 * @wakeup_bytes: in, unread bytes that wake a poller; 0: half of the ring.  A ring without room for
 *	two records of the longest kind always wakes it
 * @session_id: out, number of the session, unique until the module is unloaded
 * @error: out, why it was refused; zeroed otherwise
 * @max_stack: in, with PERF_SAMPLE_CALLCHAIN the most frames of a call chain, kernel and user
 *	together, up to ACRPMU_MAX_STACK; 0: that many.  Without it 0.  Since ABI version 5
 * @jitter: in, widest random part of the periods of sampled events to either side, in per cent of
 *	the period, up to ACRPMU_MAX_JITTER; 0: none.  Since ABI version 6, must be 0 before
 *
 * With @jitter each period is drawn anew: every whole number from period - period * jitter / 100 to
 * period + period * jitter / 100 is as likely as any other, so that the mean is exactly the period.
 * A sample has the one that it stands for as PERF_SAMPLE_PERIOD.  Less is drawn where the counter
 * could not hold the longest, and at most 2^30 to either side.  The smallest period of a sampled
 * event is a limit of the mean.  An event that hardware reloads, or that reloads others in
 * hardware, keeps its period: it is part of a ratio.  With ACRPMU_SESSION_SOFTWARE all periods of a
 * group in which each overflow restarts all others are scaled by one number drawn for each window,
 * so that their ratio stays the same up to rounding; in groups with other masks no event with a
 * part in a mask has jitter.
 *
 * Return: the session's file descriptor (close-on-exec), or an errno.  The session starts disabled.
 *
 * Since ABI version 1.
 */
struct acrpmu_session_attr {
	__u32 size;
	__u32 flags;
	__u64 events;
	__u32 nr_events;
	__u32 event_size;
	__u64 cpus;
	__u32 cpus_size;
	__s32 pid;
	__u64 sample_type;
	__u32 ring_pages;
	__u32 wakeup_bytes;
	__u64 session_id;
	struct acrpmu_error error;
	__u32 max_stack;
	__u32 jitter;
};

#define ACRPMU_SESSION_ATTR_SIZE_VER0	112	/* up to error */
#define ACRPMU_SESSION_ATTR_SIZE_VER1	120	/* ABI version 5: up to jitter, reserved then */

/* ---- ACRPMU_ENABLE, ACRPMU_DISABLE, ACRPMU_RESET ------------------------------------------- */

/**
 * struct acrpmu_ctl - argument of ENABLE, DISABLE, RESET and PARK
 * @size: in, sizeof(struct acrpmu_ctl)
 * @flags: in, must be 0
 *
 * ENABLE and DISABLE start and stop the whole group; doing either twice is harmless.  RESET zeroes
 * counts and times and restarts periods; it keeps records, lost, throttled and discarded.
 */
struct acrpmu_ctl {
	__u32 size;
	__u32 flags;
};

#define ACRPMU_CTL_SIZE_VER0	8

/* ---- ACRPMU_PARK, ACRPMU_UNPARK ----------------------------------------------------------- */

/**
 * struct acrpmu_unpark - argument of UNPARK
 * @size: in, sizeof(struct acrpmu_unpark)
 * @flags: in, must be 0
 * @error: out, why it was refused; zeroed otherwise
 *
 * PARK, with &struct acrpmu_ctl, releases every counter and register of a session as it was found.
 * The session still follows its tasks, keeps its counts, times, started periods and records, and
 * can be enabled and disabled, but it does not count.  UNPARK reserves counters and registers
 * again, perhaps others, on each CPU of the session that is online, or on none: EBUSY as for
 * SESSION_CREATE, ENODEV if no CPU is online, or others have taken all that are, with the reason.
 * So groups that do not fit at the same time can take turns.  Doing either twice is harmless.
 *
 * Since ABI version 2.
 */
struct acrpmu_unpark {
	__u32 size;
	__u32 flags;
	struct acrpmu_error error;
};

#define ACRPMU_UNPARK_SIZE_VER0	56

/* ---- ACRPMU_SET_PERIODS ------------------------------------------------------------------- */

/**
 * struct acrpmu_set_periods - argument of SET_PERIODS
 * @size: in, sizeof(struct acrpmu_set_periods)
 * @flags: in, must be 0
 * @periods: in, pointer to an array of __u64: the period of each event, 0 for those with
 *	ACRPMU_EVENT_COUNT
 * @nr_periods: in, elements of @periods, must be the number of events
 * @reserved: in, must be 0
 * @error: out, why it was refused; zeroed otherwise
 *
 * All events get their new periods, or none does.  On each CPU the group stands still while its
 * periods change there, and every event starts a new period: no period begins with an old value and
 * ends with a new one, and no reload window has periods of both.  When the command returns, the
 * session uses the new periods on every CPU that it holds; a task that is not running starts new
 * periods when it runs next.  A parked session, a CPU that is reserved later, and one that is
 * restored after a sleep use them from then on.  Occurrences counted towards a period that has not
 * ended stay in the count of an event, but of one that hardware reloads, which has no true count.
 *
 * An overflow belongs to the period that was in force: PERF_SAMPLE_PERIOD is that period, and so is
 * what it adds to the value of an event that hardware reloads.  If the PMI comes so late that the
 * event has occurred whole periods more, PERF_SAMPLE_PERIOD has these as well.
 *
 * The checks are those of SESSION_CREATE, with the smallest periods as they are now: for each event
 * in turn ACRPMU_REASON_PERIOD_COUNT, _ZERO and _SMALL; then for each _RELOAD and _LARGE.
 *
 * Since ABI version 5.
 */
struct acrpmu_set_periods {
	__u32 size;
	__u32 flags;
	__u64 periods;
	__u32 nr_periods;
	__u32 reserved;
	struct acrpmu_error error;
};

#define ACRPMU_SET_PERIODS_SIZE_VER0	72

/* ---- ACRPMU_ATTACH ------------------------------------------------------------------------ */

/** ACRPMU_ATTACH_PROCESS - @pid is a process: all its threads.  Since ABI version 5 */
#define ACRPMU_ATTACH_PROCESS	(1U << 0)

/**
 * struct acrpmu_attach - argument of ATTACH
 * @size: in, sizeof(struct acrpmu_attach)
 * @flags: in, ACRPMU_ATTACH_PROCESS or 0
 * @pid: in, task id in the caller's pid namespace, 0 the caller; with ACRPMU_ATTACH_PROCESS the id
 *	of a process
 * @target: in, must be 0; out, number of the target that the tasks belong to: 2, 3, ... in the
 *	order in which they were followed; 0: nothing new is followed
 * @error: out, why it was refused; zeroed otherwise
 *
 * A task session follows @pid too from now on: whether the session is enabled, disabled, parked, or
 * has ended because all its tasks had exited.  Its counts are the sum over all of its tasks, and
 * its rings hold the samples of all.  ACRPMU_SESSION_INHERIT holds for what @pid forks from now
 * on.  A task that it follows already stays as it is.
 *
 * What one ATTACH follows is a target: the task, or those threads of the process that were not
 * followed, and with ACRPMU_SESSION_INHERIT what they fork.  What SESSION_CREATE names is target 1.
 * READ reads the whole session, or one of up to ACRPMU_MAX_TARGETS targets, also after its tasks
 * have exited.
 *
 * A session that may run everywhere reserves the CPUs of a task attached while it is parked when it
 * is unparked; those of a task attached later when that runs there, see time_missed_ns.  So whoever
 * wants all or nothing creates the session parked, attaches, and unparks it.
 *
 * Needs CAP_PERFMON of the caller, whoever created the session; a session created without it may be
 * given more tasks of that user, with the checks of SESSION_CREATE.  ESRCH with ACRPMU_REASON_TASK:
 * @pid does not exist or is exiting.  After EINTR, ENOMEM, and EPERM because of one of its threads,
 * other threads of @pid may be followed, as @target if that is not 0.
 *
 * Since ABI version 5.
 */
struct acrpmu_attach {
	__u32 size;
	__u32 flags;
	__s32 pid;
	__u32 target;
	struct acrpmu_error error;
};

#define ACRPMU_ATTACH_SIZE_VER0	64

/* ---- ACRPMU_READ -------------------------------------------------------------------------- */

/** ACRPMU_COUNT_RELOADED - hardware reloads the counter: value covers overflows only */
#define ACRPMU_COUNT_RELOADED	(1U << 0)
/**
 * ACRPMU_COUNT_TAKEN - there is no count, since somebody else has taken a CPU: value and overflows
 *	are 0.  Since ABI version 6
 */
#define ACRPMU_COUNT_TAKEN	(1U << 1)

/**
 * struct acrpmu_count - the count of one event
 * @value: all occurrences; an event that hardware reloads (ACRPMU_COUNT_RELOADED) has no true
 *	count, and this is the sum of the periods that its overflows ended.  Before ABI version 6
 *	those of a sampled event between an overflow and its PMI were missing
 * @overflows: overflows that software saw: recorded, lost, throttled, discarded, of guests or quiet
 * @flags: ACRPMU_COUNT_*
 * @reserved: 0
 */
struct acrpmu_count {
	__u64 value;
	__u64 overflows;
	__u32 flags;
	__u32 reserved;
};

/** ACRPMU_STATE_ENABLED - enabled, by ENABLE or by exec */
#define ACRPMU_STATE_ENABLED	(1U << 0)
/**
 * ACRPMU_STATE_ENDED - it follows no task any more; for a session of CPUs, since ABI version 6:
 *	somebody else has taken all of them
 */
#define ACRPMU_STATE_ENDED	(1U << 1)
/**
 * ACRPMU_STATE_CPU_LOST - it counts nothing now on a CPU that went offline, or that somebody else
 *	had when it came back or when the system woke up.  A CPU that comes online is reserved again
 *	at once, one that was refused is tried again, and the bit is cleared when that
 *	succeeds: acrpmu_read.time_missed_ns remembers how long it was away.  Set for good for a
 *	task session without @cpus when a CPU comes online that was not at its creation
 */
#define ACRPMU_STATE_CPU_LOST	(1U << 2)
/** ACRPMU_STATE_PARKED - it holds no counters.  Since ABI version 2 */
#define ACRPMU_STATE_PARKED	(1U << 3)
/**
 * ACRPMU_STATE_NEW_RING - it writes to a ring that was never mapped, because it has reserved a CPU
 *	since it was created; poll reports POLLPRI then.  QUERY shows which CPUs it holds.  A ring
 *	that does not exist yet is made when it is mapped.  Since ABI version 4
 */
#define ACRPMU_STATE_NEW_RING	(1U << 4)
/**
 * ACRPMU_STATE_PRIVILEGED_EXEC - a task has executed a program that its user may not dump: set-uid
 *	or set-gid, with capabilities of its file, or not readable.  The session does not follow
 *	that task any more, nor what it forks from then on.  A session created without CAP_PERFMON
 *	does so even if fs.suid_dumpable is 1.  Since ABI version 4
 */
#define ACRPMU_STATE_PRIVILEGED_EXEC	(1U << 5)
/**
 * ACRPMU_STATE_TAKEN - in spite of the session somebody else has got at its counters on a CPU, and
 *	the session has ended there: @taken of &struct acrpmu_read says how, and ACRPMU_COUNT_TAKEN
 *	which counts are gone.  Samples of up to a second before may be of the other's making.
 *	ACRPMU_STATE_CPU_LOST is set, too; other CPUs go on.  poll reports POLLERR until the next
 *	READ.  Since ABI version 6
 */
#define ACRPMU_STATE_TAKEN	(1U << 6)

/**
 * struct acrpmu_read - counts and accounts of a session, in one snapshot
 * @size: in, sizeof(struct acrpmu_read)
 * @flags: in, must be 0
 * @cpu: in, a CPU of a CPU session, or ACRPMU_CPU_ALL; the latter for a task session
 * @nr_counts: in, elements of @counts, must be the number of events
 * @counts: in, pointer to an array of struct acrpmu_count
 * @time_enabled_ns: out, time from ENABLE or exec to DISABLE or now
 * @time_running_ns: out, time spent counting, summed over the CPUs or tasks
 * @records: out, samples written to the rings
 * @lost: out, overflows without room in the ring, or acknowledged by another driver first
 * @throttled: out, overflows beyond the sample rate or the time that the CPU's sessions may use;
 *	after each the session pauses on that CPU for a tick, or until its task is scheduled again
 * @discarded: out, overflows found after the counter was stopped, or long after their PMI got lost
 * @inherit_failed: out, new tasks not followed because memory ran out
 * @state: out, ACRPMU_STATE_*
 * @nr_cpus: out, CPUs on which the session can count now
 * @nr_tasks: out, tasks it follows, with those that have ended since their counts were read; 0 for
 *	a CPU session
 * @target: in, 0: the whole session; else, of a task session, the number of a target: see below.
 *	Since ABI version 5, must be 0 before
 * @time_missed_ns: out, time that tasks ran, while the session was enabled and not parked, on CPUs
 *	that it did not hold: those outside of its target, those that could not be reserved, and
 *	others until they were.  Since ABI version 4.  Of a CPU session: time for which it lacked
 *	CPUs while it was enabled and not parked, see ACRPMU_STATE_CPU_LOST, summed over the CPUs,
 *	without the time that the system slept; of both, the time since the last stop on a CPU that
 *	others took.  Since ABI version 6
 * @guest: out, overflows in virtual machines, of which ACRPMU_SESSION_EXCLUDE_GUEST wants no
 *	samples.  Since ABI version 4
 * @outside: in, pointer to an array of __u64, one for each event, 0: not wanted; out, with
 *	ACRPMU_SESSION_SOFTWARE: occurrences between an overflow of the event and its restart,
 *	which belong to no window.  Like @counts, RESET zeroes them.  Since ABI version 5
 * @quiet: out, with ACRPMU_SESSION_SOFTWARE: overflows of quiet causes.  Since ABI version 5
 * @dropped: out, with ACRPMU_SESSION_SOFTWARE: overflows after which the PMI found that another
 *	event had overflowed before, and had ended the window, and status bits without an overflow,
 *	which look the same.  Since ABI version 5
 * @tasks: out, tasks followed so far, with those that are gone; 0 for a CPU session.  Since ABI
 *	version 5
 * @taken: out, with ACRPMU_STATE_TAKEN why, of one such CPU; else zeroed.  Since ABI version 6
 *
 * A session looks whether its counters are its own in READ, ENABLE and whatever else stops them,
 * before it wakes a reader, and once a second.  What it is looking for: that in-tree perf has set
 * aside the event that keeps it off, also at each switch and PMI, and that event selects, reload
 * masks and values, extra registers, and the bits of its counters in IA32_FIXED_CTR_CTRL and
 * IA32_PERF_GLOBAL_CTRL are as it has written them.  On a CPU that it has lost it writes to no
 * counter any more, but restores the registers that still have its own values.  It does not return
 * to that CPU.  A task session has no count then, as what its tasks counted there cannot be told
 * apart; a CPU session has those of its other CPUs, by @cpu.  The look of each second also reads
 * IA32_PERF_GLOBAL_STATUS.  If it finds a counter there that the look before found, and no overflow
 * of the session was handled in between, a PMI got lost: the overflow is discarded, and sampling
 * goes on.  If two looks find the LVT entry of the PMI masked, it is unmasked.
 *
 * With @target, @counts, @outside, @time_running_ns, @time_missed_ns, @nr_tasks and @tasks are
 * those of the target, and all else is of the whole session.  An overflow found so
 * late after a stop that its task is not known any more is one of the session, but of no target.
 * EINVAL: there is no such target, or the session is one of CPUs or of a cgroup.
 *
 * For a session: overflows of its counters that raise PMIs = @records + @lost + @throttled +
 * @discarded + @guest + @quiet.  @dropped are in none of these.
 */
struct acrpmu_read {
	__u32 size;
	__u32 flags;
	__s32 cpu;
	__u32 nr_counts;
	__u64 counts;
	__u64 time_enabled_ns;
	__u64 time_running_ns;
	__u64 records;
	__u64 lost;
	__u64 throttled;
	__u64 discarded;
	__u64 inherit_failed;
	__u32 state;
	__u32 nr_cpus;
	__u32 nr_tasks;
	__u32 target;
	__u64 time_missed_ns;
	__u64 guest;
	__u64 outside;
	__u64 quiet;
	__u64 dropped;
	__u64 tasks;
	struct acrpmu_error taken;
};

#define ACRPMU_READ_SIZE_VER0	96	/* up to target */
#define ACRPMU_READ_SIZE_VER1	112	/* ABI version 4: up to guest */
#define ACRPMU_READ_SIZE_VER2	144	/* ABI version 5: up to tasks */
#define ACRPMU_READ_SIZE_VER3	192	/* ABI version 6: up to taken */

/* ---- ACRPMU_QUERY ------------------------------------------------------------------------- */

/**
 * struct acrpmu_event_hw - how one event is programmed
 * @cntr: counter index: 0.. general-purpose, 32.. fixed
 * @cntr_msr: MSR of the counter
 * @cfg_a_msr: MSR of the event select (CFG_A), or IA32_FIXED_CTR_CTRL
 * @cfg_b_msr: MSR of the reload mask (CFG_B), 0 if the counter cannot be reloaded
 * @cfg_c_msr: MSR of the reload value (CFG_C), 0 if the counter cannot be reloaded
 * @extra_msr: MSR of the extra register, 0 if the event uses none
 * @cfg_a: event select with all bits while it runs; for a fixed counter its bits of
 *	IA32_FIXED_CTR_CTRL, not shifted down
 * @cfg_b: reload mask over counters
 * @cfg_c: reload value
 * @start: counter value at the start of a period, without jitter
 * @extra_value: value of the extra register
 */
struct acrpmu_event_hw {
	__s32 cntr;
	__u32 cntr_msr;
	__u32 cfg_a_msr;
	__u32 cfg_b_msr;
	__u32 cfg_c_msr;
	__u32 extra_msr;
	__u64 cfg_a;
	__u64 cfg_b;
	__u64 cfg_c;
	__u64 start;
	__u64 extra_value;
};

#define ACRPMU_EVENT_HW_SIZE_VER0	64

/** ACRPMU_QUERY_CPU - query the CPU of member cpu.  Since ABI version 3 */
#define ACRPMU_QUERY_CPU	(1U << 0)

/**
 * struct acrpmu_query - which counters are used, and the exact values programmed
 * @size: in, sizeof(struct acrpmu_query)
 * @flags: in, ACRPMU_QUERY_CPU or 0
 * @events: in, pointer to an array of struct acrpmu_event_hw
 * @nr_events: in, elements of @events, must be the number of events
 * @event_size: in, size of one element, ACRPMU_EVENT_HW_SIZE_VER0 to a page; a tail unknown to the
 *	module is zeroed
 * @session_id: out, number of the session
 * @cpu: in, with ACRPMU_QUERY_CPU a CPU of the session, else -EINVAL; without it 0.  Since ABI
 *	version 3
 * @reserved: in, must be 0.  Since ABI version 3
 *
 * Different counters and extra registers may be free on each CPU, so an event may use different
 * ones on each.  Without ACRPMU_QUERY_CPU the result is that of the first CPU that the session
 * holds.  On a CPU that it does not hold (parked, or offline) cntr is -1 and all other members 0.
 */
struct acrpmu_query {
	__u32 size;
	__u32 flags;
	__u64 events;
	__u32 nr_events;
	__u32 event_size;
	__u64 session_id;
	__s32 cpu;
	__u32 reserved;
};

#define ACRPMU_QUERY_SIZE_VER0	32	/* up to session_id */
#define ACRPMU_QUERY_SIZE_VER1	40	/* ABI version 3: up to reserved */

/* ---- the ring ----------------------------------------------------------------------------- */

/**
 * ACRPMU_RING_OFFSET() - mmap offset of one CPU's ring on the session's descriptor
 * @cpu: CPU number
 *
 * The length must be exactly one page plus the data pages, and the mapping MAP_SHARED.
 */
#define ACRPMU_RING_OFFSET(cpu)	((__u64)(cpu) << 32)

/**
 * struct acrpmu_ring_page - first page of a mapping; data pages follow
 * @version: of this layout, 1
 * @size: bytes of this struct
 * @data_offset: bytes from the start of the mapping to the data
 * @data_size: bytes of the data, a power of 2
 * @lost: overflows that found no room, in total
 * @__reserved_a: 0
 * @__reserved_b: 0
 * @__reserved_c: 0
 * @data_head: written by the module: end of the data, ever growing; a reader loads it, executes a
 *	read barrier, then loads the data before it, at positions modulo @data_size
 * @data_tail: written by the reader: end of the data it has consumed, after a full barrier.  The
 *	module treats it as input: a value outside head - size .. head means "no room"
 *
 * Records are struct perf_event_header followed by the fields of their type, in perf's order:
 *
 * - PERF_RECORD_SAMPLE: those of the session's sample_type.  While a virtual machine runs, the
 *   header says PERF_RECORD_MISC_GUEST_USER for an event of user level only, else
 *   PERF_RECORD_MISC_GUEST_KERNEL, and the instruction pointer is 0;
 *   PERF_SAMPLE_CALLCHAIN is a number and as many addresses, innermost first: PERF_CONTEXT_KERNEL
 *   before those of the kernel, which only samples of kernel-level events have, PERF_CONTEXT_USER
 *   before those of user code.  A guest has none;
 * - PERF_RECORD_LOST: id, and the number of overflows since the last such record that found no room
 *   or that another driver acknowledged;
 * - PERF_RECORD_THROTTLE and PERF_RECORD_UNTHROTTLE: time, id, stream_id.  The session pauses on
 *   this CPU, and resumes; both ids are that of event 0.  A ring that is full when a pause begins
 *   gets neither.  Since ABI version 4.
 *
 * All but samples end with perf's sample_id.
 */
struct acrpmu_ring_page {
	__u32 version;
	__u32 size;
	__u64 data_offset;
	__u64 data_size;
	__u64 lost;
	__u64 __reserved_a[4];
	__u64 data_head;
	__u64 __reserved_b[7];
	__u64 data_tail;
	__u64 __reserved_c[7];
};

#endif /* _UAPI_ACRPMU_H */
