/* SPDX-License-Identifier: GPL-2.0-only */
/* The register file of one logical CPU's PMU and the rules of access to it. */
#ifndef MODEL_PMU_H
#define MODEL_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "pmu_regs.h"
#include "profile.h"

/**
 * enum pmu_access - what became of an access to a register
 * @PMU_OK: done
 * @PMU_NOT_MINE: not a PMU register; QEMU answers
 * @PMU_GP_ABSENT: the profile has no such register
 * @PMU_GP_READ_ONLY: written, but read-only
 * @PMU_GP_RESERVED: a reserved bit was set
 * @PMU_GP_WIDTH: a bit above the counter's width was set
 * @PMU_GP_CAUSE: a reload mask names a counter that can cause no reload
 * @PMU_GP_NOT_RELOADABLE: CFG_B or CFG_C of a counter that cannot be reloaded
 * @PMU_GP_RELOAD_RANGE: a reload value beyond 32 bits
 * @NR_PMU_ACCESS: how many there are
 */
enum pmu_access {
	PMU_OK,
	PMU_NOT_MINE,
	PMU_GP_ABSENT,
	PMU_GP_READ_ONLY,
	PMU_GP_RESERVED,
	PMU_GP_WIDTH,
	PMU_GP_CAUSE,
	PMU_GP_NOT_RELOADABLE,
	PMU_GP_RELOAD_RANGE,
	NR_PMU_ACCESS
};

/**
 * struct cycle_filter - state of a counter with CMASK, INV, EQ or EDGE set
 * @on: the counter counts cycles that pass a test, not occurrences
 * @last: result of the test in the cycle before, for EDGE
 * @events: occurrences so far in the cycle that is under way
 */
struct cycle_filter {
	bool on;
	bool last;
	uint32_t events;
};

/**
 * struct cntr - one counter
 * @value: its present value, @width bits
 * @kinds: what it counts
 * @levels: where, bit per enum event_level
 * @pmi: interrupt enable (INT, or PMI of a fixed counter)
 * @filter: cycle test
 */
struct cntr {
	uint64_t value;
	uint32_t kinds;
	uint8_t levels;
	bool pmi;
	struct cycle_filter filter;
};

/**
 * struct pmu_shared - registers that the hardware threads of a core have in common
 * @offcore_rsp: OFFCORE_RSP_0 and _1
 * @writes: how often any of them was written, so that each thread notices what another does
 *
 * Each member is read and written by all threads of the core, atomically.
 */
struct pmu_shared {
	uint64_t offcore_rsp[2];
	uint64_t writes;
};

/**
 * struct pmu - one PMU
 * @profile: the CPU it belongs to
 * @cntr: counters, by the index of GLOBAL_CTRL
 * @evtsel: IA32_PERFEVTSELx, which is CFG_A
 * @cfg_b: reload masks (causes)
 * @cfg_c: reload values
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL
 * @global_ctrl: IA32_PERF_GLOBAL_CTRL
 * @global_status: IA32_PERF_GLOBAL_STATUS
 * @debugctl: IA32_DEBUGCTL
 * @shared: what the other threads of its core have, too
 * @seen_writes: @shared.writes when what counts was derived last
 * @enabled: derived: counters that count at present
 */
struct pmu {
	const struct profile *profile;
	struct cntr cntr[PMU_NR_CNTRS];
	uint64_t evtsel[PMU_MAX_GP];
	uint64_t cfg_b[PMU_NR_CNTRS];
	uint64_t cfg_c[PMU_NR_CNTRS];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t global_status;
	uint64_t debugctl;
	struct pmu_shared *shared;
	uint64_t seen_writes;
	uint64_t enabled;
};

/**
 * pmu_reset() - put a PMU into its state after power-up or RESET
 * @pmu: the PMU
 * @profile: the CPU it belongs to
 * @shared: registers of its core, reset too
 */
void pmu_reset(struct pmu *pmu, const struct profile *profile, struct pmu_shared *shared);

/**
 * pmu_rdmsr() - RDMSR, without side effects
 * @pmu: the PMU
 * @msr: register number
 * @value: where the value goes when the result is PMU_OK
 *
 * Return: PMU_OK, PMU_NOT_MINE or the reason for #GP.
 */
enum pmu_access pmu_rdmsr(const struct pmu *pmu, uint32_t msr, uint64_t *value);

/**
 * pmu_wrmsr() - WRMSR
 * @pmu: the PMU; unchanged unless the result is PMU_OK
 * @msr: register number
 * @value: what is written
 *
 * Return: PMU_OK, PMU_NOT_MINE or the reason for #GP.
 */
enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);

/**
 * pmu_check() - would an access be accepted?
 * @pmu: the PMU
 * @msr: register number
 * @write: WRMSR rather than RDMSR
 * @value: what is written
 *
 * Return: PMU_OK, PMU_NOT_MINE or the reason for #GP.
 */
enum pmu_access pmu_check(const struct pmu *pmu, uint32_t msr, bool write, uint64_t value);

/**
 * pmu_shares() - is a register one that the threads of a core have in common?
 * @pmu: the PMU
 * @msr: register number
 *
 * Return: true if so.
 */
bool pmu_shares(const struct pmu *pmu, uint32_t msr);

/**
 * pmu_rdpmc_index() - counter that an RDPMC selects
 * @pmu: the PMU
 * @ecx: ECX of the instruction
 *
 * Return: index of the counter, or -1 if there is no such counter.
 */
int pmu_rdpmc_index(const struct pmu *pmu, uint32_t ecx);

/**
 * pmu_refresh() - derive what counts from the control registers
 * @pmu: the PMU
 */
void pmu_refresh(struct pmu *pmu);

/**
 * pmu_catch_up() - count on by what another thread of the core has written to a shared register
 * @pmu: the PMU, shown everything before
 */
void pmu_catch_up(struct pmu *pmu);

/**
 * pmu_access_name() - name of a result for log and diagnostics
 * @access: the result
 *
 * Return: a static string.
 */
const char *pmu_access_name(enum pmu_access access);

#endif /* MODEL_PMU_H */
