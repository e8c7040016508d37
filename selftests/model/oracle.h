/* SPDX-License-Identifier: GPL-2.0-only */
/* Queries to the model CPU by code in the guest, user or kernel, through CPUID. */
#ifndef MODEL_ORACLE_H
#define MODEL_ORACLE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
#endif

/*
 * CPUID with EAX = ORACLE_LEAF, ECX = query | cpu << 16, EBX and EDX = low and high half of an
 * argument. The model answers EAX = ORACLE_OK and EBX, ECX = low and high half of the value, or
 * EAX = ORACLE_REFUSED for a query it does not know or an argument out of range. Another CPU
 * returns neither in EAX. A query retires as one instruction and changes nothing else, so the
 * answer for the asking CPU includes everything up to the query itself. Sums for another CPU are
 * exact while it is halted or spins at a known address, otherwise at most a block ahead.
 */
#define ORACLE_LEAF		0x4f52434cU
#define ORACLE_OK		0x54525545U
#define ORACLE_REFUSED		0x4e4f4e45U
#define ORACLE_ABI		2

/* Instead of a CPU number */
#define ORACLE_THIS_CPU		0xfeU
#define ORACLE_ALL_CPUS		0xffU	/* the sum over all CPUs; a register has no sum */
#define ORACLE_CPU_SHIFT	16

/**
 * enum oracle_query - queries
 * @ORACLE_VERSION: ORACLE_ABI
 * @ORACLE_NR_CPUS: CPUs of the machine
 * @ORACLE_MARK: write a mark line into the log; argument: a tag
 * @ORACLE_RANGE_START: note an address for ORACLE_RANGE_END
 * @ORACLE_RANGE_END: register code from the address noted on this CPU up to the argument, to
 *                    count its accesses separately; up to 16 ranges
 * @ORACLE_RANGE_CLEAR: forget all ranges; their counts stay
 * @ORACLE_OVERFLOWS: overflows of a counter; argument: its bit number in GLOBAL_CTRL
 * @ORACLE_OVERFLOWS_INT: those that raised a PMI: interrupt enabled, no self-reload
 * @ORACLE_OVERFLOWS_SELF: those in which the counter reloaded itself
 * @ORACLE_RELOADS: how often the counter was reloaded, by itself or another
 * @ORACLE_PMI_RAISED: PMIs that the PMU asked for
 * @ORACLE_PMI_DELIVERED: those that the LVT entry delivered
 * @ORACLE_PMI_MASKED: those lost because it was masked
 * @ORACLE_PMI_TAKEN: interrupts that the CPU took because of them
 * @ORACLE_VIOLATIONS: accesses that were answered by #GP; argument: ORACLE_ORIGIN_*
 * @ORACLE_MSR: value of a PMU register, read without side effects; argument: its number
 * @ORACLE_ACCESSES: PMU accesses that were not refused; argument: oracle_accesses_arg()
 * @ORACLE_EVENTS: how often something happened; argument: kind | level << 8
 * @ORACLE_WINDOWS: about the PMI windows; argument: an enum oracle_window
 * @ORACLE_NR_THREADS: hardware threads of each core, which share the offcore registers
 * @ORACLE_LVTPC: the LVT entry of the PMI in the local APIC of the CPU that asks
 * @ORACLE_CODE_BEGIN: count where kernel instructions go from now on, or with the argument
 *                     ORACLE_CODE_USER those of programs, which makes a CPU slow
 * @ORACLE_CODE_END: stop that, and write lines into the log; argument: a tag
 * @ORACLE_CALL_WATCH: add a kernel function for which ORACLE_CODE_BEGIN counts calls with all that
 *                     they call; up to 4; argument: its address
 * @ORACLE_CALL_NR: calls of such a function that returned; argument: its address
 * @ORACLE_CALL_INSNS: their kernel instructions; argument: its address
 * @ORACLE_FAULT_ACCESS: refuse PMU accesses by #GP; argument: oracle_fault_access_arg().  Value, of
 *                       these four: how many were still to come
 * @ORACLE_FAULT_LOSE: lose PMIs; argument: how many
 * @ORACLE_FAULT_STRAY: raise PMIs without a cause on the CPU that asks; argument: how many, and
 *                      from bit ORACLE_ARG_GAP_SHIFT on after how many instructions each
 * @ORACLE_FAULT_REPEAT: raise PMIs again; argument: how many, and as with the former how many
 *                       instructions after their delivery
 */
enum oracle_query {
	ORACLE_VERSION,
	ORACLE_NR_CPUS,
	ORACLE_MARK,
	ORACLE_RANGE_START,
	ORACLE_RANGE_END,
	ORACLE_RANGE_CLEAR,
	ORACLE_OVERFLOWS,
	ORACLE_OVERFLOWS_INT,
	ORACLE_OVERFLOWS_SELF,
	ORACLE_RELOADS,
	ORACLE_PMI_RAISED,
	ORACLE_PMI_DELIVERED,
	ORACLE_PMI_MASKED,
	ORACLE_PMI_TAKEN,
	ORACLE_VIOLATIONS,
	ORACLE_MSR,
	ORACLE_ACCESSES,
	ORACLE_EVENTS,
	ORACLE_WINDOWS,
	ORACLE_NR_THREADS,
	ORACLE_LVTPC,
	ORACLE_CODE_BEGIN,
	ORACLE_CODE_END,
	ORACLE_CALL_WATCH,
	ORACLE_CALL_NR,
	ORACLE_CALL_INSNS,
	ORACLE_FAULT_ACCESS,
	ORACLE_FAULT_LOSE,
	ORACLE_FAULT_STRAY,
	ORACLE_FAULT_REPEAT,
};

/* Argument of ORACLE_CODE_BEGIN */
#define ORACLE_CODE_USER	1U

/* Bit of ORACLE_LVTPC */
#define ORACLE_LVTPC_MASKED	0x10000U

/* Origins of an access: outside the ranges, inside them (or called straight from them) */
#define ORACLE_ORIGIN_OTHER	1U
#define ORACLE_ORIGIN_RANGE	2U
#define ORACLE_ORIGIN_ANY	3U
/* When: outside PMI handlers, inside them */
#define ORACLE_OUTSIDE_PMI	1U
#define ORACLE_INSIDE_PMI	2U
#define ORACLE_ANY_TIME		3U
/* Kinds of access; RDPMC goes under the counter's version 6 register on every profile */
#define ORACLE_RD		0U
#define ORACLE_WR		1U
#define ORACLE_RDPMC		2U
#define ORACLE_ALL_MSRS		0x2000U

/* Kinds for ORACLE_EVENTS, and the shift of the level: 0 user, 1 kernel */
#define ORACLE_EV_INSN		0U
#define ORACLE_EV_CYC		1U
#define ORACLE_EV_REF		2U
#define ORACLE_EV_SLOT		3U
#define ORACLE_EV_BR		4U
#define ORACLE_EV_BRMISS	5U
#define ORACLE_EV_RD_HIT	6U
#define ORACLE_EV_RD_MISS	7U
#define ORACLE_EV_WR_HIT	8U
#define ORACLE_EV_WR_MISS	9U
#define ORACLE_EV_CODE_HIT	10U
#define ORACLE_EV_CODE_MISS	11U
/* Core cycles waited for a request; to be added to the six kinds of request above */
#define ORACLE_EV_WAIT		6U
#define ORACLE_EV_LEVEL_SHIFT	8

/**
 * enum oracle_window - figures about closed PMI windows
 * @ORACLE_WIN_NR: windows: PMIs that were taken
 * @ORACLE_WIN_HANDLER_INSNS: kernel instructions of their NMI handlers
 * @ORACLE_WIN_HANDLER_INSNS_MAX: the most in one of them
 * @ORACLE_WIN_INSNS: kernel instructions until the interrupted code went on
 * @ORACLE_WIN_RANGE_NR: windows with PMU accesses by the registered ranges in the handler
 * @ORACLE_WIN_RANGE_ACCESSES: those accesses
 * @ORACLE_WIN_RANGE_ACCESSES_MAX: the most in one handler
 * @ORACLE_WIN_RANGE_HANDLER_INSNS: kernel instructions of the handlers of those windows
 * @ORACLE_WIN_ACCESSES: accesses of all code in the handlers
 * @ORACLE_WIN_ACCESSES_MAX: the most in one handler
 * @ORACLE_WIN_RESET: reset the maxima of accesses and of instructions; value 0
 * @ORACLE_NR_WINDOW_QUERIES: how many there are
 */
enum oracle_window {
	ORACLE_WIN_NR,
	ORACLE_WIN_HANDLER_INSNS,
	ORACLE_WIN_HANDLER_INSNS_MAX,
	ORACLE_WIN_INSNS,
	ORACLE_WIN_RANGE_NR,
	ORACLE_WIN_RANGE_ACCESSES,
	ORACLE_WIN_RANGE_ACCESSES_MAX,
	ORACLE_WIN_RANGE_HANDLER_INSNS,
	ORACLE_WIN_ACCESSES,
	ORACLE_WIN_ACCESSES_MAX,
	ORACLE_WIN_RESET,
	ORACLE_NR_WINDOW_QUERIES
};

#define ORACLE_ARG_OP_SHIFT	32
#define ORACLE_ARG_ORIGIN_SHIFT	40
#define ORACLE_ARG_WHEN_SHIFT	48
#define ORACLE_ARG_SKIP_SHIFT	48
#define ORACLE_ARG_REFUSE_SHIFT	56
#define ORACLE_ARG_GAP_SHIFT	32
#define ORACLE_ARG_FIELD	0xffU

/*
 * Argument of ORACLE_ACCESSES.
 * @msr: register, or ORACLE_ALL_MSRS
 * @op: ORACLE_RD, ORACLE_WR or ORACLE_RDPMC
 * @origin: ORACLE_ORIGIN_*
 * @when: ORACLE_OUTSIDE_PMI, ORACLE_INSIDE_PMI or ORACLE_ANY_TIME
 */
static inline uint64_t oracle_accesses_arg(uint32_t msr, unsigned int op, unsigned int origin,
					   unsigned int when)
{
	return msr | (uint64_t)op << ORACLE_ARG_OP_SHIFT |
	       (uint64_t)origin << ORACLE_ARG_ORIGIN_SHIFT |
	       (uint64_t)when << ORACLE_ARG_WHEN_SHIFT;
}

/*
 * Argument of ORACLE_FAULT_ACCESS.
 * @msr: register
 * @op: ORACLE_RD or ORACLE_WR
 * @origin: ORACLE_ORIGIN_*
 * @skip: accesses of that kind that come before, up to ORACLE_ARG_FIELD
 * @refuse: those that are refused then, up to ORACLE_ARG_FIELD; 0: none any more
 */
static inline uint64_t oracle_fault_access_arg(uint32_t msr, unsigned int op, unsigned int origin,
					       unsigned int skip, unsigned int refuse)
{
	return msr | (uint64_t)op << ORACLE_ARG_OP_SHIFT |
	       (uint64_t)origin << ORACLE_ARG_ORIGIN_SHIFT |
	       (uint64_t)skip << ORACLE_ARG_SKIP_SHIFT |
	       (uint64_t)refuse << ORACLE_ARG_REFUSE_SHIFT;
}

/*
 * Ask the model CPU.
 * @cpu: a number, ORACLE_THIS_CPU or ORACLE_ALL_CPUS
 * @value: the answer; not written if there is none
 *
 * Return: true if the model answered.
 */
static inline bool oracle_ask(enum oracle_query query, unsigned int cpu, uint64_t arg,
			      uint64_t *value)
{
	uint32_t eax = ORACLE_LEAF, ebx = (uint32_t)arg, edx = (uint32_t)(arg >> 32);
	uint32_t ecx = (uint32_t)query | cpu << ORACLE_CPU_SHIFT;

	__asm__ volatile("cpuid"
			 : "+a" (eax), "+b" (ebx), "+c" (ecx), "+d" (edx) : : "memory");
	if (eax != ORACLE_OK)
		return false;
	*value = ebx | (uint64_t)ecx << 32;
	return true;
}

/*
 * Ask the model CPU a query that it is known to answer.
 * @cpu: a number, ORACLE_THIS_CPU or ORACLE_ALL_CPUS
 *
 * Return: the value, or all ones if there was no answer.
 */
static inline uint64_t oracle_get(enum oracle_query query, unsigned int cpu, uint64_t arg)
{
	uint64_t value = ~(uint64_t)0;

	oracle_ask(query, cpu, arg, &value);
	return value;
}

/* Check that this is the model CPU, with the version of this header. */
static inline bool oracle_present(void)
{
	return oracle_get(ORACLE_VERSION, ORACLE_THIS_CPU, 0) == ORACLE_ABI;
}

/* Write a mark line with all totals to the log; @tag identifies it. */
static inline void oracle_mark(uint32_t tag)
{
	oracle_get(ORACLE_MARK, ORACLE_THIS_CPU, tag);
}

/*
 * Count the accesses of the code from @start up to @end separately.
 *
 * The task must not migrate to another CPU: pin it or disable preemption.
 *
 * Return: false if the range is empty or the table is full.
 */
static inline bool oracle_add_range(uint64_t start, uint64_t end)
{
	uint64_t value;

	return oracle_ask(ORACLE_RANGE_START, ORACLE_THIS_CPU, start, &value) &&
	       oracle_ask(ORACLE_RANGE_END, ORACLE_THIS_CPU, end, &value);
}

/*
 * Number of PMU accesses.
 * @cpu: a number, ORACLE_THIS_CPU or ORACLE_ALL_CPUS
 * @msr: register, or ORACLE_ALL_MSRS
 * @op: ORACLE_RD, ORACLE_WR or ORACLE_RDPMC
 * @origin: ORACLE_ORIGIN_*
 * @when: ORACLE_OUTSIDE_PMI, ORACLE_INSIDE_PMI or ORACLE_ANY_TIME
 */
static inline uint64_t oracle_accesses(unsigned int cpu, uint32_t msr, unsigned int op,
				       unsigned int origin, unsigned int when)
{
	return oracle_get(ORACLE_ACCESSES, cpu, oracle_accesses_arg(msr, op, origin, when));
}

/*
 * Occurrences of a kind since the start.
 * @cpu: a number, ORACLE_THIS_CPU or ORACLE_ALL_CPUS
 * @kind: ORACLE_EV_*
 * @kernel: at kernel level rather than user level
 */
static inline uint64_t oracle_events(unsigned int cpu, unsigned int kind, bool kernel)
{
	return oracle_get(ORACLE_EVENTS, cpu,
			  kind | (uint64_t)kernel << ORACLE_EV_LEVEL_SHIFT);
}

#endif /* MODEL_ORACLE_H */
