/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Average latency of offcore requests: which events make a pair, and refusals of half a pair. */
#ifndef _ACRPMU_LIB_LATENCY_H
#define _ACRPMU_LIB_LATENCY_H

#include <stdbool.h>

#include "spec.h"
#include "text.h"

/**
 * acrpmu_latency_outstanding() - check whether an event counts outstanding requests
 * @attr: an event of a CPU with acrpmu_latency_has_mode()
 *
 * Return: whether it does.
 */
bool acrpmu_latency_outstanding(const struct acrpmu_event_attr *attr);

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
