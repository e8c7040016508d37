/* SPDX-License-Identifier: GPL-2.0-only */
/* Cost of PMIs in register accesses and instructions. */
#ifndef HW_PMI_COST_H
#define HW_PMI_COST_H

#include <stdint.h>
#include <stdio.h>

#include "../model/oracle.h"

/* What PMIs on a CPU have cost, by the model's count; range: accesses by the module's code. */
struct pmi_cost {
	int cpu;
	uint64_t nr;
	uint64_t insns;
	uint64_t accesses;
	uint64_t range_nr;
	uint64_t range_accesses;
	uint64_t range_max;
};

static inline uint64_t pmi_window(int cpu, enum oracle_window what)
{
	return oracle_get(ORACLE_WINDOWS, cpu, what);
}

/* All at one moment: again if a PMI came in between */
static inline void pmi_totals(struct pmi_cost *c)
{
	do {
		c->nr = pmi_window(c->cpu, ORACLE_WIN_NR);
		c->insns = pmi_window(c->cpu, ORACLE_WIN_HANDLER_INSNS);
		c->accesses = pmi_window(c->cpu, ORACLE_WIN_ACCESSES);
		c->range_nr = pmi_window(c->cpu, ORACLE_WIN_RANGE_NR);
		c->range_accesses = pmi_window(c->cpu, ORACLE_WIN_RANGE_ACCESSES);
		c->range_max = pmi_window(c->cpu, ORACLE_WIN_RANGE_ACCESSES_MAX);
	} while (pmi_window(c->cpu, ORACLE_WIN_NR) != c->nr);
}

/**
 * pmi_begin() - begin to count the cost of PMIs
 * @c: out
 * @cpu: the CPU
 */
static inline void pmi_begin(struct pmi_cost *c, int cpu)
{
	c->cpu = cpu;
	pmi_window(c->cpu, ORACLE_WIN_RESET);
	pmi_totals(c);
}

/**
 * pmi_end() - take what PMIs have cost since pmi_begin()
 * @c: in and out
 */
static inline void pmi_end(struct pmi_cost *c)
{
	struct pmi_cost now = { .cpu = c->cpu };

	pmi_totals(&now);
	c->nr = now.nr - c->nr;
	c->insns = now.insns - c->insns;
	c->accesses = now.accesses - c->accesses;
	c->range_nr = now.range_nr - c->range_nr;
	c->range_accesses = now.range_accesses - c->range_accesses;
	c->range_max = now.range_max;
}

/**
 * pmi_print() - print the averages
 * @name: of what was measured
 * @c: after pmi_end()
 */
static inline void pmi_print(const char *name, const struct pmi_cost *c)
{
	uint64_t nr = c->nr ?: 1;

	fprintf(stderr, "# %-25s %4lu PMIs: accesses %.2f (most %lu), in all %.2f; %lu insns\n",
		name, c->nr, (double)c->range_accesses / nr, c->range_max,
		(double)c->accesses / nr, c->insns / nr);
}

#endif
