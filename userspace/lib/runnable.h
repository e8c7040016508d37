/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What groups must fulfil to make sense where they run, beyond what one event can tell. */
#ifndef _ACRPMU_LIB_RUNNABLE_H
#define _ACRPMU_LIB_RUNNABLE_H

#include "spec.h"

/**
 * acrpmu_runnable_group() - check what a group shows by itself
 * @group: the group
 * @message: out, why not; may be NULL
 *
 * Events named for different CPUs cannot be in one group; with others, an event that counts
 * outstanding requests needs its partner.
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_runnable_group(const struct spec_group *group, struct acrpmu_message *message);

/**
 * acrpmu_runnable_needs_cpu() - can a group be refused because of the CPU that it runs on?
 * @group: the group
 *
 * Return: false if acrpmu_spec_check_runnable() allows it on any CPU.
 */
bool acrpmu_runnable_needs_cpu(const struct spec_group *group);

#endif /* _ACRPMU_LIB_RUNNABLE_H */
