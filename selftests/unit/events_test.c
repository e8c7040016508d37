// SPDX-License-Identifier: GPL-2.0-only
/* Named events of a CPU: which CPU, which table, what each name means, and refusals in strings. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"
#include "userspace/lib/cpu_identity.h"
#include "userspace/lib/perf_name.h"
#include "userspace/lib/events.h"

#define PATH_LEN	256

/* what acrpmu_events_open() would use; the tests have places of their own */
const struct event_maps acrpmu_builtin_events;

/* ---- CPUID strings: SDM vol. 2A, CPUID leaf 1, DisplayFamily and DisplayModel ---------------- */

static const struct {
	int line;
	const char *string;
	__u32 core_type;
	__u32 signature;
	__u32 want_core_type;
	const char *want;
	const char *pmu;
} ids[] = {
	{ __LINE__, "GenuineIntel-6-DD-0", 0, 0xd06d0, 0, "GenuineIntel-6-DD-0", "cpu" },
	{ __LINE__, "GenuineIntel-6-5C-9", 0, 0x506c9, 0, "GenuineIntel-6-5C-9", "cpu" },
	{ __LINE__, "GenuineIntel-6-5c", 0, 0x506c0, 0, "GenuineIntel-6-5C-0", "cpu" },
	{ __LINE__, "GenuineIntel-6-55-B", 0, 0x5065b, 0, "GenuineIntel-6-55-B", "cpu" },
	{ __LINE__, "GenuineIntel-15-6-5", 0, 0xf65, 0, "GenuineIntel-15-6-5", "cpu" },
	{ __LINE__, "GenuineIntel-18-3-1", 0, 0x300f31, 0x20000000, "GenuineIntel-18-3-1",
	  "cpu_atom" },
	{ __LINE__, "GenuineIntel-6-BD-1", 0, 0xb06d1, 0x20000000, "GenuineIntel-6-BD-1",
	  "cpu_atom" },
	{ __LINE__, "GenuineIntel-6-C5-2", 0, 0xc0652, 0x20000003, "GenuineIntel-6-C5-2",
	  "cpu_atom" },
	{ __LINE__, "GenuineIntel-6-C5-2", 0x20000002, 0xc0652, 0x20000002, "GenuineIntel-6-C5-2",
	  "cpu_lowpower" },
	{ __LINE__, "GenuineIntel-6-C5-2", 0x40000003, 0xc0652, 0x40000003, "GenuineIntel-6-C5-2",
	  "cpu_core" },
	{ __LINE__, "0x004d0100", 0, 0, 0, "0x004d0100", "cpu" },
	{ __LINE__, "AcrpmuTest-1-1", 0, 0, 0, "AcrpmuTest-1-1", "cpu" },
};

static const char *const bad_ids[] = {
	"", "GenuineIntel-", "GenuineIntel-6", "GenuineIntel-6-", "GenuineIntel-6-XY",
	"GenuineIntel-6-0x5C", "GenuineIntel-6-5C-", "GenuineIntel-6-5C-10",
	"GenuineIntel-6-5C-9-1",
	"GenuineIntel-6-5C-9 ", "GenuineIntel--6-5C", "GenuineIntel-6-100", "GenuineIntel-300-5C",
	"0123456789012345678901234567890123456789012345678901234567890123",
};

static void test_ids(void)
{
	struct cpu_identity id;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		int line = ids[i].line;

		is_u64(acrpmu_cpu_identity_parse(ids[i].string, ids[i].core_type, &id), 0,
		       "line %d: %s is read", line, ids[i].string);
		is_u64(id.signature, ids[i].signature, "line %d: signature", line);
		is_u64(id.core_type, ids[i].want_core_type, "line %d: core type", line);
		is_str(id.string, ids[i].want, "line %d: printed again", line);
		is_str(id.pmu, ids[i].pmu, "line %d: PMU", line);
	}
	for (i = 0; i < ARRAY_SIZE(bad_ids); i++)
		ok(acrpmu_cpu_identity_parse(bad_ids[i], 0, &id) == -EINVAL, "'%s' is refused",
		   bad_ids[i]);
}

/* ---- files -------------------------------------------------------------------------------- */

static char top[PATH_LEN / 2];

static const char *put_file(const char *name, const char *content)
{
	static char path[PATH_LEN];
	char *at;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	for (at = path + strlen(top) + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(path, 0755);
		*at = '/';
	}
	f = fopen(path, "w");
	if (!f || fputs(content, f) < 0)
		exit(1);
	fclose(f);
	return path;
}

static const char *in_top(const char *name)
{
	static char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return path;
}

static void remove_top(void)
{
	char command[PATH_LEN];

	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	if (system(command))
		exit(1);
}

static void test_sysfs(void)
{
	put_file("sys/cpu_atom/cpus", "8-15,20\n");
	put_file("sys/cpu_core/cpus", "\n");
	is_u64(acrpmu_cpu_identity_first(in_top("sys"), "cpu_atom"), 8, "first CPU of a PMU");
	ok(acrpmu_cpu_identity_first(in_top("sys"), "cpu_core") == -1, "a PMU without CPUs");
	ok(acrpmu_cpu_identity_first(in_top("sys"), "cpu_lowpower") == -1,
	   "a PMU that is not there");
}

/* ---- perf's own names: Linux 7.2, arch/x86/events/intel/core.c, worked out by hand ----------- */

#define GLM "goldmont"
#define GLP "goldmontplus"
#define CWF "clearwaterforest"
#define SRF "sierraforest"
#define ARW "arcticwolf"

static const struct {
	int line;
	const char *cpu;
	const char *name;
	__u64 config;		/* 0: the kernel answers ENOENT or EINVAL */
	__u64 extra;
	__u32 msr;
} cache_names[] = {
	{ __LINE__, GLM, "L1-dcache-loads", 0x81d0, 0, 0 },
	{ __LINE__, GLM, "L1-dcache-load-misses", 0, 0, 0 },
	{ __LINE__, GLM, "L1-dcache-stores", 0x82d0, 0, 0 },
	{ __LINE__, GLM, "L1-dcache-store-misses", 0, 0, 0 },
	{ __LINE__, GLM, "L1-dcache-prefetches", 0, 0, 0 },
	{ __LINE__, GLM, "L1-icache-loads", 0x0380, 0, 0 },
	{ __LINE__, GLM, "L1-icache-load-misses", 0x0280, 0, 0 },
	{ __LINE__, GLM, "L1-icache-stores", 0, 0, 0 },
	/* request bit 0, 1, or 4 and 5; bit 16, or for misses 33, 34, 36 and 37 */
	{ __LINE__, GLM, "LLC-loads", 0x01b7, 0x10001, 0x1a6 },
	{ __LINE__, GLM, "LLC-load-misses", 0x01b7, 0x3600000001, 0x1a6 },
	{ __LINE__, GLM, "LLC-stores", 0x01b7, 0x10002, 0x1a6 },
	{ __LINE__, GLM, "LLC-store-misses", 0x01b7, 0x3600000002, 0x1a6 },
	{ __LINE__, GLM, "LLC-prefetches", 0x01b7, 0x10030, 0x1a6 },
	{ __LINE__, GLM, "LLC-prefetch-misses", 0x01b7, 0x3600000030, 0x1a6 },
	{ __LINE__, GLM, "dTLB-loads", 0x81d0, 0, 0 },
	{ __LINE__, GLM, "dTLB-load-misses", 0, 0, 0 },
	{ __LINE__, GLM, "dTLB-stores", 0x82d0, 0, 0 },
	{ __LINE__, GLM, "dTLB-store-misses", 0, 0, 0 },
	{ __LINE__, GLM, "iTLB-loads", 0x00c0, 0, 0 },
	{ __LINE__, GLM, "iTLB-load-misses", 0x0481, 0, 0 },
	{ __LINE__, GLM, "branch-loads", 0x00c4, 0, 0 },
	{ __LINE__, GLM, "branch-load-misses", 0x00c5, 0, 0 },
	{ __LINE__, GLM, "branch-stores", 0, 0, 0 },
	{ __LINE__, GLM, "node-loads", 0, 0, 0 },
	{ __LINE__, GLP, "dTLB-load-misses", 0x0e08, 0, 0 },
	{ __LINE__, GLP, "dTLB-store-misses", 0x0e49, 0, 0 },
	{ __LINE__, GLP, "iTLB-loads", 0x00c0, 0, 0 },
	{ __LINE__, GLP, "LLC-load-misses", 0x01b7, 0x3600000001, 0x1a6 },
	{ __LINE__, GLP, "LLC-prefetches", 0, 0, 0 },
	{ __LINE__, GLP, "LLC-prefetch-misses", 0, 0, 0 },
	/* from Tremont on iTLB-loads is gone, and each core has misses of its own */
	{ __LINE__, "tremont", "LLC-loads", 0x01b7, 0x10001, 0x1a6 },
	{ __LINE__, "tremont", "LLC-load-misses", 0x01b7, 0x3f04000001, 0x1a6 },
	{ __LINE__, "tremont", "LLC-prefetches", 0, 0, 0 },
	{ __LINE__, "gracemont", "LLC-stores", 0x01b7, 0x10002, 0x1a6 },
	{ __LINE__, "gracemont", "LLC-load-misses", 0x01b7, 0x3f84400001, 0x1a6 },
	{ __LINE__, "gracemont", "LLC-store-misses", 0x01b7, 0x3f84400002, 0x1a6 },
	{ __LINE__, "crestmont", "LLC-store-misses", 0x01b7, 0x3fbfc00002, 0x1a6 },
	{ __LINE__, "grandridge", "LLC-load-misses", 0x01b7, 0x3fbfc00001, 0x1a6 },
	{ __LINE__, SRF, "LLC-load-misses", 0x01b7, 0x3fbfc00001, 0x1a6 },
	{ __LINE__, SRF, "iTLB-loads", 0, 0, 0 },
	{ __LINE__, SRF, "iTLB-load-misses", 0x0481, 0, 0 },
	{ __LINE__, CWF, "L1-dcache-loads", 0x81d0, 0, 0 },
	{ __LINE__, CWF, "LLC-loads", 0x01b7, 0x10001, 0x1a6 },
	{ __LINE__, CWF, "LLC-load-misses", 0x01b7, 0x33fbfc00001, 0x1a6 },
	{ __LINE__, CWF, "LLC-store-misses", 0x01b7, 0x33fbfc00002, 0x1a6 },
	{ __LINE__, CWF, "LLC-prefetches", 0, 0, 0 },
	{ __LINE__, CWF, "dTLB-load-misses", 0x0e08, 0, 0 },
	{ __LINE__, CWF, "iTLB-loads", 0, 0, 0 },
	{ __LINE__, "skymont", "LLC-loads", 0x01b7, 0x10001, 0x1a6 },
	{ __LINE__, "skymont", "LLC-load-misses", 0x01b7, 0x13fbfc00001, 0x1a6 },
	{ __LINE__, "skymont", "LLC-store-misses", 0x01b7, 0x13fbfc00002, 0x1a6 },
	/* Darkmont in hybrid CPUs, with the values of Skymont */
	{ __LINE__, "pantherlake-e", "LLC-loads", 0x01b7, 0x10001, 0x1a6 },
	{ __LINE__, "pantherlake-e", "LLC-load-misses", 0x01b7, 0x13fbfc00001, 0x1a6 },
	{ __LINE__, "crestmont", "branch-load-misses", 0x00c5, 0, 0 },
	{ __LINE__, "grandridge", "dTLB-store-misses", 0x0e49, 0, 0 },
	{ __LINE__, ARW, "LLC-loads", 0x01b7, 0x4000000000000009, 0x3e0 },
	{ __LINE__, ARW, "LLC-load-misses", 0x01b7, 0xff03f000000009, 0x3e0 },
	{ __LINE__, ARW, "LLC-stores", 0x01b7, 0x400000000000000a, 0x3e0 },
	{ __LINE__, ARW, "LLC-store-misses", 0x01b7, 0xff03f00000000a, 0x3e0 },
	{ __LINE__, ARW, "LLC-prefetches", 0, 0, 0 },
	/* P-cores, but for the last level: adl_glc_hw_cache_event_ids, pnc_hw_cache_event_ids */
	{ __LINE__, "goldencove", "L1-dcache-loads", 0x81d0, 0, 0 },
	{ __LINE__, "redwoodcove", "L1-dcache-load-misses", 0xe124, 0, 0 },
	{ __LINE__, "lioncove", "L1-dcache-stores", 0x82d0, 0, 0 },
	{ __LINE__, "lioncove", "L1-icache-loads", 0, 0, 0 },
	{ __LINE__, "coyotecove", "L1-icache-load-misses", 0xe424, 0, 0 },
	{ __LINE__, "coyotecove", "dTLB-loads", 0x81d0, 0, 0 },
	{ __LINE__, "panthercove", "dTLB-store-misses", 0x0e13, 0, 0 },
	{ __LINE__, "lioncove", "dTLB-load-misses", 0x0e12, 0, 0 },
	{ __LINE__, "lioncove", "dTLB-stores", 0x82d0, 0, 0 },
	{ __LINE__, "lioncove", "dTLB-store-misses", 0x0e13, 0, 0 },
	{ __LINE__, "lioncove", "iTLB-load-misses", 0x0e11, 0, 0 },
	{ __LINE__, "lioncove", "branch-loads", 0x04c4, 0, 0 },
	{ __LINE__, "lioncove", "branch-load-misses", 0x04c5, 0, 0 },
	{ __LINE__, "lioncove", "LLC-loads", 0, 0, 0 },
	/* skl_hw_cache_event_ids; any snoop is bits 30 to 37, any memory bits 26 to 29 */
	{ __LINE__, "skylake", "L1-dcache-load-misses", 0x0151, 0, 0 },
	{ __LINE__, "skylake", "L1-dcache-loads", 0x81d0, 0, 0 },
	{ __LINE__, "icelake", "L1-icache-load-misses", 0x0283, 0, 0 },
	{ __LINE__, "skylake", "LLC-loads", 0x01b7, 0x3fc0010001, 0x1a6 },
	{ __LINE__, "icelake", "LLC-store-misses", 0x01b7, 0x3ffc020002, 0x1a6 },
	{ __LINE__, "skylake", "LLC-prefetches", 0, 0, 0 },
	{ __LINE__, "skylake", "node-loads", 0x01b7, 0x1fc4000001, 0x1a6 },
	{ __LINE__, "icelake", "node-store-misses", 0x01b7, 0x1ff8000002, 0x1a6 },
	{ __LINE__, "skylake", "dTLB-stores", 0x82d0, 0, 0 },
	{ __LINE__, "icelake", "dTLB-load-misses", 0x0e08, 0, 0 },
	{ __LINE__, "skylake", "dTLB-store-misses", 0x0e49, 0, 0 },
	{ __LINE__, "skylake", "iTLB-loads", 0x2085, 0, 0 },
	{ __LINE__, "icelake", "iTLB-loads", 0, 0, 0 },
	{ __LINE__, "icelake", "iTLB-load-misses", 0x0e85, 0, 0 },
	{ __LINE__, "skylake", "branch-load-misses", 0x00c5, 0, 0 },
	{ __LINE__, "architectural", "LLC-loads", 0, 0, 0 },
	{ __LINE__, NULL, "LLC-loads", 0, 0, 0 },
	/* perf's other spellings */
	{ __LINE__, GLM, "l1-d-read", 0x81d0, 0, 0 },
	{ __LINE__, GLM, "l1d", 0x81d0, 0, 0 },
	{ __LINE__, GLM, "L1-data-write", 0x82d0, 0, 0 },
	{ __LINE__, GLM, "L1-dcache-read-refs", 0x81d0, 0, 0 },
	{ __LINE__, GLM, "L1-dcache-ops-store", 0x82d0, 0, 0 },
	{ __LINE__, GLM, "L1-instruction-load-miss", 0x0280, 0, 0 },
	{ __LINE__, GLM, "l1i-misses", 0x0280, 0, 0 },
	{ __LINE__, GLM, "L2-misses-store", 0x01b7, 0x3600000002, 0x1a6 },
	{ __LINE__, GLM, "llc-LOAD-misses", 0x01b7, 0x3600000001, 0x1a6 },
	{ __LINE__, GLM, "LLC-speculative-read", 0x01b7, 0x10030, 0x1a6 },
	{ __LINE__, GLM, "LLC-speculative-load-misses", 0x01b7, 0x3600000030, 0x1a6 },
	{ __LINE__, GLM, "Instruction-TLB-miss", 0x0481, 0, 0 },
	{ __LINE__, GLM, "i-tlb-Reference", 0x00c0, 0, 0 },
	{ __LINE__, GLM, "Data-TLB-loads", 0x81d0, 0, 0 },
	{ __LINE__, GLM, "d-tlb-write-access", 0x82d0, 0, 0 },
	{ __LINE__, GLM, "bpu-misses", 0x00c5, 0, 0 },
	{ __LINE__, GLM, "btb-loads", 0x00c4, 0, 0 },
	{ __LINE__, GLM, "bpc-read-miss", 0x00c5, 0, 0 },
	{ __LINE__, GLM, "branches-load-misses", 0x00c5, 0, 0 },
	/* generic names, which are the same everywhere */
	{ __LINE__, GLM, "branches", 0x00c4, 0, 0 },
	{ __LINE__, CWF, "Ref-Cycles", 0x0300, 0, 0 },
	{ __LINE__, NULL, "bus-cycles", 0x013c, 0, 0 },
	{ __LINE__, CWF, "stalled-cycles-frontend", 0, 0, 0 },
	/* slots, which are the kernel's event of P-cores */
	{ __LINE__, "lioncove", "Slots", 0x0400, 0, 0 },
	{ __LINE__, "goldencove", "slots", 0x0400, 0, 0 },
	{ __LINE__, "icelake", "slots", 0x0400, 0, 0 },
	{ __LINE__, "skymont", "slots", 0, 0, 0 },
	{ __LINE__, "skylake", "slots", 0, 0, 0 },
	{ __LINE__, NULL, "slots", 0, 0, 0 },
	{ __LINE__, CWF, "idle-cycles-backend", 0, 0, 0 },
};

static const char *const no_names[] = {
	"", "-", "L1", "L1-", "L1-dcache-", "LLC-", "LLC--loads", "LLC-loads-", "LLC-load-store",
	"LLC-misses-miss", "LLC-load-misses-x", "LLCloads", "LLC-loadss", "branchy", "l3-loads",
	"-LLC-loads", "nodes", "slot", "slots-", "slotss",
};

static void test_cache_names(void)
{
	struct perf_name code;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cache_names); i++) {
		const char *name = cache_names[i].name, *cpu = cache_names[i].cpu;
		enum perf_name_result result;

		code = (struct perf_name){ .config = 0 };
		result = acrpmu_perf_name_code(cpu, name, strlen(name), &code);
		ok(result == (cache_names[i].config ? PERF_NAME_FOUND : PERF_NAME_UNSUPPORTED) &&
		   code.config == cache_names[i].config && code.extra == cache_names[i].extra &&
		   code.extra_msr == cache_names[i].msr, "line %d: %s on %s (0x%llx, 0x%llx)",
		   cache_names[i].line, name, cpu ? cpu : "an unknown CPU", code.config,
		   code.extra);
	}
	for (i = 0; i < ARRAY_SIZE(no_names); i++)
		ok(acrpmu_perf_name_code(GLM, no_names[i], strlen(no_names[i]),
					 &code) == PERF_NAME_NONE,
		   "'%s' is no name of perf's", no_names[i]);
}

static unsigned int count_names(const char *cpu)
{
	struct perf_name code;
	unsigned int nr = 0;

	while (acrpmu_perf_name_get(cpu, nr, &code))
		nr++;
	return nr;
}

static void test_name_counts(void)
{
	/* ten generic names; the cache events by hand from the kernel's tables */
	is_u64(count_names(GLM), 10 + 16, "names on Goldmont");
	is_u64(count_names(GLP), 10 + 16, "names on Goldmont Plus");
	is_u64(count_names(CWF), 10 + 15, "names on Clearwater Forest");
	is_u64(count_names("lioncove"), 10 + 1 + 11, "names on Lion Cove, with slots");
	is_u64(count_names("architectural"), 10, "names on an unknown core");
	is_u64(count_names(NULL), 10, "names where no CPU is known");
}

/* ---- tables ------------------------------------------------------------------------------- */

enum text {
	EMPTY, FIRST, SECOND, BOTH, CORE_ONLY, EXTRA, FIXED, LATENCY, PRECISE, RARE, THREADS,
	UNCORE, CPU, ATOM, PCORE, CHA, TOPIC, DESC, TERMS
};

/* in the order of enum text */
static const char texts[][32] = {
	"", "AN.EVENT", "AN.OTHER_EVENT", "BOTH.CORES", "CORE.ONLY", "EXTRA.REQUESTS",
	"FIXED.COUNTER", "LOAD.LATENCY", "PRECISE.ONLY", "RARE.EVENT", "THREADS.ANY",
	"UNC.INSERTS", "cpu", "cpu_atom", "cpu_core", "uncore_cha", "pipeline", "Counts.",
	"event=0xc5",
};

#define AT(n)	((n) * (__u32)sizeof(*texts))
#define ROW(n, c, ...)	{ .name = AT(n), .desc = AT(DESC), .topic = AT(TOPIC),	\
			  .terms = AT(TERMS), .config = (c), .fixed = EVENT_NO_FIXED, \
			  .pmu = AT(CPU), __VA_ARGS__ }

#pragma GCC diagnostic ignored "-Woverride-init"
static const struct event_row rows[] = {
	ROW(FIRST, 0xc5, .gp_cntrs = 0xff, .period = 200003),
	ROW(SECOND, 0x1c5, .gp_cntrs = 0x3, .period = 1009, .flags = EVENT_DEPRECATED),
	ROW(BOTH, 0x1, .pmu = AT(ATOM), .gp_cntrs = 0xff),
	ROW(BOTH, 0x2, .pmu = AT(PCORE), .gp_cntrs = 0xff),
	ROW(CORE_ONLY, 0x3, .pmu = AT(PCORE), .gp_cntrs = 0xff),
	ROW(EXTRA, 0x1b7, .extra_msr = 0x1a6, .extra = 0x10001, .gp_cntrs = 0xff, .period = 100003),
	ROW(FIXED, 0xc0, .fixed = 0, .period = 2000003),
	ROW(LATENCY, 0x5d0, .extra_msr = 0x3f6, .extra = 0x80, .gp_cntrs = 0xff),
	ROW(PRECISE, 0x1d0, .flags = EVENT_NEEDS_PEBS, .gp_cntrs = 0xff),
	ROW(RARE, 0x1cb, .gp_cntrs = 0xff, .period = 203),
	ROW(THREADS, 0x20003c, .gp_cntrs = 0xff),
	ROW(UNCORE, 0x135, .pmu = AT(CHA), .flags = EVENT_OTHER_PMU),
};

static const struct event_table glm = { "goldmont", *texts, rows, ARRAY_SIZE(rows) };
static const struct event_table cwf = { "clearwaterforest", *texts, rows, ARRAY_SIZE(rows) };
static const struct event_table darkmont = { "darkmont", *texts, rows, ARRAY_SIZE(rows) };
static const struct event_table foreign = { "power8", *texts, rows, 2 };
/* of a CPU that has no row in the table of CPUs */
static const struct event_table sky = { "skylake", *texts, rows, ARRAY_SIZE(rows) };
static const struct event_table arch = { "architectural", *texts, rows, 1 };

static const struct event_map map_rows[] = {
	{ "GenuineIntel-6-5[CF]", "1", "core", "", 0, 0, &glm },
	{ "GenuineIntel-6-DD", "1", "core", "", 0, 0, &cwf },
	{ "GenuineIntel-6-(CC|D5|E5)", "1", "hybridcore", "Atom", 0x20, 0, &darkmont },
	{ "0x004d[[:xdigit:]]{4}", "1", "core", "", 0, 0, &foreign },
	{ "GenuineIntel-6-3C", "1", "core", "", 0, 0, &sky },
	{ "GenuineIntel-6-[[:xdigit:]]+", "1", "core", "", 0, 0, &arch },
};

static const struct event_table *const tables[] = { &arch, &cwf, &darkmont, &glm, &foreign, &sky };
static const struct event_maps builtin = { map_rows, ARRAY_SIZE(map_rows), tables, 6 };
static const char *const no_dirs[] = { NULL };
static const struct events_places plain = { "/nonexistent", no_dirs, &builtin };
/* whatever CPU the tests run on */
static const struct events_places no_cpu = { NULL, no_dirs, &builtin };

static struct acrpmu_message message;

static struct acrpmu_events *open_at(const struct events_places *places, const char *pmu,
				     const char *cpuid, const char *dir)
{
	const struct acrpmu_events_options options = {
		.size = sizeof(options), .pmu = pmu, .cpuid = cpuid, .dir = dir,
	};
	struct acrpmu_events *events = NULL;

	memset(&message, 0xcc, sizeof(message));
	if (acrpmu_events_open_at(places, &options, &events, &message))
		return NULL;
	return events;
}

static const struct {
	int line;
	const char *pmu, *cpuid;
	const char *cpu;	/* NULL: none of ours */
	const char *id;
	const char *core_pmu;
	const char *table;
} opens[] = {
	{ __LINE__, "goldmont", NULL, "goldmont", "GenuineIntel-6-5C-0", "cpu", "goldmont" },
	{ __LINE__, "glm", NULL, "goldmont", "GenuineIntel-6-5C-0", "cpu", "goldmont" },
	{ __LINE__, "GLM", NULL, "goldmont", "GenuineIntel-6-5C-0", "cpu", "goldmont" },
	{ __LINE__, "cwf", NULL, "clearwaterforest", "GenuineIntel-6-DD-0", "cpu",
	  "clearwaterforest" },
	{ __LINE__, "darkmont", NULL, "pantherlake-e", "GenuineIntel-6-CC-0", "cpu_atom",
	  "darkmont" },
	{ __LINE__, "pantherlake-e", NULL, "pantherlake-e", "GenuineIntel-6-CC-0", "cpu_atom",
	  "darkmont" },
	{ __LINE__, "power8", NULL, NULL, "power8", "cpu", "power8" },
	{ __LINE__, "tremont", NULL, "tremont", "GenuineIntel-6-86-0", "cpu", "architectural" },
	/* P-cores: of a server part, and of a hybrid one */
	{ __LINE__, "goldencove", NULL, "goldencove", "GenuineIntel-6-8F-0", "cpu",
	  "architectural" },
	{ __LINE__, "lnc", NULL, "lioncove", "GenuineIntel-6-BD-0", "cpu_core", "architectural" },
	{ __LINE__, NULL, "GenuineIntel-6-CF-2", "goldencove", "GenuineIntel-6-CF-2", "cpu",
	  "architectural" },
	{ __LINE__, "architectural", NULL, "architectural", "", "cpu", "architectural" },
	{ __LINE__, NULL, "GenuineIntel-6-5F-1", "goldmont", "GenuineIntel-6-5F-1", "cpu",
	  "goldmont" },
	{ __LINE__, NULL, "GenuineIntel-6-D5-1", "pantherlake-e", "GenuineIntel-6-D5-1",
	  "cpu_atom", "darkmont" },
	{ __LINE__, NULL, "GenuineIntel-6-9E-A", "skylake", "GenuineIntel-6-9E-A", "cpu",
	  "architectural" },
	{ __LINE__, NULL, "0x004d0100", NULL, "0x004d0100", "cpu", "power8" },
	{ __LINE__, NULL, "AuthenticAMD-25-1-1", NULL, "AuthenticAMD-25-1-1", "cpu", "" },
	/* a name goes before a CPUID string */
	{ __LINE__, "glm", "GenuineIntel-6-DD-0", "goldmont", "GenuineIntel-6-5C-0", "cpu",
	  "goldmont" },
};

static void test_open(void)
{
	struct acrpmu_events *events;
	struct acrpmu_cpu cpu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opens); i++) {
		int line = opens[i].line;

		events = open_at(&plain, opens[i].pmu, opens[i].cpuid, NULL);
		if (!ok(events, "line %d: opened", line))
			continue;
		is_str(acrpmu_events_cpu(events, &cpu) ? NULL : cpu.name, opens[i].cpu,
		       "line %d: the CPU", line);
		is_str(acrpmu_events_cpuid(events), opens[i].id, "line %d: its CPUID", line);
		is_str(acrpmu_events_pmu(events), opens[i].core_pmu, "line %d: its PMU", line);
		is_str(acrpmu_events_table(events), opens[i].table, "line %d: its table", line);
		is_str(acrpmu_events_source(events), "", "line %d: built in", line);
		acrpmu_events_close(events);
	}
}

static void test_next_table(void)
{
	struct acrpmu_events *events = open_at(&plain, "glm", NULL, NULL);
	const char *name = NULL;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		name = acrpmu_events_next_table(events, name);
		is_str(name, tables[i]->name, "table %u of all", i);
	}
	ok(!acrpmu_events_next_table(events, name), "none is behind the last");
	ok(!acrpmu_events_next_table(events, "no such table"), "nor behind one that there is not");
	acrpmu_events_close(events);
}

static void test_open_refused(void)
{
	struct acrpmu_events_options options = { .size = sizeof(options) - 1 };
	struct acrpmu_events *events = (void *)0xcc;

	ok(acrpmu_events_open_at(&plain, &options, &events, &message) == -EINVAL,
	   "options of an older size are refused");
	ok(!open_at(&plain, "goldmnt", NULL, NULL), "an unknown name is refused");
	is_str(message.code, "unknown-pmu", "... with its code");
	is_str(message.text, "there is no CPU 'goldmnt'", "... what is wrong");
	is_str(message.hint, "did you mean 'goldmont'?", "... and what may have been meant");
	ok(!open_at(&plain, "darkmnt", NULL, NULL), "so is that of a table");
	is_str(message.hint, "did you mean 'darkmont'?", "... with the table's name");
	ok(!open_at(&plain, "xyz", NULL, NULL), "so is one that is near to none");
	ok(strstr(message.hint, "--pmu list"), "... with a way to find them");
	ok(!open_at(&plain, NULL, "GenuineIntel-6", NULL), "half a CPUID string is refused");
	is_str(message.code, "cpuid", "... with its code");
	ok(!open_at(&plain, "cpu_atom", NULL, NULL), "a PMU that this machine does not have");
	ok(!open_at(&plain, "glm", NULL, "/nonexistent"), "a directory that is not there");
	is_str(message.code, "events-dir", "... with its code");
}

/* ---- what names mean ---------------------------------------------------------------------- */

static const struct {
	int line;
	const char *cpu;
	const char *name;
	int err;
	__u64 config, extra, period;
	__u64 cntrs, reloadable, cause;
	__u32 flags;
	int fixed;
} finds[] = {
	{ __LINE__, "cwf", "AN.EVENT", 0, 0xc5, 0, 200003, 0xff, 0xff, 0xff, 0, -1 },
	{ __LINE__, "cwf", "an.event", 0, 0xc5, 0, 200003, 0xff, 0xff, 0xff, 0, -1 },
	{ __LINE__, "cwf", "An.Other_Event", 0, 0x1c5, 0, 1009, 0x3, 0x3, 0x3,
	  ACRPMU_NAMED_DEPRECATED, -1 },
	{ __LINE__, "cwf", "AN.EVENTS", -ENOENT, 0, 0, 0, 0, 0, 0, 0, -1 },
	{ __LINE__, "cwf", "AN", -ENOENT, 0, 0, 0, 0, 0, 0, 0, -1 },
	/* four counters there, and no reload */
	{ __LINE__, "glm", "AN.EVENT", 0, 0xc5, 0, 200003, 0xf, 0, 0, 0, -1 },
	/* the general-purpose counters 0 and 1 cannot be reloaded there */
	{ __LINE__, "darkmont", "AN.EVENT", 0, 0xc5, 0, 200003, 0xff, 0xfc, 0xfc, 0, -1 },
	{ __LINE__, "darkmont", "AN.OTHER_EVENT", 0, 0x1c5, 0, 1009, 0x3, 0, 0,
	  ACRPMU_NAMED_DEPRECATED, -1 },
	/* rows for each kind of core */
	{ __LINE__, "darkmont", "BOTH.CORES", 0, 0x1, 0, 0, 0xff, 0xfc, 0xfc, 0, -1 },
	{ __LINE__, "darkmont", "CORE.ONLY", 0, 0x3, 0, 0, 0, 0, 0, ACRPMU_NAMED_OTHER_PMU, -1 },
	{ __LINE__, "cwf", "BOTH.CORES", 0, 0x1, 0, 0, 0, 0, 0, ACRPMU_NAMED_OTHER_PMU, -1 },
	/* extra registers */
	{ __LINE__, "glm", "EXTRA.REQUESTS", 0, 0x1b7, 0x10001, 100003, 0xf, 0, 0, 0, -1 },
	{ __LINE__, "cwf", "LOAD.LATENCY", 0, 0x5d0, 0x80, 0, 0xff, 0xff, 0xff,
	  ACRPMU_NAMED_EXTRA, -1 },
	{ __LINE__, "architectural", "AN.EVENT", 0, 0xc5, 0, 200003, 0xf, 0, 0, 0, -1 },
	/* a fixed counter, and what counts the same */
	{ __LINE__, "cwf", "FIXED.COUNTER", 0, 0xc0, 0, 2000003, 0x1000000ff, 0x1000000ff,
	  0x1000000ff, 0, 0 },
	{ __LINE__, "cwf", "PRECISE.ONLY", 0, 0x1d0, 0, 0, 0xff, 0xff, 0xff, ACRPMU_NAMED_PEBS,
	  -1 },
	{ __LINE__, "cwf", "THREADS.ANY", 0, 0x20003c, 0, 0, 0xff, 0xff, 0xff, ACRPMU_NAMED_BITS,
	  -1 },
	{ __LINE__, "cwf", "UNC.INSERTS", 0, 0x135, 0, 0, 0, 0, 0, ACRPMU_NAMED_OTHER_PMU, -1 },
	{ __LINE__, "power8", "AN.EVENT", 0, 0xc5, 0, 200003, 0, 0, 0, ACRPMU_NAMED_OTHER_PMU,
	  -1 },
	/* perf's own */
	{ __LINE__, "cwf", "cycles", 0, 0x3c, 0, 0, 0x2000000ff, 0x2000000ff, 0x2000000ff,
	  ACRPMU_NAMED_GENERIC, 1 },
	{ __LINE__, "glm", "LLC-loads", 0, 0x1b7, 0x10001, 0, 0xf, 0, 0, ACRPMU_NAMED_GENERIC,
	  -1 },
	{ __LINE__, "cwf", "iTLB-loads", -EOPNOTSUPP, 0, 0, 0, 0, 0, 0, 0, -1 },
	{ __LINE__, "cwf", "stalled-cycles-backend", -EOPNOTSUPP, 0, 0, 0, 0, 0, 0, 0, -1 },
};

static void test_find(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(finds); i++) {
		struct acrpmu_events *events = open_at(&plain, finds[i].cpu, NULL, NULL);
		struct acrpmu_named named = { .fixed = -1 };
		int line = finds[i].line;

		is_u64(acrpmu_events_find(events, finds[i].name, strlen(finds[i].name), &named),
		       finds[i].err, "line %d: %s on %s", line, finds[i].name, finds[i].cpu);
		is_u64(named.config, finds[i].config, "line %d: config", line);
		is_u64(named.extra_value, finds[i].extra, "line %d: extra register", line);
		is_u64(named.period, finds[i].period, "line %d: period", line);
		is_u64(named.cntrs, finds[i].cntrs, "line %d: counters", line);
		is_u64(named.reloadable_cntrs, finds[i].reloadable, "line %d: reloadable", line);
		is_u64(named.cause_cntrs, finds[i].cause, "line %d: cause", line);
		is_u64(named.flags, finds[i].flags, "line %d: flags", line);
		is_u64(named.fixed, finds[i].fixed, "line %d: fixed counter", line);
		acrpmu_events_close(events);
	}
}

/* Rows for a core that has no table of its own. */
static const struct event_row common_rows[] = {
	ROW(FIRST, 0x0073, .gp_cntrs = 0xff),	/* bit 9 of CPUID.0AH:EBX */
	ROW(SECOND, 0x1c5, .gp_cntrs = 0xff),
	ROW(EXTRA, 0x01b7, .gp_cntrs = 0xff),
	ROW(FIXED, 0x400, .fixed = 3),
};

static const struct event_table common = { "architectural", *texts, common_rows, 4 };
static const struct event_table own = { "goldmont", *texts, common_rows, 4 };
static const struct event_map common_map[] = {
	{ "GenuineIntel-6-5C", "1", "core", "", 0, 0, &own },
	{ "GenuineIntel-6-[[:xdigit:]]+", "1", "core", "", 0, 0, &common },
};

static const struct event_table *const common_tables[] = { &common, &own };
static const struct event_maps common_maps = { common_map, 2, common_tables, 2 };
static const struct events_places common_places = { "/nonexistent", no_dirs, &common_maps };

static __u32 flags_of(const struct acrpmu_events *events, const char *name)
{
	struct acrpmu_named named = { .flags = ~0U };

	acrpmu_events_find(events, name, strlen(name), &named);
	return named.flags;
}

static const char *refusal_of(const struct acrpmu_events *events, const char *string)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .period = 9, .events = events,
	};
	struct acrpmu_spec *spec = NULL;

	acrpmu_spec_parse(&string, 1, &options, &spec, &message);
	acrpmu_spec_free(spec);
	return message.code;
}

/* Cache misses are bit 4, bad speculation bit 9. */
static void test_lacking(void)
{
	struct acrpmu_events *events = open_at(&common_places, "tremont", NULL, NULL);

	is_u64(flags_of(events, "AN.EVENT"), 0,
	       "what the CPU of another machine lacks is not known");
	events->lacking = BIT_ULL(4) | BIT_ULL(9);
	is_u64(flags_of(events, "AN.EVENT"), ACRPMU_NAMED_LACKING, "an event that the CPU lacks");
	is_str(refusal_of(events, "AN.EVENT"), "event-lacking", "... is refused");
	is_u64(flags_of(events, "AN.OTHER_EVENT"), 0, "one that is not architectural");
	is_u64(flags_of(events, "cache-misses"), ACRPMU_NAMED_LACKING | ACRPMU_NAMED_GENERIC,
	       "a generic name that the CPU lacks");
	is_str(refusal_of(events, "cache-misses"), "event-lacking", "... is refused");
	is_str(refusal_of(events, "cpu/cache-misses/"), "event-lacking",
	       "... between slashes, too");
	is_str(refusal_of(events, "branch-misses"), "", "another generic name is not");
	acrpmu_events_close(events);
	events = open_at(&common_places, "goldmont", NULL, NULL);
	events->lacking = BIT_ULL(9);
	is_u64(flags_of(events, "AN.EVENT"), 0, "a CPU's own table has its own events");
	acrpmu_events_close(events);
}

static void test_registers(void)
{
	struct acrpmu_events *events = open_at(&common_places, "goldmont", NULL, NULL);
	struct acrpmu_named named;

	is_u64(flags_of(events, "FIXED.COUNTER"), ACRPMU_NAMED_NO_CNTR,
	       "of a fixed counter that the CPU lacks");
	is_str(refusal_of(events, "FIXED.COUNTER"), "event-cpu", "... is refused");
	acrpmu_events_find(events, "EXTRA.REQUESTS", 14, &named);
	is_u64(named.flags, ACRPMU_NAMED_OPEN, "an offcore event without a value");
	is_u64(named.extra_msr, 0x1a6, "... has its register");
	is_str(refusal_of(events, "EXTRA.REQUESTS/offcore_rsp=1/"), "", "... and takes a value");
	acrpmu_events_close(events);
}

static void test_get(void)
{
	struct acrpmu_events *events = open_at(&plain, "cwf", NULL, NULL);
	unsigned int nr = acrpmu_events_nr(events);
	struct acrpmu_named named;

	is_u64(nr, 10 + 15 + 12, "perf's own names and the table's");
	is_u64(acrpmu_events_get(events, 0, &named), 0, "the first");
	is_str(named.topic, "generic", "... is a generic one");
	is_u64(acrpmu_events_get(events, nr - 1, &named), 0, "the last");
	is_str(named.name, "UNC.INSERTS", "... is the table's last");
	is_str(named.desc, "Counts.", "... with its description");
	is_str(named.terms, "event=0xc5", "... its terms");
	is_str(named.pmu, "uncore_cha", "... and its PMU");
	ok(acrpmu_events_get(events, nr, &named) == -ENOENT, "none behind the last");
	acrpmu_events_close(events);

	events = open_at(&plain, "power8", NULL, NULL);
	is_u64(acrpmu_events_nr(events), 2, "only the table's names on CPUs of others");
	acrpmu_events_close(events);
}

static void test_nearest(void)
{
	struct acrpmu_events *events = open_at(&plain, "cwf", NULL, NULL);
	const char *near[8] = { NULL };

	is_u64(acrpmu_events_nearest(events, "AN.EVNT", 7, near, 4), 1, "one name is near");
	is_str(near[0], "AN.EVENT", "... the one");
	is_u64(acrpmu_events_nearest(events, "AN.OTHER", 8, near, 4), 1, "the first part of one");
	is_str(near[0], "AN.OTHER_EVENT", "... that one");
	is_u64(acrpmu_events_nearest(events, "BOTH.COERS", 10, near, 4), 1,
	       "one that is there for each kind of core is named once");
	/* LLC-load-misses by 1, -store- and those of both TLBs by 4, branch-load-misses by 6 */
	is_u64(acrpmu_events_nearest(events, "LLC-laod-misses", 15, near, 8), 5, "several");
	is_str(near[0], "LLC-load-misses", "... the nearest first");
	is_u64(acrpmu_events_nearest(events, "LLC-laod-misses", 15, near, 1), 1,
	       "no more than fit");
	is_str(near[0], "LLC-load-misses", "... the nearest of them");
	is_u64(acrpmu_events_nearest(events, "QQQQQQQQ", 8, near, 4), 0, "none is near");
	/* seven letters of twenty-one */
	is_u64(acrpmu_events_nearest(events, "L1-icache-load-mQQQQQQQ", 23, near, 4), 0,
	       "more than six letters are too many");
	is_u64(acrpmu_events_nearest(events, "", 0, near, 4), 0, "nothing is near nothing");
	acrpmu_events_close(events);
}

/* ---- places ------------------------------------------------------------------------------- */

#define JSON_EVENT(name, code)	"[{\"EventName\":\"" name "\",\"EventCode\":\"" code "\"," \
				"\"UMask\":\"0x1\",\"BriefDescription\":\"x\"}]"

static unsigned int nr_lines;
static char last_line[PATH_LEN];

static void count_line(void *ctx, const char *line)
{
	nr_lines++;
	snprintf(last_line, sizeof(last_line), "%s%s", (const char *)ctx, line);
}

static void check_name(struct acrpmu_events *events, const char *name, int config, const char *what)
{
	struct acrpmu_named named = { .config = 0 };

	is_u64(!events || acrpmu_events_find(events, name, strlen(name), &named) ? 0 : named.config,
	       config, "%s", what);
}

static void test_system_dirs(void)
{
	char first[PATH_LEN], second[PATH_LEN];
	const char *const dirs[] = { "/nonexistent", first, second, NULL };
	const struct events_places places = { "/nonexistent", dirs, &builtin };
	struct acrpmu_events *events;

	put_file("first/mapfile.csv", "\nGenuineIntel-6-DD,1,cwf,core\n");
	put_file("first/cwf/other.json", JSON_EVENT("FIRST.EVENT", "0x11"));
	put_file("second/mapfile.csv",
		 "\nGenuineIntel-6-5C,1,glm,core\nGenuineIntel-6-DD,1,cwf,core\n");
	put_file("second/cwf/other.json", JSON_EVENT("SECOND.EVENT", "0x22"));
	put_file("second/glm/other.json", JSON_EVENT("SECOND.EVENT", "0x33"));
	strcpy(first, in_top("first"));
	strcpy(second, in_top("second"));

	events = open_at(&places, "cwf", NULL, NULL);
	check_name(events, "first.event", 0x111, "the first of the system that has the CPU");
	check_name(events, "SECOND.EVENT", 0, "... and no other");
	check_name(events, "AN.EVENT", 0, "... and not what is built in");
	is_str(acrpmu_events_source(events), first, "... which is reported");
	acrpmu_events_close(events);

	events = open_at(&places, "goldmont", NULL, NULL);
	check_name(events, "SECOND.EVENT", 0x133, "the second one where it alone has the CPU");
	acrpmu_events_close(events);

	events = open_at(&places, "darkmont", NULL, NULL);
	check_name(events, "AN.EVENT", 0xc5, "what is built in, where none has the CPU");
	is_str(acrpmu_events_source(events), "", "... which is reported");
	acrpmu_events_close(events);
}

static void test_unreadable_names(void)
{
	static const struct {
		const char *name;
		const char *why;	/* NULL: a string can refer to it */
	} names[] = {
		{ "FINE.EVENT", NULL },
		{ "rank", NULL },
		{ "cycles", "is read as perf's own event of that name" },
		{ "r12", "is read as a raw code" },
		{ "r0x1F", "is read as a raw code" },
		{ "A:B", "has a ':' or '+', which ends a name" },
		{ "A+B", "has a ':' or '+', which ends a name" },
	};
	char dir[PATH_LEN], text[PATH_LEN];
	const struct acrpmu_events_options options = {
		.size = sizeof(options), .pmu = "cwf", .dir = dir, .report = count_line, .ctx = ">",
	};
	struct acrpmu_events *events;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(text, sizeof(text), "[{\"EventName\":\"%s\",\"EventCode\":\"0x44\"}]",
			 names[i].name);
		put_file("names/topic.json", text);
		strcpy(dir, in_top("names"));
		nr_lines = 0;
		ok(!acrpmu_events_open_at(&plain, &options, &events, &message), "'%s' is read",
		   names[i].name);
		is_u64(nr_lines, !!names[i].why, "... with a note or without");
		if (names[i].why)
			ok(strstr(last_line, names[i].why) &&
			   strstr(last_line, "or write cpu/event=0x44/"), "... %s", last_line);
		acrpmu_events_close(events);
	}
	nr_lines = 0;
}

static void test_given_dir(void)
{
	char dir[PATH_LEN];
	const struct acrpmu_events_options options = {
		.size = sizeof(options), .pmu = "cwf", .dir = dir, .report = count_line, .ctx = ">",
	};
	struct acrpmu_events *events;
	struct acrpmu_cpu cpu;

	put_file("given/mapfile.csv",
		 "\nGenuineIntel-6-DD,1,cwf,core\nGenuineIntel-6-BE,1,adln,core\n"
		 "0x00,1,odd,core\n");
	put_file("given/cwf/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("given/adln/topic.json", JSON_EVENT("GIVEN.EVENT", "0x55"));
	put_file("given/odd/topic.json",
		 "[\n{\"EventName\":\"BROKEN.EVENT\",\"EventCode\":\"zz\"}\n]");
	strcpy(dir, in_top("given"));

	ok(!acrpmu_events_open_at(&plain, &options, &events, &message), "a directory is given");
	check_name(events, "GIVEN.EVENT", 0x144, "its events of the CPU");
	check_name(events, "AN.EVENT", 0, "... and not those built in");
	is_str(acrpmu_events_source(events), dir, "... which is reported");
	is_u64(nr_lines, 1, "what is wrong in it is reported");
	ok(last_line[0] == '>' && strstr(last_line, "/odd/topic.json:2: EventCode: "),
	   "... with file, line and field: %s", last_line);
	acrpmu_events_close(events);

	events = open_at(&plain, "adln", NULL, dir);
	is_str(events && !acrpmu_events_cpu(events, &cpu) ? cpu.name : NULL, "gracemont",
	       "a table there by its name, and the CPU that it is for");
	acrpmu_events_close(events);
	events = open_at(&plain, "odd", NULL, dir);
	ok(events && acrpmu_events_cpu(events, &cpu) == -ENOENT, "a table there of no CPU of ours");
	acrpmu_events_close(events);
	ok(!open_at(&plain, "glm", NULL, dir), "a CPU that it has no table for");
	is_str(message.code, "no-table", "... is refused");
	ok(!strstr(message.hint, "--"), "... with a hint for any program: %s", message.hint);
	ok(strstr(message.text, "GenuineIntel-6-5C-0"), "... by name: %s", message.text);
	events = open_at(&plain, "gracemont", NULL, in_top("given/adln"));
	check_name(events, "GIVEN.EVENT", 0x155, "the directory of one CPU is for the CPU named");
	acrpmu_events_close(events);
	events = open_at(&plain, "gracemont", NULL, in_top("given/adln/topic.json"));
	check_name(events, "GIVEN.EVENT", 0x155, "so is a file");
	acrpmu_events_close(events);
	put_file("loose/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	events = open_at(&plain, "darkmont", NULL, in_top("loose"));
	is_str(events && !acrpmu_events_cpu(events, &cpu) ? cpu.name : NULL, "pantherlake-e",
	       "the CPU may be named by a built-in table, too");
	acrpmu_events_close(events);
}

/* Names of CPUs are those of kmod/core/model.c, and of the tables above. */
static const struct {
	int line;
	const char *pmu, *cpuid;
	const char *path;
	const char *cpu;	/* NULL: refused */
	const char *other;	/* because it is this one */
} named_dirs[] = {
	{ __LINE__, "cwf", NULL, "one/goldmont", NULL, "goldmont" },
	{ __LINE__, "cwf", NULL, "one/goldmont/", NULL, "goldmont" },
	{ __LINE__, "cwf", NULL, "one/goldmont/topic.json", NULL, "goldmont" },
	{ __LINE__, "cwf", NULL, "one/GLM", NULL, "GLM" },
	{ __LINE__, "cwf", NULL, "one/GLM/events", NULL, "GLM" },
	{ __LINE__, "cwf", NULL, "one/my/goldmont_core.json", NULL, "goldmont" },
	{ __LINE__, "cwf", NULL, "one/darkmont", NULL, "darkmont" },
	{ __LINE__, "architectural", NULL, "one/goldmont", NULL, "goldmont" },
	{ __LINE__, "power8", NULL, "one/goldmont", NULL, "goldmont" },
	{ __LINE__, NULL, "GenuineIntel-6-DD-0", "one/goldmont", NULL, "goldmont" },
	{ __LINE__, NULL, "AuthenticAMD-25-1-1", "one/goldmont", NULL, "goldmont" },
	{ __LINE__, "glm", NULL, "one/goldmont", "goldmont", NULL },
	{ __LINE__, NULL, "GenuineIntel-6-5F-1", "one/GLM", "goldmont", NULL },
	{ __LINE__, NULL, NULL, "one/goldmont", "goldmont", NULL },
	{ __LINE__, NULL, NULL, "one/GLM/events", "goldmont", NULL },
	{ __LINE__, NULL, NULL, "one/darkmont", "pantherlake-e", NULL },
	{ __LINE__, "pantherlake-e", NULL, "one/darkmont", "pantherlake-e", NULL },
	{ __LINE__, "darkmont", NULL, "one/darkmont", "pantherlake-e", NULL },
	/* names of no CPU */
	{ __LINE__, "cwf", NULL, "one/my", "clearwaterforest", NULL },
	{ __LINE__, "cwf", NULL, "one/architectural", "clearwaterforest", NULL },
	{ __LINE__, "cwf", NULL, "one/power8", "clearwaterforest", NULL },
	/* only the nearest directory counts */
	{ __LINE__, "cwf", NULL, "two/goldmont/my", "clearwaterforest", NULL },
	/* a mapfile next to the directory, or next to the parent of events/ */
	{ __LINE__, "cwf", NULL, "tree/skylakex", NULL, "skylakex" },
	{ __LINE__, "cwf", NULL, "tree/skylakex/topic.json", NULL, "skylakex" },
	{ __LINE__, "cwf", NULL, "tree/SKX/events", NULL, "SKX" },
	{ __LINE__, "cwf", NULL, "tree/SKX/events/skylakex_core.json", NULL, "SKX" },
	{ __LINE__, NULL, "GenuineIntel-6-DD-1", "tree/skylakex", NULL, "skylakex" },
	{ __LINE__, NULL, "AuthenticAMD-25-1-1", "tree/skylakex", NULL, "skylakex" },
	{ __LINE__, "cwf", NULL, "tree/two", "clearwaterforest", NULL },
	{ __LINE__, "glm", NULL, "tree/two", "goldmont", NULL },
	{ __LINE__, "glp", NULL, "tree/two", NULL, "two" },
	{ __LINE__, "cwf", NULL, "tree/haswell", "clearwaterforest", NULL },
	{ __LINE__, "cwf", NULL, "broken/skylakex", "clearwaterforest", NULL },
};

static void test_named_dirs(void)
{
	struct acrpmu_events *events;
	struct acrpmu_cpu cpu;
	char words[64];
	unsigned int i;

	put_file("one/goldmont/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("two/goldmont/my/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("one/GLM/events/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("one/my/goldmont_core.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("one/darkmont/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("one/architectural/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("one/power8/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("tree/mapfile.csv", "\nGenuineIntel-6-55,1,skylakex,core\n"
		 "GenuineIntel-6-55,1,/SKX/events/skylakex_core.json,core\n"
		 "GenuineIntel-6-5[CF],1,two,core\nGenuineIntel-6-DD,1,two,core\n");
	put_file("tree/skylakex/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("tree/haswell/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("tree/two/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("tree/SKX/events/skylakex_core.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	put_file("broken/mapfile.csv", "\n((,1,skylakex,core\n");
	put_file("broken/skylakex/topic.json", JSON_EVENT("GIVEN.EVENT", "0x44"));
	for (i = 0; i < ARRAY_SIZE(named_dirs); i++) {
		bool is_cpu_given = named_dirs[i].pmu || named_dirs[i].cpuid;
		int line = named_dirs[i].line;

		events = open_at(is_cpu_given ? &plain : &no_cpu, named_dirs[i].pmu,
				 named_dirs[i].cpuid, in_top(named_dirs[i].path));
		is_str(events && !acrpmu_events_cpu(events, &cpu) ? cpu.name : NULL,
		       named_dirs[i].cpu, "line %d: the CPU", line);
		if (named_dirs[i].cpu) {
			check_name(events, "GIVEN.EVENT", 0x144, named_dirs[i].path);
		} else {
			ok(!events, "line %d: refused", line);
			is_str(message.code, "events-cpu", "line %d: code", line);
			snprintf(words, sizeof(words), "are those of '%s'", named_dirs[i].other);
			ok(strstr(message.text, words), "line %d: %s", line, message.text);
			is_str(message.hint, "give the directory of events of this CPU",
			       "line %d: the hint", line);
		}
		acrpmu_events_close(events);
	}
	events = open_at(&plain, "skylakex", NULL, in_top("tree/skylakex"));
	ok(events && acrpmu_events_cpu(events, &cpu) == -ENOENT,
	   "the CPU may be one of the directory's name that the module is not for");
	acrpmu_events_close(events);
}

static void test_missing(void)
{
	static const struct event_maps none;
	const struct events_places places = { "/nonexistent", no_dirs, &none };
	struct acrpmu_events *events;
	struct acrpmu_message why = { .code = "" };

	events = open_at(&places, "cwf", NULL, NULL);
	ok(acrpmu_events_missing(events, &why) == -ENOENT, "without tables names are missing");
	is_str(why.code, "no-tables", "... with a code");
	ok(strstr(why.text, "this build has no tables"), "... and why: %s", why.text);
	check_name(events, "cycles", 0x3c, "generic names are known all the same");
	check_name(events, "LLC-loads", 0x1b7, "... and cache names");
	acrpmu_events_close(events);

	events = open_at(&plain, NULL, "AuthenticAMD-25-1-1", NULL);
	ok(acrpmu_events_missing(events, &why) == -ENOENT, "for an unknown CPU names are missing");
	ok(strstr(why.text, "AuthenticAMD-25-1-1"), "... and it is named: %s", why.text);
	acrpmu_events_close(events);

	events = open_at(&plain, "cwf", NULL, NULL);
	ok(!acrpmu_events_missing(events, NULL), "nothing is missing where there is a table");
	acrpmu_events_close(events);
}

/* ---- counters of tables ---- */

#define HASWELL	"GenuineIntel-6-3C-3"

/* Counters for which the table has no row with more are not in the request: any module will do. */
static const struct {
	int line;
	const char *cpu;	/* or CPUID string */
	const char *string;
	const char *code;	/* of the refusal, NULL: none */
	unsigned int column;
	__u64 allowed_cntrs;
} allowed[] = {
	{ __LINE__, "cwf", "AN.EVENT", NULL, 0, 0 },
	{ __LINE__, "glm", "AN.EVENT", NULL, 0, 0 },
	{ __LINE__, "cwf", "AN.OTHER_EVENT", NULL, 0, 0x3 },
	{ __LINE__, "cwf", "cpu/an.other_event,cmask=1/", NULL, 0, 0x3 },
	{ __LINE__, "cwf", "cwf::AN:OTHER_EVENT", NULL, 0, 0x3 },
	{ __LINE__, "cwf", "cwf::AN:EVENT", NULL, 0, 0 },
	{ __LINE__, "cwf", "cycles", NULL, 0, 0 },
	/* a fixed counter's event may use the others, too */
	{ __LINE__, "cwf", "FIXED.COUNTER", NULL, 0, 0 },
	/* what is given narrows it */
	{ __LINE__, "cwf", "AN.OTHER_EVENT/counters=0x2/", NULL, 0, 0x2 },
	{ __LINE__, "cwf", "AN.OTHER_EVENT/counters=0xfe/", NULL, 0, 0x2 },
	{ __LINE__, "cwf", "cpu/counters=1,AN.OTHER_EVENT/", NULL, 0, 0x1 },
	{ __LINE__, "cwf", "cwf::AN:OTHER_EVENT/counters=1/", NULL, 0, 0x1 },
	{ __LINE__, "cwf", "AN.EVENT/counters=0x80/", NULL, 0, 0x80 },
	{ __LINE__, "cwf", "AN.OTHER_EVENT/counters=0x4/", "counters", 16, 0 },
	{ __LINE__, "cwf", "cpu/counters=0x4,AN.OTHER_EVENT/", "counters", 5, 0 },
	{ __LINE__, "cwf", "cwf::AN:OTHER_EVENT/counters=0x4/", "counters", 21, 0 },
	/* without a row the module knows the architectural events only: 0xc5, but not 0x1c5 */
	{ __LINE__, "architectural", "AN.EVENT", NULL, 0, 0 },
	{ __LINE__, HASWELL, "AN.EVENT", NULL, 0, 0 },
	{ __LINE__, HASWELL, "AN.OTHER_EVENT", NULL, 0, 0x3 },
	{ __LINE__, HASWELL, "RARE.EVENT", NULL, 0, 0xff },
	{ __LINE__, HASWELL, "FIXED.COUNTER", NULL, 0, 0 },
	{ __LINE__, HASWELL, "r01cb", NULL, 0, 0 },
};

static void test_allowed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(allowed); i++) {
		bool id = !strcmp(allowed[i].cpu, HASWELL);
		struct acrpmu_events *events = open_at(&plain, id ? NULL : allowed[i].cpu,
						       id ? HASWELL : NULL, NULL);
		const struct acrpmu_parse_options options = {
			.size = sizeof(options), .period = 9, .events = events,
		};
		struct acrpmu_spec *spec = NULL;
		int line = allowed[i].line;

		acrpmu_spec_parse(&allowed[i].string, 1, &options, &spec, &message);
		is_str(message.code, allowed[i].code ? allowed[i].code : "", "line %d: '%s' on %s",
		       line, allowed[i].string, allowed[i].cpu);
		is_u64(message.column, allowed[i].column, "line %d: the place", line);
		if (spec)
			is_u64(acrpmu_spec_event(spec, 0, 0)->attr.allowed_cntrs,
			       allowed[i].allowed_cntrs, "line %d: counters", line);
		acrpmu_spec_free(spec);
		acrpmu_events_close(events);
	}
}

/* ---- in event strings --------------------------------------------------------------------- */

#define SUGGESTED	ACRPMU_PARSE_TABLE_PERIOD
#define COUNT		ACRPMU_PARSE_COUNT

static const struct {
	int line;
	const char *cpu;
	const char *string;
	__u64 count;		/* -c */
	__u32 flags;
	const char *code;	/* of the refusal, NULL: none */
	unsigned int column;
	__u64 config, extra, period;	/* of the last event */
} strings[] = {
	/* periods: given, else -c, else the table's if nothing in the group has one */
	{ __LINE__, "cwf", "AN.EVENT", 0, SUGGESTED, NULL, 0, 0xc5, 0, 200003 },
	{ __LINE__, "cwf", "AN.EVENT", 0, SUGGESTED | COUNT, NULL, 0, 0xc5, 0, 200003 },
	{ __LINE__, "cwf", "AN.EVENT", 0, COUNT, NULL, 0, 0xc5, 0, 0 },
	{ __LINE__, "cwf", "AN.EVENT", 0, 0, "no-period", 1, 0, 0, 0 },
	/* 1000 is the smallest that the module takes */
	{ __LINE__, "cwf", "RARE.EVENT", 0, SUGGESTED, NULL, 0, 0x1cb, 0, 1000 },
	{ __LINE__, "cwf", "AN.EVENT", 5000, SUGGESTED, NULL, 0, 0xc5, 0, 5000 },
	{ __LINE__, "cwf", "AN.EVENT/period=7000/", 0, SUGGESTED, NULL, 0, 0xc5, 0, 7000 },
	{ __LINE__, "cwf", "{AN.EVENT,AN.OTHER_EVENT}", 0, SUGGESTED, NULL, 0, 0x1c5, 0, 1009 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000/,AN.OTHER_EVENT}", 0, SUGGESTED, "no-period", 24,
	  0, 0, 0 },
	{ __LINE__, "cwf", "{AN.EVENT,AN.OTHER_EVENT/ratio-to-prev=2/}", 0, SUGGESTED,
	  "ratio-no-period", 26, 0, 0, 0 },
	{ __LINE__, "cwf", "{AN.EVENT,AN.OTHER_EVENT/ratio-to-prev=2/}", 1000, SUGGESTED, NULL, 0,
	  0x1c5, 0, 2000 },
	{ __LINE__, "cwf", "{cycles,AN.EVENT}", 0, SUGGESTED, "no-period", 2, 0, 0, 0 },
	/* ... or if the event reloads or is a cause, which it cannot without one */
	{ __LINE__, "cwf", "{AN.EVENT/period=20000,acr_mask=0x3/,AN.OTHER_EVENT/acr_mask=0x1/}", 0,
	  SUGGESTED, NULL, 0, 0x1c5, 0, 1009 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000,acr_mask=0x2/,AN.OTHER_EVENT}", 0,
	  SUGGESTED | COUNT, NULL, 0, 0x1c5, 0, 1009 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000,acr_mask=0x2/,RARE.EVENT}", 0, SUGGESTED, NULL, 0,
	  0x1cb, 0, 1000 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000,acr_mask=0x2/,AN.OTHER_EVENT}", 5000, SUGGESTED,
	  NULL, 0, 0x1c5, 0, 5000 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000,acr_mask=0x2/,AN.OTHER_EVENT}", 0, 0, "no-period",
	  37, 0, 0, 0 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000,acr_mask=0x2/,cycles}", 0, SUGGESTED, "no-period",
	  37, 0, 0, 0 },
	{ __LINE__, "cwf", "{AN.EVENT/period=7000/,AN.OTHER_EVENT}", 0, SUGGESTED | COUNT, NULL, 0,
	  0x1c5, 0, 0 },
	{ __LINE__, "cwf", "{cycles/period=9/,branches/ratio-to-prev=2/,AN.EVENT/acr_mask=0x1/}", 0,
	  SUGGESTED, NULL, 0, 0xc5, 0, 200003 },
	/* each group for itself */
	{ __LINE__, "cwf", "cycles/period=7000/,AN.EVENT", 0, SUGGESTED, NULL, 0, 0xc5, 0, 200003 },
	/* names in terms, with modifiers */
	{ __LINE__, "cwf", "cpu/an.event/u", 9, 0, NULL, 0, 0xc5, 0, 9 },
	{ __LINE__, "cwf", "cpu/an.event,cmask=2/", 9, 0, NULL, 0, 0x20000c5, 0, 9 },
	{ __LINE__, "cwf", "an.event:e:c=1", 9, 0, NULL, 0, 0x10400c5, 0, 9 },
	{ __LINE__, "cwf", "cpu/an.event,umask=2/", 9, 0, "term-conflict", 14, 0, 0, 0 },
	{ __LINE__, "cwf", "cpu/umask=2,an.event/", 9, 0, "event-twice", 13, 0, 0, 0 },
	{ __LINE__, "cwf", "cpu/an.event,cycles/", 9, 0, "event-twice", 14, 0, 0, 0 },
	/* extra registers */
	{ __LINE__, "glm", "EXTRA.REQUESTS", 0, SUGGESTED, NULL, 0, 0x1b7, 0x10001, 100003 },
	{ __LINE__, "glm", "LLC-load-misses", 9, 0, NULL, 0, 0x1b7, 0x3600000001, 9 },
	{ __LINE__, "glm", "EXTRA.REQUESTS/offcore_rsp=1/", 9, 0, "term-conflict", 16, 0, 0, 0 },
	{ __LINE__, "glm", "cpu/config1=1,EXTRA.REQUESTS/", 9, 0, "term-twice", 15, 0, 0, 0 },
	/* kinds of cores */
	{ __LINE__, "darkmont", "BOTH.CORES", 9, 0, NULL, 0, 0x1, 0, 9 },
	{ __LINE__, "darkmont", "cpu_atom/BOTH.CORES/", 9, 0, NULL, 0, 0x1, 0, 9 },
	{ __LINE__, "darkmont", "CORE.ONLY", 9, 0, "event-pmu", 1, 0, 0, 0 },
	/* the files of Goldmont have PEBS at events that count without it */
	{ __LINE__, "cwf", "PRECISE.ONLY", 9, 0, NULL, 0, 0x1d0, 0, 9 },
	/* what cannot be used */
	{ __LINE__, "cwf", "{cycles,UNC.INSERTS}", 9, 0, "event-pmu", 9, 0, 0, 0 },
	{ __LINE__, "cwf", "LOAD.LATENCY", 9, 0, "event-extra", 1, 0, 0, 0 },
	{ __LINE__, "cwf", "THREADS.ANY", 9, 0, "config-bits", 1, 0, 0, 0 },
	{ __LINE__, "power8", "AN.EVENT", 9, 0, "event-pmu", 1, 0, 0, 0 },
	{ __LINE__, "cwf", "iTLB-loads", 9, 0, "event-unsupported", 1, 0, 0, 0 },
	{ __LINE__, "cwf", "AN.EVNT", 9, 0, "unknown-event", 1, 0, 0, 0 },
	{ __LINE__, "cwf", "cpu/AN.EVNT/", 9, 0, "unknown-term", 5, 0, 0, 0 },
	/* libpfm's form, from the tables */
	{ __LINE__, "cwf", "cwf::AN:EVENT:u", 9, 0, NULL, 0, 0xc5, 0, 9 },
};

static void test_strings(void)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(strings); i++) {
		struct acrpmu_events *events = open_at(&plain, strings[i].cpu, NULL, NULL);
		const struct acrpmu_parse_options options = {
			.size = sizeof(options), .flags = strings[i].flags,
			.period = strings[i].count, .events = events,
		};
		const struct acrpmu_spec_event *ev;
		struct acrpmu_spec *spec = NULL;
		int line = strings[i].line, err;

		memset(&message, 0xcc, sizeof(message));
		err = acrpmu_spec_parse(&strings[i].string, 1, &options, &spec, &message);
		is_u64(err, strings[i].code ? -EINVAL : 0, "line %d: '%s'", line,
		       strings[i].string);
		is_str(message.code, strings[i].code ? strings[i].code : "", "line %d: code", line);
		is_u64(message.column, strings[i].column, "line %d: column", line);
		if (!err) {
			n = acrpmu_spec_nr_groups(spec) - 1;
			ev = acrpmu_spec_event(spec, n, acrpmu_spec_nr_events(spec, n) - 1);
			is_u64(ev->attr.config, strings[i].config, "line %d: config", line);
			is_u64(ev->attr.extra_value, strings[i].extra, "line %d: extra", line);
			is_u64(ev->attr.period, strings[i].period, "line %d: period", line);
		} else {
			ok(*message.hint, "line %d: with a hint: %s; %s", line, message.text,
			   message.hint);
		}
		acrpmu_spec_free(spec);
		acrpmu_events_close(events);
	}
}

static void test_hints(void)
{
	static const struct event_maps none;
	const struct events_places places = { "/nonexistent", no_dirs, &none };
	const char *string = "AN.EVNT";
	struct acrpmu_parse_options options = { .size = sizeof(options), .period = 9 };
	struct acrpmu_events *events = open_at(&plain, "cwf", NULL, NULL);
	struct acrpmu_spec *spec = NULL;

	options.events = events;
	acrpmu_spec_parse(&string, 1, &options, &spec, &message);
	is_str(message.hint, "did you mean 'AN.EVENT'?", "a misspelt name of the table");
	options.period = 0;
	options.flags = SUGGESTED;
	string = "{AN.EVENT,AN.OTHER_EVENT/ratio-to-prev=2/}";
	acrpmu_spec_parse(&string, 1, &options, &spec, &message);
	is_str(message.hint, "the table's suggested period 200003 of 'AN.EVENT' is not used for "
	       "ratios; write period=200003, or -c N", "a ratio without period, first event");
	string = "{cycles,RARE.EVENT/ratio-to-prev=2/}";
	acrpmu_spec_parse(&string, 1, &options, &spec, &message);
	is_str(message.hint, "the table's suggested period 1000 of 'RARE.EVENT' is not used for "
	       "ratios; write period=1000, or -c N", "... second event");
	options.flags = 0;
	acrpmu_spec_parse(&string, 1, &options, &spec, &message);
	is_str(message.hint, "give period= to one of the two, or -c N",
	       "... where no periods are suggested");
	options.period = 9;
	string = "AN.EVNT";
	acrpmu_events_close(events);
	events = open_at(&places, "cwf", NULL, NULL);
	options.events = events;
	acrpmu_spec_parse(&string, 1, &options, &spec, &message);
	ok(strstr(message.hint, "names of events are not available"),
	   "without tables the hint says so: %s", message.hint);
	acrpmu_events_close(events);
}

/* What its table marks is read, and refused where it would run, but for Goldmont's list. */
static void test_pebs(void)
{
	static const struct {
		const char *cpu;
		const char *string;
		const char *code;
	} runs[] = {
		{ "cwf", "PRECISE.ONLY", "event-pebs" },
		{ "cwf", "{AN.EVENT,PRECISE.ONLY/cmask=1/}", "event-pebs" },
		{ "cwf", "cwf::PRECISE:ONLY", "event-pebs" },
		{ "cwf", "AN.EVENT", "" },
		{ "cwf", "r1d0", "" },
		{ "goldmont", "PRECISE.ONLY", "" },
		{ "goldmontplus", "PRECISE.ONLY", "" },
	};
	static const struct event_map one_map = { "GenuineIntel-.*", "1", "core", "", 0, 0, &sky };
	static const struct event_table *const tables[] = { &sky };
	static const struct event_maps maps = { &one_map, 1, tables, 1 };
	const struct events_places places = {
		.sysfs = plain.sysfs, .dirs = plain.dirs, .builtin = &maps,
	};
	struct acrpmu_message message;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		struct acrpmu_events *events = open_at(&places, runs[i].cpu, NULL, NULL);
		const struct acrpmu_parse_options options = {
			.size = sizeof(options), .period = 9, .events = events,
		};
		struct acrpmu_spec *spec = NULL;
		struct acrpmu_cpu cpu;

		acrpmu_spec_parse(&runs[i].string, 1, &options, &spec, &message);
		is_str(message.code, "", "'%s' on %s is read", runs[i].string, runs[i].cpu);
		acrpmu_events_cpu(events, &cpu);
		is_u64(spec ? -acrpmu_spec_check_runnable(spec, 0, cpu.name, &message) : 0,
		       *runs[i].code ? EINVAL : 0, "... and runs or not");
		is_str(message.code, runs[i].code, "... why");
		acrpmu_spec_free(spec);
		acrpmu_events_close(events);
	}
}

int main(void)
{
	plan(0);
	strcpy(top, "/tmp/acrpmu-events-XXXXXX");
	if (!mkdtemp(top))
		return 1;
	test_ids();
	test_sysfs();
	test_cache_names();
	test_name_counts();
	test_open();
	test_next_table();
	test_open_refused();
	test_find();
	test_lacking();
	test_registers();
	test_get();
	test_nearest();
	test_system_dirs();
	test_unreadable_names();
	test_given_dir();
	test_named_dirs();
	test_missing();
	test_allowed();
	test_strings();
	test_pebs();
	test_hints();
	remove_top();
	return done();
}
