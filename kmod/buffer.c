// SPDX-License-Identifier: GPL-2.0-only
/* One CPU's part of a session: its ring, its accounts and the wakeup of who reads them. */
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "buffer.h"
#include "session.h"
#include "main.h"

/* The NMI can queue only this; what it asked for is done here, on the part's CPU. */
static void wake_here(struct irq_work *work)
{
	struct acrpmu_part *part = container_of(work, struct acrpmu_part, wake);

	if (READ_ONCE(part->paused))
		hrtimer_start(&part->resume, ns_to_ktime(TICK_NSEC), HRTIMER_MODE_REL_PINNED_HARD);
	wake_up_all(&part->session->wait);
}

static enum hrtimer_restart resume_here(struct hrtimer *timer)
{
	struct acrpmu_part *part = container_of(timer, struct acrpmu_part, resume);

	/* A CPU that went offline has handed its timers to another; its part is stopped. */
	if (part == this_cpu_ptr(part->session->parts))
		acrpmu_pmu_unpause(part);
	return HRTIMER_NORESTART;
}

/**
 * acrpmu_buffer_init() - prepare a session's part on one CPU
 * @part: zeroed
 * @session: the session, with its group checked
 *
 * Every possible CPU has one: a task may end on a CPU that is none of the session's.
 *
 * Context: any.
 */
void acrpmu_buffer_init(struct acrpmu_part *part, struct acrpmu_session *session)
{
	part->session = session;
	init_irq_work(&part->wake, wake_here);
	compat_hrtimer_setup(&part->resume, resume_here, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * acrpmu_buffer_alloc() - give a part its ring, if anything is sampled
 * @part: the part
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_buffer_alloc(struct acrpmu_part *part)
{
	u64 data_size = (u64)part->session->group.ring_pages << PAGE_SHIFT;

	if (!data_size)
		return 0;
	part->mem = vmalloc_user(PAGE_SIZE + data_size);
	if (!part->mem)
		return -ENOMEM;
	acrpmu_ring_init(&part->ring, part->mem, part->mem + PAGE_SIZE, PAGE_SIZE, data_size);
	return 0;
}

/**
 * acrpmu_buffer_uninit() - undo acrpmu_buffer_init()
 * @part: the part; its counters are stopped and no NMI can reach it any more
 *
 * Context: process, may sleep.
 */
void acrpmu_buffer_uninit(struct acrpmu_part *part)
{
	irq_work_sync(&part->wake);
	hrtimer_cancel(&part->resume);
	vfree(part->mem);
	part->mem = NULL;
}

/**
 * acrpmu_buffer_mmap() - map a ring
 * @part: whose
 * @vma: shared, of exactly one page and the data pages
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for another length, a private mapping, or when nothing is sampled.
 */
int acrpmu_buffer_mmap(struct acrpmu_part *part, struct vm_area_struct *vma)
{
	unsigned long pages = 1UL + part->session->group.ring_pages;

	if (!part->mem || !(vma->vm_flags & VM_SHARED) || vma_pages(vma) != pages)
		return -EINVAL;
	/* A child that inherited the mapping would keep alive what everybody has closed. */
	compat_vm_flags_set(vma, VM_DONTCOPY);
	return remap_vmalloc_range(vma, part->mem, 0);
}

/**
 * acrpmu_buffer_unread() - bytes that wait for the reader
 * @part: a part
 *
 * Context: any.
 * Return: the bytes; 0 when nothing is sampled.
 */
u64 acrpmu_buffer_unread(const struct acrpmu_part *part)
{
	return part->mem ? acrpmu_ring_unread(&part->ring) : 0;
}

/**
 * acrpmu_buffer_wake() - wake who polls the session, and see to a pause
 * @part: the part of this CPU
 *
 * Context: any, NMI included; on the part's CPU.
 */
void acrpmu_buffer_wake(struct acrpmu_part *part)
{
	irq_work_queue(&part->wake);
}

NOKPROBE_SYMBOL(acrpmu_buffer_wake);

/**
 * acrpmu_buffer_flush_lost() - tell the reader of lost overflows when there is room again
 * @part: the part of this CPU
 * @rec: the values of its sample_id
 *
 * Context: NMI, or process with interrupts off, on the part's CPU.
 */
void acrpmu_buffer_flush_lost(struct acrpmu_part *part, const struct acrpmu_record *rec)
{
	u64 lost = acrpmu_ring_pending(&part->ring);
	struct acrpmu_record none = *rec;
	u64 buf[ACRPMU_RECORD_WORDS];
	u32 size;

	if (!lost)
		return;
	none.misc = 0;
	size = acrpmu_record_lost(buf, part->session->group.sample_type, &none, lost);
	acrpmu_ring_write_lost(&part->ring, buf, size, lost);
}

NOKPROBE_SYMBOL(acrpmu_buffer_flush_lost);

/**
 * acrpmu_buffer_notify() - wake the pollers when enough is unread
 * @part: the part of this CPU, after a record
 *
 * Context: NMI, on the part's CPU.
 */
void acrpmu_buffer_notify(struct acrpmu_part *part)
{
	u64 head = part->ring.head, enough = part->session->wake_bytes;

	/* A slow reader is reminded now and then, not at each record. */
	if (acrpmu_ring_unread(&part->ring) < enough || head - part->wake_head < enough / 4)
		return;
	part->wake_head = head;
	acrpmu_buffer_wake(part);
}

NOKPROBE_SYMBOL(acrpmu_buffer_notify);

/**
 * acrpmu_buffer_look() - keep the accounts as they are, for a reader
 * @part: the part of this CPU, its counters stopped and drained
 *
 * Context: interrupts off, on the part's CPU; acrpmu_lock held by whoever asked for it.
 */
void acrpmu_buffer_look(struct acrpmu_part *part)
{
	part->seen = part->accounts;
	part->seen.lost = acrpmu_ring_lost(&part->ring);
}

/**
 * acrpmu_buffer_throttle() - count an overflow against the sample rate
 * @part: the part of this CPU
 *
 * The window is a tick: the clock that costs nothing to read.
 *
 * Context: NMI, on the part's CPU.
 * Return: whether it is beyond the rate.
 */
bool acrpmu_buffer_throttle(struct acrpmu_part *part)
{
	unsigned long now = READ_ONCE(jiffies);

	if (part->tick != now) {
		part->tick = now;
		part->tick_overflows = 0;
	}
	return ++part->tick_overflows > acrpmu_max_per_tick;
}

NOKPROBE_SYMBOL(acrpmu_buffer_throttle);
