/* SPDX-License-Identifier: GPL-2.0-only */
/* Average latency: who counts outstanding requests counts the responses to divide by, too. */
#ifndef _ACRPMU_CORE_LATENCY_H
#define _ACRPMU_CORE_LATENCY_H

#include "attr.h"
#include "model.h"
#include "types.h"

/**
 * acrpmu_latency_check() - check the events of a group that count outstanding requests
 * @group: a group that acrpmu_attr_check_caps() has passed for @caps
 * @caps: the CPU
 * @error: out, written only when refused; may be NULL
 *
 * Such an event asks for requests and for no response.  The group must have an event of the other
 * register that counts any response to the same requests, at the same levels; neither may have
 * edge, inversion or a counter mask: only then is the quotient of the two an average latency.
 *
 * Context: any.
 * Return: 0, or -EINVAL with EXTRA_LATENCY in @error: value is the event's extra value, limit the
 * one that its partner must have.
 */
int acrpmu_latency_check(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			 struct acrpmu_error *error);

#endif /* _ACRPMU_CORE_LATENCY_H */
