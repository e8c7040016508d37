// SPDX-License-Identifier: GPL-2.0-only
/* ACRPMU_INFO: exact values for each CPU of the model, and nothing uninitialised. */
#include "common.h"

#include <sys/utsname.h>

#define FEATURES	(ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_SOFTWARE | ACRPMU_FEATURE_TASK | \
			 ACRPMU_FEATURE_INHERIT | ACRPMU_FEATURE_EXEC | \
			 ACRPMU_FEATURE_PARK | ACRPMU_FEATURE_QUERY_CPU | \
			 ACRPMU_FEATURE_ARRIVAL | ACRPMU_FEATURE_ALLOWED_CNTRS | \
			 ACRPMU_FEATURE_GUEST | ACRPMU_FEATURE_PERIODS | \
			 ACRPMU_FEATURE_CALLCHAIN | ACRPMU_FEATURE_TARGETS | \
			 ACRPMU_FEATURE_JITTER)
#define SAMPLE_TYPES	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ | \
			 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER | \
			 PERF_SAMPLE_CALLCHAIN)
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"

/* INFO reports possible CPUs, of which there may be more than online ones */
static int nr_possible(void)
{
	int first = 0, last = -1;
	FILE *file = fopen("/sys/devices/system/cpu/possible", "r");

	if (!file)
		return -1;
	if (fscanf(file, "%d-%d", &first, &last) == 1)
		last = first;
	fclose(file);
	return last + 1;
}

FIXTURE(info)
{
	int dev;
	struct acrpmu_info info;
	struct acrpmu_cpu_info cpus[MAX_CPUS];
};

FIXTURE_SETUP(info)
{
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_GE(MAX_CPUS - 1, nr_possible());
	memset(self->cpus, POISON, sizeof(self->cpus));
	/* every output-only member */
	memset(&self->info, POISON, sizeof(self->info));
	self->info.size = sizeof(self->info);
	self->info.flags = 0;
	self->info.nr_cpus = MAX_CPUS;
	self->info.cpus = (uintptr_t)self->cpus;
	self->info.cpu_size = sizeof(self->cpus[0]);
}

FIXTURE_TEARDOWN(info)
{
	close(self->dev);
}

static bool is_poison(const void *from, size_t size)
{
	const uint8_t *byte = from;

	for (size_t i = 0; i < size; i++)
		if (byte[i] != POISON)
			return false;
	return true;
}

static bool is_zero(const void *from, size_t size)
{
	const uint8_t *byte = from;

	for (size_t i = 0; i < size; i++)
		if (byte[i])
			return false;
	return true;
}

TEST_F(info, values_of_the_module_are_exact)
{
	const struct acrpmu_info *info = &self->info;

	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(sizeof(*info), info->size);
	EXPECT_EQ(0, info->flags);
	EXPECT_EQ(6, info->abi_version);
	EXPECT_EQ(nr_possible(), info->nr_cpus);
	EXPECT_EQ((uintptr_t)self->cpus, info->cpus);
	EXPECT_EQ(sizeof(self->cpus[0]), info->cpu_size);
	EXPECT_EQ(16, info->max_events);
	EXPECT_EQ(FEATURES, info->features);
	EXPECT_EQ(SAMPLE_TYPES, info->sample_type);
	EXPECT_EQ(1000, info->min_period_sampled);
	EXPECT_EQ(1, info->min_period_quiet);
	EXPECT_EQ(4096, info->max_ring_pages);
	EXPECT_EQ(100000, info->max_sample_rate);
	/* abi/run.sh loads it so */
	EXPECT_EQ(100, info->max_pmi_percent);
	EXPECT_EQ(0, info->nr_starved);
	EXPECT_EQ(0, info->starved_cpu);
	EXPECT_EQ(0, info->starved_pid);
	EXPECT_EQ(0, info->nr_sessions);
}

/* Whether the running kernel has this version or a newer one */
static bool kernel_ge(unsigned int major, unsigned int minor)
{
	unsigned int is_major = 0, is_minor = 0;
	struct utsname uts;

	return !uname(&uts) && sscanf(uts.release, "%u.%u", &is_major, &is_minor) == 2 &&
	       (is_major > major || (is_major == major && is_minor >= minor));
}

TEST_F(info, arbiter_is_a_claim_only_where_reservations_do_not_hold_everybody_off)
{
	const struct profile *profile = this_profile();

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: expected values are unknown");
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	/* numbers of version 6 since 6.11; mediated vPMUs since 7.0, where KVM has them (v4) */
	if ((profile->version >= 6 && kernel_ge(6, 11)) ||
	    (profile->version >= 4 && kernel_ge(7, 0))) {
		EXPECT_EQ(ACRPMU_ARBITER_CLAIM, self->info.arbiter);
	} else {
		EXPECT_EQ(ACRPMU_ARBITER_RESERVE, self->info.arbiter);
	}
}

TEST_F(info, cpus_are_exact)
{
	const struct profile *profile = this_profile();
	uint32_t flags = ACRPMU_CPU_ONLINE | ACRPMU_CPU_USABLE;

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: expected values are unknown");
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	flags |= profile->acr_cntrs ? ACRPMU_CPU_ACR : 0;
	flags |= profile->full_width ? ACRPMU_CPU_FULL_WIDTH : 0;
	for (unsigned int i = 0; i < self->info.nr_cpus; i++) {
		const struct acrpmu_cpu_info *cpu = &self->cpus[i];

		EXPECT_EQ(i, cpu->cpu);
		EXPECT_EQ(flags, cpu->flags);
		EXPECT_EQ(profile->version, cpu->pmu_version);
		EXPECT_EQ(profile->signature, cpu->signature & SIGNATURE_MASK);
		EXPECT_EQ(0, cpu->core_type);
		EXPECT_EQ(profile->width, cpu->gp_width);
		EXPECT_EQ(profile->width, cpu->fixed_width);
		EXPECT_EQ(profile->cntrs, cpu->cntrs);
		EXPECT_EQ(profile->acr_cntrs, cpu->reloadable_cntrs);
		EXPECT_EQ(profile->acr_cntrs, cpu->cause_cntrs);
		EXPECT_EQ(0, cpu->held_cntrs);
		EXPECT_STREQ(profile->core, cpu->name);
	}
}

TEST_F(info, extra_registers_are_exact)
{
	const struct profile *profile = this_profile();
	const struct acrpmu_extra_reg_info *reg = self->cpus[0].extra_regs;

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: expected values are unknown");
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	if (!profile->offcore[0]) {
		EXPECT_EQ(0, self->cpus[0].nr_extra_regs);
		EXPECT_TRUE(is_zero(reg, sizeof(self->cpus[0].extra_regs)));
		return;
	}
	ASSERT_LE(2, self->cpus[0].nr_extra_regs);
	EXPECT_EQ(EV_OFFCORE_0, reg[0].config);
	EXPECT_EQ(0x1a6, reg[0].msr);
	EXPECT_EQ(profile->offcore[0], reg[0].valid_mask);
	EXPECT_EQ(0, reg[0].flags);
	EXPECT_EQ(EV_OFFCORE_1, reg[1].config);
	EXPECT_EQ(0x1a7, reg[1].msr);
	EXPECT_EQ(profile->offcore[1], reg[1].valid_mask);
	EXPECT_EQ(0, reg[1].flags);
}

TEST_F(info, every_byte_is_written)
{
	uint8_t with_cc[sizeof(self->cpus[0])];

	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	memcpy(with_cc, &self->cpus[0], sizeof(with_cc));
	memset(self->cpus, 0x33, sizeof(self->cpus));
	self->info.nr_cpus = MAX_CPUS;
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	/* an unwritten byte would differ: once poison, once its complement */
	EXPECT_EQ(0, memcmp(with_cc, &self->cpus[0], sizeof(with_cc)));
	/* all bytes after the name and after the last extra register are 0 */
	EXPECT_TRUE(is_zero(self->cpus[0].name + strlen(self->cpus[0].name),
			    sizeof(self->cpus[0].name) - strlen(self->cpus[0].name)));
}

TEST_F(info, nothing_is_written_behind_the_last_cpu)
{
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_TRUE(is_poison(&self->cpus[self->info.nr_cpus],
			      sizeof(self->cpus[0]) * (MAX_CPUS - self->info.nr_cpus)));
}

TEST_F(info, array_of_exactly_the_needed_size_is_filled)
{
	self->info.nr_cpus = nr_possible();
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(nr_possible(), self->info.nr_cpus);
	EXPECT_NE(POISON32, self->cpus[nr_possible() - 1].flags);
}

TEST_F(info, too_small_an_array_is_left_alone_and_the_number_reported)
{
	if (nr_possible() < 2)
		SKIP(return, "one CPU: no array is too small");
	self->info.nr_cpus = nr_possible() - 1;
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(nr_possible(), self->info.nr_cpus);
	EXPECT_TRUE(is_poison(self->cpus, sizeof(self->cpus)));
	EXPECT_EQ(6, self->info.abi_version);
}

TEST_F(info, the_number_of_cpus_needs_no_array)
{
	self->info.nr_cpus = 0;
	self->info.cpus = 0;
	self->info.cpu_size = 0;
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(nr_possible(), self->info.nr_cpus);
}

TEST_F(info, larger_elements_are_filled_with_zeros)
{
	const uint32_t size = sizeof(self->cpus[0]) + 24;
	uint8_t *elements = (uint8_t *)self->cpus;

	self->info.cpu_size = size;
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	for (unsigned int i = 0; i < self->info.nr_cpus; i++) {
		uint8_t *element = elements + i * size;

		EXPECT_EQ(i, ((struct acrpmu_cpu_info *)element)->cpu);
		EXPECT_TRUE(is_zero(element + sizeof(self->cpus[0]), 24));
	}
	EXPECT_EQ(POISON, elements[self->info.nr_cpus * size]);
}

TEST_F(info, element_sizes_out_of_range_are_refused)
{
	static const struct { uint32_t size; int ret; } cases[] = {
		{ 0, -EINVAL }, { 191, -EINVAL }, { PAGE + 1, -E2BIG }, { 0xffffffff, -E2BIG },
	};

	for (unsigned int i = 0; i < NR(cases); i++) {
		self->info.cpu_size = cases[i].size;
		EXPECT_EQ(cases[i].ret, abi_info(self->dev, &self->info)) {
			TH_LOG("%u", cases[i].size);
		}
		EXPECT_TRUE(is_poison(self->cpus, sizeof(self->cpus)));
	}
}

TEST_F(info, an_array_without_elements_is_einval)
{
	self->info.nr_cpus = 0;
	EXPECT_EQ(-EINVAL, abi_info(self->dev, &self->info));
	EXPECT_TRUE(is_poison(self->cpus, sizeof(self->cpus)));
}

TEST_F(info, array_that_ends_in_an_unreachable_page_is_efault)
{
	uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, mprotect(pages + PAGE, PAGE, PROT_NONE));
	self->info.cpus = (uintptr_t)(pages + PAGE - sizeof(self->cpus[0]) * nr_possible() + 1);
	EXPECT_EQ(-EFAULT, abi_info(self->dev, &self->info));
	self->info.cpus--;
	EXPECT_EQ(0, abi_info(self->dev, &self->info));
}

TEST_F(info, sessions_and_their_counters_are_reported_while_they_exist)
{
	struct request req;
	int first, second;
	uint64_t claim;

	request_cpus(&req, 0x1);
	add_counter(&req);
	first = request(self->dev, &req);
	ASSERT_LE(0, first);
	EXPECT_EQ(1, nr_sessions(self->dev));
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	/* instructions use fixed counter 0; a claim also holds one general-purpose counter */
	claim = self->cpus[0].held_cntrs & ~FIXED(0);
	EXPECT_EQ(FIXED(0), self->cpus[0].held_cntrs & FIXED(0));
	EXPECT_EQ(self->info.arbiter == ACRPMU_ARBITER_CLAIM, __builtin_popcountll(claim));
	EXPECT_EQ(0, claim >> ACRPMU_FIXED_BASE);
	if (nr_possible() > 1) {
		EXPECT_EQ(0, self->cpus[1].held_cntrs);
	}

	request_cpus(&req, 0x1);
	add_event(&req, EV_CYCLES, USER | COUNT, 0, 0);
	second = request(self->dev, &req);
	ASSERT_LE(0, second);
	EXPECT_EQ(2, nr_sessions(self->dev));
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(claim | FIXED(0) | FIXED(1), self->cpus[0].held_cntrs);
	EXPECT_EQ(0, close(first));
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(1, self->info.nr_sessions);
	EXPECT_EQ(claim | FIXED(1), self->cpus[0].held_cntrs);
	EXPECT_EQ(0, close(second));
	EXPECT_EQ(0, nr_sessions(self->dev));
	EXPECT_EQ(0, held_cntrs(self->dev));
}

static bool set_online(bool online)
{
	int fd = open(ONLINE, O_WRONLY);
	bool done = fd >= 0 && write(fd, online ? "1" : "0", 1) == 1;

	close(fd);
	return done;
}

TEST_F(info, offline_cpu_is_reported)
{
	uint32_t flags;

	if (nr_cpus() < 2 || access(ONLINE, W_OK))
		SKIP(return, "CPU 1 cannot be taken offline here");
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	flags = self->cpus[1].flags;
	EXPECT_EQ(ACRPMU_CPU_ONLINE, flags & ACRPMU_CPU_ONLINE);
	ASSERT_TRUE(set_online(false));
	EXPECT_EQ(0, abi_info(self->dev, &self->info));
	ASSERT_TRUE(set_online(true));
	EXPECT_EQ(flags & ~ACRPMU_CPU_ONLINE, self->cpus[1].flags);
	EXPECT_EQ(ACRPMU_CPU_ONLINE, self->cpus[0].flags & ACRPMU_CPU_ONLINE);
	EXPECT_EQ(0, abi_info(self->dev, &self->info));
	EXPECT_EQ(flags, self->cpus[1].flags);
}

TEST_HARNESS_MAIN
