/* SPDX-License-Identifier: GPL-2.0-only */
/* Average latency: who counts outstanding requests counts the responses to divide by, too. */
#ifndef _ACRPMU_CORE_LATENCY_H
#define _ACRPMU_CORE_LATENCY_H

#include "group.h"
#include "model.h"
#include "types.h"

/**
 * acrpmu_latency_outstanding() - does an event count outstanding requests?
 * @model: row of the CPU table
 * @config: its config word; event select and umask are compared
 * @value: its extra value
 *
 * Context: any.
 * Return: whether it does; false on CPUs where that is no half of an average.
 */
bool acrpmu_latency_outstanding(const struct acrpmu_model *model, u64 config, u64 value);

/**
 * acrpmu_latency_is_pair() - do two events give an average latency together?
 * @model: row of the CPU table
 * @requests: the one that counts outstanding requests
 * @responses: the one that counts responses
 *
 * Context: any.
 * Return: whether the first asks for requests and no response, the second counts any response to
 * the same requests on the other register, at the same levels, and neither has edge, inversion or a
 * counter mask.
 */
bool acrpmu_latency_is_pair(const struct acrpmu_model *model, const struct acrpmu_ev *requests,
			    const struct acrpmu_ev *responses);

/**
 * acrpmu_latency_check() - check the events of a group that count outstanding requests
 * @group: a group that acrpmu_attr_check_caps() has passed for @caps
 * @caps: the CPU
 * @error: out, written only when refused; may be NULL
 *
 * Each must have a partner in the group, see acrpmu_latency_is_pair(): only then is the quotient of
 * the two an average latency.
 *
 * Context: any.
 * Return: 0, or -EINVAL with EXTRA_LATENCY in @error: value is the event's extra value, limit the
 * one that its partner must have.
 */
int acrpmu_latency_check(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			 struct acrpmu_error *error);

#endif /* _ACRPMU_CORE_LATENCY_H */
