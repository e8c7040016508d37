/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs that the model knows: their PMU, and their identification in QEMU. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "offcore.h"

/**
 * struct profile - one CPU
 * @name: value of the plugin's argument profile=
 * @cpu: identification for QEMU's -cpu option
 * @version: architectural version; 0 means there is no PMU
 * @width: bits of a counter
 * @gp_cntrs: general-purpose counters, bit n for counter n
 * @fixed_cntrs: fixed counters, bit n for counter n
 * @acr_reload_cntrs: counters that can be reloaded, bits as in GLOBAL_CTRL
 * @acr_cause_cntrs: counters that can cause a reload by their overflow, bits as in GLOBAL_CTRL
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

/* Look up a profile by name; NULL if there is none. */
const struct profile *profile_find(const char *name);

/* Profile number @i, from 0; NULL past the last. */
const struct profile *profile_at(unsigned int i);

/* All counters of a profile, with bits as in GLOBAL_CTRL. */
uint64_t profile_cntrs(const struct profile *p);

/**
 * struct cpuid_regs - the four registers that CPUID returns
 * @eax: EAX
 * @ebx: EBX
 * @ecx: ECX
 * @edx: EDX
 */
struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

/* Check whether profile_cpuid() changes a CPUID leaf. */
bool profile_cpuid_mine(uint32_t leaf, uint32_t subleaf);

/*
 * Add the PMU to the answer of a CPUID leaf.
 * @r: QEMU's answer; the model's on return
 */
void profile_cpuid(const struct profile *p, uint32_t leaf, uint32_t subleaf,
		   struct cpuid_regs *r);

#endif /* MODEL_PROFILE_H */
