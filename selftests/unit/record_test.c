// SPDX-License-Identifier: GPL-2.0-only
/* Tests of records against their layout in perf_event.h, word by word. */
#include "core_helpers.h"
#include "kmod/core/record.h"

#define POISON	0xccccccccccccccccULL

static const u64 chain[3] = { PERF_CONTEXT_USER, 0x401234, 0x401300 };
static const u64 values[2] = { 1000, 2000 }, ids[2] = { 71, 72 };

static const struct acrpmu_record rec = {
	.ip = 0x401234, .time = 987654321, .id = 72, .period = 200000, .read_values = values,
	.read_ids = ids, .nr_read = 2, .task = 101ULL << 32 | 100, .cpu = 3,
	.misc = PERF_RECORD_MISC_USER, .chain = chain, .nr_chain = 3,
};

static void check(const char *what, const u64 *got, u32 size, const u64 *want, unsigned int nr)
{
	unsigned int i;

	is_u64(size, nr * 8, "%s: size", what);
	for (i = 0; i < nr; i++) {
		if (got[i] != want[i])
			break;
	}
	ok(i == nr, "%s: words", what);
	if (i < nr)
		printf("#   word %u: got %#llx want %#llx\n", i, got[i], want[i]);
	is_u64(got[nr], POISON, "%s: nothing behind it", what);
}

static u32 sample(u64 *buf, u64 type, const struct acrpmu_record *from)
{
	u32 size = acrpmu_record_sample_bytes(type, from->nr_read);

	if (type & PERF_SAMPLE_CALLCHAIN)
		size += 8 * from->nr_chain;
	acrpmu_record_sample(buf, size, type, from);
	return size;
}

static void test_sample(void)
{
	static const u64 all[] = {
		0x0090000200000009ULL,		/* type 9, misc 2, size 144 */
		72, 0x401234, 0x0000006500000064ULL, 987654321, 72, 72, 3, 200000,
		2, 1000, 71, 2000, 72,
		3, -512ULL, 0x401234, 0x401300,	/* perf_event.h: PERF_CONTEXT_USER is -512 */
	};
	static const u64 ip_only[] = { 0x0010000200000009ULL, 0x401234 };
	static const u64 perf_record[] = {	/* perf record's usual IP | TID | TIME | PERIOD */
		0x0028000200000009ULL, 0x401234, 0x0000006500000064ULL, 987654321, 200000,
	};
	u64 buf[ACRPMU_SAMPLE_WORDS + 1];
	u32 size;

	memset(buf, 0xcc, sizeof(buf));
	size = sample(buf, ACRPMU_RECORD_SAMPLE_TYPE, &rec);
	check("every field", buf, size, all, ARRAY_SIZE(all));

	memset(buf, 0xcc, sizeof(buf));
	size = sample(buf, PERF_SAMPLE_IP, &rec);
	check("IP alone", buf, size, ip_only, ARRAY_SIZE(ip_only));

	memset(buf, 0xcc, sizeof(buf));
	size = sample(buf, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		      PERF_SAMPLE_PERIOD, &rec);
	check("as perf record", buf, size, perf_record, ARRAY_SIZE(perf_record));
}

static void test_lost(void)
{
	static const u64 all[] = {
		0x0048000200000002ULL, 72, 5,	/* type 2; id, lost */
		0x0000006500000064ULL, 987654321, 72, 72, 3, 72,	/* IDENTIFIER comes last */
	};
	static const u64 bare[] = { 0x0018000200000002ULL, 72, 5 };
	u64 buf[ACRPMU_SAMPLE_WORDS + 1];
	u32 size;

	memset(buf, 0xcc, sizeof(buf));
	size = acrpmu_record_lost(buf, ACRPMU_RECORD_SAMPLE_TYPE, &rec, 5);
	check("lost, every field of sample_id", buf, size, all, ARRAY_SIZE(all));

	memset(buf, 0xcc, sizeof(buf));
	size = acrpmu_record_lost(buf, PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD, &rec, 5);
	check("lost, no sample_id", buf, size, bare, ARRAY_SIZE(bare));
}

static void test_pause(void)
{
	static const u64 throttle[] = {
		0x0050000200000005ULL, 987654321, 72, 72,	/* type 5; time, id, stream_id */
		0x0000006500000064ULL, 987654321, 72, 72, 3, 72,
	};
	static const u64 unthrottle[] = { 0x0020000200000006ULL, 987654321, 72, 72 };
	u64 buf[ACRPMU_SAMPLE_WORDS + 1];
	u32 size;

	memset(buf, 0xcc, sizeof(buf));
	size = acrpmu_record_pause(buf, ACRPMU_RECORD_SAMPLE_TYPE, &rec, true);
	check("throttle, every field of sample_id", buf, size, throttle, ARRAY_SIZE(throttle));

	memset(buf, 0xcc, sizeof(buf));
	size = acrpmu_record_pause(buf, PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD, &rec, false);
	check("unthrottle, no sample_id", buf, size, unthrottle, ARRAY_SIZE(unthrottle));
}

static void test_largest(void)
{
	u64 buf[ACRPMU_SAMPLE_WORDS + 1], many[ACRPMU_MAX_EVENTS + 1] = { 0 };
	u64 deep[ACRPMU_CHAIN_ENTRIES + 1] = { 0 };
	struct acrpmu_record big = rec;

	big.read_values = many;
	big.read_ids = many;
	big.nr_read = ACRPMU_MAX_EVENTS;
	big.chain = deep;
	big.nr_chain = ACRPMU_CHAIN_ENTRIES;
	memset(buf, 0xcc, sizeof(buf));
	is_u64(sample(buf, ACRPMU_RECORD_SAMPLE_TYPE & ~PERF_SAMPLE_CALLCHAIN, &big),
	       ACRPMU_RECORD_WORDS * 8, "the largest without a chain has ACRPMU_RECORD_WORDS");
	is_u64(buf[ACRPMU_RECORD_WORDS], POISON, "and no more");
	is_u64(sample(buf, ACRPMU_RECORD_SAMPLE_TYPE, &big),
	       ACRPMU_SAMPLE_WORDS * 8, "the largest record has ACRPMU_SAMPLE_WORDS");
	is_u64(buf[ACRPMU_SAMPLE_WORDS], POISON, "and no more");
	big.nr_read = ACRPMU_MAX_EVENTS + 1;
	big.nr_chain = ACRPMU_CHAIN_ENTRIES + 1;
	is_u64(acrpmu_record_sample_bytes(ACRPMU_RECORD_SAMPLE_TYPE, big.nr_read),
	       (ACRPMU_RECORD_WORDS + 1) * 8, "wrong lengths are not announced");
	sample(buf, ACRPMU_RECORD_SAMPLE_TYPE, &big);
	is_u64(buf[ACRPMU_SAMPLE_WORDS], POISON, "and cannot overrun it");
}

static void test_misc(void)
{
	const u32 user = ACRPMU_EVENT_USER, kernel = ACRPMU_EVENT_KERNEL;

	is_u64(acrpmu_record_misc(user | kernel, false, true), PERF_RECORD_MISC_USER, "user code");
	is_u64(acrpmu_record_misc(user | kernel, false, false), PERF_RECORD_MISC_KERNEL,
	       "kernel code");
	is_u64(acrpmu_record_misc(user, true, false), PERF_RECORD_MISC_GUEST_USER,
	       "an event of user level is a guest's user code, whatever the host's registers");
	is_u64(acrpmu_record_misc(kernel, true, true), PERF_RECORD_MISC_GUEST_KERNEL,
	       "an event of kernel level is a guest's kernel code");
	is_u64(acrpmu_record_misc(user | kernel, true, true), PERF_RECORD_MISC_GUEST_KERNEL,
	       "an event of both levels is taken as a guest's kernel code");
}

int main(void)
{
	plan(0);
	test_sample();
	test_lost();
	test_pause();
	test_largest();
	test_misc();
	return done();
}
