// SPDX-License-Identifier: GPL-2.0-only
/* perf.data files and streams: reading back what was written, and refusing what is damaged. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/perfdata/reader.h"
#include "userspace/perfdata/sample.h"
#include "userspace/perfdata/writer.h"

#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* offsets in the file, from tools/perf/Documentation/perf.data-file-format.txt */
#define OFF_MAGIC	0
#define OFF_SIZE	8
#define OFF_ATTR_SIZE	16
#define OFF_ATTRS	24
#define OFF_DATA	40
#define OFF_FEATURES	72
#define ATTR		sizeof(struct perf_event_attr)
#define FILE_ATTR	(ATTR + 16)

struct sample {
	struct perf_event_header header;
	__u64 id, ip;
	__u32 pid, tid;
	__u64 time;
	__u32 cpu, res;
	__u64 period;
};

struct comm {
	struct perf_event_header header;
	__u32 pid, tid;
	char comm[8];
	__u32 tpid, ttid;
	__u64 time;
	__u32 cpu, res;
	__u64 id;
};

static const __u64 ids_a[] = { 0xac01, 0xac03 }, ids_b[] = { 0xac02 };

static struct pd_event events[] = {
	{ .name = "first", .ids = ids_a, .nr_ids = 2 },
	{ .name = "second", .ids = ids_b, .nr_ids = 1 },
};

static struct sample make_sample(__u64 id, __u64 time)
{
	return (struct sample) {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(struct sample) },
		.id = id, .ip = 0x1234, .pid = 10, .tid = 11, .time = time, .cpu = 3, .period = 7,
	};
}

static void set_attrs(void)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		events[i].attr.type = PERF_TYPE_RAW;
		events[i].attr.config = 0xc0 + i;
		events[i].attr.sample_period = 1000 + i;
		events[i].attr.sample_type = SAMPLE_TYPE;
		events[i].attr.sample_id_all = 1;
	}
}

/* Three samples out of order, and a name. */
static int put_records(struct pd_writer *w)
{
	struct sample s[] = {
		make_sample(0xac01, 300), make_sample(0xac02, 100), make_sample(0xac03, 200),
	};
	struct comm c = {
		.header = { PERF_RECORD_COMM, 0, sizeof(c) },
		.pid = 10, .tid = 11, .comm = "prog", .time = 150, .id = 0xac02,
	};
	struct iovec iov[] = { { &s[0], 20 }, { (char *)&s[0] + 20, sizeof(s) - 20 } };

	return pd_writer_put(w, iov, 2) || pd_writer_put_record(w, &c, sizeof(c));
}

static void put_features(struct pd_writer *w)
{
	struct pd_blob *cmdline = pd_writer_feature(w, PD_FEAT_CMDLINE);

	pd_blob_put_u32(cmdline, 2);
	pd_blob_put_string(cmdline, "acrctl");
	pd_blob_put_string(cmdline, "record");
	pd_writer_feature_string(w, PD_FEAT_HOSTNAME, "box");
	pd_writer_feature_string(w, PD_FEAT_ARCH, "");
	pd_writer_feature_events(w, events, 2);
}

/* Read all that was written, and close @fd. */
static unsigned char *take_back(int fd, size_t *size)
{
	unsigned char *data;

	*size = lseek(fd, 0, SEEK_END);
	data = malloc(*size);
	if (pread(fd, data, *size, 0) != (ssize_t)*size)
		abort();
	close(fd);
	return data;
}

static unsigned char *make_file(size_t *size, bool finish)
{
	int fd = memfd_create("perf.data", 0);
	struct pd_writer w;

	set_attrs();
	if (pd_writer_begin(&w, fd, events, events, 2) || put_records(&w))
		abort();
	if (finish) {
		put_features(&w);
		if (pd_writer_finish(&w))
			abort();
	}
	pd_writer_free(&w);
	return take_back(fd, size);
}

/* The same recording as a stream. */
static unsigned char *make_stream(size_t *size)
{
	int fd = memfd_create("stream", 0);
	struct pd_writer w;

	set_attrs();
	if (pd_stream_begin(&w, fd, events, 2))
		abort();
	put_features(&w);
	if (pd_stream_features(&w) || put_records(&w))
		abort();
	pd_writer_free(&w);
	return take_back(fd, size);
}

static __u64 word(const unsigned char *data, size_t at)
{
	__u64 value;

	memcpy(&value, data + at, sizeof(value));
	return value;
}

static void test_layout(void)
{
	size_t size;
	unsigned char *f = make_file(&size, true);

	ok(!memcmp(f + OFF_MAGIC, "PERFILE2", 8), "the file begins with the magic number");
	is_u64(word(f, OFF_SIZE), 104, "the header has the size of perf's");
	is_u64(word(f, OFF_ATTR_SIZE), sizeof(struct perf_event_attr) + 16, "size of an event");
	is_u64(word(f, OFF_ATTRS), 104, "attrs follow the header");
	is_u64(word(f, OFF_ATTRS + 8), 2 * FILE_ATTR, "two of them");
	is_u64(word(f, word(f, 104 + ATTR)), 0xac01, "the first id");
	is_u64(word(f, 104 + ATTR + 8), 2 * 8, "the first event has two");
	is_u64(word(f, word(f, 104 + FILE_ATTR + ATTR)), 0xac02, "the id of the second event");
	is_u64(word(f, OFF_DATA + 8), 3 * sizeof(struct sample) + sizeof(struct comm),
	       "the data size is that of the records");
	is_u64(word(f, OFF_FEATURES), 1 << 3 | 1 << 11 | 1 << 12,
	       "the header announces hostname, command line and event names only");
	free(f);
}

/* @about: number of records about events and features, which come first */
static void expect_recording(const char *kind, unsigned char *f, size_t size, unsigned int about)
{
	static const __u64 times[] = { 100, 150, 200, 300 };
	char text[64];
	struct pd_sample s;
	struct pd_reader r;
	unsigned int i;

	is_u64(pd_reader_open_mem(&r, f, size), 0, "the %s opens", kind);
	ok(!r.truncated && !r.unfinished, "it is complete");
	is_u64(r.nr_events, 2, "both events");
	is_str(r.events[0].name, "first", "name of the first");
	is_str(r.events[1].name, "second", "name of the second");
	is_u64(r.events[1].attr.config, 0xc1, "config of the second");
	is_u64(r.nr_records, about + 4, "all records");
	for (i = 0; i < 4; i++) {
		ok(pd_reader_decode(&r, pd_reader_record(&r, about + i), &s),
		   "record %u is complete", i);
		is_u64(s.time, times[i], "record %u in time order", i);
	}
	pd_reader_decode(&r, pd_reader_record(&r, about + 2), &s);
	is_u64(s.event, 0, "the second id is of the first event");
	is_u64(s.ip, 0x1234, "ip");
	is_u64(s.pid, 10, "pid");
	is_u64(s.tid, 11, "tid");
	is_u64(s.cpu, 3, "cpu");
	is_u64(s.period, 7, "period");
	pd_reader_decode(&r, pd_reader_record(&r, about), &s);
	is_u64(s.event, 1, "the third id is of the second event");
	is_u64(pd_reader_string(&r, PD_FEAT_HOSTNAME, text, sizeof(text)), 0, "hostname");
	is_str(text, "box", "the hostname that was written");
	is_u64(pd_reader_cmdline(&r, text, sizeof(text)), 0, "command line");
	is_str(text, "acrctl record", "the command line that was written");
	is_u64(pd_reader_string(&r, PD_FEAT_ARCH, text, sizeof(text)), -ENOENT,
	       "an empty string has no section");
	pd_reader_close(&r);
	free(f);
}

static void test_read_back(void)
{
	size_t size;
	unsigned char *f = make_file(&size, true);

	expect_recording("file", f, size, 0);
	f = make_stream(&size);
	/* two events, two names, three features */
	expect_recording("stream", f, size, 7);
}

/* Type and size of each record, from perf's documentation of the pipe format. */
static void test_stream_layout(void)
{
	static const struct {
		__u32 type;
		__u16 size;
	} want[] = {
		/* header, attr, ids */
		{ 64, 8 + sizeof(struct perf_event_attr) + 2 * 8 },
		{ 64, 8 + sizeof(struct perf_event_attr) + 8 },
		/* header, kind, id, name */
		{ 78, 8 + 8 + 8 + 8 }, { 78, 8 + 8 + 8 + 8 },
		/* header, number, hostname: length and 64 bytes, padding */
		{ 80, 8 + 8 + 4 + 64 + 4 },
		/* command line: number of strings, two strings */
		{ 80, 8 + 8 + 4 + 2 * (4 + 64) + 4 },
		/* events: number, size of attr; of each attr, number of ids, name, ids */
		{ 80, 8 + 8 + 8 + 2 * (sizeof(struct perf_event_attr) + 4 + 4 + 64) + 3 * 8 },
		{ PERF_RECORD_SAMPLE, sizeof(struct sample) },
	};
	struct perf_event_header h;
	size_t size, at = 16;
	unsigned char *f = make_stream(&size);
	unsigned int i;

	ok(!memcmp(f + OFF_MAGIC, "PERFILE2", 8), "the stream begins with the magic number");
	is_u64(word(f, OFF_SIZE), 16, "the header size marks a stream");
	for (i = 0; i < sizeof(want) / sizeof(*want) && at + sizeof(h) <= size; i++) {
		memcpy(&h, f + at, sizeof(h));
		is_u64(h.type, want[i].type, "type of record %u", i);
		is_u64(h.size, want[i].size, "size of record %u", i);
		if (i == 2) {
			is_u64(word(f, at + 8), 2, "the update is a name");
			is_u64(word(f, at + 16), 0xac01, "the event is identified by its first id");
			ok(!strcmp((char *)f + at + 24, "first"), "the name of the event");
		}
		if (i == 4)
			is_u64(word(f, at + 8), 3, "the feature is the hostname");
		at += h.size;
	}
	free(f);
}

/* A stream has no end marker: only one that ends within a record is known to be incomplete. */
static void test_every_stream_prefix(void)
{
	size_t size, n, next = 16, wrong = 0, opened = 0;
	unsigned char *f = make_stream(&size), *copy;
	struct perf_event_header h;
	struct pd_reader r;

	for (n = 0; n < size; n++) {
		bool border = n == next;

		if (border) {
			memcpy(&h, f + n, sizeof(h));
			next += h.size;
		}
		copy = malloc(n ? n : 1);
		memcpy(copy, f, n);
		if (!pd_reader_open_mem(&r, copy, n)) {
			wrong += r.truncated == border;
			opened++;
		} else {
			wrong += !r.error[0];
		}
		pd_reader_close(&r);
		free(copy);
	}
	is_u64(next, size, "the records end where the stream ends");
	ok(opened > size / 2, "most prefixes of a stream can be read (%zu of %zu)", opened, size);
	is_u64(wrong, 0, "those that end within a record are reported as incomplete");
	free(f);
}

/* A pipe is read like memory. */
static void test_pipe(void)
{
	struct pd_reader r;
	size_t size;
	unsigned char *f = make_stream(&size);
	int fds[2];

	if (pipe(fds) || write(fds[1], f, size) != (ssize_t)size)
		abort();
	close(fds[1]);
	is_u64(pd_reader_open_fd(&r, fds[0]), 0, "a stream from a pipe");
	is_u64(r.nr_records, 7 + 4, "all records");
	pd_reader_close(&r);
	close(fds[0]);
	free(f);
}

/* What a pipe has, instead of what is in it. */
static const unsigned char *in_pipe;
static size_t left_in_pipe;

/* Replaces that of the C library; a pipe may have less than is asked for, and use all the room. */
ssize_t read(int fd, void *buf, size_t size)
{
	size_t n = size > 1 ? size - 1 : size;

	if (!in_pipe)
		return syscall(SYS_read, fd, buf, size);
	if (n > left_in_pipe)
		n = left_in_pipe;
	memset(buf, 0xa5, size);
	memcpy(buf, in_pipe, n);
	in_pipe += n;
	left_in_pipe -= n;
	return n;
}

static void test_slow_pipe(void)
{
	const struct perf_event_header h = { .type = 0x7fffffff, .size = 60000 };
	const unsigned int nr = 50;
	size_t size;
	unsigned char *f = make_stream(&size);
	struct pd_reader r;
	unsigned int i;
	int fds[2];

	f = realloc(f, size + nr * h.size);
	for (i = 0; i < nr; i++, size += h.size) {
		memset(f + size, i, h.size);
		memcpy(f + size, &h, sizeof(h));
	}
	if (pipe(fds))
		abort();
	in_pipe = f;
	left_in_pipe = size;
	is_u64(pd_reader_open_fd(&r, fds[0]), 0, "a stream of which each read has a part");
	in_pipe = NULL;
	is_u64(r.nr_records, 7 + 4 + nr, "all records");
	ok(r.size == size && !memcmp(r.data, f, size), "and all bytes");
	pd_reader_close(&r);
	close(fds[0]);
	close(fds[1]);
	free(f);
}

/*
 * perf does not pad features and build-ids, so that records after them are not aligned.  In a file
 * they may also lie across two of the windows through which it is read.
 */
static void expect_odd(size_t feature_size, bool in_memory, const char *what)
{
	int fd = memfd_create("odd", 0);
	struct perf_event_header h = { .type = 80, .size = feature_size };
	struct sample s = make_sample(0xac01, 300);
	unsigned char *f = calloc(1, feature_size);
	struct pd_writer w;
	struct pd_sample got;
	struct pd_reader r;
	size_t size;

	set_attrs();
	memcpy(f, &h, sizeof(h));
	f[8] = PD_FEAT_CPUDESC;
	if (pd_stream_begin(&w, fd, events, 2) || pd_writer_put_record(&w, f, feature_size) ||
	    pd_writer_put_record(&w, &s, sizeof(s)))
		abort();
	free(f);
	pd_writer_free(&w);
	if (in_memory) {
		f = take_back(fd, &size);
		is_u64(pd_reader_open_mem(&r, f, size), 0, "%s: it opens", what);
	} else {
		f = NULL;
		is_u64(pd_reader_open_fd(&r, fd), 0, "%s: it opens", what);
		close(fd);
	}
	is_u64(r.nr_records, 4 + 2, "%s: all records", what);
	is_str(r.events[1].name, "second",
	       "%s: names do not need the section of events", what);
	ok(!((unsigned long)pd_reader_record(&r, 5) % 8), "%s: the record is aligned", what);
	ok(pd_reader_decode(&r, pd_reader_record(&r, 5), &got) && got.time == 300 &&
	   got.ip == 0x1234 && got.period == 7, "%s: the sample is read", what);
	pd_reader_close(&r);
	free(f);
}

static void test_odd_records(void)
{
	unsigned int i;

	expect_odd(84, true, "odd record in memory");
	expect_odd(84, false, "odd record in a file");
	/* windows are 16 KiB */
	for (i = 15816; i < 16316; i += 100)
		expect_odd(i + 4 - i % 8, false, "odd record before the next window");
}

static void expect_refused_stream(const char *what, unsigned int record, size_t at, __u32 value,
				  const char *message)
{
	struct perf_event_header h;
	struct pd_reader r;
	size_t size, start = 16;
	unsigned char *f = make_stream(&size);

	while (record--) {
		memcpy(&h, f + start, sizeof(h));
		start += h.size;
	}
	memcpy(f + start + at, &value, sizeof(value));
	is_u64(pd_reader_open_mem(&r, f, size), -EINVAL, "%s: refused", what);
	ok(strstr(r.error, message), "%s: the message names it (%s)", what, r.error);
	pd_reader_close(&r);
	free(f);
}

static void test_stream_damage(void)
{
	/* misc and size are 32 bits; an attr has its size 4 bytes behind the record's header */
	expect_refused_stream("a sample of odd size", 7, 4, (sizeof(struct sample) - 4) << 16,
			      "record of 52 bytes");
	expect_refused_stream("a feature of odd size", 4, 4, (8 + 8 + 4 + 64 - 2) << 16,
			      "record of 82 bytes");
	expect_refused_stream("a record of size 0", 7, 4, 0, "record of 0 bytes");
	expect_refused_stream("an event larger than its record", 0, 12, 4096, "not whole");
	expect_refused_stream("an event of 56 bytes", 1, 12, 56, "not whole");
	expect_refused_stream("tracepoints", 4, 0, 66, "tracepoints");
	expect_refused_stream("records not by zstd", 7, 0, 81, "compressed records");
}

/* The size of a record has 16 bits. */
static void test_stream_limits(void)
{
	__u64 *ids = calloc(8200, sizeof(*ids));
	struct pd_event many = { .name = "many", .ids = ids, .nr_ids = 8174 };
	int fd = memfd_create("many", 0);
	struct pd_writer w;

	/* 65535 - 8 - 128 = 65399: 8174 ids are 65392 bytes */
	is_u64(pd_stream_begin(&w, fd, &many, 1), 0, "an event with as many ids as fit");
	pd_writer_free(&w);
	many.nr_ids++;
	is_u64(-pd_stream_begin(&w, fd, &many, 1), E2BIG, "one more is refused");
	pd_writer_free(&w);
	close(fd);
	free(ids);
}

/* Records of an unfinished file before those of the recording: room, ids, events, names. */
#define NR_START	(1 + 2 + 2 + 2)

static void expect_unfinished(const char *what, unsigned char *f, size_t size, unsigned int start,
			      unsigned int records)
{
	struct pd_sample s;
	struct pd_reader r;
	unsigned int i;

	is_u64(pd_reader_open_mem(&r, f, size), 0, "%s: it opens", what);
	ok(r.unfinished, "%s: it is reported as unfinished", what);
	is_u64(r.nr_records, start + records, "%s: all whole records are read", what);
	is_u64(r.nr_events, 2, "%s: both events", what);
	for (i = 0; i < records; i++)
		ok(pd_reader_decode(&r, pd_reader_record(&r, start + i), &s) && s.time >= 100,
		   "%s: record %u", what, i);
	if (start)
		is_str(r.events[1].name, "second", "%s: name of the second event", what);
	pd_reader_close(&r);
}

static void test_unfinished(void)
{
	size_t size;
	unsigned char *f = make_file(&size, false), *whole;

	is_u64(word(f, OFF_SIZE), 16, "an unfinished file is a stream");
	expect_unfinished("unfinished", f, size, NR_START, 4);
	expect_unfinished("ends within a record", f, size - 8, NR_START, 3);
	free(f);

	/* killed before the final header: all but the features */
	whole = make_file(&size, true);
	memset(whole + OFF_FEATURES, 0, 32);
	expect_unfinished("without features", whole, size, 0, 4);
	/* by perf, which writes the size last */
	memset(whole + OFF_DATA + 8, 0, 8);
	expect_unfinished("without data size", whole, size, 0, 4);
	free(whole);
}

/* perf marks the end of a round with a record that has the type of the room, and no room. */
static void test_round_first(void)
{
	const struct perf_event_header round = { .type = 68, .size = 8 };
	size_t size;
	unsigned char *f = make_stream(&size), *longer = malloc(size + sizeof(round));

	memcpy(longer, f, 16);
	memcpy(longer + 16, &round, sizeof(round));
	memcpy(longer + 16 + sizeof(round), f + 16, size - 16);
	free(f);
	/* the round, and what is before the records of any stream */
	expect_recording("stream that begins with a round", longer, size + sizeof(round), 1 + 7);
}

/* A file that cannot be finished is the same as before, and can be written on. */
static void test_undo(void)
{
	int fd = memfd_create("perf.data", MFD_ALLOW_SEALING);
	unsigned char *before, *after;
	size_t size, size_after;
	struct pd_writer w;

	set_attrs();
	if (pd_writer_begin(&w, fd, events, events, 2) || put_records(&w))
		abort();
	before = take_back(dup(fd), &size);
	put_features(&w);
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_GROW))
		abort();
	is_u64(-pd_writer_finish(&w), EPERM, "a file that cannot grow is not finished");
	pd_writer_free(&w);
	after = take_back(fd, &size_after);
	ok(size == size_after && !memcmp(before, after, size), "it is as it was");
	free(before);
	free(after);
}

/* The part of a failed write that is in the file: whole records stay, the rest does not. */
static void test_torn(void)
{
	struct sample s[] = { make_sample(0xac01, 300), make_sample(0xac03, 400) };
	int fd = memfd_create("perf.data", 0), pipes[2];
	struct iovec iov = { s, sizeof(s) };
	unsigned char *f;
	struct rlimit limit, old;
	struct pd_writer w;
	size_t size;

	set_attrs();
	if (pd_writer_begin(&w, fd, events, events, 2) || put_records(&w))
		abort();
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = w.size + sizeof(*s) + 20;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	is_u64(-pd_writer_put(&w, &iov, 1), EFBIG, "a file at its limit");
	is_u64(w.torn, sizeof(*s) + 20, "it has a part of what was to be written");
	pd_writer_keep(&w, sizeof(*s));
	setrlimit(RLIMIT_FSIZE, &old);
	is_u64(lseek(fd, 0, SEEK_END), w.size, "the rest is removed");
	is_u64(pd_writer_put_record(&w, &s[1], sizeof(*s)), 0, "it can be written on");
	pd_writer_free(&w);
	f = take_back(fd, &size);
	expect_unfinished("once full", f, size, NR_START, 6);
	free(f);

	if (pipe(pipes))
		abort();
	signal(SIGPIPE, SIG_IGN);
	close(pipes[0]);
	is_u64(-pd_stream_begin(&w, pipes[1], events, 2), EPIPE, "a stream without a reader");
	pd_writer_keep(&w, 0);
	pd_writer_free(&w);
	close(pipes[1]);
}

/* Decode what a prefix of the file has; false if it is neither read nor refused with a message. */
static bool read_prefix(struct pd_reader *r, int err)
{
	struct pd_sample s;
	size_t i;

	if (err)
		return r->error[0];
	for (i = 0; i < r->nr_records; i++)
		pd_reader_decode(r, pd_reader_record(r, i), &s);
	return r->nr_records <= 4;
}

/*
 * No prefix of a file causes a crash or an access beyond its end, which the sanitizers detect, and
 * none is mistaken for the whole file, in memory or from a descriptor.  One with the final header
 * and all records is cut off, not unfinished.
 */
static void test_every_prefix(void)
{
	int fd = memfd_create("prefix", 0);
	struct pd_reader r, piecewise;
	size_t size, n, records_end, complete = 0, wrong = 0;
	unsigned char *f = make_file(&size, true), *copy;
	bool good = true;
	int err;

	records_end = word(f, OFF_DATA) + word(f, OFF_DATA + 8);
	if (write(fd, f, size) != (ssize_t)size)
		abort();
	for (n = size; n--;) {
		/* a copy of exactly this size, so that a sanitizer detects one byte too many */
		copy = malloc(n ? n : 1);
		memcpy(copy, f, n);
		if (ftruncate(fd, n))
			abort();
		err = pd_reader_open_mem(&r, copy, n);
		good &= read_prefix(&r, err);
		complete += !err && !r.truncated && !r.unfinished;
		wrong += n >= records_end && (err || !r.truncated || r.unfinished);
		good &= pd_reader_open_fd(&piecewise, fd) == err && read_prefix(&piecewise, err);
		good &= piecewise.truncated == r.truncated && piecewise.unfinished == r.unfinished;
		pd_reader_close(&piecewise);
		pd_reader_close(&r);
		free(copy);
	}
	ok(good, "all %zu prefixes are read, or refused with a message, in both ways", size);
	is_u64(complete, 0, "those that are read are reported as incomplete");
	ok(size - records_end > 500, "the features are long");
	is_u64(wrong, 0, "a file without the end of its features is cut off");
	close(fd);
	free(f);
}

/* A file larger than all windows, with records of all sizes and times out of order. */
static int make_large(struct pd_writer *w)
{
	unsigned char *body = calloc(1, 65536);
	int fd = memfd_create("large.data", 0);
	struct sample s;
	unsigned int i;

	if (pd_writer_begin(w, fd, events, events, 2))
		abort();
	for (i = 0; i < 20000; i++) {
		struct perf_event_header h = {
			.type = 0x7fffffff, .size = 8 + i * 40 % 65520 / 8 * 8,
		};

		s = make_sample(0xac01, 1000 + (i * 7919 % 20000));
		s.ip = i;
		if (pd_writer_put_record(w, &s, sizeof(s)))
			abort();
		/* records that lie across two windows, too */
		memcpy(body, &h, sizeof(h));
		if (i % 50 == 0 && pd_writer_put_record(w, body, h.size))
			abort();
	}
	pd_writer_feature_string(w, PD_FEAT_HOSTNAME, "box");
	pd_writer_feature_events(w, events, 2);
	if (pd_writer_finish(w))
		abort();
	free(body);
	return fd;
}

/* A file read piece by piece has the same records as in memory. */
static void test_pieces(void)
{
	struct pd_reader whole, pieces;
	unsigned char *data;
	struct pd_writer w;
	char text[64];
	size_t i, size, wrong = 0;
	int fd = make_large(&w);

	pd_writer_free(&w);
	size = lseek(fd, 0, SEEK_END);
	data = malloc(size);
	if (pread(fd, data, size, 0) != (ssize_t)size)
		abort();
	lseek(fd, 7, SEEK_SET);
	is_u64(pd_reader_open_mem(&whole, data, size), 0, "a large file in memory");
	is_u64(pd_reader_open_fd(&pieces, fd), 0, "the same from a descriptor");
	is_u64(lseek(fd, 0, SEEK_CUR), 7, "its position does not move");
	is_u64(pieces.nr_records, whole.nr_records, "they have the same number of records");
	for (i = 0; i < whole.nr_records && i < pieces.nr_records; i++) {
		const struct perf_event_header *a = pd_reader_record(&whole, i);
		const struct perf_event_header *b = pd_reader_record(&pieces, i);

		wrong += a->size != b->size || memcmp(a, b, a->size);
	}
	is_u64(wrong, 0, "all %zu records are equal and in the same order", i);
	is_u64(pd_reader_string(&pieces, PD_FEAT_HOSTNAME, text, sizeof(text)), 0, "hostname");
	is_str(text, "box", "the hostname that was written");
	is_u64(pd_reader_error(&pieces), 0, "everything could be read");

	/* truncate it after the index was made */
	if (ftruncate(fd, size / 2))
		abort();
	for (i = 0; i < pieces.nr_records; i++)
		wrong += pd_reader_record(&pieces, i)->size < sizeof(struct perf_event_header);
	is_u64(wrong, 0, "records that are gone are read as empty ones");
	is_u64(-pd_reader_error(&pieces), ENODATA, "the error is reported");
	pd_reader_close(&pieces);
	pd_reader_close(&whole);
	close(fd);
	free(data);
}

/* A record that changes after the file was opened does not lead to accesses beyond its end. */
static void test_changed(void)
{
	struct pd_reader r;
	size_t size;
	unsigned char *f = make_file(&size, true);
	struct perf_event_header bad = { PERF_RECORD_SAMPLE, 0, 0 };
	int fd = memfd_create("changed", 0);
	struct pd_sample s;
	size_t i, at;

	if (write(fd, f, size) != (ssize_t)size)
		abort();
	is_u64(pd_reader_open_fd(&r, fd), 0, "the file opens");
	is_u64(pd_reader_event_of(&r, 0xac03), 0, "an id of the first event");
	is_u64(pd_reader_event_of(&r, 0xac02), 1, "an id of the second event");
	is_u64(pd_reader_event_of(&r, 0xdead), (__u64)-1, "an id of no event");
	at = r.header.data.offset;
	pd_reader_close(&r);
	for (i = 0; i < 3; i++) {
		static const __u16 sizes[] = { 0, 7, 0xfff8 };

		pd_reader_open_fd(&r, fd);
		/* drop what is in memory, or the change is not seen */
		pd_windows_close(r.windows);
		r.windows = pd_windows_open(fd);
		bad.size = sizes[i];
		if (pwrite(fd, &bad, sizeof(bad), at) != sizeof(bad))
			abort();
		/* the first in the file is the last by time */
		pd_reader_decode(&r, pd_reader_record(&r, 3), &s);
		is_u64(-pd_reader_error(&r), EIO, "a record of %u bytes is detected", sizes[i]);
		pd_reader_close(&r);
		if (pwrite(fd, f, size, 0) != (ssize_t)size)
			abort();
	}
	close(fd);
	free(f);
}

static void expect_refused(const char *what, size_t at, __u64 value, const char *message)
{
	struct pd_reader r;
	size_t size;
	unsigned char *f = make_file(&size, true);
	int err;

	memcpy(f + at, &value, sizeof(value));
	err = pd_reader_open_mem(&r, f, size);
	is_u64(err, -EINVAL, "%s: refused", what);
	ok(strstr(r.error, message), "%s: the message names it (%s)", what, r.error);
	pd_reader_close(&r);
	free(f);
}

/* The message about a file that ends within its header has its actual size. */
static void test_short_files(void)
{
	static const struct {
		size_t size;
		const char *message;
	} cases[] = {
		{ 0, "only 0 bytes" }, { 15, "only 15 bytes" }, { 16, "only 16 bytes of 104" },
		{ 103, "only 103 bytes of 104" },
	};
	struct pd_reader r;
	unsigned int i;
	size_t size;
	unsigned char *f = make_file(&size, true);

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		is_u64(pd_reader_open_mem(&r, f, cases[i].size), -EINVAL, "%zu bytes: refused",
		       cases[i].size);
		ok(strstr(r.error, cases[i].message), "%zu bytes: the message has the size (%s)",
		   cases[i].size, r.error);
		pd_reader_close(&r);
	}
	free(f);
}

static void test_damage(void)
{
	unsigned char *f;
	size_t size;

	expect_refused("another magic number", OFF_MAGIC, 0, "PERFILE2");
	expect_refused("the other byte order", OFF_MAGIC, PD_MAGIC_SWAPPED, "byte order");
	expect_refused("a short header", OFF_SIZE, 96, "header of 96 bytes instead of 104");
	expect_refused("attr size 0", OFF_ATTR_SIZE, 0, "events of 0 bytes");
	expect_refused("attrs beyond the end", OFF_ATTRS, 1 << 20, "beyond the end");
	expect_refused("data beyond the end", OFF_DATA, 1 << 20, "beyond the end");
	expect_refused("data at an odd offset", OFF_DATA, 0x191, "beyond the end");
	expect_refused("ids beyond the end", 104 + ATTR, ~0ULL, "ids of event 0");
	f = make_file(&size, true);
	expect_refused("a record of size 0", word(f, OFF_DATA), PERF_RECORD_SAMPLE,
		       "record of 0 bytes");
	free(f);
}

/* Without IDENTIFIER the id lies between other fields, in the order of perf_event.h. */
static void test_id_without_identifier(void)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ID | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
	};
	struct {
		struct perf_event_header header;
		__u64 word[8];
	} rec = { .word = { 1, 2, 3, 4, 5, 6, 7, 8 } };
	struct pd_sample s = { 0 };
	__u64 id;

	rec.header.type = PERF_RECORD_SAMPLE;
	rec.header.size = 8 + 5 * 8;
	ok(pd_sample_id(&attr, &rec.header, &id), "a sample has an id");
	is_u64(id, 4, "it is behind ip, tid and time");
	ok(pd_sample_parse(&attr, &rec.header, &s), "the sample is complete");
	is_u64(s.time, 3, "its time");
	is_u64(s.cpu, 5, "its CPU");
	rec.header.type = PERF_RECORD_EXIT;
	rec.header.size = 8 + 8 * 8;
	ok(pd_sample_id(&attr, &rec.header, &id), "a record that is not a sample has an id");
	is_u64(id, 7, "it is before the CPU at the end");
	ok(pd_sample_parse(&attr, &rec.header, &s), "the record is complete");
	is_u64(s.time, 6, "its time");
	rec.header.size = 8 + 3 * 8;
	ok(!pd_sample_parse(&attr, &rec.header, &s),
	   "a record too short for its sample_id is refused");
}

/* READ and then CALLCHAIN follow the other fields; lengths are those of perf_event.h. */
static void test_chain(void)
{
	static const struct {
		__u64 read_format;
		unsigned int words;	/* of READ */
	} reads[] = {
		{ 0, 1 },
		{ PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
		  PERF_FORMAT_ID, 4 },
		{ 1 << 4, 2 },
		{ PERF_FORMAT_GROUP, 3 },
		{ PERF_FORMAT_GROUP | PERF_FORMAT_ID, 5 },
		{ PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_RUNNING, 6 },
	};
	struct {
		struct perf_event_header header;
		__u64 word[16];
	} rec;
	unsigned int i, k;

	for (i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
		struct perf_event_attr attr = {
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN,
			.read_format = reads[i].read_format,
		};
		struct pd_sample s = { 0 };

		/* two events in a group; a chain of three */
		for (k = 0; k < 16; k++)
			rec.word[k] = 2;
		k = 1 + reads[i].words;
		rec.word[k] = 3;
		rec.word[k + 1] = PERF_CONTEXT_USER;
		rec.word[k + 3] = 0x77;
		rec.header.type = PERF_RECORD_SAMPLE;
		rec.header.size = 8 + (k + 4) * 8;
		ok(pd_sample_parse(&attr, &rec.header, &s), "read_format %#llx: complete",
		   reads[i].read_format);
		ok(s.fields & PERF_SAMPLE_CALLCHAIN && s.nr_chain == 3 &&
		   s.chain[0] == (__u64)PERF_CONTEXT_USER && s.chain[2] == 0x77, "its chain");
		rec.word[k] = 4;
		memset(&s, 0, sizeof(s));
		ok(!pd_sample_parse(&attr, &rec.header, &s) && !s.nr_chain, "one frame too many");
		rec.word[k] = ~0ULL;
		ok(!pd_sample_parse(&attr, &rec.header, &s), "far too many");
		rec.header.size = 8 + k * 8;
		ok(!pd_sample_parse(&attr, &rec.header, &s), "it ends before the chain");
		if (!(reads[i].read_format & PERF_FORMAT_GROUP))
			continue;
		rec.word[1] = 1ULL << 60;
		ok(!pd_sample_parse(&attr, &rec.header, &s), "a group of any size");
	}
}

/* An element of the build-id table, from tools/perf/Documentation/perf.data-file-format.txt. */
struct id_entry {
	struct perf_event_header header;
	__s32 pid;
	__u8 id[20], size, reserved[3];
	char name[16];
};

#define ID_HEADER(misc)	{ 67, misc, sizeof(struct id_entry) }

/* With bit 15 of misc, an entry has the size of its id. */
static const struct id_entry id_entries[] = {
	{ ID_HEADER(2), -1, { 0xa1, [19] = 0xa2 }, 9, { 0 }, "/bin/prog" },
	{ ID_HEADER(1 | 0x8000), -1, { 0xb1, [7] = 0xb2 }, 8, { 0 }, "/boot" },
	{ ID_HEADER(2), -1, { 0xc1 }, 0, { 0 }, "no end of a name" },
	{ ID_HEADER(2 | 0x8000), -1, { 0xd1, [19] = 0xd2 }, 24, { 0 }, "/lib" },
};

struct id_list {
	unsigned int nr, nr_wanted;
	char text[256];
};

static int list_id(void *arg, const __u8 *id, unsigned int size, const char *name)
{
	struct id_list *list = arg;
	size_t len = strlen(list->text);

	snprintf(list->text + len, sizeof(list->text) - len, "%s %u %02x %02x\n", name, size, id[0],
		 id[size - 1]);
	return ++list->nr == list->nr_wanted ? 7 : 0;
}

static void expect_ids(const char *kind, int fd)
{
	struct id_list all = { 0 }, one = { .nr_wanted = 1 };
	struct pd_reader r;
	unsigned char *f;
	size_t size;

	f = take_back(fd, &size);
	if (pd_reader_open_mem(&r, f, size))
		abort();
	is_u64(pd_reader_build_ids(&r, list_id, &all), 0, "%s: build-ids are read", kind);
	is_str(all.text, "/bin/prog 20 a1 a2\n/boot 8 b1 b2\n/lib 20 d1 d2\n",
	       "each with its file");
	is_u64(pd_reader_build_ids(&r, list_id, &one), 7, "until one is the last");
	is_u64(one.nr, 1, "and no further");
	pd_reader_close(&r);
	free(f);
}

static void test_build_ids(void)
{
	int fd = memfd_create("perf.data", 0);
	struct pd_writer w;
	unsigned int i;

	set_attrs();
	if (pd_writer_begin(&w, fd, events, events, 2) || put_records(&w))
		abort();
	put_features(&w);
	pd_blob_put(pd_writer_feature(&w, PD_FEAT_BUILD_ID), id_entries, sizeof(id_entries));
	if (pd_writer_finish(&w))
		abort();
	pd_writer_free(&w);
	expect_ids("table", fd);

	fd = memfd_create("stream", 0);
	if (pd_stream_begin(&w, fd, events, 2))
		abort();
	put_features(&w);
	if (pd_stream_features(&w) || put_records(&w))
		abort();
	for (i = 0; i < 4; i++) {
		if (pd_writer_put_record(&w, &id_entries[i], sizeof(id_entries[i])))
			abort();
	}
	pd_writer_free(&w);
	expect_ids("stream", fd);
}

/* A sample must be of an event of the file; records that a tool adds have id 0. */
static void test_unknown_id(void)
{
	const struct sample known = make_sample(0xac02, 300), unknown = make_sample(0xdead, 100);
	struct comm c = {
		.header = { PERF_RECORD_COMM, 0, sizeof(c) }, .comm = "prog", .time = 200,
	};
	int fd = memfd_create("unknown", 0);
	struct pd_reader r;
	struct pd_sample s;
	unsigned char *f;
	struct pd_writer w;
	size_t size;

	set_attrs();
	if (pd_stream_begin(&w, fd, events, 2) || pd_writer_put_record(&w, &c, sizeof(c)) ||
	    pd_writer_put_record(&w, &unknown, sizeof(unknown)) ||
	    pd_writer_put_record(&w, &known, sizeof(known)))
		abort();
	pd_writer_free(&w);
	f = take_back(fd, &size);
	if (pd_reader_open_mem(&r, f, size))
		abort();
	/* two events and their names come first */
	is_u64(r.nr_records, 4 + 3, "records of unknown events are there");
	ok(!pd_reader_decode(&r, pd_reader_record(&r, 4), &s), "a sample of another event is none");
	ok(pd_reader_decode(&r, pd_reader_record(&r, 5), &s) && !s.event,
	   "a name with id 0 is read as the first event's");
	is_u64(s.time, 200, "with its time");
	ok(pd_reader_decode(&r, pd_reader_record(&r, 6), &s) && s.event == 1,
	   "a sample of the second event");
	pd_reader_close(&r);
	free(f);
}

int main(void)
{
	plan(0);
	test_layout();
	test_stream_layout();
	test_read_back();
	test_unfinished();
	test_round_first();
	test_undo();
	test_torn();
	test_every_prefix();
	test_every_stream_prefix();
	test_pipe();
	test_slow_pipe();
	test_odd_records();
	test_stream_damage();
	test_stream_limits();
	test_pieces();
	test_changed();
	test_damage();
	test_short_files();
	test_id_without_identifier();
	test_chain();
	test_build_ids();
	test_unknown_id();
	return done();
}
