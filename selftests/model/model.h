/* SPDX-License-Identifier: GPL-2.0-only */
/* The whole machine: its CPUs with their statistics, and the state they share. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "access.h"
#include "cache.h"
#include "code.h"
#include "core.h"
#include "fault.h"
#include "log.h"
#include "pmi.h"
#include "pmu.h"
#include "predictor.h"

#define MODEL_MAX_CPUS		64

/**
 * struct window_stats - sums over closed PMI windows
 * @nr: windows
 * @handler_insns: kernel instructions of the handlers
 * @handler_insns_max: the most in one handler
 * @insns: kernel instructions until the interrupted code went on
 * @range_nr: windows with PMU accesses by the registered ranges in the handler
 * @range_accesses: those accesses
 * @range_accesses_max: the most in one handler
 * @range_handler_insns: kernel instructions of the handlers of those windows
 * @accesses: accesses of all code in handlers
 * @accesses_max: the most in one handler
 */
struct window_stats {
	uint64_t nr;
	uint64_t handler_insns, handler_insns_max;
	uint64_t insns;
	uint64_t range_nr;
	uint64_t range_accesses, range_accesses_max;
	uint64_t range_handler_insns;
	uint64_t accesses, accesses_max;
};

/**
 * struct cpu_stats - what happened to one CPU's PMU
 * @overflows: by counter
 * @overflows_int: those that raised a PMI
 * @overflows_self: those in which the counter reloaded itself
 * @reloads: by counter that was reloaded
 * @pmi_raised: PMIs the PMU asked for
 * @pmi_delivered: delivered by the LVT entry
 * @pmi_masked: lost because it was masked
 * @pmi_lost: lost because the guest has asked for that
 * @pmi_failed: lost because the APIC could not be reached; always an error of the set-up
 * @pmi_taken: interrupts taken because of them
 * @violations: accesses answered by #GP, by origin
 * @resets: how often the machine was reset
 * @windows: PMI windows
 */
struct cpu_stats {
	uint64_t overflows[PMU_NR_CNTRS];
	uint64_t overflows_int[PMU_NR_CNTRS];
	uint64_t overflows_self[PMU_NR_CNTRS];
	uint64_t reloads[PMU_NR_CNTRS];
	uint64_t pmi_raised, pmi_delivered, pmi_masked, pmi_lost, pmi_failed, pmi_taken;
	uint64_t violations[NR_ORIGINS];
	uint64_t resets;
	struct window_stats windows;
};

/**
 * struct cpu - one logical CPU
 * @nr: its number
 * @pmu: its PMU
 * @core: its execution accounting
 * @stats: what happened
 * @access: accesses to its registers
 * @window: the open PMI window
 * @fault: faults that the guest has asked for
 * @range_start: address noted by ORACLE_RANGE_START
 * @predictor: NULL unless branches are predicted
 * @cache: NULL unless memory is modelled
 * @code: where its kernel instructions go
 * @branch: block that ended in a conditional branch with an outcome not known yet
 */
struct cpu {
	unsigned int nr;
	struct pmu pmu;
	struct core core;
	struct cpu_stats stats;
	struct access_stats *access;
	struct pmi_window window;
	struct fault fault;
	uint64_t range_start;
	struct predictor *predictor;
	struct cache *cache;
	struct code *code;
	const struct block *branch;
};

/**
 * struct model - the machine
 * @spec: what it is, as for profile_cores()
 * @profile: the kind of core of each CPU
 * @cpu: its CPUs, NULL before they come up
 * @nr_cpus: number of CPUs
 * @threads: hardware threads of each core, numbered consecutively
 * @shared: state that the threads of a core share, by number of the core
 * @ranges: code with accesses that are counted separately
 * @log: the log
 */
struct model {
	const char *spec;
	const struct profile *profile[MODEL_MAX_CPUS];
	struct cpu *cpu[MODEL_MAX_CPUS];
	unsigned int nr_cpus;
	unsigned int threads;
	struct pmu_shared shared[MODEL_MAX_CPUS];
	struct access_ranges ranges;
	struct log log;
};

/*
 * Set the kind of core of each CPU from @spec, @nr_cpus and @threads; threads of a core are alike.
 *
 * Return: false if @spec names no CPU or kind that there is.
 */
bool model_choose_cores(struct model *model);

/* Registers that a CPU shares with the other threads of its core. */
struct pmu_shared *model_shared(struct model *model, unsigned int nr);

/* Notify the other threads of the writer's core of a write to a shared register. */
void model_notify_threads(struct model *model, const struct cpu *writer);

/* Add the closed PMI window of a CPU to the statistics. */
void model_window_closed(struct cpu *cpu);

/* Count an access to a PMU register. */
void model_account(struct cpu *cpu, enum access_op op, uint32_t msr, enum access_origin origin);

/* Count an overflow. */
void model_overflow(struct cpu *cpu, const struct count_overflow *o);

/*
 * Answer a query of the guest.
 * @asker: the CPU that asks; its PMU has been shown everything up to the query
 * @request: ECX of the query
 *
 * Answers marks too, but does not write them.
 *
 * Return: false if there is no answer.
 */
bool model_answer(struct model *model, struct cpu *asker, uint32_t request, uint64_t arg,
		  uint64_t *value);

#endif /* MODEL_MODEL_H */
