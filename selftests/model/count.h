/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting, overflow and reload: the effect of a stretch of execution on the counters. */
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
 * struct count_sink - callback for overflows
 * @overflow: called for each, in order
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
 * @n: what happened at its retirement; the kinds of time follow from @start and @end
 */
struct count_insn {
	enum event_level level;
	uint64_t start, end;
	uint32_t n[NR_EVENT_KINDS];
};

/*
 * Advance the enabled counters by one instruction.
 * @sink: called for each overflow
 *
 * Time passes first, crossing by crossing; then the instruction retires.
 * Counters that cross at the same point overflow together: each sets its status bit and each
 * reloads what it causes.
 *
 * Return: true if an interrupt is due.
 */
bool count_insn(struct pmu *pmu, const struct count_insn *insn, const struct count_sink *sink);

/*
 * Advance the enabled counters by a longer stretch at once.
 * @n: what happened, by level and kind
 * @sink: called for each overflow
 *
 * For stretches shorter than count_headroom(), in which nothing can overflow. Does not advance
 * counters with a cycle test, for which the headroom is 0.
 *
 * Return: true if an interrupt is due.
 */
bool count_bulk(struct pmu *pmu, const uint64_t n[NR_LEVELS][NR_EVENT_KINDS],
		const struct count_sink *sink);

/*
 * Lower bound on the occurrences of any kind before an enabled counter overflows, where those of
 * EV_SLOT are as many as core cycles.
 *
 * Return: 0 if the counters must see each instruction; UINT64_MAX if nothing counts.
 */
uint64_t count_headroom(const struct pmu *pmu);

#endif /* MODEL_COUNT_H */
