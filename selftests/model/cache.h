/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches by physical address: which accesses leave the core, and which of those the chip. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include <stdint.h>

#include "event.h"

#define CACHE_LINE_SHIFT	6
#define CACHE_WAYS		8
#define CACHE_CORE_SETS		2048	/* 1 MiB */
#define CACHE_CODE_SETS		64	/* 32 KiB */
#define CACHE_LLC_SETS		32768	/* 16 MiB */
/* Time that an access beyond the core takes, and one to memory, in eighths of a core cycle */
#define CACHE_LLC_UNITS		(40 * CYC_UNITS)
#define CACHE_MEMORY_UNITS	(200 * CYC_UNITS)

/**
 * enum cache_result - where a line was found
 * @CACHE_CORE: in the core's own cache
 * @CACHE_LLC: in the last level
 * @CACHE_MEMORY: in neither
 */
enum cache_result { CACHE_CORE, CACHE_LLC, CACHE_MEMORY };

/**
 * struct cache - one CPU's caches; all zero at the start
 * @core: lines by set, most recently used first; 0 is an empty way, else line number plus 1
 * @code: the same for the core's cache for code
 * @llc: the same for the last level
 */
struct cache {
	uint64_t core[CACHE_CORE_SETS][CACHE_WAYS];
	uint64_t code[CACHE_CODE_SETS][CACHE_WAYS];
	uint64_t llc[CACHE_LLC_SETS][CACHE_WAYS];
};

/*
 * Look up the address of data and fill its line.
 *
 * Each level replaces its least recently used line, independently of the other.
 *
 * Return: where the line was found.
 */
enum cache_result cache_access(struct cache *c, uint64_t physical);

/*
 * Look up a line of code and fill it.
 * @line: its address shifted by CACHE_LINE_SHIFT
 *
 * Searches only the core's code cache; the last level holds code and data.
 *
 * Return: where the line was found.
 */
enum cache_result cache_fetch(struct cache *c, uint64_t line);

#endif /* MODEL_CACHE_H */
