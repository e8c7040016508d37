// SPDX-License-Identifier: GPL-2.0-only
/* Builds the records of the ring, in perf's layout: samples, losses, and pauses. */
#include "record.h"

static u32 finish(u64 *buf, const u64 *end, u32 type, u16 misc)
{
	u32 size = (end - buf) * sizeof(*buf);

	acrpmu_record_put_header(buf, type, misc, size);
	return size;
}

/* PERF_FORMAT_GROUP | PERF_FORMAT_ID: nr, then value and id of each event */
u64 *acrpmu_record_put_read(u64 *p, const u64 *values, const u64 *ids, u32 nr)
{
	u32 i;

	nr = min_t(u32, nr, ACRPMU_MAX_EVENTS);
	*p++ = nr;
	for (i = 0; i < nr; i++) {
		*p++ = values[i];
		*p++ = ids[i];
	}
	return p;
}

NOKPROBE_SYMBOL(acrpmu_record_put_read);

void acrpmu_record_put_chain(u64 *p, const u64 *chain, u32 nr)
{
	nr = min_t(u32, nr, ACRPMU_CHAIN_ENTRIES);
	*p++ = nr;
	memcpy(p, chain, nr * sizeof(*p));
}

NOKPROBE_SYMBOL(acrpmu_record_put_chain);

u16 acrpmu_record_misc(u32 levels, bool guest, bool user)
{
	if (!guest)
		return user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	return levels & ACRPMU_EVENT_KERNEL ? PERF_RECORD_MISC_GUEST_KERNEL :
					      PERF_RECORD_MISC_GUEST_USER;
}

NOKPROBE_SYMBOL(acrpmu_record_misc);

/* what perf calls sample_id: the end of every record but a sample */
static u64 *put_sample_id(u64 *p, u64 sample_type, const struct acrpmu_record *rec)
{
	p = acrpmu_record_put_common(p, sample_type, rec);
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

NOKPROBE_SYMBOL(acrpmu_record_lost);

u32 acrpmu_record_pause(u64 *buf, u64 sample_type, const struct acrpmu_record *rec, bool paused)
{
	u64 *p = buf + sizeof(struct perf_event_header) / sizeof(*buf);

	*p++ = rec->time;
	*p++ = rec->id;
	*p++ = rec->id;		/* stream_id */
	p = put_sample_id(p, sample_type, rec);
	return finish(buf, p, paused ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE, rec->misc);
}

NOKPROBE_SYMBOL(acrpmu_record_pause);
