/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that a group makes sense on the CPU that it runs on. */
#ifndef _ACRPMU_LIB_RUNNABLE_H
#define _ACRPMU_LIB_RUNNABLE_H

#include "spec.h"

/**
 * acrpmu_runnable_group() - check a group without knowing its CPU
 * @message: out, why not; may be NULL
 *
 * Events named for different CPUs cannot be in one group; with others, an event that counts
 * outstanding requests needs its partner.
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_runnable_group(const struct spec_group *group, struct acrpmu_message *message);

/**
 * acrpmu_runnable_needs_cpu() - check whether some CPU would refuse a group
 *
 * Return: false if acrpmu_spec_check_runnable() allows it on any CPU.
 */
bool acrpmu_runnable_needs_cpu(const struct spec_group *group);

#endif /* _ACRPMU_LIB_RUNNABLE_H */
