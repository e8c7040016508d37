// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzing the reader of perf.data: any bytes are refused or played back without a crash. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "userspace/acrctl/frame.h"
#include "userspace/perfdata/compress.h"

#define SEVERAL	7

#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* samples in all files so far */
static unsigned long samples;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(struct view *v, const struct pd_sample *s)
{
	struct frame_walk w = { 0 };
	struct sym_location loc;

	while (frame_next(s, &w))
		frame_resolve(v, s, &w, false, &loc);
}

/* @max: samples to read at once, in any order if there are several; returns their number */
static unsigned long play(struct view *v, size_t max)
{
	struct pd_sample s[SEVERAL];
	unsigned long nr = 0;
	size_t i, some;
	char text[64];

	pd_reader_cmdline(&v->reader, text, sizeof(text));
	if (max > 1)
		pd_reader_any_order(&v->reader);
	while ((some = max > 1 ? view_next_some(v, s, max) : view_next(v, s))) {
		nr += some;
		for (i = 0; i < some; i++) {
			sym_space_comm_of(&v->space, s[i].pid, s[i].tid);
			sym_space_dso_of(&v->space, view_is_kernel(&s[i]), s[i].pid, s[i].ip);
			walk(v, &s[i]);
		}
	}
	return nr;
}

/* Play it from a descriptor, piece by piece, and several samples at once. */
static unsigned long play_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	struct view v = { 0 };
	unsigned long nr = 0;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	lseek(fd, 0, SEEK_SET);
	if (!pd_reader_open_fd(&v.reader, fd) && !view_begin(&v))
		nr = play(&v, SEVERAL);
	view_end(&v);
	close(fd);
	return nr;
}

/**
 * LLVMFuzzerTestOneInput() - play a file back without reading symbols
 *
 * Return: 0.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct view v = { 0 };
	unsigned long nr = 0;
	void *copy;

	/* aligned and of exactly this size, so that a sanitizer detects one byte too many */
	copy = malloc(size ? size : 1);
	memcpy(copy, data, size);
	if (!pd_reader_open_mem(&v.reader, copy, size) && !view_begin(&v))
		nr = play(&v, 1);
	view_end(&v);
	if (play_file(copy, size) != nr)
		abort();
	samples += nr;
	free(copy);
	return 0;
}

#ifndef FUZZ_WITH_LIBFUZZER

#define MAX_SIZE	4096
#define MAX_CHANGES	8
#define DEFAULT_RUNS	1000000UL

static uint64_t random_state;

/* xorshift64*: a seed repeats its run */
static uint64_t next_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL;
}

/* of the seed that is made, NULL: its records are not compressed */
static struct pd_compress *compress;

static void put_record(struct pd_writer *w, uint32_t type, uint16_t misc, const uint64_t *body,
		       unsigned int nr)
{
	struct perf_event_header h = { type, misc, sizeof(h) + nr * sizeof(*body) };

	const struct iovec iov[] = { { &h, sizeof(h) }, { (void *)body, nr * sizeof(*body) } };

	/* one compressed record has the header, and the next one the rest */
	pd_compress_put(compress, w, iov, nr ? 2 : 1);
}

static void put_features(struct pd_writer *w, const struct pd_event *events)
{
	struct pd_blob *b;

	pd_writer_feature_events(w, events, 2);
	b = pd_writer_feature(w, PD_FEAT_CMDLINE);
	pd_blob_put_u32(b, 1);
	pd_blob_put_string(b, "acrctl");
	b = pd_writer_feature(w, PD_FEAT_GROUP_DESC);
	pd_blob_put_u32(b, 1);
	pd_blob_put_string(b, "g");
	pd_blob_put_u32(b, 0);
	pd_blob_put_u32(b, 2);
	b = pd_writer_feature(w, PD_FEAT_BUILD_ID);
	pd_blob_put(b, &(struct pd_build_id_entry){ .header.size = sizeof(struct pd_build_id_entry)
		    + PD_STRING_ALIGN }, sizeof(struct pd_build_id_entry));
	pd_blob_put_padded(b, "/a", PD_STRING_ALIGN);
}

enum kind { FILE_SEED, STREAM_SEED, UNFINISHED_SEED, COMPRESSED_SEED, NR_SEEDS };

/* Make a small recording with every kind of record that is played back. */
static size_t make_seed(unsigned char *out, enum kind kind)
{
	static const __u64 ids[] = { 1, 2 };
	struct pd_event events[2] = {
		{ .name = "a", .ids = ids, .nr_ids = 1 },
		{ .name = "b", .ids = ids + 1, .nr_ids = 1 },
	};
	/* fields, then five times 64 bits of sample_id */
	const uint64_t comm[] = { 5, 0x676f7270, 5, 1, 0, 0, 1 };
	const uint64_t fork[] = { 5ULL << 32 | 6, 5ULL << 32 | 6, 0, 6, 2, 0, 0, 2 };
	const uint64_t map[] = { 5, 0x1000, 0x1000, 0, 0, 0, 0, 5, 0x612f, 5, 1, 0, 0, 1 };
	const uint64_t map1[] = { ~0ULL, 0x8000, 0x1000, 0, 0x5d6b5b, 5, 1, 0, 0, 1 };
	const uint64_t exit[] = { 5ULL << 32 | 6, 5ULL << 32 | 6, 9, 6, 9, 0, 0, 2 };
	const uint64_t lost[] = { 1, 3, 5, 3, 0, 0, 1 };
	const uint64_t sample[] = { 2, 0x1800, 5ULL << 32 | 5, 4, 0, 100 };
	const uint64_t chain[] = { 1, 0x1800, 5ULL << 32 | 5, 4, 0, 100,
				   5, PERF_CONTEXT_KERNEL, 0x8010, PERF_CONTEXT_USER,
				   0x1800, 0x1900 };
	/* a build-id and the name /a */
	const uint64_t id[] = { ~0ULL, 0, 0x1400000000, 0x612f00000000 };
	int fd = memfd_create("seed", 0);
	struct pd_writer w;
	unsigned int i;
	ssize_t n;

	for (i = 0; i < 2; i++) {
		events[i].attr.sample_type = SAMPLE_TYPE;
		events[i].attr.sample_id_all = 1;
	}
	events[0].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (kind == COMPRESSED_SEED)
		pd_compress_begin(&compress, 1);
	if (kind == STREAM_SEED) {
		pd_stream_begin(&w, fd, events, 2);
		put_features(&w, events);
		pd_stream_features(&w);
		put_record(&w, PD_RECORD_BUILD_ID, PERF_RECORD_MISC_USER, id, 4);
	} else {
		pd_writer_begin(&w, fd, events, events, 2);
		put_features(&w, events);
	}
	put_record(&w, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, comm, 7);
	put_record(&w, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PD_MISC_BUILD_ID, map, 14);
	put_record(&w, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, map1, 10);
	put_record(&w, PERF_RECORD_FORK, 0, fork, 8);
	put_record(&w, PERF_RECORD_LOST, 0, lost, 7);
	put_record(&w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sample, 6);
	put_record(&w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, sample, 6);
	put_record(&w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, chain, 12);
	put_record(&w, PERF_RECORD_EXIT, 0, exit, 8);
	put_record(&w, PD_RECORD_FINISHED_ROUND, 0, NULL, 0);
	if (kind == FILE_SEED || kind == COMPRESSED_SEED)
		pd_writer_finish(&w);
	pd_compress_end(compress);
	compress = NULL;
	pd_writer_free(&w);
	n = pread(fd, out, MAX_SIZE, 0);
	close(fd);
	return n < 0 ? 0 : n;
}

static void change(unsigned char *data, size_t *size)
{
	static const uint64_t edges[] = { 0, 1, 7, 8, 16, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff,
					  1ULL << 63, ~0ULL, ~0ULL - 7 };
	uint64_t r = next_random(), value = edges[r >> 32 & 7] + (r >> 40 & 15);
	size_t at = r % *size, width = 1ULL << (r >> 60 & 3), from;

	switch (r >> 56 & 7) {
	case 0:
		*size = at + 1;
		break;
	case 1:
	case 2:
		data[at] ^= 1 << (r >> 48 & 7);
		break;
	case 3:
		/* copy from elsewhere in the file */
		from = (r >> 16) % *size;
		if (width >= *size - at || width >= *size - from)
			width = 1;
		memmove(data + at, data + from, width);
		break;
	default:
		at &= ~(width - 1);
		if (at + width <= *size)
			memcpy(data + at, &value, width);
	}
}

static int write_seeds(const char *dir)
{
	unsigned char seed[MAX_SIZE];
	char path[4096];
	unsigned int k;
	size_t size;
	FILE *f;

	for (k = 0; k < NR_SEEDS; k++) {
		snprintf(path, sizeof(path), "%s/%u", dir, k);
		size = make_seed(seed, k);
		f = fopen(path, "w");
		if (!f || fwrite(seed, 1, size, f) != size || fclose(f))
			return 1;
	}
	return 0;
}

/**
 * main() - damage recordings at random; arguments: runs (1000000), seed (1), or --seeds and a
 * directory for the recordings
 *
 * Return: 0 if nothing crashed.
 */
int main(int argc, char **argv)
{
	unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : DEFAULT_RUNS, i;
	unsigned char seeds[NR_SEEDS][MAX_SIZE], data[MAX_SIZE];
	size_t seed_size[NR_SEEDS], size;
	unsigned int k;

	if (argc == 3 && !strcmp(argv[1], "--seeds"))
		return write_seeds(argv[2]);
	random_state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	printf("1..2\n");
	for (k = 0; k < NR_SEEDS; k++) {
		seed_size[k] = make_seed(seeds[k], k);
		LLVMFuzzerTestOneInput(seeds[k], seed_size[k]);
	}
	printf("%sok 1 - undamaged recordings of each form have three samples\n",
	       samples == 3 * NR_SEEDS ? "" : "not ");
	for (i = 0; i < runs; i++) {
		size = seed_size[i % NR_SEEDS];
		memcpy(data, seeds[i % NR_SEEDS], size);
		for (k = next_random() % MAX_CHANGES + 1; k; k--)
			change(data, &size);
		LLVMFuzzerTestOneInput(data, size);
	}
	printf("ok 2 - %lu damaged files are read or refused, %lu samples found\n", runs,
	       samples);
	return samples < 3 * NR_SEEDS;
}

#endif
