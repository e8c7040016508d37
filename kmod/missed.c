// SPDX-License-Identifier: GPL-2.0-only
/* The time that tasks run on CPUs which their session does not hold, and that it lacks CPUs. */
#include <linux/atomic.h>
#include <linux/timekeeping.h>

#include "ctx.h"
#include "missed.h"

/**
 * acrpmu_missed_begin() - note that a task runs where its session cannot count, or lacks its CPU
 *
 * Context: any but NMI, on the CPU that runs the task; for a CPU any, acrpmu_lock held.
 */
void acrpmu_missed_begin(struct acrpmu_ctx *ctx)
{
	if (!atomic64_read(&ctx->missed_since_ns))
		atomic64_set(&ctx->missed_since_ns, ktime_get_mono_fast_ns());
}

/**
 * acrpmu_missed_end() - undo acrpmu_missed_begin(), if that was called
 *
 * Context: any but NMI; may race with itself.
 */
void acrpmu_missed_end(struct acrpmu_ctx *ctx)
{
	u64 since_ns, now_ns;

	if (!atomic64_read(&ctx->missed_since_ns))
		return;
	since_ns = atomic64_xchg(&ctx->missed_since_ns, 0);
	now_ns = ktime_get_mono_fast_ns();
	/* This clock may differ a little from CPU to CPU. */
	if (since_ns && now_ns > since_ns)
		atomic64_add(now_ns - since_ns, &ctx->missed_ns);
}

/**
 * acrpmu_missed_ns() - get the time missed so far
 *
 * Context: any but NMI; a snapshot.
 */
u64 acrpmu_missed_ns(const struct acrpmu_ctx *ctx)
{
	u64 since_ns = atomic64_read(&ctx->missed_since_ns);
	u64 missed_ns = atomic64_read(&ctx->missed_ns), now_ns = ktime_get_mono_fast_ns();

	return since_ns && now_ns > since_ns ? missed_ns + now_ns - since_ns : missed_ns;
}
