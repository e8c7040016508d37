// SPDX-License-Identifier: GPL-2.0-only
/* Who may count kernel level: a security module is asked, perf_event_paranoid does not matter. */
#include "perf_rules.h"

static void kernel_level(struct request *req)
{
	request_task(req, 0);
	add_counter(req);
	add_event(req, EV_CYCLES, USER | KERNEL | COUNT, 0, 0);
}

TEST(a_security_module_that_forbids_perf_the_kernel_forbids_it_here)
{
	int dev = abi_open(), refusals, fd;
	struct request req;

	ASSERT_LE(0, dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	kernel_level(&req);
	refusals = security_refuse(SECURITY_KERNEL);
	if (refusals < 0)
		SKIP(return, "BPF programs cannot be security modules here");
	ASSERT_EQ(-EACCES, intree_answer(0, true));
	ASSERT_EQ(0, intree_answer(0, false));
	if (kernel_is(6, 12)) {
		EXPECT_REFUSED(dev, &req, REFUSAL(-EPERM, ACRPMU_REASON_KERNEL_LEVEL, 1, NO_CPU,
						  0, 0));
	} else {
		/* the documented limit */
		fd = request(dev, &req);
		EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
		close(fd);
	}
	req.events[1].flags = USER | COUNT;
	fd = request(dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	close(fd);
	close(refusals);
	kernel_level(&req);
	fd = request(dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	close(fd);
	close(dev);
}

/* The reason that a process reports when it ends; 0: none, -1: no reason. */
static int reason_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == UINT8_MAX)
		return -1;
	return WEXITSTATUS(status);
}

/* The reason that a process with one capability gets for kernel level. */
static int reason_with(int dev, int cap)
{
	pid_t pid = fork();
	struct request req;
	int fd;

	if (!pid) {
		if (drop_to(cap))
			_exit(UINT8_MAX);
		kernel_level(&req);
		fd = request(dev, &req);
		_exit(fd < 0 ? req.attr.error.reason : 0);
	}
	return reason_of(pid);
}

/* The reason that a process without capabilities gets for unparking a session. */
static int reason_to_stay_parked(int session)
{
	struct acrpmu_unpark args = { .size = sizeof(args) };
	pid_t pid = fork();

	if (!pid) {
		if (drop_to(NO_CAP) || abi_ctl(session, ACRPMU_PARK))
			_exit(UINT8_MAX);
		_exit(abi_ioctl(session, ACRPMU_UNPARK, &args) ? args.error.reason : 0);
	}
	return reason_of(pid);
}

FIXTURE(paranoid) {
	int dev;
	char before[16];
};

FIXTURE_SETUP(paranoid)
{
	int fd = open(PARANOID, O_RDONLY);

	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_LT(0, read(fd, self->before, sizeof(self->before) - 1));
	close(fd);
}

FIXTURE_TEARDOWN(paranoid)
{
	set_paranoid(self->before);
	close(self->dev);
}

TEST_F(paranoid, neither_replaces_the_capability_nor_adds_to_it)
{
	static const char * const values[] = { "-1", "2" };
	int i;

	for (i = 0; i < NR(values); i++) {
		set_paranoid(values[i]);
		EXPECT_EQ(0, reason_with(self->dev, CAP_PERFMON)) TH_LOG("at %s", values[i]);
		EXPECT_EQ(ACRPMU_REASON_PERM, reason_with(self->dev, NO_CAP))
			TH_LOG("at %s", values[i]);
	}
}

/* In-tree perf asks for a permission of its own when it is kept off. */
TEST_F(paranoid, does_not_matter_to_whoever_has_the_descriptor)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	struct request req;
	int session;

	ASSERT_EQ(0, abi_info(self->dev, &info));
	if (info.arbiter != ACRPMU_ARBITER_CLAIM)
		SKIP(return, "in-tree perf is not asked here when it is kept off");
	set_paranoid("2");
	kernel_level(&req);
	session = request(self->dev, &req);
	ASSERT_LE(0, session) describe(__LINE__, session, &req.attr.error);
	EXPECT_EQ(0, reason_to_stay_parked(session));
	close(session);
}

TEST_HARNESS_MAIN
