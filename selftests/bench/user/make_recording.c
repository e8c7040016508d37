// SPDX-License-Identifier: GPL-2.0-only
/* Writes a large recording as acrctl would: samples of functions of a program, on many CPUs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userspace/perfdata/writer.h"
#include "userspace/symbols/elf_file.h"

#define SAMPLE_ID	1
#define SIDEBAND_ID	2
#define PERIOD		100000
#define CPUS		16
#define NR_PROCESSES	8
#define NR_THREADS	5	/* of each */
#define FIRST_PID	1000
#define BASE		0x555555554000ULL
#define START_NS	1000000000ULL
#define STEP_NS		60000
#define RING_SAMPLES	256	/* of a CPU in each round */
#define SLICE_SAMPLES	(10 * CPUS)	/* of all CPUs before another thread runs */
#define NR_STACKS	20000
#define MAX_DEPTH	24
#define NR_SPOTS	16	/* addresses of a function that are sampled */

/* Callers of a sample, innermost first, with its function in front. */
struct stack {
	const struct sym_symbol *function;
	unsigned int nr;
	__u64 callers[MAX_DEPTH];
};

static struct sym_elf elf;
static struct stack stacks[NR_STACKS];
static struct pd_writer writer;
static struct pd_blob out;

static unsigned int any(unsigned int below)
{
	static __u64 state = 20260101;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % below;
}

/* Small numbers are much more frequent, as hot functions are. */
static unsigned int any_skewed(unsigned int below)
{
	unsigned int bits = 1;

	while (below >> bits)
		bits++;
	return any(1U << any(bits + 1)) % below;
}

static __u64 address_in(const struct sym_symbol *s, unsigned int spot)
{
	return BASE + s->start - elf.base + (s->end - s->start) * spot / NR_SPOTS;
}

/* Not those of the compiler: one of them seems to be where calls of shared libraries are. */
static const struct sym_symbol *any_function(void)
{
	const struct sym_symbol *s;

	/* neighbours are not alike */
	do {
		s = &elf.table.symbols[any_skewed(elf.table.nr) * 7919ULL % elf.table.nr];
	} while (*sym_table_name(&elf.table, s) == '_');
	return s;
}

/* A tree of calls: each stack goes on from an earlier one. */
static void make_stacks(void)
{
	unsigned int i;

	for (i = 0; i < NR_STACKS; i++) {
		const struct stack *from = i ? &stacks[any(i)] : NULL;
		struct stack *s = &stacks[i];

		s->function = any_function();
		if (!from)
			continue;
		s->callers[s->nr++] = address_in(from->function, any(NR_SPOTS - 1) + 1);
		for (; s->nr < MAX_DEPTH && s->nr <= from->nr; s->nr++)
			s->callers[s->nr] = from->callers[s->nr - 1];
	}
}

static void end_sideband(size_t at, __u32 pid)
{
	pd_blob_put_u32(&out, pid);
	pd_blob_put_u32(&out, pid);
	pd_blob_put_u64(&out, START_NS);
	pd_blob_put_u64(&out, 0);
	pd_blob_put_u64(&out, SIDEBAND_ID);
	pd_blob_end_record(&out, at);
}

static void put_comm(__u32 pid, __u32 tid)
{
	size_t at = pd_blob_begin_record(&out, PERF_RECORD_COMM);
	char name[16];

	pd_blob_put_u32(&out, pid);
	pd_blob_put_u32(&out, tid);
	snprintf(name, sizeof(name), "worker-%u", pid - FIRST_PID);
	pd_blob_put_padded(&out, name, PD_NAME_ALIGN);
	end_sideband(at, pid);
}

static void put_map(__u32 pid, const struct sym_segment *s, const char *path)
{
	size_t at = pd_blob_begin_record(&out, PERF_RECORD_MMAP);

	pd_blob_put_u32(&out, pid);
	pd_blob_put_u32(&out, pid);
	pd_blob_put_u64(&out, BASE + s->vaddr - elf.base);
	pd_blob_put_u64(&out, s->size);
	pd_blob_put_u64(&out, s->offset);
	pd_blob_put_padded(&out, path, PD_NAME_ALIGN);
	((struct perf_event_header *)(out.data + at))->misc = PERF_RECORD_MISC_USER;
	end_sideband(at, pid);
}

static void put_processes(const char *path)
{
	unsigned int p, i;

	for (p = 0; p < NR_PROCESSES; p++) {
		__u32 pid = FIRST_PID + p;

		for (i = 0; i < NR_THREADS; i++)
			put_comm(pid, pid + i * NR_PROCESSES);
		for (i = 0; i < elf.nr_segments; i++)
			put_map(pid, &elf.segments[i], path);
	}
}

static void put_sample(unsigned long n, unsigned int cpu, bool chains)
{
	const struct stack *s = &stacks[any_skewed(NR_STACKS)];
	size_t at = pd_blob_begin_record(&out, PERF_RECORD_SAMPLE);
	__u64 ip = address_in(s->function, any_skewed(NR_SPOTS));
	__u32 thread = (n / SLICE_SAMPLES + cpu) * 7 % (NR_THREADS * NR_PROCESSES);

	pd_blob_put_u64(&out, SAMPLE_ID);
	pd_blob_put_u64(&out, ip);
	pd_blob_put_u32(&out, FIRST_PID + thread % NR_PROCESSES);
	pd_blob_put_u32(&out, FIRST_PID + thread);
	pd_blob_put_u64(&out, START_NS + n * STEP_NS);
	pd_blob_put_u64(&out, cpu);
	pd_blob_put_u64(&out, PERIOD);
	if (chains) {
		pd_blob_put_u64(&out, s->nr + 2);
		pd_blob_put_u64(&out, PERF_CONTEXT_USER);
		pd_blob_put_u64(&out, ip);
		pd_blob_put(&out, s->callers, s->nr * sizeof(*s->callers));
	}
	((struct perf_event_header *)(out.data + at))->misc = PERF_RECORD_MISC_USER;
	pd_blob_end_record(&out, at);
}

/* Write what was collected. */
static int flush(void)
{
	int err = out.failed ? -1 : pd_writer_put_record(&writer, out.data, out.size);

	out.size = 0;
	return err;
}

/* What is in the rings of all CPUs: from each, one sample of every CPUS. */
static int put_round(unsigned long first, unsigned long nr, bool chains)
{
	unsigned long n;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		for (n = cpu; n < nr; n += CPUS)
			put_sample(first + n, cpu, chains);
	}
	pd_blob_end_record(&out, pd_blob_begin_record(&out, PD_RECORD_FINISHED_ROUND));
	return flush();
}

static int put_records(const char *path, unsigned long nr, bool chains)
{
	const unsigned long round = RING_SAMPLES * CPUS;
	unsigned long n;
	int err;

	put_processes(path);
	pd_blob_end_record(&out, pd_blob_begin_record(&out, PD_RECORD_FINISHED_INIT));
	err = flush();
	for (n = 0; !err && n < nr; n += round)
		err = put_round(n, nr - n < round ? nr - n : round, chains);
	return err;
}

static int write_file(int fd, const char *path, unsigned long nr, bool chains)
{
	const __u64 ids[] = { SAMPLE_ID, SIDEBAND_ID };
	struct pd_event events[] = {
		{ .name = "cycles:u", .ids = &ids[0], .nr_ids = 1 },
		{ .name = "dummy:u", .ids = &ids[1], .nr_ids = 1 },
	};
	const struct perf_event_attr common = {
		.size = sizeof(common), .sample_period = PERIOD, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       (chains ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_kernel = 1,
	};

	events[0].attr = common;
	events[0].attr.type = PERF_TYPE_RAW;
	events[0].attr.config = 0x3c;
	events[1].attr = common;
	events[1].attr.type = PERF_TYPE_SOFTWARE;
	events[1].attr.config = PERF_COUNT_SW_DUMMY;
	if (pd_writer_begin(&writer, fd, events, events, 2))
		return -1;
	pd_writer_begin_data(&writer);
	if (put_records(path, nr, chains))
		return -1;
	pd_writer_feature_string(&writer, PD_FEAT_ARCH, "x86_64");
	pd_writer_feature_events(&writer, events, 2);
	return pd_writer_finish(&writer);
}

/* usage: make_recording OUT PROGRAM SAMPLES chains|flat   PROGRAM: an absolute path */
int main(int argc, char **argv)
{
	int fd;

	if (argc != 5)
		return 2;
	if (sym_elf_load(&elf, argv[2], NULL, NULL) || !elf.table.nr)
		return 1;
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return 1;
	make_stacks();
	if (write_file(fd, argv[2], strtoul(argv[3], NULL, 10), !strcmp(argv[4], "chains")))
		return 1;
	pd_writer_free(&writer);
	pd_blob_free(&out);
	sym_elf_free(&elf);
	return !!close(fd);
}
