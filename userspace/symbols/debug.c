// SPDX-License-Identifier: GPL-2.0-only
/* Inlined functions and source lines of a file with debug information (DWARF), read with libdw. */
#include "debug.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug_unit.h"

#define MAX_DEPTH	256	/* of functions inlined into each other, and of blocks */
#define MAX_STEPS	(1024 * 1024)	/* ranges and entries that a lookup reads */
#define MAX_FRAMES	65536	/* that are kept */
#define SLOTS		32768	/* of addresses that are kept, a power of 2 */
#define MAX_SLOTS	(SLOTS / 2)	/* that are used */

/* The frames of an address that was looked up. */
struct known {
	__u64 vaddr;
	unsigned int first;	/* in @frames */
	unsigned int nr;
	bool used;
};

struct sym_debug {
	int fd, alt_fd;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf *alt;		/* what several files share, NULL: nothing */
	struct debug_units units;
	struct known *known;	/* SLOTS of them */
	size_t nr_known;
	struct sym_frame *frames;	/* of all that are known; MAX_FRAMES */
	size_t nr_frames;
	size_t steps;		/* of this lookup */
};

/* Entries of one lookup, from the function itself inwards. */
struct nest {
	Dwarf_Die inlined[MAX_DEPTH];
	size_t nr;
};

/*
 * libdw would open the shared file itself by the name that the file gives.  Only a file that the
 * caller has found is used, and without it there are hardly any names.
 */
static int add_alt(struct sym_debug *d)
{
	const void *id, *other;
	const char *name;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(d->dwarf, &name, &id);
	Elf *elf;

	if (size <= 0)
		return size ? -ENOENT : 0;
	d->alt = d->alt_fd < 0 ? NULL : dwarf_begin(d->alt_fd, DWARF_C_READ);
	elf = d->alt ? dwarf_getelf(d->alt) : NULL;
	if (!elf || dwelf_elf_gnu_build_id(elf, &other) != size || memcmp(id, other, size))
		return -ENOENT;
	dwarf_setalt(d->dwarf, d->alt);
	return 0;
}

static int begin(struct sym_debug *d)
{
	int err;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return -ENOENT;
	/* read, not mapped: truncating the file at the same time does no harm */
	d->elf = elf_begin(d->fd, ELF_C_READ, NULL);
	if (!d->elf || elf_kind(d->elf) != ELF_K_ELF)
		return -ENOENT;
	d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dwarf)
		return -ENOENT;
	err = add_alt(d);
	if (!err)
		err = debug_units_read(&d->units, d->dwarf);
	return err;
}

/**
 * sym_debug_begin() - read the debug information of an ELF file
 * @debug: set to NULL if this fails
 * @fd: the file, opened with sym_elf_open(); closed by sym_debug_end(), or here if this fails
 * @alt_fd: likewise the file that it shares entries with, or -1
 *
 * Return: 0, -ENOENT if the file has none that can be read, -ENOMEM.
 */
int sym_debug_begin(struct sym_debug **debug, int fd, int alt_fd)
{
	struct sym_debug *d = calloc(1, sizeof(*d));
	int err = -ENOMEM;

	*debug = NULL;
	if (!d) {
		close(fd);
		if (alt_fd >= 0)
			close(alt_fd);
		return err;
	}
	d->fd = fd;
	d->alt_fd = alt_fd;
	d->known = calloc(SLOTS, sizeof(*d->known));
	d->frames = calloc(MAX_FRAMES, sizeof(*d->frames));
	if (d->known && d->frames)
		err = begin(d);
	if (err)
		sym_debug_end(d);
	else
		*debug = d;
	return err;
}

/** sym_debug_end() - free what was read; NULL is nothing */
void sym_debug_end(struct sym_debug *d)
{
	if (!d)
		return;
	debug_units_free(&d->units);
	dwarf_end(d->dwarf);
	dwarf_end(d->alt);
	elf_end(d->elf);
	close(d->fd);
	if (d->alt_fd >= 0)
		close(d->alt_fd);
	free(d->known);
	free(d->frames);
	free(d);
}

/** sym_debug_cut() - whether some of it could not be read, since it is damaged or exceeds limits */
bool sym_debug_cut(const struct sym_debug *d)
{
	return d->units.cut;
}

/* Count a step of a lookup; false: there were too many. */
static bool may_step(struct sym_debug *d)
{
	if (d->steps++ < MAX_STEPS)
		return true;
	d->units.cut = true;
	return false;
}

static bool covers(struct sym_debug *d, Dwarf_Die *die, __u64 vaddr)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (may_step(d) && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (vaddr >= start && vaddr < end)
			return true;
	}
	return false;
}

/* Find the entry below another that covers the address: an inlined function or a block. */
static bool find_inside(struct sym_debug *d, Dwarf_Die *parent, __u64 vaddr, Dwarf_Die *die)
{
	int next = dwarf_child(parent, die);

	for (; !next && may_step(d); next = dwarf_siblingof(die, die)) {
		int tag = dwarf_tag(die);

		if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
		    covers(d, die, vaddr))
			return true;
	}
	d->units.cut |= next < 0;
	return false;
}

static void find_inlined(struct sym_debug *d, Dwarf_Die *function, __u64 vaddr, struct nest *n)
{
	Dwarf_Die parent = *function, die;
	unsigned int depth;

	n->nr = 0;
	for (depth = 0; depth < MAX_DEPTH && find_inside(d, &parent, vaddr, &die); depth++) {
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
			n->inlined[n->nr++] = die;
		parent = die;
	}
	d->units.cut |= depth == MAX_DEPTH;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &value) ? value : 0;
}

/* As the symbol table would have it: the name for the linker, if there is one. */
static const char *name_of(Dwarf_Die *die)
{
	static const unsigned int names[] = {
		DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name,
	};
	const char *name = NULL;
	Dwarf_Attribute attr;
	unsigned int i;

	for (i = 0; !name && i < sizeof(names) / sizeof(*names); i++)
		name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attr));
	return name && *name ? name : "[inlined]";
}

static void line_of(Dwarf_Die *unit, __u64 vaddr, struct sym_frame *f)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, vaddr);
	int number;

	f->file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	f->line = f->file && !dwarf_lineno(line, &number) && number > 0 ? number : 0;
}

static void call_of(Dwarf_Die *unit, Dwarf_Die *inlined, struct sym_frame *f)
{
	Dwarf_Files *files;
	size_t nr;

	f->file = NULL;
	if (!dwarf_getsrcfiles(unit, &files, &nr))
		f->file = dwarf_filesrc(files, number_of(inlined, DW_AT_call_file), NULL, NULL);
	f->line = f->file ? number_of(inlined, DW_AT_call_line) : 0;
}

/* The line of each frame is where the one before it was called. */
static void add_frames(struct sym_debug *d, Dwarf_Die *unit, struct nest *n, __u64 vaddr,
		       struct known *k)
{
	struct sym_frame *f = d->frames + d->nr_frames;
	size_t i;

	k->first = d->nr_frames;
	k->nr = n->nr + 1;
	line_of(unit, vaddr, f);
	for (i = n->nr; i; i--) {
		(f++)->name = name_of(&n->inlined[i - 1]);
		call_of(unit, &n->inlined[i - 1], f);
	}
	f->name = NULL;
	d->nr_frames += k->nr;
}

static struct known *slot_of(struct sym_debug *d, __u64 vaddr)
{
	size_t at = (vaddr * 0x9e3779b97f4a7c15ULL) >> 32;

	while (d->known[at & (SLOTS - 1)].used && d->known[at & (SLOTS - 1)].vaddr != vaddr)
		at++;
	return &d->known[at & (SLOTS - 1)];
}

/* Forget all when there is no room for one more. */
static struct known *new_slot(struct sym_debug *d, __u64 vaddr)
{
	struct known *k;

	if (d->nr_known == MAX_SLOTS || d->nr_frames + MAX_DEPTH >= MAX_FRAMES) {
		memset(d->known, 0, SLOTS * sizeof(*d->known));
		d->nr_known = 0;
		d->nr_frames = 0;
	}
	k = slot_of(d, vaddr);
	*k = (struct known){ .vaddr = vaddr, .used = true };
	d->nr_known++;
	return k;
}

static int look_up(struct sym_debug *d, struct known *k)
{
	Dwarf_Die unit, function;
	struct nest n;
	int err = debug_units_find(&d->units, d->dwarf, k->vaddr, &unit, &function);

	if (err)
		return err == -ENOENT ? 0 : err;
	d->steps = 0;
	find_inlined(d, &function, k->vaddr, &n);
	add_frames(d, &unit, &n, k->vaddr, k);
	return 0;
}

/**
 * sym_debug_frames() - find the functions that an address belongs to
 * @vaddr: as the file numbers addresses
 * @frames: set to them, innermost first, the last is not inlined; valid until the next lookup
 * @nr: set to their number, 0: there is no debug information for this address
 *
 * Return: 0 or -ENOMEM.
 */
int sym_debug_frames(struct sym_debug *d, __u64 vaddr, const struct sym_frame **frames,
		     size_t *nr)
{
	struct known *k = slot_of(d, vaddr);
	int err = 0;

	if (!k->used) {
		k = new_slot(d, vaddr);
		err = look_up(d, k);
	}
	*frames = d->frames + k->first;
	*nr = k->nr;
	return err;
}
