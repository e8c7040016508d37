// SPDX-License-Identifier: GPL-2.0-only
/* acrctl monitor and ps: the sessions that are known, sets of CPUs and times as words. */
#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/monitor/monitor.h"
#include "userspace/lib/event_table.h"
#include "userspace/util/util.h"

/* no tables of events */
const struct event_maps acrpmu_builtin_events;

static void add(struct known *known, unsigned int id)
{
	const struct acrpmu_notice_event events[] = {
		{ .config = 0xc0, .flags = ACRPMU_EVENT_USER },
		{ .config = 0x3c, .flags = ACRPMU_EVENT_KERNEL, .period = 5000 },
	};
	const struct acrpmu_notice notice = {
		.session = id, .pid = 1000 + id, .comm = "prog", .events = events, .nr_events = 2,
	};
	const struct event_names none = { .nr = 0 };
	struct known_session *session = known_add(known, &notice);

	if (!session || known_set_events(session, &none, &notice))
		abort();
}

static void test_known(void)
{
	static const unsigned int order[] = { 5, 9, 1, 7, 3, 12, 11 };
	struct known known = { NULL };
	const struct known_session *s;
	unsigned int i, sorted = 0;

	ok(!known_find(&known, 1), "nothing is known at first");
	for (i = 0; i < ARRAY_SIZE(order); i++)
		add(&known, order[i]);
	for (i = 1; i < known.nr; i++)
		sorted += known.list[i - 1].id < known.list[i].id;
	is_u64(sorted, ARRAY_SIZE(order) - 1, "sessions are in the order of their numbers");
	s = known_find(&known, 7);
	is_u64(s ? s->pid : 0, 1007, "one is found");
	is_str(s ? s->comm : "", "prog", "  with its command");
	is_u64(s ? s->nr_events : 0, 2, "  its events");
	is_str(s ? s->events[0] : "", "cpu/event=0xc0,umask=0x00/u", "  the first");
	is_str(s ? s->events[1] : "", "cpu/event=0x3c,umask=0x00,period=5000/k", "  the second");
	ok(!known_find(&known, 6) && !known_find(&known, 13), "others are not");
	known_remove(&known, known_find(&known, 1));
	known_remove(&known, known_find(&known, 12));
	known_remove(&known, known_find(&known, 7));
	is_u64(known.nr, ARRAY_SIZE(order) - 3, "the first, the last and one between are removed");
	ok(!known_find(&known, 7) && known_find(&known, 9) && known_find(&known, 3),
	   "  and the others are still found");
	known_free(&known);
}

static void is_list(const char *bits, size_t size, const char *want, const char *name)
{
	const struct acrpmu_cpu_set cpus = { (const unsigned char *)bits, size };
	char *list = words_cpus(&cpus);

	is_str(list ? list : "(none)", want, name);
	free(list);
}

static void test_cpus(void)
{
	is_list("", 0, "", "no CPU");
	is_list("\x01", 1, "0", "one");
	is_list("\x80\x01", 2, "7-8", "a range over two bytes");
	is_list("\xff\xff", 2, "0-15", "up to the last bit");
	is_list("\x55\x00\x00\x80", 4, "0,2,4,6,31", "every other one, and a last one far away");
}

static void is_age(unsigned long long s, const char *want)
{
	char word[WORD_LEN];

	is_str(words_age(s * NSEC_PER_SEC + NSEC_PER_SEC - 1, word), want, want);
}

static void test_times(void)
{
	/* 1795608000 s after 1970, 1000 s after the start of the machine */
	const struct moment now = {
		.boot_ns = 1000 * NSEC_PER_SEC, .real_ns = 1795608000000000000,
	};

	is_age(0, "0s");
	is_age(59, "59s");
	is_age(60, "1m00s");
	is_age(3599, "59m59s");
	is_age(3600, "1h00m");
	is_age(86399, "23h59m");
	is_age(86400, "1d00h");
	is_age(400 * 86400ULL + 7200, "400d02h");
	is_u64(moment_real_ns(&now, 1000 * NSEC_PER_SEC - 1), 1795607999999999999,
	       "a time before now");
	is_u64(moment_real_ns(&now, 1000 * NSEC_PER_SEC + 1), 1795608000000000001,
	       "a time after now, of a message that was read later");
	is_u64(moment_age_ns(&now, 990 * NSEC_PER_SEC), 10 * NSEC_PER_SEC, "an age");
	is_u64(moment_age_ns(&now, 1000 * NSEC_PER_SEC + 1), 0,
	       "a session that was created after the look at the clock has no age");
}

int main(void)
{
	plan(0);
	test_known();
	test_cpus();
	test_times();
	return done();
}
