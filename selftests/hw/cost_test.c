// SPDX-License-Identifier: GPL-2.0-only
/* Cost of PMIs and task switches in register accesses, compared with in-tree perf. */
#include "work.h"
#include "intree.h"
#include "module.h"
#include "pmi_cost.h"
#include "records.h"
#include "symbol.h"
#include "kselftest_harness.h"

#define CPU		1
#define LONG_PERIOD	2000000000ULL
#define PMI_PERIOD	20000
#define ROUND_TRIPS	500
#define WARM_UP		50
/* Writes that switches to other tasks may add: 5 for each 100 switches */
#define NOISE_WRITES	(2 * ROUND_TRIPS / 20)

/* Limits on the module's accesses in a PMI, without the APIC: status, re-arm, acknowledge; two
 * more writes of IA32_PERF_GLOBAL_CTRL if the kernel is counted
 */
#define MAX_USER_PMI	3
#define MAX_KERNEL_PMI	5
/* In-tree perf's accesses, which prove that the yardstick is right */
#define INTREE_PMI	7

/* ---- a PMI ---- */

FIXTURE(pmi) {
	struct session s;
};

FIXTURE_VARIANT(pmi) {
	const char *name;
	unsigned int levels;
	uint64_t config;
	bool pair;
	unsigned int most;
};

FIXTURE_VARIANT_ADD(pmi, user_level_fixed) {
	.name = "user level, fixed", .levels = USER, .config = EV_INSNS, .most = MAX_USER_PMI,
};

FIXTURE_VARIANT_ADD(pmi, user_level_general_purpose) {
	.name = "user level, GP", .levels = USER, .config = EV_BRANCHES, .most = MAX_USER_PMI,
};

FIXTURE_VARIANT_ADD(pmi, user_level_pair) {
	.name = "user level, reload pair", .levels = USER, .config = EV_INSNS, .pair = true,
	.most = MAX_USER_PMI,
};

FIXTURE_VARIANT_ADD(pmi, kernel_level) {
	.name = "user and kernel level", .levels = USER | KERNEL, .config = EV_INSNS,
	.most = MAX_KERNEL_PMI,
};

FIXTURE_VARIANT_ADD(pmi, kernel_level_pair) {
	.name = "both levels, reload pair", .levels = USER | KERNEL, .config = EV_INSNS,
	.pair = true, .most = MAX_KERNEL_PMI,
};

FIXTURE_SETUP(pmi)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&self->s, 0, 0);
	session_event(&self->s, variant->config, variant->levels | SAMPLED, PMI_PERIOD,
		      variant->pair ? 0x2 : 0);
	if (variant->pair)
		session_event(&self->s, EV_CYCLES, variant->levels, PMI_PERIOD, 0x3);
}

FIXTURE_TEARDOWN(pmi)
{
	session_close(&self->s);
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
}

TEST_F(pmi, costs_no_more_accesses_than_promised)
{
	struct pmi_cost cost;

	if (variant->pair && session_make(&self->s) == -EOPNOTSUPP)
		SKIP(return, "this CPU has no auto counter reload");
	if (!variant->pair)
		ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_LE(0, self->s.fd);
	ASSERT_LT(0, module_add_ranges());
	ASSERT_EQ(0, session_enable(&self->s));
	pmi_begin(&cost, CPU);
	work_fast(2000000);
	pmi_end(&cost);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	pmi_print(variant->name, &cost);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GT(cost.range_nr, 50);
	EXPECT_EQ(cost.nr, cost.range_nr);
	/* A pause, on a busy host, also stops each counter. */
	EXPECT_LE(cost.range_accesses, variant->most * cost.range_nr +
				       self->s.accounts.throttled * self->s.attr.nr_events);
	EXPECT_GE(cost.range_accesses, 3 * cost.range_nr);
}

/* The sampled event counts user level: only the other one could count the handler. */
TEST(handler_is_not_counted_by_another_kernel_event)
{
	struct calls own = { .entry = symbol_address("pmi_handler", "acrpmu") };
	struct pmi_cost cost;
	uint64_t outside;
	struct session s;

	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_TRUE(calls_begin(&own, CPU));
	session_task(&s, 0, 0);
	session_event(&s, EV_BRANCHES, USER | SAMPLED, 1000, 0);
	session_event(&s, EV_INSNS, KERNEL | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	outside = oracle_events(CPU, ORACLE_EV_INSN, true);
	pmi_begin(&cost, CPU);
	ASSERT_EQ(0, session_enable(&s));
	work_fast(2000000);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	pmi_end(&cost);
	calls_end(&own, CPU, 0);
	outside = oracle_events(CPU, ORACLE_EV_INSN, true) - outside - cost.insns;
	EXPECT_ACCOUNTED(&s);
	pmi_print("other event counts kernel", &cost);
	TH_LOG("%llu counted, at most %lu of them outside of handlers, which took %lu, ours %lu",
	       s.counts[1].value, outside, cost.insns, own.insns);
	EXPECT_GT(cost.nr, 1000);
	EXPECT_EQ(cost.nr, own.nr);
	/* Of our handler only the code before and after the freeze of all counters */
	EXPECT_LT(s.counts[1].value, outside + cost.insns - own.insns * 4 / 5);
	session_close(&s);
}

TEST(in_tree_pmi_costs_what_it_is_known_to_cost)
{
	struct intree e = { .config = EV_INSNS, .period = PMI_PERIOD, .cpu = -1, .group = -1 };
	size_t size = (1 + 64) * sysconf(_SC_PAGESIZE);
	struct pmi_cost cost;
	void *ring;
	int fd;

	ASSERT_EQ(0, pin_to(0, CPU));
	fd = intree_open(&e);
	ASSERT_LE(0, fd);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, ring);
	pmi_begin(&cost, CPU);
	work_fast(2000000);
	pmi_end(&cost);
	pmi_print("in-tree perf, user level", &cost);
	EXPECT_GT(cost.nr, 50);
	EXPECT_GE(cost.accesses, (INTREE_PMI - 1) * cost.nr);
	munmap(ring, size);
	close(fd);
}

/* ---- a task switch ---- */

enum target { NOBODY, BOTH_INHERITED, PARENT_ONLY, TWO_SESSIONS };

struct switch_cost {
	uint64_t writes;
	uint64_t reads;
	uint64_t rdpmcs;
	uint64_t kernel_insns;
};

struct pingpong {
	int start[2];	/* closed: the parent may fork */
	int go[2];	/* closed: both may start */
	int report[2];	/* the child's pid, then the costs */
	pid_t pid[2];
};

static void cost_now(struct switch_cost *c)
{
	c->writes = oracle_accesses(CPU, ORACLE_ALL_MSRS, ORACLE_WR, ORACLE_ORIGIN_ANY,
				    ORACLE_OUTSIDE_PMI);
	c->reads = oracle_accesses(CPU, ORACLE_ALL_MSRS, ORACLE_RD, ORACLE_ORIGIN_ANY,
				   ORACLE_OUTSIDE_PMI);
	c->rdpmcs = oracle_accesses(CPU, ORACLE_ALL_MSRS, ORACLE_RDPMC, ORACLE_ORIGIN_ANY,
				    ORACLE_OUTSIDE_PMI);
	c->kernel_insns = oracle_events(CPU, ORACLE_EV_INSN, true);
}

static void wait_for_gate(int gate[2])
{
	char byte;

	close(gate[1]);
	if (read(gate[0], &byte, 1))
		_exit(1);
}

static void pass(int to, int from, unsigned int times)
{
	char byte = 0;

	while (times--)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			_exit(1);
}

static void bounce(int from, int to, unsigned int times)
{
	char byte;

	while (times--)
		if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
			_exit(1);
}

static void play(struct pingpong *p)
{
	struct switch_cost before, after;
	int there[2], back[2];
	pid_t pid;

	pin_to(0, CPU);
	wait_for_gate(p->start);
	if (pipe(there) || pipe(back))
		_exit(1);
	pid = fork();
	if (!pid) {
		wait_for_gate(p->go);
		bounce(there[0], back[1], WARM_UP + ROUND_TRIPS);
		_exit(0);
	}
	if (write(p->report[1], &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	wait_for_gate(p->go);
	pass(there[1], back[0], WARM_UP);
	cost_now(&before);
	pass(there[1], back[0], ROUND_TRIPS);
	cost_now(&after);
	after.writes -= before.writes;
	after.reads -= before.reads;
	after.rdpmcs -= before.rdpmcs;
	after.kernel_insns -= before.kernel_insns;
	if (write(p->report[1], &after, sizeof(after)) != sizeof(after))
		_exit(1);
	waitpid(pid, NULL, 0);
	_exit(0);
}

/* Measures by a session or by in-tree perf. */
struct meter {
	bool ours;
	uint64_t config[2];
	struct session s[2];
	int fd[2][2];
};

static bool meter_open(struct meter *m, int i, pid_t pid, bool inherit)
{
	struct intree e = { .pid = pid, .cpu = -1, .group = -1, .inherit = inherit,
			    .period = LONG_PERIOD };
	int ev;

	if (m->ours) {
		session_task(&m->s[i], pid, inherit ? ACRPMU_SESSION_INHERIT : 0);
		session_event(&m->s[i], m->config[0], USER | SAMPLED, LONG_PERIOD, 0);
		session_event(&m->s[i], m->config[1], USER | SAMPLED, LONG_PERIOD, 0);
		return !session_make(&m->s[i]) && !session_enable(&m->s[i]);
	}
	for (ev = 0; ev < 2; ev++) {
		e.config = m->config[ev];
		m->fd[i][ev] = intree_open(&e);
		if (m->fd[i][ev] < 0)
			return false;
		e.group = m->fd[i][0];
	}
	return true;
}

static void meter_close(struct meter *m)
{
	int i, ev;

	for (i = 0; i < 2; i++) {
		if (m->ours)
			session_close(&m->s[i]);
		for (ev = 0; ev < 2; ev++)
			if (!m->ours && m->fd[i][ev] > 0)
				close(m->fd[i][ev]);
	}
}

static bool measure(struct meter *m, enum target who, struct switch_cost *cost)
{
	struct pingpong p;
	bool ok = true;

	if (pipe(p.start) || pipe(p.go) || pipe(p.report))
		return false;
	p.pid[0] = fork();
	if (!p.pid[0])
		play(&p);
	if (who == BOTH_INHERITED || who == PARENT_ONLY)
		ok = meter_open(m, 0, p.pid[0], who == BOTH_INHERITED);
	close(p.start[0]);
	close(p.start[1]);
	ok = ok && read(p.report[0], &p.pid[1], sizeof(p.pid[1])) == sizeof(p.pid[1]);
	if (who == TWO_SESSIONS)
		ok = ok && meter_open(m, 0, p.pid[0], false) && meter_open(m, 1, p.pid[1], false);
	close(p.go[0]);
	close(p.go[1]);
	ok = ok && read(p.report[0], cost, sizeof(*cost)) == sizeof(*cost);
	waitpid(p.pid[0], NULL, 0);
	meter_close(m);
	close(p.report[0]);
	close(p.report[1]);
	return ok;
}

FIXTURE(task_switch) {
	struct meter ours, intree;
};

FIXTURE_VARIANT(task_switch) {
	const char *name;
	enum target who;
	uint64_t config[2];
	/* most writes, in percent of in-tree perf's */
	unsigned int most_percent;
};

FIXTURE_VARIANT_ADD(task_switch, inherited_fixed) {
	.name = "both inherited, fixed", .who = BOTH_INHERITED, .most_percent = 50,
	.config = { EV_INSNS, EV_CYCLES },
};

FIXTURE_VARIANT_ADD(task_switch, parent_only_fixed) {
	.name = "parent only, fixed", .who = PARENT_ONLY, .most_percent = 50,
	.config = { EV_INSNS, EV_CYCLES },
};

FIXTURE_VARIANT_ADD(task_switch, two_sessions_fixed) {
	.name = "two sessions, fixed", .who = TWO_SESSIONS, .most_percent = 50,
	.config = { EV_INSNS, EV_CYCLES },
};

FIXTURE_VARIANT_ADD(task_switch, inherited_gp) {
	.name = "both inherited, GP", .who = BOTH_INHERITED, .most_percent = 60,
	.config = { EV_BRANCHES, EV_BRMISSES },
};

FIXTURE_VARIANT_ADD(task_switch, parent_only_gp) {
	.name = "parent only, GP", .who = PARENT_ONLY, .most_percent = 60,
	.config = { EV_BRANCHES, EV_BRMISSES },
};

FIXTURE_VARIANT_ADD(task_switch, two_sessions_gp) {
	.name = "two sessions, GP", .who = TWO_SESSIONS, .most_percent = 60,
	.config = { EV_BRANCHES, EV_BRMISSES },
};

FIXTURE_SETUP(task_switch)
{
	memset(self, 0, sizeof(*self));
	self->ours.ours = true;
	self->ours.s[0].fd = -1;
	self->ours.s[1].fd = -1;
	memcpy(self->ours.config, variant->config, sizeof(variant->config));
	memcpy(self->intree.config, variant->config, sizeof(variant->config));
	ASSERT_EQ(0, pin_to(0, 0));
}

FIXTURE_TEARDOWN(task_switch)
{
}

static double per_switch(uint64_t value)
{
	return (double)value / (2 * ROUND_TRIPS);
}

static void switch_print(const char *name, const char *by, const struct switch_cost *c,
			 const struct switch_cost *idle)
{
	int64_t added = c->kernel_insns - idle->kernel_insns;

	fprintf(stderr, "# %-22s %-7s a switch: writes %5.2f reads %5.2f RDPMC %5.2f insns %6.0f\n",
		name, by, per_switch(c->writes), per_switch(c->reads), per_switch(c->rdpmcs),
		(double)added / (2 * ROUND_TRIPS));
}

TEST_F(task_switch, writes_no_more_than_promised)
{
	struct switch_cost idle, ours, intree;
	struct meter none = { 0 };

	ASSERT_TRUE(measure(&none, NOBODY, &idle));
	ASSERT_TRUE(measure(&self->intree, variant->who, &intree));
	ASSERT_TRUE(measure(&self->ours, variant->who, &ours))
		TH_LOG("%s", session_refusal(&self->ours.s[0]));
	switch_print(variant->name, "in-tree", &intree, &idle);
	switch_print(variant->name, "ours", &ours, &idle);
	/* Without anything to compare with, any figure would pass. */
	EXPECT_GE(intree.writes, ROUND_TRIPS);
	EXPECT_LE(ours.writes * 100, intree.writes * variant->most_percent + 100 * NOISE_WRITES);
}

TEST_HARNESS_MAIN
