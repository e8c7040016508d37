/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds the records of the ring, in perf's layout: samples, losses, and pauses. */
#ifndef _ACRPMU_CORE_RECORD_H
#define _ACRPMU_CORE_RECORD_H

#include <linux/perf_event.h>

#include "chain.h"
#include "types.h"
#include "../../uapi/acrpmu.h"

/** ACRPMU_RECORD_SAMPLE_TYPE - PERF_SAMPLE_* bits that records can have */
#define ACRPMU_RECORD_SAMPLE_TYPE						\
	((u64)PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |		\
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN)

/**
 * ACRPMU_RECORD_WORDS - longest record without a chain in u64: header, 8 fields, nr, value and id
 *	of each event
 */
#define ACRPMU_RECORD_WORDS	(1 + 8 + 1 + 2 * ACRPMU_MAX_EVENTS)

/** ACRPMU_SAMPLE_WORDS - longest sample in u64: also nr and the entries of a chain */
#define ACRPMU_SAMPLE_WORDS	(ACRPMU_RECORD_WORDS + 1 + ACRPMU_CHAIN_ENTRIES)

/**
 * struct acrpmu_record - the fields of a record
 * @ip: instruction pointer
 * @time: of the sample in ns, by local_clock()
 * @id: the event's id, for IDENTIFIER, ID and STREAM_ID
 * @period: occurrences that the sample stands for
 * @read_values: for READ: count of each event of the group
 * @read_ids: for READ: id of each event of the group
 * @chain: for CALLCHAIN: frames and markers, innermost first
 * @nr_read: elements of both, at most ACRPMU_MAX_EVENTS
 * @nr_chain: elements of @chain, at most ACRPMU_CHAIN_ENTRIES
 * @task: acrpmu_record_pair() of process and task
 * @cpu: CPU number
 * @misc: PERF_RECORD_MISC_* of the header
 */
struct acrpmu_record {
	u64 ip;
	u64 time;
	u64 id;
	u64 period;
	const u64 *read_values;
	const u64 *read_ids;
	const u64 *chain;
	u64 task;
	u32 nr_read;
	u32 nr_chain;
	u32 cpu;
	u16 misc;
};

/**
 * acrpmu_record_misc() - find the PERF_RECORD_MISC_* of a sample
 * @levels: ACRPMU_EVENT_USER and ACRPMU_EVENT_KERNEL of its event
 * @guest: a virtual machine ran
 * @user: the host's registers are those of user code
 *
 * Nobody outside of a virtual machine knows its level.  That of an event which counts only one is
 * certain; code of an event which counts both is taken as the guest's kernel.
 *
 * Context: any, also NMI.
 * Return: the bits of the CPU mode.
 */
u16 acrpmu_record_misc(u32 levels, bool guest, bool user);

/**
 * acrpmu_record_sample_bytes() - compute the size of a PERF_RECORD_SAMPLE
 * @sample_type: subset of ACRPMU_RECORD_SAMPLE_TYPE
 * @nr_read: for READ: events of the group
 *
 * Context: any.
 * Return: its size in bytes without the entries of its chain.
 */
static inline u32 acrpmu_record_sample_bytes(u64 sample_type, u32 nr_read)
{
	/* READ and CALLCHAIN begin with a number, the other fields have one word each. */
	u32 words = hweight64(sample_type & ACRPMU_RECORD_SAMPLE_TYPE);

	if (sample_type & PERF_SAMPLE_READ)
		words += 2 * min_t(u32, nr_read, ACRPMU_MAX_EVENTS);
	return sizeof(struct perf_event_header) + words * sizeof(u64);
}

/**
 * acrpmu_record_pair() - make one word of two 32-bit fields that follow each other
 *
 * Context: any, also NMI.
 */
static __always_inline u64 acrpmu_record_pair(u32 first, u32 second)
{
	return first | (u64)second << 32;
}

/* internal: what each record begins with */
static __always_inline void acrpmu_record_put_header(u64 *buf, u32 type, u16 misc,
						     u32 size)
{
	/* struct perf_event_header, as one store */
	*buf = type | (u64)misc << 32 | (u64)size << 48;
}

/* internal: the fields that samples and sample_id have in common, in the same order */
static __always_inline u64 *acrpmu_record_put_common(u64 *p, u64 sample_type,
						     const struct acrpmu_record *rec)
{
	if (sample_type & PERF_SAMPLE_TID)
		*p++ = rec->task;
	if (sample_type & PERF_SAMPLE_TIME)
		*p++ = rec->time;
	if (unlikely(sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID))) {
		*p++ = rec->id;
		/* Both are there: the same once more. */
		if (!(~sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID)))
			*p++ = rec->id;
	}
	if (sample_type & PERF_SAMPLE_CPU)
		*p++ = acrpmu_record_pair(rec->cpu, 0);
	return p;
}

/* internal: the counts of a group */
u64 *acrpmu_record_put_read(u64 *p, const u64 *values, const u64 *ids, u32 nr);
/* internal: a call chain */
void acrpmu_record_put_chain(u64 *p, const u64 *chain, u32 nr);

/**
 * acrpmu_record_sample() - build a PERF_RECORD_SAMPLE
 * @buf: out, room for @size bytes
 * @size: acrpmu_record_sample_bytes(), plus 8 bytes for each entry of the chain
 * @sample_type: subset of ACRPMU_RECORD_SAMPLE_TYPE
 * @rec: the values; fields that @sample_type does not select are ignored
 *
 * Context: any, also NMI.  Bounded by ACRPMU_MAX_EVENTS and ACRPMU_CHAIN_ENTRIES.
 */
static __always_inline void acrpmu_record_sample(u64 *buf, u32 size, u64 sample_type,
						 const struct acrpmu_record *rec)
{
	u64 *p = buf + sizeof(struct perf_event_header) / sizeof(*buf);

	acrpmu_record_put_header(buf, PERF_RECORD_SAMPLE, rec->misc, size);

	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		*p++ = rec->id;
	if (sample_type & PERF_SAMPLE_IP)
		*p++ = rec->ip;
	p = acrpmu_record_put_common(p, sample_type, rec);
	if (sample_type & PERF_SAMPLE_PERIOD)
		*p++ = rec->period;
	if (sample_type & PERF_SAMPLE_READ)
		p = acrpmu_record_put_read(p, rec->read_values, rec->read_ids, rec->nr_read);
	if (sample_type & PERF_SAMPLE_CALLCHAIN)
		acrpmu_record_put_chain(p, rec->chain, rec->nr_chain);
}

/**
 * acrpmu_record_lost() - build a PERF_RECORD_LOST, with perf's sample_id at its end
 * @buf: out, room for ACRPMU_RECORD_WORDS
 * @sample_type: subset of ACRPMU_RECORD_SAMPLE_TYPE
 * @rec: the values, of which only those of the sample_id and @rec->misc matter
 * @lost: number of lost overflows
 *
 * Context: any, also NMI.  Bounded.
 * Return: size of the record in bytes.
 */
u32 acrpmu_record_lost(u64 *buf, u64 sample_type, const struct acrpmu_record *rec, u64 lost);

/**
 * acrpmu_record_pause() - build a PERF_RECORD_THROTTLE or PERF_RECORD_UNTHROTTLE, with a sample_id
 * @buf: out, room for ACRPMU_RECORD_WORDS
 * @sample_type: subset of ACRPMU_RECORD_SAMPLE_TYPE
 * @rec: the values, of which only those of the sample_id and @rec->misc matter
 * @paused: the session pauses; otherwise it resumes
 *
 * Context: any, also NMI.  Bounded.
 * Return: size of the record in bytes.
 */
u32 acrpmu_record_pause(u64 *buf, u64 sample_type, const struct acrpmu_record *rec, bool paused);

#endif /* _ACRPMU_CORE_RECORD_H */
