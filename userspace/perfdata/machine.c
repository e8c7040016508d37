// SPDX-License-Identifier: GPL-2.0-only
/* Feature sections about the machine, read as perf does; facts that cannot be read are left out. */
#include "machine.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CPUINFO		"/proc/cpuinfo"
#define MEMINFO		"/proc/meminfo"
#define CPU_DIR		"/sys/devices/system/cpu"
#define LINE_LEN	4096
#define VALUE_LEN	128
/* what perf writes for an offline CPU */
#define NO_ID		((__u32)-1)

/* Distinct lists of CPUs in the order in which they were found, each ending in 0. */
struct cpu_lists {
	struct pd_blob text;
	__u32 nr;
};

/* A line of /proc/cpuinfo or the like, "key : text". */
struct value {
	const char *key;
	char text[VALUE_LEN];	/* empty: there is none */
};

static bool take_value(char *line, struct value *v)
{
	size_t key_len = strlen(v->key);
	char *colon;

	if (*v->text || strncmp(line, v->key, key_len))
		return false;
	colon = strchr(line + key_len, ':');
	/* "model name" also begins with "model" */
	if (!colon || strspn(line + key_len, " \t") != (size_t)(colon - line) - key_len)
		return false;
	colon += 1 + strspn(colon + 1, " \t");
	colon[strcspn(colon, "\n")] = 0;
	snprintf(v->text, sizeof(v->text), "%s", colon);
	return *v->text;
}

/* Read the first text of each key; the kernel makes such a file anew for every reader. */
static void read_values(const char *root, const char *file, struct value *values, size_t nr)
{
	char path[PATH_MAX], line[LINE_LEN];
	size_t i, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, file);
	f = fopen(path, "re");
	while (f && found < nr && fgets(line, sizeof(line), f)) {
		for (i = 0; i < nr && !take_value(line, &values[i]); i++)
			;
		found += i < nr;
	}
	if (f)
		fclose(f);
}

/* Read the only line of a file in CPU_DIR; false if there is none. */
static bool read_cpu_line(char *line, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX], file[VALUE_LEN];
	bool found;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(file, sizeof(file), fmt, ap);
	va_end(ap);
	snprintf(path, sizeof(path), "%s" CPU_DIR "/%s", root, file);
	f = fopen(path, "re");
	found = f && fgets(line, LINE_LEN, f);
	if (f)
		fclose(f);
	if (found)
		line[strcspn(line, "\n")] = 0;
	return found && *line;
}

/* Largest number of a present CPU, plus 1; 0 if unknown. */
static __u32 nr_cpus(const char *root)
{
	char line[LINE_LEN], *last;

	if (!read_cpu_line(line, root, "present"))
		return 0;
	last = strrchr(line, ',');
	last = last ? last + 1 : line;
	if (strchr(last, '-'))
		last = strchr(last, '-') + 1;
	return strtoul(last, NULL, 10) + 1;
}

/* Some CPUs pad their description with blanks, of which perf leaves one. */
static void squeeze_blanks(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s != ' ' || s[1] != ' ')
			*to++ = *s;
	}
	*to = 0;
}

static void add_cpu(struct pd_writer *w, const char *root)
{
	enum { NAME, VENDOR, FAMILY, MODEL, STEPPING, NR_VALUES };
	struct value values[NR_VALUES] = {
		[NAME].key = "model name", [VENDOR].key = "vendor_id", [FAMILY].key = "cpu family",
		[MODEL].key = "model", [STEPPING].key = "stepping",
	};
	char text[4 * VALUE_LEN];

	read_values(root, CPUINFO, values, NR_VALUES);
	if (*values[NAME].text) {
		squeeze_blanks(values[NAME].text);
		pd_writer_feature_string(w, PD_FEAT_CPUDESC, values[NAME].text);
	}
	if (!*values[VENDOR].text || !*values[FAMILY].text || !*values[MODEL].text ||
	    !*values[STEPPING].text)
		return;
	snprintf(text, sizeof(text), "%s,%s,%s,%s", values[VENDOR].text, values[FAMILY].text,
		 values[MODEL].text, values[STEPPING].text);
	pd_writer_feature_string(w, PD_FEAT_CPUID, text);
}

static bool has_list(const struct cpu_lists *lists, const char *list)
{
	const char *s = (const char *)lists->text.data, *end = s + lists->text.size;

	for (; s < end; s += strlen(s) + 1) {
		if (!strcmp(s, list))
			return true;
	}
	return false;
}

/* @older: name of @file before Linux 5.2, or NULL */
static struct cpu_lists find_lists(const char *root, __u32 nr, const char *file, const char *older)
{
	struct cpu_lists lists = { 0 };
	char line[LINE_LEN];
	__u32 i;

	for (i = 0; i < nr; i++) {
		if (!read_cpu_line(line, root, "cpu%u/topology/%s", i, file) &&
		    !(older && read_cpu_line(line, root, "cpu%u/topology/%s", i, older)))
			continue;
		if (has_list(&lists, line))
			continue;
		pd_blob_put(&lists.text, line, strlen(line) + 1);
		lists.nr++;
	}
	return lists;
}

/* Append @lists and free them. */
static void put_lists(struct pd_blob *b, struct cpu_lists *lists)
{
	const char *s = (const char *)lists->text.data, *end = s + lists->text.size;

	b->failed |= lists->text.failed;
	pd_blob_put_u32(b, lists->nr);
	for (; s < end; s += strlen(s) + 1)
		pd_blob_put_string(b, s);
	pd_blob_free(&lists->text);
}

static void put_id(struct pd_blob *b, const char *root, __u32 cpu, const char *file)
{
	char line[LINE_LEN];
	bool found = read_cpu_line(line, root, "cpu%u/topology/%s", cpu, file);

	pd_blob_put_u32(b, found ? strtol(line, NULL, 10) : NO_ID);
}

/* The CPUs of each package and core, core and package of each CPU, then the same for dies. */
static void add_topology(struct pd_writer *w, const char *root, __u32 nr)
{
	struct cpu_lists packages, cores, dies;
	struct pd_blob *b;
	__u32 i;

	packages = find_lists(root, nr, "package_cpus_list", "core_siblings_list");
	cores = find_lists(root, nr, "core_cpus_list", "thread_siblings_list");
	if (!packages.nr || !cores.nr) {
		pd_blob_free(&packages.text);
		pd_blob_free(&cores.text);
		return;
	}
	b = pd_writer_feature(w, PD_FEAT_CPU_TOPOLOGY);
	put_lists(b, &packages);
	put_lists(b, &cores);
	for (i = 0; i < nr; i++) {
		put_id(b, root, i, "core_id");
		put_id(b, root, i, "physical_package_id");
	}
	dies = find_lists(root, nr, "die_cpus_list", NULL);
	if (!dies.nr)
		return;
	put_lists(b, &dies);
	for (i = 0; i < nr; i++)
		put_id(b, root, i, "die_id");
}

static void add_cpus(struct pd_writer *w, const char *root)
{
	__u32 nr = nr_cpus(root);
	struct pd_blob *b;

	/* readers expect as many CPUs in the topology as this section has */
	if (!nr)
		return;
	b = pd_writer_feature(w, PD_FEAT_NRCPUS);
	pd_blob_put_u32(b, nr);
	pd_blob_put_u32(b, sysconf(_SC_NPROCESSORS_ONLN));
	add_topology(w, root, nr);
}

/** pd_machine_features() - describe this machine; @root is prepended to paths in /proc and /sys */
void pd_machine_features(struct pd_writer *w, const char *root)
{
	struct value memory = { .key = "MemTotal" };
	struct utsname uts;

	if (!uname(&uts)) {
		pd_writer_feature_string(w, PD_FEAT_HOSTNAME, uts.nodename);
		pd_writer_feature_string(w, PD_FEAT_OSRELEASE, uts.release);
		pd_writer_feature_string(w, PD_FEAT_ARCH, uts.machine);
	}
	add_cpus(w, root);
	add_cpu(w, root);
	read_values(root, MEMINFO, &memory, 1);
	if (*memory.text)
		pd_blob_put_u64(pd_writer_feature(w, PD_FEAT_TOTAL_MEM),
				strtoull(memory.text, NULL, 10));
}
