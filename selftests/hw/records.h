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

static inline void ring_drain(struct session *s, struct acrpmu_ring_page *page, sample_fn fn,
			      void *data)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t pos = page->data_tail;

	while (pos < head) {
		union {
			struct perf_event_header header;
			struct sample sample;
			struct lost_record lost;
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
			if (fn)
				fn(&rec.sample, data);
		} else if (rec.header.type == PERF_RECORD_LOST) {
			s->lost += rec.lost.lost;
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
			ring_drain(s, s->ring[cpu], fn, data);
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
	uint64_t truth = 0, one;
	bool ok = true;
	unsigned int i;

	for (i = 0; i < s->attr.nr_events; i++) {
		one = session_truth(s, i) - s->truth[i];
		truth += one;
		if (s->ev[i].flags & SAMPLED)
			ok &= same("overflows of one event", s->counts[i].overflows, one);
	}
	ok &= same("records + lost + throttled + discarded",
		   a->records + a->lost + a->throttled + a->discarded, truth);
	ok &= same("samples in the rings", s->records, a->records);
	ok &= same("losses recorded in the rings", s->lost, a->lost);
	if (!ok)
		fprintf(stderr, "# records %llu lost %llu throttled %llu discarded %llu\n",
			a->records, a->lost, a->throttled, a->discarded);
	return ok;
}

/* Expects the accounts to add up; for use in a test of the harness. */
#define EXPECT_ACCOUNTED(s) EXPECT_TRUE(session_accounted(s))

#endif /* HW_RECORDS_H */
