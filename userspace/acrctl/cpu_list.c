// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPU numbers, each of them once. */
#include "cpu_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LIST_LEN	4096

/**
 * cpu_list_has() - whether a CPU is in a list
 */
bool cpu_list_has(const struct cpu_list *list, int cpu)
{
	size_t i;

	for (i = 0; i < list->nr; i++) {
		if (list->cpus[i] == cpu)
			return true;
	}
	return false;
}

/**
 * cpu_list_add() - add a CPU unless it is there
 *
 * Return: 0 or -ENOMEM.
 */
int cpu_list_add(struct cpu_list *list, int cpu)
{
	int *more;

	if (cpu_list_has(list, cpu))
		return 0;
	more = reallocarray(list->cpus, list->nr + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	list->cpus = more;
	more[list->nr++] = cpu;
	return 0;
}

/**
 * cpu_list_parse() - add the CPUs of a text such as "0-3,5"
 * @bad: out, the first character that is wrong with -EINVAL and -ERANGE
 *
 * Return: 0, -EINVAL, -ERANGE: above CPU_LIST_MAX, or -ENOMEM.
 */
int cpu_list_parse(struct cpu_list *list, const char *text, const char **bad)
{
	const char *at = text;
	long first, last;
	char *end;

	do {
		*bad = at;
		if (!isdigit(*at))
			return -EINVAL;
		first = strtol(at, &end, 10);
		last = first;
		if (*end == '-') {
			*bad = end + 1;
			if (!isdigit(end[1]))
				return -EINVAL;
			last = strtol(end + 1, &end, 10);
		}
		if (last < first)
			return -EINVAL;
		if (last > CPU_LIST_MAX)
			return -ERANGE;
		for (; first <= last; first++) {
			if (cpu_list_add(list, first))
				return -ENOMEM;
		}
		at = end + 1;
		*bad = end;
	} while (*end == ',');
	return *end && *end != '\n' ? -EINVAL : 0;
}

static int add_file(struct cpu_list *list, const char *path)
{
	char text[LIST_LEN];
	const char *bad;
	int err = -ENOENT;
	FILE *f = fopen(path, "re");

	if (f && fgets(text, sizeof(text), f))
		err = cpu_list_parse(list, text, &bad);
	if (f)
		fclose(f);
	return err;
}

/**
 * cpu_list_online() - add the CPUs that are online
 *
 * Return: 0 or -errno.
 */
int cpu_list_online(struct cpu_list *list)
{
	return add_file(list, CPU_LIST_ONLINE);
}

/**
 * cpu_list_offline() - add the CPUs that are offline, and may come online
 *
 * Return: 0 or -errno.
 */
int cpu_list_offline(struct cpu_list *list)
{
	struct cpu_list possible = { NULL }, online = { NULL };
	int err = add_file(&possible, CPU_LIST_POSSIBLE) ?: cpu_list_online(&online);
	size_t i;

	for (i = 0; !err && i < possible.nr; i++) {
		if (!cpu_list_has(&online, possible.cpus[i]))
			err = cpu_list_add(list, possible.cpus[i]);
	}
	cpu_list_free(&possible);
	cpu_list_free(&online);
	return err;
}

/**
 * cpu_list_isolated() - add the CPUs that are to be left alone: isolcpus=, nohz_full=, cpuset
 *
 * Return: 0 or -ENOMEM.
 */
int cpu_list_isolated(struct cpu_list *list)
{
	static const char *const files[] = {
		"/sys/devices/system/cpu/isolated", "/sys/devices/system/cpu/nohz_full",
		"/sys/fs/cgroup/cpuset.cpus.isolated",
	};
	size_t i;

	/* without such CPUs a file is absent, empty, or holds "(null)" */
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (add_file(list, files[i]) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

/**
 * cpu_list_free() - empty a list
 */
void cpu_list_free(struct cpu_list *list)
{
	free(list->cpus);
	*list = (struct cpu_list){ NULL };
}
