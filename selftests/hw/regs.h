/* SPDX-License-Identifier: GPL-2.0-only */
/* Every PMU register of every CPU of the model. */
#ifndef HW_REGS_H
#define HW_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "../model/oracle.h"

/* Ranges of register numbers, Intel SDM vol. 4; what a profile lacks is left out */
static const struct reg_range {
	uint32_t first, last;
} reg_ranges[] = {
	{ 0xc1, 0xca },		/* IA32_PMCx */
	{ 0x186, 0x18f },	/* IA32_PERFEVTSELx */
	{ 0x1a6, 0x1a7 },	/* MSR_OFFCORE_RSP_x */
	{ 0x309, 0x30f },	/* IA32_FIXED_CTRx */
	{ 0x329, 0x329 },	/* PERF_METRICS */
	{ 0x38d, 0x38f },	/* IA32_FIXED_CTR_CTRL, IA32_PERF_GLOBAL_STATUS, _CTRL */
	{ 0x3e0, 0x3e3 },	/* OMR_x */
	{ 0x4c1, 0x4ca },	/* IA32_A_PMCx */
	{ 0x1900, 0x1960 },	/* IA32_PMC_GPx_CTR, _CFG_A, _CFG_B, _CFG_C */
	{ 0x1980, 0x19bf },	/* IA32_PMC_FXx_CTR, _CFG_B, _CFG_C */
};

/* IA32_PMCx, IA32_A_PMCx, IA32_FIXED_CTRx, IA32_PMC_GPx_CTR, IA32_PMC_FXx_CTR */
static inline bool regs_is_counter(uint32_t msr)
{
	return (msr >= 0xc1 && msr <= 0xca) || (msr >= 0x4c1 && msr <= 0x4ca) ||
	       (msr >= 0x309 && msr <= 0x30f) ||
	       (msr >= 0x1900 && msr <= 0x19bf && !(msr & 3));
}

/**
 * regs_each() - visit them all
 * @visit: gets the CPU, the register's number, its value, and @data
 * @data: whatever it needs
 *
 * Return: how many there are; 0: this is not the model.
 */
static inline unsigned int regs_each(void (*visit)(unsigned int cpu, uint32_t msr, uint64_t value,
						   void *data), void *data)
{
	unsigned int cpu, nr_cpus, i, nr = 0;
	uint64_t value;
	uint32_t msr;

	if (!oracle_present())
		return 0;
	nr_cpus = oracle_get(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		for (i = 0; i < sizeof(reg_ranges) / sizeof(reg_ranges[0]); i++)
			for (msr = reg_ranges[i].first; msr <= reg_ranges[i].last; msr++)
				if (oracle_ask(ORACLE_MSR, cpu, msr, &value)) {
					visit(cpu, msr, value, data);
					nr++;
				}
	return nr;
}

#endif /* HW_REGS_H */
