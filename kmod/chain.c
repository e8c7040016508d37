// SPDX-License-Identifier: GPL-2.0-only
/* Call chains of samples: by the kernel's unwinder, and by the frame pointers of programs. */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/segment.h>
#include <asm/unwind.h>

#include "session.h"
#include "chain.h"
#include "ctx.h"

/* see chain.h */
struct acrpmu_scratch __percpu *acrpmu_scratch;

/**
 * acrpmu_chain_init() - allocate the memory in which samples are made
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_chain_init(void)
{
	acrpmu_scratch = alloc_percpu(struct acrpmu_scratch);
	return acrpmu_scratch ? 0 : -ENOMEM;
}

/**
 * acrpmu_chain_exit() - undo acrpmu_chain_init()
 *
 * Context: process; the PMI handler does not run any more.
 */
void acrpmu_chain_exit(void)
{
	free_percpu(acrpmu_scratch);
}

static void add_kernel(struct acrpmu_chain *chain, struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long addr;

	acrpmu_chain_mark(chain, PERF_CONTEXT_KERNEL);
	if (!acrpmu_chain_add(chain, regs->ip))
		return;
	unwind_start(&state, current, regs, NULL);
	for (; !unwind_done(&state); unwind_next_frame(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr || !acrpmu_chain_add(chain, addr))
			return;
	}
}

NOKPROBE_SYMBOL(add_kernel);

/* The only access to user memory in an NMI: it checks the address, and a fault ends it. */
static bool read_user(void *to, u64 from, u32 size)
{
	return !copy_from_user_nmi(to, (const void __user *)(unsigned long)from, size);
}

NOKPROBE_SYMBOL(read_user);

static void add_user(struct acrpmu_chain *chain, struct pt_regs *regs)
{
	acrpmu_chain_mark(chain, PERF_CONTEXT_USER);
	if (!acrpmu_chain_add(chain, regs->ip))
		return;
	if (user_64bit_mode(regs))
		acrpmu_chain_follow(chain, regs->bp, sizeof(u64), read_user);
	/* other segments may have a base, of which nothing is known here */
	else if (regs->cs == __USER32_CS && regs->ss == __USER_DS)
		acrpmu_chain_follow(chain, (u32)regs->bp, sizeof(u32), read_user);
}

NOKPROBE_SYMBOL(add_user);

/*
 * Where user code left off; NULL for a task that has none.  During a switch the context of the next
 * task counts already, while the stack is still that of the previous one.
 */
static struct pt_regs *user_regs(const struct acrpmu_ctx *ctx, struct pt_regs *regs)
{
	if (ctx->task && ctx->task != current)
		return NULL;
	if (!current->mm || current->flags & (PF_KTHREAD | COMPAT_PF_USER_WORKER))
		return NULL;
	if (!user_mode(regs))
		regs = task_pt_regs(current);
	return user_mode(regs) ? regs : NULL;
}

NOKPROBE_SYMBOL(user_regs);

/**
 * acrpmu_chain_fill() - find the call chain of a sample
 * @scratch: of this CPU; the chain is filled in
 * @ctx: what counts, on this CPU
 * @ev: the event that has overflowed; one of user level gets no frames of the kernel
 * @regs: what was interrupted; if that is a guest, there is no chain
 *
 * Context: NMI.  Bounded by ACRPMU_MAX_STACK.
 * Return: entries of the chain.
 */
u32 acrpmu_chain_fill(struct acrpmu_scratch *scratch, const struct acrpmu_ctx *ctx,
		      const struct acrpmu_ev *ev, struct pt_regs *regs)
{
	const struct acrpmu_group *group = &ctx->session->group;
	struct acrpmu_chain chain = {
		.entries = scratch->chain,
		.max_frames = group->max_stack,
	};
	struct pt_regs *user = user_regs(ctx, regs);

	if (acrpmu_chain_in_guest())
		return 0;
	if (!user_mode(regs) && ev->flags & ACRPMU_EVENT_KERNEL &&
	    !(group->flags & ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL))
		add_kernel(&chain, regs);
	if (user && !(group->flags & ACRPMU_SESSION_EXCLUDE_CHAIN_USER))
		add_user(&chain, user);
	return chain.nr;
}

NOKPROBE_SYMBOL(acrpmu_chain_fill);
