/* SPDX-License-Identifier: GPL-2.0-only */
/* Where instructions of one level go: counts by block, and inclusive counts of kernel functions. */
#ifndef MODEL_CODE_H
#define MODEL_CODE_H

#include "block.h"

#define CODE_MAX_BLOCKS	(1U << 15)
#define CODE_MAX_CALLS	4

/* Outside and inside the handlers of PMIs */
enum code_part { CODE_OUTSIDE, CODE_INSIDE, NR_CODE_PARTS };

/**
 * struct code_block - the instructions of blocks that start at one address
 * @pc: the address, 0 for an unused entry
 * @insns: their number, by part
 */
struct code_block {
	uint64_t pc;
	uint64_t insns[NR_CODE_PARTS];
};

/**
 * struct code_call - a function, with all that it calls
 * @entry: its address
 * @nr: calls that have returned
 * @insns: their kernel instructions
 * @back: where the running call returns to, 0 if none runs
 * @sp: the stack pointer at its entry
 * @before: kernel instructions before it
 */
struct code_call {
	uint64_t entry;
	uint64_t nr, insns;
	uint64_t back, sp, before;
};

/**
 * struct code - what one CPU runs; written by its thread only
 * @on: it is counted
 * @level: that of the instructions
 * @last: the block counted last, NULL if none
 * @last_insns: where it was counted
 * @block: a hash table by address
 * @other: instructions without an entry: the table is full
 * @call: the functions
 * @nr_calls: how many
 */
struct code {
	bool on;
	enum event_level level;
	const struct block *last;
	uint64_t *last_insns;
	struct code_block block[CODE_MAX_BLOCKS];
	uint64_t other;
	struct code_call call[CODE_MAX_CALLS];
	unsigned int nr_calls;
};

/* Forget what was counted, and count the instructions of a level from now on. */
void code_begin(struct code *code, enum event_level level);

/* Check whether it is counted now. */
static inline bool code_counts(const struct code *code)
{
	return __atomic_load_n(&code->on, __ATOMIC_ACQUIRE);
}

/* Count no more. */
void code_end(struct code *code);

/* Count a block of that level that is about to run whole, at @pc. */
void code_run(struct code *code, const struct block *b, uint64_t pc, enum code_part part);

/* Only the first @nr instructions of a block have run. */
void code_cut(struct code *code, const struct block *b, uint32_t nr);

/*
 * Count the calls of the function at @entry from the next code_begin() on.
 *
 * Return: false if there are too many functions.
 */
bool code_watch(struct code *code, uint64_t entry);

/* Check whether a function may start or return at @pc, so that code_call_block() must see it. */
bool code_is_call(const struct code *code, uint64_t pc);

/*
 * A function starts or returns.
 * @pc: start of the block that is about to run
 * @sp: its stack pointer
 * @top: what the stack pointer points to
 * @insns: kernel instructions before
 */
void code_call_block(struct code *code, uint64_t pc, uint64_t sp, uint64_t top, uint64_t insns);

/* The function at @entry; NULL if it is not watched. */
const struct code_call *code_call_of(const struct code *code, uint64_t entry);

#endif /* MODEL_CODE_H */
