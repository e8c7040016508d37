// SPDX-License-Identifier: GPL-2.0-only
/* Warnings about what was not sampled, after sampling_sessions_read(). */
#include "sampling.h"

#include <stdio.h>

#include "../../util/util.h"

static __u64 longest_missed_ns(const struct sampling *sm, const struct kind *kind)
{
	__u64 longest_ns = 0;
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++) {
		const struct sampling_session *s = &sm->sessions[i];
		__u64 ns = sampling_sessions_missed_ns(s);

		if ((!kind || s->kind == kind) && ns > longest_ns)
			longest_ns = ns;
	}
	return longest_ns;
}

/* Older modules do not know for how long a session of CPUs lacked one. */
static void warn_lost_cpus(const struct sampling *sm, bool lost)
{
	__u64 missed_ns = sm->target.nr_tids ? 0 : longest_missed_ns(sm, NULL);

	if (missed_ns)
		TARGET_SAY(&sm->target,
			   "warning: CPUs were offline or taken away for %.6f s in all%s; samples of that time are missing",
			   (double)missed_ns / NSEC_PER_SEC, lost ? ", and one still is" : "");
	else if (lost)
		TARGET_SAY(&sm->target,
			   "warning: some CPU went offline or was taken away; its samples are missing");
	if (kinds_miss_cpu(&sm->kinds, sm->device, &sm->target))
		TARGET_SAY(&sm->target,
			   "warning: some CPU came online that was offline in the beginning; its samples are missing");
}

/**
 * sampling_warn() - print which samples or names may be missing
 * @hidden_kernel: the kernel hides its addresses
 */
void sampling_warn(const struct sampling *sm, bool hidden_kernel)
{
	__u64 inherit_failed = 0, state = 0;
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++) {
		inherit_failed += sm->sessions[i].stats.inherit_failed;
		state |= sm->sessions[i].stats.state;
	}
	if (inherit_failed)
		TARGET_SAY(&sm->target,
			   "warning: %llu new tasks could not be followed for lack of memory",
			   inherit_failed);
	if (state & ACRPMU_STATE_PRIVILEGED_EXEC)
		TARGET_SAY(&sm->target,
			   "warning: a set-uid or otherwise privileged program was executed; it was not sampled, nor what it started; to see it, %s all CPUs with -a",
			   sm->target.text->verb);
	if (sampling_sessions_taken(sm))
		TARGET_SAY(&sm->target,
			   "warning: samples of the last second before a CPU was taken may be the other's");
	warn_lost_cpus(sm, state & ACRPMU_STATE_CPU_LOST);
	if (sm->sideband.counts.lost)
		TARGET_SAY(&sm->target,
			   "warning: %llu records about tasks and maps were lost; some names may be missing",
			   sm->sideband.counts.lost);
	if (hidden_kernel)
		TARGET_SAY(&sm->target,
			   "the kernel hides its addresses (kptr_restrict): kernel symbols will be missing; run as root with kernel.kptr_restrict=0 or 1");
}

/**
 * sampling_warn_missed() - print the time of tasks on CPUs that are of other kinds or not given
 *
 * Groups of a kind share it.
 */
void sampling_warn_missed(const struct sampling *sm)
{
	unsigned int k;

	for (k = 0; sm->target.nr_tids && k < sm->kinds.nr; k++) {
		const struct kind *kind = &sm->kinds.list[k];
		__u64 missed_ns = longest_missed_ns(sm, kind);

		if (missed_ns)
			TARGET_SAY(&sm->target,
				   "%s: tasks also ran for %.6f s on other CPUs, which its groups do not sample",
				   kind->pmu, (double)missed_ns / NSEC_PER_SEC);
	}
}
