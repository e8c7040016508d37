// SPDX-License-Identifier: GPL-2.0-only
/* The ioctl format alone: sizes, pointers, commands, capabilities, the order of checks. */
#include "common.h"

#include <sys/resource.h>

#define RING_PAGES	4

/* ---- every command, with a struct that it accepts ---- */

union any_args {
	struct acrpmu_info info;
	struct acrpmu_session_attr attr;
	struct acrpmu_ctl ctl;
	struct acrpmu_read read;
	struct acrpmu_query query;
	struct acrpmu_unpark unpark;
	struct acrpmu_set_periods set_periods;
	struct acrpmu_attach attach;
	uint32_t size;
	uint8_t bytes[2 * PAGE];
};

struct arrays {
	struct acrpmu_event_attr event;
	struct acrpmu_count count;
	struct acrpmu_event_hw hw;
	uint64_t period;
};

static void fill_info(union any_args *args, struct arrays *arrays)
{
}

static void fill_attr(union any_args *args, struct arrays *arrays)
{
	arrays->event = (struct acrpmu_event_attr){
		.config = EV_INSTRUCTIONS, .flags = USER | COUNT, .id = 1,
	};
	args->attr.flags = ACRPMU_SESSION_TASK;
	args->attr.events = (uintptr_t)&arrays->event;
	args->attr.nr_events = 1;
	args->attr.event_size = sizeof(arrays->event);
}

static void fill_read(union any_args *args, struct arrays *arrays)
{
	args->read.cpu = ACRPMU_CPU_ALL;
	args->read.nr_counts = 1;
	args->read.counts = (uintptr_t)&arrays->count;
}

static void fill_query(union any_args *args, struct arrays *arrays)
{
	args->query.events = (uintptr_t)&arrays->hw;
	args->query.nr_events = 1;
	args->query.event_size = sizeof(arrays->hw);
}

static void fill_periods(union any_args *args, struct arrays *arrays)
{
	args->set_periods.periods = (uintptr_t)&arrays->period;
	args->set_periods.nr_periods = 1;
}

static const struct command {
	const char *name;
	uint32_t nr;
	uint32_t size;		/* in this header */
	uint32_t size_ver0;
	bool on_session;
	bool needs_events;	/* must not be cut off */
	unsigned int known_flags;	/* from bit 0 on */
	void (*fill)(union any_args *args, struct arrays *arrays);
} commands[] = {
	{ "INFO", ACRPMU_INFO, sizeof(struct acrpmu_info), 72, false, false, 1, fill_info },
	{ "SESSION_CREATE", ACRPMU_SESSION_CREATE, sizeof(struct acrpmu_session_attr), 112, false,
	  true, 6, fill_attr },
	{ "ENABLE", ACRPMU_ENABLE, sizeof(struct acrpmu_ctl), 8, true, false, 0, fill_info },
	{ "DISABLE", ACRPMU_DISABLE, sizeof(struct acrpmu_ctl), 8, true, false, 0, fill_info },
	{ "RESET", ACRPMU_RESET, sizeof(struct acrpmu_ctl), 8, true, false, 0, fill_info },
	{ "READ", ACRPMU_READ, sizeof(struct acrpmu_read), 96, true, true, 0, fill_read },
	{ "QUERY", ACRPMU_QUERY, sizeof(struct acrpmu_query), 32, true, true, 1, fill_query },
	{ "PARK", ACRPMU_PARK, sizeof(struct acrpmu_ctl), 8, true, false, 0, fill_info },
	{ "UNPARK", ACRPMU_UNPARK, sizeof(struct acrpmu_unpark), 56, true, true, 0, fill_info },
	{ "SET_PERIODS", ACRPMU_SET_PERIODS, sizeof(struct acrpmu_set_periods), 72, true, true, 0,
	  fill_periods },
	{ "ATTACH", ACRPMU_ATTACH, sizeof(struct acrpmu_attach), 64, true, true, 1, fill_info },
};

FIXTURE(base)
{
	int dev, session;
	union any_args *args;
	struct arrays arrays;
};

FIXTURE_SETUP(base)
{
	struct request req;

	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	request_task(&req, 0);
	add_counter(&req);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	self->args = mmap(NULL, sizeof(*self->args) + PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->args);
	/* followed by a page that cannot be accessed */
	ASSERT_EQ(0, mprotect(self->args + 1, PAGE, PROT_NONE));
}

FIXTURE_TEARDOWN(base)
{
	munmap(self->args, sizeof(*self->args) + PAGE);
	close(self->session);
	close(self->dev);
}

static void good_args(FIXTURE_DATA(base) *self, const struct command *cmd)
{
	memset(self->args, 0, sizeof(*self->args));
	memset(&self->arrays, 0, sizeof(self->arrays));
	cmd->fill(self->args, &self->arrays);
	self->args->size = cmd->size;
}

static int run_at(FIXTURE_DATA(base) *self, const struct command *cmd, const void *args)
{
	int ret = abi_ioctl(cmd->on_session ? self->session : self->dev, cmd->nr, args);

	if (ret > 0) {
		close(ret);
		ret = 0;
	}
	return ret;
}

static int run_sized(FIXTURE_DATA(base) *self, const struct command *cmd, uint32_t size)
{
	self->args->size = size;
	return run_at(self, cmd, self->args);
}

#define for_each_command(cmd) for (cmd = commands; cmd < commands + NR(commands); cmd++)

TEST_F(base, header_has_the_published_sizes)
{
	const struct command *cmd;

	/* old programs pass the first version of each */
	for_each_command(cmd) {
		EXPECT_LE(cmd->size_ver0, cmd->size) TH_LOG("%s", cmd->name);
	}
	EXPECT_EQ(72, ACRPMU_INFO_SIZE_VER0);
	EXPECT_EQ(88, ACRPMU_INFO_SIZE_VER1);
	EXPECT_EQ(192, ACRPMU_CPU_INFO_SIZE_VER0);
	EXPECT_EQ(112, ACRPMU_SESSION_ATTR_SIZE_VER0);
	EXPECT_EQ(120, ACRPMU_SESSION_ATTR_SIZE_VER1);
	EXPECT_EQ(48, ACRPMU_EVENT_ATTR_SIZE_VER0);
	EXPECT_EQ(56, ACRPMU_EVENT_ATTR_SIZE_VER1);
	EXPECT_EQ(56, sizeof(struct acrpmu_event_attr));
	EXPECT_EQ(8, ACRPMU_CTL_SIZE_VER0);
	EXPECT_EQ(96, ACRPMU_READ_SIZE_VER0);
	EXPECT_EQ(112, ACRPMU_READ_SIZE_VER1);
	EXPECT_EQ(144, ACRPMU_READ_SIZE_VER2);
	EXPECT_EQ(32, ACRPMU_QUERY_SIZE_VER0);
	EXPECT_EQ(40, ACRPMU_QUERY_SIZE_VER1);
	EXPECT_EQ(64, ACRPMU_EVENT_HW_SIZE_VER0);
	EXPECT_EQ(72, ACRPMU_SET_PERIODS_SIZE_VER0);
	EXPECT_EQ(64, ACRPMU_ATTACH_SIZE_VER0);
}

TEST_F(base, cmd_length_is_checked_for_every_command)
{
	static const struct {
		int line;
		bool ver0;		/* relative to the first version, not to this header's */
		int more;		/* bytes beyond that */
		int tail_at;		/* byte beyond the struct to set, -1 for none */
		int ret;
	} cases[] = {
		{ __LINE__, true, -1, -1, -EINVAL },
		{ __LINE__, true, 0, -1, 0 },
		{ __LINE__, true, 1, -1, 0 },
		{ __LINE__, false, 0, -1, 0 },
		{ __LINE__, false, 1, -1, 0 },
		{ __LINE__, false, 1, 0, -E2BIG },
		{ __LINE__, false, 8, 7, -E2BIG },
		{ __LINE__, false, 8, 8, 0 },	/* beyond the size passed */
	};
	const struct command *cmd;

	for_each_command(cmd)
		for (unsigned int i = 0; i < NR(cases); i++) {
			good_args(self, cmd);
			if (cases[i].tail_at >= 0)
				self->args->bytes[cmd->size + cases[i].tail_at] = 1;
			uint32_t size = cmd->size;

			if (cases[i].ver0)
				size = cmd->size_ver0;
			size += cases[i].more;
			EXPECT_EQ(cases[i].ret, run_sized(self, cmd, size)) {
				TH_LOG("%s, case of line %d", cmd->name, cases[i].line);
			}
		}
}

TEST_F(base, size_0_and_sizes_beyond_a_page_are_refused_for_every_command)
{
	static const struct { uint32_t size; int ret; } cases[] = {
		{ 0, -EINVAL }, { 4, -EINVAL }, { PAGE, 0 }, { PAGE + 1, -E2BIG },
		{ 0x7fffffff, -E2BIG }, { 0x80000000, -E2BIG }, { 0xffffffff, -E2BIG },
	};
	const struct command *cmd;

	for_each_command(cmd)
		for (unsigned int i = 0; i < NR(cases); i++) {
			good_args(self, cmd);
			EXPECT_EQ(cases[i].ret, run_sized(self, cmd, cases[i].size)) {
				TH_LOG("%s with size %#x", cmd->name, cases[i].size);
			}
		}
}

TEST_F(base, tail_in_the_last_byte_of_a_page_is_detected)
{
	const struct command *cmd;

	for_each_command(cmd) {
		good_args(self, cmd);
		self->args->bytes[PAGE - 1] = 0x80;
		EXPECT_EQ(-E2BIG, run_sized(self, cmd, PAGE)) TH_LOG("%s", cmd->name);
	}
}

TEST_F(base, nothing_is_written_beyond_the_struct)
{
	const struct command *cmd;

	for_each_command(cmd) {
		good_args(self, cmd);
		memset(self->args->bytes + cmd->size, POISON, 64);
		EXPECT_EQ(0, run_sized(self, cmd, cmd->size)) TH_LOG("%s", cmd->name);
		for (unsigned int i = 0; i < 64; i++) {
			ASSERT_EQ(POISON, self->args->bytes[cmd->size + i]) {
				TH_LOG("%s wrote byte %u beyond its struct", cmd->name, i);
			}
		}
	}
}

TEST_F(base, unaligned_structs_work)
{
	const struct command *cmd;

	for_each_command(cmd) {
		good_args(self, cmd);
		memmove(self->args->bytes + 1, self->args->bytes, cmd->size);
		EXPECT_EQ(0, run_at(self, cmd, self->args->bytes + 1)) TH_LOG("%s", cmd->name);
	}
}

TEST_F(base, bad_pointers_are_efault_for_every_command)
{
	void *const kernel = (void *)0xffffffff81000000UL;
	void *const not_canonical = (void *)0x8000000000000000UL;
	const struct command *cmd;

	for_each_command(cmd) {
		EXPECT_EQ(-EFAULT, run_at(self, cmd, NULL)) TH_LOG("%s", cmd->name);
		EXPECT_EQ(-EFAULT, run_at(self, cmd, (void *)1)) TH_LOG("%s", cmd->name);
		EXPECT_EQ(-EFAULT, run_at(self, cmd, kernel)) TH_LOG("%s", cmd->name);
		EXPECT_EQ(-EFAULT, run_at(self, cmd, not_canonical)) TH_LOG("%s", cmd->name);
	}
}

TEST_F(base, struct_that_reaches_into_an_unreachable_page_is_efault)
{
	const struct command *cmd;
	uint8_t *end = (uint8_t *)(self->args + 1);

	for_each_command(cmd) {
		uint8_t *args = end - cmd->size + 1;

		good_args(self, cmd);
		memmove(args, self->args->bytes, cmd->size - 1);
		EXPECT_EQ(-EFAULT, run_at(self, cmd, args)) TH_LOG("%s", cmd->name);
		args--;
		good_args(self, cmd);
		memmove(args, self->args->bytes, cmd->size);
		EXPECT_EQ(0, run_at(self, cmd, args)) TH_LOG("%s", cmd->name);
	}
}

TEST_F(base, results_that_cannot_be_written_are_efault_and_leave_no_session)
{
	const struct command *cmd;
	int sessions = nr_sessions(self->dev);

	for_each_command(cmd) {
		good_args(self, cmd);
		ASSERT_EQ(0, mprotect(self->args, PAGE, PROT_READ));
		/* a struct without results may be in read-only memory */
		EXPECT_EQ(cmd->size == sizeof(struct acrpmu_ctl) ? 0 : -EFAULT,
			  run_at(self, cmd, self->args)) TH_LOG("%s", cmd->name);
		ASSERT_EQ(0, mprotect(self->args, PAGE, PROT_READ | PROT_WRITE));
	}
	EXPECT_EQ(sessions, nr_sessions(self->dev));
	/* the lowest free number is still free */
	EXPECT_EQ(self->session + 1, dup(self->dev));
}

TEST_F(base, arrays_that_cannot_be_reached_are_efault)
{
	static void *const bad[] = { NULL, (void *)1, (void *)0xffffffff81000000UL };

	for (unsigned int i = 0; i < NR(bad); i++) {
		good_args(self, &commands[1]);
		self->args->attr.events = (uintptr_t)bad[i];
		EXPECT_EQ(-EFAULT, run_at(self, &commands[1], self->args));
		good_args(self, &commands[1]);
		self->args->attr.cpus = (uintptr_t)bad[i] ?: 1;
		self->args->attr.cpus_size = 1;
		EXPECT_EQ(-EFAULT, run_at(self, &commands[1], self->args));
		good_args(self, &commands[5]);
		self->args->read.counts = (uintptr_t)bad[i];
		EXPECT_EQ(-EFAULT, run_at(self, &commands[5], self->args));
		good_args(self, &commands[6]);
		self->args->query.events = (uintptr_t)bad[i];
		EXPECT_EQ(-EFAULT, run_at(self, &commands[6], self->args));
		good_args(self, &commands[9]);
		self->args->set_periods.periods = (uintptr_t)bad[i];
		EXPECT_EQ(-EFAULT, run_at(self, &commands[9], self->args));
		good_args(self, &commands[0]);
		self->args->info.cpus = (uintptr_t)bad[i];
		self->args->info.nr_cpus = MAX_CPUS;
		self->args->info.cpu_size = sizeof(struct acrpmu_cpu_info);
		EXPECT_EQ(-EFAULT, run_at(self, &commands[0], self->args));
	}
}

TEST_F(base, event_elements_grow_as_structs_do)
{
	/* limit: the first size if it is too short, this header's if its tail is not zero */
	static const struct { uint32_t size; int tail_at, ret, event, limit; } cases[] = {
		{ 47, -1, -EINVAL, NO_EVENT, 48 }, { 0, -1, -EINVAL, NO_EVENT, 48 },
		{ 48, -1, 0 }, { 52, -1, 0 }, { 56, -1, 0 }, { 64, -1, 0 },
		{ 64, 56, -E2BIG, 1, 56 }, { 64, 63, -E2BIG, 1, 56 }, { PAGE, -1, 0 },
		{ PAGE + 1, -1, -E2BIG, NO_EVENT, 48 },
	};
	uint8_t *elements = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct acrpmu_event_attr event = {
		.config = EV_INSTRUCTIONS, .flags = USER | COUNT, .id = 1,
	};

	ASSERT_NE(MAP_FAILED, elements);
	for (unsigned int i = 0; i < NR(cases); i++) {
		struct acrpmu_session_attr *attr = &self->args->attr;

		memset(elements, 0, 4 * PAGE);
		good_args(self, &commands[1]);
		attr->events = (uintptr_t)elements;
		attr->event_size = cases[i].size;
		attr->nr_events = 2;
		memcpy(elements, &event, ACRPMU_EVENT_ATTR_SIZE_VER0);
		event.id = 2;
		memcpy(elements + cases[i].size, &event, ACRPMU_EVENT_ATTR_SIZE_VER0);
		event.id = 1;
		/* in the second element, so that each is checked */
		if (cases[i].tail_at >= 0)
			elements[cases[i].size + cases[i].tail_at] = 1;
		memset(&attr->error, POISON, sizeof(attr->error));
		EXPECT_EQ(cases[i].ret, run_at(self, &commands[1], self->args)) {
			TH_LOG("element size %u", cases[i].size);
		}
		if (!cases[i].ret)
			EXPECT_EQ(0, attr->error.reason);
		if (cases[i].ret) {
			EXPECT_EQ(ACRPMU_REASON_SIZE, attr->error.reason);
			EXPECT_EQ(cases[i].size, attr->error.value);
			EXPECT_EQ(cases[i].limit, attr->error.limit);
			EXPECT_EQ(cases[i].event, attr->error.event);
			EXPECT_EQ(NO_CPU, attr->error.cpu);
		}
	}
}

TEST_F(base, query_elements_grow_as_structs_do)
{
	static const struct { uint32_t size; int ret; } cases[] = {
		{ 63, -EINVAL }, { 0, -EINVAL }, { 64, 0 }, { 100, 0 }, { PAGE, 0 },
		{ PAGE + 1, -E2BIG }, { 0xffffffff, -E2BIG },
	};
	uint8_t *elements = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, elements);
	for (unsigned int i = 0; i < NR(cases); i++) {
		memset(elements, POISON, 2 * PAGE);
		good_args(self, &commands[6]);
		self->args->query.events = (uintptr_t)elements;
		self->args->query.event_size = cases[i].size;
		EXPECT_EQ(cases[i].ret, run_at(self, &commands[6], self->args)) {
			TH_LOG("element size %u", cases[i].size);
		}
		for (unsigned int byte = 64; !cases[i].ret && byte < cases[i].size; byte++) {
			ASSERT_EQ(0, elements[byte]) TH_LOG("byte %u is not zeroed", byte);
		}
		unsigned int untouched = 0;

		if (!cases[i].ret)
			untouched = cases[i].size;
		ASSERT_EQ(POISON, elements[untouched]);
	}
}

TEST_F(base, unknown_commands_are_enotty)
{
	static const uint32_t unknown[] = {
		0, _IO(ACRPMU_IOC_TYPE, 0x02), _IO(ACRPMU_IOC_TYPE, 0x0f),
		_IO(ACRPMU_IOC_TYPE, 0x1f), _IO(ACRPMU_IOC_TYPE, 0xff), _IO(0xab, 0x00),
		/* encoding a size in the number makes it a different command */
		_IOWR(ACRPMU_IOC_TYPE, 0x00, struct acrpmu_info),
		_IOWR(ACRPMU_IOC_TYPE, 0x01, struct acrpmu_session_attr),
		_IOW(ACRPMU_IOC_TYPE, 0x10, struct acrpmu_ctl),
		_IOWR(ACRPMU_IOC_TYPE, 0x13, struct acrpmu_read),
	};

	good_args(self, &commands[0]);
	for (unsigned int i = 0; i < NR(unknown); i++) {
		EXPECT_EQ(-ENOTTY, abi_ioctl(self->dev, unknown[i], self->args)) {
			TH_LOG("device, %#x", unknown[i]);
		}
		EXPECT_EQ(-ENOTTY, abi_ioctl(self->session, unknown[i], self->args)) {
			TH_LOG("session, %#x", unknown[i]);
		}
	}
}

TEST_F(base, commands_of_the_other_descriptor_are_enotty)
{
	const struct command *cmd;

	for_each_command(cmd) {
		good_args(self, cmd);
		EXPECT_EQ(-ENOTTY, abi_ioctl(cmd->on_session ? self->dev : self->session, cmd->nr,
					     self->args)) TH_LOG("%s", cmd->name);
	}
}

TEST_F(base, descriptors_refuse_file_operations)
{
	char byte;

	EXPECT_EQ(-1, read(self->dev, &byte, 1));
	EXPECT_EQ(-1, write(self->dev, "x", 1));
	EXPECT_EQ(-1, read(self->session, &byte, 1));
	EXPECT_EQ(-1, write(self->session, "x", 1));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->dev, 0));
}

TEST_F(base, session_descriptor_is_closed_by_exec)
{
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->session, F_GETFD));
}

TEST_F(base, unknown_flags_are_einval_for_every_command)
{
	const struct command *cmd;

	for_each_command(cmd)
		for (unsigned int bit = cmd->known_flags; bit < 32; bit++) {
			good_args(self, cmd);
			self->args->ctl.flags = 1U << bit;
			EXPECT_EQ(-EINVAL, run_at(self, cmd, self->args)) {
				TH_LOG("%s, flag bit %u", cmd->name, bit);
			}
		}
}

/* The programs of old ABI versions, for which the target was a reserved member. */
TEST_F(base, read_of_every_older_size_is_of_the_whole_session)
{
	static const uint32_t sizes[] = { 96, 112, 136 };
	unsigned int i;

	for (i = 0; i < NR(sizes); i++) {
		good_args(self, &commands[5]);
		self->args->read.tasks = POISON64;
		EXPECT_EQ(0, run_sized(self, &commands[5], sizes[i]));
		EXPECT_EQ(1, self->args->read.nr_tasks);
		EXPECT_EQ(POISON64, self->args->read.tasks);
	}
}

/* ---- 32-bit programs ---- */

TEST_F(base, commands_work_from_32_bit_programs)
{
	const struct command *cmd;
	union any_args *low = mmap(NULL, sizeof(*low), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	struct arrays *arrays = (struct arrays *)(low + 1) - 1;

	if (!is_configured("CONFIG_IA32_EMULATION"))
		SKIP(return, "the kernel has no 32-bit system calls, or hides that it has");
	ASSERT_NE(MAP_FAILED, low);
	for_each_command(cmd) {
		int fd = cmd->on_session ? self->session : self->dev;
		int ret;

		memset(low, 0, sizeof(*low));
		cmd->fill(low, arrays);
		low->size = cmd->size;
		ret = abi_ioctl_compat(fd, cmd->nr, low);
		EXPECT_LE(0, ret) TH_LOG("%s", cmd->name);
		if (ret > 0) {
			EXPECT_EQ(0, close(ret));
		}
		low->size = cmd->size_ver0 - 1;
		EXPECT_EQ(-EINVAL, abi_ioctl_compat(fd, cmd->nr, low)) TH_LOG("%s", cmd->name);
	}
	EXPECT_EQ(-ENOTTY, abi_ioctl_compat(self->dev, _IO(ACRPMU_IOC_TYPE, 2), low));
	EXPECT_EQ(-EFAULT, abi_ioctl_compat(self->dev, ACRPMU_INFO, NULL));
}

/* ---- capabilities ---- */

TEST_F(base, info_needs_no_capability)
{
	int dev;

	ASSERT_EQ(0, drop_to(NO_CAP));
	good_args(self, &commands[0]);
	EXPECT_EQ(0, run_at(self, &commands[0], self->args));
	dev = abi_open();
	EXPECT_LE(0, dev);
}

TEST_F(base, session_without_capability_is_eperm_with_its_reason)
{
	struct request req;

	ASSERT_EQ(0, drop_to(NO_CAP));
	request_task(&req, 0);
	add_counter(&req);
	EXPECT_REFUSED(self->dev, &req, REFUSAL(-EPERM, ACRPMU_REASON_PERM, NO_EVENT, NO_CPU));
}

TEST_F(base, session_needs_no_more_than_cap_perfmon)
{
	ASSERT_EQ(0, drop_to(CAP_PERFMON));
	good_args(self, &commands[1]);
	EXPECT_EQ(0, run_at(self, &commands[1], self->args));
}

TEST_F(base, cap_sys_admin_is_enough_without_cap_perfmon)
{
	ASSERT_EQ(0, drop_to(CAP_SYS_ADMIN));
	good_args(self, &commands[1]);
	EXPECT_EQ(0, run_at(self, &commands[1], self->args));
}

TEST_F(base, rings_are_charged_as_locked_memory)
{
	/* one page more than the data on each CPU */
	unsigned int pages = (RING_PAGES + 1) * nr_cpus();
	struct rlimit limit = { .rlim_cur = (2 * pages - 1) * PAGE, .rlim_max = 2 * pages * PAGE };
	struct request req;
	int fd;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, drop_to(CAP_PERFMON));
	request_task(&req, 0);
	add_sampler(&req, 100000);
	req.attr.ring_pages = RING_PAGES;
	fd = request(self->dev, &req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	EXPECT_REFUSED(self->dev, &req, REFUSAL(-ENOMEM, ACRPMU_REASON_RING_LOCKED, NO_EVENT,
						NO_CPU, pages, 2 * pages - 1));
	close(fd);
	fd = request(self->dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
}

TEST_F(base, info_shows_what_starves_only_to_those_who_may_observe)
{
	struct acrpmu_info info = { .size = sizeof(info), .flags = ACRPMU_INFO_STARVED };

	EXPECT_EQ(0, abi_ioctl(self->dev, ACRPMU_INFO, &info));
	ASSERT_EQ(0, drop_to(NO_CAP));
	EXPECT_EQ(-EPERM, abi_ioctl(self->dev, ACRPMU_INFO, &info));
	info = (struct acrpmu_info){ .size = sizeof(info) };
	EXPECT_EQ(0, abi_ioctl(self->dev, ACRPMU_INFO, &info));
}

TEST_F(base, other_capabilities_are_not_enough)
{
	ASSERT_EQ(0, drop_to(CAP_SYS_PTRACE));
	good_args(self, &commands[1]);
	EXPECT_EQ(-EPERM, run_at(self, &commands[1], self->args));
}

TEST_F(base, the_descriptor_is_the_permission)
{
	const struct command *cmd;

	ASSERT_EQ(0, drop_to(NO_CAP));
	for_each_command(cmd) {
		if (!cmd->on_session)
			continue;
		good_args(self, cmd);
		/* but not to follow others */
		EXPECT_EQ(cmd->nr == ACRPMU_ATTACH ? -EPERM : 0, run_at(self, cmd, self->args)) {
			TH_LOG("%s", cmd->name);
		}
	}
}

/* ---- order of checks: the earlier of two faults is reported ---- */

enum fault {
	BAD_CAP, BAD_SIZE, BAD_TAIL, BAD_FLAGS, BAD_NR_EVENTS, BAD_EVENT_FLAGS, BAD_RESERVED,
	BAD_TARGET, BAD_SAMPLE_TYPE, BAD_RING, BAD_CONFIG, BAD_LEVEL, BAD_MASK, BAD_PERIOD,
	BAD_ID, BAD_CNTRS, BAD_ABILITY, NR_FAULTS
};

/* In the documented order: capability, size, tail, flags, reserved, values, abilities. */
static const struct {
	const char *name;
	int ret;
	int reason;	/* -1: the struct is not written */
} faults[NR_FAULTS] = {
	[BAD_CAP] = { "capability", -EPERM, ACRPMU_REASON_PERM },
	[BAD_SIZE] = { "size", -EINVAL, -1 },
	[BAD_TAIL] = { "tail", -E2BIG, -1 },
	[BAD_FLAGS] = { "flags", -EINVAL, ACRPMU_REASON_FLAGS },
	[BAD_NR_EVENTS] = { "number of events", -EINVAL, ACRPMU_REASON_NR_EVENTS },
	[BAD_EVENT_FLAGS] = { "flags of an event", -EINVAL, ACRPMU_REASON_FLAGS },
	[BAD_RESERVED] = { "reserved", -EINVAL, ACRPMU_REASON_RESERVED },
	[BAD_TARGET] = { "target", -EINVAL, ACRPMU_REASON_TARGET },
	[BAD_SAMPLE_TYPE] = { "sample_type", -EINVAL, ACRPMU_REASON_SAMPLE_TYPE },
	[BAD_RING] = { "ring_pages", -EINVAL, ACRPMU_REASON_RING_PAGES },
	[BAD_CONFIG] = { "config", -EINVAL, ACRPMU_REASON_CONFIG },
	[BAD_LEVEL] = { "level", -EINVAL, ACRPMU_REASON_NO_LEVEL },
	[BAD_MASK] = { "acr_mask", -EINVAL, ACRPMU_REASON_MASK_OUTSIDE },
	[BAD_PERIOD] = { "period", -EINVAL, ACRPMU_REASON_PERIOD_ZERO },
	[BAD_ID] = { "id", -EINVAL, ACRPMU_REASON_ID },
	[BAD_CNTRS] = { "allowed_cntrs", -EINVAL, ACRPMU_REASON_ALLOWED_CNTRS },
	[BAD_ABILITY] = { "extra_value", -EINVAL, ACRPMU_REASON_EXTRA_NONE },
};

#define UNKNOWN_FLAG	(1U << 30)

static void spoil(struct request *req, enum fault fault)
{
	struct acrpmu_event_attr *event = &req->events[1];

	switch (fault) {
	case BAD_SIZE:
		req->attr.size = ACRPMU_SESSION_ATTR_SIZE_VER0 - 1;
		break;
	case BAD_TAIL:
		req->attr.size = sizeof(req->attr) + 8;
		break;
	case BAD_FLAGS:
		req->attr.flags |= UNKNOWN_FLAG;
		break;
	case BAD_NR_EVENTS:
		req->attr.nr_events = 0;
		break;
	case BAD_EVENT_FLAGS:
		event->flags |= UNKNOWN_FLAG;
		break;
	case BAD_RESERVED:
		event->reserved = 1;
		break;
	case BAD_TARGET:
		req->attr.pid = -1;
		break;
	case BAD_SAMPLE_TYPE:
		req->attr.sample_type |= PERF_SAMPLE_STACK_USER;
		break;
	case BAD_RING:
		req->attr.ring_pages = 3;
		break;
	case BAD_CONFIG:
		event->config |= BIT64(20);
		break;
	case BAD_LEVEL:
		event->flags &= ~(USER | KERNEL);
		break;
	case BAD_MASK:
		event->acr_mask = BIT64(5);
		break;
	case BAD_PERIOD:
		event->period = 0;
		break;
	case BAD_ID:
		event->id = req->events[0].id;
		break;
	case BAD_CNTRS:
		event->allowed_cntrs = BIT64(48);
		break;
	case BAD_ABILITY:
		event->extra_value = 1;
		break;
	default:
		break;
	}
}

static void request_with_faults(struct request *req, enum fault first, enum fault second)
{
	request_task(req, 0);
	add_event(req, EV_BRANCHES, USER | SAMPLED, 10000, 0);
	add_event(req, EV_BRANCH_MISSES, USER, 10000, 0);
	add_ring(req, SAMPLE_TYPE, 8);
	spoil(req, second);
	spoil(req, first);
}

/* Check that the first fault is reported, in a new process if the capability must be dropped. */
static bool first_fault_answers(int dev, enum fault first, struct request *req)
{
	int status = -1, ret;
	pid_t pid;

	if (first == BAD_CAP) {
		pid = fork();
		if (!pid)
			_exit(drop_to(NO_CAP) || request(dev, req) != faults[first].ret);
		waitpid(pid, &status, 0);
		return !status;
	}
	ret = request(dev, req);
	if (ret != faults[first].ret)
		return false;
	if (faults[first].reason < 0)
		return error_is_poison(req);
	return req->attr.error.reason == faults[first].reason;
}

TEST_F(base, the_earlier_of_two_faults_is_reported)
{
	struct request req;

	for (enum fault first = 0; first < NR_FAULTS; first++) {
		for (enum fault second = first + 1; second < NR_FAULTS; second++) {
			/* a struct cannot be both too short and too long */
			if (first == BAD_SIZE && second == BAD_TAIL)
				continue;
			request_with_faults(&req, first, second);
			EXPECT_TRUE(first_fault_answers(self->dev, first, &req)) {
				TH_LOG("%s before %s", faults[first].name, faults[second].name);
				describe(__LINE__, 0, &req.attr.error);
			}
		}
	}
}

TEST_F(base, capability_is_checked_before_the_pointer)
{
	ASSERT_EQ(0, drop_to(NO_CAP));
	EXPECT_EQ(-EPERM, abi_ioctl(self->dev, ACRPMU_SESSION_CREATE, NULL));
}

TEST_F(base, unknown_command_is_reported_before_a_bad_pointer)
{
	EXPECT_EQ(-ENOTTY, abi_ioctl(self->dev, _IO(ACRPMU_IOC_TYPE, 0x7f), NULL));
	EXPECT_EQ(-ENOTTY, abi_ioctl(self->session, _IO(ACRPMU_IOC_TYPE, 0x7f), NULL));
}

TEST_HARNESS_MAIN
