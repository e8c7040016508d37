// SPDX-License-Identifier: GPL-2.0-only
/* Sessions obey the kernel's rules for perf: perf_event_paranoid, and security modules. */
#include "perf_rules.h"

#include <sys/mount.h>
#include <sys/mman.h>

#define ROOT	(-2)	/* instead of a capability */

/* What a process was answered. */
struct answer {
	int ret;	/* -errno, or a descriptor */
	struct acrpmu_error error;
};

FIXTURE(perf_rules) {
	int dev;
	int session;
	int (*prepare)(void);	/* of the process, while it is root */
	char before[16];
	struct answer *answer;	/* shared */
};

static void allow(bool on)
{
	int fd = open("/sys/module/acrpmu/parameters/unprivileged", O_WRONLY);

	if (fd < 0 || write(fd, on ? "1" : "0", 1) != 1)
		perror("unprivileged");
	close(fd);
}

FIXTURE_SETUP(perf_rules)
{
	int fd = open(PARANOID, O_RDONLY);

	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_LT(0, read(fd, self->before, sizeof(self->before) - 1));
	close(fd);
	self->session = -1;
	self->answer = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->answer);
	set_paranoid("2");
	allow(true);
}

FIXTURE_TEARDOWN(perf_rules)
{
	allow(false);
	set_paranoid(self->before);
	close(self->session);
	close(self->dev);
}

/* A process with one capability or none does something; what it opens is the caller's, too. */
static const struct answer *ask(FIXTURE_DATA(perf_rules) *self, int cap,
				int (*act)(FIXTURE_DATA(perf_rules) *self,
					   struct acrpmu_error *error))
{
	pid_t pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);

	if (pid) {
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			self->answer->ret = -EIO;
		return self->answer;
	}
	*self->answer = (struct answer){ .ret = -EIO };
	if ((self->prepare && self->prepare()) ||
	    (cap != ROOT && (drop_to(cap) || prctl(PR_SET_DUMPABLE, 1))))
		_exit(1);
	self->answer->ret = act(self, &self->answer->error);
	_exit(0);
}

static int create(const FIXTURE_DATA(perf_rules) *self, struct request *req,
		  struct acrpmu_error *error)
{
	int ret = request(self->dev, req);

	*error = req->attr.error;
	return ret;
}

static int count_own(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	struct request req;

	request_task(&req, 0);
	add_counter(&req);
	return create(self, &req, error);
}

static int count_cpu(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	struct request req;

	request_cpus(&req, 1);
	add_counter(&req);
	return create(self, &req, error);
}

static int count_cgroup(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	struct request req;

	request_cpus(&req, 1);
	add_counter(&req);
	req.attr.flags = ACRPMU_SESSION_CGROUP;
	req.attr.pid = open("/run/cgroup2", O_RDONLY | O_CLOEXEC);
	return create(self, &req, error);
}

static int ask_badly(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	struct request req;

	request_task(&req, 0);
	add_counter(&req);
	req.attr.size = ACRPMU_SESSION_ATTR_SIZE_VER0 - 1;
	return request(self->dev, &req);
}

static int attach_own(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	struct acrpmu_attach attach = { .pid = getpid() };
	int ret = abi_attach(self->session, &attach);

	*error = attach.error;
	return ret;
}

static int attach_badly(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	struct acrpmu_attach attach = { .size = 1 };

	return abi_ioctl(self->session, ACRPMU_ATTACH, &attach);
}

static int intree_own(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	return intree_answer(0, false);
}

#define EXPECT_ALLOWED(cap, act) do {						\
	const struct answer *_answer = ask(self, cap, act);			\
										\
	EXPECT_LE(0, _answer->ret) describe(__LINE__, _answer->ret, &_answer->error); \
	close(_answer->ret);							\
} while (0)

#define EXPECT_FORBIDDEN(cap, act, ...) do {					\
	const struct answer *_answer = ask(self, cap, act);			\
										\
	EXPECT_EQ(-EPERM, _answer->ret);					\
	EXPECT_TRUE(error_is(&_answer->error, &(struct refusal)			\
			     REFUSAL(-EPERM, __VA_ARGS__)))			\
		describe(__LINE__, _answer->ret, &_answer->error);		\
} while (0)

/* ---- perf_event_paranoid ---- */

/* Debian's kernels have a rule for values above 2, and upstream's have none. */
TEST_F(perf_rules, perf_event_paranoid_above_2_forbids_users_their_own_tasks)
{
	static const char * const values[] = { "-1", "0", "1", "2", "3", "4" };
	int i, value;

	for (i = 0; i < NR(values); i++) {
		value = atoi(values[i]);
		set_paranoid(values[i]);
		if (value > 2)
			EXPECT_FORBIDDEN(NO_CAP, count_own, ACRPMU_REASON_PARANOID, NO_EVENT,
					 NO_CPU, value, 2);
		else
			EXPECT_ALLOWED(NO_CAP, count_own);
		if (ask(self, NO_CAP, intree_own)->ret)
			EXPECT_LT(2, value) TH_LOG("in-tree perf is stricter at %d", value);
	}
}

TEST_F(perf_rules, perf_event_paranoid_is_no_matter_for_those_with_a_capability)
{
	set_paranoid("4");
	EXPECT_ALLOWED(CAP_PERFMON, count_own);
	EXPECT_ALLOWED(CAP_PERFMON, count_cpu);
	EXPECT_ALLOWED(CAP_SYS_ADMIN, count_cpu);
	EXPECT_ALLOWED(ROOT, count_own);
}

TEST_F(perf_rules, perf_event_paranoid_comes_after_the_parameter_and_before_the_struct)
{
	set_paranoid("3");
	EXPECT_EQ(-EPERM, ask(self, NO_CAP, ask_badly)->ret);
	allow(false);
	EXPECT_FORBIDDEN(NO_CAP, count_own, ACRPMU_REASON_PERM, NO_EVENT, NO_CPU);
	set_paranoid("2");
	allow(true);
	EXPECT_EQ(-EINVAL, ask(self, NO_CAP, ask_badly)->ret);
}

TEST_F(perf_rules, perf_event_paranoid_forbids_to_attach_more_tasks)
{
	self->session = ask(self, NO_CAP, count_own)->ret;
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &self->answer->error);
	EXPECT_ALLOWED(NO_CAP, attach_own);
	EXPECT_EQ(-EINVAL, ask(self, NO_CAP, attach_badly)->ret);
	set_paranoid("3");
	EXPECT_FORBIDDEN(NO_CAP, attach_own, ACRPMU_REASON_PARANOID, NO_EVENT, NO_CPU, 3, 2);
	EXPECT_EQ(-EPERM, ask(self, NO_CAP, attach_badly)->ret);
}

/* As any user can do it in a user namespace. */
static int hide_paranoid(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/proc", "tmpfs", 0, NULL) || mkdir("/proc/sys", 0755) ||
	    mkdir("/proc/sys/kernel", 0755) || close(open(PARANOID, O_CREAT | O_RDWR, 0644)))
		return -1;
	set_paranoid("-1");
	return 0;
}

TEST_F(perf_rules, perf_event_paranoid_is_read_where_no_mount_hides_it)
{
	self->prepare = hide_paranoid;
	EXPECT_ALLOWED(NO_CAP, count_own);
	set_paranoid("3");
	EXPECT_FORBIDDEN(NO_CAP, count_own, ACRPMU_REASON_PARANOID, NO_EVENT, NO_CPU, 3, 2);
}

/* ---- security modules ---- */

/* There the user has no capability in the first namespace, whatever he has in his own. */
static int count_own_in_namespace(FIXTURE_DATA(perf_rules) *self, struct acrpmu_error *error)
{
	return unshare(CLONE_NEWUSER) ? -ENOSYS : count_own(self, error);
}

/* From 7.3 on modules can ask whether the caller may observe whole CPUs. */
TEST_F(perf_rules, a_security_module_that_forbids_whole_cpus_forbids_them_and_users_own_tasks)
{
	int refusals;

	self->session = ask(self, NO_CAP, count_own)->ret;
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &self->answer->error);
	mkdir("/run/cgroup2", 0755);
	ASSERT_EQ(0, mount("none", "/run/cgroup2", "cgroup2", 0, NULL));
	refusals = security_refuse(SECURITY_CPU);
	if (refusals < 0)
		SKIP(umount("/run/cgroup2"); return, "BPF programs cannot refuse anything here");
	ASSERT_EQ(-EACCES, intree_answer(-1, false));
	ASSERT_EQ(0, intree_answer(0, false));
	if (kernel_is(7, 3)) {
		EXPECT_FORBIDDEN(ROOT, count_cpu, ACRPMU_REASON_WHOLE_CPU, NO_EVENT, NO_CPU);
		EXPECT_FORBIDDEN(CAP_PERFMON, count_cpu, ACRPMU_REASON_WHOLE_CPU, NO_EVENT, NO_CPU);
		EXPECT_FORBIDDEN(ROOT, count_cgroup, ACRPMU_REASON_WHOLE_CPU, NO_EVENT, NO_CPU);
		EXPECT_FORBIDDEN(NO_CAP, count_own, ACRPMU_REASON_WHOLE_CPU, NO_EVENT, NO_CPU);
		EXPECT_FORBIDDEN(NO_CAP, attach_own, ACRPMU_REASON_WHOLE_CPU, NO_EVENT, NO_CPU);
		EXPECT_GT(0, ask(self, NO_CAP, count_own_in_namespace)->ret);
	} else {
		/* the documented limit */
		EXPECT_ALLOWED(ROOT, count_cpu);
		EXPECT_ALLOWED(ROOT, count_cgroup);
		EXPECT_ALLOWED(NO_CAP, count_own);
		EXPECT_ALLOWED(NO_CAP, attach_own);
	}
	EXPECT_ALLOWED(ROOT, count_own);
	EXPECT_ALLOWED(CAP_PERFMON, count_own);
	close(refusals);
	EXPECT_ALLOWED(ROOT, count_cpu);
	EXPECT_ALLOWED(ROOT, count_cgroup);
	EXPECT_ALLOWED(NO_CAP, count_own);
	EXPECT_ALLOWED(NO_CAP, attach_own);
	umount("/run/cgroup2");
}

TEST_F(perf_rules, users_in_a_namespace_of_theirs_may_observe_their_own_tasks)
{
	if (ask(self, NO_CAP, count_own_in_namespace)->ret == -ENOSYS)
		SKIP(return, "users cannot create user namespaces here");
	EXPECT_ALLOWED(NO_CAP, count_own_in_namespace);
}

TEST_F(perf_rules, a_security_module_that_forbids_the_kernel_leaves_users_their_own_tasks)
{
	int refusals = security_refuse(SECURITY_KERNEL);

	if (refusals < 0)
		SKIP(return, "BPF programs cannot be security modules here");
	EXPECT_ALLOWED(NO_CAP, count_own);
	EXPECT_ALLOWED(ROOT, count_cpu);
	close(refusals);
}

TEST_HARNESS_MAIN
