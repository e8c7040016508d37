// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs somebody else has taken from a session, and how they are listed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "userspace/acrctl/taken/taken.h"
#include "userspace/lib/device.h"
#include "userspace/util/util.h"

#define FAKE_CPUS	16

static struct acrpmu_error lost[FAKE_CPUS];
static bool all;

static int answer(int fd, unsigned long command, void *arg)
{
	struct acrpmu_read *read = arg;
	int cpu;

	(void)fd;
	if (command != ACRPMU_READ || read->cpu >= FAKE_CPUS)
		return -EINVAL;
	if (read->cpu == ACRPMU_CPU_ALL)
		all = true;
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		if (!lost[cpu].reason || (read->cpu != ACRPMU_CPU_ALL && read->cpu != cpu))
			continue;
		read->state |= ACRPMU_STATE_TAKEN;
		read->taken = lost[cpu];
		read->taken.cpu = cpu;
	}
	return 0;
}

static const struct acrpmu_ops ops = { .ioctl = answer };
static struct acrpmu_session session = { .ops = &ops, .nr = 1 };

static void lose(int cpu, __u32 reason, int pid, const char *holder)
{
	lost[cpu] = (struct acrpmu_error){ .reason = reason, .event = -1, .holder_pid = pid };
	strncpy(lost[cpu].holder, holder, ACRPMU_COMM_LEN - 1);
}

/* @want: NULL: none */
static void others_are(struct taken *t, const char *want, const char *name)
{
	char *got = taken_others(t);

	is_str(got, want, "%s", name);
	free(got);
}

/* Whether the message about a register that somebody else has written to says what it held. */
static bool has_value(__u64 msr)
{
	struct taken t = { 0 };
	bool has;

	memset(lost, 0, sizeof(lost));
	lost[1] = (struct acrpmu_error){
		.reason = ACRPMU_REASON_REGISTER, .event = -1, .value = 0xabc, .limit = msr,
	};
	taken_look(&t, &session, NULL);
	has = strstr(t.message.text, "wrote 0xabc to MSR 0x");
	ok(has || strstr(t.message.text, "wrote to MSR 0x"), "MSR 0x%llx is named", msr);
	taken_free(&t);
	return has;
}

/*
 * Counters count on, so that their values say nothing.  Numbers of the manual: IA32_PMC0 to 7,
 * IA32_A_PMC0 to 7, IA32_FIXED_CTR0 to 15, IA32_PMC_GPn_CTR and IA32_PMC_FXn_CTR each 4 apart.
 */
static void test_registers(void)
{
	static const struct {
		__u64 first, last;
		unsigned int step;
		bool counter;
	} ranges[] = {
		{ 0xc0, 0xc0, 1, false }, { 0xc1, 0xc8, 1, true }, { 0xc9, 0xc9, 1, false },
		{ 0x186, 0x18d, 1, false },
		{ 0x308, 0x308, 1, false }, { 0x309, 0x318, 1, true }, { 0x319, 0x319, 1, false },
		{ 0x38d, 0x38f, 1, false },
		{ 0x4c0, 0x4c0, 1, false }, { 0x4c1, 0x4c8, 1, true }, { 0x4c9, 0x4c9, 1, false },
		{ 0x18ff, 0x18ff, 1, false }, { 0x1900, 0x1924, 4, true },
		{ 0x1901, 0x1925, 4, false }, { 0x1902, 0x1926, 4, false },
		{ 0x1903, 0x1927, 4, false }, { 0x1980, 0x1998, 4, true },
		{ 0x1983, 0x199b, 4, false },
	};
	__u64 msr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		for (msr = ranges[i].first; msr <= ranges[i].last; msr += ranges[i].step)
			is_u64(has_value(msr), !ranges[i].counter, "MSR 0x%llx %s a counter", msr,
			       ranges[i].counter ? "is" : "is not");
	}
}

int main(void)
{
	/* not in order, and more than the session has */
	int numbers[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 40, 10, 11 };
	const struct cpu_list cpus = { numbers, ARRAY_SIZE(numbers) };
	struct taken t = { 0 };

	plan(0);
	taken_look(&t, &session, &cpus);
	ok(all && !*t.message.text, "nothing was taken, which is found by one read");
	others_are(&t, NULL, "nor are there others");

	lose(9, ACRPMU_REASON_CLAIM_LOST, 71, "thief");
	taken_look(&t, &session, &cpus);
	ok(strstr(t.message.text, "thief, pid 71 took the counters on CPU 9"),
	   "the first loss is described in full");
	others_are(&t, NULL, "and is no other");

	lose(0, ACRPMU_REASON_CLAIM_LOST, 71, "thief");
	lose(2, ACRPMU_REASON_CLAIM_LOST, 71, "thief");
	lose(3, ACRPMU_REASON_CLAIM_LOST, 71, "thief");
	lose(5, ACRPMU_REASON_CLAIM_LOST, 7, "b\x1b");
	lose(6, ACRPMU_REASON_REGISTER, 0, "");
	lose(11, ACRPMU_REASON_CLAIM_LOST, 0, "");
	lose(12, ACRPMU_REASON_CLAIM_LOST, 71, "thief");
	taken_look(&t, &session, &cpus);
	others_are(&t, "CPUs 0,2-3 were taken as well; CPU 6 was taken as well, by somebody else; "
		   "CPU 5 was taken as well, by b?, pid 7; "
		   "CPU 11 was taken as well, by the kernel's perf",
		   "others are listed by whoever took them");
	taken_look(&t, &session, &cpus);
	others_are(&t, NULL, "and each only once");
	lose(4, ACRPMU_REASON_CLAIM_LOST, 71, "thief");
	taken_look(&t, &session, &cpus);
	others_are(&t, "CPU 4 was taken as well", "one that is lost later is another one");
	taken_free(&t);

	taken_look(&t, &session, NULL);
	ok(strstr(t.message.text, "took the counters on CPU"), "of tasks there is one loss");
	others_are(&t, NULL, "and no other");
	taken_free(&t);
	test_registers();
	return done();
}
