// SPDX-License-Identifier: GPL-2.0-only
/* Which unit and which function of debug information an address is in. */
#include "debug_unit.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Damaged files may repeat a list of ranges, or nest entries, as often as they like. */
#define MAX_RANGES	(4 * 1024 * 1024)
#define MAX_DEPTH	64
/* a range may lie inside others; a few steps back find it */
#define STEPS_BACK	8

static int add_range(struct debug_units *u, struct debug_ranges *r, __u64 start, __u64 end,
		     Dwarf_Off die)
{
	struct debug_range *more;

	if (u->nr_ranges >= MAX_RANGES) {
		u->cut = true;
		return 0;
	}
	more = sym_grow(r->ranges, r->nr, &r->room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	r->ranges = more;
	r->ranges[r->nr++] = (struct debug_range){ .start = start, .end = end, .die = die };
	u->nr_ranges++;
	return 0;
}

static int add_ranges(struct debug_units *u, struct debug_ranges *r, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		/* address 0: the linker has removed the function */
		if (start && end > start && add_range(u, r, start, end, dwarf_dieoffset(die)))
			return -ENOMEM;
		if (u->cut)
			break;
	}
	u->cut |= at < 0;
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct debug_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static void sort_ranges(struct debug_ranges *r)
{
	if (r->nr)
		qsort(r->ranges, r->nr, sizeof(*r->ranges), compare_ranges);
}

static const struct debug_range *find_range(const struct debug_ranges *r, __u64 addr)
{
	size_t lo = 0, hi = r->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->ranges[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (hi = lo > STEPS_BACK ? lo - STEPS_BACK : 0; lo > hi; lo--) {
		if (addr < r->ranges[lo - 1].end)
			return &r->ranges[lo - 1];
	}
	return NULL;
}

static int add_unit(struct debug_units *u, Dwarf_Die *die)
{
	struct debug_unit *more = sym_grow(u->units, u->nr, &u->room, sizeof(*more));

	if (!more)
		return -ENOMEM;
	u->units = more;
	u->units[u->nr++] = (struct debug_unit){ .die = dwarf_dieoffset(die) };
	return add_ranges(u, &u->ranges, die);
}

/**
 * debug_units_read() - find the units that have code; @u is zeroed before
 *
 * What a unit has in another file (split DWARF) is not read: its name comes from the file, so that
 * it might lead anywhere.
 *
 * Return: 0 or -ENOMEM; debug_units_free() in any case.
 */
int debug_units_read(struct debug_units *u, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	uint8_t type;
	int next;

	while (!(next = dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, NULL))) {
		if (type == DW_UT_compile && add_unit(u, &die))
			return -ENOMEM;
		if (u->cut)
			break;
	}
	u->cut |= next < 0;
	sort_ranges(&u->ranges);
	return 0;
}

/* Entries that contain functions, and functions, which may contain others. */
static bool contains_functions(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_lexical_block:
		return true;
	}
	return false;
}

static int read_functions(struct debug_units *u, struct debug_ranges *r, Dwarf_Die *parent,
			  unsigned int depth)
{
	Dwarf_Die die;
	int next = dwarf_child(parent, &die);

	if (depth > MAX_DEPTH) {
		u->cut = true;
		return 0;
	}
	for (; !next && !u->cut; next = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && add_ranges(u, r, &die))
			return -ENOMEM;
		if (contains_functions(tag) && dwarf_haschildren(&die) > 0 &&
		    read_functions(u, r, &die, depth + 1))
			return -ENOMEM;
	}
	u->cut |= next < 0;
	return 0;
}

static int compare_units(const void *a, const void *b)
{
	const struct debug_unit *x = a, *y = b;

	return x->die < y->die ? -1 : x->die > y->die;
}

/**
 * debug_units_find() - find the unit and the innermost function at an address
 *
 * Return: 0, -ENOENT if there is none, -ENOMEM.
 */
int debug_units_find(struct debug_units *u, Dwarf *dwarf, __u64 addr, Dwarf_Die *unit,
		     Dwarf_Die *function)
{
	const struct debug_range *r = find_range(&u->ranges, addr);
	struct debug_unit key, *found;

	if (!r || !dwarf_offdie(dwarf, r->die, unit))
		return -ENOENT;
	key.die = r->die;
	/* in the order of the file */
	found = bsearch(&key, u->units, u->nr, sizeof(*u->units), compare_units);
	if (!found)
		return -ENOENT;
	if (!found->read) {
		found->read = true;
		if (read_functions(u, &found->functions, unit, 0))
			return -ENOMEM;
		sort_ranges(&found->functions);
	}
	r = find_range(&found->functions, addr);
	return r && dwarf_offdie(dwarf, r->die, function) ? 0 : -ENOENT;
}

/** debug_units_free() - free what was read; @u is empty afterwards */
void debug_units_free(struct debug_units *u)
{
	size_t i;

	for (i = 0; i < u->nr; i++)
		free(u->units[i].functions.ranges);
	free(u->units);
	free(u->ranges.ranges);
	memset(u, 0, sizeof(*u));
}
