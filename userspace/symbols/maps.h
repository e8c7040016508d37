/* SPDX-License-Identifier: GPL-2.0-only */
/* Ranges of addresses in order, shared by their owners until one of them changes them. */
#ifndef _SYMBOLS_MAPS_H
#define _SYMBOLS_MAPS_H

#include <stddef.h>
#include <linux/types.h>

/**
 * struct sym_map - a range of addresses
 * @start: first address
 * @end: the first behind it
 * @pgoff: place in the file that @start shows
 * @dso: index of the file
 */
struct sym_map {
	__u64 start;
	__u64 end;
	__u64 pgoff;
	size_t dso;
};

/* NULL: no range at all */
struct sym_maps;

int sym_maps_insert(struct sym_maps **maps, const struct sym_map *m);
struct sym_maps *sym_maps_share(struct sym_maps *maps);
void sym_maps_put(struct sym_maps *maps);
const struct sym_map *sym_maps_find(const struct sym_maps *maps, __u64 addr);
size_t sym_maps_nr(const struct sym_maps *maps);

#endif /* _SYMBOLS_MAPS_H */
