/* SPDX-License-Identifier: GPL-2.0-only */
/* The register file of one logical CPU's PMU and its access rules. */
#ifndef MODEL_PMU_H
#define MODEL_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "pmu_regs.h"
#include "profile.h"

/**
 * enum pmu_access - result of an access to a register
 * @PMU_OK: done
 * @PMU_NOT_MINE: not a PMU register; QEMU answers
 * @PMU_GP_ABSENT: the profile has no such register
 * @PMU_GP_READ_ONLY: written, but read-only
 * @PMU_GP_RESERVED: a reserved bit was set
 * @PMU_GP_WIDTH: a bit above the counter's width was set
 * @PMU_GP_CAUSE: a reload mask names a counter that can cause no reload
 * @PMU_GP_NOT_RELOADABLE: CFG_B or CFG_C of a counter that cannot be reloaded
 * @PMU_GP_RELOAD_RANGE: a reload value beyond 32 bits
 * @PMU_GP_INJECTED: the guest has asked for it
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
	PMU_GP_INJECTED,
	NR_PMU_ACCESS
};

/**
 * struct cycle_filter - state of a counter with CMASK, INV, EQ or EDGE set
 * @on: the counter counts cycles that pass a test, not occurrences
 * @last: result of the test in the cycle before, for EDGE
 * @events: occurrences so far in the current cycle
 */
struct cycle_filter {
	bool on;
	bool last;
	uint32_t events;
};

/**
 * struct cntr - one counter
 * @value: its value, as wide as &profile.width
 * @kinds: what it counts
 * @levels: at which levels, bit per enum event_level
 * @pmi: interrupt enable (INT, or PMI of a fixed counter)
 * @filter: state of its cycle test
 */
struct cntr {
	uint64_t value;
	uint32_t kinds;
	uint8_t levels;
	bool pmi;
	struct cycle_filter filter;
};

/**
 * struct pmu_shared - registers that the hardware threads of a core share
 * @offcore_rsp: OFFCORE_RSP_0 and _1
 * @stored: those of &profile.stored that are not of a thread
 * @writes: number of writes to any of them, by which a thread notices those of another
 *
 * All threads of the core read and write each member atomically.
 */
struct pmu_shared {
	uint64_t offcore_rsp[2];
	uint64_t stored[PROFILE_MAX_STORED];
	uint64_t writes;
};

/**
 * struct pmu - one PMU
 * @profile: the CPU it belongs to
 * @cntr: counters, by the index of GLOBAL_CTRL
 * @evtsel: IA32_PERFEVTSELx, which is CFG_A
 * @cfg_b: reload masks (causes)
 * @cfg_c: reload values, and what PEBS records
 * @pebs: IA32_PEBS_BASE and IA32_PEBS_INDEX
 * @stored: those of &profile.stored that each thread has
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL
 * @global_ctrl: IA32_PERF_GLOBAL_CTRL
 * @global_status: IA32_PERF_GLOBAL_STATUS
 * @debugctl: IA32_DEBUGCTL
 * @metrics: PERF_METRICS, which only holds what is written
 * @shared: registers shared with the other threads of its core
 * @seen_writes: @shared.writes at the last pmu_refresh()
 * @enabled: derived: counters that count
 */
struct pmu {
	const struct profile *profile;
	struct cntr cntr[PMU_NR_CNTRS];
	uint64_t evtsel[PMU_MAX_GP];
	uint64_t cfg_b[PMU_NR_CNTRS];
	uint64_t cfg_c[PMU_NR_CNTRS];
	uint64_t pebs[2];
	uint64_t stored[PROFILE_MAX_STORED];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t global_status;
	uint64_t debugctl;
	uint64_t metrics;
	struct pmu_shared *shared;
	uint64_t seen_writes;
	uint64_t enabled;
};

/*
 * Reset a PMU as power-up and RESET do, together with the shared registers of its core.
 */
void pmu_reset(struct pmu *pmu, const struct profile *profile, struct pmu_shared *shared);

/*
 * Read a register, without side effects.
 *
 * Return: PMU_OK, PMU_NOT_MINE or the reason for #GP.
 */
enum pmu_access pmu_rdmsr(const struct pmu *pmu, uint32_t msr, uint64_t *value);

/*
 * Write a register.
 *
 * Return: PMU_OK, PMU_NOT_MINE or the reason for #GP.
 */
enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);

/* The result of an access, by WRMSR if @write, otherwise by RDMSR, without performing it. */
enum pmu_access pmu_check(const struct pmu *pmu, uint32_t msr, bool write, uint64_t value);

/* Check whether the threads of a core share a register. */
bool pmu_shares(const struct pmu *pmu, uint32_t msr);

/*
 * Read a register by RDPMC.
 * @ecx: selects it
 * @user: by user code
 * @msr: out, its number in version 6, whatever the profile's
 *
 * Return: false if there is no such register.
 */
bool pmu_rdpmc(const struct pmu *pmu, uint32_t ecx, bool user, uint32_t *msr, uint64_t *value);

/* Derive what counts from the control registers. */
void pmu_refresh(struct pmu *pmu);

/* Apply another thread's write to a shared register; the PMU must have been shown all before. */
void pmu_catch_up(struct pmu *pmu);

/* Name of a result, for log and diagnostics. */
const char *pmu_access_name(enum pmu_access access);

#endif /* MODEL_PMU_H */
