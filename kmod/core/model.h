/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPU table, and what one CPU offers by its CPUID leaves. */
#ifndef _ACRPMU_CORE_MODEL_H
#define _ACRPMU_CORE_MODEL_H

#include "types.h"
#include "../regs.h"
#include "../../uapi/acrpmu.h"

/**
 * struct acrpmu_cpuid - the raw leaves of one CPU that decide what its PMU offers
 * @l1_eax: CPUID.01H:EAX, family, model and stepping
 * @l7_1_eax: CPUID.07H.1:EAX, 0 where the leaf does not exist
 * @la_eax: CPUID.0AH:EAX, version, general-purpose counters and their width
 * @la_ebx: CPUID.0AH:EBX, architectural events that are missing
 * @la_ecx: CPUID.0AH:ECX, bitmap of fixed counters
 * @la_edx: CPUID.0AH:EDX, number of fixed counters and their width
 * @l1a_eax: CPUID.1AH:EAX, core type and native model, 0 unless hybrid
 * @l23_0_eax: CPUID.23H.0:EAX, valid sub-leaves; all of leaf 0x23 is ignored unless
 *	@l7_1_eax has the bit for it
 * @l23_0_ebx: CPUID.23H.0:EBX, UMASK2, EQ and RDPMC_DISABLE
 * @l23_1_eax: CPUID.23H.1:EAX, bitmap of general-purpose counters
 * @l23_1_ebx: CPUID.23H.1:EBX, bitmap of fixed counters
 * @l23_2_eax: CPUID.23H.2:EAX, general-purpose counters that can be reloaded
 * @l23_2_ebx: CPUID.23H.2:EBX, fixed counters that can be reloaded
 * @l23_2_ecx: CPUID.23H.2:ECX, general-purpose counters that can cause a reload
 * @l23_2_edx: CPUID.23H.2:EDX, fixed counters that can cause a reload
 * @l23_5_eax: CPUID.23H.5:EAX, general-purpose counters with PEBS
 * @l23_5_ecx: CPUID.23H.5:ECX, fixed counters with PEBS
 * @perf_capabilities: IA32_PERF_CAPABILITIES, 0 where the MSR does not exist
 */
struct acrpmu_cpuid {
	u32 l1_eax;
	u32 l7_1_eax;
	u32 la_eax;
	u32 la_ebx;
	u32 la_ecx;
	u32 la_edx;
	u32 l1a_eax;
	u32 l23_0_eax;
	u32 l23_0_ebx;
	u32 l23_1_eax;
	u32 l23_1_ebx;
	u32 l23_2_eax;
	u32 l23_2_ebx;
	u32 l23_2_ecx;
	u32 l23_2_edx;
	u32 l23_5_eax;
	u32 l23_5_ecx;
	u64 perf_capabilities;
};

/**
 * enum acrpmu_pmi_ack - when a PMI handler unmasks LVTPC
 * @ACRPMU_PMI_ACK_EARLY: on entry (cores before Tremont)
 * @ACRPMU_PMI_ACK_MID: before the counters run again (E-cores from Gracemont on)
 * @ACRPMU_PMI_ACK_LATE: as the last step (big cores from Haswell on, Tremont)
 */
enum acrpmu_pmi_ack {
	ACRPMU_PMI_ACK_EARLY,
	ACRPMU_PMI_ACK_MID,
	ACRPMU_PMI_ACK_LATE,
};

/**
 * struct acrpmu_model_id - a CPU that a row of the table describes
 * @family: display family
 * @model: display model
 * @core_type: CPUID.1AH:EAX[31:24], 0 for any
 * @native_model: CPUID.1AH:EAX[23:0], 0 for any
 */
struct acrpmu_model_id {
	u16 family;
	u8 model;
	u8 core_type;
	u32 native_model;
};

/**
 * struct acrpmu_fixed_event - what a fixed counter counts
 * @fixed: number of the fixed counter
 * @pseudo: event select and umask of its pseudo code, which only the kernel's perf gives a meaning
 * @config: event select and umask of the same event on a general-purpose counter, 0 if none
 */
struct acrpmu_fixed_event {
	u8 fixed;
	u16 pseudo;
	u16 config;
};

/**
 * struct acrpmu_event_constraint - an event that not every general-purpose counter can count
 * @config: event select and umask
 * @config_mask: bits of @config to compare
 * @cntrs: the counters that can
 */
struct acrpmu_event_constraint {
	u16 config;
	u16 config_mask;
	u64 cntrs;
};

/** ACRPMU_MODEL_MAX_EXTRA_REGS - most extra registers of a CPU */
#define ACRPMU_MODEL_MAX_EXTRA_REGS	6

/**
 * struct acrpmu_extra_event - another event that uses an extra register
 * @config: event select and umask
 * @valid_mask: bits that its value may have, a subset of the register's
 */
struct acrpmu_extra_event {
	u16 config;
	u64 valid_mask;
};

/**
 * struct acrpmu_extra_reg - an MSR that holds more of an event
 * @config: event select and umask that use it
 * @alt: index in the model's table of the register to try when this one is in use; the
 *	alternates form a cycle, and a register without one names itself
 * @thread: each hardware thread has its own; else those of a core share it
 * @msr: its number
 * @valid_mask: bits that its value may have
 * @others: further events that use it; an alternate has the same events in the same order
 * @nr_others: elements of @others
 */
struct acrpmu_extra_reg {
	u16 config;
	u8 alt;
	bool thread;
	u32 msr;
	u64 valid_mask;
	const struct acrpmu_extra_event *others;
	u8 nr_others;
};

/**
 * struct acrpmu_model - one row of the CPU table
 * @name: name of the model ("clearwaterforest"), as acrctl takes and prints it
 * @ids: CPUs that it describes
 * @fixed_events: what the fixed counters count
 * @constraints: events that not every general-purpose counter can count
 * @extra_regs: its extra registers
 * @nr_ids: elements of @ids; 0 for the architectural fallback
 * @nr_fixed_events: elements of @fixed_events
 * @nr_constraints: elements of @constraints
 * @nr_extra_regs: elements of @extra_regs, at most ACRPMU_MODEL_MAX_EXTRA_REGS; INFO
 *	describes the first ACRPMU_MAX_EXTRA_REGS
 * @pmi_ack: when its PMI is acknowledged
 */
struct acrpmu_model {
	const char *name;
	const struct acrpmu_model_id *ids;
	const struct acrpmu_fixed_event *fixed_events;
	const struct acrpmu_event_constraint *constraints;
	const struct acrpmu_extra_reg *extra_regs;
	u8 nr_ids;
	u8 nr_fixed_events;
	u8 nr_constraints;
	u8 nr_extra_regs;
	enum acrpmu_pmi_ack pmi_ack;
};

/**
 * struct acrpmu_caps - what one CPU offers
 * @model: its row of the table, never NULL after acrpmu_model_caps()
 * @pmu_version: CPUID.0AH:EAX[7:0]
 * @signature: CPUID.01H:EAX
 * @core_type: CPUID.1AH:EAX, 0 unless hybrid
 * @cntrs: counters that exist; general-purpose n is bit n, fixed n is bit ACRPMU_FIXED_BASE + n
 * @reloadable_cntrs: counters that can be reloaded, a subset of @cntrs
 * @cause_cntrs: counters whose overflow can reload others, a subset of @cntrs
 * @cfg_c_cntrs: counters that have CFG_C, for reloads or for PEBS, a subset of @cntrs
 * @config_mask: bits that the config of an event may have
 * @lacking_events: architectural events that it lacks, bit n is the event of bit n of
 *	CPUID.0AH:EBX; see acrpmu_event_architectural()
 * @gp_width: bits of a general-purpose counter
 * @fixed_width: bits of a fixed counter
 * @full_width: counters can be written in full width; otherwise only 31 bits and the sign
 * @v6_msrs: the MSRs have the layout of version 6 (0x1900...)
 * @rdpmc_disable: each counter can be kept from user code with RDPMC
 * @acr: has auto counter reload: @reloadable_cntrs and @cause_cntrs are both not empty
 */
struct acrpmu_caps {
	const struct acrpmu_model *model;
	u32 pmu_version;
	u32 signature;
	u32 core_type;
	u64 cntrs;
	u64 reloadable_cntrs;
	u64 cause_cntrs;
	u64 cfg_c_cntrs;
	u64 config_mask;
	u64 lacking_events;
	u8 gp_width;
	u8 fixed_width;
	bool full_width;
	bool v6_msrs;
	bool rdpmc_disable;
	bool acr;
};

/**
 * enum acrpmu_model_reg - a register of one counter
 * @ACRPMU_MODEL_CNTR: the counter itself, for writing in full width where the CPU can
 * @ACRPMU_MODEL_CFG_A: its event select; for a fixed counter IA32_FIXED_CTR_CTRL
 * @ACRPMU_MODEL_CFG_B: its reload mask
 * @ACRPMU_MODEL_CFG_C: its reload value, and what PEBS records
 */
enum acrpmu_model_reg {
	ACRPMU_MODEL_CNTR,
	ACRPMU_MODEL_CFG_A,
	ACRPMU_MODEL_CFG_B,
	ACRPMU_MODEL_CFG_C,
};

/**
 * acrpmu_model_caps() - derive the capabilities of a CPU from its leaves
 * @cpuid: the leaves of an Intel CPU
 * @caps: out, always filled; without a usable PMU there are no counters in it
 *
 * Context: any.
 * Return: 0, or -EOPNOTSUPP when the CPU has no PMU of architectural version 2 or later.
 */
int acrpmu_model_caps(const struct acrpmu_cpuid *cpuid, struct acrpmu_caps *caps);

/**
 * acrpmu_model_same_kind() - check whether two CPUs have cores of the same kind
 * @a: the one
 * @b: the other
 *
 * The table alone cannot tell: all that it lacks share its fallback.
 *
 * Context: any.
 * Return: whether an event of the one is the same on the other, given counters that both have.
 */
bool acrpmu_model_same_kind(const struct acrpmu_caps *a, const struct acrpmu_caps *b);

/**
 * acrpmu_model_find() - find the row of a CPU
 * @signature: CPUID.01H:EAX
 * @core_type: CPUID.1AH:EAX, 0 unless hybrid
 *
 * Context: any.
 * Return: the row, the architectural fallback when no other fits; never NULL.
 */
const struct acrpmu_model *acrpmu_model_find(u32 signature, u32 core_type);

/**
 * acrpmu_model_next() - iterate over the CPU table
 * @model: NULL for the first row, else the row before
 *
 * Context: any.
 * Return: the next row, or NULL after the last.
 */
const struct acrpmu_model *acrpmu_model_next(const struct acrpmu_model *model);

/**
 * acrpmu_model_msr() - find an MSR of a counter
 * @caps: the CPU
 * @cntr: index of an existing counter
 * @reg: which of its registers
 *
 * Context: any.
 * Return: the MSR number; 0 when the counter has no such register (CFG_B exists only for reloadable
 * counters, CFG_C also for those with PEBS).
 */
u32 acrpmu_model_msr(const struct acrpmu_caps *caps, unsigned int cntr, enum acrpmu_model_reg reg);

/**
 * acrpmu_model_rdpmc() - find the operand of RDPMC that reads a counter
 * @cntr: index of a counter
 *
 * Context: any.
 * Return: the value for ECX.
 */
static __always_inline u32 acrpmu_model_rdpmc(unsigned int cntr)
{
	/* The bit of fixed counters in @cntr becomes that of fixed counters in the operand. */
	return (cntr & (ACRPMU_FIXED_BASE - 1)) |
	       (cntr & ACRPMU_FIXED_BASE) * (RDPMC_FIXED_BASE / ACRPMU_FIXED_BASE);
}

/**
 * acrpmu_model_width() - find the width of a counter
 * @caps: the CPU
 * @cntr: index of a counter
 *
 * Context: any.
 * Return: its width in bits.
 */
static __always_inline unsigned int acrpmu_model_width(const struct acrpmu_caps *caps,
						       unsigned int cntr)
{
	return cntr >= ACRPMU_FIXED_BASE ? caps->fixed_width : caps->gp_width;
}

#endif /* _ACRPMU_CORE_MODEL_H */
