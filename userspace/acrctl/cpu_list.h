/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of CPU numbers, each of them once. */
#ifndef _ACRCTL_CPU_LIST_H
#define _ACRCTL_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define CPU_LIST_ONLINE	"/sys/devices/system/cpu/online"
#define CPU_LIST_POSSIBLE	"/sys/devices/system/cpu/possible"
#define CPU_LIST_MAX	32767	/* the module takes a map of a page */

struct cpu_list {
	int *cpus;
	size_t nr;
};

bool cpu_list_has(const struct cpu_list *list, int cpu);
int cpu_list_add(struct cpu_list *list, int cpu);
int cpu_list_parse(struct cpu_list *list, const char *text, const char **bad);
int cpu_list_online(struct cpu_list *list);
int cpu_list_offline(struct cpu_list *list);
int cpu_list_isolated(struct cpu_list *list);
void cpu_list_free(struct cpu_list *list);

#endif /* _ACRCTL_CPU_LIST_H */
