/* SPDX-License-Identifier: GPL-2.0-only */
/* Execution accounting of one logical CPU: from blocks that ran to instructions that count. */
#ifndef MODEL_CORE_H
#define MODEL_CORE_H

#include "block.h"
#include "count.h"

/*
 * Generated code adds a block's sums before the block runs, all three in one word per level.
 * A drain at least every CORE_DRAIN units keeps each field from running into the next.
 */
#define PACK_UNITS_BITS		24
#define PACK_INSN_BITS		20
#define PACK_INSN_SHIFT		PACK_UNITS_BITS
#define PACK_BRANCH_SHIFT	(PACK_UNITS_BITS + PACK_INSN_BITS)
#define CORE_DRAIN		(1ULL << 19)
/* Generated code calls core_enter() when the budget has come up to this */
#define CORE_BUDGET_END		(1ULL << 63)

/* Kinds that are found only while a block runs */
#define CORE_FIRST_LATE		EV_BRMISS
#define CORE_NR_LATE		(NR_EVENT_KINDS - CORE_FIRST_LATE)

/**
 * struct core_sums - what ran at one level
 * @insn: instructions
 * @units: time, in eighths of a core cycle
 * @branches: branches
 * @late: kinds from CORE_FIRST_LATE on
 */
struct core_sums {
	uint64_t insn;
	uint64_t units;
	uint64_t branches;
	uint64_t late[CORE_NR_LATE];
};

/**
 * struct core_hot - what generated code writes, on separate cache lines
 * @pad_before: keeps the CPU before off this one's lines
 * @packed: sums since the last drain, by level
 * @budget: grows by each block's weight up to CORE_BUDGET_END
 * @block: the block entered last, as a number; 0 when it is not known
 * @fetched: the line of code fetched last plus 1; 0 before the first
 * @notified: not 0 between core_notify() and core_notified()
 * @sums: drained sums, by level
 * @pad_after: keeps the next CPU off this one's lines
 */
struct core_hot {
	uint64_t pad_before[8];
	uint64_t packed[NR_LEVELS];
	uint64_t budget;
	uint64_t block;
	uint64_t fetched;
	uint64_t notified;
	struct core_sums sums[NR_LEVELS];
	uint64_t pad_after[8];
};

/**
 * struct core_late - something that was found while a watched block ran
 * @insn: index of the instruction it belongs to
 * @kind: what
 * @units: additional time
 */
struct core_late {
	uint32_t insn;
	enum event_kind kind;
	uint32_t units;
};

/**
 * struct core - one logical CPU
 * @pmu: its PMU
 * @hot: the fields that generated code writes
 * @seen: what the PMU has been shown, by level
 * @watched: block to be shown to the PMU instruction by instruction; NULL if none
 * @watched_nr: how many of its instructions ran
 * @late: what was found in it
 * @nr_late: entries in @late
 * @max_late: size of @late
 */
struct core {
	struct pmu *pmu;
	struct core_hot *hot;
	struct core_sums seen[NR_LEVELS];
	const struct block *watched;
	uint32_t watched_nr;
	struct core_late *late;
	size_t nr_late, max_late;
};

/* What generated code adds to &core_hot.packed for a block. */
uint64_t core_charge(const struct block *b);

/*
 * Show the PMU everything before a block that has been charged and is about to run.
 * @sink: called for overflows
 *
 * core_run() or core_leave() must follow.
 *
 * Return: true if an interrupt is due.
 */
bool core_enter(struct core *core, const struct block *b, const struct count_sink *sink);

/*
 * Start the block passed to core_enter().
 * @each: call core_enter() for the next block in any case
 */
void core_run(struct core *core, const struct block *b, bool each);

/*
 * Check, after core_run(), whether the block is certain to end with an interrupt due.
 *
 * Hardware takes the PMI before other interrupts that are pending at the end of the same
 * instruction; the caller can then send it in time.
 *
 * Return: false also if it cannot be known.
 */
bool core_will_interrupt(const struct core *core);

/* Undo the charge of a block that does not run now. */
void core_leave(struct core *core, const struct block *b);

/*
 * Show the PMU everything up to and including instruction @insn, which ends the block early.
 * @sink: called for overflows
 *
 * Return: true if an interrupt is due.
 */
bool core_stop(struct core *core, const struct block *b, uint32_t insn,
	       const struct count_sink *sink);

/* Set the budget after core_stop(), once the registers have their new values. */
void core_resume(struct core *core);

/* Account for an instruction of the running block that did not complete. */
void core_fault(struct core *core, const struct block *b, uint32_t insn);

/*
 * Record an occurrence in the running block, or at the end of a watched one.
 * @insn: index of the instruction it belongs to
 * @units: additional time
 * @charged: the block's weight already covers it
 * @sink: for core_enter(); no overflow happens here
 */
void core_late_event(struct core *core, const struct block *b, uint32_t insn,
		     enum event_kind kind, uint32_t units, bool charged,
		     const struct count_sink *sink);

/* Force core_enter() for the next block. */
void core_look_at_next(struct core *core);

/*
 * Notify a CPU, which may be running, that another thread of its core has changed shared state.
 *
 * Generated code calls core_notified() before the next block.
 */
void core_notify(struct core *core);

/* Force core_enter() for the block that has been charged. */
void core_notified(struct core *core);

/* After a reset of the PMU: do not show it what ran before. */
void core_restart(struct core *core);

/*
 * Drop references to blocks of @generation, which are about to be freed.
 */
void core_forget(struct core *core, unsigned int generation);

/*
 * Copy to @pmu the state that the PMU would have after everything that has run.
 *
 * Exact between blocks; for a CPU that is running it may be a block ahead.
 */
void core_peek(const struct core *core, struct pmu *pmu);

/*
 * Occurrences of a kind since the start.  For a CPU that is running they may be a block ahead.
 */
uint64_t core_total(const struct core_hot *hot, enum event_level level, enum event_kind kind);

/* Instructions since the start, of both levels; as core_total(). */
uint64_t core_insns(const struct core_hot *hot);

#endif /* MODEL_CORE_H */
