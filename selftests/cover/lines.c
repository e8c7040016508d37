// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the rows of a module's line table, and which of them ran in boots of the model CPU with
 * cover=on: FILE:LINE, 1 if it ran or 0, 1 where a statement begins or 0. A line may have many.
 * usage: lines MODULE.ko LOG...
 */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"

struct blocks {
	struct ran_block *block;
	size_t nr, room;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "lines: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read bytes in hex up to a quotation mark; false if they do not end there */
static bool parse_bytes(const char *text, struct ran_block *block)
{
	size_t digits = strspn(text, "0123456789abcdef"), i;

	if (!digits || digits % 2 || text[digits] != '"')
		return false;
	block->size = digits / 2;
	block->bytes = malloc(block->size);
	for (i = 0; block->bytes && i < block->size; i++)
		block->bytes[i] = hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]);
	return block->bytes;
}

static void add_block(struct blocks *blocks, const struct ran_block *block)
{
	if (blocks->nr == blocks->room) {
		blocks->room = 2 * blocks->room + 1024;
		blocks->block = realloc(blocks->block, blocks->room * sizeof(*blocks->block));
		if (!blocks->block)
			abort();
	}
	blocks->block[blocks->nr++] = *block;
}

static void read_log(struct blocks *blocks, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	if (!file)
		die(path, "cannot be read");
	while (getline(&line, &room, file) > 0) {
		struct ran_block block;
		int bytes = 0;

		if (sscanf(line, "{\"t\":\"block\",\"pc\":\"%" SCNx64 "\",\"bytes\":\"%n",
			   &block.address, &bytes) != 1 || !bytes)
			continue;
		if (!parse_bytes(line + bytes, &block))
			die(path, line);
		add_block(blocks, &block);
	}
	free(line);
	fclose(file);
}

/* Not from libdwfl, which relocates what it has read */
static void read_module(struct image *image, const char *path)
{
	int fd = open(path, O_RDONLY);
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || !image_read(image, elf))
		die(path, "is no module");
	elf_end(elf);
	close(fd);
}

/* Whether code of a line ran that starts at @address and goes on for @size bytes, or for none */
static bool row_ran(Dwfl_Module *module, const struct image *image, Dwarf_Addr address,
		    Dwarf_Addr size)
{
	Elf32_Word section;
	int index = dwfl_module_relocate_address(module, &address);

	if (index < 0 || !dwfl_module_relocation_info(module, index, &section))
		return false;
	return image_ran(image, section, address, size ? size : 1);
}

static void print_unit(Dwfl_Module *module, const struct image *image, Dwarf_Die *unit,
		       Dwarf_Addr bias)
{
	Dwarf_Lines *lines;
	size_t nr, i;

	if (dwarf_getsrclines(unit, &lines, &nr))
		return;
	for (i = 0; i + 1 < nr; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr address = 0, next = 0;
		bool statement = false, end = false;
		int number = 0;

		dwarf_lineaddr(row, &address);
		dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &next);
		dwarf_linebeginstatement(row, &statement);
		dwarf_lineendsequence(row, &end);
		dwarf_lineno(row, &number);
		if (end || !number)
			continue;
		printf("%s:%d\t%d\t%d\n", dwarf_linesrc(row, NULL, NULL), number,
		       row_ran(module, image, address + bias, next - address), statement);
	}
}

int main(int argc, char **argv)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct blocks blocks = { 0 };
	Dwfl_Module *module;
	struct image image;
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;
	Dwfl *dwfl;
	int i;

	if (argc < 3) {
		fprintf(stderr, "usage: lines MODULE.ko LOG...\n");
		return 2;
	}
	read_module(&image, argv[1]);
	for (i = 2; i < argc; i++)
		read_log(&blocks, argv[i]);
	fprintf(stderr, "%s: %zu of %zu blocks at its addresses are not its code\n", argv[1],
		image_run(&image, blocks.block, blocks.nr), blocks.nr);
	dwfl = dwfl_begin(&callbacks);
	module = dwfl_report_offline(dwfl, "", argv[1], -1);
	if (!module)
		die(argv[1], "has no lines");
	while ((unit = dwfl_module_nextcu(module, unit, &bias)))
		print_unit(module, &image, unit, bias);
	return 0;
}
