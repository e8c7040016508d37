/* SPDX-License-Identifier: GPL-2.0-only */
/* Constraints: which counters an event may use. */
#ifndef _ACRPMU_CORE_CONSTRAINT_H
#define _ACRPMU_CORE_CONSTRAINT_H

#include "extra_reg.h"
#include "group.h"
#include "model.h"
#include "types.h"

/**
 * acrpmu_constraint_cntrs_all() - list the counters that some CPU may have
 *
 * Context: any.
 * Return: mask over counters: general-purpose ones, and as many fixed ones as IA32_FIXED_CTR_CTRL
 * has fields for.
 */
u64 acrpmu_constraint_cntrs_all(void);

/**
 * acrpmu_constraint_config() - find the counters that can count a config
 * @caps: the CPU
 * @config: config word
 *
 * Context: any.
 * Return: mask over counters, a subset of @caps->cntrs; 0 if none can.
 */
u64 acrpmu_constraint_config(const struct acrpmu_caps *caps, u64 config);

/**
 * acrpmu_constraint_as() - find the counters that can count an event in one of its encodings
 * @caps: the CPU
 * @ev: the event
 * @config: its own config, or that of an alternate extra register, for which @ev->allowed_cntrs
 *	does not hold
 *
 * Context: any.
 * Return: mask over counters, a subset of @caps->cntrs; 0 if none can.
 */
u64 acrpmu_constraint_as(const struct acrpmu_caps *caps, const struct acrpmu_ev *ev, u64 config);

/**
 * acrpmu_constraint_event() - find the counters that can count an event on any register it may use
 * @caps: the CPU
 * @ev: the event, with or without an extra register
 * @state: use of the extra registers, of which only @state->reg[].hidden matters; NULL: all answer
 *
 * These are more than those of its config where each register's event is bound to its own counter,
 * or the event to some by @ev->allowed_cntrs: moving to the alternate register also moves the event
 * to other counters.
 *
 * Context: any.
 * Return: mask over counters, a subset of @caps->cntrs; 0 if none can.
 */
u64 acrpmu_constraint_event(const struct acrpmu_caps *caps, const struct acrpmu_ev *ev,
			    const struct acrpmu_extra_state *state);

/**
 * acrpmu_constraint_reload() - narrow counters to those that suit an event's role in reloading
 * @group: a checked group
 * @caps: the CPU
 * @event: index of the event
 * @cntrs: mask over counters
 *
 * Context: any.
 * Return: those of @cntrs that can be reloaded if the event has a mask, and that can cause a reload
 * if the event is in any mask.
 */
u64 acrpmu_constraint_reload(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			     unsigned int event, u64 cntrs);

#endif /* _ACRPMU_CORE_CONSTRAINT_H */
