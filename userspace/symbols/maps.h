/* SPDX-License-Identifier: GPL-2.0-only */
/* Ranges of addresses in order, which owners share until one of them changes its own. */
#ifndef _SYMBOLS_MAPS_H
#define _SYMBOLS_MAPS_H

#include <stddef.h>
#include <linux/types.h>

/* Addresses at which a file is mapped. */
struct sym_map {
	__u64 start;
	__u64 end;		/* first address behind it */
	__u64 pgoff;		/* offset in the file that is mapped at @start */
	size_t dso;		/* index of the file */
};

/* All ranges of an owner; NULL is none. */
struct sym_maps;

int sym_maps_insert(struct sym_maps **maps, const struct sym_map *m);
struct sym_maps *sym_maps_share(struct sym_maps *maps);
void sym_maps_put(struct sym_maps *maps);
const struct sym_map *sym_maps_find(const struct sym_maps *maps, __u64 addr);
size_t sym_maps_nr(const struct sym_maps *maps);

#endif /* _SYMBOLS_MAPS_H */
