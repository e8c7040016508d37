/* SPDX-License-Identifier: GPL-2.0-only */
/* A call chain in the making: context markers, frames up to a limit, frame pointers followed. */
#ifndef _ACRPMU_CORE_CHAIN_H
#define _ACRPMU_CORE_CHAIN_H

#include <linux/perf_event.h>

#include "types.h"
#include "../../uapi/acrpmu.h"

/** ACRPMU_CHAIN_ENTRIES - most entries of a chain: frames, and a marker for each of two levels */
#define ACRPMU_CHAIN_ENTRIES	(ACRPMU_MAX_STACK + 2)

/**
 * struct acrpmu_chain - a chain, innermost frame first
 * @entries: room for ACRPMU_CHAIN_ENTRIES
 * @nr: number of entries, frames and markers
 * @nr_frames: number of frames among them, of all levels
 * @max_frames: most frames, at most ACRPMU_MAX_STACK
 */
struct acrpmu_chain {
	u64 *entries;
	u32 nr;
	u32 nr_frames;
	u32 max_frames;
};

/**
 * typedef acrpmu_chain_read - read the memory of a program
 * @to: out, kernel memory
 * @from: any number, perhaps no address at all
 * @size: bytes
 *
 * Return: false if any of it cannot be read without waiting.
 */
typedef bool acrpmu_chain_read(void *to, u64 from, u32 size);

/**
 * acrpmu_chain_mark() - begin the frames of a level
 * @chain: with fewer than two markers so far
 * @context: PERF_CONTEXT_KERNEL or PERF_CONTEXT_USER
 *
 * Context: any, also NMI.
 */
void acrpmu_chain_mark(struct acrpmu_chain *chain, u64 context);

/**
 * acrpmu_chain_add() - append a frame
 * @chain: a chain
 * @ip: its address
 *
 * Context: any, also NMI.
 * Return: false if the chain has as many frames as it may, or the address is that of a marker.
 */
bool acrpmu_chain_add(struct acrpmu_chain *chain, u64 ip);

/**
 * acrpmu_chain_follow() - append the callers of a program's function by its frame pointers
 * @chain: a chain
 * @fp: frame pointer of the function, perhaps not one at all
 * @word: bytes of a pointer of the program, 8 or 4
 * @read: reads its memory
 *
 * A frame pointer is the address of the caller's, which the return address follows.  The chain
 * ends where memory cannot be read, before an address that would be taken for a marker, or with its
 * last frame.
 *
 * Context: any, also NMI.  Bounded by @chain->max_frames.
 */
void acrpmu_chain_follow(struct acrpmu_chain *chain, u64 fp, u32 word, acrpmu_chain_read *read);

#endif /* _ACRPMU_CORE_CHAIN_H */
