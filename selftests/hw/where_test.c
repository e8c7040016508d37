// SPDX-License-Identifier: GPL-2.0-only
/* The address of a user-level event with a PMI that comes in the kernel, beside in-tree perf. */
#include "work.h"
#include "intree.h"
#include "intree_ring.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define CALLS		20000
/* User-level instructions; a prime, so that it falls everywhere in the loop */
#define PERIOD		1009
#define KERNEL_HALF	(1ULL << 63)

/* How many samples have what kind of address */
struct places {
	uint64_t user, kernel, none;
};

static void place(uint64_t ip, void *data)
{
	struct places *p = data;

	if (!ip)
		p->none++;
	else if (ip & KERNEL_HALF)
		p->kernel++;
	else
		p->user++;
}

static void place_sample(const struct sample *sample, void *data)
{
	place(sample->ip, data);
}

static int intree_places(struct places *p)
{
	struct intree e = { .config = EV_INSNS, .period = PERIOD, .cpu = -1, .group = -1,
			    .disabled = true, .pinned = true };
	int fd = intree_open(&e), ret = -EINVAL;
	struct perf_event_mmap_page *ring = fd < 0 ? NULL : intree_ring(fd);

	if (ring && !ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		work_syscalls(CALLS);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		intree_ring_drain(ring, place, p);
		ret = 0;
	}
	intree_ring_unmap(ring);
	if (fd >= 0)
		close(fd);
	return ret;
}

static bool kernel_ge_7_3(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname uts;

	return !uname(&uts) && sscanf(uts.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 7 || (major == 7 && minor >= 3));
}

FIXTURE(where) {
	struct session s;
};

FIXTURE_SETUP(where)
{
	self->s.fd = -1;
	ASSERT_EQ(0, pin_to(0, CPU));
}

FIXTURE_TEARDOWN(where)
{
	session_close(&self->s);
}

TEST_F(where, user_level_samples_have_a_users_address_where_intree_has_none)
{
	struct places intree = { 0 }, ours = { 0 };

	ASSERT_EQ(0, intree_places(&intree));
	session_task(&self->s, 0, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_syscalls(CALLS);
	ASSERT_EQ(0, session_disable(&self->s));
	session_drain(&self->s, place_sample, &ours);
	fprintf(stderr, "# in-tree: %lu samples of user code, %lu of the kernel, %lu without an "
		"address; ours: %lu, %lu, %lu\n", intree.user, intree.kernel, intree.none,
		ours.user, ours.kernel, ours.none);

	EXPECT_LT(100, ours.user);
	EXPECT_EQ(0, ours.kernel);
	EXPECT_EQ(0, ours.none);
	EXPECT_LT(100, intree.user);
	/* Since Linux 7.3 it reports no address, before that the kernel's. */
	EXPECT_LT(10, kernel_ge_7_3() ? intree.none : intree.kernel);
	EXPECT_EQ(0, kernel_ge_7_3() ? intree.kernel : intree.none);
}

TEST_HARNESS_MAIN
