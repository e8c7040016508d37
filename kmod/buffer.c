// SPDX-License-Identifier: GPL-2.0-only
/* The rings of a session: their memory, the records written to them, and waking their readers. */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched/clock.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "buffer.h"
#include "session.h"
#include "core/record.h"
#include "core/refuse.h"
#include "lost.h"
#include "registry.h"
#include "topic.h"

static void wake_later(struct work_struct *work)
{
	wake_up_all(&container_of(work, struct acrpmu_session, wake_later)->wait);
}

/*
 * An NMI must not wake anyone, but may queue this.  With PREEMPT_RT an interrupt must not either,
 * and a real-time task would hold off the thread that runs what is no hard irq_work.
 */
static void wake_pollers(struct irq_work *work)
{
	struct acrpmu_session *session = container_of(work, struct acrpmu_session, wake);

	acrpmu_lost_wake_here(session);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		queue_work(acrpmu_wq, &session->wake_later);
	else
		wake_up_all(&session->wait);
}

/**
 * acrpmu_buffer_begin() - prepare the wakeups of a new session
 *
 * Context: process.
 */
void acrpmu_buffer_begin(struct acrpmu_session *session)
{
	session->wake = IS_ENABLED(CONFIG_PREEMPT_RT) ? IRQ_WORK_INIT_HARD(wake_pollers) :
							IRQ_WORK_INIT(wake_pollers);
	INIT_WORK(&session->wake_later, wake_later);
	init_waitqueue_head(&session->wait);
}

/* A ring without room for two more records, one of them of losses, is full enough. */
static u32 wake_bytes(const struct acrpmu_group *group)
{
	u64 size = (u64)group->ring_pages << PAGE_SHIFT;
	bool chains = group->sample_type & PERF_SAMPLE_CALLCHAIN;
	u64 longest = (chains ? ACRPMU_SAMPLE_WORDS : ACRPMU_RECORD_WORDS) * sizeof(u64);
	u64 full = size - longest - ACRPMU_RECORD_WORDS * sizeof(u64);

	return size ? min_t(u64, group->wakeup_bytes, full) : 0;
}

/**
 * acrpmu_buffer_init() - charge the rings of a session to the caller
 *
 * The rings of all CPUs that the session may ever hold count as locked memory of the creator.
 *
 * Context: process, may sleep, without locks.
 * Return: 0; -ENOMEM with the reason in @err: it is the limit of locked memory.
 */
int acrpmu_buffer_init(struct acrpmu_session *session, struct acrpmu_error *err)
{
	u64 data_pages = session->group.ring_pages;
	u64 pages = data_pages ? (data_pages + 1) * cpumask_weight(session->cpus) : 0;
	int ret;

	session->wake_bytes = wake_bytes(&session->group);
	ret = account_locked_vm(session->mm, pages, true);
	if (ret)
		return acrpmu_refuse(err, ret, ACRPMU_REASON_RING_LOCKED, ACRPMU_NO_EVENT, pages,
				     rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT);
	session->locked_pages = pages;
	return 0;
}

/**
 * acrpmu_buffer_exit() - undo acrpmu_buffer_begin(), and acrpmu_buffer_init() if it was called
 *
 * Context: process, may sleep, without locks; nothing can wake the pollers any more.
 */
void acrpmu_buffer_exit(struct acrpmu_session *session)
{
	irq_work_sync(&session->wake);
	cancel_work_sync(&session->wake_later);
	account_locked_vm(session->mm, session->locked_pages, false);
}

static void put_pages(struct page **pages, unsigned int nr)
{
	while (nr--)
		__free_page(pages[nr]);
	kvfree(pages);
}

static struct page **get_pages(unsigned int nr, int node)
{
	struct page **pages = kvmalloc_array(nr, sizeof(*pages), ACRPMU_GFP);
	unsigned int i;

	for (i = 0; pages && i < nr; i++) {
		pages[i] = alloc_pages_node(node, ACRPMU_GFP | __GFP_ZERO, 0);
		if (!pages[i]) {
			put_pages(pages, i);
			return NULL;
		}
	}
	return pages;
}

/**
 * acrpmu_buffer_alloc() - allocate the ring of a session on one CPU, if it samples anything
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_buffer_alloc(struct acrpmu_session_cpu *scpu)
{
	u32 data_pages = scpu->session->group.ring_pages;
	struct page **pages;

	if (!data_pages)
		return 0;
	pages = get_pages(1 + data_pages, cpu_to_node(scpu->cpu));
	if (!pages)
		return -ENOMEM;
	/* vfree() frees the pages and their array too. */
	scpu->mem = vmap(pages, 1 + data_pages, VM_MAP | VM_USERMAP | VM_MAP_PUT_PAGES,
			 PAGE_KERNEL);
	if (!scpu->mem) {
		put_pages(pages, 1 + data_pages);
		return -ENOMEM;
	}
	acrpmu_ring_init(&scpu->ring, scpu->mem, scpu->mem + PAGE_SIZE, PAGE_SIZE,
			 (u64)data_pages << PAGE_SHIFT);
	return 0;
}

/**
 * acrpmu_buffer_free() - undo acrpmu_buffer_alloc(), even if that failed
 *
 * Context: process, may sleep; no NMI can reach the ring any more.
 */
void acrpmu_buffer_free(struct acrpmu_session_cpu *scpu)
{
	vfree(scpu->mem);
}

/**
 * acrpmu_buffer_mmap() - map the ring of one CPU
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for another length, a private mapping, or a session that does not sample.
 */
int acrpmu_buffer_mmap(struct acrpmu_session_cpu *scpu, struct vm_area_struct *vma)
{
	unsigned long pages = 1UL + scpu->session->group.ring_pages;

	if (!scpu->mem || !(vma->vm_flags & VM_SHARED) || vma_pages(vma) != pages)
		return -EINVAL;
	/* A child that inherited the mapping would keep a closed session alive. */
	compat_vm_flags_set(vma, VM_DONTCOPY);
	WRITE_ONCE(scpu->mapped, true);
	return remap_vmalloc_range(vma, scpu->mem, 0);
}

/**
 * acrpmu_buffer_is_new() - check whether a ring came later than its session, and nobody maps it
 *
 * Context: any.
 */
bool acrpmu_buffer_is_new(const struct acrpmu_session_cpu *scpu)
{
	return scpu->mem && READ_ONCE(scpu->late_ring) && !READ_ONCE(scpu->mapped);
}

/**
 * acrpmu_buffer_unread() - get the unread bytes in the ring of one CPU; 0 without a ring
 *
 * Context: any.
 */
u64 acrpmu_buffer_unread(const struct acrpmu_session_cpu *scpu)
{
	return scpu->mem ? acrpmu_ring_unread(&scpu->ring) : 0;
}

/**
 * acrpmu_buffer_wake() - wake the pollers of a session
 *
 * Context: any, NMI included.
 */
void acrpmu_buffer_wake(struct acrpmu_session *session)
{
	irq_work_queue(&session->wake);
}

NOKPROBE_SYMBOL(acrpmu_buffer_wake);

/* Report lost overflows now that there may be room again; @rec has the values of its sample_id. */
static void write_lost(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec, u64 lost)
{
	struct acrpmu_record none = *rec;
	u64 buf[ACRPMU_RECORD_WORDS];
	u32 size;

	none.misc = 0;
	size = acrpmu_record_lost(buf, scpu->session->group.sample_type, &none, lost);
	acrpmu_ring_write_lost(&scpu->ring, buf, size, lost);
}

NOKPROBE_SYMBOL(write_lost);

/**
 * acrpmu_buffer_count_lost() - count an overflow as lost for which there is no record
 *
 * Context: NMI or interrupts off, on the CPU of @scpu.
 */
void acrpmu_buffer_count_lost(struct acrpmu_session_cpu *scpu)
{
	acrpmu_ring_count_lost(&scpu->ring, 1);
	acrpmu_topic_mark_losses(scpu);
}

NOKPROBE_SYMBOL(acrpmu_buffer_count_lost);

/**
 * acrpmu_buffer_note_pause() - write a record about a pause of a session on this CPU, or its end
 * @rec: values of the sample_id; that of the leader replaces the id; time 0: now
 *
 * An end is noted only after its pause, and tried again with later records if there is no room.
 *
 * Context: NMI or interrupts off, on the CPU of @scpu.
 */
void acrpmu_buffer_note_pause(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec,
			      bool paused)
{
	u64 lost = acrpmu_ring_pending(&scpu->ring);
	struct acrpmu_record note = *rec;
	u64 buf[ACRPMU_RECORD_WORDS];
	u32 size;

	/* Only software reload pauses a session that samples nothing. */
	if (!scpu->mem)
		return;
	if (lost)
		write_lost(scpu, rec, lost);
	note.id = scpu->session->group.ev[0].id;
	note.misc = 0;
	note.time = rec->time ?: local_clock();
	size = acrpmu_record_pause(buf, scpu->session->group.sample_type, &note, paused);
	if (acrpmu_ring_write_note(&scpu->ring, buf, size))
		scpu->noted_pause = paused;
}

NOKPROBE_SYMBOL(acrpmu_buffer_note_pause);

/**
 * acrpmu_buffer_notify() - wake the pollers if enough is unread
 *
 * A slow reader is reminded now and then, not at each record.
 *
 * Context: NMI, on the CPU of @scpu, once its head has come up to @scpu->wake_head.
 */
void acrpmu_buffer_notify(struct acrpmu_session_cpu *scpu)
{
	u64 unread = acrpmu_ring_unread(&scpu->ring), enough = scpu->session->wake_bytes;
	/* There is a next time in any case, before the ring is full. */
	u64 step = min(enough / 4, (scpu->ring.size - unread) / 2);
	bool wake = unread >= enough;

	scpu->wake_head = scpu->ring.head + (wake ? step : enough - unread);
	if (wake)
		acrpmu_buffer_wake(scpu->session);
}

NOKPROBE_SYMBOL(acrpmu_buffer_notify);

/**
 * acrpmu_buffer_catch_up() - write what must come before a sample: losses, the end of a pause
 * @rec: values of the sample_id, those of the sample to come
 *
 * Context: NMI, on the CPU of @scpu.
 */
void acrpmu_buffer_catch_up(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec)
{
	u64 lost = acrpmu_ring_pending(&scpu->ring);

	if (lost)
		write_lost(scpu, rec, lost);
	if (scpu->noted_pause)
		acrpmu_buffer_note_pause(scpu, rec, false);
}

NOKPROBE_SYMBOL(acrpmu_buffer_catch_up);

/**
 * acrpmu_buffer_flush() - report lost overflows that no later record would report
 *
 * Context: process, interrupts off, on the CPU of @scpu, with its counters stopped.
 */
void acrpmu_buffer_flush(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_record rec = {
		.time = local_clock(),
		.id = scpu->session->group.ev[0].id,
		.cpu = smp_processor_id(),
	};
	u64 lost = scpu->mem ? acrpmu_ring_pending(&scpu->ring) : 0;

	if (lost)
		write_lost(scpu, &rec, lost);
}
