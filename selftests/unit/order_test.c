// SPDX-License-Identifier: GPL-2.0-only
/* The order in which records of a recording are read: by time, or any between what is no sample. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/perfdata/reader.h"
#include "userspace/perfdata/writer.h"

#define NR	3000
#define ID	5	/* of the first event, followed by that of the second, if there is one */
#define AT_ONCE	16

struct record {
	struct perf_event_header header;
	__u64 id, time;
};

/* In a sample_id the time comes first. */
struct other {
	struct perf_event_header header;
	__u64 number, time, id;
};

static struct record samples[NR];
static __u64 by_time[NR];	/* numbers of the records in the file */

static __u64 time_of(unsigned int i)
{
	return samples[i].time;
}

static int compare(const void *a, const void *b)
{
	const __u64 x = *(const __u64 *)a, y = *(const __u64 *)b;

	if (time_of(x) != time_of(y))
		return time_of(x) < time_of(y) ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * @rings: how many rising sequences alternate, 0: no order at all; every @nth is no sample
 * @events: 1, or 2 and some samples belong to neither
 */
static int make_file(unsigned int rings, unsigned int nth, unsigned int events)
{
	static const __u64 ids[] = { ID, ID + 1 };
	struct pd_event event[2] = {
		{
			.name = "event", .ids = &ids[0], .nr_ids = 1,
			.attr = {
				.sample_id_all = 1,
				.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
			},
		},
	};
	int fd = memfd_create("order", 0);
	struct pd_writer w;
	unsigned int i;

	event[1] = event[0];
	event[1].ids = &ids[1];
	/* what follows is not parsed */
	event[1].attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	if (pd_writer_begin(&w, fd, event, event, events))
		abort();
	pd_writer_begin_data(&w);
	for (i = 0; i < NR; i++) {
		/* times that several records have, too */
		__u64 time = rings ? i / 100 / rings * 100 + i % 100 :
				     (unsigned int)rand() % (NR / 2);
		struct other o = {
			.header = { PERF_RECORD_LOST_SAMPLES, 0, sizeof(o) }, .time = time,
			.id = ID,
		};

		by_time[i] = i;
		samples[i] = (struct record){
			.header = { PERF_RECORD_SAMPLE, 0, sizeof(samples[i]) },
			.id = ID + (events > 1 && i % 10 < 3 ? i % 10 : 0), .time = time,
		};
		if (pd_writer_put_record(&w, i % nth ? (void *)&samples[i] : &o,
					 i % nth ? sizeof(samples[i]) : sizeof(o)))
			abort();
	}
	if (pd_writer_finish(&w))
		abort();
	pd_writer_free(&w);
	qsort(by_time, NR, sizeof(*by_time), compare);
	return fd;
}

static __u64 time_at(const struct pd_reader *r, size_t n, bool *sample)
{
	const struct perf_event_header *h = pd_reader_record(r, n);
	struct pd_sample s;

	*sample = h->type == PERF_RECORD_SAMPLE;
	return pd_reader_decode(r, h, &s) ? s.time : (__u64)-1;
}

static unsigned int nr_wrong(const struct pd_reader *r, unsigned int first, unsigned int nth)
{
	unsigned int i, wrong = 0;
	bool sample;

	for (i = first; i < NR; i++) {
		wrong += time_at(r, i, &sample) != time_of(by_time[i]);
		wrong += sample != !!(by_time[i] % nth);
	}
	return wrong;
}

/* What is no sample stays in its place, and the samples before each are the same. */
static unsigned int nr_misplaced(const struct pd_reader *r, unsigned int nth)
{
	__u64 sum = 0, expected = 0;
	unsigned int i, wrong = 0;
	bool sample;

	for (i = 0; i < NR; i++) {
		__u64 time = time_at(r, i, &sample);

		sum += time * time;
		expected += time_of(by_time[i]) * time_of(by_time[i]);
		wrong += sample != !!(by_time[i] % nth);
		wrong += !sample && (time != time_of(by_time[i]) || sum != expected);
	}
	return wrong + (sum != expected);
}

/* Several samples are those read one by one otherwise; *@largest is set to their number. */
static unsigned int nr_unlike(const struct pd_reader *several, const struct pd_reader *single,
			      size_t *largest)
{
	struct pd_sample got[AT_ONCE], expected;
	unsigned int wrong = 0;
	size_t n, i, nr;

	*largest = 0;
	for (n = 0; n < NR; n += nr ? nr : 1) {
		memset(got, 0x5a, sizeof(got));
		nr = pd_reader_samples(several, n, got, AT_ONCE);
		*largest = nr > *largest ? nr : *largest;
		for (i = 0; i < nr; i++) {
			const struct perf_event_header *h = pd_reader_record(single, n + i);

			wrong += !pd_reader_decode(single, h, &expected);
			wrong += got[i].type != expected.type || got[i].misc != expected.misc ||
				 got[i].event != expected.event || got[i].id != expected.id ||
				 got[i].fields != expected.fields || got[i].ip ||
				 got[i].time != expected.time || got[i].nr_chain;
		}
	}
	return wrong;
}

static void test_several(unsigned int rings, unsigned int nth, unsigned int events)
{
	int fd = make_file(rings, nth, events);
	struct pd_reader r, single;
	size_t largest;

	is_u64(pd_reader_open_fd(&r, fd), 0, "%u rings, %u events, 1/%u no samples", rings, events,
	       nth);
	pd_reader_open_fd(&single, fd);
	is_u64(nr_unlike(&r, &single, &largest), 0, "samples in their order are not read at once");
	is_u64(largest, 0, "not even one of them");
	pd_reader_any_order(&r);
	pd_reader_any_order(&single);
	is_u64(nr_unlike(&r, &single, &largest), 0, "several samples are as one by one");
	ok(largest > 1 && largest <= AT_ONCE, "%zu of them at once", largest);
	is_u64(nr_unlike(&r, &single, &largest), 0, "and again from the first one on");
	pd_reader_close(&single);
	pd_reader_close(&r);
	close(fd);
}

static void test_order(unsigned int rings, unsigned int nth)
{
	int fd = make_file(rings, nth, 1);
	struct pd_reader r;

	is_u64(pd_reader_open_fd(&r, fd), 0, "records of %u rings, 1/%u no samples", rings, nth);
	is_u64(r.nr_records, NR, "all of them");
	is_u64(nr_wrong(&r, 0, nth), 0, "in the order of their times");
	is_u64(nr_wrong(&r, 10, nth), 0, "and again from one far back");
	is_u64(r.newest, time_of(by_time[NR - 1]), "the newest time");
	pd_reader_any_order(&r);
	is_u64(nr_misplaced(&r, nth), 0, "in any order, each before what is no sample");
	is_u64(pd_reader_error(&r), 0, "everything could be read");
	pd_reader_close(&r);
	close(fd);
}

int main(void)
{
	plan(0);
	test_order(1, 50);
	test_order(7, 50);
	test_order(7, NR);
	test_order(7, 2);
	test_order(0, 50);
	test_order(0, 1);
	test_several(1, 50, 1);
	test_several(7, 50, 2);
	test_several(7, NR, 2);
	test_several(0, 50, 1);
	return done();
}
