/* SPDX-License-Identifier: GPL-2.0-only */
/* A vCPU of QEMU and the model's CPU behind it; functions here run on the vCPU's thread. */
#ifndef MODEL_VCPU_H
#define MODEL_VCPU_H

#include "guest.h"
#include "model.h"

/* Instructions that QEMU executes first; the model then replaces what they answer. */
enum answer_kind { ANSWER_NONE, ANSWER_CPUID, ANSWER_MSR, ANSWER_ORACLE };

/**
 * struct answer - what an instruction that QEMU has executed must leave in the registers
 * @kind: of it
 * @pc: address after the instruction
 * @leaf: of CPUID
 * @subleaf: of CPUID
 * @value: of RDMSR, or what the oracle says
 * @status: of the oracle
 */
struct answer {
	enum answer_kind kind;
	uint64_t pc;
	uint32_t leaf, subleaf;
	uint64_t value;
	uint64_t status;
};

/**
 * struct vcpu - one vCPU, used only by its own thread
 * @guest: its registers
 * @cpu: the model's CPU
 * @pc: start of the running block, for the log
 * @level: its level
 * @pmi_early: the PMI that the running block will cause has been sent already
 * @message: of the PMI that is being sent; another one of the same block has an equal message
 * @lvtpc: LVT entry of that PMI
 * @pmi_due: instructions of this CPU after which a delayed PMI is raised, 0 if there is none
 * @answer: to the instruction before the one that runs next
 * @flags_pending: an RDPMC was skipped, and the next instruction has not run yet
 * @flags_pc: address of the next one
 * @flags: RFLAGS expected there, without the arithmetic ones
 * @fault_pending: an instruction is made to fault
 * @fault_restore: register to restore afterwards
 * @fault_value: its value
 */
struct vcpu {
	struct guest guest;
	struct cpu cpu;
	uint64_t pc;
	enum event_level level;
	bool pmi_early;
	struct pmi_message message;
	uint32_t lvtpc;
	uint64_t pmi_due;
	struct answer answer;
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

/* A sink that counts and logs the overflows of a vCPU. */
struct count_sink vcpu_sink(struct vcpu *v);

/* Deliver a PMI through the local APIC, or later; return true if an interrupt is now pending. */
bool vcpu_raise_pmi(struct vcpu *v);

/* Read the LVT entry of the PMI; false on failure. */
bool vcpu_read_lvtpc(struct vcpu *v, uint64_t *value);

/* Continue in QEMU after core_stop() at an instruction that it executes. */
void vcpu_go_on(struct vcpu *v);

/*
 * Continue with the next instruction of @b after core_stop().
 * @pc: the instruction's address, as if the block ran where it was translated
 *
 * Must come last in a callback with QEMU_CB_RW_REGS_PC.
 */
void vcpu_resume(struct vcpu *v, const struct block *b, uint64_t pc)
	__attribute__((noreturn));

/* The position of a vCPU. */
struct pmi_point vcpu_point(uint64_t pc, uint64_t sp, uint64_t kernel_insns);

/* Callback before a CPUID. */
void intercept_cpuid(unsigned int nr, void *ud);

/*
 * Callback before the instruction that follows a CPUID or an RDMSR in its block, which is the
 * site in @ud.
 */
void intercept_next(unsigned int nr, void *ud);

/* Answer the instruction before the one at @pc, if it waits for that. */
void intercept_answer(struct vcpu *v, uint64_t pc);

/*
 * Check RFLAGS after a skipped RDPMC, before the block at @pc, and repair them.
 *
 * Return: true if they were wrong; QEMU must then look up the block again.
 */
bool intercept_flags_went_wrong(struct vcpu *v, uint64_t pc);

/* Callback before an RDMSR. */
void intercept_rdmsr(unsigned int nr, void *ud);

/* Callback before a WRMSR. */
void intercept_wrmsr(unsigned int nr, void *ud);

/* Callback before an RDPMC. */
void intercept_rdpmc(unsigned int nr, void *ud);

/* After an exception: restore the register that was changed to provoke it. */
void intercept_faulted(struct vcpu *v);

#endif /* MODEL_VCPU_H */
