/* SPDX-License-Identifier: GPL-2.0-only */
/* Cost of switches between two tasks that pass a byte back and forth, followed or not. */
#ifndef BENCH_SWITCH_COST_H
#define BENCH_SWITCH_COST_H

#include "../../hw/work.h"
#include "../../hw/intree.h"
#include "../../hw/session.h"
#include "../../hw/module.h"

#include <stdlib.h>

#define SWITCH_CPU	1
#define ROUND_TRIPS	500
#define WARM_UP		50
/* Of values that differ only in what the scheduler does as often as not */
#define NEAR		60
/* Nothing overflows in the time of a measurement. */
#define LONG_PERIOD	2000000000ULL

/**
 * enum target - which tasks are followed
 * @NOBODY: none, and no session exists
 * @BOTH_INHERITED: both, by one session
 * @PARENT_ONLY: one of them
 * @TWO_SESSIONS: both, each by a session of its own
 * @ANOTHER_TASK: neither of them, but a third task that sleeps
 */
enum target { NOBODY, BOTH_INHERITED, PARENT_ONLY, TWO_SESSIONS, ANOTHER_TASK };

/**
 * struct switch_cost - what two switches cost, there and back, without a tick
 * @accesses: register accesses outside of PMIs
 * @insns: instructions at kernel level
 */
struct switch_cost {
	uint64_t accesses;
	uint64_t insns;
};

/**
 * struct meter - follows tasks by sessions, or by events of in-tree perf
 * @ours: which
 * @config: two events, both of which sample
 * @acr_mask: of each, 0 for none
 * @s: the sessions
 * @fd: the events of in-tree perf
 */
struct meter {
	bool ours;
	uint64_t config[2];
	uint64_t acr_mask[2];
	struct session s[2];
	int fd[2][2];
};

struct pingpong {
	int start[2];	/* closed: the parent may fork */
	int go[2];	/* closed: both may start */
	int report[2];	/* the child's pid, then the cost */
	pid_t pid[2];
};

/* Reads and writes of every register, and RDPMC */
static inline struct switch_cost switch_cost_now(void)
{
	static const unsigned int ops[] = { ORACLE_RD, ORACLE_WR, ORACLE_RDPMC };
	struct switch_cost c = { 0 };
	unsigned int i;

	for (i = 0; i < 3; i++)
		c.accesses += oracle_accesses(SWITCH_CPU, ORACLE_ALL_MSRS, ops[i],
					      ORACLE_ORIGIN_ANY, ORACLE_OUTSIDE_PMI);
	c.insns = oracle_events(SWITCH_CPU, ORACLE_EV_INSN, true);
	return c;
}

static inline void wait_for_gate(int gate[2])
{
	char byte;

	close(gate[1]);
	if (read(gate[0], &byte, 1))
		_exit(1);
}

static inline void bounce(int from, int to, unsigned int times)
{
	char byte;

	while (times--)
		if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
			_exit(1);
}

static inline void pass(int to, int from)
{
	char byte = 0;

	if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
		_exit(1);
}

static inline int compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Ends of runs of equal values: the length of the run that ends here, 0 elsewhere */
static inline size_t run_at(const uint64_t *sorted, size_t nr, size_t end)
{
	size_t first = end;

	if (end + 1 < nr && sorted[end + 1] == sorted[end])
		return 0;
	while (first && sorted[first - 1] == sorted[end])
		first--;
	return end - first + 1;
}

/* The most frequent value, or a smaller one next to it that is there an eighth as often */
static inline uint64_t common_value(uint64_t *values, size_t nr)
{
	size_t i, mode = 0;

	qsort(values, nr, sizeof(*values), compare_values);
	for (i = 0; i < nr; i++)
		if (run_at(values, nr, i) > run_at(values, nr, mode))
			mode = i;
	for (i = 0; i < mode; i++)
		if (values[i] + NEAR >= values[mode] &&
		    8 * run_at(values, nr, i) >= run_at(values, nr, mode))
			break;
	return values[i];
}

/*
 * Ticks, and what the scheduler does once in a while, make many round trips longer, each by
 * another number of instructions. Those without either differ by some ten instructions, and the
 * smallest of them is sought.
 */
static inline struct switch_cost round_trip(int to, int from)
{
	static uint64_t accesses[ROUND_TRIPS], insns[ROUND_TRIPS];
	struct switch_cost before, after;
	unsigned int i;

	for (i = 0; i < WARM_UP; i++)
		pass(to, from);
	for (i = 0; i < ROUND_TRIPS; i++) {
		before = switch_cost_now();
		pass(to, from);
		after = switch_cost_now();
		accesses[i] = after.accesses - before.accesses;
		insns[i] = after.insns - before.insns;
	}
	return (struct switch_cost){ common_value(accesses, ROUND_TRIPS),
				     common_value(insns, ROUND_TRIPS) };
}

static inline void play(struct pingpong *p)
{
	const struct sched_param lowest = { .sched_priority = 1 };
	struct switch_cost cost;
	int there[2], back[2];
	pid_t pid;

	pin_to(0, SWITCH_CPU);
	/* Neither preempts the other, whatever the time: a switch is where one of them waits. */
	if (sched_setscheduler(0, SCHED_FIFO, &lowest))
		_exit(1);
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
	cost = round_trip(there[1], back[0]);
	if (write(p->report[1], &cost, sizeof(cost)) != sizeof(cost))
		_exit(1);
	waitpid(pid, NULL, 0);
	_exit(0);
}

static inline bool meter_open_ours(struct meter *m, int i, pid_t pid, bool inherit)
{
	int ev;

	session_task(&m->s[i], pid, inherit ? ACRPMU_SESSION_INHERIT : 0);
	for (ev = 0; ev < 2; ev++)
		/* An event that reloads itself never samples. */
		session_event(&m->s[i], m->config[ev],
			      USER | (m->acr_mask[ev] >> ev & 1 ? 0 : SAMPLED), LONG_PERIOD,
			      m->acr_mask[ev]);
	return !session_make(&m->s[i]) && !session_enable(&m->s[i]);
}

static inline bool meter_open_intree(struct meter *m, int i, pid_t pid, bool inherit)
{
	struct intree e = { .pid = pid, .cpu = -1, .group = -1, .inherit = inherit,
			    .period = LONG_PERIOD, .disabled = true };
	int ev;

	for (ev = 0; ev < 2; ev++) {
		e.config = m->config[ev];
		e.acr_mask = m->acr_mask[ev];
		m->fd[i][ev] = intree_open(&e);
		if (m->fd[i][ev] < 0)
			return false;
		e.group = m->fd[i][0];
		e.disabled = false;
	}
	return !ioctl(m->fd[i][0], PERF_EVENT_IOC_ENABLE, 0);
}

static inline bool meter_open(struct meter *m, int i, pid_t pid, bool inherit)
{
	return m->ours ? meter_open_ours(m, i, pid, inherit) :
			 meter_open_intree(m, i, pid, inherit);
}

static inline void meter_close(struct meter *m)
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

/* Returns once it has run on the CPU of the others and sleeps. */
static inline pid_t start_sleeper(void)
{
	pid_t pid = fork();

	if (!pid) {
		pin_to(0, SWITCH_CPU);
		pause();
		_exit(0);
	}
	return wait_for(task_state(pid, pid) == 'S') ? pid : -1;
}

/**
 * switch_measure() - measure a round trip: two switches
 * @m: what follows the tasks; unused with NOBODY
 * @who: which of them
 * @cost: out
 *
 * Return: whether it could be measured.
 */
static inline bool switch_measure(struct meter *m, enum target who, struct switch_cost *cost)
{
	pid_t sleeper = who == ANOTHER_TASK ? start_sleeper() : 0;
	struct pingpong p;
	bool ok = true;

	if (pipe(p.start) || pipe(p.go) || pipe(p.report))
		return false;
	p.pid[0] = fork();
	if (!p.pid[0])
		play(&p);
	if (who == BOTH_INHERITED || who == PARENT_ONLY)
		ok = meter_open(m, 0, p.pid[0], who == BOTH_INHERITED);
	else if (who == ANOTHER_TASK)
		ok = sleeper > 0 && meter_open(m, 0, sleeper, false);
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
	end_child(sleeper);
	close(p.report[0]);
	close(p.report[1]);
	return ok;
}

#endif /* BENCH_SWITCH_COST_H */
