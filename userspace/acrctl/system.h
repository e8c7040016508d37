/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be found out about this machine without the module. */
#ifndef _ACRCTL_SYSTEM_H
#define _ACRCTL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "../lib/acrpmu_lib.h"

#define SYSTEM_WORD_LEN	128

/**
 * enum system_state - a switch of the kernel
 * @SYSTEM_UNKNOWN: not readable or not there
 * @SYSTEM_OFF: off
 * @SYSTEM_ON: on
 */
enum system_state {
	SYSTEM_UNKNOWN,
	SYSTEM_OFF,
	SYSTEM_ON,
};

/**
 * struct system_cpus - CPUs of one kind
 * @cpu: what they offer; no name if they are not Intel's
 * @list: their numbers, like "0-3,8"
 * @usable: whether they have a PMU
 */
struct system_cpus {
	struct acrpmu_cpu cpu;
	char list[SYSTEM_WORD_LEN];
	bool usable;
};

/**
 * struct system_info - this machine
 * @release: of the kernel
 * @cpu_model: name of the CPU as the kernel shows it
 * @perf_pmus: in-tree PMU drivers of the cores, like "cpu_core cpu_atom", empty if none
 * @perf_acr: whether the in-tree driver knows acr_mask
 * @watchdog: the NMI watchdog
 * @lockdown: kernel lockdown
 * @cap_perfmon: whether this process has CAP_PERFMON
 * @cap_admin: whether this process has CAP_SYS_ADMIN
 * @module: whether the module is loaded
 * @cpus: kinds of CPUs
 * @nr_cpus: how many kinds
 * @out_of_memory: something could not be looked at for lack of memory
 */
struct system_info {
	char release[SYSTEM_WORD_LEN];
	char cpu_model[SYSTEM_WORD_LEN];
	char perf_pmus[SYSTEM_WORD_LEN];
	bool perf_acr;
	enum system_state watchdog;
	enum system_state lockdown;
	bool cap_perfmon;
	bool cap_admin;
	bool module;
	struct system_cpus *cpus;
	size_t nr_cpus;
	bool out_of_memory;
};

int system_probe(struct system_info *info);
void system_free(struct system_info *info);

#endif /* _ACRCTL_SYSTEM_H */
