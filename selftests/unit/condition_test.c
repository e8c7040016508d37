// SPDX-License-Identifier: GPL-2.0-only
/* The condition in the header of a recording, also one that is damaged. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/acrctl/report/condition.h"
#include "userspace/perfdata/writer.h"

/* without one it would be unfinished */
static const struct perf_event_header record = { .type = 68, .size = sizeof(record) };

static struct pd_event events[] = {
	{ .name = "x", .attr = { .sample_period = 3000 } },
	{ .name = "y", .attr = { .sample_period = 1000 } },
};

/* A recording by a program of this version. */
static void begin(struct view *v, const char *version)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC);
	struct pd_writer w;
	size_t i;

	for (i = 0; i < 2; i++)
		events[i].attr.size = sizeof(events[i].attr);
	if (pd_writer_begin(&w, fd, events, events, 2) ||
	    pd_writer_put_record(&w, &record, sizeof(record)))
		abort();
	pd_writer_feature_events(&w, events, 2);
	pd_writer_feature_string(&w, PD_FEAT_VERSION, version);
	if (pd_writer_finish(&w))
		abort();
	pd_writer_free(&w);
	*v = (struct view){ 0 };
	if (lseek(fd, 0, SEEK_SET) || pd_reader_open_fd(&v->reader, fd))
		abort();
	close(fd);
}

/* @want: the condition, then each ratio with the numbers of its events, separated by '|' */
static void expect(const char *version, const char *want, const char *name)
{
	struct condition c;
	struct view v;
	char got[256];
	size_t i, len;

	begin(&v, version);
	is_u64(condition_read(&c, &v), 0, "%s is read", name);
	len = snprintf(got, sizeof(got), "%s", c.text ? c.text : "none");
	for (i = 0; i < c.nr; i++)
		len += snprintf(got + len, sizeof(got) - len, "|%s %d %d", c.list[i].ratio,
				c.list[i].a, c.list[i].b);
	is_str(got, want, "%s", name);
	condition_free(&c);
	pd_reader_close(&v.reader);
}

/* @want: what is stated of the windows of each comparison and how many, separated by '|' */
static void expect_windows(const char *version, const char *want, const char *name)
{
	struct condition c;
	struct view v;
	char got[256] = "";
	size_t i, len = 0;

	begin(&v, version);
	is_u64(condition_read(&c, &v), 0, "%s is read", name);
	for (i = 0; i < c.nr; i++) {
		const char *windows = c.list[i].windows;

		len += snprintf(got + len, sizeof(got) - len, "%s|", windows ? windows : "-");
		if (windows)
			is_u64(c.list[i].sampled + c.list[i].limit, 1, "%s: two events", name);
	}
	is_str(got, want, "%s", name);
	condition_free(&c);
	pd_reader_close(&v.reader);
}

static void test_windows(void)
{
	const char *hardware = "acrctl 2.0, reload by hardware, when x / y > 3";

	expect_windows(hardware, "-|", "windows of events without masks");
	events[0].attr.config2 = 2;
	events[1].attr.config2 = 3;
	expect_windows(hardware, "x / y > 3: at least 3000 x in fewer than 1000 y|",
		       "windows above a threshold");
	expect_windows("a, reload by hardware, when x / y < 3 && y / x > 1/3",
		       "x / y < 3: at least 1000 y in fewer than 3000 x|"
		       "y / x > 1/3: at least 1000 y in fewer than 3000 x|",
		       "windows of two comparisons");
	expect_windows("a, reload by hardware, when x / y, when x / y ?, when z / y > 1",
		       "-|-|-|", "windows of what is no comparison of events of the file");
	expect_windows("a, reload in software, when x / y > 3", "-|", "windows of software");
	expect_windows("a, when x / y > 3", "-|", "windows without a reload");
	events[0].attr.freq = 1;
	events[1].attr.freq = 1;
	expect_windows(hardware, "x / y > 3|", "windows that change their length");
}

static void test_long(void)
{
	enum { LEN = 20000 };
	char *version = malloc(LEN + 1);
	struct condition c;
	struct view v;
	size_t begins;

	memset(version, ' ', LEN);
	version[LEN] = '\0';
	begins = sprintf(version, "acrctl 2.0, when x / y > 1");
	version[begins] = ' ';
	memcpy(version + LEN - 12, " && y / x < 2", 13);
	version[LEN] = '\0';
	begin(&v, version);
	is_u64(condition_read(&c, &v), 0, "a long condition is read");
	is_u64(c.nr, 2, "to its end");
	condition_free(&c);
	pd_reader_close(&v.reader);
	free(version);
}

int main(void)
{
	plan(0);
	expect("acrctl 2.0", "none", "no condition");
	expect("acrctl 2.0, when ", "none", "an empty one");
	expect("acrctl 2.0, when x / y > 1", "x / y > 1|x / y 0 1", "one comparison");
	expect("a, when x / y > 1 && y / x < 2, when z / x > 1",
	       "x / y > 1 && y / x < 2|x / y 0 1|y / x 1 0|z / x -1 0", "two groups");
	expect("x, when a && ", "a && |a -1 -1| -1 -1", "an empty last part");
	expect("x, when x &&  && y", "x &&  && y|x -1 -1| -1 -1|y -1 -1", "an empty middle part");
	expect("x, when  && , when ", " && | -1 -1| -1 -1| -1 -1", "nothing but empty parts");
	test_long();
	test_windows();
	return done();
}
