// SPDX-License-Identifier: GPL-2.0-only
/* Bytes of a sample in the ring of a session and in that of in-tree perf, by its fields. */
#include "../../hw/chains.h"
#include "../figure.h"

#define CPU		1
#define SMALL		(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static const struct ring_case {
	const char *name;
	uint64_t sample_type;
} cases[] = {
	{ "address, task, time", SMALL },
	{ "fields of acrctl record", SAMPLE_TYPE },
	{ "counts of a pair", SMALL | PERF_SAMPLE_READ },
	{ "call chain", SMALL | PERF_SAMPLE_CALLCHAIN },
	{ "all of these", SAMPLE_TYPE | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN },
};

/* Bytes and number of the records of a ring. */
struct content {
	uint64_t bytes, samples;
};

/* Rings here are never full, and no record wraps around. */
static struct content count(const char *data, uint64_t bytes)
{
	const struct perf_event_header *h;
	struct content c = { .bytes = bytes };
	uint64_t at;

	for (at = 0; at < bytes; at += h->size) {
		h = (const void *)(data + at);
		c.samples += h->type == PERF_RECORD_SAMPLE;
		if (!h->size)
			break;
	}
	return c;
}

static int open_intree(uint64_t config, uint64_t sample_type, int group)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = config,
		.sample_period = group < 0 ? PERIOD : 0,
		.sample_type = group < 0 ? sample_type : 0,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
		.exclude_kernel = 1, .exclude_hv = 1, .disabled = group < 0,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

static struct content measure_intree(uint64_t sample_type)
{
	size_t page = sysconf(_SC_PAGESIZE), bytes = (1 + RING_PAGES) * page;
	int leader = open_intree(EV_INSNS, sample_type, -1);
	int member = open_intree(EV_CYCLES, sample_type, leader);
	struct content c = { 0 };
	char *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, leader, 0);

	if (leader >= 0 && member >= 0 && ring != MAP_FAILED) {
		ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
		calls_enter(calls_spin, ITERATIONS, 0);
		ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
		c = count(ring + page, ((struct perf_event_mmap_page *)ring)->data_head);
		munmap(ring, bytes);
	}
	close(member);
	close(leader);
	return c;
}

static struct content measure_ours(uint64_t sample_type)
{
	struct acrpmu_ring_page *page;
	struct content c = { 0 };
	struct session s;

	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	session_event(&s, EV_CYCLES, USER | COUNT, 0, 0);
	s.attr.sample_type = sample_type;
	if (session_make(&s)) {
		fprintf(stderr, "%s\n", session_refusal(&s));
		return c;
	}
	session_enable(&s);
	calls_enter(calls_spin, ITERATIONS, 0);
	session_disable(&s);
	page = s.ring[CPU];
	if (page)
		c = count((char *)page + page->data_offset, page->data_head);
	session_close(&s);
	return c;
}

static int measure(const struct ring_case *r)
{
	struct content ours = measure_ours(r->sample_type), peer = measure_intree(r->sample_type);
	char name[64];
	struct figure f = {
		.part = "ring", .name = name, .unit = "bytes per sample",
		.peer_name = "in-tree perf",
	};

	if (!ours.samples || !peer.samples) {
		fprintf(stderr, "%s: %lu samples of ours, %lu of in-tree perf\n", r->name,
			ours.samples, peer.samples);
		return 1;
	}
	snprintf(name, sizeof(name), "ring: %s", r->name);
	f.ours = (double)ours.bytes / ours.samples;
	f.peer = (double)peer.bytes / peer.samples;
	figure_print(&f);
	return 0;
}

int main(void)
{
	int failed = 0;
	size_t i;

	if (pin_to(0, CPU))
		return 1;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		failed |= measure(&cases[i]);
	return failed;
}
