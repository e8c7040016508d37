// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reason codes and errnos in words: what was asked, why it cannot be, what to do. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "../../kmod/regs.h"
#include "error.h"
#include "../util/message.h"
#include "spec.h"

#define WHERE_LEN	32
#define HOLDER_LEN	(MESSAGE_WORD_LEN + sizeof(", ") + WHERE_LEN)
#define CNTRS_LEN	160
#define REGISTER_LEN	64

/* A refusal being put into words. */
struct context {
	const struct acrpmu_error *error;
	int errnum;				/* negative */
	const struct acrpmu_spec_event *ev;	/* NULL: none in particular */
	struct message_word name;		/* of ev, or "the group" */
	char where[WHERE_LEN];			/* " on CPU 3", or empty */
	char holder[HOLDER_LEN];		/* "perf, pid 7", or empty */
	const char *by;				/* who holds what is held; NULL: a session */
	struct acrpmu_message *message;
};

typedef unsigned long long ull;

/* Words of a reason: fill in text and hint. */
typedef void (*words_fn)(const struct context *c, const char *code);

#define TEXT(c, code, ...)	acrpmu_message_text((c)->message, code, __VA_ARGS__)
#define HINT(c, ...)		acrpmu_message_hint((c)->message, __VA_ARGS__)

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

/* ---- the caller and its struct ------------------------------------------------------------ */

static void words_perm(const struct context *c, const char *code)
{
	TEXT(c, code, "the caller may not use hardware counters");
	HINT(c, "run it as root or give it the capability CAP_PERFMON (setcap cap_perfmon+ep)");
}

static void words_lockdown(const struct context *c, const char *code)
{
	TEXT(c, code, "kernel lockdown forbids counting kernel level for '%s'", c->name.text);
	HINT(c, "count user level only: add the modifier u");
}

static void words_program(const struct context *c, const char *code)
{
	TEXT(c, code, "the module does not take the request as it was made (value 0x%llx, limit "
	     "0x%llx)", (ull)c->error->value, (ull)c->error->limit);
	HINT(c, "program and module do not fit together: install both from one version");
}

static void words_nr_events(const struct context *c, const char *code)
{
	TEXT(c, code, "a group of %llu events is too large: at most %llu", (ull)c->error->value,
	     (ull)c->error->limit);
	HINT(c, "split it into several groups");
}

/* ---- the target --------------------------------------------------------------------------- */

static void words_target(const struct context *c, const char *code)
{
	TEXT(c, code, "the task and CPUs given do not fit together");
	HINT(c, "give either a task or CPUs");
}

static void words_cpu_offline(const struct context *c, const char *code)
{
	TEXT(c, code, "CPU %d is not online, or was not since the session was made", c->error->cpu);
	HINT(c, "see /sys/devices/system/cpu/online, and make the session anew");
}

static void words_cpu_empty(const struct context *c, const char *code)
{
	TEXT(c, code, "no CPU is named");
	HINT(c, "give a list of CPUs, or a task");
}

static void words_task(const struct context *c, const char *code)
{
	TEXT(c, code, "there is no task %llu, or it is ending", (ull)c->error->value);
	HINT(c, "see the tasks that exist with 'ps -eL'");
}

static void words_inherit(const struct context *c, const char *code)
{
	TEXT(c, code, "following new tasks and starting at exec need a task");
	HINT(c, "give a task or a command instead of CPUs");
}

static void words_cpu_mixed(const struct context *c, const char *code)
{
	TEXT(c, code, "the CPUs are of several types; CPU %d differs from the first",
	     c->error->cpu);
	HINT(c, "name CPUs of one type; 'acrctl info' lists them");
}

static void words_extra_hidden(const struct context *c, const char *code)
{
	char buf[REGISTER_LEN];

	TEXT(c, code, "%s, an extra register that '%s' could use%s, does not answer: a hypervisor "
	     "hides it", register_words(c->error->limit, buf, sizeof(buf)), c->name.text, c->where);
	HINT(c, "measure outside of the virtual machine, or leave the event out");
}

/* ---- rings -------------------------------------------------------------------------------- */

static void words_sample_type(const struct context *c, const char *code)
{
	TEXT(c, code, "samples cannot have the fields 0x%llx, or lack some", (ull)c->error->value);
	HINT(c, "fields possible: 0x%llx; none when nothing is sampled, and an identifier when "
	     "several events are", (ull)c->error->limit);
}

static void words_ring_pages(const struct context *c, const char *code)
{
	TEXT(c, code, "a ring of %llu pages is not possible", (ull)c->error->value);
	HINT(c, "give a power of 2, at most %llu; none when nothing is sampled",
	     (ull)c->error->limit);
}

static void words_ring_locked(const struct context *c, const char *code)
{
	TEXT(c, code, "the rings need %llu pages of memory, and %llu may be locked",
	     (ull)c->error->value, (ull)c->error->limit);
	HINT(c, "take smaller rings or fewer CPUs, raise the limit (ulimit -l), or run it as root");
}

static void words_wakeup(const struct context *c, const char *code)
{
	TEXT(c, code, "waking after %llu bytes is beyond the ring of %llu", (ull)c->error->value,
	     (ull)c->error->limit);
	HINT(c, "give fewer bytes, or a larger ring");
}

/* ---- an event ----------------------------------------------------------------------------- */

static void words_config(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' has bits 0x%llx that no event%s has", c->name.text,
	     (ull)c->error->value, *c->where ? c->where : " of this CPU");
	HINT(c, "bits possible: 0x%llx; umask2 and eq exist from version 6 on",
	     (ull)c->error->limit);
}

static void words_no_level(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' counts at neither user nor kernel level", c->name.text);
	HINT(c, "add the modifier u, k or both");
}

static void words_period_zero(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' has no period", c->name.text);
	HINT(c, "give period=N, at least %llu", (ull)c->error->limit);
}

static void words_period_small(const struct context *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' is too small: the smallest allowed is %llu",
	     (ull)c->error->value, c->name.text, (ull)c->error->limit);
	HINT(c, "use period=%llu or more", (ull)c->error->limit);
}

static void words_period_reload(const struct context *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' does not fit the 32-bit reload field",
	     (ull)c->error->value, c->name.text);
	HINT(c, "use at most period=%llu, or no acr_mask", (ull)c->error->limit);
}

static void words_period_large(const struct context *c, const char *code)
{
	TEXT(c, code, "period %llu for '%s' is too long for the counter", (ull)c->error->value,
	     c->name.text);
	HINT(c, "use at most period=%llu", (ull)c->error->limit);
}

static void words_period_count(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' only counts, so it can have neither period nor mask nor be a cause",
	     c->name.text);
	HINT(c, "give it a period, or take its bit out of every acr_mask");
}

static void words_mask_outside(const struct context *c, const char *code)
{
	TEXT(c, code, "bits 0x%llx of the acr_mask of '%s' name no event of the group",
	     (ull)c->error->value, c->name.text);
	HINT(c, "the group has %llu events; bit 0 stands for the first", (ull)c->error->limit);
}

static void words_self_sampled(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' is to be sampled but reloads itself, which raises no interrupt",
	     c->name.text);
	HINT(c, "take its own bit out of its acr_mask 0x%llx", (ull)c->error->value);
}

static void words_id(const struct context *c, const char *code)
{
	TEXT(c, code, "the id of '%s' is 0 or that of another event", c->name.text);
	HINT(c, "give each event of the group an id of its own");
}

/* ---- abilities of the CPU ----------------------------------------------------------------- */

static void words_no_pmu(const struct context *c, const char *code)
{
	TEXT(c, code, "there is no PMU%s", *c->where ? c->where : " in this CPU");
	HINT(c, "in a virtual machine ask the host to pass the PMU through (QEMU: -cpu host,"
	     "pmu=on); otherwise check the firmware settings");
}

static void words_no_acr(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' has a mask, but the CPU%s has no auto counter reload", c->name.text,
	     c->where);
	HINT(c, "leave out acr_mask and ratio-to-prev, or use a CPU that has it "
	     "(Clearwater Forest, E-cores from Lunar Lake on)");
}

static void words_no_reloadable(const struct context *c, const char *code)
{
	char cntrs[CNTRS_LEN];

	TEXT(c, code, "no counter that can be reloaded can count '%s'%s", c->name.text, c->where);
	HINT(c, "reloadable counters: %s; choose another event, or leave out its acr_mask",
	     cntr_words(c->error->limit, cntrs, sizeof(cntrs)));
}

static void words_no_cause(const struct context *c, const char *code)
{
	char cntrs[CNTRS_LEN];

	TEXT(c, code, "no counter that can reload others can count '%s'%s", c->name.text, c->where);
	HINT(c, "such counters: %s; choose another event, or take it out of every acr_mask",
	     cntr_words(c->error->limit, cntrs, sizeof(cntrs)));
}

static void words_event_cpu(const struct context *c, const char *code)
{
	TEXT(c, code, "no counter can count '%s'%s", c->name.text,
	     *c->where ? c->where : " on this CPU");
	HINT(c, "choose another event; 'acrctl info' lists the counters");
}

static void words_extra_none(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' has no extra register for the value 0x%llx", c->name.text,
	     (ull)c->error->value);
	HINT(c, "leave out config1= and offcore_rsp=, or use an offcore response event");
}

static void words_extra_bits(const struct context *c, const char *code)
{
	TEXT(c, code, "bits 0x%llx of the extra register value of '%s' do not exist",
	     (ull)c->error->value, c->name.text);
	HINT(c, "bits possible: 0x%llx", (ull)c->error->limit);
}

static void words_extra_latency(const struct context *c, const char *code)
{
	TEXT(c, code, "'%s' counts outstanding requests (0x%llx), which says nothing without all "
	     "responses to the same requests", c->name.text, (ull)c->error->value);
	HINT(c, "give it no bits but requests, and put OFFCORE_RSP_1 with 0x%llx and the same "
	     "levels into its group; neither may have edge, inv or cmask", (ull)c->error->limit);
}

/* ---- what others hold --------------------------------------------------------------------- */

static void words_extra_busy(const struct context *c, const char *code)
{
	char buf[REGISTER_LEN];
	const char *reg = register_words(c->error->limit, buf, sizeof(buf));

	if (c->errnum == -ENOSPC) {
		TEXT(c, code, "the group asks for more values than the core has extra registers: "
		     "none is left for that of '%s' beside 0x%llx in %s", c->name.text,
		     (ull)c->error->value, reg);
		HINT(c, "split the group, or use equal values");
		return;
	}
	TEXT(c, code, "%s, an extra register that '%s' could use%s, holds another value "
	     "(0x%llx%s%s)", reg, c->name.text, c->where, (ull)c->error->value,
	     *c->holder ? ", " : "", c->holder);
	HINT(c, c->by ? "use equal values, fewer such events, or record the groups one after "
	     "another" : "use equal values, fewer such events, or wait for the other session");
}

static void words_no_assignment(const struct context *c, const char *code)
{
	char cntrs[CNTRS_LEN];

	TEXT(c, code, "each event fits alone but not all together: none is left for '%s' of %s",
	     c->name.text, cntr_words(c->error->value, cntrs, sizeof(cntrs)));
	HINT(c, "leave an event out, or split the group");
}

/* The module's own counter, which no process has. */
static bool is_claim(const struct context *c)
{
	return !c->error->holder_pid &&
	       !strncmp(c->error->holder, "acrpmu", ACRPMU_COMM_LEN);
}

static void words_held(const struct context *c, const char *code)
{
	char buf[CNTRS_LEN];
	const char *cntrs = cntr_words(c->error->value, buf, sizeof(buf));

	if (c->by) {
		TEXT(c, code, "counters that the group needs are taken by %s: %s", c->by, cntrs);
		HINT(c, "leave events out, or record the groups one after another");
	} else if (is_claim(c)) {
		TEXT(c, code, "a counter that the group needs%s is held by the claim that keeps "
		     "in-tree perf off: %s", c->where, cntrs);
		HINT(c, "leave one event out: on kernels with version-6 registers the claim costs "
		     "one general-purpose counter of each CPU");
	} else {
		TEXT(c, code, "counters that the group needs are held by another session%s%s%s: %s",
		     c->where, *c->holder ? ", " : "", c->holder, cntrs);
		HINT(c, "end that session, or use other CPUs");
	}
}

static int is_watchdog(const struct context *c)
{
	return !strncmp(c->error->holder, "nmi_watchdog", ACRPMU_COMM_LEN);
}

static void hint_release(const struct context *c)
{
	if (is_watchdog(c))
		HINT(c, "add --pause-watchdog, or run 'sysctl kernel.nmi_watchdog=0'");
	else
		HINT(c, "end running perf programs; if there is none it is the NMI watchdog: add "
		     "--pause-watchdog, or run 'sysctl kernel.nmi_watchdog=0'");
}

static void words_in_use(const struct context *c, const char *code)
{
	TEXT(c, code, "the PMU%s is in use by %s", c->where,
	     *c->holder ? c->holder : "the kernel's perf or another driver");
	hint_release(c);
}

static void words_suspend(const struct context *c, const char *code)
{
	TEXT(c, code, "the system is going to sleep, where counters are lost");
	HINT(c, "try again when it is awake");
}

/* ---- all reasons -------------------------------------------------------------------------- */

/* Which part of an event a reason is about. */
enum part { PART_EVENT, PART_PERIOD, PART_MASK, PART_EXTRA };

static const struct {
	const char *code;
	words_fn words;
	enum part part;
} reasons[] = {
	[ACRPMU_REASON_PERM] = { "permission", words_perm, PART_EVENT },
	[ACRPMU_REASON_LOCKDOWN] = { "lockdown", words_lockdown, PART_EVENT },
	[ACRPMU_REASON_SIZE] = { "struct-size", words_program, PART_EVENT },
	[ACRPMU_REASON_FLAGS] = { "flags", words_program, PART_EVENT },
	[ACRPMU_REASON_RESERVED] = { "reserved", words_program, PART_EVENT },
	[ACRPMU_REASON_NR_EVENTS] = { "too-many-events", words_nr_events, PART_EVENT },
	[ACRPMU_REASON_TARGET] = { "target", words_target, PART_EVENT },
	[ACRPMU_REASON_CPU_OFFLINE] = { "cpu-offline", words_cpu_offline, PART_EVENT },
	[ACRPMU_REASON_CPU_EMPTY] = { "no-cpu", words_cpu_empty, PART_EVENT },
	[ACRPMU_REASON_TASK] = { "no-task", words_task, PART_EVENT },
	[ACRPMU_REASON_SAMPLE_TYPE] = { "sample-type", words_sample_type, PART_EVENT },
	[ACRPMU_REASON_RING_PAGES] = { "ring-pages", words_ring_pages, PART_EVENT },
	[ACRPMU_REASON_WAKEUP] = { "wakeup", words_wakeup, PART_EVENT },
	[ACRPMU_REASON_CONFIG] = { "config-bits", words_config, PART_EVENT },
	[ACRPMU_REASON_NO_LEVEL] = { "no-level", words_no_level, PART_EVENT },
	[ACRPMU_REASON_PERIOD_ZERO] = { "no-period", words_period_zero, PART_PERIOD },
	[ACRPMU_REASON_PERIOD_SMALL] = { "period-small", words_period_small, PART_PERIOD },
	[ACRPMU_REASON_PERIOD_RELOAD] = { "period-reload", words_period_reload, PART_PERIOD },
	[ACRPMU_REASON_PERIOD_LARGE] = { "period-large", words_period_large, PART_PERIOD },
	[ACRPMU_REASON_PERIOD_COUNT] = { "period-count", words_period_count, PART_PERIOD },
	[ACRPMU_REASON_MASK_OUTSIDE] = { "mask-outside", words_mask_outside, PART_MASK },
	[ACRPMU_REASON_SELF_SAMPLED] = { "self-sampled", words_self_sampled, PART_MASK },
	[ACRPMU_REASON_NO_PMU] = { "no-pmu", words_no_pmu, PART_EVENT },
	[ACRPMU_REASON_NO_ACR] = { "no-acr", words_no_acr, PART_MASK },
	[ACRPMU_REASON_NO_RELOADABLE] = { "no-reloadable", words_no_reloadable, PART_MASK },
	[ACRPMU_REASON_NO_CAUSE] = { "no-cause", words_no_cause, PART_EVENT },
	[ACRPMU_REASON_EVENT_CPU] = { "event-cpu", words_event_cpu, PART_EVENT },
	[ACRPMU_REASON_EXTRA_NONE] = { "no-extra-register", words_extra_none, PART_EXTRA },
	[ACRPMU_REASON_EXTRA_BITS] = { "extra-register-bits", words_extra_bits, PART_EXTRA },
	[ACRPMU_REASON_EXTRA_BUSY] = { "extra-register-busy", words_extra_busy, PART_EXTRA },
	[ACRPMU_REASON_NO_ASSIGNMENT] = { "no-assignment", words_no_assignment, PART_EVENT },
	[ACRPMU_REASON_HELD] = { "counters-held", words_held, PART_EVENT },
	[ACRPMU_REASON_PMU_IN_USE] = { "pmu-in-use", words_in_use, PART_EVENT },
	[ACRPMU_REASON_PMU_RESERVED] = { "pmu-reserved", words_in_use, PART_EVENT },
	[ACRPMU_REASON_CLAIM] = { "claim", words_in_use, PART_EVENT },
	[ACRPMU_REASON_ID] = { "id", words_id, PART_EVENT },
	[ACRPMU_REASON_INHERIT] = { "inherit", words_inherit, PART_EVENT },
	[ACRPMU_REASON_CPU_MIXED] = { "cpu-mixed", words_cpu_mixed, PART_EVENT },
	[ACRPMU_REASON_EXTRA_HIDDEN] = { "extra-hidden", words_extra_hidden, PART_EXTRA },
	[ACRPMU_REASON_EXTRA_LATENCY] = { "extra-latency", words_extra_latency, PART_EXTRA },
	[ACRPMU_REASON_RING_LOCKED] = { "ring-locked", words_ring_locked, PART_EVENT },
	[ACRPMU_REASON_SUSPEND] = { "suspend", words_suspend, PART_EVENT },
};

static unsigned int column_of(const struct acrpmu_spec_event *ev, enum part part)
{
	unsigned int column = 0;

	if (part == PART_PERIOD)
		column = ev->period_column;
	else if (part == PART_MASK)
		column = ev->mask_column;
	else if (part == PART_EXTRA)
		column = ev->extra_column;
	return column ? column : ev->column;
}

static void fill_context(struct context *c, const struct acrpmu_spec *spec, unsigned int group)
{
	const char *name = spec ? acrpmu_spec_text(spec, group) : NULL;
	struct message_word holder;
	char pid[WHERE_LEN] = "";

	c->ev = NULL;
	if (spec && c->error->event >= 0)
		c->ev = acrpmu_spec_event(spec, group, c->error->event);
	if (c->ev)
		name = c->ev->name;
	if (!name)
		name = "the group";
	c->name = acrpmu_message_word(name, strlen(name));
	*c->where = 0;
	if (c->error->cpu >= 0)
		snprintf(c->where, sizeof(c->where), " on CPU %d", c->error->cpu);
	if (c->error->holder_pid > 0)
		snprintf(pid, sizeof(pid), "pid %d", c->error->holder_pid);
	/* a task gives itself any name it likes */
	holder = acrpmu_message_word(c->error->holder, strnlen(c->error->holder, ACRPMU_COMM_LEN));
	snprintf(c->holder, sizeof(c->holder), "%s%s%s", holder.text,
		 *holder.text && *pid ? ", " : "", pid);
}

/* Refusals without a reason code. */
static void explain_errno(int errnum, struct acrpmu_message *message)
{
	switch (-errnum) {
	case EPERM:
	case EACCES:
		acrpmu_message_text(message, "permission", "the caller may not use hardware "
				    "counters");
		acrpmu_message_hint(message, "run it as root or give it the capability CAP_PERFMON "
				    "(setcap cap_perfmon+ep)");
		break;
	case ENOTTY:
	case E2BIG:
	case EFAULT:
		acrpmu_message_text(message, "abi", "the module does not know the request (%s)",
				    strerror(-errnum));
		acrpmu_message_hint(message, "program and module do not fit together: install both "
				    "from one version");
		break;
	case ENOMEM:
		acrpmu_message_text(message, "no-memory", "there is no memory left");
		acrpmu_message_hint(message, "use smaller rings or fewer CPUs");
		break;
	case EMFILE:
	case ENFILE:
		acrpmu_message_text(message, "files", "too many files are open");
		acrpmu_message_hint(message, "raise the limit with 'ulimit -n', or close some");
		break;
	case ESRCH:
		acrpmu_message_text(message, "no-task", "the task does not exist, or is ending");
		acrpmu_message_hint(message, "see the tasks that exist with 'ps -eL'");
		break;
	default:
		acrpmu_message_text(message, "errno", "the module refused: %s", strerror(-errnum));
		acrpmu_message_hint(message, "the kernel log may say more: dmesg");
		break;
	}
}

static void explain(struct context *c, const struct acrpmu_spec *spec, unsigned int group)
{
	const struct acrpmu_error *error = c->error;

	if (!error || !error->reason || error->reason >= ARRAY_SIZE(reasons)) {
		explain_errno(c->errnum, c->message);
		return;
	}
	fill_context(c, spec, group);
	reasons[error->reason].words(c, reasons[error->reason].code);
	if (c->ev) {
		c->message->string = c->ev->string;
		c->message->column = column_of(c->ev, reasons[error->reason].part);
	}
}

/**
 * acrpmu_explain() - put a refusal of the module into words
 * @errnum: the negative errno
 * @error: the module's reason, NULL if there is none
 * @spec: the groups as the user wrote them, NULL if unknown
 * @group: index of the group refused
 * @message: out
 */
void acrpmu_explain(int errnum, const struct acrpmu_error *error, const struct acrpmu_spec *spec,
		    unsigned int group, struct acrpmu_message *message)
{
	struct context c = { .error = error, .errnum = errnum, .message = message };

	if (message)
		explain(&c, spec, group);
}

void acrpmu_explain_placing(int errnum, const struct acrpmu_error *error, const char *by,
			    const struct acrpmu_spec *spec, unsigned int group,
			    struct acrpmu_message *message)
{
	struct context c = {
		.error = error, .errnum = errnum, .by = by, .message = message,
	};

	if (message)
		explain(&c, spec, group);
}

/**
 * acrpmu_explain_open() - put a failure to open the device into words
 * @errnum: the negative errno
 * @message: out
 */
void acrpmu_explain_open(int errnum, struct acrpmu_message *message)
{
	switch (-errnum) {
	case ENOENT:
		acrpmu_message_text(message, "no-module", "the module is not loaded: there is no "
				    ACRPMU_DEVICE);
		acrpmu_message_hint(message, "load it with 'insmod build/acrpmu.ko' or 'modprobe "
				    "acrpmu'; if that fails the kernel log says why");
		break;
	case ENXIO:
	case ENODEV:
		acrpmu_message_text(message, "no-module", ACRPMU_DEVICE " has no driver behind it");
		acrpmu_message_hint(message, "remove the node and load the module with 'modprobe "
				    "acrpmu'");
		break;
	case EPERM:
	case EACCES:
		acrpmu_message_text(message, "permission", "the caller may not open "
				    ACRPMU_DEVICE);
		acrpmu_message_hint(message, "run it as root, or give your group access to the "
				    "node and the program CAP_PERFMON");
		break;
	default:
		acrpmu_message_text(message, "open", ACRPMU_DEVICE " cannot be opened: %s",
				    strerror(-errnum));
		acrpmu_message_hint(message, "the kernel log may say more: dmesg");
		break;
	}
}
