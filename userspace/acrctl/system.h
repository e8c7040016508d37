/* SPDX-License-Identifier: GPL-2.0-only */
/* What this machine reports without the module. */
#ifndef _ACRCTL_SYSTEM_H
#define _ACRCTL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "../lib/acrpmu_lib.h"
#include "permission.h"

#define SYSTEM_TEXT_LEN	128

/* A switch of the kernel. */
enum system_state {
	SYSTEM_UNKNOWN,		/* not readable, or absent */
	SYSTEM_OFF,
	SYSTEM_ON,
};

/* CPUs of one kind. */
struct system_cpus {
	struct acrpmu_cpu cpu;		/* without a name if it is not Intel's */
	char list[SYSTEM_TEXT_LEN];	/* their numbers, like "0-3,8" */
	bool usable;			/* they have a PMU */
};

struct system_info {
	char release[SYSTEM_TEXT_LEN];		/* of the kernel */
	char cpu_model[SYSTEM_TEXT_LEN];	/* as in /proc/cpuinfo */
	char perf_pmus[SYSTEM_TEXT_LEN];	/* in-tree, of cores: "cpu_core cpu_atom" */
	bool perf_acr;				/* the in-tree driver knows acr_mask */
	enum system_state watchdog;
	enum system_state lockdown;
	enum system_state guests;		/* virtual machines run here */
	struct permission_facts user;
	bool module;				/* it is loaded */
	struct system_cpus *cpus;		/* by type */
	size_t nr_cpus;
	bool out_of_memory;
};

int system_probe(struct system_info *info);
const char *system_task_name(int pid, char *buf, size_t size);
void system_free(struct system_info *info);

#endif /* _ACRCTL_SYSTEM_H */
