/* SPDX-License-Identifier: GPL-2.0-only */
/* Which unit and which function of debug information an address is in. */
#ifndef _SYMBOLS_DEBUG_UNIT_H
#define _SYMBOLS_DEBUG_UNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* Addresses that an entry of the debug information covers. */
struct debug_range {
	__u64 start;
	__u64 end;		/* first address behind it */
	Dwarf_Off die;		/* of the entry */
};

struct debug_ranges {
	struct debug_range *ranges;	/* by address, after sorting */
	size_t nr;
	size_t room;
};

/* Functions of a unit, found when an address in it is looked up. */
struct debug_unit {
	Dwarf_Off die;
	bool read;
	struct debug_ranges functions;
};

struct debug_units {
	struct debug_ranges ranges;	/* of all units */
	struct debug_unit *units;	/* by @die */
	size_t nr;
	size_t room;
	size_t nr_ranges;		/* everywhere, which is limited */
	bool cut;			/* damaged, or beyond a limit */
};

int debug_units_read(struct debug_units *u, Dwarf *dwarf);
int debug_units_find(struct debug_units *u, Dwarf *dwarf, __u64 addr, Dwarf_Die *unit,
		     Dwarf_Die *function);
void debug_units_free(struct debug_units *u);

#endif /* _SYMBOLS_DEBUG_UNIT_H */
