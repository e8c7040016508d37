/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Average latency of offcore requests: which events make a pair, and refusals of half a pair. */
#ifndef _ACRPMU_LIB_LATENCY_H
#define _ACRPMU_LIB_LATENCY_H

#include <stdbool.h>

#include "spec.h"
#include "text.h"

/**
 * acrpmu_latency_has_mode() - check whether a CPU can count outstanding requests
 * @cpu: its name, as in struct acrpmu_cpu
 *
 * Where it can, OFFCORE_RSP_0 with OUTSTANDING counts in each cycle the requests under way, and the
 * responses counted on OFFCORE_RSP_1 divide the sum.
 *
 * Return: whether it can.
 */
bool acrpmu_latency_has_mode(const char *cpu);

/**
 * acrpmu_latency_outstanding() - check whether an event counts outstanding requests
 * @attr: an event of a CPU with acrpmu_latency_has_mode()
 *
 * Return: whether it does.
 */
bool acrpmu_latency_outstanding(const struct acrpmu_event_attr *attr);

/**
 * acrpmu_latency_is_pair() - check whether two events give an average latency
 * @requests: an event whose level flags are final
 * @responses: another one
 *
 * Return: true if the first counts outstanding requests and no response, the second any response to
 * the same requests at the same levels, and neither has edge, inversion or a counter mask.
 */
bool acrpmu_latency_is_pair(const struct acrpmu_event_attr *requests,
			    const struct acrpmu_event_attr *responses);

/**
 * acrpmu_latency_check() - check that an event which counts outstanding requests has its partner
 * @group: the group, finished
 * @event: index of an event for which acrpmu_latency_outstanding() holds
 * @message: out, why not; may be NULL
 *
 * The count of one half alone means nothing.  The module counts it; that it is a mistake is policy,
 * and so checked here.
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_latency_check(const struct spec_group *group, unsigned int event,
			 struct acrpmu_message *message);

/**
 * acrpmu_latency_check_pair() - check two events that a plus joins
 * @text: the string
 * @plus: the plus
 * @at: where the second event begins
 * @requests: the first event
 * @responses: the second event
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_latency_check_pair(const struct text *text, const char *plus, const char *at,
			      const struct spec_event *requests,
			      const struct spec_event *responses);

#endif /* _ACRPMU_LIB_LATENCY_H */
