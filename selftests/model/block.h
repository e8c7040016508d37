/* SPDX-License-Identifier: GPL-2.0-only */
/* A translated block: its instructions and their cost, known before it runs. */
#ifndef MODEL_BLOCK_H
#define MODEL_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

/**
 * struct block_insn - one instruction; sums run from the block's start to its end
 * @offset: its address from the start of the block
 * @branches: branches up to and including it
 * @units: time up to its retirement, in eighths of a core cycle
 */
struct block_insn {
	uint16_t offset;
	uint16_t branches;
	uint32_t units;
};

/**
 * struct block_lines - cache lines of code that lie one after another
 * @first: physical address of the first, shifted by CACHE_LINE_SHIFT
 * @nr: how many
 */
struct block_lines {
	uint64_t first;
	uint32_t nr;
};

/**
 * struct block - one translated block
 * @next: for the owner of a list of blocks
 * @generation: for the owner, to free unused blocks by
 * @start: address of the first instruction
 * @end: address after the last instruction
 * @level: where it runs
 * @conditional: it ends in a conditional branch
 * @plain: all its instructions touch registers only, so that it runs to its end once entered
 * @nr: number of instructions
 * @weight: upper bound on its occurrences of any one kind, set by block_finish()
 * @lines: cache lines of its code, by page, set by block_place(); none if not known
 * @insn: the instructions
 */
struct block {
	struct block *next;
	unsigned int generation;
	uint64_t start, end;
	enum event_level level;
	bool conditional;
	bool plain;
	uint32_t nr;
	uint32_t weight;
	struct block_lines lines[2];
	struct block_insn insn[];
};

/*
 * Make an empty block.
 * @max: most instructions it will hold
 *
 * Return: the block, to be freed with free(); NULL if out of memory.
 */
struct block *block_new(uint64_t start, size_t max);

/*
 * Append an instruction.
 * @b: the block, made for at least one instruction more
 * @bytes: the instruction's bytes
 */
void block_add(struct block *b, const uint8_t *bytes, size_t size);

/*
 * Find an instruction by its address.
 *
 * Return: its index, or -1 if no instruction of the block starts there.
 */
int block_index(const struct block *b, uint64_t address);

/* Time of the first @nr instructions of a block, in eighths of a core cycle. */
static inline uint32_t block_units(const struct block *b, uint32_t nr)
{
	return nr ? b->insn[nr - 1].units : 0;
}

/* Number of branches among the first @nr instructions of a block. */
static inline uint32_t block_branches(const struct block *b, uint32_t nr)
{
	return nr ? b->insn[nr - 1].branches : 0;
}

/*
 * Set the weight of a block that is complete.
 * @penalty: time that a mispredicted branch at its end costs, in eighths of a core cycle;
 *	0 if branches are not predicted
 */
void block_finish(struct block *b, uint32_t penalty);

/*
 * Record the physical addresses of a complete block's code.
 * @first: physical address of its first byte
 * @second: physical address of its second page, if there is one
 */
void block_place(struct block *b, uint64_t first, uint64_t second);

/* Virtual address of the second page of a complete block; 0 if it lies in one page. */
uint64_t block_second_page(const struct block *b);

#endif /* MODEL_BLOCK_H */
