/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the rings of a session and comparing its accounts with the model CPU's. */
#ifndef HW_RECORDS_H
#define HW_RECORDS_H

#include "session.h"

/**
 * struct sample - a PERF_RECORD_SAMPLE with the fields of SAMPLE_TYPE
 * @header: type, misc, size
 * @id: of the event
 * @ip: where
 * @pid: process
 * @tid: task
 * @time_ns: when
 * @cpu: on which CPU
 * @reserved: 0
 * @period: of the event
 */
struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid;
	uint32_t tid;
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t period;
};

/* Start of a PERF_RECORD_LOST */
struct lost_record {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
};

/**
 * struct pause_record - a PERF_RECORD_THROTTLE or PERF_RECORD_UNTHROTTLE, with its sample_id
 * @header: type, misc, size
 * @time_ns: when
 * @id: of the leader
 * @stream_id: the same
 * @pid: process
 * @tid: task
 * @id_time_ns: @time_ns again
 * @cpu: on which CPU
 * @reserved: 0
 * @identifier: @id again
 */
struct pause_record {
	struct perf_event_header header;
	uint64_t time_ns;
	uint64_t id;
	uint64_t stream_id;
	uint32_t pid;
	uint32_t tid;
	uint64_t id_time_ns;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t identifier;
};

typedef void (*sample_fn)(const struct sample *sample, void *data);

/* Copy @size bytes that may wrap around the end of the ring. */
static inline void ring_copy(void *to, const struct acrpmu_ring_page *page, uint64_t pos,
			     size_t size)
{
	const char *data = (const char *)page + page->data_offset;
	size_t i;

	for (i = 0; i < size; i++)
		((char *)to)[i] = data[(pos + i) & (page->data_size - 1)];
}

/* Pauses and resumes alternate, and there is no sample between the two. */
static inline void check_pause(struct session *s, int cpu, const struct pause_record *rec)
{
	bool begins = rec->header.type == PERF_RECORD_THROTTLE;
	uint64_t id = s->ev[0].id;

	if (s->paused[cpu] == begins || rec->header.size != sizeof(*rec) || rec->header.misc ||
	    rec->id != id || rec->stream_id != id || rec->identifier != id ||
	    rec->time_ns != rec->id_time_ns || rec->cpu != (uint32_t)cpu || rec->reserved)
		s->bad_pauses++;
	s->paused[cpu] = begins;
	if (begins)
		s->pauses++;
	else
		s->resumes++;
}

static inline void ring_drain(struct session *s, int cpu, sample_fn fn, void *data)
{
	struct acrpmu_ring_page *page = s->ring[cpu];
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t pos = page->data_tail;

	if (head - pos > page->data_size) {
		fprintf(stderr, "# %lu unread bytes in a ring of %llu\n", head - pos,
			page->data_size);
		s->records = UINT64_MAX / 2;	/* no account can match now */
		return;
	}
	while (pos < head) {
		union {
			struct perf_event_header header;
			struct sample sample;
			struct lost_record lost;
			struct pause_record pause;
		} rec;

		ring_copy(&rec.header, page, pos, sizeof(rec.header));
		if (rec.header.size < sizeof(rec.header) || rec.header.size > head - pos) {
			fprintf(stderr, "# broken record of %u bytes\n", rec.header.size);
			s->records = UINT64_MAX / 2;	/* no account can match now */
			break;
		}
		ring_copy(&rec, page, pos,
			  rec.header.size < sizeof(rec) ? rec.header.size : sizeof(rec));
		if (rec.header.type == PERF_RECORD_SAMPLE) {
			s->records++;
			s->bad_pauses += s->paused[cpu];
			if (fn)
				fn(&rec.sample, data);
		} else if (rec.header.type == PERF_RECORD_LOST) {
			s->lost += rec.lost.lost;
		} else if (rec.header.type == PERF_RECORD_THROTTLE ||
			   rec.header.type == PERF_RECORD_UNTHROTTLE) {
			check_pause(s, cpu, &rec.pause);
		}
		pos += rec.header.size;
	}
	__atomic_store_n(&page->data_tail, pos, __ATOMIC_RELEASE);
}

/**
 * session_drain() - read all unread records
 * @s: the session; its sums of records and lost are counted on
 * @fn: called for each sample, may be NULL
 * @data: passed to it
 */
static inline void session_drain(struct session *s, sample_fn fn, void *data)
{
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (s->ring[cpu])
			ring_drain(s, cpu, fn, data);
}

/**
 * session_finish() - stop a session and read everything: rings, counts, accounts
 * @s: the session
 * @fn: called for each sample, may be NULL
 * @data: passed to it
 *
 * The second stop makes it write the losses of full rings.
 *
 * Return: 0 or -errno.
 */
static inline int session_finish(struct session *s, sample_fn fn, void *data)
{
	int ret = session_disable(s);

	session_drain(s, fn, data);
	if (!ret)
		ret = session_disable(s);
	session_drain(s, fn, data);
	return ret ?: session_read(s);
}

static inline bool same(const char *what, uint64_t found, uint64_t expected)
{
	if (found == expected)
		return true;
	fprintf(stderr, "# %s: %lu, expected %lu\n", what, found, expected);
	return false;
}

/**
 * session_accounted() - check that the accounts cover each overflow that the model CPU saw
 * @s: a session after session_finish()
 *
 * Return: true if the books balance, event by event, in sum, and in the rings.
 */
static inline bool session_accounted(const struct session *s)
{
	const struct acrpmu_read *a = &s->accounts;
	uint64_t truth = 0, overflows = 0, one;
	bool ok = true;
	unsigned int i;

	for (i = 0; i < s->attr.nr_events; i++) {
		one = session_truth(s, i) - s->truth[i];
		truth += one;
		if (s->ev[i].flags & SAMPLED && !(s->attr.flags & ACRPMU_SESSION_SOFTWARE))
			ok &= same("overflows of one event", s->counts[i].overflows, one);
		overflows += s->counts[i].overflows;
	}
	ok &= same("records + lost + throttled + discarded + guest + quiet + dropped",
		   a->records + a->lost + a->throttled + a->discarded + a->guest + a->quiet +
		   a->dropped, truth);
	if (s->attr.flags & ACRPMU_SESSION_SOFTWARE)
		ok &= same("overflows of all events and dropped", overflows + a->dropped, truth);
	else
		ok &= same("quiet and dropped", a->quiet + a->dropped, 0);
	ok &= same("samples in the rings", s->records, a->records);
	ok &= same("losses recorded in the rings", s->lost, a->lost);
	ok &= same("misplaced records of pauses", s->bad_pauses, 0);
	if (!ok)
		fprintf(stderr,
			"# records %llu lost %llu throttled %llu discarded %llu guest %llu "
			"quiet %llu dropped %llu\n", a->records, a->lost, a->throttled,
			a->discarded, a->guest, a->quiet, a->dropped);
	return ok;
}

/* Expects the accounts to add up; for use in a test of the harness. */
#define EXPECT_ACCOUNTED(s) EXPECT_TRUE(session_accounted(s))

#endif /* HW_RECORDS_H */
