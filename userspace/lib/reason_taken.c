// SPDX-License-Identifier: LGPL-2.1-or-later
/* How somebody else has taken a CPU from a session, or would, as messages. */
#include "reason_taken.h"

#include <stdio.h>

#include "../../kmod/regs.h"

#define LEGACY_CNTRS	8
#define VALUE_LEN	sizeof(" 0x0123456789abcdef")

void reason_pinned(const struct refusal *c, const char *code)
{
	TEXT(c, code, "a pinned event of %s would take the counters%s when it is enabled",
	     *c->holder ? c->holder : "the kernel's perf", c->where);
	HINT(c, "end that program, or let it open the event during the session");
}

void reason_claim_lost(const struct refusal *c, const char *code)
{
	TEXT(c, code, "%s took the counters%s from the session, and what was counted there is lost",
	     *c->holder ? c->holder : "the kernel's perf", c->where);
	HINT(c, "end that program before, and count again");
}

/* Of any CPU; those of version 6 lie four apart. */
static bool is_counter(__u64 msr)
{
	if (msr >= MSR_IA32_PMC_V6_GP0_CTR)
		return !((msr - MSR_IA32_PMC_V6_GP0_CTR) % MSR_IA32_PMC_V6_STEP);
	return (msr >= MSR_IA32_PMC0 && msr < MSR_IA32_PMC0 + LEGACY_CNTRS) ||
	       (msr >= MSR_ARCH_PERFMON_PERFCTR0 &&
		msr < MSR_ARCH_PERFMON_PERFCTR0 + LEGACY_CNTRS) ||
	       (msr >= MSR_ARCH_PERFMON_FIXED_CTR0 &&
		msr < MSR_ARCH_PERFMON_FIXED_CTR0 + FIXED_CTR_CTRL_MAX_CNTRS);
}

void reason_register(const struct refusal *c, const char *code)
{
	char value[VALUE_LEN] = "";

	/* A counter has counted on since. */
	if (c->error->value && !is_counter(c->error->limit))
		snprintf(value, sizeof(value), " 0x%llx", (ull)c->error->value);
	TEXT(c, code, "somebody else wrote%s to MSR 0x%llx%s, which the session held, and what was "
	     "counted there is lost", value, (ull)c->error->limit, c->where);
	HINT(c, "end what writes to counters past the kernel's perf, such as pcm, likwid, "
	     "wrmsr or another module, and count again");
}
