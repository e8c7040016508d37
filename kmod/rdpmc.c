// SPDX-License-Identifier: GPL-2.0-only
/* Zeroing what sessions leave in counters before a program may read it with RDPMC. */
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <asm/special_insns.h>

#include "session.h"
#include "pmu.h"
#include "rdpmc.h"

/*
 * A counter keeps its value when a followed task leaves the CPU.  In-tree perf calls one function
 * whenever a CPU may run code that can use RDPMC from then on, to zero what its own events have
 * left: at a switch to an address space that may, and on each CPU that runs one which has just got
 * the permission.  No kernel has a callback for that, and any other moment is wrong: a task may
 * get the permission while it runs.  So this function is hooked with ftrace, by its name.
 *
 * Where that is not possible, the hook is found not to work, or link-time optimisation may have
 * inlined the function, every stop zeroes the counters.  That costs a write for each counter, and
 * another one when its task returns.
 */
#define HOOKED	"perf_clear_dirty_counters"

/* Counters need not be zeroed when they are stopped. */
bool acrpmu_rdpmc_hooked __read_mostly;

/* The hook has run on this CPU since acrpmu_rdpmc_begin_check(). */
static DEFINE_PER_CPU(bool, called);

#if defined(CONFIG_DYNAMIC_FTRACE) && !defined(CONFIG_LTO)

/* Interrupts are off, since the function that follows needs that, too. */
static void notrace zero_here(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *regs)
{
	this_cpu_write(called, true);
	acrpmu_pmu_zero_left(acrpmu_pmu_here());
}

/* Without RCU, the idle task is entering idle, and the next program brings another switch. */
static struct ftrace_ops hook = {
	.func = zero_here,
	.flags = FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_RCU,
};

static bool set_hook(void)
{
	unsigned char name[] = HOOKED;

	if (ftrace_set_filter(&hook, name, strlen(HOOKED), true))
		return false;
	if (!register_ftrace_function(&hook))
		return true;
	ftrace_free_filter(&hook);
	return false;
}

static void remove_hook(void)
{
	unregister_ftrace_function(&hook);
	ftrace_free_filter(&hook);
}

#else

static bool set_hook(void)
{
	return false;
}

static void remove_hook(void)
{
}

#endif

static bool is_set;		/* the hook; constant after load */

static void stop_trusting(const char *why)
{
	WRITE_ONCE(acrpmu_rdpmc_hooked, false);
	pr_warn_once("%s: counters are zeroed whenever their task leaves a CPU, which makes switches slower\n",
		     why);
}

/**
 * acrpmu_rdpmc_begin_check() - expect that this CPU switches to an address space that may use RDPMC
 *
 * Context: a kernel thread bound to this CPU.
 */
void acrpmu_rdpmc_begin_check(void)
{
	raw_cpu_write(called, false);
}

/**
 * acrpmu_rdpmc_end_check() - check that the hook was called if this address space may use RDPMC now
 *
 * Context: as acrpmu_rdpmc_begin_check().
 */
void acrpmu_rdpmc_end_check(void)
{
	if (native_read_cr4() & X86_CR4_PCE && !raw_cpu_read(called) && acrpmu_rdpmc_hooked)
		stop_trusting("in-tree perf does not call " HOOKED "()");
}

/**
 * acrpmu_rdpmc_init() - set the hook
 *
 * Context: process, may sleep, at load.
 */
void acrpmu_rdpmc_init(void)
{
	is_set = set_hook();
	acrpmu_rdpmc_hooked = is_set;
	if (!is_set)
		stop_trusting("ftrace cannot hook " HOOKED "()");
}

/**
 * acrpmu_rdpmc_exit() - undo acrpmu_rdpmc_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_rdpmc_exit(void)
{
	if (is_set)
		remove_hook();
}
