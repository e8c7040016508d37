/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults of the model CPU: register accesses that are refused, and PMIs that are wrong. */
#ifndef HW_FAULT_H
#define HW_FAULT_H

#include "../model/oracle.h"

#define FAULT_ALL	ORACLE_ARG_FIELD	/* more than a session makes */

/**
 * fault_refuse() - let accesses of a kind fault
 * @cpu: the CPU
 * @msr: the register
 * @op: ORACLE_RD or ORACLE_WR
 * @origin: ORACLE_ORIGIN_RANGE after module_add_ranges(), or ORACLE_ORIGIN_ANY
 * @skip: accesses that come before
 * @nr: how many fault
 */
static inline void fault_refuse(unsigned int cpu, uint32_t msr, unsigned int op,
				unsigned int origin, unsigned int skip, unsigned int nr)
{
	oracle_get(ORACLE_FAULT_ACCESS, cpu,
		   oracle_fault_access_arg(msr, op, origin, skip, nr));
}

/**
 * fault_refuse_left() - let them fault no more
 * @cpu: the CPU
 *
 * Return: how many were still to fault.
 */
static inline uint64_t fault_refuse_left(unsigned int cpu)
{
	return oracle_get(ORACLE_FAULT_ACCESS, cpu, 0);
}

/**
 * fault_pmis() - let PMIs be wrong
 * @query: ORACLE_FAULT_STRAY or ORACLE_FAULT_REPEAT, on this CPU
 * @nr: how many
 * @gap: instructions before each
 */
static inline void fault_pmis(enum oracle_query query, uint32_t nr, uint32_t gap)
{
	oracle_get(query, ORACLE_THIS_CPU, nr | (uint64_t)gap << ORACLE_ARG_GAP_SHIFT);
}

/**
 * fault_pmis_left() - end that
 * @query: as in fault_pmis(), or ORACLE_FAULT_LOSE
 *
 * Return: how many were still to come.
 */
static inline uint64_t fault_pmis_left(enum oracle_query query)
{
	return oracle_get(query, ORACLE_THIS_CPU, 0);
}

#endif /* HW_FAULT_H */
