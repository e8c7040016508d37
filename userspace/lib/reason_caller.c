// SPDX-License-Identifier: LGPL-2.1-or-later
/* Refusals because of who asks, as messages: what was asked, why it is refused, what to do. */
#include "reason_caller.h"

#define AS_ROOT	"run it as root, or let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION"

/**
 * reason_perm() - explain ACRPMU_REASON_PERM
 */
void reason_perm(const struct refusal *c, const char *code)
{
	TEXT(c, code, "the caller may not use hardware counters");
	HINT(c, AS_ROOT);
}

/**
 * reason_lockdown() - explain ACRPMU_REASON_LOCKDOWN
 */
void reason_lockdown(const struct refusal *c, const char *code)
{
	TEXT(c, code, "kernel lockdown forbids counting kernel level for '%s'", c->name.text);
	HINT(c, "count user level only: add the modifier u");
}

/**
 * reason_sessions() - explain ACRPMU_REASON_SESSIONS
 */
void reason_sessions(const struct refusal *c, const char *code)
{
	TEXT(c, code, "this user has %llu sessions already, which is the limit",
	     (ull)c->error->limit);
	HINT(c, "close some, or let root raise max_sessions, and for users without CAP_PERFMON "
	     "max_unprivileged_sessions, in /sys/module/acrpmu/parameters");
}

/**
 * reason_kernel_level() - explain ACRPMU_REASON_KERNEL_LEVEL
 */
void reason_kernel_level(const struct refusal *c, const char *code)
{
	TEXT(c, code, "this system forbids the caller to count kernel level for '%s'",
	     c->name.text);
	HINT(c, "count user level only: add the modifier u; or allow perf_event { kernel } in the "
	     "policy of the security module (SELinux, BPF)");
}

/**
 * reason_own_tasks() - explain ACRPMU_REASON_OWN_TASKS
 */
void reason_own_tasks(const struct refusal *c, const char *code)
{
	if (c->error->cpu < 0) {
		TEXT(c, code, "users without CAP_PERFMON may observe their own tasks only, not "
		     "what else runs on a CPU");
		HINT(c, "give a program or a process of yours; or " AS_ROOT);
		return;
	}
	TEXT(c, code, "the task may not run on CPU %d, and without CAP_PERFMON only CPUs on which "
	     "it may run can be reserved", c->error->cpu);
	HINT(c, "leave that CPU out, or give no CPUs");
}

/**
 * reason_own_level() - explain ACRPMU_REASON_OWN_LEVEL
 */
void reason_own_level(const struct refusal *c, const char *code)
{
	TEXT(c, code, "users without CAP_PERFMON may count user level only, and '%s' counts the "
	     "kernel, too", c->name.text);
	HINT(c, "add the modifier u; or " AS_ROOT);
}

/**
 * reason_own_user() - explain ACRPMU_REASON_OWN_USER
 */
void reason_own_user(const struct refusal *c, const char *code)
{
	TEXT(c, code, "task %llu is not the caller's own: its real, effective and saved user and "
	     "group ids must all be those of the caller, and it must have no capability that the "
	     "caller lacks", (ull)c->error->value);
	HINT(c, "choose a task of yours; or " AS_ROOT);
}

/**
 * reason_own_namespace() - explain ACRPMU_REASON_OWN_NAMESPACE
 */
void reason_own_namespace(const struct refusal *c, const char *code)
{
	TEXT(c, code, "task %llu is in another user namespace than the caller",
	     (ull)c->error->value);
	HINT(c, "observe it from inside its container; or " AS_ROOT);
}

/**
 * reason_own_dumpable() - explain ACRPMU_REASON_OWN_DUMPABLE
 */
void reason_own_dumpable(const struct refusal *c, const char *code)
{
	TEXT(c, code, "task %llu is protected, as its user may not dump it: it changed its ids, "
	     "its program is privileged or not readable, or it asked for that",
	     (ull)c->error->value);
	HINT(c, "a program of yours may ask with prctl(PR_SET_DUMPABLE, 1) to be observed; or "
	     AS_ROOT);
}

/**
 * reason_paranoid() - explain ACRPMU_REASON_PARANOID
 */
void reason_paranoid(const struct refusal *c, const char *code)
{
	TEXT(c, code, "kernel.perf_event_paranoid is %lld, which forbids users without "
	     "CAP_PERFMON to observe even their own tasks", (long long)c->error->value);
	HINT(c, "let root set it to %llu (sysctl kernel.perf_event_paranoid=%llu); or " AS_ROOT,
	     (ull)c->error->limit, (ull)c->error->limit);
}

/**
 * reason_whole_cpu() - explain ACRPMU_REASON_WHOLE_CPU
 */
void reason_whole_cpu(const struct refusal *c, const char *code)
{
	TEXT(c, code, "this system forbids the caller to observe whole CPUs, a permission that "
	     "users without CAP_PERFMON need for their own tasks, too");
	HINT(c, "allow perf_event { cpu } in the policy of the security module (SELinux, BPF), "
	     "and to users without CAP_PERFMON the capability perfmon as well; or, with "
	     "CAP_PERFMON, observe tasks only");
}
