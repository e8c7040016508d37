/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of processes: the initial ones inside the module, those of the reader outside. */
#ifndef _ACRPMU_PIDS_H
#define _ACRPMU_PIDS_H

#include <linux/types.h>

struct pid;
struct pid_namespace;

pid_t acrpmu_pids_of(struct pid *pid, struct pid_namespace *ns);
pid_t acrpmu_pids_translate(pid_t nr, struct pid_namespace *ns);

#endif /* _ACRPMU_PIDS_H */
