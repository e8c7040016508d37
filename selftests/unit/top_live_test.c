// SPDX-License-Identifier: GPL-2.0-only
/* Tests of playing back rings: the order of time across them, nothing lost, bounded memory. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/acrctl/top/live.h"
#include "userspace/lib/event_table.h"

#define SIDEBAND_ID	7
#define SAMPLE_ID	8
#define NR_RINGS	3
#define NR_ROUNDS	50
#define PER_ROUND	20
#define NR_TASKS	200000
#define FIRST_TASK	10000000	/* no number of a real task */

/* no named events are needed */
const struct event_maps acrpmu_builtin_events;

/* What SAMPLING_SAMPLE_TYPE puts behind other records, and into samples. */
struct sample_id {
	__u32 pid, tid;
	__u64 time;
	__u32 cpu, reserved;
	__u64 id;
};

struct sample {
	struct perf_event_header header;
	__u64 id, ip;
	__u32 pid, tid;
	__u64 time;
	__u32 cpu, reserved;
	__u64 period;
};

struct mmap {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 addr, len, pgoff;
	char name[16];
	struct sample_id end;
};

struct task {
	struct perf_event_header header;
	__u32 pid, ppid, tid, ptid;
	__u64 time;
	struct sample_id end;
};

/* What was played back. */
static struct {
	size_t nr;
	__u64 times[NR_ROUNDS * NR_RINGS * PER_ROUND];
	const char *dso;
	__u32 event;
	bool stop;
} played;

static int note(void *ctx, struct view *v, const struct pd_sample *s, __u32 event)
{
	struct sym_location loc;

	(void)ctx;
	view_resolve(v, s, false, &loc);
	played.times[played.nr++] = s->time;
	played.dso = loc.dso;
	played.event = event;
	return played.stop ? -EIO : 0;
}

static void take(struct live *l, const void *records, size_t size)
{
	struct acrpmu_ring_batch b = {
		.runs = { { (void *)records, size } }, .nr_runs = 1, .bytes = size,
	};

	live_take(l, &b);
}

static void take_sample(struct live *l, __u64 time, __u64 ip)
{
	struct sample s = {
		.header = {
			.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER,
			.size = sizeof(s),
		},
		.id = SAMPLE_ID, .ip = ip, .pid = 1, .tid = 1, .time = time, .period = 100,
	};

	take(l, &s, sizeof(s));
}

static void take_mmap(struct live *l, __u64 time, __u64 addr, const char *name)
{
	struct mmap m = {
		.header = {
			.type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_USER, .size = sizeof(m),
		},
		.pid = 1, .tid = 1, .addr = addr, .len = 0x1000,
		.end = { .time = time, .id = SIDEBAND_ID },
	};

	snprintf(m.name, sizeof(m.name), "%s", name);
	take(l, &m, sizeof(m));
}

static void take_task(struct live *l, __u32 type, __u64 time, __u32 pid)
{
	struct task t = {
		.header = { .type = type, .size = sizeof(t) },
		.pid = pid, .ppid = 1, .tid = pid, .ptid = 1, .time = time,
		.end = { .time = time, .id = SIDEBAND_ID },
	};

	take(l, &t, sizeof(t));
}

/* Sampling as far as live_begin() looks at it: one event and the sideband. */
struct setup {
	struct sampling sm;
	struct sampling_session session;
	int fd;
	__u64 id;
};

static void begin(struct setup *s, struct live *l)
{
	static const char *const strings[] = { "cycles:u" };
	const struct acrpmu_parse_options options = { .size = sizeof(options), .period = 1000 };
	static const struct target_text text = { "top", "observe", "observed" };
	struct acrpmu_message message;

	memset(s, 0, sizeof(*s));
	memset(l, 0, sizeof(*l));
	memset(&played, 0, sizeof(played));
	if (acrpmu_spec_parse(strings, 1, &options, &s->sm.spec, &message))
		printf("# %s\n", message.text);
	s->sm.target.text = &text;
	/* as for a command: nothing existed before */
	s->sm.target.nr_tids = 1;
	s->sm.nr_groups = 1;
	s->sm.sessions = &s->session;
	s->sm.nr_sessions = 1;
	s->session.ids[0] = SAMPLE_ID;
	s->id = SIDEBAND_ID;
	s->sm.sideband.attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(struct perf_event_attr), .sample_type = SAMPLING_SAMPLE_TYPE,
		.sample_id_all = 1,
	};
	s->sm.sideband.ids = &s->id;
	s->sm.sideband.fds = &s->fd;
	s->sm.sideband.nr_fds = 1;
	ok(!live_begin(l, &s->sm), "it begins");
}

static void end(struct setup *s, struct live *l)
{
	live_end(l);
	acrpmu_spec_free(s->sm.spec);
}

static void test_order(void)
{
	struct setup s;
	struct live l;

	begin(&s, &l);
	is_u64(l.nr_events, 1, "one event is sampled");
	is_str(l.names[0], "cycles:u", "by its name");
	take_sample(&l, 100, 0x5010);
	live_play(&l, note, NULL, false);
	is_u64(played.nr, 0, "a sample waits for the next visit to the rings");
	take_mmap(&l, 90, 0x5000, "/bin/old");
	take_mmap(&l, 110, 0x5000, "/bin/new");
	take_sample(&l, 120, 0x5010);
	live_play(&l, note, NULL, false);
	is_u64(played.nr, 1, "then it comes, and newer ones do not");
	is_str(played.dso, "/bin/old", "after a map that was read later but is older");
	is_u64(played.event, 0, "with its event");
	live_play(&l, note, NULL, false);
	is_u64(played.nr, 2, "without new records the rest comes");
	is_str(played.dso, "/bin/new", "after the map that came in between");
	take_sample(&l, 130, 0x5010);
	live_play(&l, note, NULL, true);
	is_u64(played.nr, 3, "at the end everything comes");
	live_play(&l, note, NULL, true);
	is_u64(played.nr, 3, "once");
	end(&s, &l);
}

static int compare_times(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Rings are read one after another while samples come: one that is read later may have samples that
 * are newer, up to the end of the round, than those of the ring before.
 */
static void test_random(void)
{
	static __u64 times[NR_ROUNDS * NR_RINGS * PER_ROUND];
	unsigned int round, ring, i, nr = 0;
	__u64 read_until[NR_RINGS] = { 0 };
	struct setup s;
	struct live l;

	srandom(1);
	begin(&s, &l);
	for (round = 0; round < NR_ROUNDS; round++) {
		for (ring = 0; ring < NR_RINGS; ring++) {
			__u64 from = read_until[ring];

			read_until[ring] = round * 1000 + ring * 300 + 100;
			for (i = random() % PER_ROUND; i; i--) {
				times[nr] = from + 1 + random() % (read_until[ring] - from);
				take_sample(&l, times[nr++], 0x5000);
			}
		}
		live_play(&l, note, NULL, false);
	}
	live_play(&l, note, NULL, true);
	qsort(times, nr, sizeof(*times), compare_times);
	is_u64(played.nr, nr, "random rings: each sample is played back once");
	ok(!memcmp(times, played.times, nr * sizeof(*times)), "in the order of time");
	end(&s, &l);
}

static void test_bounds(void)
{
	struct setup s;
	struct live l;
	__u32 i;
	size_t most = 0;

	begin(&s, &l);
	for (i = 1; i <= NR_TASKS; i++) {
		take_task(&l, PERF_RECORD_FORK, 10 * i, FIRST_TASK + i);
		take_task(&l, PERF_RECORD_EXIT, 10 * i + 5, FIRST_TASK + i);
		if (i % 1000)
			continue;
		live_play(&l, note, NULL, false);
		if (l.view.space.nr_threads > most)
			most = l.view.space.nr_threads;
		if (live_is_stale(&l))
			live_renew(&l);
	}
	ok(most > 50000 && most < 80000, "threads that ended are kept up to a limit (%zu)", most);
	ok(!live_is_stale(&l), "then it is fresh");
	s.sm.sideband.counts.lost = 1;
	ok(live_is_stale(&l), "after records were lost it is not");
	live_renew(&l);
	live_play(&l, note, NULL, true);
	ok(!live_is_stale(&l), "until /proc is read again");
	ok(sym_space_comm_of(&l.view.space, getpid(), getpid()), "which has this process");
	end(&s, &l);
}

static void test_errors(void)
{
	struct setup s;
	struct live l;

	begin(&s, &l);
	take_sample(&l, 100, 0x5000);
	take_sample(&l, 101, 0x5000);
	played.stop = true;
	ok(live_play(&l, note, NULL, true) == -EIO && played.nr == 1, "an error ends it");
	end(&s, &l);
}

int main(void)
{
	plan(0);
	test_order();
	test_random();
	test_bounds();
	test_errors();
	return done();
}
