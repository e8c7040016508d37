/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of the log, one function for each type; LOG.md describes them. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include "model.h"

/**
 * struct record_access - an access to a PMU register
 * @op: kind of access
 * @msr: register, or ECX of an RDPMC that was refused
 * @value: what was read or written
 * @pc: address of the instruction
 * @level: its privilege level
 * @origin: whether it lies in a registered range
 */
struct record_access {
	enum access_op op;
	uint32_t msr;
	uint64_t value;
	uint64_t pc;
	enum event_level level;
	enum access_origin origin;
};

/* "start": description of the machine. */
void record_start(struct model *model);

/* "reset": the machine was reset. */
void record_reset(struct model *model);

/* "msr": an access that was accepted. */
void record_access(struct model *model, const struct cpu *cpu, const struct record_access *a);

/* "viol": an access that faulted. */
void record_violation(struct model *model, const struct cpu *cpu, const struct record_access *a,
		      enum pmu_access why);

/*
 * "ovf": a counter overflowed in the block at @pc.
 */
void record_overflow(struct model *model, const struct cpu *cpu, const struct count_overflow *o,
		     uint64_t pc, enum event_level level);

/*
 * "pmi": the PMU requested an interrupt.
 * @result: "delivered", "masked" or "failed"
 * @lvtpc: the LVT entry before
 */
void record_pmi(struct model *model, const struct cpu *cpu, const char *result, uint32_t lvtpc);

/* "win": a PMI window closed. */
void record_window(struct model *model, const struct cpu *cpu);

/*
 * "mark", one line for each CPU: totals since the start.
 * @cpu: the CPU that set the mark
 */
void record_mark(struct model *model, const struct cpu *cpu, uint64_t tag);

/*
 * "code" and "call": where the instructions of a level went since ORACLE_CODE_BEGIN.
 * @asker: the CPU that asks
 * @nr: the CPU asked about, or ORACLE_THIS_CPU or ORACLE_ALL_CPUS
 */
void record_code(struct model *model, const struct cpu *asker, unsigned int nr, uint64_t tag);

/* "final" and the register values of each CPU. */
void record_final(struct model *model);

#endif /* MODEL_RECORD_H */
