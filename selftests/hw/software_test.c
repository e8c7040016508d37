// SPDX-License-Identifier: GPL-2.0-only
/* Auto counter reload in software: samples, counts, tasks and pauses. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		0
#define PERIOD_INSNS	200000
#define PERIOD_CYCLES	100000
#define ROUNDS		20

struct hits {
	uint64_t fast, slow, elsewhere;
};

static void note_hit(const struct sample *sample, void *data)
{
	struct hits *p = data;

	if (in_fast(sample->ip))
		p->fast++;
	else if (in_slow(sample->ip))
		p->slow++;
	else
		p->elsewhere++;
}

/* On one CPU, which has a fixed kind of core on hybrid profiles. */
static void describe(struct session *s, bool software)
{
	session_task(s, 0, software ? ACRPMU_SESSION_SOFTWARE : 0);
	s->cpu_bits = 1ULL << CPU;
}

/* The documented pair: the sampled event restarts with the window, the window with both. */
static void describe_pair(struct session *s, bool software, uint64_t insns, uint64_t cycles)
{
	describe(s, software);
	session_event(s, EV_INSNS, USER | SAMPLED, insns, 0x2);
	session_event(s, EV_CYCLES, USER, cycles, 0x3);
}

FIXTURE(software) {
	struct session s;
	struct session other;
};

/* A tick of a busy host is late, and has more overflows than the usual rate allows. */
FIXTURE_SETUP(software)
{
	ASSERT_EQ(0, module_set("max_sample_rate", "10000000"));
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->s, true);
	describe(&self->other, true);
}

FIXTURE_TEARDOWN(software)
{
	session_close(&self->s);
	session_close(&self->other);
	EXPECT_EQ(0, module_set_usual());
}

TEST_F(software, ipc_above_two_samples_the_fast_phase_only)
{
	struct hits p = { 0 };

	describe_pair(&self->s, true, PERIOD_INSNS, PERIOD_CYCLES);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(0, self->s.hw[0].cfg_b);
	EXPECT_EQ(0, self->s.hw[1].cfg_b);
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	EXPECT_GE(p.fast, ROUNDS * (FAST_ITERATIONS * WORK_INSNS / PERIOD_INSNS - 1));
	EXPECT_LE(p.fast, ROUNDS * (FAST_ITERATIONS * WORK_INSNS / PERIOD_INSNS + 1));
	EXPECT_EQ(0, p.slow);
	EXPECT_LE(p.elsewhere, ROUNDS * 2);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(0, self->s.counts[0].flags);
	EXPECT_EQ(0, self->s.counts[1].flags);
	EXPECT_GT(self->s.accounts.quiet, ROUNDS);
}

TEST_F(software, ipc_below_two_samples_the_slow_phase_only)
{
	struct hits p = { 0 };

	session_event(&self->s, EV_CYCLES, USER | SAMPLED, PERIOD_CYCLES, 0x2);
	session_event(&self->s, EV_INSNS, USER, PERIOD_INSNS, 0x3);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	/* some 21; interrupts restart windows */
	EXPECT_GE(p.slow, ROUNDS * 15);
	EXPECT_EQ(0, p.fast);
	EXPECT_LE(p.elsewhere, ROUNDS * 2);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(software, kernel_and_user_level_samples_the_fast_phase_only)
{
	struct hits p = { 0 };

	session_event(&self->s, EV_INSNS, USER | KERNEL | SAMPLED, 250000, 0x2);
	session_event(&self->s, EV_CYCLES, USER | KERNEL, 100000, 0x3);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	/* Instructions of the kernel spoil windows, on a busy host more of them. */
	EXPECT_GT(p.fast, ROUNDS * 10);
	EXPECT_EQ(0, p.slow);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(software, a_ratio_that_is_never_reached_yields_no_sample)
{
	/* 12 instructions in a cycle */
	describe_pair(&self->s, true, 12 * PERIOD_CYCLES, PERIOD_CYCLES);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(0, self->s.records);
	EXPECT_EQ(0, self->s.counts[0].overflows);
	/* the last one may come with the stop */
	EXPECT_EQ(self->s.accounts.quiet + self->s.accounts.discarded, self->s.counts[1].overflows);
	EXPECT_ACCOUNTED(&self->s);
}

/* What samples stand for: the least and the most. */
struct stands {
	uint64_t least, most;
};

static void note_stand(const struct sample *sample, void *data)
{
	struct stands *p = data;

	p->least = p->least && p->least < sample->period ? p->least : sample->period;
	p->most = p->most > sample->period ? p->most : sample->period;
}

/*
 * work_fast() runs at 24 / 7, which is 3.43: all windows are above 3.39, and none is above 3.47,
 * however long each of them is.
 */
TEST_F(software, jitter_scales_a_window_and_keeps_its_ratio)
{
	struct stands p = { 0 };

	describe_pair(&self->s, true, 67800, 20000);
	self->s.attr.jitter = 25;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(2000000);
	ASSERT_EQ(0, session_finish(&self->s, note_stand, &p));
	EXPECT_GT(self->s.records, 100);
	EXPECT_LE(self->s.accounts.quiet, 2);
	EXPECT_LE(67800 - 67800 / 4, p.least);
	EXPECT_GT(67800 - 67800 / 5, p.least);
	EXPECT_GE(67800 + 67800 / 4, p.most);
	EXPECT_LT(67800 + 67800 / 5, p.most);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(software, jitter_lets_no_window_above_its_ratio)
{
	describe_pair(&self->s, true, 69400, 20000);
	self->s.attr.jitter = 25;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(2000000);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(0, self->s.records);
	EXPECT_GT(self->s.accounts.quiet, 100);
	EXPECT_ACCOUNTED(&self->s);
}

/* A quiet cause that has no bit of its own overflows once, and again after a sample. */
static int64_t samples_of_a_lasting_cause(struct session *s, bool software)
{
	describe(s, software);
	session_event(s, EV_INSNS, USER | SAMPLED, 60000, 0x2);
	session_event(s, EV_BRANCHES, USER, 5000, 0x1);
	if (session_make(s) || session_enable(s))
		return -1;
	work_fast(1500000);
	if (session_finish(s, NULL, NULL) || !session_accounted(s))
		return -1;
	session_close(s);
	return s->records;
}

TEST_F(software, a_quiet_event_without_its_own_bit_overflows_once_in_a_window)
{
	/* 30000 instructions to the branches' overflow, then 60000 */
	const int64_t expected = 1500000ULL * WORK_INSNS / 90000;
	int64_t found = samples_of_a_lasting_cause(&self->s, true);

	EXPECT_GE(found, expected - 1);
	EXPECT_LE(found, expected + 1);
	found = samples_of_a_lasting_cause(&self->other, false);
	if (found < 0)
		SKIP(return, "no auto counter reload to compare with");
	EXPECT_GE(found, expected - 1);
	EXPECT_LE(found, expected + 1);
}

TEST_F(software, counts_are_exact)
{
	struct session *s = &self->s;
	unsigned int i;

	/* Each with a plain counter beside it */
	session_event(s, EV_INSNS, USER | SAMPLED, 20000, 0x2);
	session_event(s, EV_CYCLES, USER, 9000, 0x3);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_CYCLES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
	ASSERT_EQ(0, session_enable(s));
	work_phases(2);
	ASSERT_EQ(0, session_read(s));
	work_phases(2);
	ASSERT_EQ(0, session_finish(s, NULL, NULL));
	EXPECT_ACCOUNTED(s);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(s->counts[i].value, s->counts[i + 2].value);
		EXPECT_LT(s->outside[i], s->counts[i].value / 100);
		EXPECT_EQ(0, s->outside[i + 2]);
		TH_LOG("event %u: %llu counted, %lu of them outside of windows", i,
		       s->counts[i].value, s->outside[i]);
	}
	EXPECT_GT(s->counts[0].value, 0);
	EXPECT_GT(s->accounts.quiet, 0);
	/* Zero again, but what became of overflows stays. */
	EXPECT_EQ(0, session_ctl(s, ACRPMU_RESET));
	ASSERT_EQ(0, session_read(s));
	EXPECT_EQ(0, s->outside[0]);
	EXPECT_EQ(0, s->outside[1]);
	EXPECT_EQ(0, s->counts[1].overflows);
	EXPECT_GT(s->accounts.quiet, 0);
}

TEST_F(software, without_a_sampled_event_the_overflows_are_counted)
{
	const uint64_t windows = 2000000ULL * WORK_INSNS / 50000;

	session_event(&self->s, EV_INSNS, USER, 50000, 0x1);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(2000000);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GE(self->s.counts[0].overflows, windows - 1);
	EXPECT_LE(self->s.counts[0].overflows, windows + 1);
	EXPECT_EQ(self->s.counts[0].overflows, self->s.accounts.quiet + self->s.accounts.discarded);
}

TEST_F(software, beside_hardware_counts_the_same_windows)
{
	struct hits hardware = { 0 }, software = { 0 };
	uint64_t more, fewer;

	/* The same events of the same run, the one session on the counters that the other left */
	describe_pair(&self->other, false, PERIOD_INSNS, PERIOD_CYCLES);
	if (session_make(&self->other) == -EOPNOTSUPP)
		SKIP(return, "no auto counter reload to compare with");
	ASSERT_LE(0, self->other.fd) TH_LOG("%s", session_refusal(&self->other));
	describe_pair(&self->s, true, PERIOD_INSNS, PERIOD_CYCLES);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->other));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(2 * ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &software));
	ASSERT_EQ(0, session_finish(&self->other, note_hit, &hardware));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_ACCOUNTED(&self->other);
	more = self->s.records > self->other.records ? self->s.records : self->other.records;
	fewer = self->s.records + self->other.records - more;
	TH_LOG("%lu samples in software, %lu by hardware; misplaced %lu and %lu",
	       self->s.records, self->other.records, software.elsewhere, hardware.elsewhere);
	EXPECT_GT(fewer, ROUNDS * 20);
	EXPECT_LE((more - fewer) * 100, more);
	EXPECT_EQ(0, software.slow);
	/* At most one for each change of phase, of which a round has two */
	EXPECT_LE(software.elsewhere, 2 * ROUNDS * 2);
}

/* ---- tasks ---- */

/* So that the loops outweigh yields and ticks where these take as many more instructions */
static unsigned int longer(void)
{
	return has_debugging() ? 8 : 1;
}

static pid_t start_loop(bool fast)
{
	const unsigned int times = longer();
	pid_t pid = fork();

	if (pid)
		return pid;
	pin_to(0, CPU);
	for (;;) {
		/* Short enough that a task is switched out in the middle of windows */
		if (fast)
			work_fast(2000 * times);
		else
			work_slow(200 * times);
		sched_yield();
	}
}

FIXTURE(tasks) {
	struct session s[2];
	pid_t pid[2];
};

FIXTURE_VARIANT(tasks) {
	unsigned int levels;
};

/* User level counters keep running through a switch, others are stopped. */
FIXTURE_VARIANT_ADD(tasks, user_level) { .levels = USER };

FIXTURE_VARIANT_ADD(tasks, both_levels) { .levels = USER | KERNEL };

FIXTURE_SETUP(tasks)
{
	int i;

	for (i = 0; i < 2; i++) {
		describe(&self->s[i], true);
		self->pid[i] = start_loop(!i);
	}
}

FIXTURE_TEARDOWN(tasks)
{
	int i;

	for (i = 0; i < 2; i++) {
		session_close(&self->s[i]);
		end_child(self->pid[i]);
	}
}

TEST_F(tasks, on_one_cpu_keep_their_windows_apart)
{
	struct hits p[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++) {
		self->s[i].attr.pid = self->pid[i];
		session_event(&self->s[i], EV_INSNS, variant->levels | SAMPLED,
			      PERIOD_INSNS * longer(), 0x2);
		session_event(&self->s[i], EV_CYCLES, variant->levels, PERIOD_CYCLES * longer(),
			      0x3);
	}
	if (variant->levels & KERNEL) {
		/* A yield takes more of a round than the loop: at 1.5 both tasks differ clearly. */
		for (i = 0; i < 2; i++)
			self->s[i].ev[0].period = PERIOD_INSNS * longer() * 3 / 4;
	}
	ASSERT_EQ(0, session_make(&self->s[0])) TH_LOG("%s", session_refusal(&self->s[0]));
	if (session_make(&self->s[1]))
		SKIP(return, "too few counters for two sessions");
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, session_enable(&self->s[i]));
	/* The windows of the slow one are quiet: they only end. */
	EXPECT_TRUE(wait_for((session_drain(&self->s[0], note_hit, &p[0]), p[0].fast > 20) &&
			     !session_read(&self->s[1]) && self->s[1].accounts.quiet > 50));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, session_finish(&self->s[i], note_hit, &p[i]));
		EXPECT_ACCOUNTED(&self->s[i]);
	}
	EXPECT_EQ(0, p[0].slow);
	/* With debugging options, an interrupt may be as long as a window, now and then. */
	if (has_debugging() && variant->levels & KERNEL) {
		EXPECT_GT(self->s[1].accounts.quiet, 10 * self->s[1].records);
	} else {
		EXPECT_EQ(0, self->s[1].records);
	}
}

/* One session of both: its counters change hands at each switch. */
TEST_F(software, a_session_of_two_tasks_has_a_window_for_each)
{
	struct hits p = { 0 };
	int go[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		char byte;

		close(go[1]);
		if (read(go[0], &byte, 1))
			_exit(1);
		if (!start_loop(true))
			_exit(1);
		start_loop(false);
		for (;;)
			pause();
	}
	setpgid(pid, pid);
	describe_pair(&self->s, true, PERIOD_INSNS, PERIOD_CYCLES);
	self->s.attr.pid = pid;
	self->s.attr.flags |= ACRPMU_SESSION_INHERIT;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	close(go[0]);
	close(go[1]);
	EXPECT_TRUE(wait_for((session_drain(&self->s, note_hit, &p), p.fast > 50)));
	kill(-pid, SIGSTOP);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(0, p.slow);
	EXPECT_GT(self->s.accounts.quiet, 0);
}

/* ---- pauses ---- */

FIXTURE(limit) {
	struct session s;
};

FIXTURE_VARIANT(limit) {
	const char *parameter;
	const char *value;
	bool sampled;
};

FIXTURE_VARIANT_ADD(limit, of_the_rate) {
	.parameter = "max_sample_rate", .value = "2000", .sampled = true,
};

FIXTURE_VARIANT_ADD(limit, of_the_handlers_time) {
	.parameter = "max_pmi_percent", .value = "1", .sampled = true,
};

FIXTURE_VARIANT_ADD(limit, without_records) {
	.parameter = "max_sample_rate", .value = "2000", .sampled = false,
};

FIXTURE_SETUP(limit)
{
	ASSERT_EQ(0, module_set_usual());
	ASSERT_EQ(0, module_set(variant->parameter, variant->value));
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->s, true);
	if (variant->sampled) {
		session_event(&self->s, EV_INSNS, USER | SAMPLED, 4000, 0x2);
		session_event(&self->s, EV_CYCLES, USER, 1000, 0x3);
	} else {
		session_event(&self->s, EV_CYCLES, USER, 1000, 0x1);
	}
	self->s.attr.ring_pages = variant->sampled ? 256 : 0;
}

FIXTURE_TEARDOWN(limit)
{
	session_close(&self->s);
	module_set_usual();
}

/* Work until so many overflows paused it; if that never happens, the harness ends the test. */
static int work_until_throttled(struct session *s, uint64_t throttled)
{
	int ret;

	do {
		work_fast(100000);
		ret = session_read(s);
	} while (!ret && s->accounts.throttled < throttled);
	return ret;
}

TEST_F(limit, pauses_the_group_and_restarts_it_as_a_whole)
{
	uint64_t quiet;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, work_until_throttled(&self->s, 1));
	quiet = self->s.accounts.quiet;
	EXPECT_GT(quiet, 0);
	/* It has one CPU, and does not pause there again before a pause has ended. */
	ASSERT_EQ(0, work_until_throttled(&self->s, self->s.accounts.throttled + 10));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GT(self->s.accounts.quiet, quiet);
	EXPECT_ACCOUNTED(&self->s);
	/* 3.4 instructions in a cycle: never 4, also not in a window that a pause has cut */
	EXPECT_EQ(0, self->s.records);
	if (variant->sampled) {
		EXPECT_GT(self->s.pauses, 0);
		EXPECT_LE(self->s.pauses - self->s.resumes, 1);
	}
	TH_LOG("%llu quiet, %llu throttled, %llu dropped, %lu pauses", self->s.accounts.quiet,
	       self->s.accounts.throttled, self->s.accounts.dropped, self->s.pauses);
}

/* A task is far below a window at each turn, so that only a window across pauses has an end. */
#define WINDOW_BRANCHES	1000
#define WINDOW_INSNS	8000

/* Instructions without a branch, of which 30 times as many are a window */
static void work_straight(void)
{
	__asm__ volatile(".rept 260\n\tnop\n\t.endr");
}

/* Turns of two tasks: one exceeds the limit of a tick each time, the other takes over. */
static void take_turns(unsigned int turns)
{
	int there[2], back[2];
	char byte = 0;
	pid_t pid;

	if (pipe(there) || pipe(back))
		_exit(1);
	pid = fork();
	if (pid < 0)
		_exit(1);
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1) {
			work_straight();
			if (write(back[1], &byte, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	while (turns--) {
		/* limits first, three of them */
		work_fast(3 * WINDOW_BRANCHES);
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

FIXTURE(turns) {
	struct session s;
	int go[2];
	pid_t pid;
};

FIXTURE_VARIANT(turns) {
	const char *rate;
	bool pauses;
	unsigned int turns;
};

/* One interrupt in a tick, and the second pauses the session. */
FIXTURE_VARIANT_ADD(turns, with_pauses) {
	.rate = "1", .pauses = true, .turns = 1500,
};

FIXTURE_VARIANT_ADD(turns, without_pauses) {
	.rate = "10000000", .pauses = false, .turns = 300,
};

FIXTURE_SETUP(turns)
{
	char byte;

	ASSERT_EQ(0, module_set_usual());
	ASSERT_EQ(0, module_set("max_sample_rate", variant->rate));
	ASSERT_EQ(0, pipe(self->go));
	self->pid = fork();
	ASSERT_LE(0, self->pid);
	if (!self->pid) {
		close(self->go[1]);
		if (pin_to(0, CPU) || read(self->go[0], &byte, 1))
			_exit(1);
		take_turns(variant->turns);
	}
	describe(&self->s, true);
	self->s.attr.pid = self->pid;
	self->s.attr.flags |= ACRPMU_SESSION_INHERIT;
	session_event(&self->s, EV_INSNS, USER | SAMPLED, WINDOW_INSNS, 0x2);
	session_event(&self->s, EV_BRANCHES, USER, WINDOW_BRANCHES, 0x3);
}

FIXTURE_TEARDOWN(turns)
{
	session_close(&self->s);
	end_child(self->pid);
	module_set_usual();
}

TEST_F(turns, of_a_task_that_a_pause_separates_are_in_different_windows)
{
	int status;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	close(self->go[0]);
	close(self->go[1]);
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	self->pid = 0;
	ASSERT_EQ(0, status);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GT(self->s.accounts.quiet, 0);
	if (variant->pauses) {
		EXPECT_GT(self->s.pauses, 10);
		EXPECT_EQ(0, self->s.records);
	} else {
		/* uncut, these windows end */
		EXPECT_EQ(0, self->s.pauses);
		EXPECT_GT(self->s.records, variant->turns / 60);
	}
	TH_LOG("%lu records, %llu quiet, %lu pauses", self->s.records, self->s.accounts.quiet,
	       self->s.pauses);
}

TEST_HARNESS_MAIN
