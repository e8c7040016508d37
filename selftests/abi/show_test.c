// SPDX-License-Identifier: GPL-2.0-only
/* Who holds which counters: /proc/PID/fdinfo of a session, and the list of all in debugfs. */
#include "common.h"

#include <sys/mount.h>
#include <sys/stat.h>

#define DEBUGFS		"/sys/kernel/debug"
#define LIST		DEBUGFS "/acrpmu/sessions"
#define TEXT_LEN	(1 << 20)
#define MANY		300
#define NOBODY		65534

FIXTURE(show)
{
	int dev;
	int fd;
	struct request req;
	char *text;
};

FIXTURE_SETUP(show)
{
	struct stat st;

	if (stat(DEBUGFS "/tracing", &st))
		mount("none", DEBUGFS, "debugfs", 0, NULL);
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	self->text = malloc(TEXT_LEN);
	ASSERT_NE(NULL, self->text);
	self->fd = -1;
}

FIXTURE_TEARDOWN(show)
{
	close(self->fd);
	EXPECT_EQ(0, nr_sessions(self->dev));
	close(self->dev);
	free(self->text);
}

/* Read a whole file in pieces of an odd size; the length, or a negative errno. */
static ssize_t read_text(const char *path, char *text)
{
	int fd = open(path, O_RDONLY);
	ssize_t len = 0, n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, text + len, TEXT_LEN - 1 - len < 777 ? 0 : 777)) > 0)
		len += n;
	text[len] = 0;
	close(fd);
	return n < 0 ? -errno : len;
}

static ssize_t read_fdinfo(int fd, char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return read_text(path, text);
}

/* Whole lines that are equal to @line */
static unsigned int lines(const char *text, const char *line)
{
	size_t len = strlen(line);
	unsigned int nr = 0;

	for (; text && *text; text = strchr(text, '\n'), text += !!text)
		nr += !strncmp(text, line, len) && (text[len] == '\n' || !text[len]);
	return nr;
}

/* Lines that begin with @start */
static unsigned int starts(const char *text, const char *start)
{
	unsigned int nr = 0;

	for (; text && *text; text = strchr(text, '\n'), text += !!text)
		nr += !strncmp(text, start, strlen(start));
	return nr;
}

#define HAS(text, ...) ({							\
	char _line[128];							\
										\
	snprintf(_line, sizeof(_line), __VA_ARGS__);				\
	lines(text, _line);							\
})

static int query_cntr(int fd, int cpu)
{
	struct acrpmu_event_hw hw;
	struct acrpmu_query query = { .size = sizeof(query), .flags = ACRPMU_QUERY_CPU, .cpu = cpu,
				      .events = (uintptr_t)&hw, .nr_events = 1,
				      .event_size = sizeof(hw) };

	return abi_ioctl(fd, ACRPMU_QUERY, &query) ? -1 : hw.cntr;
}

TEST_F(show, fdinfo_has_the_session_its_events_and_its_counters)
{
	struct acrpmu_event_hw hw[2];

	request_task(&self->req, 0);
	add_event(&self->req, EV_BRANCHES, USER | SAMPLED, 200000, 0);
	add_event(&self->req, EV_INSTRUCTIONS, USER | KERNEL | COUNT, 0, 0);
	add_ring(&self->req, SAMPLE_TYPE, 8);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, abi_query(self->fd, hw, 2));
	ASSERT_LT(0, read_fdinfo(self->fd, self->text));
	EXPECT_EQ(1, HAS(self->text, "session:\t%llu",
			 (unsigned long long)self->req.attr.session_id));
	EXPECT_EQ(1, HAS(self->text, "pid:\t%d", getpid()));
	EXPECT_EQ(1, HAS(self->text, "command:\tshow_test"));
	EXPECT_EQ(1, HAS(self->text, "state:\tdisabled"));
	EXPECT_EQ(1, HAS(self->text, "tasks:\t1"));
	EXPECT_EQ(1, HAS(self->text, "event:\tconfig=0xc4 period=200000 user sampled"));
	EXPECT_EQ(1, HAS(self->text, "event:\tconfig=0xc0 user kernel"));
	EXPECT_EQ(1, HAS(self->text, "counters:\tCPUs 0-%d: %d %d", nr_cpus() - 1, hw[0].cntr,
			 hw[1].cntr));
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_LT(0, read_fdinfo(self->fd, self->text));
	EXPECT_EQ(1, HAS(self->text, "state:\tenabled"));
}

TEST_F(show, fdinfo_has_what_restarts_an_event_and_who_does_it)
{
	request_cpus(&self->req, 0x1);
	self->req.attr.flags |= ACRPMU_SESSION_SOFTWARE;
	add_pair(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_LT(0, read_fdinfo(self->fd, self->text));
	EXPECT_EQ(1, HAS(self->text, "reload:\tsoftware"));
	EXPECT_EQ(1, HAS(self->text,
			 "event:\tconfig=0xc0 period=200000 acr_mask=0x2 user sampled"));
	EXPECT_EQ(1, HAS(self->text, "event:\tconfig=0x3c period=100000 acr_mask=0x3 user"));
}

TEST_F(show, fdinfo_has_the_value_of_an_extra_register)
{
	const struct profile *profile = this_profile();

	if (!profile || !profile->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10003;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_LT(0, read_fdinfo(self->fd, self->text));
	EXPECT_EQ(1, HAS(self->text, "event:\tconfig=0x1b7 extra=0x10003 user"));
	EXPECT_EQ(0, starts(self->text, "reload:"));
}

TEST_F(show, cpus_with_other_counters_have_their_own_line)
{
	struct request first;
	int fd;

	ASSERT_LE(2, nr_cpus());
	request_cpus(&first, 0x1);
	add_counter(&first);
	fd = request(self->dev, &first);
	ASSERT_LE(0, fd);
	/* The fixed counter of this event is free on CPU 1 alone. */
	request_cpus(&self->req, 0x3);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_NE(query_cntr(self->fd, 0), query_cntr(self->fd, 1));
	ASSERT_LT(0, read_fdinfo(self->fd, self->text));
	EXPECT_EQ(1, HAS(self->text, "counters:\tCPUs 0: %d", query_cntr(self->fd, 0)));
	EXPECT_EQ(1, HAS(self->text, "counters:\tCPUs 1: %d", query_cntr(self->fd, 1)));
	EXPECT_EQ(2, starts(self->text, "counters:"));
	EXPECT_EQ(0, starts(self->text, "tasks:"));
	close(fd);
}

TEST_F(show, parked_session_holds_nothing)
{
	request_task(&self->req, 0);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, abi_ctl(self->fd, ACRPMU_PARK));
	ASSERT_LT(0, read_fdinfo(self->fd, self->text));
	EXPECT_EQ(1, HAS(self->text, "state:\tparked"));
	EXPECT_EQ(0, starts(self->text, "counters:"));
}

TEST_F(show, list_has_each_session_of_many_once)
{
	int fds[MANY];
	uint64_t id[MANY];
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		request_task(&self->req, 0);
		self->req.attr.flags |= ACRPMU_SESSION_PARKED;
		add_counter(&self->req);
		fds[i] = request(self->dev, &self->req);
		ASSERT_LE(0, fds[i]);
		id[i] = self->req.attr.session_id;
	}
	ASSERT_LT(0, read_text(LIST, self->text));
	EXPECT_EQ(MANY, starts(self->text, "session:"));
	for (i = 0; i < MANY; i++)
		EXPECT_EQ(1, HAS(self->text, "session:\t%llu", (unsigned long long)id[i]));
	EXPECT_EQ(MANY, HAS(self->text, "pid:\t%d", getpid()));
	for (i = 0; i < MANY; i++)
		close(fds[i]);
	EXPECT_EQ(0, read_text(LIST, self->text));
}

TEST_F(show, list_resumes_where_it_was_when_sessions_have_gone)
{
	char piece[8];
	int fds[MANY], list;
	unsigned int i;
	ssize_t len = 0, n;

	for (i = 0; i < MANY; i++) {
		request_task(&self->req, 0);
		self->req.attr.flags |= ACRPMU_SESSION_PARKED;
		add_counter(&self->req);
		fds[i] = request(self->dev, &self->req);
		ASSERT_LE(0, fds[i]);
	}
	list = open(LIST, O_RDONLY);
	ASSERT_LE(0, list);
	/* The kernel has formatted a page or so: all but the last session go. */
	ASSERT_EQ(sizeof(piece), read(list, piece, sizeof(piece)));
	for (i = 0; i < MANY - 1; i++)
		close(fds[i]);
	while ((n = read(list, self->text + len, TEXT_LEN - 1 - len)) > 0)
		len += n;
	self->text[len] = 0;
	EXPECT_EQ(1, HAS(self->text, "session:\t%llu",
			 (unsigned long long)self->req.attr.session_id));
	EXPECT_GT(MANY / 2, starts(self->text, "session:"));
	close(list);
	close(fds[MANY - 1]);
}

TEST_F(show, name_of_a_command_cannot_forge_a_line)
{
	ASSERT_EQ(0, prctl(PR_SET_NAME, "a\\b\ntasks:\t9"));
	request_task(&self->req, 0);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_LT(0, read_text(LIST, self->text));
	EXPECT_EQ(1, HAS(self->text, "tasks:\t1"));
	EXPECT_EQ(0, HAS(self->text, "tasks:\t9"));
	EXPECT_EQ(1, HAS(self->text, "command:\ta\\134b\\012tasks:\t9"));
}

TEST_F(show, list_is_only_for_root)
{
	struct stat st;

	ASSERT_EQ(0, stat(LIST, &st));
	EXPECT_EQ(S_IFREG | 0400, st.st_mode);
	ASSERT_EQ(0, setresuid(-1, NOBODY, -1));
	EXPECT_EQ(-EACCES, read_text(LIST, self->text));
	EXPECT_EQ(0, setresuid(-1, 0, -1));
}

TEST_HARNESS_MAIN
