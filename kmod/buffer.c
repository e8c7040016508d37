// SPDX-License-Identifier: GPL-2.0-only
/* A session on one CPU: its ring, its accounts and the wakeup of who reads them. */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "buffer.h"
#include "session.h"

/* An NMI must not wake anyone, but may queue this. */
static void wake_pollers(struct irq_work *work)
{
	struct acrpmu_session_cpu *scpu = container_of(work, struct acrpmu_session_cpu, wake);

	wake_up_all(&scpu->session->wait);
}

/**
 * acrpmu_buffer_init() - prepare wakeups on one CPU
 *
 * Context: process.
 */
void acrpmu_buffer_init(struct acrpmu_session_cpu *scpu)
{
	init_irq_work(&scpu->wake, wake_pollers);
}

/**
 * acrpmu_buffer_alloc() - allocate the ring of a session on one CPU, if anything is sampled
 * @scpu: the session on that CPU
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_buffer_alloc(struct acrpmu_session_cpu *scpu)
{
	u64 data_size = (u64)scpu->session->group.ring_pages << PAGE_SHIFT;

	if (!data_size)
		return 0;
	scpu->mem = vmalloc_user(PAGE_SIZE + data_size);
	if (!scpu->mem)
		return -ENOMEM;
	acrpmu_ring_init(&scpu->ring, scpu->mem, scpu->mem + PAGE_SIZE, PAGE_SIZE, data_size);
	return 0;
}

/**
 * acrpmu_buffer_uninit() - undo acrpmu_buffer_init()
 * @scpu: the session on that CPU; its counters are stopped and no NMI can reach it any more
 *
 * Context: process, may sleep.
 */
void acrpmu_buffer_uninit(struct acrpmu_session_cpu *scpu)
{
	irq_work_sync(&scpu->wake);
	vfree(scpu->mem);
	scpu->mem = NULL;
}

/**
 * acrpmu_buffer_mmap() - map a ring
 * @scpu: whose
 * @vma: shared, of exactly one page and the data pages
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for another length, a private mapping, or when nothing is sampled.
 */
int acrpmu_buffer_mmap(struct acrpmu_session_cpu *scpu, struct vm_area_struct *vma)
{
	unsigned long pages = 1UL + scpu->session->group.ring_pages;

	if (!scpu->mem || !(vma->vm_flags & VM_SHARED) || vma_pages(vma) != pages)
		return -EINVAL;
	/* A child that inherited the mapping would keep alive what everybody has closed. */
	compat_vm_flags_set(vma, VM_DONTCOPY);
	return remap_vmalloc_range(vma, scpu->mem, 0);
}

/**
 * acrpmu_buffer_unread() - bytes that wait for the reader
 * @scpu: a session on one CPU
 *
 * Context: any.
 * Return: the bytes; 0 when nothing is sampled.
 */
u64 acrpmu_buffer_unread(const struct acrpmu_session_cpu *scpu)
{
	return scpu->mem ? acrpmu_ring_unread(&scpu->ring) : 0;
}

/**
 * acrpmu_buffer_wake() - wake who polls the session, and see to a pause
 * @scpu: the session on this CPU
 *
 * Context: any, NMI included; on that CPU.
 */
void acrpmu_buffer_wake(struct acrpmu_session_cpu *scpu)
{
	irq_work_queue(&scpu->wake);
}

NOKPROBE_SYMBOL(acrpmu_buffer_wake);

/**
 * acrpmu_buffer_flush_lost() - tell the reader of lost overflows when there is room again
 * @scpu: the session on this CPU
 * @rec: the values of its sample_id
 *
 * Context: NMI, or process with interrupts off, on that CPU.
 */
void acrpmu_buffer_flush_lost(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec)
{
	u64 lost = acrpmu_ring_pending(&scpu->ring);
	struct acrpmu_record none = *rec;
	u64 buf[ACRPMU_RECORD_WORDS];
	u32 size;

	if (!lost)
		return;
	none.misc = 0;
	size = acrpmu_record_lost(buf, scpu->session->group.sample_type, &none, lost);
	acrpmu_ring_write_lost(&scpu->ring, buf, size, lost);
}

NOKPROBE_SYMBOL(acrpmu_buffer_flush_lost);

/**
 * acrpmu_buffer_notify() - wake the pollers when enough is unread
 * @scpu: the session on this CPU, after a record
 *
 * Context: NMI, on that CPU.
 */
void acrpmu_buffer_notify(struct acrpmu_session_cpu *scpu)
{
	u64 head = scpu->ring.head, enough = scpu->session->wake_bytes;

	/* A slow reader is reminded now and then, not at each record. */
	if (acrpmu_ring_unread(&scpu->ring) < enough || head - scpu->wake_head < enough / 4)
		return;
	scpu->wake_head = head;
	acrpmu_buffer_wake(scpu);
}

NOKPROBE_SYMBOL(acrpmu_buffer_notify);
