// SPDX-License-Identifier: GPL-2.0-only
/* Call chains: those of known calls, those of in-tree perf, and where they end. */
#include "work.h"
#include "intree.h"
#include "records.h"
#include "kselftest_harness.h"

#define PERIOD		5003
#define KERNEL_PERIOD	10007
#define ITERATIONS	1000000
#define SYSCALLS	20000
#define MAX_CHAINS	4096
#define MAX_ENTRIES	(ACRPMU_MAX_STACK + 8)
#define INTREE_PAGES	256
/* of a frame of a program, on any kernel that is tested without debugging options */
#define MAX_FRAME_INSNS	150
#define RAW_TYPE	(SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN)

/*
 * calls_enter(function, n, fp) calls calls_outer(), that calls calls_middle(), and that calls
 * function(n, fp), all of which keep frame pointers, in a chain that ends with calls_enter().
 * calls_spin() spins n times with fp as its frame pointer, or the true one if fp is 0.
 */
void calls_enter(void (*function)(uint64_t n, uint64_t fp), uint64_t n, uint64_t fp);
void calls_spin(uint64_t n, uint64_t fp);
void calls_syscall(uint64_t n, uint64_t fp);
extern const char calls_in_enter[], calls_in_outer[], calls_in_middle[];
extern const char calls_spin_begin[], calls_spin_end[], calls_after_syscall[];

__asm__(".text\n"
	".type calls_enter, @function\n"
	"calls_enter:\n"
	"	push %rbp\n"
	"	xor %ebp, %ebp\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	call calls_outer\n"
	"calls_in_enter:\n"
	"	pop %rbp\n"
	"	ret\n"
	".type calls_outer, @function\n"
	"calls_outer:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call calls_middle\n"
	"calls_in_outer:\n"
	"	pop %rbp\n"
	"	ret\n"
	".type calls_middle, @function\n"
	"calls_middle:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call *%rax\n"
	"calls_in_middle:\n"
	"	pop %rbp\n"
	"	ret\n"
	".type calls_spin, @function\n"
	"calls_spin:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	test %rsi, %rsi\n"
	"	cmovnz %rsi, %rbp\n"
	"calls_spin_begin:\n"
	"	dec %rdi\n"
	"	jnz calls_spin_begin\n"
	"calls_spin_end:\n"
	"	pop %rbp\n"
	"	ret\n"
	".type calls_syscall, @function\n"
	"calls_syscall:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"1:	mov $110, %eax\n"	/* getppid */
	"	syscall\n"
	"calls_after_syscall:\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	pop %rbp\n"
	"	ret\n");

struct chain {
	uint64_t ip;
	uint64_t nr;
	uint64_t entries[MAX_ENTRIES];
};

struct chains {
	struct chain list[MAX_CHAINS];
	unsigned int nr;
	bool broken;
};

/* The same call for both sources, so that all addresses are the same. */
static void run_work(void (*function)(uint64_t n, uint64_t fp), uint64_t fp)
{
	calls_enter(function, function == calls_syscall ? SYSCALLS : ITERATIONS, fp);
}

/* Take the chain of a record, in which @ip_at and @chain_at are word indices. */
static void keep(struct chains *c, const uint64_t *rec, size_t bytes, size_t ip_at, size_t chain_at)
{
	struct chain *chain = &c->list[c->nr];

	if (c->nr == MAX_CHAINS)
		return;
	chain->ip = rec[ip_at];
	chain->nr = rec[chain_at];
	if (chain->nr > MAX_ENTRIES || bytes != (chain_at + 1 + chain->nr) * 8) {
		c->broken = true;
		return;
	}
	memcpy(chain->entries, rec + chain_at + 1, chain->nr * 8);
	c->nr++;
}

static void drain(const void *data, uint64_t size, uint64_t head, size_t ip_at, size_t chain_at,
		  struct chains *c)
{
	uint64_t rec[(UINT16_MAX + 1) / 8], pos = 0, i;
	struct perf_event_header header;

	while (pos < head) {
		for (i = 0; i < sizeof(rec) / 8; i++)
			memcpy(&rec[i], (const char *)data + ((pos + 8 * i) & (size - 1)), 8);
		memcpy(&header, rec, sizeof(header));
		if (header.size < sizeof(header)) {
			c->broken = true;
			return;
		}
		if (header.type == PERF_RECORD_SAMPLE)
			keep(c, rec, header.size, ip_at, chain_at);
		pos += header.size;
	}
}

FIXTURE(chain) {
	struct session s;
	struct chains *ours, *intree;
	void *pages;
};

FIXTURE_SETUP(chain)
{
	self->s.fd = -1;
	self->ours = calloc(1, sizeof(*self->ours));
	self->intree = calloc(1, sizeof(*self->intree));
	self->pages = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);
	ASSERT_NE(NULL, self->ours);
	ASSERT_NE(NULL, self->intree);
	ASSERT_NE(MAP_FAILED, self->pages);
	ASSERT_EQ(0, munmap((char *)self->pages + 4096, 4096));
	ASSERT_EQ(0, pin_to(0, 0));
}

FIXTURE_TEARDOWN(chain)
{
	munmap(self->pages, 4096);
	free(self->ours);
	free(self->intree);
}

static void describe(struct session *s, unsigned int levels)
{
	session_task(s, 0, 0);
	s->cpu_bits = 1;
	session_event(s, EV_INSNS, levels | SAMPLED,
		      possible_period(levels & KERNEL ? KERNEL_PERIOD : PERIOD, levels), 0);
	s->attr.sample_type = RAW_TYPE;
	s->attr.ring_pages = INTREE_PAGES;
}

/* 0 or -errno; all that were sampled are in @c. */
static int sample(struct session *s, void (*function)(uint64_t n, uint64_t fp), uint64_t fp,
		  struct chains *c)
{
	struct acrpmu_ring_page *page;
	int ret = session_make(s);

	c->nr = 0;
	if (!ret)
		ret = session_enable(s);
	if (!ret)
		run_work(function, fp);
	if (!ret)
		ret = session_disable(s);
	if (!ret)
		ret = session_read(s);
	page = s->ring[0];
	if (!ret && !page)
		ret = -ENXIO;
	/* header, id, ip, tid, time, cpu, period, chain */
	if (!ret)
		drain((char *)page + page->data_offset, page->data_size, page->data_head, 2, 7, c);
	if (!ret && (s->accounts.lost || s->accounts.throttled))
		ret = -ENOBUFS;
	session_close(s);
	return ret;
}

/* With no more than @max_stack frames; 0: without chains, of which nothing is kept. */
static int sample_intree_upto(unsigned int max_stack, unsigned int levels,
			      void (*function)(uint64_t n, uint64_t fp), uint64_t fp,
			      struct chains *c)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = EV_INSNS, .disabled = 1,
		.sample_period = possible_period(levels & KERNEL ? KERNEL_PERIOD : PERIOD, levels),
		.sample_type = PERF_SAMPLE_IP | (max_stack ? PERF_SAMPLE_CALLCHAIN : 0),
		.sample_max_stack = max_stack,
		.exclude_kernel = !(levels & KERNEL), .exclude_hv = 1, .pinned = 1,
	};
	size_t bytes = (1 + INTREE_PAGES) * 4096;
	struct perf_event_mmap_page *page;
	int fd = syscall(SYS_perf_event_open, &attr, 0, 0, -1, PERF_FLAG_FD_CLOEXEC);

	c->nr = 0;
	if (fd < 0)
		return -errno;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		close(fd);
		return -errno;
	}
	run_work(function, fp);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (max_stack)
		drain((char *)page + page->data_offset, page->data_size, page->data_head, 1, 2,
		      c);
	munmap(page, bytes);
	close(fd);
	return 0;
}

static int sample_intree(unsigned int levels, void (*function)(uint64_t n, uint64_t fp),
			 uint64_t fp, struct chains *c)
{
	return sample_intree_upto(ACRPMU_MAX_STACK, levels, function, fp, c);
}

static bool equal(const struct chain *a, const struct chain *b)
{
	return a->ip == b->ip && a->nr == b->nr && !memcmp(a->entries, b->entries, a->nr * 8);
}

static void print(const char *owner, const struct chain *c)
{
	uint64_t i;

	fprintf(stderr, "# %s: at %#lx:", owner, c->ip);
	for (i = 0; i < c->nr; i++)
		fprintf(stderr, " %#lx", c->entries[i]);
	fprintf(stderr, "\n");
}

/* How many of ours are at an instruction of theirs, and how many have none of its chains. */
static void compare(const struct chains *ours, const struct chains *theirs, unsigned int *common,
		    unsigned int *differ)
{
	unsigned int i, k;

	*common = 0;
	*differ = 0;
	for (i = 0; i < ours->nr; i++) {
		const struct chain *other = NULL;
		bool found = false;

		for (k = 0; k < theirs->nr && !found; k++) {
			if (theirs->list[k].ip != ours->list[i].ip)
				continue;
			other = &theirs->list[k];
			found = equal(&ours->list[i], other);
		}
		*common += !!other;
		*differ += other && !found;
		if (other && !found && *differ < 5) {
			print("acrpmu", &ours->list[i]);
			print("perf", other);
		}
	}
}

static bool in_spin(uint64_t ip)
{
	return ip >= (uintptr_t)calls_spin_begin && ip < (uintptr_t)calls_spin_end;
}

/* Samples in the loop, all of which must have these callers after their own address. */
static unsigned int count_spinning(const struct chains *c, const uint64_t *callers, uint64_t nr,
				   unsigned int *wrong)
{
	unsigned int i, spinning = 0;

	*wrong = c->broken;
	for (i = 0; i < c->nr; i++) {
		const struct chain *chain = &c->list[i];

		if (!in_spin(chain->ip))
			continue;
		spinning++;
		if (chain->nr == 2 + nr && chain->entries[0] == PERF_CONTEXT_USER &&
		    chain->entries[1] == chain->ip &&
		    !memcmp(chain->entries + 2, callers, nr * 8))
			continue;
		(*wrong)++;
		if (*wrong < 5)
			print("wrong", chain);
	}
	return spinning;
}

TEST_F(chain, frame_pointers_lead_to_each_caller)
{
	const uint64_t callers[] = {
		(uintptr_t)calls_in_middle, (uintptr_t)calls_in_outer, (uintptr_t)calls_in_enter,
	};
	unsigned int wrong, common, differ;

	describe(&self->s, USER);
	ASSERT_EQ(0, sample(&self->s, calls_spin, 0, self->ours))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_LT(ITERATIONS * 2 / PERIOD * 9 / 10,
		  count_spinning(self->ours, callers, 3, &wrong));
	EXPECT_EQ(0, wrong);
	ASSERT_EQ(0, sample_intree(USER, calls_spin, 0, self->intree));
	compare(self->ours, self->intree, &common, &differ);
	EXPECT_LT(ITERATIONS * 2 / PERIOD / 2, common);
	EXPECT_EQ(0, differ);
}

TEST_F(chain, frames_are_at_most_max_stack)
{
	const uint64_t callers[] = { (uintptr_t)calls_in_middle, (uintptr_t)calls_in_outer };
	unsigned int wrong;

	describe(&self->s, USER);
	self->s.attr.max_stack = 3;
	ASSERT_EQ(0, sample(&self->s, calls_spin, 0, self->ours));
	EXPECT_LT(0, count_spinning(self->ours, callers, 2, &wrong));
	EXPECT_EQ(0, wrong);
	describe(&self->s, USER);
	self->s.attr.max_stack = 1;
	ASSERT_EQ(0, sample(&self->s, calls_spin, 0, self->ours));
	EXPECT_LT(0, count_spinning(self->ours, callers, 0, &wrong));
	EXPECT_EQ(0, wrong);
}

/* A frame that is its own caller has a chain as long as it may be, as with in-tree perf. */
TEST_F(chain, a_circle_of_frames_ends)
{
	uint64_t *frame = self->pages, callers[ACRPMU_MAX_STACK - 1];
	unsigned int i, wrong, common, differ;

	frame[0] = (uintptr_t)frame;
	frame[1] = 0x1234;
	for (i = 0; i < ACRPMU_MAX_STACK - 1; i++)
		callers[i] = 0x1234;
	describe(&self->s, USER);
	ASSERT_EQ(0, sample(&self->s, calls_spin, (uintptr_t)frame, self->ours));
	EXPECT_LT(0, count_spinning(self->ours, callers, ACRPMU_MAX_STACK - 1, &wrong));
	EXPECT_EQ(0, wrong);
	ASSERT_EQ(0, sample_intree(USER, calls_spin, (uintptr_t)frame, self->intree));
	compare(self->ours, self->intree, &common, &differ);
	EXPECT_LT(0, common);
	EXPECT_EQ(0, differ);
}

/* Addresses that cannot be read, of the kernel, that are none, and of half a frame. */
TEST_F(chain, a_broken_frame_pointer_ends_it)
{
	const uint64_t fps[] = {
		8, (uintptr_t)self->pages + 4096, 0xffffffff81000000, 0xffff888000000000,
		0x8000000000000000, (uintptr_t)self->pages + 4096 - 8, ~0ULL, ~7ULL,
		(1ULL << 47) - 8,
	};
	unsigned int i, wrong, common, differ;

	for (i = 0; i < sizeof(fps) / sizeof(*fps); i++) {
		describe(&self->s, USER);
		ASSERT_EQ(0, sample(&self->s, calls_spin, fps[i], self->ours));
		EXPECT_LT(0, count_spinning(self->ours, NULL, 0, &wrong));
		EXPECT_EQ(0, wrong) TH_LOG("frame pointer %#lx", fps[i]);
	}
	ASSERT_EQ(0, sample_intree(USER, calls_spin, fps[i - 1], self->intree));
	compare(self->ours, self->intree, &common, &differ);
	EXPECT_LT(0, common);
	EXPECT_EQ(0, differ);
}

/* Frames of a level behind its marker; SIZE_MAX if it has none. */
static size_t frames_of(const struct chain *c, uint64_t marker)
{
	size_t i, n = 0;

	for (i = 0; i < c->nr && c->entries[i] != marker; i++)
		;
	if (i == c->nr)
		return SIZE_MAX;
	for (i++; i < c->nr && c->entries[i] < PERF_CONTEXT_MAX; i++)
		n++;
	return n;
}

static bool is_kernel(uint64_t ip)
{
	return ip >> 63;
}

/* Samples in the system call: its frames in the kernel, then those of the program. */
static unsigned int count_syscalls(const struct chains *c, unsigned int *wrong)
{
	unsigned int i, n = 0;

	*wrong = c->broken;
	for (i = 0; i < c->nr; i++) {
		const struct chain *chain = &c->list[i];
		size_t kernel = frames_of(chain, PERF_CONTEXT_KERNEL), k;

		if (!is_kernel(chain->ip))
			continue;
		/* an interrupt may come elsewhere in the program */
		if (frames_of(chain, PERF_CONTEXT_USER) == 4 &&
		    chain->entries[chain->nr - 4] == (uintptr_t)calls_after_syscall &&
		    chain->entries[chain->nr - 1] == (uintptr_t)calls_in_enter)
			n++;
		if (chain->entries[0] != PERF_CONTEXT_KERNEL || chain->entries[1] != chain->ip)
			(*wrong)++;
		for (k = 1; k <= kernel && kernel != SIZE_MAX; k++)
			*wrong += !is_kernel(chain->entries[k]);
	}
	return n;
}

TEST_F(chain, a_system_call_is_followed_through_the_kernel_and_the_program)
{
	unsigned int wrong, common, differ;

	describe(&self->s, USER | KERNEL);
	ASSERT_EQ(0, sample(&self->s, calls_syscall, 0, self->ours))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_LT(20, count_syscalls(self->ours, &wrong));
	EXPECT_EQ(0, wrong);
	ASSERT_EQ(0, sample_intree(USER | KERNEL, calls_syscall, 0, self->intree));
	compare(self->ours, self->intree, &common, &differ);
	EXPECT_LT(20, common);
	/* one address of the kernel may have more callers than those that either has sampled */
	EXPECT_GE(common / 20, differ);
}

/* Events of user level report no address of the kernel, wherever their PMI arrives. */
TEST_F(chain, samples_of_user_level_have_no_frame_of_the_kernel)
{
	unsigned int i, k;

	describe(&self->s, USER);
	self->s.ev[0].period = 1009;
	ASSERT_EQ(0, sample(&self->s, calls_syscall, 0, self->ours));
	EXPECT_LT(20, self->ours->nr);
	EXPECT_FALSE(self->ours->broken);
	for (i = 0; i < self->ours->nr; i++) {
		const struct chain *chain = &self->ours->list[i];

		EXPECT_EQ(PERF_CONTEXT_USER, chain->entries[0]);
		EXPECT_EQ(chain->ip, chain->entries[1]);
		for (k = 1; k < chain->nr; k++)
			EXPECT_FALSE(is_kernel(chain->entries[k]));
	}
}

TEST_F(chain, either_level_can_be_left_out)
{
	unsigned int i, in_kernel = 0, in_switch = 0;

	describe(&self->s, USER | KERNEL);
	self->s.attr.flags |= ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL;
	ASSERT_EQ(0, sample(&self->s, calls_syscall, 0, self->ours));
	for (i = 0; i < self->ours->nr; i++) {
		in_kernel += is_kernel(self->ours->list[i].ip);
		EXPECT_EQ(SIZE_MAX, frames_of(&self->ours->list[i], PERF_CONTEXT_KERNEL));
		in_switch += !self->ours->list[i].nr;
	}
	EXPECT_LT(20, in_kernel);
	/* while it switches to the task, the stack is that of another */
	EXPECT_GE(self->ours->nr / 20, in_switch);
	in_kernel = 0;
	describe(&self->s, USER | KERNEL);
	self->s.attr.flags |= ACRPMU_SESSION_EXCLUDE_CHAIN_USER;
	ASSERT_EQ(0, sample(&self->s, calls_syscall, 0, self->ours));
	for (i = 0; i < self->ours->nr; i++) {
		in_kernel += frames_of(&self->ours->list[i], PERF_CONTEXT_KERNEL) != SIZE_MAX;
		EXPECT_EQ(SIZE_MAX, frames_of(&self->ours->list[i], PERF_CONTEXT_USER));
	}
	EXPECT_LT(20, in_kernel);
}

/* ---- cost ---- */

/* Instructions of a PMI on CPU 0, by the model's count of what it executes between two of them. */
static uint64_t insns_per_pmi(uint64_t (*run)(void *arg), void *arg)
{
	uint64_t nr, insns;

	oracle_get(ORACLE_WINDOWS, 0, ORACLE_WIN_RESET);
	nr = oracle_get(ORACLE_WINDOWS, 0, ORACLE_WIN_NR);
	insns = oracle_get(ORACLE_WINDOWS, 0, ORACLE_WIN_HANDLER_INSNS);
	if (run(arg))
		return UINT64_MAX;
	nr = oracle_get(ORACLE_WINDOWS, 0, ORACLE_WIN_NR) - nr;
	insns = oracle_get(ORACLE_WINDOWS, 0, ORACLE_WIN_HANDLER_INSNS) - insns;
	return nr ? insns / nr : UINT64_MAX;
}

struct costly {
	struct session *s;
	struct chains *c;
	uint64_t fp;
	uint32_t max_stack;	/* 0: no chain */
};

static uint64_t run_ours(void *arg)
{
	struct costly *costly = arg;

	describe(costly->s, USER);
	costly->s->attr.max_stack = costly->max_stack;
	if (!costly->max_stack)
		costly->s->attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	return sample(costly->s, calls_spin, costly->fp, costly->c);
}

static uint64_t run_intree(void *arg)
{
	struct costly *costly = arg;

	return sample_intree_upto(costly->max_stack, USER, calls_spin, costly->fp, costly->c);
}

/* Of chains as long as they may be, whatever their length; prints what ring-buffer.rst shows. */
TEST_F(chain, a_frame_of_a_program_costs_no_more_than_promised)
{
	enum { NR = 5 };
	static const uint32_t frames[NR] = { 0, 1, 8, 32, ACRPMU_MAX_STACK };
	struct costly costly = { .s = &self->s, .c = self->ours, .fp = (uintptr_t)self->pages };
	uint64_t ours[NR], intree[NR], each;
	size_t i;

	*(uint64_t *)self->pages = (uintptr_t)self->pages;
	for (i = 0; i < NR; i++) {
		costly.max_stack = frames[i];
		ours[i] = insns_per_pmi(run_ours, &costly);
		ASSERT_NE(UINT64_MAX, ours[i]);
		intree[i] = insns_per_pmi(run_intree, &costly);
		ASSERT_NE(UINT64_MAX, intree[i]);
		fprintf(stderr, "# insns of a PMI with %u frames: %lu, of perf %lu\n", frames[i],
			ours[i], intree[i]);
	}
	EXPECT_LT(ours[0], ours[1]);
	for (i = 2; i < NR; i++) {
		EXPECT_LT(ours[i - 1], ours[i]);
		each = (ours[i] - ours[1]) / (frames[i] - frames[1]);
		EXPECT_GT(MAX_FRAME_INSNS, each) TH_LOG("%u frames: %lu each", frames[i], each);
	}
	/* no frame is free: a chain that ended early would be */
	EXPECT_LT(ours[1] + 126 * 20, ours[NR - 1]);
}

TEST_HARNESS_MAIN
