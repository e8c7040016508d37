/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs the model can be: what their PMU has, and how QEMU must present them. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "offcore.h"

/**
 * struct profile - one CPU
 * @name: as in the plugin's argument profile=
 * @cpu: identification for QEMU's -cpu option
 * @version: architectural version; 0 means there is no PMU
 * @width: bits of a counter
 * @gp_cntrs: general-purpose counters, bit n for counter n
 * @fixed_cntrs: fixed counters, bit n for counter n
 * @acr_reload_cntrs: counters that can be reloaded, bits as in GLOBAL_CTRL
 * @acr_cause_cntrs: counters whose overflow can cause a reload, bits as in GLOBAL_CTRL
 * @evtsel_valid: bits of IA32_PERFEVTSELx that may be set
 * @fixed_valid: bits of one IA32_FIXED_CTR_CTRL field that may be set
 * @offcore_valid: bits of OFFCORE_RSP_0 and _1 that may be set; 0 means no such register
 * @offcore: meaning of those bits
 * @perf_capabilities: value of IA32_PERF_CAPABILITIES; 0 means no such register
 */
struct profile {
	const char *name;
	const char *cpu;
	unsigned int version;
	unsigned int width;
	uint32_t gp_cntrs;
	uint32_t fixed_cntrs;
	uint64_t acr_reload_cntrs;
	uint64_t acr_cause_cntrs;
	uint64_t evtsel_valid;
	unsigned int fixed_valid;
	uint64_t offcore_valid[2];
	const struct offcore_layout *offcore;
	uint64_t perf_capabilities;
};

/**
 * profile_find() - look a profile up
 * @name: its name
 *
 * Return: the profile, or NULL if there is none of that name.
 */
const struct profile *profile_find(const char *name);

/**
 * profile_at() - walk the profiles
 * @i: from 0
 *
 * Return: the profile, or NULL past the last.
 */
const struct profile *profile_at(unsigned int i);

/**
 * profile_cntrs() - all counters of a profile
 * @p: the profile
 *
 * Return: mask with bits as in GLOBAL_CTRL.
 */
uint64_t profile_cntrs(const struct profile *p);

/**
 * struct cpuid_regs - what CPUID leaves in the four registers
 * @eax: EAX
 * @ebx: EBX
 * @ecx: ECX
 * @edx: EDX
 */
struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

/**
 * profile_cpuid_mine() - does the model have a say in a CPUID leaf?
 * @leaf: EAX
 * @subleaf: ECX
 *
 * Return: true if profile_cpuid() must be applied.
 */
bool profile_cpuid_mine(uint32_t leaf, uint32_t subleaf);

/**
 * profile_cpuid() - put the PMU into the answer of a CPUID leaf
 * @p: the profile
 * @leaf: EAX
 * @subleaf: ECX
 * @r: in: QEMU's answer; out: the model's
 */
void profile_cpuid(const struct profile *p, uint32_t leaf, uint32_t subleaf,
		   struct cpuid_regs *r);

#endif /* MODEL_PROFILE_H */
