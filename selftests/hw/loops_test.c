// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a loop of a length that divides the period: how they spread, against in-tree perf. */
#include "work.h"
#include "blocks.h"
#include "intree.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define ROUNDS		100000ULL
#define MAX_SAMPLES	8192
/* 125 halves of a round, which is 320 instructions */
#define PERIOD		20000
#define PAGES		128

/* Where samples are, by address, in the order of time. */
struct spread {
	unsigned int nr;
	uint64_t ip[MAX_SAMPLES];
};

static void note_ip(const struct sample *sample, void *data)
{
	struct spread *p = data;

	if (sample->ip >= (uintptr_t)loop_blocks && sample->ip < (uintptr_t)loop_end &&
	    p->nr < MAX_SAMPLES)
		p->ip[p->nr++] = sample->ip;
}

/*
 * The share of the first @nr samples that are in the wrong block: the true profile has as many in
 * each.  A PMI comes before a block, so that each address is that of one.
 */
static double misplaced(const struct spread *p, unsigned int nr, unsigned int *addresses)
{
	static unsigned int hits[4096];
	unsigned int i, size = loop_end - (const char *)loop_blocks;
	double wrong = 0, each = (double)nr / NR_BLOCKS;

	memset(hits, 0, sizeof(hits));
	for (i = 0; i < nr; i++)
		hits[p->ip[i] - (uintptr_t)loop_blocks]++;
	*addresses = 0;
	for (i = 0; i < size; i++) {
		*addresses += hits[i] > 0;
		if (hits[i] > each)
			wrong += hits[i] - each;
	}
	return wrong / nr;
}

FIXTURE(loops) {
	struct session s;
	struct spread ours, peer;
};

FIXTURE_VARIANT(loops) {
	const char *name;
	/* of PERIOD cycles, which has as many instructions at least */
	bool window;
	unsigned int flags;
	unsigned int jitter;
	/* addresses that have samples */
	unsigned int least;
};

FIXTURE_VARIANT_ADD(loops, plain) { .name = "plain", .jitter = 10, .least = NR_BLOCKS * 9 / 10 };
FIXTURE_VARIANT_ADD(loops, without_jitter) { .name = "without jitter", .least = 1 };

FIXTURE_VARIANT_ADD(loops, window_in_software) {
	.name = "window in software", .window = true, .flags = ACRPMU_SESSION_SOFTWARE,
	.jitter = 10, .least = NR_BLOCKS * 9 / 10,
};

FIXTURE_VARIANT_ADD(loops, window_in_hardware) {
	.name = "window in hardware", .window = true, .jitter = 10, .least = 1,
};

FIXTURE_SETUP(loops)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&self->s, 0, variant->flags);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, variant->window ? 0x2 : 0);
	if (variant->window)
		session_event(&self->s, EV_CYCLES, USER, PERIOD, 0x3);
	self->s.attr.jitter = variant->jitter;
	self->s.attr.ring_pages = PAGES;
}

FIXTURE_TEARDOWN(loops)
{
	session_close(&self->s);
}

struct peer_record {
	struct perf_event_header header;
	uint64_t ip;
};

/* In-tree perf leaves its reload masks in the counters until others of its events get these. */
static void clear_masks(void)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	int insns = intree_open(&e), cycles;

	e.config = EV_CYCLES;
	cycles = intree_open(&e);
	work_fast(1);
	close(cycles);
	close(insns);
}

/* The same by in-tree perf: -ENOTSUP where it has no reload. */
static int sample_peer(bool window, struct spread *p)
{
	struct intree e = {
		.config = EV_INSNS, .period = PERIOD, .cpu = -1, .group = -1, .disabled = true,
		.acr_mask = window ? 0x2 : 0, .sample_type = PERF_SAMPLE_IP,
	};
	size_t bytes = (1 + PAGES) * sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring;
	int fd, other = -1;
	uint64_t pos;

	if (window && !intree_has_acr())
		return -ENOTSUP;
	fd = intree_open(&e);
	if (window) {
		e.config = EV_CYCLES;
		e.acr_mask = 0x3;
		e.group = fd;
		e.disabled = false;
		other = intree_open(&e);
	}
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || (window && other < 0) || ring == MAP_FAILED)
		return -EIO;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop_blocks(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	for (pos = 0; pos < ring->data_head;) {
		const char *data = (const char *)ring + ring->data_offset;
		const struct peer_record *rec = (const void *)(data + pos);

		/* longer than all records: nothing wraps around */
		if (rec->header.type == PERF_RECORD_SAMPLE && p->nr < MAX_SAMPLES &&
		    rec->ip >= (uintptr_t)loop_blocks && rec->ip < (uintptr_t)loop_end)
			p->ip[p->nr++] = rec->ip;
		pos += rec->header.size;
	}
	munmap(ring, bytes);
	close(fd);
	if (window) {
		close(other);
		clear_masks();
	}
	return 0;
}

TEST_F(loops, samples_spread_over_a_loop_at_least_as_those_of_perf_do)
{
	unsigned int nr, addresses, of_peer = 0;
	double wrong, of_peer_wrong = 1;
	int ret = session_make(&self->s);

	if (ret == -EOPNOTSUPP)
		SKIP(return, "this CPU has no auto counter reload");
	ASSERT_EQ(0, ret) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	loop_blocks(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_ip, &self->ours));
	EXPECT_ACCOUNTED(&self->s);
	session_close(&self->s);
	ret = sample_peer(variant->window, &self->peer);
	ASSERT_TRUE(!ret || ret == -ENOTSUP) TH_LOG("in-tree perf: %s", strerror(-ret));
	nr = !ret && self->peer.nr < self->ours.nr ? self->peer.nr : self->ours.nr;
	ASSERT_LT(300, nr);
	wrong = misplaced(&self->ours, nr, &addresses);
	if (!ret)
		of_peer_wrong = misplaced(&self->peer, nr, &of_peer);
	fprintf(stderr, "# %s: %u samples, %.1f %% misplaced, %u addresses; perf %.1f %%, %u\n",
		variant->name, nr, 100 * wrong, addresses, 100 * of_peer_wrong, of_peer);
	/* Where both lock on, a stray sample of one of them makes no difference. */
	EXPECT_LE(wrong, of_peer_wrong + (variant->least > 1 ? 0 : 0.05));
	EXPECT_LE(variant->least, addresses);
	/* By chance sqrt(NR_BLOCKS / (2 * pi * nr)) of them are, of which twice. */
	if (variant->least > 1)
		EXPECT_LT(wrong * wrong * nr, 4 * NR_BLOCKS * 0.1592);
}

TEST_HARNESS_MAIN
