/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs that the model knows: the PMUs of their cores, and their identification in QEMU. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "offcore.h"

/* Letters of the kinds of core of a hybrid CPU */
#define PROFILE_P_CORE		'P'
#define PROFILE_E_CORE		'E'
#define PROFILE_LOWPOWER	'L'

/* Registers of a core that hold what is written and change nothing */
#define PROFILE_MAX_STORED	6

/**
 * struct stored_reg - a register without a meaning in the model
 * @msr: its number; 0 ends a list of them
 * @valid: bits that may be set
 * @thread: whether each hardware thread has its own
 */
struct stored_reg {
	uint32_t msr;
	uint64_t valid;
	bool thread;
};

/**
 * struct profile - one kind of core of a CPU
 * @name: name of the CPU, the start of the plugin's argument profile=
 * @cpu: identification for QEMU's -cpu option, the same for all kinds of core of a CPU
 * @kind: PROFILE_P_CORE or the like; 0 where all cores are alike
 * @hybrid: CPUID.1AH:EAX; 0 where all cores are alike
 * @version: architectural version; 0 means there is no PMU
 * @width: bits of a counter
 * @gp_cntrs: general-purpose counters, bit n for counter n
 * @fixed_cntrs: fixed counters, bit n for counter n
 * @common_gp: general-purpose counters of CPUID.0AH, those that all kinds have; 0 means @gp_cntrs
 * @common_fixed: the same for fixed counters
 * @hypervisor: whether a hypervisor shows it to a guest, as KVM does: CPUID.1:ECX[31], no
 *	AnyThread, no freezing by IA32_DEBUGCTL
 * @lacking_events: architectural events that it does not announce, CPUID.0AH:EBX
 * @one_cntr_events: whether it has those of event_one_cntr_kinds()
 * @acr_reload_cntrs: counters that can be reloaded, bits as in GLOBAL_CTRL
 * @acr_cause_cntrs: counters that can cause a reload by their overflow, bits as in GLOBAL_CTRL
 * @pebs_cntrs: counters that have CFG_C for PEBS, bits as in GLOBAL_CTRL
 * @rdpmc_disable: whether each counter can be kept from RDPMC of user code
 * @evtsel_valid: bits of IA32_PERFEVTSELx that may be set
 * @fixed_valid: bits of one IA32_FIXED_CTR_CTRL field that may be set
 * @offcore_valid: bits of OFFCORE_RSP_0 and _1 that may be set; 0 means no such register
 * @offcore: meaning of those bits
 * @stored: its registers that only hold what is written
 * @perf_capabilities: value of IA32_PERF_CAPABILITIES; 0 means no such register
 */
struct profile {
	const char *name;
	const char *cpu;
	char kind;
	uint32_t hybrid;
	unsigned int version;
	unsigned int width;
	uint32_t gp_cntrs;
	uint32_t fixed_cntrs;
	uint32_t common_gp;
	uint32_t common_fixed;
	bool hypervisor;
	uint32_t lacking_events;
	bool one_cntr_events;
	uint64_t acr_reload_cntrs;
	uint64_t acr_cause_cntrs;
	uint64_t pebs_cntrs;
	bool rdpmc_disable;
	uint64_t evtsel_valid;
	unsigned int fixed_valid;
	uint64_t offcore_valid[2];
	const struct offcore_layout *offcore;
	struct stored_reg stored[PROFILE_MAX_STORED];
	uint64_t perf_capabilities;
};

/* Look up the first kind of core of a CPU by the CPU's name; NULL if there is none. */
const struct profile *profile_find(const char *name);

/* Look up one kind of core; NULL if there is none. */
const struct profile *profile_find_kind(const char *name, char kind);

/*
 * Find the kind of each core of a machine.
 * @spec: name of a CPU: its kinds in the order of the table, again and again; or NAME.KINDS with a
 *        letter for each core, again and again
 * @cores: filled in
 * @nr: how many cores the machine has
 *
 * Return: false if there is no such CPU or kind.
 */
bool profile_cores(const char *spec, const struct profile **cores, unsigned int nr);

/* Profile number @i, from 0; NULL past the last. */
const struct profile *profile_at(unsigned int i);

/* All counters of a kind of core, with bits as in GLOBAL_CTRL. */
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
