/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Naming a group after the PMU of its kind of core. */
#ifndef _ACRPMU_LIB_KIND_NAME_H
#define _ACRPMU_LIB_KIND_NAME_H

#include "spec.h"

/**
 * acrpmu_kind_name() - write "cycles:u" and "cpu/cycles/u" of a group as "cpu_atom/cycles/u"; names
 * of libpfm, such as "skymont::BR_INST_RETIRED:COND:u", remain
 * @group: a group that names this PMU, "cpu" or none
 * @pmu: name of the PMU, which outlives the group
 *
 * Return: 0, or -ENOMEM; the group can then only be freed.
 */
int acrpmu_kind_name(struct spec_group *group, const char *pmu);

#endif /* _ACRPMU_LIB_KIND_NAME_H */
