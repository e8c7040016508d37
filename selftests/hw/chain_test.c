// SPDX-License-Identifier: GPL-2.0-only
/* Call chains: those of known calls, those of in-tree perf, and where they end. */
#include "calls32.h"
#include "chains.h"
#include "kselftest_harness.h"

/* Where the kernel is entered: functions by the beginnings of their names */
struct entries {
	const char *prefixes[8];
	unsigned int nr;
	struct {
		uint64_t begin, end;
	} list[256];
};

static struct entries handlers = {
	.prefixes = {
		"asm_exc_", "asm_sysvec_", "asm_common_interrupt", "asm_spurious_interrupt",
		"asm_fred_entrypoint_kernel",
	},
};

static struct entries syscalls = {
	.prefixes = { "entry_SYSCALL_64", "asm_fred_entrypoint_user" },
};

static bool is_entry(const struct entries *e, const char *name)
{
	size_t i;

	for (i = 0; e->prefixes[i]; i++)
		if (!strncmp(name, e->prefixes[i], strlen(e->prefixes[i])))
			return true;
	return false;
}

static void find_entries(struct entries *e)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char line[512], name[256];
	bool inside = false;

	e->nr = 0;
	while (file && fgets(line, sizeof(line), file) && e->nr < 256) {
		if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
			continue;
		if (inside)
			e->list[e->nr++].end = address;
		inside = e->nr < 256 && is_entry(e, name);
		if (inside)
			e->list[e->nr].begin = address;
	}
	if (file)
		fclose(file);
}

/* A return address in one of them */
static bool in_entry(const struct entries *e, uint64_t ip)
{
	unsigned int i;

	for (i = 0; i < e->nr; i++)
		if (ip > e->list[i].begin && ip <= e->list[i].end)
			return true;
	return false;
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

static int sample_intree(unsigned int levels, void (*function)(uint64_t n, uint64_t fp),
			 uint64_t fp, struct chains *c)
{
	return chains_sample_intree(ACRPMU_MAX_STACK, levels, function, fp, c);
}

/* Where a chain begins that is compared whole */
static uint64_t whole(const struct chain *c)
{
	return 0;
}

/*
 * Index of the address that the program, or its system call, was at; 0 if a chain ends before. An
 * interrupt may come at any of them.
 */
static uint64_t behind_interrupts(const struct chain *c)
{
	uint64_t i = c->nr;

	while (i > 0 && !in_entry(&handlers, c->entries[i - 1]))
		i--;
	while (i < c->nr && c->entries[i] >= PERF_CONTEXT_MAX)
		i++;
	return i < c->nr ? i : 0;
}

static bool begin_alike(const struct chain *a, const struct chain *b)
{
	if (!a->begin || !b->begin)
		return a->ip == b->ip;
	return a->entries[a->begin] == b->entries[b->begin];
}

static bool equal(const struct chain *a, const struct chain *b)
{
	const uint64_t *of_a = a->entries + a->begin, *of_b = b->entries + b->begin;
	uint64_t n = a->nr - a->begin;

	return n == b->nr - b->begin && !memcmp(of_a, of_b, n * 8);
}

/* The marker of its level and its own address come first, as in each of in-tree perf's. */
static bool begins_well(const struct chain *c)
{
	uint64_t level = c->ip >> 63 ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;

	return c->nr > 1 && c->entries[0] == level && c->entries[1] == c->ip;
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
static void compare(struct chains *ours, struct chains *theirs,
		    uint64_t (*begin)(const struct chain *c), unsigned int *common,
		    unsigned int *differ)
{
	unsigned int i, k;

	*common = 0;
	*differ = 0;
	for (k = 0; k < theirs->nr; k++)
		theirs->list[k].begin = begin(&theirs->list[k]);
	for (i = 0; i < ours->nr; i++) {
		struct chain *own = &ours->list[i];
		const struct chain *other = NULL;
		bool found = false;

		own->begin = begin(own);
		for (k = 0; k < theirs->nr && !found; k++) {
			if (!begin_alike(own, &theirs->list[k]))
				continue;
			other = &theirs->list[k];
			found = equal(own, other);
		}
		found = found && begins_well(own);
		*common += !!other;
		*differ += other && !found;
		if (other && !found && *differ < 5) {
			print("acrpmu", own);
			print("perf", other);
		}
	}
}

/* Samples in a loop, all of which must have these callers after their own address. */
static unsigned int count_in(uint64_t begin, uint64_t end, const struct chains *c,
			     const uint64_t *callers, uint64_t nr, unsigned int *wrong)
{
	unsigned int i, spinning = 0;

	*wrong = c->broken;
	for (i = 0; i < c->nr; i++) {
		const struct chain *chain = &c->list[i];

		if (chain->ip < begin || chain->ip >= end)
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

static unsigned int count_spinning(const struct chains *c, const uint64_t *callers, uint64_t nr,
				   unsigned int *wrong)
{
	return count_in((uintptr_t)calls_spin_begin, (uintptr_t)calls_spin_end, c, callers, nr,
			wrong);
}

TEST_F(chain, frame_pointers_lead_to_each_caller)
{
	const uint64_t callers[] = {
		(uintptr_t)calls_in_middle, (uintptr_t)calls_in_outer, (uintptr_t)calls_in_enter,
	};
	unsigned int wrong, common, differ;

	chains_describe(&self->s, USER);
	ASSERT_EQ(0, chains_sample(&self->s, calls_spin, 0, self->ours))
		TH_LOG("%s", session_refusal(&self->s));
	/* low bounds: that enough was compared */
	EXPECT_LT(ITERATIONS * 2 / PERIOD * 9 / 10,
		  count_spinning(self->ours, callers, 3, &wrong));
	EXPECT_EQ(0, wrong);
	ASSERT_EQ(0, sample_intree(USER, calls_spin, 0, self->intree));
	compare(self->ours, self->intree, whole, &common, &differ);
	EXPECT_LT(ITERATIONS * 2 / PERIOD / 2, common);
	EXPECT_EQ(0, differ);
}

/* As those of 32-bit programs, frames have four bytes for each register. */
TEST_F(chain, frame_pointers_of_32_bits_lead_to_each_caller)
{
	char *code = calls32_make();
	const uint64_t callers[] = {
		calls32_at(code, calls32_in_outer), calls32_at(code, calls32_in_enter),
		CALLS32_CALLER,
	};
	void (*spin)(uint64_t n, uint64_t fp) = (void *)code;
	unsigned int wrong, common, differ;

	ASSERT_NE(MAP_FAILED, code);
	chains_describe(&self->s, USER);
	ASSERT_EQ(0, chains_sample(&self->s, spin, 0, self->ours))
		TH_LOG("%s", session_refusal(&self->s));
	/* low bounds: that enough was compared */
	EXPECT_LT(ITERATIONS * 2 / PERIOD * 9 / 10,
		  count_in(calls32_at(code, calls32_spin_begin),
			   calls32_at(code, calls32_spin_end), self->ours, callers, 3, &wrong));
	EXPECT_EQ(0, wrong);
	/* without it in-tree perf follows none */
	if (is_configured("CONFIG_IA32_EMULATION")) {
		ASSERT_EQ(0, sample_intree(USER, spin, 0, self->intree));
		compare(self->ours, self->intree, whole, &common, &differ);
		EXPECT_LT(ITERATIONS * 2 / PERIOD / 2, common);
		EXPECT_EQ(0, differ);
	}
	munmap(code, calls32_end - calls32_code);
}

TEST_F(chain, frames_are_at_most_max_stack)
{
	const uint64_t callers[] = { (uintptr_t)calls_in_middle, (uintptr_t)calls_in_outer };
	unsigned int wrong;

	chains_describe(&self->s, USER);
	self->s.attr.max_stack = 3;
	ASSERT_EQ(0, chains_sample(&self->s, calls_spin, 0, self->ours));
	EXPECT_LT(0, count_spinning(self->ours, callers, 2, &wrong));
	EXPECT_EQ(0, wrong);
	chains_describe(&self->s, USER);
	self->s.attr.max_stack = 1;
	ASSERT_EQ(0, chains_sample(&self->s, calls_spin, 0, self->ours));
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
	chains_describe(&self->s, USER);
	ASSERT_EQ(0, chains_sample(&self->s, calls_spin, (uintptr_t)frame, self->ours));
	EXPECT_LT(0, count_spinning(self->ours, callers, ACRPMU_MAX_STACK - 1, &wrong));
	EXPECT_EQ(0, wrong);
	ASSERT_EQ(0, sample_intree(USER, calls_spin, (uintptr_t)frame, self->intree));
	compare(self->ours, self->intree, whole, &common, &differ);
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
		chains_describe(&self->s, USER);
		ASSERT_EQ(0, chains_sample(&self->s, calls_spin, fps[i], self->ours));
		EXPECT_LT(0, count_spinning(self->ours, NULL, 0, &wrong));
		EXPECT_EQ(0, wrong) TH_LOG("frame pointer %#lx", fps[i]);
	}
	ASSERT_EQ(0, sample_intree(USER, calls_spin, fps[i - 1], self->intree));
	compare(self->ours, self->intree, whole, &common, &differ);
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

/* Chains that do not lead out of the kernel */
static unsigned int count_cut(const struct chains *c)
{
	unsigned int i, n = 0;
	uint64_t k, last;

	for (i = 0; i < c->nr; i++) {
		const struct chain *chain = &c->list[i];

		if (!is_kernel(chain->ip))
			continue;
		for (k = 0, last = 0; k < chain->nr && chain->entries[k] != PERF_CONTEXT_USER; k++)
			last = chain->entries[k];
		n += !in_entry(&handlers, last) && !in_entry(&syscalls, last);
	}
	return n;
}

TEST_F(chain, a_system_call_is_followed_through_the_kernel_and_the_program)
{
	unsigned int i, wrong, common, differ;

	find_entries(&handlers);
	find_entries(&syscalls);
	ASSERT_LT(0, handlers.nr);
	ASSERT_LT(0, syscalls.nr);
	chains_describe(&self->s, USER | KERNEL);
	ASSERT_EQ(0, chains_sample(&self->s, calls_syscall, 0, self->ours))
		TH_LOG("%s", session_refusal(&self->s));
	/* or nothing is compared below */
	EXPECT_LT(20, count_syscalls(self->ours, &wrong));
	EXPECT_EQ(0, wrong);
	/* one address of the kernel has many callers, most of which have to be in the reference */
	for (i = 0; i < (has_debugging() ? 8 : 1); i++)
		ASSERT_EQ(0, sample_intree(USER | KERNEL, calls_syscall, 0, self->intree));
	ASSERT_GT(MAX_CHAINS, self->intree->nr);
	/* Some addresses of an entry itself lead nowhere, which chance hits. */
	EXPECT_GE(1.0 * count_cut(self->intree) / self->intree->nr + 0.05,
		  1.0 * count_cut(self->ours) / self->ours->nr);
	compare(self->ours, self->intree, behind_interrupts, &common, &differ);
	EXPECT_LT(20, common);
	EXPECT_GE(common / 20, differ);
	/* With debugging options many samples are of interrupts, no two of which are alike. */
	if (has_debugging())
		return;
	compare(self->ours, self->intree, whole, &common, &differ);
	EXPECT_LT(20, common);
	EXPECT_GE(common / 20, differ);
}

/* Events of user level report no address of the kernel, wherever their PMI arrives. */
TEST_F(chain, samples_of_user_level_have_no_frame_of_the_kernel)
{
	unsigned int i, k;

	chains_describe(&self->s, USER);
	self->s.ev[0].period = 1009;
	ASSERT_EQ(0, chains_sample(&self->s, calls_syscall, 0, self->ours));
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

	chains_describe(&self->s, USER | KERNEL);
	self->s.attr.flags |= ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL;
	ASSERT_EQ(0, chains_sample(&self->s, calls_syscall, 0, self->ours));
	for (i = 0; i < self->ours->nr; i++) {
		in_kernel += is_kernel(self->ours->list[i].ip);
		EXPECT_EQ(SIZE_MAX, frames_of(&self->ours->list[i], PERF_CONTEXT_KERNEL));
		in_switch += !self->ours->list[i].nr;
	}
	EXPECT_LT(20, in_kernel);
	/* while it switches to the task, the stack is that of another */
	EXPECT_GE(self->ours->nr / 20, in_switch);
	in_kernel = 0;
	chains_describe(&self->s, USER | KERNEL);
	self->s.attr.flags |= ACRPMU_SESSION_EXCLUDE_CHAIN_USER;
	ASSERT_EQ(0, chains_sample(&self->s, calls_syscall, 0, self->ours));
	for (i = 0; i < self->ours->nr; i++) {
		in_kernel += frames_of(&self->ours->list[i], PERF_CONTEXT_KERNEL) != SIZE_MAX;
		EXPECT_EQ(SIZE_MAX, frames_of(&self->ours->list[i], PERF_CONTEXT_USER));
	}
	EXPECT_LT(20, in_kernel);
}

TEST_HARNESS_MAIN
