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
 * @level: where it ran
 * @origin: where it lies
 */
struct record_access {
	enum access_op op;
	uint32_t msr;
	uint64_t value;
	uint64_t pc;
	enum event_level level;
	enum access_origin origin;
};

/**
 * record_start() - "start": what the machine is
 * @model: the machine
 */
void record_start(struct model *model);

/**
 * record_reset() - "reset": the machine was reset
 * @model: the machine
 */
void record_reset(struct model *model);

/**
 * record_access() - "msr": an access that was accepted
 * @model: the machine
 * @cpu: the CPU
 * @a: the access
 */
void record_access(struct model *model, const struct cpu *cpu, const struct record_access *a);

/**
 * record_violation() - "viol": an access that was answered by a fault
 * @model: the machine
 * @cpu: the CPU
 * @a: the access
 * @why: the reason
 */
void record_violation(struct model *model, const struct cpu *cpu, const struct record_access *a,
		      enum pmu_access why);

/**
 * record_overflow() - "ovf": a counter overflowed
 * @model: the machine
 * @cpu: the CPU
 * @o: the overflow
 * @pc: start of the block in which it happened
 * @level: where it ran
 */
void record_overflow(struct model *model, const struct cpu *cpu, const struct count_overflow *o,
		     uint64_t pc, enum event_level level);

/**
 * record_pmi() - "pmi": the PMU asked for an interrupt
 * @model: the machine
 * @cpu: the CPU
 * @result: what became of it
 * @lvtpc: the LVT entry as it was
 */
void record_pmi(struct model *model, const struct cpu *cpu, const char *result, uint32_t lvtpc);

/**
 * record_window() - "win": a PMI window closed
 * @model: the machine
 * @cpu: the CPU
 */
void record_window(struct model *model, const struct cpu *cpu);

/**
 * record_mark() - "mark" and one "cpu" line for each CPU: totals since the start
 * @model: the machine
 * @cpu: the CPU that set the mark
 * @tag: its tag
 */
void record_mark(struct model *model, const struct cpu *cpu, uint64_t tag);

/**
 * record_final() - "final" and the register values of each CPU
 * @model: the machine
 */
void record_final(struct model *model);

#endif /* MODEL_RECORD_H */
