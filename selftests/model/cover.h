/* SPDX-License-Identifier: GPL-2.0-only */
/* The log of blocks of modules that run, from which selftests/cover finds the lines that did. */
#ifndef MODEL_COVER_H
#define MODEL_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log.h"

/* Where the kernel loads modules: above its own code, which is not moved in these guests */
#define COVER_MODULES		0xffffffffa0000000ULL
#define COVER_MODULES_END	0xffffffffff000000ULL

/* Most bytes that QEMU makes a block of: those of two pages */
#define COVER_MAX_BYTES		8192

/* Check whether code at @pc may be a module's. */
static inline bool cover_is_module(uint64_t pc)
{
	return pc >= COVER_MODULES && pc < COVER_MODULES_END;
}

/* Log a block of a module that QEMU translates, as a CPU is about to run it. */
void cover_block(struct log *log, uint64_t pc, const uint8_t *bytes, size_t size);

#endif /* MODEL_COVER_H */
