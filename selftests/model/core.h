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
 * struct core_hot - what generated code writes, on cache lines of its own
 * @pad_before: keeps the CPU before off this one's lines
 * @packed: sums since the last drain, by level
 * @budget: grows by each block's weight up to CORE_BUDGET_END
 * @block: the block entered last, as a number; 0 when it is not known
 * @fetched: the line of code fetched last plus 1, 0 before the first
 * @told: not 0 from core_tell() to core_told()
 * @sums: drained sums, by level
 * @pad_after: keeps the next CPU off this one's lines
 */
struct core_hot {
	uint64_t pad_before[8];
	uint64_t packed[NR_LEVELS];
	uint64_t budget;
	uint64_t block;
	uint64_t fetched;
	uint64_t told;
	struct core_sums sums[NR_LEVELS];
	uint64_t pad_after[8];
};

/**
 * struct core_late - something that was found while a watched block ran
 * @insn: index of the instruction it belongs to
 * @kind: what
 * @units: time it took besides
 */
struct core_late {
	uint32_t insn;
	enum event_kind kind;
	uint32_t units;
};

/**
 * struct core - one logical CPU
 * @pmu: its PMU
 * @hot: its part of what generated code writes
 * @seen: what the PMU has been shown, by level
 * @watched: block whose instructions will be shown singly; NULL if none
 * @watched_nr: how many of its instructions ran
 * @late: what was found in it
 * @nr_late: how much
 * @max_late: room in @late
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

/**
 * core_charge() - what generated code adds to &core_hot.packed for a block
 * @b: the block
 *
 * Return: the packed sums.
 */
uint64_t core_charge(const struct block *b);

/**
 * core_enter() - a block has been charged and is about to run: show the PMU all before it
 * @core: the CPU
 * @b: the block
 * @sink: told of overflows
 *
 * Follow up with core_run() or core_leave().
 *
 * Return: true if an interrupt is due.
 */
bool core_enter(struct core *core, const struct block *b, const struct count_sink *sink);

/**
 * core_run() - let the block that core_enter() announced run
 * @core: the CPU
 * @b: the block
 * @each: call core_enter() again for the next block in any case
 */
void core_run(struct core *core, const struct block *b, bool each);

/**
 * core_will_interrupt() - is it certain that the block about to run ends with an interrupt due?
 * @core: the CPU, after core_run()
 *
 * Real hardware takes the interrupt before any other that waits for the same instruction to end.
 * Knowing beforehand lets the caller send it in time for that.
 *
 * Return: true if so; false if it is not, or if it cannot be known.
 */
bool core_will_interrupt(const struct core *core);

/**
 * core_leave() - the block that was charged does not run now
 * @core: the CPU
 * @b: the block
 */
void core_leave(struct core *core, const struct block *b);

/**
 * core_stop() - show the PMU everything up to an instruction, which ends the block early
 * @core: the CPU
 * @b: the block under way
 * @insn: index of the instruction, shown too
 * @sink: told of overflows
 *
 * Return: true if an interrupt is due.
 */
bool core_stop(struct core *core, const struct block *b, uint32_t insn,
	       const struct count_sink *sink);

/**
 * core_resume() - set the budget after core_stop(), once the registers are as they should be
 * @core: the CPU
 */
void core_resume(struct core *core);

/**
 * core_fault() - an instruction of the block under way did not complete
 * @core: the CPU
 * @b: the block
 * @insn: its index
 */
void core_fault(struct core *core, const struct block *b, uint32_t insn);

/**
 * core_late_event() - something was found in the block under way, or at the end of a watched one
 * @core: the CPU
 * @b: the block
 * @insn: index of the instruction it belongs to
 * @kind: what
 * @units: time it took besides
 * @charged: the block's weight in the budget already covers it
 * @sink: told of overflows, of which there are none
 */
void core_late_event(struct core *core, const struct block *b, uint32_t insn,
		     enum event_kind kind, uint32_t units, bool charged,
		     const struct count_sink *sink);

/**
 * core_look_at_next() - have core_enter() called for the next block
 * @core: the CPU
 */
void core_look_at_next(struct core *core);

/**
 * core_tell() - another thread of the core has changed what they share
 * @core: the CPU to be told; it may be running
 *
 * Generated code calls core_told() before the next block.
 */
void core_tell(struct core *core);

/**
 * core_told() - have core_enter() called for the block that has been charged
 * @core: the CPU
 */
void core_told(struct core *core);

/**
 * core_restart() - the PMU was reset: what has run so far is none of its concern
 * @core: the CPU
 */
void core_restart(struct core *core);

/**
 * core_forget() - the blocks of a generation are about to be freed
 * @core: a CPU that may have entered one of them last
 * @generation: &block.generation of those blocks
 */
void core_forget(struct core *core, unsigned int generation);

/**
 * core_peek() - what the PMU would look like if it were shown all that has run
 * @core: the CPU; not changed
 * @pmu: filled in
 *
 * Exact between blocks; for a CPU that runs meanwhile it may be a block ahead.
 */
void core_peek(const struct core *core, struct pmu *pmu);

/**
 * core_total() - how often something has happened since the start
 * @hot: the CPU's sums; another CPU's may be a block ahead of what ran
 * @level: where
 * @kind: what
 *
 * Return: the number.
 */
uint64_t core_total(const struct core_hot *hot, enum event_level level, enum event_kind kind);

#endif /* MODEL_CORE_H */
