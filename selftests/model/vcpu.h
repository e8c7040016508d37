/* SPDX-License-Identifier: GPL-2.0-only */
/* A vCPU of QEMU and the model's CPU behind it, as the plugin's callbacks share them. */
#ifndef MODEL_VCPU_H
#define MODEL_VCPU_H

#include "guest.h"
#include "model.h"

/**
 * struct vcpu - one vCPU; each field belongs to its thread
 * @guest: its registers
 * @cpu: the model's CPU
 * @pc: start of the block under way, for the log
 * @level: its level
 * @pmi_early: the PMI that the block under way will bring about has been sent already
 * @cpuid_pending: a CPUID was executed whose answer must be changed
 * @cpuid_pc: address after it
 * @cpuid_leaf: its leaf
 * @cpuid_subleaf: its sub-leaf
 * @flags_pending: an instruction was skipped, and the next one has not been seen yet
 * @flags_pc: address of the next one
 * @flags: RFLAGS but for those of arithmetic, as they must be there
 * @fault_pending: an access is being made to fault
 * @fault_restore: register to be put back afterwards
 * @fault_value: its value
 */
struct vcpu {
	struct guest guest;
	struct cpu cpu;
	uint64_t pc;
	enum event_level level;
	bool pmi_early;
	bool cpuid_pending;
	uint64_t cpuid_pc;
	uint32_t cpuid_leaf, cpuid_subleaf;
	bool flags_pending;
	uint64_t flags_pc;
	uint64_t flags;
	bool fault_pending;
	enum guest_reg fault_restore;
	uint64_t fault_value;
};

/**
 * struct site - an instruction that the model answers
 * @next: next one of the same generation
 * @block: its block
 * @insn: its index there
 */
struct site {
	struct site *next;
	const struct block *block;
	uint32_t insn;
};

/* The machine, and the vCPUs by number; set up before the guest starts */
extern struct model model;
extern struct vcpu vcpus[MODEL_MAX_CPUS];

/**
 * vcpu_sink() - overflows of a vCPU: count and log them
 * @v: the vCPU
 *
 * Return: the sink.
 */
struct count_sink vcpu_sink(struct vcpu *v);

/**
 * vcpu_raise_pmi() - deliver a PMI through the local APIC
 * @v: the vCPU whose thread this is
 *
 * Return: true if an interrupt is now pending.
 */
bool vcpu_raise_pmi(struct vcpu *v);

/**
 * vcpu_go_on() - let QEMU go on after core_stop() at the last instruction of a block
 * @v: the vCPU whose thread this is
 */
void vcpu_go_on(struct vcpu *v);

/**
 * vcpu_resume() - go on with the block's next instruction after core_stop()
 * @v: the vCPU whose thread this is
 * @b: the block it runs
 * @pc: the instruction's address, as if the block ran where it was translated
 *
 * Must come last in a callback with QEMU_CB_RW_REGS_PC.
 */
void vcpu_resume(struct vcpu *v, const struct block *b, uint64_t pc)
	__attribute__((noreturn));

/**
 * vcpu_point() - describe where the vCPU is
 * @v: the vCPU whose thread this is
 * @pc: next instruction
 * @sp: stack pointer there
 * @kernel_insns: kernel instructions that have run
 *
 * Return: the point.
 */
struct pmi_point vcpu_point(uint64_t pc, uint64_t sp, uint64_t kernel_insns);

/**
 * intercept_cpuid() - callback before a CPUID
 * @nr: vCPU
 * @ud: its &struct site
 */
void intercept_cpuid(unsigned int nr, void *ud);

/**
 * intercept_after_cpuid() - callback before the instruction that follows a CPUID in its block
 * @nr: vCPU
 * @ud: that instruction's &struct site
 */
void intercept_after_cpuid(unsigned int nr, void *ud);

/**
 * intercept_cpuid_answer() - change the answer of a CPUID that has been executed, if one has
 * @v: the vCPU whose thread this is
 * @pc: next instruction
 */
void intercept_cpuid_answer(struct vcpu *v, uint64_t pc);

/**
 * intercept_flags_went_wrong() - look at RFLAGS behind a skipped instruction, and mend them
 * @v: the vCPU whose thread this is
 * @pc: address of the block that is about to run
 *
 * Return: true if they had to be mended; QEMU must look for the block anew then.
 */
bool intercept_flags_went_wrong(struct vcpu *v, uint64_t pc);

/**
 * intercept_rdmsr() - callback before an RDMSR
 * @nr: vCPU
 * @ud: its &struct site
 */
void intercept_rdmsr(unsigned int nr, void *ud);

/**
 * intercept_wrmsr() - callback before a WRMSR
 * @nr: vCPU
 * @ud: its &struct site
 */
void intercept_wrmsr(unsigned int nr, void *ud);

/**
 * intercept_rdpmc() - callback before an RDPMC
 * @nr: vCPU
 * @ud: its &struct site
 */
void intercept_rdpmc(unsigned int nr, void *ud);

/**
 * intercept_faulted() - an exception was taken: put back what was changed to provoke it
 * @v: the vCPU whose thread this is
 */
void intercept_faulted(struct vcpu *v);

#endif /* MODEL_VCPU_H */
