// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names that perf has for every CPU: generic events and cache events, and what each CPU counts. */
#include "perf_name.h"

#include <string.h>
#include <strings.h>

#include "../../kmod/core/types.h"
#include "../../kmod/regs.h"

/*
 * perf's generic names.  The codes are those of the architectural events, which every Intel PMU
 * has (SDM vol. 3, "Pre-defined Architectural Performance Events"); 0x0300 is perf's pseudo code of
 * fixed counter 2, and 0x013c the code that the kernel takes for bus-cycles.
 */
static const struct {
	const char *name;
	__u16 config;		/* 0: the kernel has none on any CPU served here */
	const char *desc;
} names[] = {
	{ "cpu-cycles", 0x003c, "Cycles in which the core was not halted." },
	{ "cycles", 0x003c, "Cycles in which the core was not halted." },
	{ "instructions", 0x00c0, "Instructions that retired." },
	{ "ref-cycles", 0x0300, "Cycles at a constant rate while the core was not halted." },
	{ "branch-instructions", 0x00c4, "Branches that retired." },
	{ "branches", 0x00c4, "Branches that retired." },
	{ "branch-misses", 0x00c5, "Retired branches that were predicted wrongly." },
	{ "cache-references", 0x4f2e, "Requests that came to the last cache level." },
	{ "cache-misses", 0x412e, "Requests that the last cache level could not answer." },
	{ "bus-cycles", 0x013c, "Cycles of the bus, or from Gracemont on at a constant rate." },
	{ "stalled-cycles-frontend", 0, "" },
	{ "idle-cycles-frontend", 0, "" },
	{ "stalled-cycles-backend", 0, "" },
	{ "idle-cycles-backend", 0, "" },
};

/* A name that the kernel has on Icelake and P-cores only, by the pseudo code of fixed counter 3. */
static const struct perf_name slots = {
	.name = "slots", .desc = "Pipeline slots, used or not.", .config = 0x0400,
};

/* ---- cache events ------------------------------------------------------------------------- */

/* E-cores in order of release, then big cores: each may have events in common with the next. */
enum core { GOLDMONT, GOLDMONT_PLUS, TREMONT, GRACEMONT, CRESTMONT, SKYMONT, DARKMONT_X,
	    ARCTIC_WOLF, P_CORE, SKYLAKE, ICELAKE, NR_CORES };

/*
 * The E-cores of Panther Lake are Darkmont, but have Skymont's way to the last level.  P-cores are
 * alike, but for their ways to the last level, which differ within a row of the CPU table, too.
 */
static const struct {
	const char *cpu;
	enum core core;
} cpu_cores[] = {
	{ "goldmont", GOLDMONT },
	{ "goldmontplus", GOLDMONT_PLUS },
	{ "tremont", TREMONT },
	{ "gracemont", GRACEMONT },
	{ "crestmont", CRESTMONT },
	{ "grandridge", CRESTMONT },
	{ "sierraforest", CRESTMONT },
	{ "skymont", SKYMONT },
	{ "pantherlake-e", SKYMONT },
	{ "clearwaterforest", DARKMONT_X },
	{ "arcticwolf", ARCTIC_WOLF },
	{ "goldencove", P_CORE },
	{ "redwoodcove", P_CORE },
	{ "lioncove", P_CORE },
	{ "panthercove", P_CORE },
	{ "coyotecove", P_CORE },
	{ "skylake", SKYLAKE },
	{ "icelake", ICELAKE },
};

enum cache { L1D, L1I, LLC, DTLB, ITLB, BRANCH, NODE, NR_CACHES };
enum op { LOAD, STORE, PREFETCH, NR_OPS };
enum result { ACCESS, MISS, NR_RESULTS };

#define CONFIG_LLC	0x01b7

/*
 * What Linux 7.2 counts, from arch/x86/events/intel/core.c: glm_hw_cache_event_ids and the like.
 * Events missing here exist on none of them.
 */
static const struct cache_event {
	const char *name;
	const char *desc;
	enum cache cache;
	enum op op;
	enum result result;
	enum core first;	/* that has it */
	enum core last;
	__u16 config;
} cache_events[] = {
	{ "L1-dcache-loads", "Retired loads.",
	  L1D, LOAD, ACCESS, GOLDMONT, ARCTIC_WOLF, 0x81d0 },
	{ "L1-dcache-stores", "Retired stores.",
	  L1D, STORE, ACCESS, GOLDMONT, ARCTIC_WOLF, 0x82d0 },
	{ "L1-icache-loads", "Instruction cache lines that fetch asked for.",
	  L1I, LOAD, ACCESS, GOLDMONT, ARCTIC_WOLF, 0x0380 },
	{ "L1-icache-load-misses", "Instruction cache lines that fetch asked for and did not find.",
	  L1I, LOAD, MISS, GOLDMONT, ARCTIC_WOLF, 0x0280 },
	{ "LLC-loads", "Demand reads of data that came to the last cache level.",
	  LLC, LOAD, ACCESS, GOLDMONT, ARCTIC_WOLF, CONFIG_LLC },
	{ "LLC-load-misses", "Demand reads that the last cache level could not answer.",
	  LLC, LOAD, MISS, GOLDMONT, ARCTIC_WOLF, CONFIG_LLC },
	{ "LLC-stores", "Reads for ownership that came to the last cache level.",
	  LLC, STORE, ACCESS, GOLDMONT, ARCTIC_WOLF, CONFIG_LLC },
	{ "LLC-store-misses", "Reads for ownership that the last cache level could not answer.",
	  LLC, STORE, MISS, GOLDMONT, ARCTIC_WOLF, CONFIG_LLC },
	{ "LLC-prefetches", "Prefetches that came to the last cache level.",
	  LLC, PREFETCH, ACCESS, GOLDMONT, GOLDMONT, CONFIG_LLC },
	{ "LLC-prefetch-misses", "Prefetches that the last cache level could not answer.",
	  LLC, PREFETCH, MISS, GOLDMONT, GOLDMONT, CONFIG_LLC },
	{ "dTLB-loads", "Retired loads.",
	  DTLB, LOAD, ACCESS, GOLDMONT, ARCTIC_WOLF, 0x81d0 },
	{ "dTLB-load-misses", "Page walks for loads that found the page.",
	  DTLB, LOAD, MISS, GOLDMONT_PLUS, ARCTIC_WOLF, 0x0e08 },
	{ "dTLB-stores", "Retired stores.",
	  DTLB, STORE, ACCESS, GOLDMONT, ARCTIC_WOLF, 0x82d0 },
	{ "dTLB-store-misses", "Page walks for stores that found the page.",
	  DTLB, STORE, MISS, GOLDMONT_PLUS, ARCTIC_WOLF, 0x0e49 },
	{ "iTLB-loads", "Instructions that retired.",
	  ITLB, LOAD, ACCESS, GOLDMONT, GOLDMONT_PLUS, 0x00c0 },
	{ "iTLB-load-misses", "Fetches from a page that the instruction TLB did not have.",
	  ITLB, LOAD, MISS, GOLDMONT, ARCTIC_WOLF, 0x0481 },
	{ "branch-loads", "Branches that retired.",
	  BRANCH, LOAD, ACCESS, GOLDMONT, ARCTIC_WOLF, 0x00c4 },
	{ "branch-load-misses", "Retired branches that were predicted wrongly.",
	  BRANCH, LOAD, MISS, GOLDMONT, ARCTIC_WOLF, 0x00c5 },
	{ "L1-dcache-loads", "Retired loads.",
	  L1D, LOAD, ACCESS, P_CORE, ICELAKE, 0x81d0 },
	{ "L1-dcache-load-misses", "Demand reads of data that missed the cache of the core.",
	  L1D, LOAD, MISS, P_CORE, P_CORE, 0xe124 },
	{ "L1-dcache-stores", "Retired stores.",
	  L1D, STORE, ACCESS, P_CORE, ICELAKE, 0x82d0 },
	{ "L1-icache-load-misses", "Fetches of code that missed the instruction cache.",
	  L1I, LOAD, MISS, P_CORE, P_CORE, 0xe424 },
	{ "dTLB-loads", "Retired loads.",
	  DTLB, LOAD, ACCESS, P_CORE, ICELAKE, 0x81d0 },
	{ "dTLB-load-misses", "Page walks for loads that found the page.",
	  DTLB, LOAD, MISS, P_CORE, P_CORE, 0x0e12 },
	{ "dTLB-stores", "Retired stores.",
	  DTLB, STORE, ACCESS, P_CORE, ICELAKE, 0x82d0 },
	{ "dTLB-store-misses", "Page walks for stores that found the page.",
	  DTLB, STORE, MISS, P_CORE, P_CORE, 0x0e13 },
	{ "iTLB-load-misses", "Page walks for fetches of code that found the page.",
	  ITLB, LOAD, MISS, P_CORE, P_CORE, 0x0e11 },
	{ "branch-loads", "Branches that retired, by the kernel's code for them.",
	  BRANCH, LOAD, ACCESS, P_CORE, P_CORE, 0x04c4 },
	{ "branch-load-misses", "Mispredicted branches, by the kernel's code for them.",
	  BRANCH, LOAD, MISS, P_CORE, P_CORE, 0x04c5 },
	{ "L1-dcache-load-misses", "Lines that came into the data cache.",
	  L1D, LOAD, MISS, SKYLAKE, ICELAKE, 0x0151 },
	{ "L1-icache-load-misses", "Fetches of code that missed the instruction cache.",
	  L1I, LOAD, MISS, SKYLAKE, ICELAKE, 0x0283 },
	{ "LLC-loads", "Demand reads of data that came to the last cache level.",
	  LLC, LOAD, ACCESS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "LLC-load-misses", "Demand reads that the last cache level could not answer.",
	  LLC, LOAD, MISS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "LLC-stores", "Reads for ownership that came to the last cache level.",
	  LLC, STORE, ACCESS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "LLC-store-misses", "Reads for ownership that the last cache level could not answer.",
	  LLC, STORE, MISS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "dTLB-load-misses", "Page walks for loads that found the page.",
	  DTLB, LOAD, MISS, SKYLAKE, ICELAKE, 0x0e08 },
	{ "dTLB-store-misses", "Page walks for stores that found the page.",
	  DTLB, STORE, MISS, SKYLAKE, ICELAKE, 0x0e49 },
	{ "iTLB-loads", "Fetches that missed the first TLB level and hit the second.",
	  ITLB, LOAD, ACCESS, SKYLAKE, SKYLAKE, 0x2085 },
	{ "iTLB-load-misses", "Page walks for fetches of code that found the page.",
	  ITLB, LOAD, MISS, SKYLAKE, ICELAKE, 0x0e85 },
	{ "branch-loads", "Branches that retired.",
	  BRANCH, LOAD, ACCESS, SKYLAKE, ICELAKE, 0x00c4 },
	{ "branch-load-misses", "Retired branches that were predicted wrongly.",
	  BRANCH, LOAD, MISS, SKYLAKE, ICELAKE, 0x00c5 },
	{ "node-loads", "Demand reads that the memory of this socket answered.",
	  NODE, LOAD, ACCESS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "node-load-misses", "Demand reads that the memory of another socket answered.",
	  NODE, LOAD, MISS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "node-stores", "Reads for ownership that the memory of this socket answered.",
	  NODE, STORE, ACCESS, SKYLAKE, ICELAKE, CONFIG_LLC },
	{ "node-store-misses", "Reads for ownership that the memory of another socket answered.",
	  NODE, STORE, MISS, SKYLAKE, ICELAKE, CONFIG_LLC },
};

/* The extra register of events of the last level: glm_hw_cache_extra_regs and the like. */
static const struct {
	__u32 msr;
	__u64 request[NR_OPS];
	__u64 response[NR_RESULTS];
} llc_codes[NR_CORES] = {
	[GOLDMONT] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2, 0x30 }, { 0x10000, 0x3600000000 } },
	[GOLDMONT_PLUS] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x10000, 0x3600000000 } },
	[TREMONT] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x10000, 0x3f04000000 } },
	[GRACEMONT] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x10000, 0x3f84400000 } },
	[CRESTMONT] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x10000, 0x3fbfc00000 } },
	[SKYMONT] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x10000, 0x13fbfc00000 } },
	[DARKMONT_X] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x10000, 0x33fbfc00000 } },
	[ARCTIC_WOLF] = { MSR_OMR_0, { 0x9, 0xa }, { 0x4000000000000000, 0xff03f000000000 } },
	[SKYLAKE] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x3fc0010000, 0x3ffc020000 } },
	[ICELAKE] = { MSR_OFFCORE_RSP_0, { 0x1, 0x2 }, { 0x3fc0010000, 0x3ffc020000 } },
};

/* Events of memory use the same register, with other responses. */
static const __u64 node_response[NR_RESULTS] = { 0x1fc4000000, 0x1ff8000000 };

/* perf's spellings; the first of each row is the one it prints */
#define MAX_ALIASES	5

static const char *const cache_words[NR_CACHES][MAX_ALIASES] = {
	[L1D] = { "L1-dcache", "l1-d", "l1d", "L1-data" },
	[L1I] = { "L1-icache", "l1-i", "l1i", "L1-instruction" },
	[LLC] = { "LLC", "L2" },
	[DTLB] = { "dTLB", "d-tlb", "Data-TLB" },
	[ITLB] = { "iTLB", "i-tlb", "Instruction-TLB" },
	[BRANCH] = { "branch", "branches", "bpu", "btb", "bpc" },
	[NODE] = { "node" },
};

static const char *const op_words[NR_OPS][MAX_ALIASES] = {
	[LOAD] = { "load", "loads", "read" },
	[STORE] = { "store", "stores", "write" },
	[PREFETCH] = { "prefetch", "prefetches", "speculative-read", "speculative-load" },
};

static const char *const result_words[NR_RESULTS][MAX_ALIASES] = {
	[ACCESS] = { "refs", "Reference", "ops", "access" },
	[MISS] = { "misses", "miss" },
};

/* What is left of a name. */
struct rest {
	const char *at;
	size_t len;
};

static bool starts_with(const struct rest *rest, const char *word)
{
	size_t len = strlen(word);

	return rest->len >= len && !strncasecmp(rest->at, word, len) &&
	       (rest->len == len || rest->at[len] == '-');
}

/* Take one of the words from the front, and the hyphen behind it; -1 if none is there. */
static int take(struct rest *rest, const char *const words[][MAX_ALIASES], unsigned int nr)
{
	size_t longest = 0;
	int found = -1;
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		for (j = 0; j < MAX_ALIASES && words[i][j]; j++) {
			if (strlen(words[i][j]) > longest && starts_with(rest, words[i][j])) {
				longest = strlen(words[i][j]);
				found = i;
			}
		}
	}
	if (longest < rest->len && found >= 0)
		longest++;
	rest->at += longest;
	rest->len -= longest;
	return found;
}

/* "CACHE", then operation and result in either order, each of which may be left out */
static bool split(const char *at, size_t len, enum cache *cache, enum op *op, enum result *result)
{
	struct rest rest = { at, len };
	int c, o, r;

	c = take(&rest, cache_words, NR_CACHES);
	if (c < 0 || at[len - 1] == '-')
		return false;
	o = take(&rest, op_words, NR_OPS);
	r = take(&rest, result_words, NR_RESULTS);
	if (o < 0)
		o = take(&rest, op_words, NR_OPS);
	if (rest.len)
		return false;
	*cache = c;
	*op = o < 0 ? LOAD : o;
	*result = r < 0 ? ACCESS : r;
	return true;
}

static int find_core(const char *cpu)
{
	unsigned int i;

	for (i = 0; cpu && i < ARRAY_SIZE(cpu_cores); i++) {
		if (!strcmp(cpu_cores[i].cpu, cpu))
			return cpu_cores[i].core;
	}
	return -1;
}

/* @core: -1 if it is none of these */
static bool core_has(int core, const struct cache_event *event)
{
	return core >= (int)event->first && core <= (int)event->last;
}

static struct perf_name cache_code(const struct cache_event *event, enum core core)
{
	struct perf_name code = {
		.name = event->name, .desc = event->desc, .config = event->config, .cache = true,
	};

	if (event->cache == LLC || event->cache == NODE) {
		code.extra = llc_codes[core].request[event->op] |
			     (event->cache == LLC ? llc_codes[core].response[event->result] :
			      node_response[event->result]);
		code.extra_msr = llc_codes[core].msr;
	}
	return code;
}

static enum perf_name_result find_cache(int core, const char *at, size_t len,
					struct perf_name *code)
{
	enum result result;
	enum cache cache;
	unsigned int i;
	enum op op;

	if (!split(at, len, &cache, &op, &result))
		return PERF_NAME_NONE;
	for (i = 0; i < ARRAY_SIZE(cache_events); i++) {
		const struct cache_event *event = &cache_events[i];

		if (event->cache != cache || event->op != op || event->result != result ||
		    !core_has(core, event))
			continue;
		*code = cache_code(event, core);
		return PERF_NAME_FOUND;
	}
	return PERF_NAME_UNSUPPORTED;
}

/* ---- all ---------------------------------------------------------------------------------- */

static int find_generic(const char *at, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) == len && !strncasecmp(names[i].name, at, len))
			return i;
	}
	return -1;
}

static struct perf_name generic_code(unsigned int i)
{
	return (struct perf_name){
		.name = names[i].name, .desc = names[i].desc, .config = names[i].config,
	};
}

static bool has_slots(int core)
{
	return core == P_CORE || core == ICELAKE;
}

static bool is_slots(const char *at, size_t len)
{
	return len == strlen(slots.name) && !strncasecmp(at, slots.name, len);
}

bool acrpmu_perf_name_find(const char *at, size_t len, __u64 *config)
{
	int i = find_generic(at, len);

	if (i < 0 || !names[i].config)
		return false;
	*config = names[i].config;
	return true;
}

enum perf_name_result acrpmu_perf_name_code(const char *cpu, const char *at, size_t len,
					    struct perf_name *code)
{
	int i = find_generic(at, len);

	if (is_slots(at, len)) {
		if (!has_slots(find_core(cpu)))
			return PERF_NAME_UNSUPPORTED;
		*code = slots;
		return PERF_NAME_FOUND;
	}
	if (i < 0)
		return find_cache(find_core(cpu), at, len, code);
	if (!names[i].config)
		return PERF_NAME_UNSUPPORTED;
	*code = generic_code(i);
	return PERF_NAME_FOUND;
}

bool acrpmu_perf_name_get(const char *cpu, unsigned int nr, struct perf_name *code)
{
	int core = find_core(cpu);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!names[i].config || nr--)
			continue;
		*code = generic_code(i);
		return true;
	}
	if (has_slots(core) && !nr--) {
		*code = slots;
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(cache_events); i++) {
		if (!core_has(core, &cache_events[i]) || nr--)
			continue;
		*code = cache_code(&cache_events[i], core);
		return true;
	}
	return false;
}

void acrpmu_perf_name_suggest(struct suggestion *best, const char *at, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].config)
			acrpmu_suggest_consider(best, at, len, names[i].name);
	}
}
