/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of cores that are observed; where all cores are alike there is one. */
#ifndef _ACRCTL_KINDS_H
#define _ACRCTL_KINDS_H

#include "cmd.h"
#include "cpu_list.h"
#include "reload.h"
#include "target.h"
#include "when.h"

#define KIND_PMU_LEN	16

/* Cores that are alike: they share a PMU and a table of events. */
struct kind {
	char pmu[KIND_PMU_LEN];		/* "cpu", or as in-tree perf has it: "cpu_atom" */
	struct cpu_list cpus;		/* those of the target */
	struct cpu_list reach;		/* and those that may come later, of whichever kind */
	__u32 core_type;		/* as in struct acrpmu_cpu_info, 0 where all are alike */
	unsigned int nr_cntrs;		/* of its CPUs; 0: unknown */
};

struct kinds {
	struct kind list[ACRPMU_MAX_KINDS];	/* P-cores first, those for low power last */
	unsigned int nr;			/* 0: kinds_find() has not been called */
	struct acrpmu_cpu_info *cpus;		/* by number; NULL: the module cannot be queried */
	unsigned int nr_cpus;
	__u32 min_period_sampled;		/* of the module; 0: it cannot be queried */
	__u32 min_period_quiet;
	__u64 features;			/* likewise */
	__u32 abi_version;
	enum reload asked;		/* of --acr */
	enum reload reload;		/* after kinds_parse(), for all groups; RELOAD_AUTO: none */
};

void kinds_pmu(__u32 signature, __u32 core_type, char pmu[KIND_PMU_LEN]);
int kinds_find(struct kinds *kinds, struct acrpmu_device *device, struct target *target);
int kinds_parse(struct kinds *kinds, const char *command, const char *dir,
		const struct event_args *args, const struct when *when,
		const struct acrpmu_parse_options *options, struct acrpmu_spec **spec);
void kinds_leave_later(struct kinds *kinds, struct target *target);
const struct kind *kinds_of(const struct kinds *kinds, const struct acrpmu_spec *spec,
			    unsigned int group);
bool kinds_miss_cpu(const struct kinds *kinds, struct acrpmu_device *device,
		    const struct target *target);
void kinds_free(struct kinds *kinds);

#endif /* _ACRCTL_KINDS_H */
