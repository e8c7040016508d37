// SPDX-License-Identifier: GPL-2.0-only
/* Builds the records of the ring, in perf's layout: samples, losses, and pauses. */
#include "record.h"

/* two 32-bit fields that follow each other */
static u64 pair(u32 first, u32 second)
{
	return first | (u64)second << 32;
}

static u32 finish(u64 *buf, const u64 *end, u32 type, u16 misc)
{
	struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (end - buf) * sizeof(*buf),
	};

	memcpy(buf, &header, sizeof(header));
	return header.size;
}

/* PERF_FORMAT_GROUP | PERF_FORMAT_ID: nr, then value and id of each event */
static u64 *put_read(u64 *p, const struct acrpmu_record *rec)
{
	u32 nr = min_t(u32, rec->nr_read, ACRPMU_MAX_EVENTS);
	u32 i;

	*p++ = nr;
	for (i = 0; i < nr; i++) {
		*p++ = rec->read_values[i];
		*p++ = rec->read_ids[i];
	}
	return p;
}

static u64 *put_chain(u64 *p, const struct acrpmu_record *rec)
{
	u32 nr = min_t(u32, rec->nr_chain, ACRPMU_CHAIN_ENTRIES);

	*p++ = nr;
	memcpy(p, rec->chain, nr * sizeof(*p));
	return p + nr;
}

/* the fields that samples and sample_id have in common, in the same order */
static u64 *put_common(u64 *p, u64 sample_type, const struct acrpmu_record *rec)
{
	if (sample_type & PERF_SAMPLE_TID)
		*p++ = pair(rec->pid, rec->tid);
	if (sample_type & PERF_SAMPLE_TIME)
		*p++ = rec->time;
	if (sample_type & PERF_SAMPLE_ID)
		*p++ = rec->id;
	if (sample_type & PERF_SAMPLE_STREAM_ID)
		*p++ = rec->id;
	if (sample_type & PERF_SAMPLE_CPU)
		*p++ = pair(rec->cpu, 0);
	return p;
}

u16 acrpmu_record_misc(u32 levels, bool guest, bool user)
{
	if (!guest)
		return user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	return levels & ACRPMU_EVENT_KERNEL ? PERF_RECORD_MISC_GUEST_KERNEL :
					      PERF_RECORD_MISC_GUEST_USER;
}

u32 acrpmu_record_sample(u64 *buf, u64 sample_type, const struct acrpmu_record *rec)
{
	u64 *p = buf + sizeof(struct perf_event_header) / sizeof(*buf);

	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		*p++ = rec->id;
	if (sample_type & PERF_SAMPLE_IP)
		*p++ = rec->ip;
	p = put_common(p, sample_type, rec);
	if (sample_type & PERF_SAMPLE_PERIOD)
		*p++ = rec->period;
	if (sample_type & PERF_SAMPLE_READ)
		p = put_read(p, rec);
	if (sample_type & PERF_SAMPLE_CALLCHAIN)
		p = put_chain(p, rec);
	return finish(buf, p, PERF_RECORD_SAMPLE, rec->misc);
}

/* what perf calls sample_id: the end of every record but a sample */
static u64 *put_sample_id(u64 *p, u64 sample_type, const struct acrpmu_record *rec)
{
	p = put_common(p, sample_type, rec);
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		*p++ = rec->id;
	return p;
}

u32 acrpmu_record_lost(u64 *buf, u64 sample_type, const struct acrpmu_record *rec, u64 lost)
{
	u64 *p = buf + sizeof(struct perf_event_header) / sizeof(*buf);

	*p++ = rec->id;
	*p++ = lost;
	p = put_sample_id(p, sample_type, rec);
	return finish(buf, p, PERF_RECORD_LOST, rec->misc);
}

u32 acrpmu_record_pause(u64 *buf, u64 sample_type, const struct acrpmu_record *rec, bool paused)
{
	u64 *p = buf + sizeof(struct perf_event_header) / sizeof(*buf);

	*p++ = rec->time;
	*p++ = rec->id;
	*p++ = rec->id;		/* stream_id */
	p = put_sample_id(p, sample_type, rec);
	return finish(buf, p, paused ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE, rec->misc);
}
