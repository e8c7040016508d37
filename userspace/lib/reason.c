// SPDX-License-Identifier: LGPL-2.1-or-later
/* The module's reason codes as messages: what was asked, why it is refused, what to do. */
#include "reason.h"
#include "reason_caller.h"
#include "reason_taken.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "../../kmod/regs.h"

#define CNTRS_LEN	160
#define REGISTER_LEN	64
#define VALUE_LEN	(REASON_HOLDER_LEN + sizeof(" (0x0123456789abcdef, )"))

/* "general-purpose 0-3, fixed 0" */
static const char *cntr_words(__u64 cntrs, char *buf, size_t size)
{
	static const char *const kinds[] = { "general-purpose", "fixed" };
	const char *before = "";
	size_t len = 0;
	unsigned int k, i;

	snprintf(buf, size, "none");
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		__u32 mask = cntrs >> (k * ACRPMU_FIXED_BASE);
		const char *sep = " ";

		if (!mask || len >= size)
			continue;
		len += snprintf(buf + len, size - len, "%s%s", before, kinds[k]);
		for (i = 0; i < ACRPMU_FIXED_BASE && len < size; i++) {
			if (!(mask & BIT_ULL(i)))
				continue;
			len += snprintf(buf + len, size - len, "%s%u", sep, i);
			sep = ",";
		}
		before = "; ";
	}
	return buf;
}

/* "OFFCORE_RSP_0 (MSR 0x1a6)" */
static const char *register_words(__u64 msr, char *buf, size_t size)
{
	static const struct {
		__u64 msr;
		const char *name;
	} names[] = {
		{ MSR_OFFCORE_RSP_0, "OFFCORE_RSP_0" },
		{ MSR_OFFCORE_RSP_1, "OFFCORE_RSP_1" },
		{ MSR_OMR_0, "OMR_0" },
		{ MSR_OMR_1, "OMR_1" },
		{ MSR_OMR_2, "OMR_2" },
		{ MSR_OMR_3, "OMR_3" },
		{ MSR_SNOOP_RSP_0, "SNOOP_RSP_0" },
		{ MSR_SNOOP_RSP_1, "SNOOP_RSP_1" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].msr == msr) {
			snprintf(buf, size, "%s (MSR 0x%llx)", names[i].name, (ull)msr);
			return buf;
		}
	}
	snprintf(buf, size, "MSR 0x%llx", (ull)msr);
	return buf;
}

/* ---- the struct --------------------------------------------------------------------------- */

static void explain_cgroup(const struct refusal *c, const char *code)
{
	TEXT(c, code, "descriptor %lld is not a directory of the cgroup v2 hierarchy",
	     (long long)c->error->value);
	HINT(c, "open the directory of a cgroup where cgroup2 is mounted, such as below "
	     "/sys/fs/cgroup");
}

static void explain_attach(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the session counts on CPUs, so that task %llu cannot be added to it",
	     (ull)c->error->value);
	HINT(c, "create a session of tasks (ACRPMU_SESSION_TASK) and attach to that");
}

static void explain_program(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the module does not take the request as it was made (value 0x%llx, limit "
	     "0x%llx)", (ull)c->error->value, (ull)c->error->limit);
	HINT(c, "program and module do not fit together: install both from one version");
}

static void explain_nr_events(const struct refusal *c, const char *code)
{
	TEXT(c, code, "a group of %llu events is too large: at most %llu", (ull)c->error->value,
	     (ull)c->error->limit);
	HINT(c, "split it into several groups");
}

/* ---- the target --------------------------------------------------------------------------- */

static void explain_target(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the task and CPUs given do not fit together");
	HINT(c, "give either a task or CPUs");
}

static void explain_cpu_offline(const struct refusal *c, const char *code)
{
	TEXT(c, code, "CPU %d is not online, or was not since the session was made", c->error->cpu);
	HINT(c, "see /sys/devices/system/cpu/online, and make the session anew");
}

static void explain_cpu_empty(const struct refusal *c, const char *code)
{
	TEXT(c, code, "no CPU is named");
	HINT(c, "give a list of CPUs, or a task");
}

static void explain_task(const struct refusal *c, const char *code)
{
	TEXT(c, code, "there is no task %llu, or it is ending", (ull)c->error->value);
	HINT(c, "see the tasks that exist with 'ps -eL'");
}

static void explain_inherit(const struct refusal *c, const char *code)
{
	TEXT(c, code, "following new tasks and starting at exec need a task");
	HINT(c, "give a task or a command instead of CPUs");
}

static void explain_cpu_mixed(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the CPUs are of several kinds; CPU %d differs from the first",
	     c->error->cpu);
	HINT(c, "name CPUs of one kind; 'acrctl info' lists them");
}

static void explain_extra_hidden(const struct refusal *c, const char *code)
{
	char buf[REGISTER_LEN];

	TEXT(c, code, "%s, an extra register that '%s' could use%s, does not answer: a hypervisor "
	     "hides it", register_words(c->error->limit, buf, sizeof(buf)), c->name.text, c->where);
	HINT(c, "measure outside of the virtual machine, or leave the event out");
}

/* ---- rings -------------------------------------------------------------------------------- */

static void explain_sample_type(const struct refusal *c, const char *code)
{
	TEXT(c, code, "samples cannot have the fields 0x%llx, or lack some", (ull)c->error->value);
	HINT(c, "fields possible: 0x%llx; none when nothing is sampled, and an identifier when "
	     "several events are", (ull)c->error->limit);
}

static void explain_ring_pages(const struct refusal *c, const char *code)
{
	TEXT(c, code, "a ring of %llu pages is not possible", (ull)c->error->value);
	HINT(c, "give a power of 2, at most %llu; none when nothing is sampled",
	     (ull)c->error->limit);
}

static void explain_ring_locked(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the rings need %llu pages of memory, and %llu may be locked",
	     (ull)c->error->value, (ull)c->error->limit);
	HINT(c, "take smaller rings or fewer CPUs, raise the limit (ulimit -l), or run it as root");
}

static void explain_wakeup(const struct refusal *c, const char *code)
{
	TEXT(c, code, "waking after %llu bytes is beyond the ring of %llu", (ull)c->error->value,
	     (ull)c->error->limit);
	HINT(c, "give fewer bytes, or a larger ring");
}

static void explain_max_stack(const struct refusal *c, const char *code)
{
	if (c->error->limit)
		TEXT(c, code, "call chains of %llu frames are too long: the most are %llu",
		     (ull)c->error->value, (ull)c->error->limit);
	else
		TEXT(c, code, "%llu frames, but samples have no call chains", (ull)c->error->value);
	HINT(c, "give fewer frames, and PERF_SAMPLE_CALLCHAIN in sample_type");
}

static void explain_jitter(const struct refusal *c, const char *code)
{
	if (!c->error->limit) {
		TEXT(c, code, "a random part of %llu %% has no period to vary: no event is sampled",
		     (ull)c->error->value);
		HINT(c, "set it to 0, or sample an event");
		return;
	}
	TEXT(c, code, "a random part of %llu %% is too wide for the periods: the most is %llu %%",
	     (ull)c->error->value, (ull)c->error->limit);
	HINT(c, "give fewer per cent");
}

static void explain_no_chain(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the flags 0x%llx leave nothing of the call chains%s",
	     (ull)c->error->value, c->error->limit ? ": no sampled event has kernel level" : "");
	HINT(c, "exclude one part at most, with PERF_SAMPLE_CALLCHAIN in sample_type");
}

/* ---- an event ----------------------------------------------------------------------------- */

static void explain_config(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' has bits 0x%llx that no event%s has", c->name.text,
	     (ull)c->error->value, *c->where ? c->where : " of this CPU");
	HINT(c, "bits possible: 0x%llx; umask2 and eq exist from version 6 on",
	     (ull)c->error->limit);
}

static void explain_no_level(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' counts at neither user nor kernel level", c->name.text);
	HINT(c, "add the modifier u, k or both");
}

static void explain_period_zero(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' has no period", c->name.text);
	HINT(c, "give period=N, at least %llu", (ull)c->error->limit);
}

static void explain_period_small(const struct refusal *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' is too small: the smallest allowed is %llu",
	     (ull)c->error->value, c->name.text, (ull)c->error->limit);
	HINT(c, "use period=%llu or more", (ull)c->error->limit);
}

static void explain_period_cause(const struct refusal *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' is too small: it restarts events in software, which "
	     "takes an interrupt, and the smallest allowed is %llu", (ull)c->error->value,
	     c->name.text, (ull)c->error->limit);
	HINT(c, "use period=%llu or more, or a CPU with auto counter reload",
	     (ull)c->error->limit);
}

static void explain_period_reload(const struct refusal *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' is too long for a counter that is reloaded",
	     (ull)c->error->value, c->name.text);
	HINT(c, "use at most period=%llu, or no acr_mask", (ull)c->error->limit);
}

static void explain_period_large(const struct refusal *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' is too long for the counter", (ull)c->error->value,
	     c->name.text);
	HINT(c, "use at most period=%llu", (ull)c->error->limit);
}

static void explain_period_count(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' only counts, so it can have neither period nor mask nor be a cause",
	     c->name.text);
	HINT(c, "give it a period, or take its bit out of every acr_mask");
}

static void explain_mask_outside(const struct refusal *c, const char *code)
{
	TEXT(c, code, "bits 0x%llx of the acr_mask of '%s' name no event of the group",
	     (ull)c->error->value, c->name.text);
	HINT(c, "the group has %llu events; bit 0 stands for the first", (ull)c->error->limit);
}

static void explain_self_sampled(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' is to be sampled but reloads itself, which raises no interrupt",
	     c->name.text);
	HINT(c, "take its own bit out of its acr_mask 0x%llx", (ull)c->error->value);
}

static void explain_id(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the id of '%s' is 0 or that of another event", c->name.text);
	HINT(c, "give each event of the group an id of its own");
}

/* ---- abilities of the CPU ----------------------------------------------------------------- */

static void explain_no_pmu(const struct refusal *c, const char *code)
{
	TEXT(c, code, "there is no PMU%s", *c->where ? c->where : " in this CPU");
	HINT(c, "in a virtual machine ask the host to pass the PMU through (QEMU: -cpu host,"
	     "pmu=on); otherwise check the firmware settings");
}

static void explain_no_acr(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' has a mask, but the CPU%s has no auto counter reload", c->name.text,
	     c->where);
	HINT(c, "let software restart the events (--acr=software), or use a CPU that has it "
	     "(Clearwater Forest, E-cores from Lunar Lake on)");
}

static void explain_no_reloadable(const struct refusal *c, const char *code)
{
	char cntrs[CNTRS_LEN];

	TEXT(c, code, "no counter that can be reloaded can count '%s'%s", c->name.text, c->where);
	HINT(c, "reloadable counters: %s; choose another event, or leave out its acr_mask",
	     cntr_words(c->error->limit, cntrs, sizeof(cntrs)));
}

static void explain_no_cause(const struct refusal *c, const char *code)
{
	char cntrs[CNTRS_LEN];

	TEXT(c, code, "no counter that can reload others can count '%s'%s", c->name.text, c->where);
	HINT(c, "such counters: %s; choose another event, or take it out of every acr_mask",
	     cntr_words(c->error->limit, cntrs, sizeof(cntrs)));
}

static void explain_event_cpu(const struct refusal *c, const char *code)
{
	TEXT(c, code, "no counter can count '%s'%s", c->name.text,
	     *c->where ? c->where : " on this CPU");
	HINT(c, "choose another event; 'acrctl info' lists the counters");
}

static void explain_unknown_cntrs(const struct refusal *c, const char *code)
{
	TEXT(c, code, "which counters can count '%s' is not known: %s is not in the CPU table, and "
	     "the event not architectural", c->name.text, *c->where ? c->where + strlen(" on ") :
	     "the CPU");
	HINT(c, "give them as counters=MASK, from the field Counter of Intel's event files, or the "
	     "files with --events");
}

static void explain_allowed_cntrs(const struct refusal *c, const char *code)
{
	char allowed[CNTRS_LEN], able[CNTRS_LEN];

	if (c->errnum == -EINVAL) {
		TEXT(c, code, "bits 0x%llx of the counters allowed for '%s' stand for no counter",
		     (ull)c->error->value, c->name.text);
		HINT(c, "general-purpose counter n is bit n, fixed counter n bit 32 + n; bits "
		     "possible: 0x%llx", (ull)c->error->limit);
		return;
	}
	if (!c->error->value) {
		explain_unknown_cntrs(c, code);
		return;
	}
	TEXT(c, code, "none of the counters allowed for '%s' can count it%s: %s", c->name.text,
	     c->where, cntr_words(c->error->value, allowed, sizeof(allowed)));
	HINT(c, "counters that can: %s; allow some of these, or leave counters= out",
	     cntr_words(c->error->limit, able, sizeof(able)));
}

static void explain_extra_none(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' has no extra register for the value 0x%llx", c->name.text,
	     (ull)c->error->value);
	HINT(c, "leave out config1=, offcore_rsp= and the like, or use an event that has one");
}

static void explain_extra_bits(const struct refusal *c, const char *code)
{
	TEXT(c, code, "bits 0x%llx of the extra register value of '%s' do not exist",
	     (ull)c->error->value, c->name.text);
	HINT(c, "bits possible: 0x%llx", (ull)c->error->limit);
}

static void explain_extra_latency(const struct refusal *c, const char *code)
{
	TEXT(c, code, "'%s' counts outstanding requests (0x%llx), which says nothing without all "
	     "responses to the same requests", c->name.text, (ull)c->error->value);
	HINT(c, "give it no bits but requests, and put OFFCORE_RSP_1 with 0x%llx and the same "
	     "levels into its group; neither may have edge, inv or cmask", (ull)c->error->limit);
}

/* ---- what others hold --------------------------------------------------------------------- */

static void explain_extra_busy(const struct refusal *c, const char *code)
{
	char buf[REGISTER_LEN], value[VALUE_LEN] = "";
	const char *reg = register_words(c->error->limit, buf, sizeof(buf));

	if (c->errnum == -ENOSPC) {
		TEXT(c, code, "the group asks for more values than the core has extra registers: "
		     "none is left for that of '%s' beside 0x%llx in %s", c->name.text,
		     (ull)c->error->value, reg);
		HINT(c, "%s, or use equal values", c->split);
		return;
	}
	/* the module does not show the value to a caller without CAP_PERFMON */
	if (c->error->value)
		snprintf(value, sizeof(value), " (0x%llx%s%s)", (ull)c->error->value,
			 *c->holder ? ", " : "", c->holder);
	TEXT(c, code, "%s, an extra register that '%s' could use%s, holds another value%s", reg,
	     c->name.text, c->where, value);
	HINT(c, c->by ? "use equal values, fewer such events, or record the groups one after "
	     "another" : "use equal values, fewer such events, or wait for the other session");
}

static void explain_no_assignment(const struct refusal *c, const char *code)
{
	char cntrs[CNTRS_LEN];

	TEXT(c, code, "each event fits alone but not all together: none is left for '%s' of %s",
	     c->name.text, cntr_words(c->error->value, cntrs, sizeof(cntrs)));
	HINT(c, "%s", c->split);
}

/* The module's own counter; its holder has no pid. */
static bool is_claim(const struct refusal *c)
{
	return !c->error->holder_pid &&
	       !strncmp(c->error->holder, "acrpmu", ACRPMU_COMM_LEN);
}

static void explain_held(const struct refusal *c, const char *code)
{
	char buf[CNTRS_LEN];
	const char *cntrs = cntr_words(c->error->value, buf, sizeof(buf));

	if (c->by) {
		TEXT(c, code, "counters that the group needs are taken by %s: %s", c->by, cntrs);
		HINT(c, "leave events out, or record the groups one after another");
	} else if (is_claim(c)) {
		TEXT(c, code, "a counter that the group needs%s is held by the claim that keeps "
		     "in-tree perf off: %s", c->where, cntrs);
		HINT(c, "leave one event out: on this kernel and CPU the claim costs one "
		     "general-purpose counter of each CPU");
	} else {
		TEXT(c, code, "counters that the group needs are held by another session%s%s%s: %s",
		     c->where, *c->holder ? ", " : "", c->holder, cntrs);
		HINT(c, "end that session, or use other CPUs");
	}
}

static int is_watchdog(const struct refusal *c)
{
	return !strncmp(c->error->holder, "nmi_watchdog", ACRPMU_COMM_LEN);
}

static void hint_release(const struct refusal *c)
{
	if (is_watchdog(c))
		HINT(c, "add --pause-watchdog, or run 'sysctl kernel.nmi_watchdog=0'");
	else
		HINT(c, "end running perf programs; if there is none it is the NMI watchdog: add "
		     "--pause-watchdog, or run 'sysctl kernel.nmi_watchdog=0'");
}

static void explain_in_use(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the PMU%s is in use by %s", c->where,
	     *c->holder ? c->holder : "the kernel's perf or another driver");
	hint_release(c);
}

static void explain_claim(const struct refusal *c, const char *code)
{
	if (!c->error->value) {
		explain_in_use(c, code);
		return;
	}
	TEXT(c, code, "in-tree perf refuses the event that would keep it off the PMU%s: %s",
	     c->where, strerror(c->error->value));
	HINT(c, "if a security module forbids it, allow perf events in its policy; the kernel log "
	     "may have the reason");
}

static void explain_guest_pmu(const struct refusal *c, const char *code)
{
	TEXT(c, code, "a virtual machine has all counters%s while it runs (mediated vPMU)",
	     c->where);
	HINT(c, "end such virtual machines, start them without a PMU (qemu: -cpu ...,pmu=off), or "
	     "load kvm_intel with enable_mediated_pmu=0");
}

static void explain_vpmu_event(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the kernel counts for a task%s, as KVM does for a guest that uses "
	     "counters%s%s", c->where, *c->holder ? ": " : "", c->holder);
	HINT(c, "end the profiling in that virtual machine, or its NMI watchdog, or start it "
	     "without a PMU (qemu: -cpu ...,pmu=off)");
}

static void explain_suspend(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the system is going to sleep, where counters are lost");
	HINT(c, "try again when it is awake");
}

static void explain_cpu_stuck(const struct refusal *c, const char *code)
{
	TEXT(c, code, "CPU %d has run nothing but a real-time task for %llu ms, and has to run a "
	     "kernel thread first", c->error->cpu, c->error->value);
	HINT(c, "leave that CPU out, or let the task sleep now and then (see 'chrt -p' for its "
	     "priority, and kernel.sched_rt_runtime_us)");
}

static void explain_targets(const struct refusal *c, const char *code)
{
	TEXT(c, code, "this session has %llu targets already, which is the limit",
	     c->error->limit);
	HINT(c, "create another session");
}

static void explain_shutdown(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the system is going down");
	HINT(c, "try again after the restart");
}

/* ---- all reasons -------------------------------------------------------------------------- */

static const struct reason reasons[] = {
	[ACRPMU_REASON_PERM] = { "permission", reason_perm, TERM_EVENT },
	[ACRPMU_REASON_LOCKDOWN] = { "lockdown", reason_lockdown, TERM_EVENT },
	[ACRPMU_REASON_SIZE] = { "struct-size", explain_program, TERM_EVENT },
	[ACRPMU_REASON_FLAGS] = { "flags", explain_program, TERM_EVENT },
	[ACRPMU_REASON_RESERVED] = { "reserved", explain_program, TERM_EVENT },
	[ACRPMU_REASON_NR_EVENTS] = { "too-many-events", explain_nr_events, TERM_EVENT },
	[ACRPMU_REASON_TARGET] = { "target", explain_target, TERM_EVENT },
	[ACRPMU_REASON_CPU_OFFLINE] = { "cpu-offline", explain_cpu_offline, TERM_EVENT },
	[ACRPMU_REASON_CPU_EMPTY] = { "no-cpu", explain_cpu_empty, TERM_EVENT },
	[ACRPMU_REASON_TASK] = { "no-task", explain_task, TERM_EVENT },
	[ACRPMU_REASON_SAMPLE_TYPE] = { "sample-type", explain_sample_type, TERM_EVENT },
	[ACRPMU_REASON_RING_PAGES] = { "ring-pages", explain_ring_pages, TERM_EVENT },
	[ACRPMU_REASON_WAKEUP] = { "wakeup", explain_wakeup, TERM_EVENT },
	[ACRPMU_REASON_CONFIG] = { "config-bits", explain_config, TERM_EVENT },
	[ACRPMU_REASON_NO_LEVEL] = { "no-level", explain_no_level, TERM_EVENT },
	[ACRPMU_REASON_PERIOD_ZERO] = { "no-period", explain_period_zero, TERM_PERIOD },
	[ACRPMU_REASON_PERIOD_SMALL] = { "period-small", explain_period_small, TERM_PERIOD },
	[ACRPMU_REASON_PERIOD_RELOAD] = { "period-reload", explain_period_reload, TERM_PERIOD },
	[ACRPMU_REASON_PERIOD_LARGE] = { "period-large", explain_period_large, TERM_PERIOD },
	[ACRPMU_REASON_PERIOD_COUNT] = { "period-count", explain_period_count, TERM_PERIOD },
	[ACRPMU_REASON_MASK_OUTSIDE] = { "mask-outside", explain_mask_outside, TERM_MASK },
	[ACRPMU_REASON_SELF_SAMPLED] = { "self-sampled", explain_self_sampled, TERM_MASK },
	[ACRPMU_REASON_NO_PMU] = { "no-pmu", explain_no_pmu, TERM_EVENT },
	[ACRPMU_REASON_NO_ACR] = { "no-acr", explain_no_acr, TERM_MASK },
	[ACRPMU_REASON_NO_RELOADABLE] = { "no-reloadable", explain_no_reloadable, TERM_MASK },
	[ACRPMU_REASON_NO_CAUSE] = { "no-cause", explain_no_cause, TERM_EVENT },
	[ACRPMU_REASON_EVENT_CPU] = { "event-cpu", explain_event_cpu, TERM_EVENT },
	[ACRPMU_REASON_EXTRA_NONE] = { "no-extra-register", explain_extra_none, TERM_EXTRA },
	[ACRPMU_REASON_EXTRA_BITS] = { "extra-register-bits", explain_extra_bits, TERM_EXTRA },
	[ACRPMU_REASON_EXTRA_BUSY] = { "extra-register-busy", explain_extra_busy, TERM_EXTRA },
	[ACRPMU_REASON_NO_ASSIGNMENT] = { "no-assignment", explain_no_assignment, TERM_EVENT },
	[ACRPMU_REASON_HELD] = { "counters-held", explain_held, TERM_EVENT },
	[ACRPMU_REASON_PMU_IN_USE] = { "pmu-in-use", explain_in_use, TERM_EVENT },
	[ACRPMU_REASON_PMU_RESERVED] = { "pmu-reserved", explain_in_use, TERM_EVENT },
	[ACRPMU_REASON_CLAIM] = { "claim", explain_claim, TERM_EVENT },
	[ACRPMU_REASON_ID] = { "id", explain_id, TERM_EVENT },
	[ACRPMU_REASON_INHERIT] = { "inherit", explain_inherit, TERM_EVENT },
	[ACRPMU_REASON_CPU_MIXED] = { "cpu-mixed", explain_cpu_mixed, TERM_EVENT },
	[ACRPMU_REASON_EXTRA_HIDDEN] = { "extra-hidden", explain_extra_hidden, TERM_EXTRA },
	[ACRPMU_REASON_EXTRA_LATENCY] = { "extra-latency", explain_extra_latency, TERM_EXTRA },
	[ACRPMU_REASON_RING_LOCKED] = { "ring-locked", explain_ring_locked, TERM_EVENT },
	[ACRPMU_REASON_SUSPEND] = { "suspend", explain_suspend, TERM_EVENT },
	[ACRPMU_REASON_CPU_STUCK] = { "cpu-stuck", explain_cpu_stuck, TERM_EVENT },
	[ACRPMU_REASON_SESSIONS] = { "sessions", reason_sessions, TERM_EVENT },
	[ACRPMU_REASON_SHUTDOWN] = { "shutdown", explain_shutdown, TERM_EVENT },
	[ACRPMU_REASON_ALLOWED_CNTRS] = { "counters-allowed", explain_allowed_cntrs, TERM_CNTRS },
	[ACRPMU_REASON_GUEST_PMU] = { "guest-pmu", explain_guest_pmu, TERM_EVENT },
	[ACRPMU_REASON_VPMU_EVENT] = { "vpmu-event", explain_vpmu_event, TERM_EVENT },
	[ACRPMU_REASON_KERNEL_LEVEL] = { "kernel-level", reason_kernel_level, TERM_EVENT },
	[ACRPMU_REASON_PERIOD_CAUSE] = { "period-cause", explain_period_cause, TERM_PERIOD },
	[ACRPMU_REASON_NR_PERIODS] = { "nr-periods", explain_program, TERM_EVENT },
	[ACRPMU_REASON_MAX_STACK] = { "max-stack", explain_max_stack, TERM_EVENT },
	[ACRPMU_REASON_NO_CHAIN] = { "no-chain", explain_no_chain, TERM_EVENT },
	[ACRPMU_REASON_ATTACH] = { "attach-cpus", explain_attach },
	[ACRPMU_REASON_CGROUP] = { "no-cgroup", explain_cgroup },
	[ACRPMU_REASON_OWN_TASKS] = { "own-tasks", reason_own_tasks, TERM_EVENT },
	[ACRPMU_REASON_OWN_LEVEL] = { "own-level", reason_own_level, TERM_EVENT },
	[ACRPMU_REASON_OWN_USER] = { "own-user", reason_own_user, TERM_EVENT },
	[ACRPMU_REASON_OWN_NAMESPACE] = { "own-namespace", reason_own_namespace, TERM_EVENT },
	[ACRPMU_REASON_OWN_DUMPABLE] = { "own-dumpable", reason_own_dumpable, TERM_EVENT },
	[ACRPMU_REASON_TARGETS] = { "targets", explain_targets },
	[ACRPMU_REASON_PINNED] = { "pinned", reason_pinned, TERM_EVENT },
	[ACRPMU_REASON_JITTER] = { "jitter", explain_jitter, TERM_EVENT },
	[ACRPMU_REASON_PARANOID] = { "paranoid", reason_paranoid, TERM_EVENT },
	[ACRPMU_REASON_WHOLE_CPU] = { "whole-cpu", reason_whole_cpu, TERM_EVENT },
	[ACRPMU_REASON_CLAIM_LOST] = { "claim-lost", reason_claim_lost, TERM_EVENT },
	[ACRPMU_REASON_REGISTER] = { "register", reason_register, TERM_EVENT },
};

const struct reason *acrpmu_reason_find(__u32 code)
{
	return code < ARRAY_SIZE(reasons) && reasons[code].code ? &reasons[code] : NULL;
}
