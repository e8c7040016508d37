// SPDX-License-Identifier: GPL-2.0-only
/* However a session ends, it releases all it held, each register as it was found. */
#include "common.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define ROUNDS		20000
#define MODULE		"acrpmu"
#define CYCLES		1000
#define PARKED		300
#define STORM_S		3

FIXTURE(close)
{
	int dev;
	struct request req;
	struct pmu_state before;
	uint64_t violations;
};

static uint64_t violations(void)
{
	return oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY);
}

FIXTURE_SETUP(close)
{
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, settle_claim(self->dev));
	if (on_model()) {
		pmu_save(&self->before);
		self->violations = violations();
	}
}

#define LONG_S		5

/* Killed processes need a moment to release their sessions; the harness ends an endless wait. */
static void wait_for_release(struct __test_metadata *_metadata, int dev)
{
	double next = now_s() + LONG_S;
	uint64_t held;
	int nr;

	for (;;) {
		nr = nr_sessions(dev);
		held = held_cntrs(dev);
		if (nr < 0 || held == ~0ULL || (!nr && !held))
			break;
		if (now_s() > next) {
			TH_LOG("still %d sessions, and counters %#lx", nr, held);
			next += LONG_S;
		}
		usleep(1000);
	}
	/* An ASSERT that fails in a teardown begins it again, without end. */
	EXPECT_EQ(0, nr);
	EXPECT_EQ(0, held);
}

FIXTURE_TEARDOWN(close)
{
	wait_for_release(_metadata, self->dev);
	if (on_model()) {
		EXPECT_EQ(0, pmu_changes(&self->before));
		EXPECT_EQ(self->violations, violations());
	}
	close(self->dev);
}

/* A session that uses everything to be restored: counters of both kinds, reloads, a ring. */
static void full_request(struct request *req, pid_t pid)
{
	const struct profile *profile = this_profile();
	bool acr = profile && profile->acr_cntrs;

	request_task(req, pid);
	add_event(req, EV_INSTRUCTIONS, USER | SAMPLED, 5000, acr ? 0x2 : 0);
	add_event(req, EV_BRANCHES, USER, 3000, acr ? 0x3 : 0);
	if (profile && profile->offcore[0])
		add_event(req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
	add_ring(req, SAMPLE_TYPE, 4);
}

static int open_full(int dev, pid_t pid)
{
	struct request req;
	int fd;

	full_request(&req, pid);
	fd = request(dev, &req);
	if (fd < 0)
		describe(__LINE__, fd, &req.attr.error);
	else if (abi_enable(fd))
		return -1;
	return fd;
}

TEST_F(close, closing_a_running_session_restores_every_register)
{
	int fd = open_full(self->dev, 0);

	ASSERT_LE(0, fd);
	loop(ROUNDS);
	if (on_model()) {
		/* otherwise equal registers afterwards would prove nothing */
		EXPECT_LT(0, pmu_changes(&self->before));
	}
	EXPECT_EQ(0, close(fd));
}

TEST_F(close, cpu_session_restores_the_registers_of_every_cpu)
{
	struct request req;
	int fd;

	full_request(&req, 0);
	req.attr.flags = 0;
	req.cpus[0] = (1U << nr_cpus()) - 1;
	req.attr.cpus = (uintptr_t)req.cpus;
	req.attr.cpus_size = 1;
	fd = request(self->dev, &req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_enable(fd));
	for (int cpu = 0; cpu < nr_cpus(); cpu++) {
		ASSERT_EQ(0, pin(cpu));
		loop(ROUNDS);
	}
	EXPECT_EQ(0, close(fd));
}

TEST_F(close, sessions_closed_in_either_order_restore_the_registers)
{
	struct request req;
	int first, second;

	for (unsigned int order = 0; order < 2; order++) {
		request_task(&req, 0);
		add_counter(&req);
		first = request(self->dev, &req);
		request_task(&req, 0);
		add_event(&req, EV_CYCLES, USER | COUNT, 0, 0);
		second = request(self->dev, &req);
		ASSERT_LE(0, first);
		ASSERT_LE(0, second);
		ASSERT_EQ(0, abi_enable(first));
		ASSERT_EQ(0, abi_enable(second));
		loop(ROUNDS);
		EXPECT_EQ(0, close(order ? first : second));
		loop(ROUNDS);
		EXPECT_EQ(0, close(order ? second : first));
	}
}

TEST_F(close, session_lives_until_its_last_descriptor_is_closed)
{
	struct counts counts;
	int fd = open_full(self->dev, 0), copy;

	ASSERT_LE(0, fd);
	copy = dup(fd);
	ASSERT_LE(0, copy);
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(1, nr_sessions(self->dev));
	loop(ROUNDS);
	EXPECT_EQ(0, read_all(copy, this_profile() && this_profile()->offcore[0] ? 3 : 2, &counts));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, counts.read.state);
	EXPECT_EQ(0, close(copy));
	EXPECT_EQ(0, nr_sessions(self->dev));
}

TEST_F(close, child_keeps_the_session_of_a_parent_that_closed_it)
{
	int fd = open_full(self->dev, 0), go[2], status;
	pid_t pid;
	char byte;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe(go));
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &byte, 1))
			_exit(1);
		_exit(abi_disable(fd) != 0);
	}
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(1, nr_sessions(self->dev));
	close(go[0]);
	close(go[1]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

static int send_fd(int socket, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = { 0 }, byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&msg);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(socket, &msg, 0) == 1 ? 0 : -errno;
}

TEST_F(close, descriptor_in_a_socket_keeps_the_session)
{
	int fd = open_full(self->dev, 0), pair[2];

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	ASSERT_EQ(0, send_fd(pair[0], fd));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(1, nr_sessions(self->dev));
	loop(ROUNDS);
	/* it is never received */
	close(pair[0]);
	close(pair[1]);
	wait_for_release(_metadata, self->dev);
}

TEST_F(close, mapping_keeps_the_session_until_it_is_unmapped)
{
	int fd = open_full(self->dev, 0);
	void *at;

	ASSERT_LE(0, fd);
	at = mmap(NULL, 5 * PAGE, PROT_READ, MAP_SHARED, fd, ACRPMU_RING_OFFSET(0));
	ASSERT_NE(MAP_FAILED, at);
	EXPECT_EQ(0, close(fd));
	loop(ROUNDS);
	EXPECT_EQ(1, nr_sessions(self->dev));
	EXPECT_EQ(0, munmap(at, 5 * PAGE));
	EXPECT_EQ(0, nr_sessions(self->dev));
}

/* A child with its own running session that ends in a given way. */
static pid_t start_holder(int dev, int cpu, void (*end)(void))
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		pin(cpu);
		if (open_full(dev, 0) < 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		loop(ROUNDS);
		end();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		return -1;
	close(ready[0]);
	return pid;
}

static void spin(void)
{
	for (;;)
		loop(ROUNDS);
}

static void leave(void)
{
	_exit(0);
}

static void run_true(void)
{
	execl("/bin/true", "true", NULL);
	_exit(1);
}

TEST_F(close, killing_the_holder_while_it_samples_releases_everything)
{
	for (int cpu = 0; cpu < nr_cpus(); cpu++) {
		pid_t pid = start_holder(self->dev, cpu, spin);
		int status;

		ASSERT_LT(0, pid);
		EXPECT_EQ(1, nr_sessions(self->dev));
		usleep(10000);
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
		wait_for_release(_metadata, self->dev);
	}
}

TEST_F(close, exit_without_close_releases_everything)
{
	int status;
	pid_t pid = start_holder(self->dev, 1 % nr_cpus(), leave);

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(close, exec_releases_everything)
{
	int status;
	pid_t pid = start_holder(self->dev, 0, run_true);

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(close, killing_the_counted_task_leaves_the_session_to_its_holder)
{
	struct counts counts;
	int status, fd;
	pid_t pid = fork();

	if (!pid)
		spin();
	fd = open_full(self->dev, pid);
	ASSERT_LE(0, fd);
	usleep(20000);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, read_all(fd, this_profile() && this_profile()->offcore[0] ? 3 : 2, &counts));
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_ENDED, counts.read.state);
	EXPECT_EQ(1, nr_sessions(self->dev));
	EXPECT_EQ(0, close(fd));
}

TEST_F(close, no_free_descriptor_leaves_no_session)
{
	struct rlimit limit, before;
	struct request req;

	full_request(&req, 0);
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	limit = before;
	limit.rlim_cur = self->dev + 1;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(-EMFILE, request(self->dev, &req));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
	EXPECT_EQ(0, nr_sessions(self->dev));
}

/* One that is open throughout: reserving the PMU from in-tree perf for each session is slow. */
static int open_other(int dev)
{
	struct request req;

	request_task(&req, 0);
	add_event(&req, EV_REF_CYCLES, USER | COUNT, 0, 0);
	return request(dev, &req);
}

/* By turns of the task and of CPUs, closed while disabled and while enabled. */
static int open_and_close(int dev, unsigned int i, uint64_t *id)
{
	struct request req;
	int fd, ret = 0;

	full_request(&req, 0);
	if (i & 1) {
		req.attr.flags = 0;
		req.cpus[0] = nr_cpus() < 2 ? 1 : 1 + i % 3;
		req.attr.cpus = (uintptr_t)req.cpus;
		req.attr.cpus_size = 1;
	}
	fd = request(dev, &req);
	if (fd < 0)
		return fd;
	*id = req.attr.session_id;
	if (i & 2)
		ret = abi_enable(fd);
	close(fd);
	return ret;
}

TEST_F(close, a_thousand_sessions_leave_nothing)
{
	uint64_t id, last = 0;
	int other = open_other(self->dev);

	ASSERT_LE(0, other);
	for (unsigned int i = 0; i < CYCLES; i++) {
		ASSERT_EQ(0, open_and_close(self->dev, i, &id)) TH_LOG("cycle %u", i);
		ASSERT_LT(last, id);
		last = id;
	}
	close(other);
}

/* By turns of the task and of all CPUs */
static int open_parked(int dev, unsigned int i)
{
	struct request req;

	if (i & 1)
		request_cpus(&req, (1U << nr_cpus()) - 1);
	else
		request_task(&req, 0);
	req.attr.flags |= ACRPMU_SESSION_PARKED;
	add_counter(&req);
	return request(dev, &req);
}

static int unpark_and_count(int fd, uint64_t *count)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	struct counts counts;
	int ret = abi_ioctl(fd, ACRPMU_UNPARK, &unpark);

	if (ret || abi_enable(fd))
		return ret ?: -EIO;
	loop(ROUNDS);
	ret = read_all(fd, 1, &counts);
	*count = counts.count[0].value;
	return ret;
}

TEST_F(close, a_thousand_sessions_beside_parked_ones_leave_nothing)
{
	int parked[PARKED], other = open_other(self->dev);
	uint64_t id, held, count;
	unsigned int i;

	ASSERT_LE(0, other);
	held = held_cntrs(self->dev);
	for (i = 0; i < PARKED; i++) {
		parked[i] = open_parked(self->dev, i);
		ASSERT_LE(0, parked[i]) TH_LOG("parked session %u", i);
	}
	for (i = 0; i < CYCLES; i++)
		ASSERT_EQ(0, open_and_close(self->dev, i, &id)) TH_LOG("cycle %u", i);
	EXPECT_EQ(PARKED + 1, nr_sessions(self->dev));
	EXPECT_EQ(held, held_cntrs(self->dev));
	for (i = 0; i < PARKED; i++) {
		ASSERT_EQ(0, unpark_and_count(parked[i], &count)) TH_LOG("parked session %u", i);
		EXPECT_LE(ROUNDS * LOOP_INSNS, count);
		close(parked[i]);
	}
	EXPECT_EQ(1, nr_sessions(self->dev));
	close(other);
}

TEST_F(close, consecutive_sessions_reserve_and_release_the_pmu_each_time)
{
	for (unsigned int i = 0; i < 20; i++) {
		int fd = open_full(self->dev, 0);

		ASSERT_LE(0, fd) TH_LOG("cycle %u", i);
		EXPECT_LT(0, held_cntrs(self->dev));
		ASSERT_EQ(0, close(fd));
		EXPECT_EQ(0, held_cntrs(self->dev));
	}
}

/* ---- concurrency ---- */

static struct storm {
	int dev;
	bool over;
	int unexpected;		/* an errno that must not occur */
	unsigned int granted, refused;
} storm;

static void note_unexpected(int ret)
{
	if (ret < 0)
		__atomic_store_n(&storm.unexpected, ret, __ATOMIC_RELAXED);
}

static void use_session(int fd, unsigned int nr, unsigned int i)
{
	struct counts counts;

	note_unexpected(abi_enable(fd));
	loop(500);
	note_unexpected(read_all(fd, nr, &counts));
	if (i % 3 == 0)
		note_unexpected(abi_disable(fd));
	if (i % 4 == 0)
		note_unexpected(abi_reset(fd));
}

static void *creator(void *arg)
{
	unsigned int me = (uintptr_t)arg;
	struct request req;

	for (unsigned int i = me; !__atomic_load_n(&storm.over, __ATOMIC_RELAXED); i++) {
		int fd;

		pin(i % nr_cpus());
		if (i & 1) {
			request_cpus(&req, 1 << i % nr_cpus());
		} else {
			request_task(&req, 0);
			req.attr.flags |= ACRPMU_SESSION_INHERIT;
		}
		add_event(&req, me & 1 ? EV_BRANCHES : EV_INSTRUCTIONS, USER | SAMPLED, 3000, 0);
		add_ring(&req, SAMPLE_TYPE, 1);
		fd = request(storm.dev, &req);
		if (fd < 0) {
			if (fd != -EBUSY)
				note_unexpected(fd);
			__atomic_add_fetch(&storm.refused, 1, __ATOMIC_RELAXED);
			continue;
		}
		use_session(fd, 1, i);
		close(fd);
		__atomic_add_fetch(&storm.granted, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *forker(void *arg)
{
	for (unsigned int i = 0; !__atomic_load_n(&storm.over, __ATOMIC_RELAXED); i++) {
		pid_t pid = fork();

		if (!pid && i & 1)
			execl("/bin/true", "true", NULL);
		if (!pid)
			_exit(0);
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	return NULL;
}

TEST_F(close, concurrent_creators_and_forks_leave_nothing)
{
	pthread_t threads[6];

	storm = (struct storm){ .dev = self->dev };
	for (uintptr_t i = 0; i < NR(threads); i++) {
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, i < 4 ? creator : forker,
					    (void *)i));
	}
	sleep(STORM_S);
	while (__atomic_load_n(&storm.granted, __ATOMIC_RELAXED) <= 20)
		sleep(1);
	__atomic_store_n(&storm.over, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < NR(threads); i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(0, storm.unexpected);
	TH_LOG("%u sessions, %u refused as busy", storm.granted, storm.refused);
}

static void *reader(void *arg)
{
	int fd = (uintptr_t)arg;
	struct counts counts;

	for (unsigned int i = 0; !__atomic_load_n(&storm.over, __ATOMIC_RELAXED); i++) {
		note_unexpected(read_all(fd, 1, &counts));
		note_unexpected(i & 1 ? abi_enable(fd) : abi_disable(fd));
		if (i % 8 == 0)
			note_unexpected(abi_reset(fd));
	}
	return NULL;
}

TEST_F(close, one_session_used_by_many_threads_stays_whole)
{
	pthread_t threads[4];
	struct counts counts;
	struct request req;
	int fd;

	request_cpus(&req, (1U << nr_cpus()) - 1);
	add_event(&req, EV_INSTRUCTIONS, USER | SAMPLED, 3000, 0);
	add_ring(&req, SAMPLE_TYPE, 1);
	fd = request(self->dev, &req);
	ASSERT_LE(0, fd);
	storm = (struct storm){ .dev = self->dev };
	for (unsigned int i = 0; i < NR(threads); i++) {
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, reader, (void *)(uintptr_t)fd));
	}
	sleep(STORM_S / 2);
	__atomic_store_n(&storm.over, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < NR(threads); i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(0, storm.unexpected);
	ASSERT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &counts));
	EXPECT_LE(counts.count[0].overflows, accounted(&counts));
	EXPECT_EQ(0, counts.read.state);
	close(fd);
}

/* ---- the module itself ---- */

static int unload(void)
{
	return syscall(__NR_delete_module, MODULE, O_NONBLOCK) ? -errno : 0;
}

static int load(const char *path)
{
	int fd = open(path, O_RDONLY), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(__NR_finit_module, fd, "max_pmi_percent=100", 0) ? -errno : 0;
	close(fd);
	return ret;
}

TEST_F(close, module_stays_while_in_use_and_unloads_without_a_trace)
{
	const char *path = getenv("ACRPMU_KO");
	int fd;

	if (!path)
		SKIP(return, "ACRPMU_KO does not name the file of the module to load again");
	fd = open_full(self->dev, 0);
	ASSERT_LE(0, fd);
	close(self->dev);
	EXPECT_EQ(-EWOULDBLOCK, unload());
	loop(ROUNDS);
	EXPECT_EQ(0, close(fd));

	self->dev = abi_open();
	EXPECT_EQ(-EWOULDBLOCK, unload());
	close(self->dev);
	EXPECT_EQ(0, unload());
	EXPECT_EQ(-ENOENT, unload());
	EXPECT_EQ(-ENOENT, abi_open());
	if (on_model()) {
		EXPECT_EQ(0, pmu_changes(&self->before));
	}
	EXPECT_EQ(0, load(path));
	/* the device node may take a moment to appear */
	while ((self->dev = abi_open()) == -ENOENT)
		usleep(10000);
	ASSERT_LE(0, self->dev);
	if (on_model()) {
		EXPECT_EQ(0, pmu_changes(&self->before));
	}
	fd = open_full(self->dev, 0);
	EXPECT_LE(0, fd);
	loop(ROUNDS);
	close(fd);
}

TEST_HARNESS_MAIN
