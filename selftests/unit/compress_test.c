// SPDX-License-Identifier: GPL-2.0-only
/* Compressed records: reading back ours and those in perf's forms, and refusing what is damaged. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "tap.h"
#include "userspace/perfdata/compress.h"
#include "userspace/perfdata/reader.h"

#define NR_SAMPLES	5000
#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME)

struct sample {
	struct perf_event_header header;
	__u64 id, ip, time;
};

static const __u64 ids[] = { 7 };

static struct pd_event event = {
	.attr = { .sample_type = SAMPLE_TYPE, .sample_id_all = 1 },
	.name = "event", .ids = ids, .nr_ids = 1,
};

/* Addresses that do not repeat, so that a record of the file holds few samples. */
static struct sample make_sample(unsigned int i)
{
	return (struct sample){
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(struct sample) },
		.id = 7, .ip = i * 0x9e3779b97f4a7c15ULL, .time = i + 1,
	};
}

static struct sample *make_samples(unsigned int nr)
{
	struct sample *s = calloc(nr, sizeof(*s));
	unsigned int i;

	for (i = 0; i < nr; i++)
		s[i] = make_sample(i);
	return s;
}

/* Check that a file has these samples and no other record but marks; closes it. */
static void check_samples(int fd, unsigned int nr, const char *name)
{
	unsigned int found = 0, wrong = 0;
	struct pd_reader r;
	struct pd_sample s;
	size_t i;

	is_u64(pd_reader_open_fd(&r, fd), 0, "%s: it is read (%s)", name, r.error);
	for (i = 0; i < r.nr_records; i++) {
		const struct perf_event_header *h = pd_reader_record(&r, i);

		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		wrong += !pd_reader_decode(&r, h, &s) || s.time != found + 1 ||
			 s.ip != found * 0x9e3779b97f4a7c15ULL;
		found++;
	}
	is_u64(found, nr, "%s: all samples are there", name);
	is_u64(wrong, 0, "%s: in their order, unchanged", name);
	is_u64(pd_reader_error(&r), 0, "%s: nothing was unreadable", name);
	ok(!r.truncated, "%s: nothing is missing", name);
	pd_reader_close(&r);
	close(fd);
}

static int begin_stream(struct pd_writer *w)
{
	int fd = memfd_create("stream", 0);

	if (pd_stream_begin(w, fd, &event, 1))
		abort();
	return fd;
}

static void put_mark(struct pd_writer *w)
{
	struct perf_event_header mark = { PD_RECORD_FINISHED_ROUND, 0, sizeof(mark) };

	pd_writer_put_record(w, &mark, sizeof(mark));
}

/* Sizes and types of the records of a stream, without the reader. */
static void check_form(int fd)
{
	size_t size = lseek(fd, 0, SEEK_END), at = PD_PIPE_HEADER_SIZE, nr = 0, odd = 0, plain = 0;
	unsigned char *data = malloc(size);
	struct perf_event_header h;

	if (pread(fd, data, size, 0) != (ssize_t)size)
		abort();
	for (; at + sizeof(h) <= size && (memcpy(&h, data + at, sizeof(h)), h.size); at += h.size) {
		nr += h.type == 81;
		plain += h.type == PERF_RECORD_SAMPLE;
		odd += h.size % 8;
	}
	is_u64(at, size, "the stream consists of whole records");
	ok(nr > 4, "of which several are of type 81 (%zu)", nr);
	is_u64(odd, 0, "all of multiples of 8 bytes");
	is_u64(plain, 0, "and no sample is outside them");
	ok(size < NR_SAMPLES * sizeof(struct sample) * 2 / 3, "it is smaller: %zu bytes", size);
	free(data);
}

/* @step: bytes of each call, which need not be whole records */
static void test_stream(size_t step)
{
	struct sample *s = make_samples(NR_SAMPLES);
	size_t at, part, size = NR_SAMPLES * sizeof(*s);
	struct pd_compress *c;
	struct pd_writer w;
	struct iovec iov;
	int fd, err = 0;
	char name[64];

	fd = begin_stream(&w);
	is_u64(pd_compress_begin(&c, PD_LEVEL_DEFAULT), 0, "compression begins");
	for (at = 0; !err && at < size; at += part) {
		part = step < size - at ? step : size - at;
		iov = (struct iovec){ (char *)s + at, part };
		err = pd_compress_put(c, &w, &iov, 1);
		put_mark(&w);
	}
	is_u64(err, 0, "%zu bytes at once are written", step);
	pd_compress_end(c);
	if (step > 32768)
		check_form(fd);
	snprintf(name, sizeof(name), "a stream compressed in pieces of %zu", step);
	check_samples(fd, NR_SAMPLES, name);
	free(s);
}

static void test_file(void)
{
	struct sample *s = make_samples(NR_SAMPLES);
	struct iovec iov[2] = { { s, 1000 }, { (char *)s + 1000, NR_SAMPLES * sizeof(*s) - 1000 } };
	int fd = memfd_create("file", 0);
	const __u32 *feature;
	struct pd_compress *c;
	struct pd_section sec;
	struct pd_writer w;
	struct pd_reader r;

	if (pd_writer_begin(&w, fd, &event, &event, 1) || pd_compress_begin(&c, 3) ||
	    pd_compress_put(c, &w, iov, 2))
		abort();
	pd_compress_feature(c, &w);
	is_u64(pd_writer_finish(&w), 0, "a compressed file is finished");
	pd_writer_free(&w);
	pd_compress_end(c);
	pd_reader_open_fd(&r, fd);
	ok(pd_reader_section(&r, PD_FEAT_COMPRESSED, &sec) && sec.size == 20,
	   "it has the feature that perf needs");
	feature = mmap(NULL, sec.offset + sec.size, PROT_READ, MAP_SHARED, fd, 0);
	feature += sec.offset / sizeof(*feature);
	is_u64(feature[0], 1, "version 1 of it");
	is_u64(feature[1], 1, "for zstd");
	is_u64(feature[2], 3, "level 3");
	ok(feature[3] >= 1, "a ratio");
	is_u64(feature[4], 32768, "and the most that a record holds");
	pd_reader_close(&r);
	check_samples(fd, NR_SAMPLES, "a compressed file");
	free(s);
}

/* Whatever the size of the file, what it ends with is read. */
static void test_odd_size(void)
{
	struct sample *s = make_samples(100);
	struct iovec iov = { s, 100 * sizeof(*s) };
	unsigned char sizes = 0;
	unsigned int len;

	for (len = 1; len <= 8; len++) {
		int fd = memfd_create("odd", 0);
		char text[16] = "";
		struct pd_compress *c;
		struct pd_writer w;
		struct pd_reader r;
		struct pd_blob *b;
		unsigned char *data;
		size_t size;

		if (pd_writer_begin(&w, fd, &event, &event, 1) || pd_compress_begin(&c, 3) ||
		    pd_compress_put(c, &w, &iov, 1))
			abort();
		pd_compress_end(c);
		b = pd_writer_feature(&w, PD_FEAT_HOSTNAME);
		pd_blob_put_u32(b, len);
		pd_blob_put(b, "1234567", len - 1);
		pd_blob_put(b, "", 1);
		if (pd_writer_finish(&w))
			abort();
		pd_writer_free(&w);
		size = lseek(fd, 0, SEEK_END);
		sizes |= 1 << size % 8;
		data = malloc(size);
		if (pread(fd, data, size, 0) != (ssize_t)size)
			abort();
		is_u64(pd_reader_open_mem(&r, data, size), 0, "a file of %zu bytes", size);
		is_u64(r.nr_records, 100, "its records");
		is_u64(pd_reader_string(&r, PD_FEAT_HOSTNAME, text, sizeof(text)), 0,
		       "the string at its end");
		is_u64(strlen(text), len - 1, "all of it");
		pd_reader_close(&r);
		free(data);
		close(fd);
	}
	is_u64(sizes, 0xff, "sizes of all kinds");
	free(s);
}

/* One compressed record with @size bytes of @data, in the form of perf 6.1 or later than 6.15. */
static void put_perf(struct pd_writer *w, const void *data, size_t size, __u32 type)
{
	struct {
		struct perf_event_header header;
		unsigned char body[65536 - sizeof(struct perf_event_header)];
	} record = { .header.type = type };
	size_t at = type == 81 ? 0 : sizeof(__u64);
	__u64 n = ZSTD_compress(record.body + at, 60000, data, size, 1);

	if (ZSTD_isError(n))
		abort();
	if (type == 83)
		memcpy(record.body, &n, sizeof(n));
	n += at;
	record.header.size = sizeof(record.header) + (type == 81 ? n : (n + 7) / 8 * 8);
	pd_writer_put_record(w, &record, record.header.size);
}

static void test_perf(__u32 type)
{
	struct sample *s = make_samples(103);
	struct pd_writer w;
	int fd = begin_stream(&w);

	/* a sample in the middle is in two records, with a mark between them */
	put_perf(&w, s, 1001, type);
	put_mark(&w);
	put_perf(&w, (char *)s + 1001, 103 * sizeof(*s) - 1001, type);
	check_samples(fd, 103, type == 81 ? "perf's records of 81" : "perf's records of 83");
	free(s);
}

/* Open what is refused; closes it. */
static void check_refused(int fd, const char *why, const char *name)
{
	struct pd_reader r;

	is_u64(pd_reader_open_fd(&r, fd), -EINVAL, "%s: refused", name);
	ok(strstr(r.error, why), "%s: the message names it (%s)", name, r.error);
	pd_reader_close(&r);
	close(fd);
}

static void test_refused(void)
{
	const struct perf_event_header zero = { 0 };
	const struct perf_event_header nested = { PD_RECORD_COMPRESSED, 0, sizeof(nested) };
	struct sample s = make_sample(0);
	struct perf_event_header *many;
	struct pd_writer w;
	size_t i, nr = 1 << 20;
	__u64 huge = 1 << 20, at;
	int fd;

	fd = begin_stream(&w);
	put_perf(&w, &zero, sizeof(zero), 81);
	check_refused(fd, "with 0 bytes", "a record of size 0 inside");
	fd = begin_stream(&w);
	put_perf(&w, &nested, sizeof(nested), 81);
	check_refused(fd, "type 81", "a compressed record inside");
	fd = begin_stream(&w);
	at = w.size;
	put_perf(&w, &s, sizeof(s), 83);
	/* its last record is this one: the size of its contents follows the header */
	pwrite(fd, &huge, sizeof(huge), at + sizeof(struct perf_event_header));
	check_refused(fd, "compressed records of 1048576 bytes", "more contents than the record");
	many = calloc(nr, sizeof(*many));
	for (i = 0; i < nr; i++)
		many[i] = (struct perf_event_header){ PD_RECORD_FINISHED_ROUND, 0, sizeof(*many) };
	fd = begin_stream(&w);
	put_perf(&w, many, nr * sizeof(*many), 81);
	check_refused(fd, "become more than", "8 MiB in a few hundred bytes");
	free(many);
}

/* What was compressed before the damage stays readable where the file was not closed. */
static void test_cut(void)
{
	struct sample *s = make_samples(2000);
	struct iovec first = { s, 1000 * sizeof(*s) }, rest = { s + 1000, 1000 * sizeof(*s) };
	int fd = memfd_create("cut", 0);
	struct pd_compress *c;
	struct pd_writer w;
	struct pd_reader r;
	__u64 begin, whole;

	if (pd_writer_begin(&w, fd, &event, &event, 1) || pd_compress_begin(&c, 1))
		abort();
	begin = w.size;
	if (pd_compress_put(c, &w, &first, 1))
		abort();
	whole = w.size;
	pd_compress_put(c, &w, &rest, 1);
	pd_compress_end(c);
	pd_writer_free(&w);
	if (ftruncate(fd, whole + 100))
		abort();
	is_u64(pd_reader_open_fd(&r, fd), 0, "a file cut off in a compressed record is read");
	ok(r.truncated && r.unfinished, "as one that is not whole");
	/* the event and room for the header are records, too */
	ok(r.nr_records > 1000 && r.nr_records < 1010, "with what came before (%zu records)",
	   r.nr_records);
	pd_reader_close(&r);
	if (pwrite(fd, "damaged", 7, begin + sizeof(struct perf_event_header)) != 7)
		abort();
	is_u64(pd_reader_open_fd(&r, fd), 0, "and so is one with damage");
	ok(r.truncated && r.nr_records < 10, "as far as it can be");
	pd_reader_close(&r);
	close(fd);
	free(s);
}

static void test_full(void)
{
	struct sample s = make_sample(0);
	struct iovec iov = { &s, sizeof(s) };
	struct pd_compress *c;
	struct pd_writer w;
	int fd = begin_stream(&w), full = open("/dev/full", O_WRONLY);
	__u64 size = w.size;

	pd_compress_begin(&c, 1);
	w.fd = full;
	is_u64(pd_compress_put(c, &w, &iov, 1), -ENOSPC, "a full disk is reported");
	is_u64(w.torn, 0, "of what was compressed, nothing is in the file");
	is_u64(w.size, size, "which ends where it did");
	pd_compress_end(c);
	close(full);
	close(fd);
}

static void test_no_room(void)
{
	struct sample s = make_sample(0);
	struct pd_writer w;
	struct pd_reader r;
	int fd = begin_stream(&w);

	put_perf(&w, &s, sizeof(s), 81);
	setenv("TMPDIR", "/nonexistent", 1);
	is_u64(pd_reader_open_fd(&r, fd), -ENOENT, "without room for the copy it is refused");
	ok(strstr(r.error, "set TMPDIR"), "with a remedy (%s)", r.error);
	unsetenv("TMPDIR");
	pd_reader_close(&r);
	close(fd);
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	plan(0);
	test_stream(1 << 20);
	test_stream(4096);
	test_stream(37);
	test_file();
	test_odd_size();
	test_perf(81);
	test_perf(83);
	test_refused();
	test_cut();
	test_full();
	test_no_room();
	return done();
}
