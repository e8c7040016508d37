// SPDX-License-Identifier: GPL-2.0-only
/* Lookup and replacement of the cache model. */
#include <stdbool.h>

#include "cache.h"

/* Move @tag to the front of its set; return whether it was there */
static bool touch(uint64_t *set, uint64_t tag)
{
	bool hit = true;
	int way = 0;

	while (way < CACHE_WAYS && set[way] != tag)
		way++;
	if (way == CACHE_WAYS) {
		hit = false;
		way--;
	}
	for (; way > 0; way--)
		set[way] = set[way - 1];
	set[0] = tag;
	return hit;
}

static enum cache_result beyond_core(struct cache *c, uint64_t line)
{
	if (touch(c->llc[line % CACHE_LLC_SETS], line + 1))
		return CACHE_LLC;
	return CACHE_MEMORY;
}

enum cache_result cache_access(struct cache *c, uint64_t physical)
{
	uint64_t line = physical >> CACHE_LINE_SHIFT;

	if (touch(c->core[line % CACHE_CORE_SETS], line + 1))
		return CACHE_CORE;
	return beyond_core(c, line);
}

enum cache_result cache_fetch(struct cache *c, uint64_t line)
{
	if (touch(c->code[line % CACHE_CODE_SETS], line + 1))
		return CACHE_CORE;
	return beyond_core(c, line);
}
