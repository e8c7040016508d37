/* SPDX-License-Identifier: GPL-2.0-only */
/* The code of a module as the kernel lays it out, and which of its bytes have run. */
#ifndef COVER_IMAGE_H
#define COVER_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code that stays, and code that the kernel frees once the module is loaded */
enum part { PART_STAYS, PART_INIT, NR_PARTS };

/**
 * struct load - an address at which a part was loaded
 * @address: of its first byte
 * @votes: blocks that can only have come from there
 */
struct load {
	uint64_t address;
	unsigned int votes;
};

/**
 * struct code - one part
 * @bytes: its bytes as in the file
 * @changes: by byte: the kernel may change it when it loads the module, or later
 * @ran: by byte: it has run
 * @size: of all three
 * @load: where it was loaded
 * @nr_loads: how many
 */
struct code {
	uint8_t *bytes;
	bool *changes, *ran;
	size_t size;
	struct load *load;
	size_t nr_loads;
};

/**
 * struct place - where a section is; @part is NR_PARTS for one without code
 */
struct place {
	enum part part;
	size_t offset;
};

/**
 * struct image - the code of a module
 * @code: its parts
 * @place: by section number
 * @nr_sections: how many
 */
struct image {
	struct code code[NR_PARTS];
	struct place *place;
	size_t nr_sections;
};

/**
 * struct ran_block - a block that a CPU ran
 * @address: where
 * @bytes: its bytes then
 * @size: how many
 */
struct ran_block {
	uint64_t address;
	uint8_t *bytes;
	size_t size;
};

/* Read the code of a module; false if @elf is none. */
bool image_read(struct image *image, Elf *elf);

/*
 * Find where the module was loaded, and mark what has run.
 *
 * Return: blocks at addresses of the module that are not its code.
 */
size_t image_run(struct image *image, const struct ran_block *blocks, size_t nr);

/* Check whether any of @size bytes of a section has run. */
bool image_ran(const struct image *image, size_t section, size_t offset, size_t size);

#endif /* COVER_IMAGE_H */
