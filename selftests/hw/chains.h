/* SPDX-License-Identifier: GPL-2.0-only */
/* Known calls, and the chains that the module and in-tree perf sample of them. */
#ifndef HW_CHAINS_H
#define HW_CHAINS_H

#include "work.h"
#include "intree.h"
#include "records.h"

#define PERIOD		5003
#define KERNEL_PERIOD	10007
#define ITERATIONS	1000000
#define SYSCALLS	20000
#define MAX_CHAINS	16384
#define MAX_ENTRIES	(ACRPMU_MAX_STACK + 8)
#define INTREE_PAGES	256
#define RAW_TYPE	(SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN)
/* Of a record: header, id, ip, tid, time, cpu, period, chain */
#define IP_AT		2
#define CHAIN_AT	7

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
	uint64_t begin;		/* index of the first entry that a test compares */
	uint64_t nr;
	uint64_t entries[MAX_ENTRIES];
};

struct chains {
	struct chain list[MAX_CHAINS];
	unsigned int nr;
	bool broken;
};

/* All samples of a run fit into the ring. */
static inline uint64_t chains_period(unsigned int levels)
{
	if (!(levels & KERNEL))
		return PERIOD;
	return has_debugging() ? 8 * KERNEL_PERIOD : KERNEL_PERIOD;
}

/* The same call for both sources, so that all addresses are the same. */
static inline void chains_call(void (*function)(uint64_t n, uint64_t fp), uint64_t fp)
{
	calls_enter(function, function == calls_syscall ? SYSCALLS : ITERATIONS, fp);
}

/* Take the chain of a record. */
static inline void chains_keep(struct chains *c, const uint64_t *rec, size_t bytes)
{
	struct chain *chain = &c->list[c->nr];

	if (c->nr == MAX_CHAINS)
		return;
	chain->ip = rec[IP_AT];
	chain->nr = rec[CHAIN_AT];
	if (chain->nr > MAX_ENTRIES || bytes != (CHAIN_AT + 1 + chain->nr) * 8) {
		c->broken = true;
		return;
	}
	memcpy(chain->entries, rec + CHAIN_AT + 1, chain->nr * 8);
	c->nr++;
}

static inline void chains_drain(struct chains *c, const void *data, uint64_t size, uint64_t head)
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
			chains_keep(c, rec, header.size);
		pos += header.size;
	}
}

static inline void chains_describe(struct session *s, unsigned int levels)
{
	session_task(s, 0, 0);
	s->cpu_bits = 1;
	session_event(s, EV_INSNS, levels | SAMPLED,
		      chains_period(levels), 0);
	s->attr.sample_type = RAW_TYPE;
	s->attr.ring_pages = INTREE_PAGES;
}

/* 0 or -errno; all that were sampled are in @c. */
static inline int chains_sample(struct session *s, void (*function)(uint64_t n, uint64_t fp),
				uint64_t fp, struct chains *c)
{
	struct acrpmu_ring_page *page;
	int ret = session_make(s);

	c->nr = 0;
	if (!ret)
		ret = session_enable(s);
	if (!ret)
		chains_call(function, fp);
	if (!ret)
		ret = session_disable(s);
	if (!ret)
		ret = session_read(s);
	page = s->ring[0];
	if (!ret && !page)
		ret = -ENXIO;
	if (!ret && s->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		chains_drain(c, (char *)page + page->data_offset, page->data_size, page->data_head);
	if (!ret && (s->accounts.lost || s->accounts.throttled))
		ret = -ENOBUFS;
	session_close(s);
	return ret;
}

/*
 * Records of the same fields, added to those in @c. With no more than @max_stack frames; 0: without
 * chains.
 */
static inline int chains_sample_intree(unsigned int max_stack, unsigned int levels,
				       void (*function)(uint64_t n, uint64_t fp), uint64_t fp,
				       struct chains *c)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = EV_INSNS, .disabled = 1,
		.sample_period = chains_period(levels),
		.sample_type = max_stack ? RAW_TYPE : SAMPLE_TYPE,
		.sample_max_stack = max_stack,
		.exclude_kernel = !(levels & KERNEL), .exclude_hv = 1, .pinned = 1,
	};
	size_t bytes = (1 + INTREE_PAGES) * 4096;
	struct perf_event_mmap_page *page;
	int fd = syscall(SYS_perf_event_open, &attr, 0, 0, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		close(fd);
		return -errno;
	}
	chains_call(function, fp);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (max_stack)
		chains_drain(c, (char *)page + page->data_offset, page->data_size, page->data_head);
	munmap(page, bytes);
	close(fd);
	return 0;
}

#endif /* HW_CHAINS_H */
