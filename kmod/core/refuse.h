/* SPDX-License-Identifier: GPL-2.0-only */
/* How a refusal is filled in: the errno, the reason and what it is about. */
#ifndef _ACRPMU_CORE_REFUSE_H
#define _ACRPMU_CORE_REFUSE_H

#include "types.h"
#include "../../uapi/acrpmu.h"

/** ACRPMU_NO_EVENT - acrpmu_error.event of a refusal that concerns no event in particular */
#define ACRPMU_NO_EVENT		(-1)
/** ACRPMU_NO_CPU - acrpmu_error.cpu of a refusal that concerns no CPU in particular */
#define ACRPMU_NO_CPU		(-1)

/**
 * acrpmu_refuse() - fill in why a request is refused
 * @error: out, all of it is overwritten; may be NULL
 * @errnum: a negative errno
 * @reason: ACRPMU_REASON_*, which defines @value and @limit
 * @event: index of the event concerned, or ACRPMU_NO_EVENT
 * @value: the offending value
 * @limit: the bound that @value violates
 *
 * The CPU is set to ACRPMU_NO_CPU and the holder to unknown; callers that know better set them
 * afterwards.
 *
 * Context: any.
 * Return: @errnum.
 */
int acrpmu_refuse(struct acrpmu_error *error, int errnum, u32 reason, int event, u64 value,
		  u64 limit);

/**
 * acrpmu_refuse_hide_others() - remove what only those may know who may observe others
 * @errnum: the negative errno of the refusal
 * @error: in and out
 *
 * Context: any.
 */
void acrpmu_refuse_hide_others(int errnum, struct acrpmu_error *error);

#endif /* _ACRPMU_CORE_REFUSE_H */
