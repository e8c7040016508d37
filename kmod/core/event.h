/* SPDX-License-Identifier: GPL-2.0-only */
/* Event encoding: select, umask and modifiers to and from a config word and control values. */
#ifndef _ACRPMU_CORE_EVENT_H
#define _ACRPMU_CORE_EVENT_H

#include "model.h"
#include "types.h"

/**
 * struct acrpmu_event_fields - the fields of a config word
 * @select: event select
 * @umask: unit mask
 * @umask2: second unit mask, where the CPU has it
 * @cmask: counter mask: counts cycles with at least this many occurrences; 0 counts occurrences
 * @edge: counts only where the condition begins
 * @inv: inverts the comparison with @cmask
 * @eq: compares with @cmask for equality, where the CPU has it
 */
struct acrpmu_event_fields {
	u8 select;
	u8 umask;
	u8 umask2;
	u8 cmask;
	bool edge;
	bool inv;
	bool eq;
};

/**
 * acrpmu_event_config() - build a config word
 *
 * Context: any.
 * Return: the config word.
 */
u64 acrpmu_event_config(const struct acrpmu_event_fields *fields);

/**
 * acrpmu_event_split() - split a config word into its fields
 * @config: the config word; bits outside of all fields are ignored
 * @fields: out
 *
 * Context: any.
 */
void acrpmu_event_split(u64 config, struct acrpmu_event_fields *fields);

/**
 * acrpmu_event_config_all() - list the bits that a config may have on any CPU
 *
 * Context: any.
 * Return: the mask; acrpmu_caps.config_mask is a subset.
 */
u64 acrpmu_event_config_all(void);

/**
 * acrpmu_event_evtsel() - build the event select of a running event on a general-purpose counter
 * @config: config word, not a pseudo code
 * @flags: of which only ACRPMU_EVENT_USER, ACRPMU_EVENT_KERNEL and ACRPMU_EVENT_SAMPLED matter
 *
 * Context: any.
 * Return: @config with EN, with USR and OS by level, and with INT if ACRPMU_EVENT_SAMPLED is set.
 */
u64 acrpmu_event_evtsel(u64 config, u32 flags);

/**
 * acrpmu_event_fixed_ctrl() - build the IA32_FIXED_CTR_CTRL bits of an event on a fixed counter
 * @fixed: number of the fixed counter
 * @flags: as for acrpmu_event_evtsel()
 *
 * Context: any.
 * Return: the counter's bits, shifted to its field.
 */
u64 acrpmu_event_fixed_ctrl(unsigned int fixed, u32 flags);

/**
 * acrpmu_event_fixed_field() - find the IA32_FIXED_CTR_CTRL field of a fixed counter
 * @caps: the CPU
 * @fixed: number of the fixed counter
 *
 * Context: any.
 * Return: the mask of its field, with its bit against RDPMC where the CPU has such.
 */
u64 acrpmu_event_fixed_field(const struct acrpmu_caps *caps, unsigned int fixed);

/**
 * acrpmu_event_canonical() - convert a config to what a general-purpose counter accepts
 * @caps: the CPU
 * @config: config word, possibly a pseudo code of a fixed counter
 *
 * Context: any.
 * Return: @config with a pseudo code replaced by the same event's real code; @config itself if it
 * is no pseudo code, or the CPU has no real code for it.
 */
u64 acrpmu_event_canonical(const struct acrpmu_caps *caps, u64 config);

/**
 * acrpmu_event_architectural() - find the bit of an architectural event
 * @config: config word; edge, inv, cmask and eq change nothing about which event it is
 *
 * Context: any.
 * Return: its bit of CPUID.0AH:EBX, as in acrpmu_caps.lacking_events; 0 for other events.
 */
u64 acrpmu_event_architectural(u64 config);

/**
 * acrpmu_event_fixed_cntrs() - find the fixed counters that count a config
 * @caps: the CPU
 * @config: config word
 *
 * Context: any.
 * Return: mask over counters, a subset of @caps->cntrs; 0 with any modifier, as fixed counters
 * have none.
 */
u64 acrpmu_event_fixed_cntrs(const struct acrpmu_caps *caps, u64 config);

/**
 * acrpmu_event_is_architectural() - check that a CPU announces an event as architectural
 * @caps: the CPU
 * @config: config word, possibly a pseudo code
 *
 * Context: any.
 * Return: whether it is the event of a bit of CPUID.0AH:EBX that the CPU does not lack, or of a
 * fixed counter.
 */
bool acrpmu_event_is_architectural(const struct acrpmu_caps *caps, u64 config);

/**
 * acrpmu_event_gp_cntrs() - find the general-purpose counters that can count a config
 * @caps: the CPU
 * @config: config word
 *
 * Context: any.
 * Return: mask over counters, a subset of @caps->cntrs; 0 for a pseudo code without a real one.
 */
u64 acrpmu_event_gp_cntrs(const struct acrpmu_caps *caps, u64 config);

#endif /* _ACRPMU_CORE_EVENT_H */
