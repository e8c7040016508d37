// SPDX-License-Identifier: GPL-2.0-only
/* Lockdown and kernel-level events; it cannot be undone, so this runs last. */
#include "common.h"

#include <sys/mount.h>

#define SECURITY	"/sys/kernel/security"
#define LOCKDOWN	SECURITY "/lockdown"

/* The level that forbids perf to observe the kernel. */
static bool lock_down(void)
{
	int fd;
	bool done;

	mount("securityfs", SECURITY, "securityfs", 0, NULL);
	fd = open(LOCKDOWN, O_WRONLY);
	done = fd >= 0 && write(fd, "confidentiality", 15) == 15;
	close(fd);
	return done;
}

TEST(kernel_level_events_are_refused_when_lockdown_forbids_them)
{
	struct request req;
	int dev = abi_open(), fd;

	ASSERT_LE(0, dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	request_task(&req, 0);
	add_counter(&req);
	add_event(&req, EV_CYCLES, USER | KERNEL | COUNT, 0, 0);
	fd = request(dev, &req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	close(fd);
	if (!lock_down())
		SKIP(return, "the kernel has no lockdown at %s", LOCKDOWN);
	EXPECT_REFUSED(dev, &req, REFUSAL(-EPERM, ACRPMU_REASON_LOCKDOWN, 1, NO_CPU, 0, 0));
	/* user level reveals no secrets */
	req.events[1].flags = USER | COUNT;
	fd = request(dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	close(fd);
	close(dev);
}

TEST_HARNESS_MAIN
