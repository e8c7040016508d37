// SPDX-License-Identifier: GPL-2.0-only
/* Finds a module in the blocks that have run by its bytes, which needs no help of the guest. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

/* Parts are loaded at the start of a page. */
#define PAGE	4096
/* A block votes if so many of its bytes agree, and so many of them find a load. */
#define MIN_BYTES	12
#define MIN_VOTES	3

/* Tables of instructions that the kernel replaces, and how long these are at most */
static const struct {
	const char *name;
	size_t size;
} patched[] = {
	{ ".altinstructions", 10 }, { ".parainstructions", 10 }, { ".retpoline_sites", 6 },
	{ ".return_sites", 5 }, { ".call_sites", 5 }, { ".static_call_sites", 5 },
	{ "__jump_table", 5 }, { "__mcount_loc", 5 }, { ".ibt_endbr_seal", 4 },
	{ ".smp_locks", 1 },
};

static void *allocate(size_t nr, size_t size)
{
	void *memory = calloc(nr + 1, size);

	if (!memory)
		abort();
	return memory;
}

static const char *section_name(Elf *elf, const GElf_Shdr *header)
{
	size_t names;
	const char *name = NULL;

	if (!elf_getshdrstrndx(elf, &names))
		name = elf_strptr(elf, names, header->sh_name);
	return name ? name : "";
}

static bool is_code(const GElf_Shdr *header)
{
	return header->sh_type == SHT_PROGBITS && header->sh_flags & SHF_ALLOC &&
	       header->sh_flags & SHF_EXECINSTR;
}

/* As layout_sections() of the kernel does: one after another, as their headers are */
static void place_sections(struct image *image, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		struct place *place = &image->place[elf_ndxscn(section)];
		size_t align;

		place->part = NR_PARTS;
		if (!gelf_getshdr(section, &header) || !is_code(&header))
			continue;
		align = header.sh_addralign ? header.sh_addralign : 1;
		place->part = strncmp(section_name(elf, &header), ".init", 5) ?
			PART_STAYS : PART_INIT;
		place->offset = (image->code[place->part].size + align - 1) / align * align;
		image->code[place->part].size = place->offset + header.sh_size;
	}
}

static void copy_sections(struct image *image, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		const struct place *place = &image->place[elf_ndxscn(section)];
		const Elf_Data *data = elf_getdata(section, NULL);

		if (place->part != NR_PARTS && data && data->d_buf)
			memcpy(image->code[place->part].bytes + place->offset, data->d_buf,
			       data->d_size);
	}
}

static void note_changes(struct image *image, size_t section, uint64_t offset, size_t size)
{
	const struct place *place = &image->place[section];
	struct code *code;

	if (place->part == NR_PARTS)
		return;
	code = &image->code[place->part];
	for (offset += place->offset; size && offset < code->size; offset++, size--)
		code->changes[offset] = true;
}

static size_t width(const GElf_Rela *rela)
{
	switch (GELF_R_TYPE(rela->r_info)) {
	case R_X86_64_64:
	case R_X86_64_PC64:
		return 8;
	default:
		return 4;
	}
}

/* Note what one relocation says of code: that it is relocated, or that a table names it */
static void note_relocation(struct image *image, size_t section, size_t patched_size,
			    const GElf_Rela *rela, Elf_Data *symbols)
{
	GElf_Sym symbol;

	note_changes(image, section, rela->r_offset, width(rela));
	if (patched_size && gelf_getsym(symbols, GELF_R_SYM(rela->r_info), &symbol) &&
	    symbol.st_shndx < image->nr_sections)
		note_changes(image, symbol.st_shndx, symbol.st_value + rela->r_addend,
			     patched_size);
}

static size_t size_patched(Elf *elf, size_t section)
{
	GElf_Shdr header;
	const char *name;
	size_t i;

	if (!gelf_getshdr(elf_getscn(elf, section), &header))
		return 0;
	name = section_name(elf, &header);
	for (i = 0; i < sizeof(patched) / sizeof(patched[0]); i++)
		if (!strcmp(name, patched[i].name))
			return patched[i].size;
	return 0;
}

static void note_relocations(struct image *image, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Rela rela;
	int i;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data, *symbols;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA ||
		    header.sh_info >= image->nr_sections)
			continue;
		data = elf_getdata(section, NULL);
		symbols = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
		for (i = 0; gelf_getrela(data, i, &rela); i++)
			note_relocation(image, header.sh_info,
					size_patched(elf, header.sh_info), &rela, symbols);
	}
}

bool image_read(struct image *image, Elf *elf)
{
	GElf_Ehdr header;
	int i;

	memset(image, 0, sizeof(*image));
	if (!gelf_getehdr(elf, &header) || header.e_type != ET_REL ||
	    header.e_machine != EM_X86_64 || elf_getshdrnum(elf, &image->nr_sections))
		return false;
	image->place = allocate(image->nr_sections, sizeof(*image->place));
	image->place[0].part = NR_PARTS;
	place_sections(image, elf);
	for (i = 0; i < NR_PARTS; i++) {
		struct code *code = &image->code[i];

		code->bytes = allocate(code->size, 1);
		code->changes = allocate(code->size, sizeof(bool));
		code->ran = allocate(code->size, sizeof(bool));
	}
	copy_sections(image, elf);
	note_relocations(image, elf);
	return true;
}

/* Bytes that are compared and agree; 0 if any differs, 1 at least if none is compared */
static size_t agree(const struct code *code, size_t offset, const struct ran_block *block)
{
	size_t i, nr = 1;

	for (i = 0; i < block->size; i++) {
		if (code->changes[offset + i])
			continue;
		if (code->bytes[offset + i] != block->bytes[i])
			return 0;
		nr++;
	}
	return nr;
}

static void vote(struct code *code, uint64_t address)
{
	size_t i;

	for (i = 0; i < code->nr_loads; i++)
		if (code->load[i].address == address) {
			code->load[i].votes++;
			return;
		}
	code->load = realloc(code->load, (code->nr_loads + 1) * sizeof(*code->load));
	if (!code->load)
		abort();
	code->load[code->nr_loads++] = (struct load){ .address = address, .votes = 1 };
}

/* Vote for all loads that the block may come from: its place in its page is known. */
static void vote_block(struct code *code, const struct ran_block *block)
{
	size_t offset;

	for (offset = block->address % PAGE; offset + block->size <= code->size; offset += PAGE)
		if (agree(code, offset, block) > MIN_BYTES)
			vote(code, block->address - offset);
}

/* Mark what a block ran; a module that is loaded again may have left its addresses to others. */
static bool run_block(struct code *code, const struct ran_block *block, bool *at_address)
{
	bool ours = false;
	size_t i;

	for (i = 0; i < code->nr_loads; i++) {
		uint64_t offset = block->address - code->load[i].address;

		if (code->load[i].votes < MIN_VOTES || offset >= code->size ||
		    block->size > code->size - offset)
			continue;
		*at_address = true;
		if (!agree(code, offset, block))
			continue;
		memset(code->ran + offset, true, block->size);
		ours = true;
	}
	return ours;
}

size_t image_run(struct image *image, const struct ran_block *blocks, size_t nr)
{
	size_t i, others = 0;
	int part;

	for (part = 0; part < NR_PARTS; part++)
		for (i = 0; i < nr; i++)
			vote_block(&image->code[part], &blocks[i]);
	for (i = 0; i < nr; i++) {
		bool at_address = false, ours = false;

		for (part = 0; part < NR_PARTS; part++)
			ours |= run_block(&image->code[part], &blocks[i], &at_address);
		others += at_address && !ours;
	}
	return others;
}

bool image_ran(const struct image *image, size_t section, size_t offset, size_t size)
{
	const struct place *place = &image->place[section];
	const struct code *code;

	if (section >= image->nr_sections || place->part == NR_PARTS)
		return false;
	code = &image->code[place->part];
	for (offset += place->offset; size && offset < code->size; offset++, size--)
		if (code->ran[offset])
			return true;
	return false;
}
