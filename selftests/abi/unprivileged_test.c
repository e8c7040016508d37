// SPDX-License-Identifier: GPL-2.0-only
/* What a user without CAP_PERFMON may observe if the administrator allows it, and all that not. */
#include "common.h"

#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PARAMETERS	"/sys/module/acrpmu/parameters/"
#define SUID_DUMPABLE	"/proc/sys/fs/suid_dumpable"
#define PROGRAM		"/run/acrpmu-unprivileged"
#define SOMEBODY	65533	/* another user */
#define ROUNDS		200000ULL
#define PERIOD		10000ULL
#define USER_END	(1ULL << 47)
#define RING_PAGES	8
#define SESSION_FD	200

/* ---- other tasks ---- */

/* A task with other properties, which waits until it gets a byte, or the test ends. */
struct other {
	pid_t pid;
	int hold;	/* it reads this */
	int ready;	/* and writes this */
};

static void wait_for_byte(void)
{
	char byte;

	if (write(STDOUT_FILENO, "", 1) != 1 || read(STDIN_FILENO, &byte, 1) != 1)
		_exit(0);
}

static bool is_ready(const struct other *other)
{
	char byte;

	return read(other->ready, &byte, 1) == 1;
}

/* Start a task that prepares itself; it must not be the caller's in what the test is about. */
static struct other start(int (*prepare)(void))
{
	int hold[2], ready[2];
	struct other other;

	if (pipe2(hold, O_CLOEXEC) || pipe2(ready, O_CLOEXEC))
		return (struct other){ .pid = -1 };
	other = (struct other){ .hold = hold[1], .ready = ready[0] };
	other.pid = fork();
	if (!other.pid) {
		dup2(hold[0], STDIN_FILENO);
		dup2(ready[1], STDOUT_FILENO);
		close(hold[1]);
		if (prepare())
			_exit(1);
		wait_for_byte();
		_exit(0);
	}
	close(hold[0]);
	close(ready[1]);
	return is_ready(&other) ? other : (struct other){ .pid = -1 };
}

/* Changing ids takes that away. */
static int be_dumpable(void)
{
	return prctl(PR_SET_DUMPABLE, 1);
}

static int become_user(void)
{
	return drop_to(NO_CAP) || be_dumpable();
}

/* Real, effective, saved user, then group. */
static unsigned int other_id;

static int become_user_but_one_id(void)
{
	int id[6], i;

	for (i = 0; i < 6; i++)
		id[i] = i == other_id ? SOMEBODY : NOBODY;
	return setresgid(id[3], id[4], id[5]) || setresuid(id[0], id[1], id[2]) || be_dumpable();
}

static int become_user_with_cap(void)
{
	return drop_to(CAP_NET_RAW) || be_dumpable();
}

static int become_user_not_dumpable(void)
{
	return drop_to(NO_CAP) || prctl(PR_SET_DUMPABLE, 0);
}

static int become_user_in_namespace(void)
{
	return become_user() || unshare(CLONE_NEWUSER);
}

static pthread_barrier_t barrier;
static pid_t other_thread;

static void *be_somebody(void *arg)
{
	other_thread = syscall(SYS_gettid);
	syscall(SYS_setresuid, SOMEBODY, SOMEBODY, SOMEBODY);
	pthread_barrier_wait(&barrier);
	pause();
	return NULL;
}

/* The C library would change the ids of all threads. */
static int become_user_but_one_thread(void)
{
	pthread_t thread;

	if (setresgid(NOBODY, NOBODY, NOBODY) || pthread_barrier_init(&barrier, NULL, 2) ||
	    pthread_create(&thread, NULL, be_somebody, NULL))
		return -1;
	pthread_barrier_wait(&barrier);
	return syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) || be_dumpable();
}

#define NR_CHILDREN	300

/* It is ready before it forks, and again afterwards; its children live as long as the pipe. */
static int fork_children(void)
{
	char byte;
	int i;

	if (write(STDOUT_FILENO, "", 1) != 1)
		return -1;
	for (i = 0; i < NR_CHILDREN; i++)
		if (!fork())
			_exit(read(STDIN_FILENO, &byte, 1));
	return 0;
}

/* ---- a program that others may not observe ---- */

/* Install a copy of this program, of another user. */
static int install(mode_t mode)
{
	char command[128];

	snprintf(command, sizeof(command), "cp --remove-destination /proc/%d/exe " PROGRAM,
		 getpid());
	return system(command) || chown(PROGRAM, SOMEBODY, SOMEBODY) || chmod(PROGRAM, mode);
}

static int execute(void)
{
	if (!become_user())
		execl(PROGRAM, "unprivileged", "--wait", NULL);
	return -1;
}

static int execute_and_drop(void)
{
	if (!become_user())
		execl(PROGRAM, "unprivileged", "--drop", NULL);
	return -1;
}

static int execute_later(void)
{
	if (become_user())
		return -1;
	wait_for_byte();
	execl(PROGRAM, "unprivileged", "--wait", NULL);
	return -1;
}

/* ---- requests ---- */

FIXTURE(unprivileged) {
	int dev;
	int allow;	/* descriptors, so that an unprivileged test can change parameters */
	int max;
	struct request req;
};

static void set(int fd, const char *value)
{
	if (pwrite(fd, value, strlen(value), 0) < 0)
		perror(value);
}

FIXTURE_SETUP(unprivileged)
{
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	self->allow = open(PARAMETERS "unprivileged", O_WRONLY | O_CLOEXEC);
	self->max = open(PARAMETERS "max_unprivileged_sessions", O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, self->allow);
	ASSERT_LE(0, self->max);
	set(self->allow, "1");
	request_task(&self->req, 0);
	add_counter(&self->req);
}

FIXTURE_TEARDOWN(unprivileged)
{
	set(self->allow, "0");
	set(self->max, "256");
	EXPECT_EQ(0, nr_sessions(self->dev));
	close(self->dev);
}

#define EXPECT_GRANTED(req) do {						\
	int granted = request(self->dev, req);					\
										\
	EXPECT_LE(0, granted) describe(__LINE__, granted, &(req)->attr.error);	\
	close(granted);								\
} while (0)

#define EXPECT_NOT_OWN(_reason, task)						\
	EXPECT_REFUSED(self->dev, &self->req,					\
		       REFUSAL(-EPERM, ACRPMU_REASON_OWN_##_reason, NO_EVENT, NO_CPU, task))

/* ---- sessions of others ---- */

static int become_user_with_session(void)
{
	struct request req;
	int fd, dev = abi_open();

	request_task(&req, 0);
	add_counter(&req);
	if (dev < 0 || become_user())
		return -1;
	fd = request(dev, &req);
	return fd < 0 || dup2(fd, SESSION_FD) < 0;
}

static int become_somebody(void)
{
	return setresgid(SOMEBODY, SOMEBODY, SOMEBODY) ||
	       setresuid(SOMEBODY, SOMEBODY, SOMEBODY) || be_dumpable();
}

static void end(const struct other *other)
{
	if (write(other->hold, "", 1) == 1)
		waitpid(other->pid, NULL, 0);
}

/* ---- what is allowed ---- */

static bool says_so(int dev)
{
	struct acrpmu_info info = { .size = sizeof(info) };

	return !abi_info(dev, &info) && info.features & ACRPMU_FEATURE_UNPRIVILEGED;
}

TEST_F(unprivileged, use_is_off_until_the_administrator_allows_it)
{
	ASSERT_EQ(0, become_user());
	EXPECT_TRUE(says_so(self->dev));
	EXPECT_GRANTED(&self->req);
	set(self->allow, "0");
	EXPECT_FALSE(says_so(self->dev));
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EPERM, ACRPMU_REASON_PERM, NO_EVENT,
						      NO_CPU));
}

TEST_F(unprivileged, only_root_changes_the_parameters)
{
	static const char *const paths[] = {
		PARAMETERS "unprivileged", PARAMETERS "max_unprivileged_sessions",
	};
	struct stat st;
	int i;

	ASSERT_EQ(0, become_user());
	for (i = 0; i < NR(paths); i++) {
		ASSERT_EQ(0, stat(paths[i], &st));
		EXPECT_EQ(0644, st.st_mode & 07777);
		EXPECT_EQ(0, st.st_uid);
		EXPECT_EQ(-1, open(paths[i], O_WRONLY | O_CLOEXEC));
		EXPECT_EQ(EACCES, errno);
	}
}

TEST_F(unprivileged, every_user_can_open_the_device)
{
	struct stat st;
	int dev;

	ASSERT_EQ(0, stat(ACRPMU_DEVICE, &st));
	EXPECT_EQ(0666, st.st_mode & 07777);
	ASSERT_EQ(0, become_user());
	dev = abi_open();
	EXPECT_LE(0, dev);
}

TEST_F(unprivileged, own_work_is_counted_exactly)
{
	struct counts counts;
	int fd;

	ASSERT_EQ(0, become_user());
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	ASSERT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &counts));
	EXPECT_LE(ROUNDS * LOOP_INSNS, counts.count[0].value);
	EXPECT_GT(ROUNDS * LOOP_INSNS + 10000, counts.count[0].value);
	close(fd);
}

struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid;
	uint32_t tid;
	uint64_t rest[3];
};

/* Half of the overflows are found in the kernel: between two system calls there is little else. */
TEST_F(unprivileged, samples_have_no_address_of_the_kernel)
{
	unsigned int samples = 0, i;
	struct acrpmu_ring_page *page;
	struct sample sample;
	struct request req;
	uint64_t pos;
	int fd;

	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, become_user());
	request_task(&req, 0);
	add_sampler(&req, 1000);
	fd = request(self->dev, &req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	page = mmap(NULL, (1 + RING_PAGES) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    ACRPMU_RING_OFFSET(0));
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, abi_enable(fd));
	for (i = 0; i < 20000; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, abi_disable(fd));
	for (pos = 0; pos < page->data_head; pos += sample.header.size) {
		memcpy(&sample, (char *)page + page->data_offset + pos, sizeof(sample));
		if (sample.header.type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		EXPECT_GT(USER_END, sample.ip);
		EXPECT_NE(0, sample.ip);
		EXPECT_EQ(PERF_RECORD_MISC_USER, sample.header.misc);
		EXPECT_EQ(getpid(), sample.pid);
	}
	EXPECT_LT(50, samples);
	munmap(page, (1 + RING_PAGES) * PAGE);
	close(fd);
}

struct chain {
	uint64_t nr;
	uint64_t ip[8];
};

static bool is_of_user(const struct chain *chain)
{
	unsigned int i;

	for (i = 1; i < chain->nr; i++)
		if (chain->ip[i] >= USER_END)
			return false;
	return chain->nr > 1 && chain->nr <= NR(chain->ip) && chain->ip[0] == PERF_CONTEXT_USER;
}

TEST_F(unprivileged, call_chains_have_no_address_of_the_kernel)
{
	struct acrpmu_ring_page *page;
	unsigned int samples = 0, i;
	struct chain chain = { 0 };
	struct sample sample;
	struct request req;
	const char *record;
	uint64_t pos;
	int fd;

	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, become_user());
	request_task(&req, 0);
	add_sampler(&req, 1000);
	req.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	req.attr.max_stack = NR(chain.ip) - 1;
	fd = request(self->dev, &req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	page = mmap(NULL, (1 + RING_PAGES) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    ACRPMU_RING_OFFSET(0));
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, abi_enable(fd));
	for (i = 0; i < 5000; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, abi_disable(fd));
	for (pos = 0; pos < page->data_head; pos += sample.header.size) {
		record = (char *)page + page->data_offset + pos;
		memcpy(&sample, record, sizeof(sample));
		if (sample.header.type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		ASSERT_GE(sizeof(sample) + sizeof(chain), sample.header.size);
		memcpy(&chain, record + sizeof(sample), sample.header.size - sizeof(sample));
		EXPECT_TRUE(is_of_user(&chain));
	}
	EXPECT_LT(10, samples);
	munmap(page, (1 + RING_PAGES) * PAGE);
	close(fd);
}

TEST_F(unprivileged, own_children_and_processes_may_be_observed)
{
	struct other child;

	ASSERT_EQ(0, become_user());
	child = start(be_dumpable);
	self->req.attr.pid = child.pid;
	EXPECT_GRANTED(&self->req);
	self->req.attr.flags |= ACRPMU_SESSION_PROCESS | ACRPMU_SESSION_INHERIT |
				ACRPMU_SESSION_ENABLE_ON_EXEC | ACRPMU_SESSION_PARKED;
	EXPECT_GRANTED(&self->req);
}

TEST_F(unprivileged, a_child_of_the_same_user_that_was_not_forked_here_may_be_observed)
{
	struct other other = start(become_user);

	ASSERT_EQ(0, become_user());
	self->req.attr.pid = other.pid;
	EXPECT_GRANTED(&self->req);
}

/* ---- the owners of tasks ---- */

TEST_F(unprivileged, a_task_with_any_other_id_is_refused)
{
	struct other others[6];

	for (other_id = 0; other_id < 6; other_id++)
		others[other_id] = start(become_user_but_one_id);
	ASSERT_EQ(0, become_user());
	for (other_id = 0; other_id < 6; other_id++) {
		ASSERT_LT(0, others[other_id].pid);
		self->req.attr.pid = others[other_id].pid;
		EXPECT_NOT_OWN(USER, others[other_id].pid);
	}
}

TEST_F(unprivileged, roots_task_is_refused)
{
	ASSERT_EQ(0, become_user());
	self->req.attr.pid = 1;
	EXPECT_NOT_OWN(USER, 1);
}

/* As the test before it, but root without capabilities; kernel threads are root's, too. */
TEST_F(unprivileged, root_without_capabilities_is_no_more_than_a_user)
{
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	ASSERT_EQ(0, abi_capset(none));
	ASSERT_EQ(0, be_dumpable());
	EXPECT_GRANTED(&self->req);
	self->req.attr.pid = 1;
	EXPECT_NOT_OWN(USER, 1);
	self->req.attr.pid = 2;
	EXPECT_NOT_OWN(USER, 2);
}

TEST_F(unprivileged, a_task_with_a_capability_is_refused)
{
	struct other other = start(become_user_with_cap);

	ASSERT_EQ(0, become_user());
	self->req.attr.pid = other.pid;
	EXPECT_NOT_OWN(USER, other.pid);
}

TEST_F(unprivileged, a_caller_with_two_users_is_refused)
{
	other_id = 2;
	ASSERT_EQ(0, become_user_but_one_id());
	EXPECT_NOT_OWN(USER, getpid());
}

TEST_F(unprivileged, a_process_of_which_one_thread_is_another_user_is_refused)
{
	struct other other = start(become_user_but_one_thread);
	struct stat st;
	char path[64];

	ASSERT_EQ(0, become_user());
	self->req.attr.pid = other.pid;
	EXPECT_GRANTED(&self->req);
	/* In a process of two threads the other one follows at once. */
	snprintf(path, sizeof(path), "/proc/%d/task/%d", other.pid, other.pid + 1);
	ASSERT_EQ(0, stat(path, &st));
	self->req.attr.flags |= ACRPMU_SESSION_PROCESS;
	EXPECT_NOT_OWN(USER, other.pid + 1);
}

TEST_F(unprivileged, a_set_uid_program_is_refused)
{
	struct other other, dropped;

	ASSERT_EQ(0, install(04755));
	other = start(execute);
	dropped = start(execute_and_drop);
	ASSERT_EQ(0, become_user());
	self->req.attr.pid = other.pid;
	EXPECT_NOT_OWN(USER, other.pid);
	self->req.attr.pid = dropped.pid;
	EXPECT_NOT_OWN(DUMPABLE, dropped.pid);
}

TEST_F(unprivileged, an_unreadable_program_is_refused)
{
	struct other other;

	ASSERT_EQ(0, install(0711));
	other = start(execute);
	ASSERT_EQ(0, become_user());
	self->req.attr.pid = other.pid;
	EXPECT_NOT_OWN(DUMPABLE, other.pid);
}

TEST_F(unprivileged, a_task_that_is_not_dumpable_is_refused_even_the_caller)
{
	struct other other = start(become_user_not_dumpable), child;

	ASSERT_EQ(0, become_user());
	self->req.attr.pid = other.pid;
	EXPECT_NOT_OWN(DUMPABLE, other.pid);
	child = start(be_dumpable);
	ASSERT_EQ(0, prctl(PR_SET_DUMPABLE, 0));
	self->req.attr.pid = 0;
	EXPECT_NOT_OWN(DUMPABLE, getpid());
	/* not the task that could be observed otherwise */
	self->req.attr.pid = child.pid;
	EXPECT_NOT_OWN(DUMPABLE, getpid());
}

TEST_F(unprivileged, a_task_in_another_user_namespace_is_refused)
{
	struct other inside, outside = start(become_user);

	ASSERT_EQ(0, become_user());
	inside = start(become_user_in_namespace);
	if (inside.pid < 0)
		SKIP(return, "users cannot create user namespaces here");
	self->req.attr.pid = inside.pid;
	EXPECT_NOT_OWN(NAMESPACE, inside.pid);
	ASSERT_EQ(0, unshare(CLONE_NEWUSER));
	EXPECT_NOT_OWN(NAMESPACE, inside.pid);
	self->req.attr.pid = outside.pid;
	EXPECT_NOT_OWN(NAMESPACE, outside.pid);
	inside = start(be_dumpable);
	self->req.attr.pid = inside.pid;
	EXPECT_GRANTED(&self->req);
}

/* ---- more tasks for a session ---- */

static int attach(int session, pid_t pid, uint32_t flags, struct acrpmu_error *error)
{
	struct acrpmu_attach attach = { .flags = flags, .pid = pid };
	int ret = abi_attach(session, &attach);

	*error = attach.error;
	return ret;
}

#define EXPECT_ATTACHED(session, task, flags) do {				\
	struct acrpmu_error _error;						\
	int _ret = attach(session, task, flags, &_error);			\
										\
	EXPECT_EQ(0, _ret) describe(__LINE__, _ret, &_error);			\
} while (0)

#define EXPECT_NOT_ATTACHED(session, task, flags, _reason, _value) do {	\
	struct acrpmu_error _error;						\
	int _ret = attach(session, task, flags, &_error);			\
										\
	EXPECT_EQ(-EPERM, _ret);						\
	EXPECT_TRUE(error_is(&_error, &(struct refusal)				\
			     REFUSAL(-EPERM, ACRPMU_REASON_##_reason, NO_EVENT,	\
				     NO_CPU, _value)))				\
		describe(__LINE__, _ret, &_error);				\
} while (0)

static unsigned int nr_tasks(int session)
{
	struct counts counts;

	return read_all(session, 1, &counts) ? ~0U : counts.read.nr_tasks;
}

TEST_F(unprivileged, own_tasks_and_processes_may_be_attached)
{
	struct other child, other = start(become_user);
	int fd;

	ASSERT_EQ(0, become_user());
	child = start(be_dumpable);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	EXPECT_ATTACHED(fd, 0, 0);
	EXPECT_ATTACHED(fd, child.pid, 0);
	EXPECT_ATTACHED(fd, other.pid, ACRPMU_ATTACH_PROCESS);
	EXPECT_EQ(3, nr_tasks(fd));
	close(fd);
}

TEST_F(unprivileged, tasks_of_others_are_not_attached)
{
	struct other user, capable, threads, hidden = start(become_user_not_dumpable);
	int fd;

	other_id = 4;
	user = start(become_user_but_one_id);
	capable = start(become_user_with_cap);
	threads = start(become_user_but_one_thread);
	ASSERT_EQ(0, become_user());
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	EXPECT_NOT_ATTACHED(fd, 1, 0, OWN_USER, 1);
	EXPECT_NOT_ATTACHED(fd, 1, ACRPMU_ATTACH_PROCESS, OWN_USER, 1);
	EXPECT_NOT_ATTACHED(fd, 2, 0, OWN_USER, 2);
	EXPECT_NOT_ATTACHED(fd, user.pid, 0, OWN_USER, user.pid);
	EXPECT_NOT_ATTACHED(fd, capable.pid, 0, OWN_USER, capable.pid);
	EXPECT_NOT_ATTACHED(fd, hidden.pid, 0, OWN_DUMPABLE, hidden.pid);
	EXPECT_EQ(1, nr_tasks(fd));
	/* of a process, the threads before the one that is refused stay */
	EXPECT_NOT_ATTACHED(fd, threads.pid, ACRPMU_ATTACH_PROCESS, OWN_USER, threads.pid + 1);
	EXPECT_EQ(2, nr_tasks(fd));
	close(fd);
}

/* While a process is being attached, what its threads fork is inherited. */
TEST_F(unprivileged, children_of_others_are_not_inherited_by_an_attempt_to_attach)
{
	struct other root = start(fork_children);
	struct pollfd done = { .fd = root.ready, .events = POLLIN };
	int fd, tries = 0;

	self->req.attr.flags |= ACRPMU_SESSION_INHERIT;
	ASSERT_EQ(0, become_user());
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	do {
		EXPECT_NOT_ATTACHED(fd, root.pid, ACRPMU_ATTACH_PROCESS, OWN_USER, root.pid);
		tries++;
	} while (!poll(&done, 1, 0));
	TH_LOG("%d attempts during %d forks", tries, NR_CHILDREN);
	EXPECT_EQ(1, nr_tasks(fd));
	close(fd);
}

TEST_F(unprivileged, a_task_in_another_user_namespace_is_not_attached)
{
	struct other inside;
	int fd;

	ASSERT_EQ(0, become_user());
	inside = start(become_user_in_namespace);
	if (inside.pid < 0)
		SKIP(return, "users cannot create user namespaces here");
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	EXPECT_NOT_ATTACHED(fd, inside.pid, 0, OWN_NAMESPACE, inside.pid);
	EXPECT_EQ(1, nr_tasks(fd));
	close(fd);
}

TEST_F(unprivileged, nothing_is_attached_when_it_is_forbidden_again)
{
	int fd;

	ASSERT_EQ(0, become_user());
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	set(self->allow, "0");
	EXPECT_NOT_ATTACHED(fd, getpid(), 0, PERM, 0);
	set(self->allow, "1");
	EXPECT_ATTACHED(fd, getpid(), 0);
	close(fd);
}

/* It counts at levels and on CPUs that were not checked for a user. */
TEST_F(unprivileged, a_session_of_root_gets_no_task_from_a_user)
{
	int fd = request(self->dev, &self->req);

	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	ASSERT_EQ(0, become_user());
	EXPECT_NOT_ATTACHED(fd, getpid(), 0, PERM, 0);
	EXPECT_EQ(1, nr_tasks(fd));
	close(fd);
}

TEST_F(unprivileged, a_descriptor_lets_another_user_attach_neither_his_tasks_nor_its_creators)
{
	struct other own, creator = start(become_user_with_session);
	int fd;

	ASSERT_LT(0, creator.pid);
	fd = syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, creator.pid, 0), SESSION_FD, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, become_somebody());
	own = start(be_dumpable);
	EXPECT_NOT_ATTACHED(fd, own.pid, 0, OWN_USER, own.pid);
	EXPECT_NOT_ATTACHED(fd, creator.pid, 0, OWN_USER, creator.pid);
	EXPECT_EQ(1, nr_tasks(fd));
	/* it has the descriptor, too */
	end(&own);
	close(fd);
	end(&creator);
}

/* ---- what else ---- */

TEST_F(unprivileged, kernel_level_and_cpus_are_refused)
{
	struct request req;

	ASSERT_EQ(0, become_user());
	add_event(&self->req, EV_CYCLES, USER | KERNEL | COUNT, 0, 0);
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EPERM, ACRPMU_REASON_OWN_LEVEL, 1, NO_CPU));
	self->req.events[1].flags = KERNEL | COUNT;
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EPERM, ACRPMU_REASON_OWN_LEVEL, 1, NO_CPU));
	request_cpus(&req, 1);
	add_counter(&req);
	EXPECT_REFUSED(self->dev, &req, REFUSAL(-EPERM, ACRPMU_REASON_OWN_TASKS, NO_EVENT, NO_CPU));
}

/* Even one with nothing but the caller's tasks. */
TEST_F(unprivileged, cgroups_are_refused)
{
	struct request req;

	request_cpus(&req, 1);
	add_counter(&req);
	req.attr.flags = ACRPMU_SESSION_CGROUP;
	req.attr.pid = open("/", O_RDONLY | O_CLOEXEC);
	ASSERT_EQ(0, become_user());
	EXPECT_REFUSED(self->dev, &req, REFUSAL(-EPERM, ACRPMU_REASON_OWN_TASKS, NO_EVENT, NO_CPU));
}

TEST_F(unprivileged, cpus_where_the_task_may_not_run_are_not_reserved)
{
	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, become_user());
	self->req.attr.cpus = (uintptr_t)self->req.cpus;
	self->req.attr.cpus_size = 1;
	self->req.cpus[0] = 1;
	EXPECT_GRANTED(&self->req);
	self->req.cpus[0] = 3;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EPERM, ACRPMU_REASON_OWN_TASKS, NO_EVENT, 1));
	self->req.attr.flags |= ACRPMU_SESSION_ARRIVE;
	EXPECT_GRANTED(&self->req);
}

TEST_F(unprivileged, a_bad_struct_is_no_question_of_permission)
{
	struct request req;

	ASSERT_EQ(0, become_user());
	self->req.attr.size = ACRPMU_SESSION_ATTR_SIZE_VER0 - 1;
	EXPECT_EQ(-EINVAL, request(self->dev, &self->req));
	/* flags before levels, levels before what this CPU can do */
	request_task(&req, 0);
	add_event(&req, 0xff00ffULL << 16, KERNEL | COUNT, 0, 0);
	EXPECT_EQ(-EINVAL, request(self->dev, &req));
	EXPECT_EQ(ACRPMU_REASON_CONFIG, req.attr.error.reason);
}

TEST_F(unprivileged, observing_others_stays_refused)
{
	struct acrpmu_info info = { .size = sizeof(info), .flags = ACRPMU_INFO_STARVED };

	ASSERT_EQ(0, become_user());
	EXPECT_EQ(-EPERM, abi_ioctl(self->dev, ACRPMU_INFO, &info));
	EXPECT_EQ(-1, open("/sys/kernel/debug/acrpmu/sessions", O_RDONLY));
	EXPECT_EQ(EACCES, errno);
}

/* ---- how many, how much ---- */

TEST_F(unprivileged, sessions_are_limited_also_in_a_user_namespace)
{
	int first, second, inside, ret;
	pid_t pid;

	set(self->max, "2");
	ASSERT_EQ(0, become_user());
	first = request(self->dev, &self->req);
	second = request(self->dev, &self->req);
	ASSERT_LE(0, first) describe(__LINE__, first, &self->req.attr.error);
	ASSERT_LE(0, second) describe(__LINE__, second, &self->req.attr.error);
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EMFILE, ACRPMU_REASON_SESSIONS, NO_EVENT,
						      NO_CPU, 2, 2));
	pid = fork();
	if (!pid) {
		ret = unshare(CLONE_NEWUSER);
		inside = request(self->dev, &self->req);
		_exit(ret ? 0 : inside == -EMFILE ? 0 : 1);
	}
	EXPECT_EQ(pid, waitpid(pid, &ret, 0));
	EXPECT_EQ(0, ret);
	close(first);
	EXPECT_GRANTED(&self->req);
	close(second);
}

TEST_F(unprivileged, sessions_of_another_user_do_not_count)
{
	struct other another = start(become_user_with_session);
	int fd;

	ASSERT_LT(0, another.pid);
	set(self->max, "1");
	ASSERT_EQ(0, become_somebody());
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EMFILE, ACRPMU_REASON_SESSIONS, NO_EVENT,
						      NO_CPU, 1, 1));
	close(fd);
	end(&another);
}

/* The same user with the capability, as through a program of a group that has it. */
TEST_F(unprivileged, privileged_sessions_have_their_own_limit)
{
	pid_t pid;
	int fd, ret;

	set(self->max, "1");
	pid = fork();
	if (!pid) {
		if (become_user() || request(self->dev, &self->req) < 0)
			_exit(1);
		_exit(request(self->dev, &self->req) == -EMFILE ? 0 : 2);
	}
	ASSERT_EQ(0, drop_to(CAP_PERFMON));
	ASSERT_EQ(pid, waitpid(pid, &ret, 0));
	EXPECT_EQ(0, ret);
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd);
	EXPECT_GRANTED(&self->req);
	close(fd);
}

TEST_F(unprivileged, rings_of_all_sessions_are_limited)
{
	unsigned int pages = (RING_PAGES + 1) * nr_cpus(), most = 2 * pages - 1;
	struct rlimit limit = { .rlim_cur = most * PAGE, .rlim_max = most * PAGE };
	struct request req;
	int fd;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, become_user());
	request_task(&req, 0);
	add_sampler(&req, PERIOD);
	fd = request(self->dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	EXPECT_REFUSED(self->dev, &req, REFUSAL(-ENOMEM, ACRPMU_REASON_RING_LOCKED, NO_EVENT,
						NO_CPU, pages, most));
	close(fd);
	EXPECT_GRANTED(&req);
}

TEST_F(unprivileged, what_others_hold_has_no_name)
{
	struct request all;
	int fds[64], nr = 0;

	request_cpus(&all, 3);
	add_event(&all, EV_BRANCHES, USER | COUNT, 0, 0);
	while (nr < NR(fds) && (fds[nr] = request(self->dev, &all)) >= 0)
		nr++;
	ASSERT_LT(0, nr);
	ASSERT_GT(NR(fds), nr);
	ASSERT_EQ(ACRPMU_REASON_HELD, all.attr.error.reason);
	EXPECT_NE(0, all.attr.error.holder_pid);
	ASSERT_EQ(0, become_user());
	self->req.events[0].config = EV_BRANCHES;
	EXPECT_EQ(-EBUSY, request(self->dev, &self->req));
	EXPECT_EQ(ACRPMU_REASON_HELD, self->req.attr.error.reason);
	EXPECT_EQ(0, self->req.attr.error.holder_pid);
	EXPECT_EQ(0, self->req.attr.error.holder[0]);
	while (nr--)
		close(fds[nr]);
}

TEST_F(unprivileged, what_others_have_in_registers_is_not_shown)
{
	struct request holder;
	int i, fd;

	if (!this_profile() || !this_profile()->offcore[0])
		SKIP(return, "this CPU has no extra registers");
	request_cpus(&holder, 3);
	for (i = 0; i < 2; i++)
		add_event(&holder, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001ULL << i;
	fd = request(self->dev, &holder);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &holder.attr.error);
	self->req.events[0].config = EV_OFFCORE_0;
	self->req.events[0].extra_value = 0x10004;
	EXPECT_EQ(-EBUSY, request(self->dev, &self->req));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BUSY, self->req.attr.error.reason);
	EXPECT_NE(0, self->req.attr.error.value);
	ASSERT_EQ(0, become_user());
	EXPECT_EQ(-EBUSY, request(self->dev, &self->req));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BUSY, self->req.attr.error.reason);
	EXPECT_EQ(0, self->req.attr.error.value);
	EXPECT_NE(0, self->req.attr.error.limit);
	close(fd);
}

/* ---- later ---- */

TEST_F(unprivileged, sessions_continue_when_it_is_forbidden_again)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	struct counts counts;
	int fd;

	ASSERT_EQ(0, become_user());
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	set(self->allow, "0");
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EPERM, ACRPMU_REASON_PERM, NO_EVENT,
						      NO_CPU));
	EXPECT_EQ(0, abi_ctl(fd, ACRPMU_PARK));
	EXPECT_EQ(0, abi_ioctl(fd, ACRPMU_UNPARK, &unpark));
	EXPECT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	EXPECT_EQ(0, read_all(fd, 1, &counts));
	EXPECT_LE(ROUNDS * LOOP_INSNS, counts.count[0].value);
	close(fd);
}

/* As with in-tree perf: what has begun may go on until the task executes a program. */
TEST_F(unprivileged, a_task_that_protects_itself_later_stays_observed)
{
	struct counts counts;
	int fd;

	ASSERT_EQ(0, become_user());
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	ASSERT_EQ(0, prctl(PR_SET_DUMPABLE, 0));
	EXPECT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	EXPECT_EQ(0, read_all(fd, 1, &counts));
	EXPECT_LE(ROUNDS * LOOP_INSNS, counts.count[0].value);
	close(fd);
}

/* State of a session of a task that executes the program, created with a capability or none. */
static int state_after_exec(int dev, int cap)
{
	struct other other;
	struct counts counts;
	struct request req;
	pid_t pid = fork();
	int fd, status;

	if (pid) {
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
			return -1;
		return WEXITSTATUS(status);
	}
	other = start(execute_later);
	request_task(&req, other.pid);
	add_counter(&req);
	if (drop_to(cap) || be_dumpable())
		_exit(UINT8_MAX);
	fd = request(dev, &req);
	if (fd < 0 || abi_enable(fd) || write(other.hold, "", 1) != 1 || !is_ready(&other) ||
	    read_all(fd, 1, &counts))
		_exit(UINT8_MAX);
	_exit(counts.read.state);
}

TEST_F(unprivileged, a_privileged_program_ends_its_sessions_whatever_suid_dumpable_says)
{
	static const mode_t modes[] = { 04755, 02755, 0711 };
	int i, dumpable = open(SUID_DUMPABLE, O_WRONLY | O_CLOEXEC);
	const int on = ACRPMU_STATE_ENABLED;

	ASSERT_LE(0, dumpable);
	for (i = 0; i < NR(modes); i++) {
		ASSERT_EQ(0, install(modes[i]));
		set(dumpable, "0");
		EXPECT_EQ(on | ACRPMU_STATE_PRIVILEGED_EXEC | ACRPMU_STATE_ENDED,
			  state_after_exec(self->dev, NO_CAP)) TH_LOG("%o", modes[i]);
		set(dumpable, "1");
		EXPECT_EQ(on | ACRPMU_STATE_PRIVILEGED_EXEC | ACRPMU_STATE_ENDED,
			  state_after_exec(self->dev, NO_CAP)) TH_LOG("%o", modes[i]);
		/* what the documentation says of it */
		EXPECT_EQ(on, state_after_exec(self->dev, CAP_PERFMON)) TH_LOG("%o", modes[i]);
		set(dumpable, "0");
	}
	ASSERT_EQ(0, install(0755));
	EXPECT_EQ(on, state_after_exec(self->dev, NO_CAP));
}

/* Whoever gets the descriptor gets what was allowed to its creator: the same tasks. */
TEST_F(unprivileged, a_descriptor_shows_another_user_no_more)
{
	struct counts counts;
	pid_t pid;
	int fd, status;

	ASSERT_EQ(0, pin(0));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (become_user())
			_exit(1);
		fd = request(self->dev, &self->req);
		if (fd < 0 || abi_enable(fd) || setresuid(SOMEBODY, SOMEBODY, SOMEBODY) != -1)
			_exit(2);
		pid = fork();
		if (!pid) {
			/* it inherits the descriptor, and is not followed */
			loop(ROUNDS);
			_exit(read_all(fd, 1, &counts) || counts.read.nr_tasks != 1 ||
			      counts.count[0].value > ROUNDS);
		}
		_exit(waitpid(pid, &status, 0) != pid || status);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

int main(int argc, char **argv)
{
	bool drop = argc == 2 && !strcmp(argv[1], "--drop");

	if (!drop && (argc != 2 || strcmp(argv[1], "--wait")))
		return test_harness_run(argc, argv);
	if (drop && (setresgid(getgid(), getgid(), getgid()) ||
		     setresuid(getuid(), getuid(), getuid())))
		return 1;
	wait_for_byte();
	return 0;
}
