/* SPDX-License-Identifier: GPL-2.0-only */
/* Points of a series: instructions of an action for a growing number of things. */
#ifndef BENCH_GUEST_GROWTH_H
#define BENCH_GUEST_GROWTH_H

#include "../../hw/work.h"
#include "../../hw/session.h"
#include "../figure.h"
#include <time.h>

#define GROWTH_CPU	1
#define GROWTH_RUNS	3
#define GROWTH_FAILED	UINT64_MAX
#define GROWTH_REST_NS	10000000
#define GROWTH_AT_REST	100000	/* instructions of all CPUs in that time: ticks and the like */
#define GROWTH_RESTS	300

/* Of a CPU, or of ORACLE_ALL_CPUS, whatever they do */
static inline uint64_t growth_insns_of(unsigned int cpu)
{
	return oracle_events(cpu, ORACLE_EV_INSN, false) + oracle_events(cpu, ORACLE_EV_INSN, true);
}

static inline uint64_t growth_insns(void)
{
	return growth_insns_of(GROWTH_CPU);
}

/**
 * growth_create() - create a session and nothing else
 * @s: as described; with a CPU target its cpu_bits are set
 *
 * Return: 0 or -errno, after a message.
 */
static inline int growth_create(struct session *s)
{
	static int dev = -1;

	if (dev < 0)
		dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);
	s->attr.events = (uintptr_t)s->ev;
	if (s->cpu_bits) {
		s->attr.cpus = (uintptr_t)&s->cpu_bits;
		s->attr.cpus_size = sizeof(s->cpu_bits);
	}
	s->fd = ioctl(dev, ACRPMU_SESSION_CREATE, &s->attr);
	if (s->fd >= 0)
		return 0;
	fprintf(stderr, "a session is refused: %s: %s\n", strerror(errno), session_refusal(s));
	return -errno;
}

/**
 * growth_keep() - let a session exist, so that none of those measured is the first one
 * @s: the session, parked
 *
 * The first one lets the module look at switches, forks and exits, and the last one ends that.
 *
 * Return: 0 or -errno.
 */
static inline int growth_keep(struct session *s)
{
	session_task(s, 0, ACRPMU_SESSION_PARKED);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	return growth_create(s);
}

/**
 * growth_rest() - wait until the kernel has freed what earlier actions left, such as threads
 *
 * Return: false, after a message, if it goes on too long.
 */
static inline bool growth_rest(void)
{
	const struct timespec rest = { .tv_nsec = GROWTH_REST_NS };
	uint64_t insns;
	int i;

	for (i = 0; i < GROWTH_RESTS; i++) {
		insns = growth_insns_of(ORACLE_ALL_CPUS);
		nanosleep(&rest, NULL);
		if (growth_insns_of(ORACLE_ALL_CPUS) - insns < GROWTH_AT_REST)
			return true;
	}
	fprintf(stderr, "the kernel does not come to rest\n");
	return false;
}

/**
 * growth_point() - measure and print a point
 * @series: its name
 * @x: how many
 * @x_unit: of what
 * @action: what costs; returns GROWTH_FAILED or its instructions
 * @runs: how often; the run counts that was disturbed least
 *
 * Return: whether it could be measured.
 */
static inline bool growth_point(const char *series, unsigned int x, const char *x_unit,
				uint64_t (*action)(unsigned int x), unsigned int runs)
{
	struct figure_point point = {
		.part = "growth", .series = series, .x = x, .x_unit = x_unit,
		.unit = "instructions",
	};
	uint64_t least = GROWTH_FAILED, cost;

	while (runs--) {
		cost = growth_rest() ? action(x) : GROWTH_FAILED;
		if (cost == GROWTH_FAILED) {
			fprintf(stderr, "%s: %u %s cannot be measured\n", series, x, x_unit);
			return false;
		}
		least = cost < least ? cost : least;
	}
	point.y = least;
	figure_point_print(&point);
	return true;
}

#endif
