/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the ABI tests: expected CPUs, good requests, checks of refusals, known loops. */
#ifndef ABI_COMMON_H
#define ABI_COMMON_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include <kselftest_harness.h>

#include "../kernel.h"
#include "../model/oracle.h"
#include "wrappers.h"

#define POISON		0xcc
#define POISON32	0xccccccccU
#define POISON64	0xccccccccccccccccULL
#define PAGE		4096U
#define MAX_CPUS	64
#define NO_EVENT	(-1)
#define NO_CPU		(-1)
#define BIT64(n)	(1ULL << (n))
#define FIXED(n)	(1ULL << (ACRPMU_FIXED_BASE + (n)))
#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* SDM vol. 4 */
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f

/* Event select and umask, SDM vol. 3, "Pre-defined Architectural Performance Events" */
#define EV_INSTRUCTIONS		0x00c0
#define EV_CYCLES		0x003c
#define EV_REF_CYCLES		0x0300
#define EV_BRANCHES		0x00c4
#define EV_BRANCH_MISSES	0x00c5
#define EV_OFFCORE_0		0x01b7
#define EV_OFFCORE_1		0x02b7

#define USER	ACRPMU_EVENT_USER
#define KERNEL	ACRPMU_EVENT_KERNEL
#define SAMPLED	ACRPMU_EVENT_SAMPLED
#define COUNT	ACRPMU_EVENT_COUNT

/* ---- the expected CPU ---- */

/**
 * struct profile - properties of a CPU of the model, from the description of the profiles
 * @name: as in boot.sh --profile
 * @core: name for its signature in the table of CPUs
 * @version: architectural version
 * @signature: CPUID.01H:EAX family and model
 * @width: bits of a counter, general-purpose and fixed
 * @cntrs: counters that exist
 * @acr_cntrs: reloadable counters, which are also the cause counters
 * @full_width: counters can be written in full width
 * @offcore: valid masks of OFFCORE_RSP_0 and 1, 0 if there are none
 */
struct profile {
	const char *name;
	const char *core;
	uint32_t version;
	uint32_t signature;
	uint32_t width;
	uint64_t cntrs;
	uint64_t acr_cntrs;
	bool full_width;
	uint64_t offcore[2];
};

#define SIGNATURE_MASK	0x0fff0ff0U	/* without stepping and type */

static const struct profile profiles[] = {
	{ "clearwaterforest", "clearwaterforest", 6, 0x000d06d0, 48,
	  0xff | 0x77ULL << 32, 0xff | 0x7ULL << 32, true,
	  { 0x800ff3ffffffffffULL, 0x000ff3ffffffffffULL } },
	/* the signature of the former, with the counters of Panther Lake's E-cores */
	{ "pantherlake-e", "clearwaterforest", 6, 0x000d06d0, 48,
	  0xff | 0x77ULL << 32, 0xfc | 0x7ULL << 32, true,
	  { 0x800ff3ffffffffffULL, 0x000ff3ffffffffffULL } },
	{ "goldmont", "goldmont", 4, 0x000506c0, 48, 0xf | 0x7ULL << 32, 0, true,
	  { 0x760005ffbfULL, 0x360005ffbfULL } },
	{ "v2", "architectural", 2, 0x00010670, 40, 0x3 | 0x7ULL << 32, 0, false, { 0, 0 } },
	{ "v4", "architectural", 4, 0x000f0600, 48, 0xf | 0x7ULL << 32, 0, true, { 0, 0 } },
};

/* The profile that the guest runs on, NULL on an unknown CPU. */
static inline const struct profile *this_profile(void)
{
	const char *name = getenv("ACR_PROFILE");

	for (unsigned int i = 0; name && i < NR(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}

#define REQUIRE_ACR() do {								\
	if (!this_profile() || !this_profile()->acr_cntrs)				\
		SKIP(return, "this CPU has no auto counter reload");			\
} while (0)

/*
 * Whether registers can be checked.  Where the profile of a machine is known they must be, or a
 * model that does not answer would let all these checks pass.
 */
static inline bool on_model(void)
{
	if (oracle_present())
		return true;
	if (this_profile()) {
		fprintf(stderr, "# the model CPU does not report its registers\n");
		abort();
	}
	return false;
}

#define REQUIRE_ORACLE() do {								\
	if (!on_model())								\
		SKIP(return, "not on the model CPU: nothing reports true MSR values");	\
} while (0)

static inline int nr_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

static inline int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* ---- requests that are good until a test spoils one thing ---- */

/**
 * struct request - a request for a session, with all that its attr points to
 * @attr: points to @events and, for a CPU session, to @cpus
 * @events: the group
 * @cpus: bitmap of CPU numbers
 */
struct request {
	struct acrpmu_session_attr attr;
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS + 1];
	uint8_t cpus[8];
};

static inline void poison_error(struct request *req)
{
	memset(&req->attr.error, POISON, sizeof(req->attr.error));
	req->attr.session_id = POISON64;
}

/* A task session of the caller, without events and thus without a ring. */
static inline void request_task(struct request *req, pid_t pid)
{
	memset(req, 0, sizeof(*req));
	req->attr.size = sizeof(req->attr);
	req->attr.flags = ACRPMU_SESSION_TASK;
	req->attr.events = (uintptr_t)req->events;
	req->attr.event_size = sizeof(req->events[0]);
	req->attr.pid = pid;
	poison_error(req);
}

static inline void request_cpus(struct request *req, uint8_t cpus)
{
	request_task(req, 0);
	req->attr.flags = 0;
	req->cpus[0] = cpus;
	req->attr.cpus = (uintptr_t)req->cpus;
	req->attr.cpus_size = 1;
}

static inline struct acrpmu_event_attr *add_event(struct request *req, uint64_t config,
						  uint32_t flags, uint64_t period,
						  uint64_t acr_mask)
{
	unsigned int i = req->attr.nr_events++;

	req->events[i] = (struct acrpmu_event_attr){
		.config = config,
		.period = period,
		.acr_mask = acr_mask,
		.id = 100 + i,
		.flags = flags,
	};
	return &req->events[i];
}

#define SAMPLE_TYPE	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)

static inline void add_ring(struct request *req, uint64_t sample_type, uint32_t pages)
{
	req->attr.sample_type = sample_type;
	req->attr.ring_pages = pages;
}

/* Only counts instructions: works on every CPU that has a PMU. */
static inline void add_counter(struct request *req)
{
	add_event(req, EV_INSTRUCTIONS, USER | COUNT, 0, 0);
}

/* The documented pair: instructions sampled while two of them fit into one cycle. */
static inline void add_pair(struct request *req)
{
	add_event(req, EV_INSTRUCTIONS, USER | SAMPLED, 200000, 0x2);
	add_event(req, EV_CYCLES, USER, 100000, 0x3);
	add_ring(req, SAMPLE_TYPE, 8);
}

static inline void add_sampler(struct request *req, uint64_t period)
{
	add_event(req, EV_INSTRUCTIONS, USER | SAMPLED, period, 0);
	add_ring(req, SAMPLE_TYPE, 8);
}

static inline int request(int dev, struct request *req)
{
	poison_error(req);
	return abi_create(dev, &req->attr);
}

static inline bool error_is_poison(const struct request *req)
{
	const uint8_t *byte = (const uint8_t *)&req->attr.error;

	for (unsigned int i = 0; i < sizeof(req->attr.error); i++)
		if (byte[i] != POISON)
			return false;
	return req->attr.session_id == POISON64;
}

/**
 * struct refusal - how a request is expected to be refused
 * @ret: negative errno
 * @reason: ACRPMU_REASON_*
 * @event: index or NO_EVENT
 * @cpu: number or NO_CPU
 * @value: offending value
 * @limit: limit it exceeds
 * @holder_pid: conflicting process, 0 if unknown
 * @holder: its name, NULL for none
 */
struct refusal {
	int ret;
	uint32_t reason;
	int event;
	int cpu;
	uint64_t value;
	uint64_t limit;
	int holder_pid;
	const char *holder;
};

#define EXPECT_REFUSED(dev, req, want) \
	expect_refused(_metadata, __LINE__, dev, req, &(struct refusal)want)
#define REFUSAL(...)	{ __VA_ARGS__ }

static inline void describe(int line, int ret, const struct acrpmu_error *error)
{
	char holder[ACRPMU_COMM_LEN + 1] = "";

	for (unsigned int i = 0; i < ACRPMU_COMM_LEN && error->holder[i]; i++)
		holder[i] = isgraph((unsigned char)error->holder[i]) ? error->holder[i] : '?';
	fprintf(stderr,
		"# line %d: ret %d reason %u event %d cpu %d value %#llx limit %#llx by %d '%s'\n",
		line, ret, error->reason, error->event, error->cpu,
		(unsigned long long)error->value, (unsigned long long)error->limit,
		error->holder_pid, holder);
}

static inline bool error_is(const struct acrpmu_error *error, const struct refusal *want)
{
	char holder[ACRPMU_COMM_LEN] = { 0 };

	if (want->holder)
		strncpy(holder, want->holder, sizeof(holder) - 1);
	return error->reason == want->reason && error->event == want->event &&
	       error->cpu == want->cpu && error->value == want->value &&
	       error->limit == want->limit && error->holder_pid == want->holder_pid &&
	       !memcmp(error->holder, holder, sizeof(holder));
}

/* Send the request, compare errno and the whole error with those expected, print a mismatch. */
static inline void expect_refused(struct __test_metadata *_metadata, int line, int dev,
				  struct request *req, const struct refusal *want)
{
	struct acrpmu_session_attr before;
	int ret;

	poison_error(req);
	before = req->attr;
	ret = abi_create(dev, &req->attr);
	EXPECT_EQ(want->ret, ret);
	if (ret >= 0)
		close(ret);
	EXPECT_TRUE(error_is(&req->attr.error, want)) {
		describe(line, ret, &req->attr.error);
		fprintf(stderr,
			"# wanted: %d reason %u event %d cpu %d value %#llx limit %#llx by %d '%s'\n",
			want->ret, want->reason, want->event, want->cpu,
			(unsigned long long)want->value, (unsigned long long)want->limit,
			want->holder_pid, want->holder ?: "");
	}
	EXPECT_EQ(0, req->attr.session_id);
	/* the inputs are unchanged */
	EXPECT_EQ(0, memcmp(&before, &req->attr,
			    offsetof(struct acrpmu_session_attr, session_id)));
}

/* ---- reading ---- */

/**
 * struct counts - a READ with room for its arrays
 */
struct counts {
	struct acrpmu_read read;
	struct acrpmu_count count[ACRPMU_MAX_EVENTS];
	uint64_t outside[ACRPMU_MAX_EVENTS];
};

static inline int read_cpu(int session, unsigned int nr, int cpu, struct counts *counts)
{
	memset(counts, POISON, sizeof(*counts));
	counts->read = (struct acrpmu_read){
		.size = sizeof(counts->read),
		.cpu = cpu,
		.nr_counts = nr,
		.counts = (uintptr_t)counts->count,
		.outside = (uintptr_t)counts->outside,
		.time_enabled_ns = POISON64, .time_running_ns = POISON64,
		.records = POISON64, .lost = POISON64, .throttled = POISON64,
		.discarded = POISON64, .inherit_failed = POISON64,
		.quiet = POISON64, .dropped = POISON64,
		.state = POISON32, .nr_cpus = POISON32, .nr_tasks = POISON32,
	};
	return abi_ioctl(session, ACRPMU_READ, &counts->read);
}

static inline int read_all(int session, unsigned int nr, struct counts *counts)
{
	return read_cpu(session, nr, ACRPMU_CPU_ALL, counts);
}

static inline uint64_t accounted(const struct counts *counts)
{
	return counts->read.records + counts->read.lost + counts->read.throttled +
	       counts->read.discarded + counts->read.guest + counts->read.quiet;
}

static inline int nr_sessions(int dev)
{
	struct acrpmu_info info = { .size = sizeof(info) };

	return abi_info(dev, &info) ? -1 : (int)info.nr_sessions;
}

/* Counters that INFO reports as held, over all CPUs. */
static inline uint64_t held_cntrs(int dev)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS];
	struct acrpmu_info info = {
		.size = sizeof(info), .nr_cpus = MAX_CPUS, .cpus = (uintptr_t)cpus,
		.cpu_size = sizeof(cpus[0]),
	};
	uint64_t held = 0;

	if (abi_info(dev, &info))
		return ~0ULL;
	for (unsigned int i = 0; i < info.nr_cpus; i++)
		held |= cpus[i].held_cntrs;
	return held;
}

/* ---- known work ---- */

#define LOOP_INSNS	6	/* instructions of one round of loop() */

/* Always inlined: as part of the caller its page is mapped before counting. */
static inline __attribute__((always_inline)) void loop(uint64_t rounds)
{
	__asm__ volatile(".balign 16\n"
		"1:	nop\n"
		"	nop\n"
		"	nop\n"
		"	nop\n"
		"	dec	%0\n"
		"	jnz	1b\n"
		: "+r" (rounds) : : "cc");
}

static inline double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1000000000.0;
}

/* ---- the registers ---- */

#define MAX_MSRS	128

/**
 * struct pmu_state - every PMU register of every CPU, as read from the model
 */
struct pmu_state {
	unsigned int nr_msrs, nr_cpus;
	uint32_t msr[MAX_MSRS];
	uint64_t value[MAX_CPUS][MAX_MSRS];
};

static inline void add_msr(struct pmu_state *state, uint32_t msr)
{
	uint64_t value;

	if (state->nr_msrs < MAX_MSRS && oracle_ask(ORACLE_MSR, 0, msr, &value))
		state->msr[state->nr_msrs++] = msr;
}

/* The model refuses registers that its profile lacks, so the list suits every profile. */
static inline void list_msrs(struct pmu_state *state)
{
	static const uint32_t others[] = { 0x1a6, 0x1a7, 0x38d, 0x38e, 0x38f };
	const struct profile *profile = this_profile();

	state->nr_msrs = 0;
	for (unsigned int i = 0; i < NR(others); i++)
		add_msr(state, others[i]);
	for (unsigned int i = 0; profile && i < 64; i++) {
		uint32_t base = i < ACRPMU_FIXED_BASE ? 0x1900 + 4 * i :
						       0x1980 + 4 * (i - ACRPMU_FIXED_BASE);

		if (!(profile->cntrs & BIT64(i)))
			continue;
		if (profile->version >= 6) {
			for (unsigned int reg = 0; reg < 4; reg++)
				add_msr(state, base + reg);
		} else if (i < ACRPMU_FIXED_BASE) {
			add_msr(state, 0xc1 + i);
			add_msr(state, 0x186 + i);
		} else {
			add_msr(state, 0x309 + i - ACRPMU_FIXED_BASE);
		}
	}
}

static inline void pmu_save(struct pmu_state *state)
{
	list_msrs(state);
	state->nr_cpus = nr_cpus();
	for (unsigned int cpu = 0; cpu < state->nr_cpus; cpu++)
		for (unsigned int i = 0; i < state->nr_msrs; i++)
			state->value[cpu][i] = oracle_get(ORACLE_MSR, cpu, state->msr[i]);
}

/* Prints and counts the registers that differ. */
static inline unsigned int pmu_changes(const struct pmu_state *before)
{
	struct pmu_state now;
	unsigned int changes = 0;

	pmu_save(&now);
	for (unsigned int cpu = 0; cpu < before->nr_cpus; cpu++)
		for (unsigned int i = 0; i < before->nr_msrs; i++) {
			if (before->value[cpu][i] == now.value[cpu][i])
				continue;
			fprintf(stderr, "# CPU %u MSR %#x: %#llx before, %#llx now\n", cpu,
				before->msr[i], (unsigned long long)before->value[cpu][i],
				(unsigned long long)now.value[cpu][i]);
			changes++;
		}
	return changes;
}

/*
 * When the module first claims a counter, in-tree perf leaves its own traces (a start value, an
 * event select without its enable bit, its value of GLOBAL_CTRL), which the module must not undo.
 * After one session they exist, and nothing may change any more.
 */
static inline int settle_claim(int dev)
{
	struct request req;
	int fd;

	request_cpus(&req, (uint8_t)((1U << nr_cpus()) - 1));
	add_counter(&req);
	fd = request(dev, &req);
	if (fd < 0)
		return fd;
	return close(fd);
}

/* ---- capabilities ---- */

#define NOBODY	65534
#define NO_CAP	(-1)

/* Become user nobody with one capability, or with none. */
static inline int drop_to(int cap)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return -errno;
	if (cap >= 0) {
		data[CAP_TO_INDEX(cap)].permitted = CAP_TO_MASK(cap);
		data[CAP_TO_INDEX(cap)].effective = CAP_TO_MASK(cap);
	}
	return abi_capset(data);
}

#endif /* ABI_COMMON_H */
