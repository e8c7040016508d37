// SPDX-License-Identifier: GPL-2.0-only
/* Ranges of addresses in blocks that never change: an insertion replaces one or two of them. */
#include "maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ranges of a block */
#define BLOCK_MAX	64
#define FIRST_ROOM	4

/* Neighbouring ranges by address, at least one. */
struct block {
	size_t refs;		/* lists that it is in */
	size_t nr;
	struct sym_map map[];
};

/* Ranges by address, without overlap. */
struct sym_maps {
	size_t refs;		/* owners; only a single owner may change it */
	struct block **blocks;
	size_t nr;
	size_t room;
};

static struct block *make_block(const struct sym_map *map, size_t nr)
{
	struct block *b = malloc(sizeof(*b) + nr * sizeof(*map));

	if (!b)
		return NULL;
	b->refs = 1;
	b->nr = nr;
	memcpy(b->map, map, nr * sizeof(*map));
	return b;
}

static void put_block(struct block *b)
{
	if (b && !--b->refs)
		free(b);
}

/* Copy a list, NULL for an empty one, and leave room for @more blocks; the copies share blocks. */
static struct sym_maps *make_maps(const struct sym_maps *from, size_t more)
{
	struct sym_maps *maps = calloc(1, sizeof(*maps));
	size_t i, nr = from ? from->nr : 0;

	if (!maps)
		return NULL;
	maps->refs = 1;
	maps->room = nr + more;
	maps->blocks = calloc(maps->room, sizeof(*maps->blocks));
	if (!maps->blocks) {
		free(maps);
		return NULL;
	}
	for (i = 0; i < nr; i++) {
		maps->blocks[i] = from->blocks[i];
		maps->blocks[i]->refs++;
	}
	maps->nr = nr;
	return maps;
}

/**
 * sym_maps_share() - add an owner
 *
 * Return: @maps, which may be NULL; release it with sym_maps_put().
 */
struct sym_maps *sym_maps_share(struct sym_maps *maps)
{
	if (maps)
		maps->refs++;
	return maps;
}

/** sym_maps_put() - drop an owner, with the last one the ranges; does nothing if @maps is NULL */
void sym_maps_put(struct sym_maps *maps)
{
	size_t i;

	if (!maps || --maps->refs)
		return;
	for (i = 0; i < maps->nr; i++)
		put_block(maps->blocks[i]);
	free(maps->blocks);
	free(maps);
}

/* Make *@maps the only owner of its list, with room for @more blocks. */
static int prepare(struct sym_maps **maps, size_t more)
{
	struct sym_maps *m = *maps;
	struct block **blocks;
	size_t room;

	if (!m || m->refs > 1) {
		m = make_maps(m, more + FIRST_ROOM);
		if (!m)
			return -ENOMEM;
		sym_maps_put(*maps);
		*maps = m;
		return 0;
	}
	if (m->nr + more <= m->room)
		return 0;
	room = m->room * 2 + more;
	blocks = reallocarray(m->blocks, room, sizeof(*blocks));
	if (!blocks)
		return -ENOMEM;
	m->blocks = blocks;
	m->room = room;
	return 0;
}

/* The first block that ends behind an address. */
static size_t block_behind(const struct sym_maps *maps, __u64 addr)
{
	size_t lo = 0, hi = maps->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct block *b = maps->blocks[mid];

		if (b->map[b->nr - 1].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Copy the part of a block before a range. */
static size_t copy_before(struct sym_map *to, const struct block *b, const struct sym_map *m)
{
	size_t i, nr = 0;

	for (i = 0; i < b->nr && b->map[i].start < m->start; i++) {
		to[nr] = b->map[i];
		if (to[nr].end > m->start)
			to[nr].end = m->start;
		nr++;
	}
	return nr;
}

/* Copy the part of a block behind a range. */
static size_t copy_behind(struct sym_map *to, const struct block *b, const struct sym_map *m)
{
	size_t i, nr = 0;

	for (i = 0; i < b->nr; i++) {
		if (b->map[i].end <= m->end)
			continue;
		to[nr] = b->map[i];
		if (to[nr].start < m->end) {
			to[nr].pgoff += m->end - to[nr].start;
			to[nr].start = m->end;
		}
		nr++;
	}
	return nr;
}

/* Replace @nr_old blocks from @at on by @nr ranges; without memory nothing changes. */
static int replace(struct sym_maps **maps, size_t at, size_t nr_old, const struct sym_map *all,
		   size_t nr)
{
	size_t i, nr_new = (nr + BLOCK_MAX - 1) / BLOCK_MAX, from = 0;
	struct block *fresh[3] = { NULL };
	struct sym_maps *m;
	int err = prepare(maps, nr_new);

	for (i = 0; !err && i < nr_new; i++) {
		/* of equal size, so that a block which was split has room again */
		size_t upto = nr * (i + 1) / nr_new;

		fresh[i] = make_block(all + from, upto - from);
		if (!fresh[i])
			err = -ENOMEM;
		from = upto;
	}
	if (err) {
		for (i = 0; i < nr_new; i++)
			put_block(fresh[i]);
		return err;
	}
	m = *maps;
	for (i = 0; i < nr_old; i++)
		put_block(m->blocks[at + i]);
	memmove(m->blocks + at + nr_new, m->blocks + at + nr_old,
		(m->nr - at - nr_old) * sizeof(*m->blocks));
	memcpy(m->blocks + at, fresh, nr_new * sizeof(*fresh));
	m->nr += nr_new - nr_old;
	return 0;
}

/**
 * sym_maps_insert() - add a range that is not empty and cut what it covers out of the others
 *
 * Other owners keep the ranges that they have.
 *
 * Return: 0; -ENOMEM, and nothing has changed.
 */
int sym_maps_insert(struct sym_maps **maps, const struct sym_map *m)
{
	/* one range can be split, and one is new */
	struct sym_map all[2 * BLOCK_MAX + 2];
	const struct sym_maps *old = *maps;
	size_t first, last, nr = 0;

	if (!old || !old->nr)
		return replace(maps, 0, 0, m, 1);
	first = block_behind(old, m->start);
	if (first == old->nr)
		first--;
	for (last = first; last + 1 < old->nr; last++) {
		if (old->blocks[last + 1]->map[0].start >= m->end)
			break;
	}
	/* blocks in between are covered as a whole */
	nr = copy_before(all, old->blocks[first], m);
	all[nr++] = *m;
	nr += copy_behind(all + nr, old->blocks[last], m);
	return replace(maps, first, last - first + 1, all, nr);
}

/**
 * sym_maps_find() - find the range that contains an address
 *
 * Return: the range, valid until @maps changes; NULL if there is none.
 */
const struct sym_map *sym_maps_find(const struct sym_maps *maps, __u64 addr)
{
	size_t at = maps ? block_behind(maps, addr) : 0, lo = 0, hi;
	const struct block *b;

	if (!maps || at == maps->nr)
		return NULL;
	b = maps->blocks[at];
	hi = b->nr;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (b->map[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return b->map[lo].start <= addr ? &b->map[lo] : NULL;
}

/** sym_maps_nr() - count the ranges; NULL has none */
size_t sym_maps_nr(const struct sym_maps *maps)
{
	size_t i, nr = 0;

	for (i = 0; maps && i < maps->nr; i++)
		nr += maps->blocks[i]->nr;
	return nr;
}
