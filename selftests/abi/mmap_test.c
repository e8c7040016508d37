// SPDX-License-Identifier: GPL-2.0-only
/* The ring: mapping, layouts against a naive parser, hostile readers, losses, wakeups. */
#include "common.h"

#include <poll.h>
#include <sys/epoll.h>

#define PERIOD		2000
#define ROUNDS		20000
#define PAGES		8
#define DATA_SIZE	(PAGES * PAGE)
#define LENGTH		(PAGE + DATA_SIZE)

/* records of SAMPLE_TYPE: header, IDENTIFIER, IP, TID, TIME, CPU, PERIOD */
#define SAMPLE_BYTES	56
/* PERF_RECORD_LOST of SAMPLE_TYPE: header, id, lost, TID, TIME, CPU, IDENTIFIER */
#define LOST_BYTES	56

FIXTURE(ring)
{
	int dev, fd;
	struct request req;
	struct counts counts;
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_ring_page *page;
	uint8_t *data;
};

static uint8_t *map(int fd, size_t length, int prot, int flags, int cpu)
{
	return mmap(NULL, length, prot, flags, fd, ACRPMU_RING_OFFSET(cpu));
}

/* A task session of the caller, pinned to CPU 0, with its ring there mapped. */
static int open_ring(FIXTURE_DATA(ring) *self)
{
	uint8_t *at;

	self->fd = request(self->dev, &self->req);
	if (self->fd < 0) {
		describe(__LINE__, self->fd, &self->req.attr.error);
		return self->fd;
	}
	at = map(self->fd, PAGE + self->req.attr.ring_pages * PAGE, PROT_READ | PROT_WRITE,
		 MAP_SHARED, 0);
	if (at == MAP_FAILED)
		return -errno;
	self->page = (struct acrpmu_ring_page *)at;
	self->data = at + PAGE;
	return abi_query(self->fd, self->hw, self->req.attr.nr_events);
}

FIXTURE_SETUP(ring)
{
	self->fd = -1;
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, pin(0));
	request_task(&self->req, 0);
	add_sampler(&self->req, PERIOD);
}

FIXTURE_TEARDOWN(ring)
{
	if (self->page)
		munmap(self->page, PAGE + self->req.attr.ring_pages * PAGE);
	if (self->fd >= 0)
		close(self->fd);
	EXPECT_EQ(0, nr_sessions(self->dev));
	EXPECT_EQ(0, held_cntrs(self->dev));
	close(self->dev);
}

static uint64_t overflows_int(FIXTURE_DATA(ring) *self)
{
	return oracle_get(ORACLE_OVERFLOWS_INT, ORACLE_ALL_CPUS, self->hw[0].cntr);
}

static int run(FIXTURE_DATA(ring) *self, uint64_t rounds)
{
	int ret = abi_enable(self->fd);

	loop(rounds);
	return ret ?: abi_disable(self->fd);
}

#define TRIES	1000000	/* the harness ends them before */

/* Work until that much is unread; a session pauses if its PMIs take too much time. */
static bool run_until_unread(FIXTURE_DATA(ring) *self, uint64_t bytes)
{
	for (unsigned int i = 0; i < TRIES; i++) {
		if (__atomic_load_n(&self->page->data_head, __ATOMIC_ACQUIRE) -
		    self->page->data_tail >= bytes)
			return true;
		loop(PERIOD / LOOP_INSNS);
	}
	return false;
}

/* ---- a naive reader: field by field in the order of perf_event_open(2) ---- */

/**
 * struct parsed - the fields of one record; those that are absent stay poisoned
 */
struct parsed {
	struct perf_event_header header;
	uint64_t identifier, ip, time, id, stream_id, period, lost, lost_id;
	uint32_t pid, tid, cpu, cpu_reserved;
	uint64_t nr_read;
	struct { uint64_t value, id; } read[ACRPMU_MAX_EVENTS];
	size_t bytes;
};

struct cursor {
	const uint8_t *data;
	uint64_t size, at;
};

static void take(struct cursor *from, void *to, size_t size)
{
	uint8_t *byte = to;

	while (size--)
		*byte++ = from->data[from->at++ % from->size];
}

static void parse_tail(struct cursor *from, uint64_t type, struct parsed *rec)
{
	if (type & PERF_SAMPLE_TID) {
		take(from, &rec->pid, 4);
		take(from, &rec->tid, 4);
	}
	if (type & PERF_SAMPLE_TIME)
		take(from, &rec->time, 8);
	if (type & PERF_SAMPLE_ID)
		take(from, &rec->id, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		take(from, &rec->stream_id, 8);
	if (type & PERF_SAMPLE_CPU) {
		take(from, &rec->cpu, 4);
		take(from, &rec->cpu_reserved, 4);
	}
}

static void parse_read(struct cursor *from, struct parsed *rec)
{
	take(from, &rec->nr_read, 8);
	for (uint64_t i = 0; i < rec->nr_read && i < ACRPMU_MAX_EVENTS; i++) {
		take(from, &rec->read[i].value, 8);
		take(from, &rec->read[i].id, 8);
	}
}

static void parse(struct cursor *from, uint64_t type, struct parsed *rec)
{
	uint64_t start = from->at;

	memset(rec, POISON, sizeof(*rec));
	take(from, &rec->header, sizeof(rec->header));
	if (rec->header.type == PERF_RECORD_LOST) {
		take(from, &rec->lost_id, 8);
		take(from, &rec->lost, 8);
		parse_tail(from, type, rec);
		if (type & PERF_SAMPLE_IDENTIFIER)
			take(from, &rec->identifier, 8);
	} else if (rec->header.type == PERF_RECORD_THROTTLE ||
		   rec->header.type == PERF_RECORD_UNTHROTTLE) {
		/* time, id, stream_id */
		from->at += 24;
		parse_tail(from, type, rec);
		if (type & PERF_SAMPLE_IDENTIFIER)
			take(from, &rec->identifier, 8);
	} else {
		if (type & PERF_SAMPLE_IDENTIFIER)
			take(from, &rec->identifier, 8);
		if (type & PERF_SAMPLE_IP)
			take(from, &rec->ip, 8);
		parse_tail(from, type, rec);
		if (type & PERF_SAMPLE_PERIOD)
			take(from, &rec->period, 8);
		if (type & PERF_SAMPLE_READ)
			parse_read(from, rec);
	}
	rec->bytes = from->at - start;
}

static struct cursor whole_ring(FIXTURE_DATA(ring) *self)
{
	return (struct cursor){ .data = self->data, .size = self->req.attr.ring_pages * PAGE };
}

/* The end of the unread data. */
static uint64_t head_of(FIXTURE_DATA(ring) *self)
{
	return __atomic_load_n(&self->page->data_head, __ATOMIC_ACQUIRE);
}

/* A session that ran without a pause, with its ring mapped. */
static int open_and_run(FIXTURE_DATA(ring) *self, uint64_t rounds)
{
	unsigned int nr = self->req.attr.nr_events;
	int ret;

	for (unsigned int i = 0; i < TRIES; i++) {
		ret = open_ring(self);
		ret = ret ?: run(self, rounds);
		ret = ret ?: read_all(self->fd, nr, &self->counts);
		if (ret || !self->counts.read.throttled)
			return ret;
		munmap(self->page, PAGE + self->req.attr.ring_pages * PAGE);
		close(self->fd);
		self->page = NULL;
		self->fd = -1;
	}
	return -ETIMEDOUT;
}

/* ---- mapping ---- */

TEST_F(ring, maps_its_exact_length)
{
	ASSERT_EQ(0, open_ring(self));
	EXPECT_EQ(1, self->page->version);
	EXPECT_EQ(sizeof(struct acrpmu_ring_page), self->page->size);
	EXPECT_EQ(PAGE, self->page->data_offset);
	EXPECT_EQ(DATA_SIZE, self->page->data_size);
	EXPECT_EQ(0, self->page->lost);
	EXPECT_EQ(0, self->page->data_head);
	EXPECT_EQ(0, self->page->data_tail);
	for (unsigned int i = 0; i < DATA_SIZE; i++) {
		ASSERT_EQ(0, self->data[i]);
	}
}

TEST_F(ring, refuses_other_lengths)
{
	static const size_t lengths[] = {
		PAGE, LENGTH - PAGE, LENGTH + PAGE, 2 * LENGTH, DATA_SIZE / 2,
	};

	ASSERT_EQ(0, open_ring(self));
	for (unsigned int i = 0; i < NR(lengths); i++) {
		EXPECT_EQ(MAP_FAILED, map(self->fd, lengths[i], PROT_READ, MAP_SHARED, 0));
		EXPECT_EQ(EINVAL, errno);
	}
}

TEST_F(ring, refuses_other_offsets)
{
	static const off_t offsets[] = {
		PAGE, DATA_SIZE, 1LL << 31, 1LL << 33, 63LL << 32, 1LL << 62,
	};

	ASSERT_EQ(0, open_ring(self));
	for (unsigned int i = 0; i < NR(offsets); i++) {
		EXPECT_EQ(MAP_FAILED, mmap(NULL, LENGTH, PROT_READ, MAP_SHARED, self->fd,
					   offsets[i])) TH_LOG("%#lx", (long)offsets[i]);
		EXPECT_EQ(EINVAL, errno);
	}
}

TEST_F(ring, refuses_cpus_outside_the_session)
{
	uint8_t *at;

	if (nr_cpus() < 2)
		SKIP(return, "needs two CPUs");
	request_cpus(&self->req, 0x2);
	add_sampler(&self->req, PERIOD);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(MAP_FAILED, map(self->fd, LENGTH, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(EINVAL, errno);
	at = map(self->fd, LENGTH, PROT_READ, MAP_SHARED, 1);
	EXPECT_NE(MAP_FAILED, at);
	munmap(at, LENGTH);
}

TEST_F(ring, refuses_private_mappings)
{
	ASSERT_EQ(0, open_ring(self));
	EXPECT_EQ(MAP_FAILED, map(self->fd, LENGTH, PROT_READ, MAP_PRIVATE, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, map(self->fd, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0));
}

TEST_F(ring, does_not_exist_when_nothing_is_sampled)
{
	request_task(&self->req, 0);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(MAP_FAILED, map(self->fd, PAGE, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(ring, can_be_read_through_a_mapping_without_write_permission)
{
	uint8_t *at;

	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	at = map(self->fd, LENGTH, PROT_READ, MAP_SHARED, 0);
	ASSERT_NE(MAP_FAILED, at);
	self->page = (struct acrpmu_ring_page *)at;
	self->data = at + PAGE;
	ASSERT_EQ(0, run(self, 10 * ROUNDS));
	EXPECT_LT(0, head_of(self));
	EXPECT_EQ(PERF_RECORD_SAMPLE, ((struct perf_event_header *)self->data)->type);
}

TEST_F(ring, is_the_same_through_two_mappings)
{
	struct acrpmu_ring_page *again;

	ASSERT_EQ(0, open_ring(self));
	again = (struct acrpmu_ring_page *)map(self->fd, LENGTH, PROT_READ, MAP_SHARED, 0);
	ASSERT_NE(MAP_FAILED, again);
	ASSERT_EQ(0, run(self, ROUNDS));
	EXPECT_EQ(self->page->data_head, again->data_head);
	EXPECT_EQ(0, memcmp(self->page, again, LENGTH));
	munmap(again, LENGTH);
}

TEST_F(ring, smallest_and_a_large_one_work)
{
	static const uint32_t pages[] = { 1, 1024 };

	for (unsigned int i = 0; i < NR(pages); i++) {
		size_t length = PAGE + (size_t)pages[i] * PAGE;
		uint8_t *at;

		self->req.attr.ring_pages = pages[i];
		self->fd = request(self->dev, &self->req);
		ASSERT_LE(0, self->fd);
		at = map(self->fd, length, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
		ASSERT_NE(MAP_FAILED, at);
		at[length - 1] = 1;
		munmap(at, length);
		close(self->fd);
	}
	self->fd = -1;
}

/* ---- records ---- */

/* The address of the known loop: nearly all user-level samples fall into it. */
static __attribute__((noinline)) int run_known(FIXTURE_DATA(ring) *self, uint64_t *from,
					       uint64_t *to)
{
	int ret = abi_enable(self->fd);

	__asm__ volatile("lea 1f(%%rip), %0\n lea 2f(%%rip), %1\n" : "=r" (*from), "=r" (*to));
	__asm__ volatile("	mov	%0, %%rcx\n"
		"1:	nop\n"
		"	nop\n"
		"	dec	%%rcx\n"
		"	jnz	1b\n"
		"2:\n"
		: : "r" ((uint64_t)ROUNDS / 4) : "rcx", "cc");
	return ret ?: abi_disable(self->fd);
}

static void expect_sample(struct __test_metadata *_metadata, const struct parsed *rec,
			  uint64_t type, const uint64_t time[2])
{
	EXPECT_EQ(PERF_RECORD_SAMPLE, rec->header.type);
	EXPECT_EQ(PERF_RECORD_MISC_USER, rec->header.misc);
	EXPECT_EQ(rec->bytes, rec->header.size);
	EXPECT_EQ(type & PERF_SAMPLE_IDENTIFIER ? 100 : POISON64, rec->identifier);
	EXPECT_EQ(type & PERF_SAMPLE_ID ? 100 : POISON64, rec->id);
	EXPECT_EQ(type & PERF_SAMPLE_STREAM_ID ? 100 : POISON64, rec->stream_id);
	EXPECT_EQ(type & PERF_SAMPLE_TID ? (uint32_t)getpid() : POISON32, rec->pid);
	EXPECT_EQ(type & PERF_SAMPLE_TID ? (uint32_t)getpid() : POISON32, rec->tid);
	EXPECT_EQ(type & PERF_SAMPLE_CPU ? 0 : POISON32, rec->cpu);
	EXPECT_EQ(type & PERF_SAMPLE_CPU ? 0 : POISON32, rec->cpu_reserved);
	EXPECT_EQ(type & PERF_SAMPLE_PERIOD ? PERIOD : POISON64, rec->period);
	if (type & PERF_SAMPLE_TIME) {
		EXPECT_LE(time[0], rec->time);
		EXPECT_GE(time[1], rec->time);
	} else {
		EXPECT_EQ(POISON64, rec->time);
	}
	if (type & PERF_SAMPLE_READ) {
		EXPECT_EQ(2, rec->nr_read);
		EXPECT_EQ(100, rec->read[0].id);
		EXPECT_EQ(101, rec->read[1].id);
	}
}

static const uint64_t sample_bits[] = {
	PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_READ, PERF_SAMPLE_ID,
	PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_IDENTIFIER,
};

static uint64_t combination(unsigned int number)
{
	uint64_t type = 0;

	for (unsigned int bit = 0; bit < NR(sample_bits); bit++)
		if (number & 1U << bit)
			type |= sample_bits[bit];
	return type;
}

static void expect_layout(struct __test_metadata *_metadata, FIXTURE_DATA(ring) *self,
			  uint64_t type)
{
	struct cursor at;
	struct parsed rec;
	uint64_t from, to, head, last_time = 0, last_value = 0;
	unsigned int nr = 0, in_loop = 0;

	self->req.attr.sample_type = type;
	ASSERT_EQ(0, open_ring(self));
	ASSERT_EQ(0, run_known(self, &from, &to));
	ASSERT_EQ(0, read_all(self->fd, 2, &self->counts));
	at = whole_ring(self);
	head = head_of(self);
	for (; at.at < head; nr++) {
		const uint64_t time[2] = { last_time, POISON64 - 1 };

		parse(&at, type, &rec);
		ASSERT_LE(at.at, head);
		expect_sample(_metadata, &rec, type, time);
		if (type & PERF_SAMPLE_READ) {
			EXPECT_LE(last_value, rec.read[1].value);
			last_value = rec.read[1].value;
		}
		last_time = type & PERF_SAMPLE_TIME ? rec.time : 0;
		in_loop += rec.ip >= from && rec.ip <= to;
	}
	EXPECT_EQ(head, at.at);
	EXPECT_EQ(self->counts.read.records, nr);
	EXPECT_EQ(0, self->counts.read.lost);
	EXPECT_LT(0, nr);
	if (type & PERF_SAMPLE_IP) {
		/* others are some instructions late, in what calls the loop */
		EXPECT_LE(nr / 2, in_loop);
	}
	munmap(self->page, LENGTH);
	close(self->fd);
	self->page = NULL;
	self->fd = -1;
}

TEST_F(ring, every_combination_of_sample_types_has_perfs_layout)
{
	struct request keep;
	int other;

	/* always keep a session open, also something to read: reserving the PMU anew is slow */
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	request_task(&keep, 0);
	add_event(&keep, EV_CYCLES, USER | COUNT, 0, 0);
	other = request(self->dev, &keep);
	ASSERT_LE(0, other);
	for (unsigned int i = 1; i < 1U << NR(sample_bits); i++)
		expect_layout(_metadata, self, combination(i));
	close(other);
}

TEST_F(ring, group_read_in_a_sample_counts_the_group_so_far)
{
	struct cursor at;
	struct parsed rec;
	uint64_t last = 0;

	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	self->req.attr.sample_type |= PERF_SAMPLE_READ;
	ASSERT_EQ(0, open_and_run(self, ROUNDS));
	at = whole_ring(self);
	while (at.at < head_of(self)) {
		parse(&at, self->req.attr.sample_type, &rec);
		/* the loop has a branch every six instructions */
		if (last) {
			EXPECT_LE(PERIOD / LOOP_INSNS - 5, rec.read[1].value - last);
			EXPECT_GE(PERIOD / LOOP_INSNS + 50, rec.read[1].value - last);
		}
		last = rec.read[1].value;
	}
	ASSERT_EQ(0, read_all(self->fd, 2, &self->counts));
	EXPECT_LE(last, self->counts.count[1].value);
	EXPECT_GE(last + PERIOD, self->counts.count[1].value);
}

TEST_F(ring, samples_of_two_events_carry_their_own_ids)
{
	unsigned int nr[2] = { 0 };
	struct cursor at;
	struct parsed rec;

	add_event(&self->req, EV_BRANCHES, USER | SAMPLED, 1000, 0);
	ASSERT_EQ(0, open_and_run(self, ROUNDS));
	at = whole_ring(self);
	while (at.at < head_of(self)) {
		parse(&at, SAMPLE_TYPE, &rec);
		ASSERT_LE(100, rec.identifier);
		ASSERT_GE(101, rec.identifier);
		EXPECT_EQ(rec.identifier == 100 ? PERIOD : 1000, rec.period);
		nr[rec.identifier - 100]++;
	}
	EXPECT_EQ(self->counts.count[0].overflows, nr[0]);
	EXPECT_EQ(self->counts.count[1].overflows, nr[1]);
	/* Exact is what is above; these are that both overflowed. */
	EXPECT_LT(ROUNDS * LOOP_INSNS / PERIOD * 9 / 10, nr[0]);
	EXPECT_LT(ROUNDS / 1000 * 8 / 10, nr[1]);
}

/* ---- a reader that keeps up, wraps, and one that does not ---- */

TEST_F(ring, a_reader_that_keeps_up_gets_every_record_across_the_wrap)
{
	uint64_t nr = 0, before;
	struct cursor at;
	struct parsed rec;

	REQUIRE_ORACLE();
	self->req.attr.ring_pages = 1;
	ASSERT_EQ(0, open_ring(self));
	before = overflows_int(self);
	at = whole_ring(self);
	/* 4096 is not a multiple of 56: records wrap */
	for (unsigned int round = 0; round < TRIES && at.at <= 4 * PAGE; round++) {
		ASSERT_EQ(0, run(self, 10000));
		while (at.at < head_of(self)) {
			parse(&at, SAMPLE_TYPE, &rec);
			ASSERT_EQ(PERF_RECORD_SAMPLE, rec.header.type);
			ASSERT_EQ(SAMPLE_BYTES, rec.header.size);
			ASSERT_EQ(100, rec.identifier);
			ASSERT_EQ(PERIOD, rec.period);
			nr++;
		}
		__atomic_store_n(&self->page->data_tail, at.at, __ATOMIC_SEQ_CST);
	}
	EXPECT_LT(4 * PAGE, at.at);
	ASSERT_EQ(0, read_all(self->fd, 1, &self->counts));
	EXPECT_EQ(nr, self->counts.read.records);
	EXPECT_EQ(0, self->counts.read.lost);
	EXPECT_EQ(overflows_int(self) - before, accounted(&self->counts));
}

TEST_F(ring, losses_are_recorded_once_there_is_room)
{
	uint64_t lost, reported = 0, samples = 0;
	struct cursor at;
	struct parsed rec;

	self->req.attr.ring_pages = 1;
	/* fill it */
	ASSERT_EQ(0, open_and_run(self, 2 * ROUNDS));
	lost = self->counts.read.lost;
	EXPECT_LT(0, lost);
	EXPECT_EQ(lost, self->page->lost);
	EXPECT_EQ(PAGE / SAMPLE_BYTES, self->counts.read.records);
	EXPECT_EQ(PAGE / SAMPLE_BYTES * SAMPLE_BYTES, head_of(self));
	/* make room, and the next sample reports the losses before it */
	at = whole_ring(self);
	at.at = head_of(self);
	self->page->data_tail = at.at;
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_TRUE(run_until_unread(self, 10 * SAMPLE_BYTES));
	ASSERT_EQ(0, abi_disable(self->fd));
	while (at.at < head_of(self)) {
		parse(&at, SAMPLE_TYPE, &rec);
		ASSERT_EQ(rec.bytes, rec.header.size);
		if (rec.header.type != PERF_RECORD_LOST) {
			samples += rec.header.type == PERF_RECORD_SAMPLE;
			continue;
		}
		EXPECT_EQ(0, samples);
		EXPECT_EQ(0, rec.header.misc);
		EXPECT_EQ(100, rec.lost_id);
		EXPECT_EQ(100, rec.identifier);
		EXPECT_EQ(0, rec.cpu);
		reported += rec.lost;
	}
	EXPECT_EQ(lost, reported);
	EXPECT_LT(0, samples);
	ASSERT_EQ(0, read_all(self->fd, 1, &self->counts));
	EXPECT_EQ(lost, self->counts.read.lost);
	EXPECT_EQ(PAGE / SAMPLE_BYTES + samples, self->counts.read.records);
}

TEST_F(ring, losses_at_the_end_are_recorded_when_disabled)
{
	struct cursor at;
	struct parsed rec;

	self->req.attr.ring_pages = 1;
	ASSERT_EQ(0, open_and_run(self, 2 * ROUNDS));
	ASSERT_LT(0, self->counts.read.lost);
	at = whole_ring(self);
	at.at = head_of(self);
	self->page->data_tail = at.at;
	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_LT(at.at, head_of(self));
	parse(&at, SAMPLE_TYPE, &rec);
	EXPECT_EQ(PERF_RECORD_LOST, rec.header.type);
	EXPECT_EQ(self->counts.read.lost, rec.lost);
	EXPECT_EQ(head_of(self), at.at);
	/* once is enough */
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_EQ(head_of(self), at.at);
}

TEST_F(ring, losses_are_recorded_where_they_just_fit)
{
	const uint64_t head = PAGE / SAMPLE_BYTES * SAMPLE_BYTES;
	struct cursor at;
	struct parsed rec;

	self->req.attr.ring_pages = 1;
	ASSERT_EQ(0, open_and_run(self, 2 * ROUNDS));
	ASSERT_LT(0, self->counts.read.lost);
	ASSERT_EQ(head, head_of(self));
	/* 8 bytes, the least that a record could have, are too few; what is unread stays. */
	self->page->data_tail = head + LOST_BYTES - PAGE - 8;
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_EQ(head, head_of(self));
	self->page->data_tail += 8;
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_EQ(self->page->data_tail + PAGE, head_of(self));
	at = whole_ring(self);
	at.at = head;
	parse(&at, SAMPLE_TYPE, &rec);
	EXPECT_EQ(PERF_RECORD_LOST, rec.header.type);
	EXPECT_EQ(LOST_BYTES, rec.header.size);
	EXPECT_EQ(self->counts.read.lost, rec.lost);
}

/* ---- a reader that writes nonsense ---- */

/* Whatever the page contains, the accounts add up and nothing is written elsewhere. */
static void expect_unharmed(struct __test_metadata *_metadata, FIXTURE_DATA(ring) *self,
			    uint64_t before)
{
	ASSERT_EQ(0, read_all(self->fd, 1, &self->counts));
	EXPECT_EQ(overflows_int(self) - before, accounted(&self->counts));
}

TEST_F(ring, absurd_tails_mean_no_room)
{
	static const uint64_t tails[] = {
		1, 8, DATA_SIZE + 1, 1ULL << 32, 1ULL << 63, -DATA_SIZE - 1ULL,
	};
	uint64_t before, records;

	REQUIRE_ORACLE();
	ASSERT_EQ(0, open_ring(self));
	before = overflows_int(self);
	for (unsigned int i = 0; i < NR(tails); i++) {
		uint64_t head = head_of(self);

		self->page->data_tail = head + tails[i];
		ASSERT_EQ(0, run(self, 2000));
		expect_unharmed(_metadata, self, before);
		EXPECT_EQ(0, self->counts.read.records) TH_LOG("tail head + %#lx", (long)tails[i]);
		EXPECT_EQ(head, head_of(self));
	}
	records = self->counts.read.records;
	self->page->data_tail = head_of(self);
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_TRUE(run_until_unread(self, SAMPLE_BYTES));
	ASSERT_EQ(0, abi_disable(self->fd));
	expect_unharmed(_metadata, self, before);
	EXPECT_LT(records, self->counts.read.records);
}

TEST_F(ring, head_and_sizes_written_by_a_user_are_ignored)
{
	uint64_t before, head, marker = 0x5a5a5a5a5a5a5a5aULL;

	REQUIRE_ORACLE();
	ASSERT_EQ(0, open_ring(self));
	before = overflows_int(self);
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_TRUE(run_until_unread(self, 10 * SAMPLE_BYTES));
	ASSERT_EQ(0, abi_disable(self->fd));
	head = head_of(self);
	self->page->data_tail = head;
	self->page->data_head = ~0ULL / 2;
	self->page->data_size = 1ULL << 40;
	self->page->data_offset = marker;
	self->page->lost = marker;
	self->page->version = 0;
	self->page->size = 0;
	ASSERT_EQ(0, run(self, 5000));
	expect_unharmed(_metadata, self, before);
	EXPECT_EQ(0, self->counts.read.lost);
	/* the module continues from its own head and restores it */
	EXPECT_EQ(self->counts.read.records * SAMPLE_BYTES, head_of(self));
	EXPECT_EQ(marker, self->page->data_offset);
}

TEST_F(ring, scribbling_while_it_counts_harms_nothing)
{
	volatile uint64_t *page;
	uint64_t before, random = 88172645463325252ULL;

	REQUIRE_ORACLE();
	self->req.attr.ring_pages = 1;
	ASSERT_EQ(0, open_ring(self));
	page = (volatile uint64_t *)self->page;
	before = overflows_int(self);
	ASSERT_EQ(0, abi_enable(self->fd));
	for (unsigned int i = 0; i < 200000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		page[random % (2 * PAGE / 8)] = i & 1 ? random : random % (4 * PAGE);
	}
	ASSERT_EQ(0, abi_disable(self->fd));
	expect_unharmed(_metadata, self, before);
	EXPECT_LT(0, accounted(&self->counts));
}

/* ---- wakeups ---- */

static short poll_now(int fd, int timeout_ms)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	return poll(&poller, 1, timeout_ms) < 0 ? -1 : poller.revents;
}

TEST_F(ring, polls_readable_only_from_wakeup_bytes_on)
{
	self->req.attr.wakeup_bytes = 20 * SAMPLE_BYTES;
	ASSERT_EQ(0, open_ring(self));
	EXPECT_EQ(0, poll_now(self->fd, 0));
	ASSERT_EQ(0, abi_enable(self->fd));
	/* fewer than twenty, then more */
	EXPECT_TRUE(run_until_unread(self, 10 * SAMPLE_BYTES));
	EXPECT_EQ(0, poll_now(self->fd, 0));
	EXPECT_TRUE(run_until_unread(self, 20 * SAMPLE_BYTES));
	EXPECT_EQ(POLLIN, poll_now(self->fd, 0));
	self->page->data_tail = head_of(self);
	EXPECT_EQ(0, poll_now(self->fd, 0));
	/* once stopped, any rest is enough */
	EXPECT_TRUE(run_until_unread(self, SAMPLE_BYTES));
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_EQ(POLLIN, poll_now(self->fd, 0));
	self->page->data_tail = head_of(self);
	EXPECT_EQ(0, poll_now(self->fd, 0));
}

TEST_F(ring, default_wakeup_is_half_of_the_ring)
{
	self->req.attr.ring_pages = 1;
	ASSERT_EQ(0, open_ring(self));
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_TRUE(run_until_unread(self, PAGE / 4));
	EXPECT_EQ(0, poll_now(self->fd, 0));
	EXPECT_TRUE(run_until_unread(self, PAGE / 2));
	EXPECT_EQ(POLLIN, poll_now(self->fd, 0));
}

TEST_F(ring, a_full_ring_polls_readable_with_any_wakeup_bytes)
{
	self->req.attr.ring_pages = 1;
	self->req.attr.wakeup_bytes = PAGE;
	ASSERT_EQ(0, open_ring(self));
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_TRUE(run_until_unread(self, PAGE / 2));
	EXPECT_EQ(0, poll_now(self->fd, 0));
	/* a page is not a multiple of a record */
	EXPECT_TRUE(run_until_unread(self, PAGE / SAMPLE_BYTES * SAMPLE_BYTES));
	EXPECT_EQ(POLLIN, poll_now(self->fd, 0));
}

/* A child on the other CPU that works on request, and ends when its pipe is closed. */
static pid_t start_worker(int *go)
{
	cpu_set_t cpus;
	int pipefd[2];
	char byte;
	pid_t pid;

	if (pipe(pipefd))
		return -1;
	pid = fork();
	if (!pid) {
		close(pipefd[1]);
		pin(nr_cpus() - 1);
		while (read(pipefd[0], &byte, 1) == 1)
			loop(10 * ROUNDS);
		_exit(0);
	}
	close(pipefd[0]);
	*go = pipefd[1];
	/* A session created before would have to reserve that CPU while the worker works. */
	do {
		usleep(1000);
		if (sched_getaffinity(pid, sizeof(cpus), &cpus))
			return -1;
	} while (CPU_COUNT(&cpus) != 1 || !CPU_ISSET(nr_cpus() - 1, &cpus));
	return pid;
}

TEST_F(ring, sleeping_epoll_is_woken_by_samples_and_by_the_end_of_the_task)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0), go, status;
	pid_t pid = start_worker(&go);

	ASSERT_LT(0, pid);
	self->req.attr.pid = pid;
	self->req.attr.wakeup_bytes = 10 * SAMPLE_BYTES;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->fd, &event));
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 50));
	ASSERT_EQ(1, write(go, "", 1));
	memset(&event, 0, sizeof(event));
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, -1));
	EXPECT_EQ(EPOLLIN, event.events);

	self->page = (struct acrpmu_ring_page *)map(self->fd, LENGTH, PROT_READ | PROT_WRITE,
						    MAP_SHARED, nr_cpus() - 1);
	ASSERT_NE(MAP_FAILED, (void *)self->page);
	close(go);
	/* the rest of its work, then the end */
	for (unsigned int i = 0; i < TRIES; i++) {
		self->page->data_tail = head_of(self);
		if (epoll_wait(epoll, &event, 1, -1) != 1 || event.events & EPOLLHUP)
			break;
	}
	EXPECT_EQ(EPOLLHUP, event.events & EPOLLHUP);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	close(epoll);
}

TEST_F(ring, poll_of_a_session_whose_task_has_ended_hangs_up)
{
	int go, status;
	pid_t pid = start_worker(&go);

	ASSERT_LT(0, pid);
	request_task(&self->req, pid);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, poll_now(self->fd, 0));
	close(go);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(POLLHUP, poll_now(self->fd, 1000));
}

TEST_F(ring, a_child_inherits_no_mapping_and_so_keeps_no_session)
{
	int gate[2], ready[2], sessions = nr_sessions(self->dev);
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(gate));
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, open_ring(self));
	child = fork();
	if (!child) {
		close(gate[1]);
		close(self->fd);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		_exit(read(gate[0], &byte, 1) ? 1 : 0);
	}
	close(gate[0]);
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	close(ready[0]);
	munmap(self->page, PAGE + self->req.attr.ring_pages * PAGE);
	self->page = NULL;
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(sessions, nr_sessions(self->dev));
	close(gate[1]);
	EXPECT_EQ(child, waitpid(child, NULL, 0));
}

TEST_F(ring, mapping_outlives_the_descriptor)
{
	uint64_t head;

	ASSERT_EQ(0, open_ring(self));
	ASSERT_EQ(0, run(self, ROUNDS));
	head = head_of(self);
	ASSERT_LT(0, head);
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	/* the mapping keeps the session */
	EXPECT_EQ(1, nr_sessions(self->dev));
	EXPECT_EQ(head, head_of(self));
	EXPECT_EQ(PERF_RECORD_SAMPLE, ((struct perf_event_header *)self->data)->type);
	EXPECT_EQ(0, munmap(self->page, LENGTH));
	self->page = NULL;
	EXPECT_EQ(0, nr_sessions(self->dev));
}

TEST_HARNESS_MAIN
