// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the cache model: working sets of known size, and a second one with time stamps. */
#include <stdlib.h>

#include "cache.h"
#include "tap.h"

#define LINE	64
#define MIB	(1024 * 1024)

static void pass(struct cache *c, uint64_t size, int where[3])
{
	uint64_t a;

	memset(where, 0, 3 * sizeof(*where));
	for (a = 0; a < size; a += LINE)
		where[cache_access(c, a)]++;
}

static void working_sets(void)
{
	struct cache *c = calloc(1, sizeof(*c));
	int where[3];

	pass(c, MIB, where);
	is_u64(where[CACHE_MEMORY], MIB / LINE, "cold caches: all data comes from memory");
	pass(c, MIB, where);
	is_u64(where[CACHE_CORE], MIB / LINE, "1 MiB stays in the core's cache");
	pass(c, 8 * MIB, where);
	pass(c, 8 * MIB, where);
	is_u64(where[CACHE_LLC], 8 * MIB / LINE, "8 MiB stay in the last level");
	pass(c, 64 * MIB, where);
	pass(c, 64 * MIB, where);
	is_u64(where[CACHE_MEMORY], 64 * MIB / LINE, "64 MiB exceed every level");
	free(c);
	c = calloc(1, sizeof(*c));
	cache_access(c, 0x1000);
	is_u64(cache_access(c, 0x103f), CACHE_CORE, "the same line");
	is_u64(cache_access(c, 0x1040), CACHE_MEMORY, "the next line");
	free(c);
}

static void fetch_pass(struct cache *c, uint64_t size, int where[3])
{
	uint64_t line;

	memset(where, 0, 3 * sizeof(*where));
	for (line = 0; line < size / LINE; line++)
		where[cache_fetch(c, line)]++;
}

static void code_has_a_cache_of_its_own(void)
{
	struct cache *c = calloc(1, sizeof(*c));
	int where[3];

	pass(c, MIB / 2, where);
	fetch_pass(c, 32 * 1024, where);
	is_u64(where[CACHE_LLC], 512, "code that was read as data is in the last level");
	fetch_pass(c, 32 * 1024, where);
	is_u64(where[CACHE_CORE], 512, "32 KiB of code stay in the core's cache");
	fetch_pass(c, 64 * 1024, where);
	fetch_pass(c, 64 * 1024, where);
	is_u64(where[CACHE_LLC], 1024, "64 KiB do not");
	fetch_pass(c, MIB, where);
	is_u64(where[CACHE_MEMORY], MIB / 2 / LINE, "untouched code comes from memory");
	pass(c, MIB / 2, where);
	is_u64(where[CACHE_CORE], MIB / 2 / LINE, "fetches evict no data from the core");
	free(c);
}

/* Each way with the time of its last use; the oldest is replaced */
struct naive_level {
	unsigned int sets;
	struct {
		uint64_t line, used;
	} way[32768][8];
};

static bool naive_touch(struct naive_level *l, uint64_t line, uint64_t now)
{
	unsigned int set = line & (l->sets - 1), oldest = 0, i;

	for (i = 0; i < 8; i++) {
		if (l->way[set][i].used && l->way[set][i].line == line) {
			l->way[set][i].used = now;
			return true;
		}
		if (l->way[set][i].used < l->way[set][oldest].used)
			oldest = i;
	}
	l->way[set][oldest].line = line;
	l->way[set][oldest].used = now;
	return false;
}

static void agrees_with_another(void)
{
	struct naive_level *core = calloc(1, sizeof(*core)), *llc = calloc(1, sizeof(*llc));
	struct cache *c = calloc(1, sizeof(*c));
	int differ = 0, seen[3] = { 0 };
	uint64_t now;

	core->sets = CACHE_CORE_SETS;
	llc->sets = CACHE_LLC_SETS;
	srand(3);
	for (now = 1; now <= 1000000; now++) {
		/* half of the accesses in 2 MiB, the rest in 32 MiB, some far up */
		uint64_t a = (uint64_t)rand() % (rand() & 1 ? 2 * MIB : 32 * MIB);
		int want;

		if (rand() % 10 == 0)
			a += 1ULL << 40;
		want = naive_touch(core, a / LINE, now) ? 0 :
		       naive_touch(llc, a / LINE, now) ? 1 : 2;
		seen[want]++;
		differ += (int)cache_access(c, a) != want;
	}
	is_u64(differ, 0, "a million accesses");
	ok(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000, "of all three kinds");
	free(core);
	free(llc);
	free(c);
}

int main(void)
{
	plan(0);
	working_sets();
	code_has_a_cache_of_its_own();
	agrees_with_another();
	return done();
}
