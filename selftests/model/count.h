/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting, overflow and reload: what a stretch of execution does to the counters. */
#ifndef MODEL_COUNT_H
#define MODEL_COUNT_H

#include "pmu.h"

/**
 * struct count_overflow - one overflow of one counter
 * @cntr: the counter
 * @self_reload: it reloaded itself, so no status and no interrupt
 * @pmi: its interrupt was enabled and it did not reload itself
 * @reloaded: counters that it reloaded
 * @status: GLOBAL_STATUS afterwards
 */
struct count_overflow {
	unsigned int cntr;
	bool self_reload;
	bool pmi;
	uint64_t reloaded;
	uint64_t status;
};

/**
 * struct count_sink - who is told of overflows
 * @overflow: called for each, in the order in which they happen
 * @ctx: passed to it
 */
struct count_sink {
	void (*overflow)(void *ctx, const struct count_overflow *o);
	void *ctx;
};

/**
 * struct count_insn - one instruction as the counters see it
 * @level: where it ran
 * @start: time at which it began, in eighths of a core cycle (CYC_UNITS)
 * @end: time at which it retired; never below @start
 * @n: what happened at its retirement; the kinds of time are taken from @start and @end
 */
struct count_insn {
	enum event_level level;
	uint64_t start, end;
	uint32_t n[NR_EVENT_KINDS];
};

/**
 * count_insn() - let the enabled counters see one instruction
 * @pmu: the PMU
 * @insn: the instruction
 * @sink: told of each overflow
 *
 * Time passes first, in the order of the crossings; what happens at retirement comes after.
 * Counters that cross at the same point overflow together: each sets its status bit and each
 * reloads what it causes.
 *
 * Return: true if an interrupt is due.
 */
bool count_insn(struct pmu *pmu, const struct count_insn *insn, const struct count_sink *sink);

/**
 * count_bulk() - let the enabled counters see a longer stretch at once
 * @pmu: the PMU
 * @n: what happened, by level and kind
 * @sink: told of each overflow
 *
 * Meant for stretches shorter than count_headroom(), in which nothing can overflow. Counters
 * with a cycle test see nothing of it; their headroom is 0.
 *
 * Return: true if an interrupt is due.
 */
bool count_bulk(struct pmu *pmu, const uint64_t n[NR_LEVELS][NR_EVENT_KINDS],
		const struct count_sink *sink);

/**
 * count_headroom() - occurrences of any kind until an enabled counter can overflow
 * @pmu: the PMU
 *
 * Return: at least 1, or 0 if each instruction must be shown singly; UINT64_MAX if nothing counts.
 */
uint64_t count_headroom(const struct pmu *pmu);

#endif /* MODEL_COUNT_H */
