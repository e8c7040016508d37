/* SPDX-License-Identifier: GPL-2.0-only */
/* What 'acrctl info' has found out, and printing it as text and as JSON. */
#ifndef _ACRCTL_INFO_H
#define _ACRCTL_INFO_H

#include "../cmd.h"
#include "../kinds.h"
#include "../system.h"

#define MAX_MISSING	8

struct missing {
	const char *what;
	const char *how;
};

struct info {
	struct system_info system;
	struct acrpmu_device *device;
	struct acrpmu_message device_message;
	bool have_module;
	int starved_err;		/* 0: @all has what starves */
	struct acrpmu_info module;
	struct acrpmu_info all;		/* with members that @module lacks; 0: an older module */
	struct acrpmu_cpu_info *cpus;
	enum permission permission;
	struct missing missing[MAX_MISSING];
	unsigned int nr_missing;
};

/* A feature bit of the module, and its name. */
struct info_feature {
	__u64 bit;
	const char *name;
};

/* ends with an empty one */
extern const struct info_feature info_features[];

const char *info_state(enum system_state state);
const char *info_arbiter(__u32 arbiter);
const char *info_permission(enum permission permission);
void info_pmu(const struct acrpmu_cpu_info *cpu, char pmu[KIND_PMU_LEN]);
bool info_has_software(const struct info *info);
unsigned int info_nr_extra_regs(const struct acrpmu_cpu_info *cpu);

void info_print_text(const struct info *info);
struct json_object *info_json(const struct info *info);

#endif
