// SPDX-License-Identifier: GPL-2.0-only
/* How costs grow with the events of a session and with its CPUs: its life, a PMI, a switch. */
#include "growth.h"
#include "../../hw/pmi_cost.h"

#define PERIOD		20000
#define ITERATIONS	500000
#define ROUND_TRIPS	200

/* Two of fixed counters, the others of general-purpose ones. */
static void add_events(struct session *s, unsigned int nr, unsigned int flags)
{
	unsigned int i;

	session_event(s, EV_INSNS, flags, flags & SAMPLED ? PERIOD : 0, 0);
	for (i = 1; i < nr; i++)
		session_event(s, i == 1 ? EV_CYCLES : EV_BRANCHES, USER | COUNT, 0, 0);
}

static int live(struct session *s)
{
	int ret = growth_create(s);

	if (!ret)
		ret = session_enable(s);
	if (!ret)
		ret = session_read(s);
	session_close(s);
	return ret;
}

static uint64_t life(unsigned int events)
{
	uint64_t before;
	struct session s;

	session_task(&s, 0, 0);
	s.cpu_bits = 1 << GROWTH_CPU;
	add_events(&s, events, USER | COUNT);
	before = growth_insns();
	return live(&s) ? GROWTH_FAILED : growth_insns() - before;
}

/* Each CPU must do something for it. */
static uint64_t life_on_cpus(unsigned int cpus)
{
	uint64_t before;
	struct session s;

	session_cpus(&s, (1ULL << cpus) - 1);
	add_events(&s, 2, USER | COUNT);
	before = growth_insns_of(ORACLE_ALL_CPUS);
	return live(&s) ? GROWTH_FAILED : growth_insns_of(ORACLE_ALL_CPUS) - before;
}

/* A sample with the counts of all events. */
static uint64_t pmi(unsigned int events)
{
	struct pmi_cost cost;
	struct session s;
	int ret;

	session_task(&s, 0, 0);
	s.cpu_bits = 1 << GROWTH_CPU;
	add_events(&s, events, USER | SAMPLED);
	s.attr.sample_type |= PERF_SAMPLE_READ;
	ret = growth_create(&s);
	if (ret)
		return GROWTH_FAILED;
	session_map_ring(&s, GROWTH_CPU);
	pmi_begin(&cost, GROWTH_CPU);
	ret = session_enable(&s);
	work_fast(ITERATIONS);
	pmi_end(&cost);
	session_close(&s);
	return ret || !cost.nr ? GROWTH_FAILED : cost.insns / cost.nr;
}

/* ---- a switch between a task that is counted and one that is not ---- */

static int to_child[2], from_child[2];

static void echo_bytes(void)
{
	char byte;

	while (read(to_child[0], &byte, 1) == 1)
		if (write(from_child[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static uint64_t round_trips(void)
{
	uint64_t before = growth_insns();
	unsigned int i;
	char byte = 0;

	for (i = 0; i < ROUND_TRIPS; i++)
		if (write(to_child[1], &byte, 1) != 1 || read(from_child[0], &byte, 1) != 1)
			return GROWTH_FAILED;
	return (growth_insns() - before) / ROUND_TRIPS;
}

static uint64_t switches(unsigned int events)
{
	struct session s;
	uint64_t cost;
	int ret;

	session_task(&s, 0, 0);
	s.cpu_bits = 1 << GROWTH_CPU;
	add_events(&s, events, USER | COUNT);
	ret = growth_create(&s);
	if (!ret)
		ret = session_enable(&s);
	cost = ret ? GROWTH_FAILED : round_trips();
	session_close(&s);
	return cost;
}

int main(void)
{
	struct session keeper;
	bool good = true;
	unsigned int n;
	pid_t child;

	if (!oracle_present() || pin_to(0, GROWTH_CPU) || pipe(to_child) ||
	    pipe(from_child) || growth_keep(&keeper))
		return 1;
	child = fork();
	if (!child)
		echo_bytes();
	for (n = 1; n <= 8; n *= 2) {
		good &= growth_point("events: life of a session", n, "events", life, GROWTH_RUNS);
		good &= growth_point("events: PMI", n, "events", pmi, GROWTH_RUNS);
		good &= growth_point("events: round trip between tasks", n, "events", switches,
				     3 * GROWTH_RUNS);
	}
	for (n = 1; n <= 8; n *= 2)
		if (n <= oracle_get(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0))
			good &= growth_point("CPUs: life of a session", n, "CPUs", life_on_cpus,
					     10 * GROWTH_RUNS);
	session_close(&keeper);
	end_child(child);
	return !good;
}
