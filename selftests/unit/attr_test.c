// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the checks of a request: each refusal with exactly one thing wrong, and their order. */
#include "core_helpers.h"

#define NO_EVENT	(-1)
#define IDENT		((u64)PERF_SAMPLE_IDENTIFIER)

/* A request that is accepted: the documented pair, on a list of CPUs. */
struct fixture {
	struct acrpmu_session_attr attr;
	struct acrpmu_event_attr ev[ACRPMU_MAX_EVENTS];
	struct acrpmu_limits limits;
	struct acrpmu_caps caps;
};

static void setup(struct fixture *f)
{
	static const u8 cpus[1] = { 1 };

	memset(f, 0, sizeof(*f));
	acrpmu_attr_limits(&f->limits, PAGE_BYTES);
	f->caps = caps_of("clearwaterforest");
	f->attr = (struct acrpmu_session_attr){
		.size = sizeof(f->attr), .nr_events = 2, .event_size = sizeof(f->ev[0]),
		.cpus = (uintptr_t)cpus, .cpus_size = sizeof(cpus),
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP, .ring_pages = 4,
	};
	f->ev[0] = (struct acrpmu_event_attr){
		.config = 0xc0, .period = 200000, .acr_mask = 2, .id = 11, .flags = USER | SAMPLED,
	};
	f->ev[1] = (struct acrpmu_event_attr){
		.config = 0x3c, .period = 100000, .acr_mask = 3, .id = 12, .flags = USER,
	};
}

static int run(const struct fixture *f, struct acrpmu_group *group, struct acrpmu_error *error)
{
	int ret = acrpmu_attr_check(&f->attr, f->ev, &f->limits, group, error);

	return ret ? ret : acrpmu_attr_check_caps(group, &f->caps, 5, error);
}

static void check_refused(const struct fixture *f, int line, const char *what, int errnum,
			  u32 reason, int event, u64 value, u64 limit)
{
	struct acrpmu_error error;
	struct acrpmu_group group;
	int ret;

	memset(&error, 0xcc, sizeof(error));
	memset(&group, 0, sizeof(group));
	ret = run(f, &group, &error);
	ok(ret == -errnum && error.reason == reason && error.event == event &&
	   error.value == value && error.limit == limit, "line %d: %s", line, what);
	if (ret != -errnum || error.reason != reason || error.event != event ||
	    error.value != value || error.limit != limit)
		printf("#   got errno %d reason %u event %d value %#llx limit %#llx\n", -ret,
		       error.reason, error.event, error.value, error.limit);
	if (error.holder_pid || error.holder[0])
		ok(false, "line %d: the holder is cleared", line);
}

/* what, errno, reason, event, value, limit, then the statements that spoil the request */
#define REFUSED(what, errnum, reason, event, value, limit, ...) do {			\
	struct fixture f;								\
											\
	setup(&f);									\
	__VA_ARGS__;									\
	check_refused(&f, __LINE__, what, errnum, ACRPMU_REASON_##reason, event, value, limit);	\
} while (0)

#define ACCEPTED(what, ...) do {							\
	struct acrpmu_error error = { 0 };						\
	struct acrpmu_group group;							\
	struct fixture f;								\
	int ret;									\
											\
	setup(&f);									\
	__VA_ARGS__;									\
	ret = run(&f, &group, &error);							\
	ok(!ret, "accepted: %s (errno %d reason %u)", what, -ret, error.reason);	\
} while (0)

static void test_session(void)
{
	REFUSED("unknown session flag", EINVAL, FLAGS, NO_EVENT, 1U << 31, 0x7ff,
		f.attr.flags = 1U << 31);
	ACCEPTED("samples without guests", f.attr.flags = ACRPMU_SESSION_EXCLUDE_GUEST);
	REFUSED("counts without guests", EINVAL, FLAGS, NO_EVENT, 64, 0x7bf,
		f.attr.flags = ACRPMU_SESSION_EXCLUDE_GUEST; f.ev[0].flags &= ~SAMPLED;
		f.ev[1].flags &= ~SAMPLED);
	REFUSED("no events", EINVAL, NR_EVENTS, NO_EVENT, 0, 16, f.attr.nr_events = 0);
	REFUSED("too many events", EINVAL, NR_EVENTS, NO_EVENT, 17, 16, f.attr.nr_events = 17);
	REFUSED("a smaller limit of events", EINVAL, NR_EVENTS, NO_EVENT, 2, 1,
		f.limits.max_events = 1);
	REFUSED("no CPU", EINVAL, CPU_EMPTY, NO_EVENT, 0, 0, f.attr.cpus = f.attr.cpus_size = 0);
	REFUSED("size without bitmap", EINVAL, TARGET, NO_EVENT, 1, 0, f.attr.cpus = 0);
	REFUSED("bitmap without size", EINVAL, TARGET, NO_EVENT, 0, 0, f.attr.cpus_size = 0);
	REFUSED("bitmap beyond a page", EINVAL, TARGET, NO_EVENT, 4097, 4096,
		f.attr.cpus_size = 4097);
	REFUSED("pid in a CPU session", EINVAL, TARGET, NO_EVENT, 1, 0, f.attr.pid = 1);
	REFUSED("negative pid", EINVAL, TARGET, NO_EVENT, (u64)-1, 0,
		f.attr.flags = ACRPMU_SESSION_TASK; f.attr.pid = -1);
	REFUSED("inherit without task", EINVAL, INHERIT, NO_EVENT, 2, 0,
		f.attr.flags = ACRPMU_SESSION_INHERIT);
	REFUSED("exec without task", EINVAL, INHERIT, NO_EVENT, 4, 0,
		f.attr.flags = ACRPMU_SESSION_ENABLE_ON_EXEC);
	REFUSED("process without task", EINVAL, INHERIT, NO_EVENT, 8, 0,
		f.attr.flags = ACRPMU_SESSION_PROCESS);
	ACCEPTED("the base");
	ACCEPTED("CPUs that come online later", f.attr.flags = ACRPMU_SESSION_ARRIVE);
	ACCEPTED("the caller itself, on every CPU, inherited, from exec on",
		 f.attr.flags = 7; f.attr.cpus = f.attr.cpus_size = 0);
	ACCEPTED("a task on some CPUs", f.attr.flags = 1; f.attr.pid = 42);
}

static void test_jitter(void)
{
	const u32 quiet = ACRPMU_EVENT_USER, plain = quiet | ACRPMU_EVENT_COUNT;
	struct acrpmu_error error = { 0 };
	struct acrpmu_group group;
	struct fixture f;
	unsigned int i;

	REFUSED("jitter of more than half a period", EINVAL, JITTER, NO_EVENT, 51, 50,
		f.attr.jitter = 51);
	REFUSED("jitter without samples", EINVAL, JITTER, NO_EVENT, 10, 0, f.attr.jitter = 10;
		f.ev[0].flags = quiet; f.ev[1].flags = quiet; f.attr.sample_type = 0;
		f.attr.ring_pages = 0);
	setup(&f);
	f.attr.jitter = 50;
	f.attr.nr_events = 3;
	for (i = 0; i < 3; i++)
		f.ev[i] = (struct acrpmu_event_attr){
			.config = 0xc0, .period = 10000, .flags = quiet, .id = 7 + i,
		};
	f.ev[0].flags |= SAMPLED;
	ok(!run(&f, &group, &error) && group.jitter == 50, "jitter of half a period");
	is_u64(group.jitter_events, 0x1, "of the sampled event");
	f.ev[0].acr_mask = 0x2;
	f.ev[1].acr_mask = 0x3;
	f.ev[2].flags |= SAMPLED;
	ok(!run(&f, &group, &error), "a window, and an event beside it");
	is_u64(group.jitter_events, 0x4, "only the event beside it has jitter");
	is_u64(group.scaled_events, 0, "hardware has no window that is scaled");
	f.attr.flags |= ACRPMU_SESSION_SOFTWARE;
	ok(!run(&f, &group, &error), "in software");
	is_u64(group.jitter_events, 0x4, "the event beside it has jitter of its own");
	is_u64(group.scaled_events, 0x3, "the whole window is scaled");
	f.ev[1].acr_mask = 0x2;
	ok(!run(&f, &group, &error), "a limit that a sample does not restart");
	is_u64(group.scaled_events, 0, "no part of the window is scaled");
	f.ev[1].acr_mask = 0;
	f.ev[0].acr_mask = 0;
	f.ev[1].flags = plain;
	f.ev[1].period = 0;
	f.ev[2].acr_mask = 0x1;
	ok(!run(&f, &group, &error), "a cause that nothing restarts");
	is_u64(group.jitter_events, 0, "neither it nor what it restarts has jitter");
}

#define NO_CHAIN_KERNEL	0x200
#define NO_CHAIN_USER	0x400

static void test_chains(void)
{
	REFUSED("max_stack without chains", EINVAL, MAX_STACK, NO_EVENT, 1, 0,
		f.attr.max_stack = 1);
	REFUSED("max_stack too large", EINVAL, MAX_STACK, NO_EVENT, 128, 127,
		f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN; f.attr.max_stack = 128);
	REFUSED("no kernel part without chains", EINVAL, NO_CHAIN, NO_EVENT, NO_CHAIN_KERNEL, 0,
		f.attr.flags |= NO_CHAIN_KERNEL);
	REFUSED("no user part without chains", EINVAL, NO_CHAIN, NO_EVENT, NO_CHAIN_USER, 0,
		f.attr.flags |= NO_CHAIN_USER);
	REFUSED("neither part", EINVAL, NO_CHAIN, NO_EVENT, 0x600, 0,
		f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN; f.ev[0].flags |= KERNEL;
		f.attr.flags |= NO_CHAIN_KERNEL | NO_CHAIN_USER);
	REFUSED("no part of user-level samples", EINVAL, NO_CHAIN, NO_EVENT, NO_CHAIN_USER, 0x600,
		f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN; f.ev[1].flags |= KERNEL;
		f.attr.flags |= NO_CHAIN_USER);
	ACCEPTED("chains", f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN);
	ACCEPTED("chains of 127 frames", f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
		 f.attr.max_stack = 127);
	ACCEPTED("chains without the kernel", f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
		 f.attr.flags |= NO_CHAIN_KERNEL);
	ACCEPTED("chains of the kernel only", f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
		 f.ev[0].flags |= KERNEL; f.attr.flags |= NO_CHAIN_USER);
}

static void test_chain_limit(void)
{
	struct acrpmu_error error;
	struct acrpmu_group group;
	struct fixture f;

	setup(&f);
	ok(!run(&f, &group, &error) && !group.max_stack, "no chains, no frames");
	f.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	ok(!run(&f, &group, &error) && group.max_stack == 127, "0 stands for 127 frames");
	f.attr.max_stack = 3;
	ok(!run(&f, &group, &error) && group.max_stack == 3, "fewer frames");
}

static void test_sampling(void)
{
	REFUSED("unknown sample_type bit", EINVAL, SAMPLE_TYPE, NO_EVENT, PERF_SAMPLE_STACK_USER,
		f.limits.sample_type, f.attr.sample_type |= PERF_SAMPLE_STACK_USER);
	REFUSED("sampled without sample_type", EINVAL, SAMPLE_TYPE, NO_EVENT, 0,
		f.limits.sample_type, f.attr.sample_type = 0);
	REFUSED("sample_type without sampled", EINVAL, SAMPLE_TYPE, NO_EVENT, IDENT | 1, 0,
		f.ev[0].flags = USER);
	REFUSED("two sampled events that records do not identify", EINVAL, SAMPLE_TYPE, NO_EVENT,
		IDENT | PERF_SAMPLE_ID, f.limits.sample_type, f.attr.sample_type = PERF_SAMPLE_IP;
		f.ev[1].flags |= SAMPLED; f.ev[1].acr_mask = 1);
	REFUSED("no ring", EINVAL, RING_PAGES, NO_EVENT, 0, 4096, f.attr.ring_pages = 0);
	REFUSED("ring of 3 pages", EINVAL, RING_PAGES, NO_EVENT, 3, 4096, f.attr.ring_pages = 3);
	REFUSED("ring too large", EINVAL, RING_PAGES, NO_EVENT, 8192, 4096,
		f.attr.ring_pages = 8192);
	REFUSED("ring without sampled", EINVAL, RING_PAGES, NO_EVENT, 4, 0, f.ev[0].flags = USER;
		f.attr.sample_type = 0);
	REFUSED("wakeup beyond the ring", EINVAL, WAKEUP, NO_EVENT, 16385, 16384,
		f.attr.wakeup_bytes = 16385);
	REFUSED("wakeup without ring", EINVAL, WAKEUP, NO_EVENT, 1, 0, f.ev[0].flags = USER;
		f.attr.sample_type = 0; f.attr.ring_pages = 0; f.attr.wakeup_bytes = 1);
	ACCEPTED("one sampled event needs no id in records", f.attr.sample_type = PERF_SAMPLE_IP);
	ACCEPTED("ID names events as well", f.attr.sample_type = PERF_SAMPLE_ID;
		 f.ev[1].flags |= SAMPLED; f.ev[1].acr_mask = 1);
	ACCEPTED("wakeup at the ring's size", f.attr.wakeup_bytes = 16384);
	ACCEPTED("the largest ring", f.attr.ring_pages = 4096);
	ACCEPTED("nothing sampled", f.ev[0].flags = USER; f.attr.sample_type = 0;
		 f.attr.ring_pages = 0);
}

static void test_events(void)
{
	REFUSED("unknown event flag", EINVAL, FLAGS, 1, 16, 15, f.ev[1].flags |= 16);
	REFUSED("sampled plain counter", EINVAL, FLAGS, 0, SAMPLED | COUNT, 15,
		f.ev[0].flags |= COUNT);
	REFUSED("reserved", EINVAL, RESERVED, 1, 7, 0, f.ev[1].reserved = 7);
	REFUSED("USR bit in config", EINVAL, CONFIG, 0, 0x10000, 0xff10ff84ffffULL,
		f.ev[0].config |= 0x10000);
	REFUSED("AnyThread in config", EINVAL, CONFIG, 1, 0x200000, 0xff10ff84ffffULL,
		f.ev[1].config |= 0x200000);
	REFUSED("no level", EINVAL, NO_LEVEL, 1, 0, 0, f.ev[1].flags = 0);
	REFUSED("mask names event 2 of 2", EINVAL, MASK_OUTSIDE, 0, 4, 2, f.ev[0].acr_mask |= 4);
	REFUSED("mask names event 63", EINVAL, MASK_OUTSIDE, 1, 1ULL << 63, 2,
		f.ev[1].acr_mask |= 1ULL << 63);
	REFUSED("sampled event reloads itself", EINVAL, SELF_SAMPLED, 0, 3, 0,
		f.ev[0].acr_mask = 3);
	REFUSED("plain counter with a period", EINVAL, PERIOD_COUNT, 2, 1000, 0,
		f.attr.nr_events = 3; f.ev[2] = f.ev[1]; f.ev[2].id = 13; f.ev[2].acr_mask = 0;
		f.ev[2].period = 1000; f.ev[2].flags = USER | COUNT);
	REFUSED("plain counter with a mask", EINVAL, PERIOD_COUNT, 2, 0, 0,
		f.attr.nr_events = 3; f.ev[2] = f.ev[1]; f.ev[2].id = 13; f.ev[2].acr_mask = 2;
		f.ev[2].period = 0; f.ev[2].flags = USER | COUNT);
	REFUSED("plain counter as a cause", EINVAL, PERIOD_COUNT, 2, 0, 0,
		f.attr.nr_events = 3; f.ev[2] = f.ev[1]; f.ev[2].id = 13; f.ev[2].acr_mask = 0;
		f.ev[2].period = 0; f.ev[2].flags = USER | COUNT; f.ev[0].acr_mask |= 4);
	REFUSED("no period, sampled", EINVAL, PERIOD_ZERO, 0, 0, 1000, f.ev[0].period = 0);
	REFUSED("no period, quiet", EINVAL, PERIOD_ZERO, 1, 0, 1, f.ev[1].period = 0);
	REFUSED("sampled period too small", EINVAL, PERIOD_SMALL, 0, 999, 1000,
		f.ev[0].period = 999);
	REFUSED("quiet period too small", EINVAL, PERIOD_SMALL, 1, 9, 10,
		f.limits.min_period_quiet = 10; f.ev[1].period = 9);
	REFUSED("quiet cause too small for software", EINVAL, PERIOD_CAUSE, 1, 999, 1000,
		f.attr.flags = ACRPMU_SESSION_SOFTWARE; f.ev[1].period = 999);
	REFUSED("sampled cause too small, software or not", EINVAL, PERIOD_SMALL, 0, 999, 1000,
		f.attr.flags = ACRPMU_SESSION_SOFTWARE; f.ev[0].period = 999);
	REFUSED("sampled event reloads itself, in software", EINVAL, SELF_SAMPLED, 0, 3, 0,
		f.attr.flags = ACRPMU_SESSION_SOFTWARE; f.ev[0].acr_mask = 3);
	ACCEPTED("quiet, but no cause: any period in software", f.ev[0].acr_mask = 0;
		 f.attr.flags = ACRPMU_SESSION_SOFTWARE; f.ev[1].acr_mask = 1; f.ev[1].period = 1);
	REFUSED("id 0 in a sampled group", EINVAL, ID, 1, 0, 0, f.ev[1].id = 0);
	REFUSED("the same id twice", EINVAL, ID, 1, 11, 0, f.ev[1].id = 11);
	REFUSED("the same id twice, nothing sampled", EINVAL, ID, 1, 11, 0, f.ev[0].flags = USER;
		f.attr.sample_type = 0; f.attr.ring_pages = 0; f.ev[1].id = 11);
	ACCEPTED("the smallest periods", f.ev[0].period = 1000; f.ev[1].period = 1);
	ACCEPTED("no ids, nothing sampled", f.ev[0].flags = USER; f.attr.sample_type = 0;
		 f.attr.ring_pages = 0; f.ev[0].id = f.ev[1].id = 0);
	ACCEPTED("a plain counter beside the pair", f.attr.nr_events = 3; f.ev[2].config = 0xc4;
		 f.ev[2].id = 13; f.ev[2].flags = USER | KERNEL | COUNT);
}

static void test_cpu(void)
{
	REFUSED("no PMU", EOPNOTSUPP, NO_PMU, NO_EVENT, 1, 0,
		f.caps.cntrs = 0; f.caps.pmu_version = 1);
	REFUSED("no reloads", EOPNOTSUPP, NO_ACR, 0, 2, 0, f.caps = caps_of("goldmont"));
	ACCEPTED("no reloads, but software", f.caps = caps_of("goldmont");
		 f.attr.flags = ACRPMU_SESSION_SOFTWARE);
	ACCEPTED("software where hardware could not: a period beyond the longest of a reload",
		 f.attr.flags = ACRPMU_SESSION_SOFTWARE; f.ev[0].period = 1ULL << 31);
	ACCEPTED("software where hardware could not: no counter that can be reloaded",
		 f.attr.flags = ACRPMU_SESSION_SOFTWARE; f.caps.reloadable_cntrs = 0;
		 f.caps.cause_cntrs = 0);
	REFUSED("umask2 on a CPU without", EOPNOTSUPP, CONFIG, 0, 0x10000000000ULL, 0xff84ffff,
		f.caps = caps_of("goldmont"); f.ev[0].config |= 0x10000000000ULL);
	REFUSED("extra value on cycles", EINVAL, EXTRA_NONE, 1, 1, 0, f.ev[1].extra_value = 1);
	REFUSED("extra bits", EINVAL, EXTRA_BITS, 1, 1ULL << 63, 0xff3ffffffffffULL,
		f.ev[1].config = 0x2b7; f.ev[1].extra_value = 1ULL << 63 | 1);
	REFUSED("extra bits of another event of the register", EINVAL, EXTRA_BITS, 1, 0x12, 0x8,
		f.caps = caps_of("lioncove"); f.ev[0].acr_mask = 0; f.ev[1].acr_mask = 0;
		f.ev[1].config = 0x4c2; f.ev[1].extra_value = 0x12);
	REFUSED("period beyond the longest of a reload", EINVAL, PERIOD_RELOAD, 0, 1ULL << 31,
		0x7fffffff, f.ev[0].period = 1ULL << 31);
	REFUSED("period beyond the reload field", EINVAL, PERIOD_RELOAD, 0, 1ULL << 32, 0x7fffffff,
		f.ev[0].period = 1ULL << 32);
	REFUSED("period beyond the counter", EINVAL, PERIOD_LARGE, 0, 1ULL << 47, (1ULL << 47) - 1,
		f.ev[0].period = 1ULL << 47; f.ev[0].acr_mask = 0);
	REFUSED("period beyond 31 bits", EINVAL, PERIOD_LARGE, 0, 1ULL << 31, 0x7fffffff,
		f.caps.full_width = false; f.ev[0].period = 1ULL << 31; f.ev[0].acr_mask = 0);
	REFUSED("period beyond the narrower general-purpose counter", EINVAL, PERIOD_LARGE, 0,
		1ULL << 39, (1ULL << 39) - 1, f.caps.gp_width = 40; f.ev[0].period = 1ULL << 39;
		f.ev[0].acr_mask = 0);
	REFUSED("period beyond the narrower fixed counter", EINVAL, PERIOD_LARGE, 0,
		1ULL << 39, (1ULL << 39) - 1, f.caps.fixed_width = 40; f.ev[0].period = 1ULL << 39;
		f.ev[0].acr_mask = 0);
	REFUSED("nothing can count it", EOPNOTSUPP, EVENT_CPU, 1, 0, f.caps.cntrs,
		f.ev[1].config = 0x400);
	REFUSED("nothing that can count it can be reloaded", EOPNOTSUPP, NO_RELOADABLE, 0,
		0x1000000ffULL, FIXED(1), f.caps.reloadable_cntrs = FIXED(1));
	REFUSED("nothing that can count it can be a cause", EOPNOTSUPP, NO_CAUSE, 0,
		0x1000000ffULL, FIXED(1), f.caps.cause_cntrs = FIXED(1));
	ACCEPTED("the longest reload period", f.ev[0].period = 0x7fffffff);
	ACCEPTED("the longest period without a mask", f.ev[0].period = (1ULL << 47) - 1;
		 f.ev[0].acr_mask = 0);
	ACCEPTED("the longest period where there are no fixed counters",
		 f.caps.fixed_width = 0; f.caps.cntrs = 0xff; f.ev[0].period = (1ULL << 47) - 1;
		 f.ev[0].acr_mask = 0; f.ev[1].acr_mask = 0);
	ACCEPTED("no mask on a CPU without reloads", f.caps = caps_of("goldmont");
		 f.ev[0].acr_mask = 0; f.ev[1].acr_mask = 0);
	ACCEPTED("extra value 0 on an offcore event", f.ev[1].config = 0x1b7);
}

/* Which counters count an event is known by the CPU's row, or by the caller. */
static void test_allowed_cntrs(void)
{
	REFUSED("an impossible general-purpose counter, beyond fixed ones", EINVAL, ALLOWED_CNTRS,
		1, 1ULL << 63, 0xffffffffffffULL, f.ev[1].allowed_cntrs = 1ULL << 63 | 1);
	REFUSED("fixed counter 16", EINVAL, ALLOWED_CNTRS, 0, 1ULL << 48, 0xffffffffffffULL,
		f.ev[0].allowed_cntrs = ~0ULL >> 15);
	REFUSED("counters that this CPU lacks", EOPNOTSUPP, ALLOWED_CNTRS, 1, 0xff00,
		0x2000000ffULL, f.ev[1].allowed_cntrs = 0xff00);
	REFUSED("another event's fixed counter", EOPNOTSUPP, ALLOWED_CNTRS, 0, FIXED(1),
		0x1000000ffULL, f.ev[0].allowed_cntrs = FIXED(1));
	REFUSED("not the counters of the CPU's row", EOPNOTSUPP, ALLOWED_CNTRS, 0, 0xfc, 0x3,
		f.caps = caps_of("skymont"); f.ev[0].config = 0x5d0;
		f.ev[0].allowed_cntrs = 0xfc);
	/* the alternate register's event would count on counter 1 */
	REFUSED("not the counter of its own register", EOPNOTSUPP, ALLOWED_CNTRS, 0, 0x2, 0x1,
		f.caps = caps_of("arcticwolf"); f.ev[0].config = 0x1b7;
		f.ev[0].allowed_cntrs = 0x2);
	REFUSED("no allowed counter can be reloaded", EOPNOTSUPP, NO_RELOADABLE, 0, 0x3,
		FIXED(0) | FIXED(1) | FIXED(2) | 0xfc, f.ev[0].allowed_cntrs = 0x3;
		f.caps = caps_of("pantherlake-e"));
	REFUSED("nothing counts it on any counter", EOPNOTSUPP, EVENT_CPU, 1, 0, f.caps.cntrs,
		f.ev[1].config = 0x400; f.ev[1].allowed_cntrs = 0x1);
	ACCEPTED("one counter", f.ev[0].allowed_cntrs = 0x80);
	ACCEPTED("one of many that it lacks", f.ev[0].allowed_cntrs = 0xffffffffff80ULL);
	ACCEPTED("on a CPU with a row any event", f.ev[0].config = 0x148);
}

static void no_row(struct fixture *f)
{
	f->caps = caps_of("architectural");
	f->ev[0].acr_mask = 0;
	f->ev[1].acr_mask = 0;
}

/* Without a row only the architectural events are known to count on every counter. */
static void test_unknown_cntrs(void)
{
	REFUSED("some event", EOPNOTSUPP, ALLOWED_CNTRS, 1, 0, 0, no_row(&f);
		f.ev[1].config = 0x1c0);
	REFUSED("an architectural event that is missing", EOPNOTSUPP, ALLOWED_CNTRS, 0, 0, 0,
		no_row(&f); f.ev[0].config = 0xc5; f.caps.lacking_events |= BIT_ULL(6));
	REFUSED("one that no counter counts", EOPNOTSUPP, EVENT_CPU, 0, 0, f.caps.cntrs,
		no_row(&f); f.ev[0].config = 0x900);
	ACCEPTED("architectural events", no_row(&f); f.ev[0].config = 0x412e);
	ACCEPTED("with modifiers", no_row(&f); f.ev[0].config = 0x108000c0);
	ACCEPTED("some event with its counters", no_row(&f); f.ev[1].config = 0x1c0;
		 f.ev[1].allowed_cntrs = 0x2);
	ACCEPTED("a missing event with counters, which may be another one here", no_row(&f);
		 f.ev[0].config = 0xc5; f.caps.lacking_events |= BIT_ULL(6);
		 f.ev[0].allowed_cntrs = 0xf);
}

/* Two things wrong: the one that comes first in the documented order answers. */
static void test_order(void)
{
	REFUSED("session flags before event flags", EINVAL, FLAGS, NO_EVENT, 1U << 31, 0x7ff,
		f.attr.flags = 1U << 31; f.ev[0].flags |= 16);
	REFUSED("flags of any event before reserved", EINVAL, FLAGS, 1, 16, 15,
		f.ev[0].reserved = 1; f.ev[1].flags |= 16);
	REFUSED("reserved of any event before values", EINVAL, RESERVED, 1, 1, 0,
		f.ev[1].reserved = 1; f.attr.ring_pages = 3);
	REFUSED("target before sample_type", EINVAL, TARGET, NO_EVENT, 1, 0,
		f.attr.pid = 1; f.attr.sample_type = 0);
	REFUSED("sample_type before ring", EINVAL, SAMPLE_TYPE, NO_EVENT, 0, f.limits.sample_type,
		f.attr.sample_type = 0; f.attr.ring_pages = 3);
	REFUSED("ring before events", EINVAL, RING_PAGES, NO_EVENT, 3, 4096,
		f.attr.ring_pages = 3; f.ev[0].period = 0);
	REFUSED("event 0 before event 1", EINVAL, PERIOD_ZERO, 0, 0, 1000,
		f.ev[0].period = 0; f.ev[1].config = ~0ULL);
	REFUSED("config before period", EINVAL, CONFIG, 0, 0x10000, 0xff10ff84ffffULL,
		f.ev[0].config |= 0x10000; f.ev[0].period = 0);
	REFUSED("id before counters", EINVAL, ID, 1, 0, 0,
		f.ev[1].id = 0; f.ev[1].allowed_cntrs = 1ULL << 50);
	REFUSED("counters of any event before the CPU's abilities", EINVAL, ALLOWED_CNTRS, 1,
		1ULL << 50, 0xffffffffffffULL, f.ev[1].allowed_cntrs = 1ULL << 50;
		f.caps = caps_of("goldmont"));
	REFUSED("values before the CPU's abilities", EINVAL, ID, 1, 0, 0,
		f.ev[1].id = 0; f.caps = caps_of("goldmont"));
}

static void test_group(void)
{
	struct acrpmu_error error = { .reason = 0xcc };
	struct acrpmu_group group, poison;
	struct fixture f;

	setup(&f);
	f.attr.nr_events = 3;
	f.ev[2] = (struct acrpmu_event_attr){ .config = 0xc4, .id = 13, .flags = KERNEL | COUNT };
	is_u64(acrpmu_attr_check(&f.attr, f.ev, &f.limits, &group, &error), 0, "accepted");
	is_u64(error.reason, 0xcc, "the error is left alone");
	is_u64(group.nr, 3, "nr");
	is_u64(group.sampled_events, 1, "sampled_events");
	is_u64(group.count_events, 4, "count_events");
	is_u64(group.reloaded_events, 3, "reloaded_events");
	is_u64(group.self_events, 2, "self_events");
	is_u64(group.cause_events, 3, "cause_events");
	is_u64(group.kernel_events, 4, "kernel_events");
	is_u64(group.wakeup_bytes, 8192, "wakeup_bytes: half of the ring");
	ok(group.ev[1].config == 0x3c && group.ev[1].period == 100000 &&
	   group.ev[1].cause_events == 3 && group.ev[1].id == 12 && group.ev[1].flags == USER,
	   "the event as given");
	f.attr.wakeup_bytes = 100;
	acrpmu_attr_check(&f.attr, f.ev, &f.limits, &group, NULL);
	is_u64(group.wakeup_bytes, 100, "wakeup_bytes as given");

	memset(&group, 0x5a, sizeof(group));
	memset(&poison, 0x5a, sizeof(poison));
	f.ev[2].id = 0;
	ok(acrpmu_attr_check(&f.attr, f.ev, &f.limits, &group, NULL) == -EINVAL &&
	   !memcmp(&group, &poison, sizeof(group)), "refused: no group, and no error is no harm");

	setup(&f);
	f.caps = caps_of("goldmont");
	acrpmu_attr_check(&f.attr, f.ev, &f.limits, &group, NULL);
	acrpmu_attr_check_caps(&group, &f.caps, 5, &error);
	is_u64(error.cpu, 5, "the CPU is named when it is what refuses");
}

/* Every rule about one event, written another way. */
static bool event_is_good(const struct fixture *f, u32 i, u64 causes)
{
	const struct acrpmu_event_attr *e = &f->ev[i];
	u32 kind = e->flags & (SAMPLED | COUNT);
	u32 j;

	for (j = 0; j < f->attr.nr_events; j++) {
		if (j != i && f->ev[j].id == e->id)
			return false;
	}
	if (!e->id || e->flags > 15 || !(e->flags & 3) || e->acr_mask >> f->attr.nr_events ||
	    (e->config & 0xffff00ef007b0000ULL) || e->allowed_cntrs >> 48)
		return false;
	if (kind == SAMPLED)
		return e->period >= 1000 && !(e->acr_mask >> i & 1);
	if (kind == COUNT)
		return !e->period && !e->acr_mask && !(causes >> i & 1);
	return kind == 0 && e->period >= 1;
}

/* Random requests: never a crash, accepted exactly when every event is good. */
static void test_random(void)
{
	static const u64 masks[] = { 0, 1, 2, 3, 4, 6, 8 }, periods[] = { 0, 1, 999, 1000, 1000 };
	unsigned int n, i, bad = 0, accepted = 0;

	for (n = 0; n < 50000; n++) {
		struct acrpmu_group group;
		struct fixture f;
		bool good = true;
		u64 causes = 0;

		setup(&f);
		f.attr.nr_events = 2 + rnd_below(2);
		for (i = 0; i < f.attr.nr_events; i++) {
			f.ev[i].config = rnd_below(20) ? 0xc0 : rnd();
			f.ev[i].flags = rnd_below(20) ? USER : rnd_below(32);
			if (rnd_below(3) == 0)
				f.ev[i].flags |= COUNT;
			f.ev[i].acr_mask = rnd_below(2) ? 0 : masks[rnd_below(ARRAY_SIZE(masks))];
			f.ev[i].period = f.ev[i].flags & COUNT && rnd_below(4) ? 0 :
					 periods[rnd_below(ARRAY_SIZE(periods))];
			f.ev[i].id = rnd_below(20);
			f.ev[i].allowed_cntrs = rnd_below(4) ? 0 : rnd() >> rnd_below(32);
		}
		f.ev[0].flags = USER | SAMPLED;	/* so that the session's own values fit */
		for (i = 0; i < f.attr.nr_events; i++)
			causes |= f.ev[i].acr_mask;
		for (i = 0; i < f.attr.nr_events; i++)
			good &= event_is_good(&f, i, causes);
		accepted += good;
		bad += !acrpmu_attr_check(&f.attr, f.ev, &f.limits, &group, NULL) != good;
	}
	is_u64(bad, 0, "50000 random groups: accepted exactly when each event is good");
	ok(accepted > 500, "%u of them were", accepted);
}

static void check_periods(const struct fixture *f, int line, const char *what, const u64 *periods,
			  u32 reason, int event, u64 value, u64 limit)
{
	struct acrpmu_error error = { .reason = ACRPMU_REASON_NONE };
	struct acrpmu_group group;
	int ret = run(f, &group, NULL), refused;

	refused = acrpmu_attr_check_periods(&group, periods, &f->limits, &f->caps, &error);
	ok(!ret && refused == (reason ? -EINVAL : 0) && error.reason == reason &&
	   (!reason || (error.event == event && error.value == value && error.limit == limit)),
	   "line %d: %s", line, what);
}

#define PERIODS(...)	((const u64[ACRPMU_MAX_EVENTS]) { __VA_ARGS__ })
#define NO_PERIODS(what, reason, event, value, limit, ...) \
	check_periods(&f, __LINE__, what, PERIODS(__VA_ARGS__), ACRPMU_REASON_PERIOD_##reason, \
		      event, value, limit)

/* The third event only counts, so it has no period. */
static void test_other_periods(void)
{
	struct acrpmu_group group;
	struct fixture f;

	setup(&f);
	f.attr.nr_events = 3;
	f.ev[2] = (struct acrpmu_event_attr){ .config = 0xc4, .id = 13, .flags = USER | COUNT };
	check_periods(&f, __LINE__, "the smallest periods", PERIODS(1000, 1, 0), 0, 0, 0, 0);
	check_periods(&f, __LINE__, "the longest of a reload", PERIODS(0x7fffffff, 0x7fffffff), 0,
		      0, 0, 0);
	NO_PERIODS("none", ZERO, 0, 0, 1000, 0, 1, 0);
	NO_PERIODS("none of a quiet event", ZERO, 1, 0, 1, 1000, 0, 0);
	NO_PERIODS("a small one", SMALL, 0, 999, 1000, 999, 1, 0);
	NO_PERIODS("one of an event that counts", COUNT, 2, 1000, 0, 1000, 1, 1000);
	NO_PERIODS("one beyond the reload", RELOAD, 1, 1ULL << 31, 0x7fffffff, 1000, 1ULL << 31, 0);
	NO_PERIODS("small before beyond the reload", SMALL, 1, 9, 10, 1ULL << 31,
		   (f.limits.min_period_quiet = 10, 9), 0);
	f.ev[0].acr_mask = 0;
	NO_PERIODS("one beyond the counter", LARGE, 0, 1ULL << 47, (1ULL << 47) - 1, 1ULL << 47, 10,
		   0);

	ok(!run(&f, &group, NULL) && group.periods_nr == 1, "a new group has its first periods");
	acrpmu_attr_set_periods(&group, PERIODS(5000, 70, 0));
	ok(group.ev[0].period == 5000 && group.ev[1].period == 70 && !group.ev[2].period &&
	   group.periods_nr == 2, "and then its second");
}

/* In software an overflow of a quiet cause is an interrupt, as that of a sampled event. */
static void test_other_periods_in_software(void)
{
	struct fixture f;

	setup(&f);
	f.attr.flags = ACRPMU_SESSION_SOFTWARE;
	check_periods(&f, __LINE__, "the smallest periods in software", PERIODS(1000, 1000), 0, 0,
		      0, 0);
	check_periods(&f, __LINE__, "beyond the reload, but in software",
		      PERIODS(1ULL << 31, 1ULL << 31), 0, 0, 0, 0);
	NO_PERIODS("a small one of a quiet cause", CAUSE, 1, 999, 1000, 1000, 999);
	NO_PERIODS("a small one of a sampled cause", SMALL, 0, 999, 1000, 999, 999);
	NO_PERIODS("none of a quiet cause", ZERO, 1, 0, 1, 1000, 0);
	f.limits.min_period_quiet = 10;
	NO_PERIODS("one of a quiet cause too small for any event", SMALL, 1, 9, 10, 1000, 9);
	NO_PERIODS("one of a quiet cause too small for an interrupt", CAUSE, 1, 10, 1000, 1000, 10);
	/* event 1 restarts with event 0, and restarts nothing */
	f.ev[0].acr_mask = 0;
	f.ev[1].acr_mask = 1;
	check_periods(&f, __LINE__, "a small one of a quiet event that is no cause",
		      PERIODS(1000, 10), 0, 0, 0, 0);
}

/* A request to follow another task, with one thing wrong each, and the order. */
static void test_attach(void)
{
	static const struct {
		int line;
		struct acrpmu_attach attach;
		u32 flags, reason;
		u64 value, limit;
	} cases[] = {
		{ __LINE__, { .flags = 2, .target = 1, .pid = -1 }, 0,
		  ACRPMU_REASON_FLAGS, 2, 1 },
		{ __LINE__, { .target = 7, .pid = -1 }, 0, ACRPMU_REASON_RESERVED, 7, 0 },
		{ __LINE__, { .flags = 1, .pid = -1 }, 0, ACRPMU_REASON_TARGET, -1ULL, 0 },
		{ __LINE__, { .flags = 1, .pid = 5 }, 0, ACRPMU_REASON_ATTACH, 5, 0 },
		{ __LINE__, { .pid = 5 }, ACRPMU_SESSION_TASK, 0, 0, 0 },
		{ __LINE__, { .flags = 1 }, ACRPMU_SESSION_TASK, 0, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct acrpmu_group group = { .flags = cases[i].flags };
		struct acrpmu_error error = { 0 };
		int ret = acrpmu_attr_check_attach(&cases[i].attach, &group, &error);
		int want = 0;

		if (cases[i].reason)
			want = -EINVAL;
		ok(ret == want && error.reason == cases[i].reason &&
		   error.value == cases[i].value && error.limit == cases[i].limit,
		   "line %d: attach", cases[i].line);
	}
}

/* What a caller without CAP_PERFMON may not ask for, and what it may. */
static void test_own(void)
{
	const u32 all = ACRPMU_SESSION_TASK | ACRPMU_SESSION_INHERIT |
			ACRPMU_SESSION_ENABLE_ON_EXEC | ACRPMU_SESSION_PROCESS |
			ACRPMU_SESSION_PARKED | ACRPMU_SESSION_ARRIVE |
			ACRPMU_SESSION_EXCLUDE_GUEST | ACRPMU_SESSION_SOFTWARE |
			ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL | ACRPMU_SESSION_EXCLUDE_CHAIN_USER;
	struct acrpmu_group group = { .nr = 3, .flags = all };
	struct acrpmu_error error;
	unsigned int bit;

	is_u64(acrpmu_attr_check_own(&group, NULL), 0, "tasks at user level are accepted");
	for (bit = 0; bit < 32; bit++) {
		group.flags = ACRPMU_SESSION_TASK ^ 1U << bit;
		ok(acrpmu_attr_check_own(&group, &error) ==
		   (bit && all & 1U << bit ? 0 : -EPERM), "bit %u of a task session's flags", bit);
		if (bit && all & 1U << bit)
			continue;
		ok(error.reason == ACRPMU_REASON_OWN_TASKS && error.event == NO_EVENT &&
		   error.cpu == -1 && !error.value && !error.limit, "bit %u: the reason", bit);
	}
	group.flags = 0;
	group.kernel_events = 6;
	ok(acrpmu_attr_check_own(&group, &error) == -EPERM &&
	   error.reason == ACRPMU_REASON_OWN_TASKS, "the target comes before the levels");
	group.flags = all;
	ok(acrpmu_attr_check_own(&group, &error) == -EPERM &&
	   error.reason == ACRPMU_REASON_OWN_LEVEL && error.event == 1 && error.cpu == -1,
	   "the first event at kernel level is refused");
}

int main(void)
{
	plan(0);
	test_session();
	test_sampling();
	test_jitter();
	test_chains();
	test_chain_limit();
	test_events();
	test_cpu();
	test_allowed_cntrs();
	test_unknown_cntrs();
	test_order();
	test_group();
	test_attach();
	test_own();
	test_random();
	test_other_periods();
	test_other_periods_in_software();
	return done();
}
