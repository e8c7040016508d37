// SPDX-License-Identifier: GPL-2.0-only
/* Feature sections about a machine that exists only as files, complete and with sources missing. */
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/perfdata/machine.h"

#define CPU	"/sys/devices/system/cpu/"

static char root[] = "/tmp/machine_test.XXXXXX";

/* Write a file below @root, with the directories that lead to it; NULL removes it. */
static void put(const char *name, const char *text)
{
	char path[256], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, name);
	if (!text) {
		unlink(path);
		return;
	}
	for (slash = path + strlen(root); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void put_cpu(unsigned int cpu, const char *file, const char *text)
{
	char name[128];

	snprintf(name, sizeof(name), CPU "cpu%u/topology/%s", cpu, file);
	put(name, text);
}

/* Two packages: CPUs 0 and 2 are threads of a core, CPU 1 is offline, CPU 4 has no partner. */
static void put_machine(void)
{
	static const struct {
		unsigned int cpu;
		const char *package, *core, *core_id, *package_id;
	} cpus[] = {
		{ 0, "0,2", "0,2", "5", "0" }, { 2, "0,2", "0,2", "5", "0" },
		{ 4, "4", "4", "300", "1" },
	};
	unsigned int i;

	put("/proc/cpuinfo",
	    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 175\n"
	    "model name\t: A CPU:   the first\nstepping\t: 3\n\nprocessor\t: 1\nmodel\t\t: 9\n");
	put("/proc/meminfo", "MemFree:  1 kB\nMemTotal:       24684084 kB\n");
	put(CPU "present", "0-2,4\n");
	for (i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		put_cpu(cpus[i].cpu, "package_cpus_list", cpus[i].package);
		put_cpu(cpus[i].cpu, "core_cpus_list", cpus[i].core);
		put_cpu(cpus[i].cpu, "core_id", cpus[i].core_id);
		put_cpu(cpus[i].cpu, "physical_package_id", cpus[i].package_id);
	}
}

static void put_dies(void)
{
	put_cpu(0, "die_cpus_list", "0,2");
	put_cpu(2, "die_cpus_list", "0,2");
	put_cpu(4, "die_cpus_list", "4");
	put_cpu(0, "die_id", "0");
	put_cpu(2, "die_id", "0");
	put_cpu(4, "die_id", "7");
}

/* The sections of the machine as it is now; to be freed with pd_writer_free(). */
static struct pd_writer *describe(void)
{
	static struct pd_writer w;

	memset(&w, 0, sizeof(w));
	pd_machine_features(&w, root);
	return &w;
}

static bool announced(const struct pd_writer *w, unsigned int feature)
{
	return w->header.features[0] >> feature & 1;
}

static const char *string_of(const struct pd_writer *w, unsigned int feature)
{
	return announced(w, feature) ? (const char *)w->features[feature].data + 4 : NULL;
}

static __u32 u32_at(const struct pd_blob *b, size_t at)
{
	__u32 value = 0xdeadbeef;

	if (at + sizeof(value) <= b->size)
		memcpy(&value, b->data + at, sizeof(value));
	return value;
}

/* A number of lists of CPUs, each a length and 64 bytes; returns where they end. */
static size_t expect_lists(const struct pd_blob *b, size_t at, const char *first,
			   const char *second)
{
	is_u64(u32_at(b, at), 2, "two lists");
	is_u64(u32_at(b, at + 4), 64, "the length of the first");
	is_str(at + 8 + 64 <= b->size ? (char *)b->data + at + 8 : "", first, "the first");
	is_u64(u32_at(b, at + 4 + 68), 64, "the length of the second");
	is_str(at + 76 + 64 <= b->size ? (char *)b->data + at + 76 : "", second, "the second");
	return at + 4 + 2 * 68;
}

static size_t expect_u32s(const struct pd_blob *b, size_t at, const __u32 *want, unsigned int nr,
			  const char *what)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		is_u64(u32_at(b, at + 4 * i), want[i], "%s: number %u", what, i);
	return at + 4 * nr;
}

/* Core and package of each of five CPUs; those that are offline or absent have neither. */
static size_t expect_cores(const struct pd_blob *b)
{
	static const __u32 want[] = { 5, 0, -1, -1, 5, 0, -1, -1, 300, 1 };
	size_t at = expect_lists(b, 0, "0,2", "4");

	at = expect_lists(b, at, "0,2", "4");
	return expect_u32s(b, at, want, 10, "core and package");
}

static void test_complete(void)
{
	static const __u32 dies[] = { 0, -1, 0, -1, 7 };
	struct pd_writer *w;
	struct pd_blob *b;
	__u64 memory = 0;
	size_t at;

	put_machine();
	put_dies();
	w = describe();
	is_str(string_of(w, 8), "A CPU: the first", "description of the first CPU");
	is_str(string_of(w, 9), "GenuineIntel,6,175,3", "vendor, family, model, stepping");
	if (w->features[10].size == sizeof(memory))
		memcpy(&memory, w->features[10].data, sizeof(memory));
	is_u64(memory, 24684084, "memory in kB");
	is_u64(u32_at(&w->features[7], 0), 5, "CPUs up to the last that is present");
	is_u64(u32_at(&w->features[7], 4), sysconf(_SC_NPROCESSORS_ONLN), "CPUs online");
	b = &w->features[13];
	at = expect_cores(b);
	at = expect_lists(b, at, "0,2", "4");
	at = expect_u32s(b, at, dies, 5, "die");
	is_u64(b->size, at, "nothing follows");
	pd_writer_free(w);
}

/* Before Linux 5.2 there were no dies, and the lists had other names. */
static void test_older_kernel(void)
{
	struct pd_writer *w;
	unsigned int cpu;

	for (cpu = 0; cpu <= 4; cpu += 2) {
		put_cpu(cpu, "die_cpus_list", NULL);
		put_cpu(cpu, "package_cpus_list", NULL);
		put_cpu(cpu, "core_cpus_list", NULL);
		put_cpu(cpu, "core_siblings_list", cpu < 4 ? "0,2" : "4");
		put_cpu(cpu, "thread_siblings_list", cpu < 4 ? "0,2" : "4");
	}
	w = describe();
	is_u64(w->features[13].size, expect_cores(&w->features[13]),
	       "without dies nothing follows");
	pd_writer_free(w);
}

/* What has no source is left out, and nothing else is. */
static void test_missing(void)
{
	static const struct {
		const char *file, *text;
		__u64 without;
	} cases[] = {
		{ "/proc/cpuinfo", NULL, 1 << 8 | 1 << 9 },
		{ "/proc/cpuinfo", "vendor_id\t: x\ncpu family\t: 1\nmodel\t: 2\nmodel name\t: y\n",
		  1 << 9 },
		{ "/proc/cpuinfo", "vendor_id\t: x\ncpu family\t: 1\nmodel name\t: y\n"
		  "stepping\t: 1\n", 1 << 9 },
		{ "/proc/cpuinfo", "vendor_id\t: x\ncpu family\t: 1\nmodel\t: 2\n"
		  "stepping\t: 1\n", 1 << 8 },
		{ "/proc/meminfo", "MemFree: 1 kB\n", 1 << 10 },
		{ CPU "present", NULL, 1 << 7 | 1 << 13 },
	};
	/* hostname, release, arch, number of CPUs, description, CPUID, memory, topology */
	const __u64 all = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13;
	struct pd_writer *w;
	unsigned int i;

	put_machine();
	w = describe();
	is_u64(w->header.features[0], all, "a whole machine has all");
	pd_writer_free(w);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put_machine();
		put(cases[i].file, cases[i].text);
		w = describe();
		is_u64(w->header.features[0], all & ~cases[i].without, "case %u: %s", i,
		       cases[i].file);
		pd_writer_free(w);
	}
}

static void test_no_topology(void)
{
	struct pd_writer *w;
	unsigned int cpu;

	put_machine();
	for (cpu = 0; cpu <= 4; cpu += 2) {
		put_cpu(cpu, "core_cpus_list", NULL);
		put_cpu(cpu, "thread_siblings_list", NULL);
	}
	w = describe();
	ok(announced(w, 7), "the number of CPUs is known without their topology");
	ok(!announced(w, 13), "a topology without cores is none");
	pd_writer_free(w);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int main(void)
{
	plan(0);
	if (!mkdtemp(root))
		abort();
	test_complete();
	test_older_kernel();
	test_missing();
	test_no_topology();
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return done();
}
