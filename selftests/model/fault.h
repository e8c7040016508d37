/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults that the guest asks for: refused accesses, PMIs that get lost or have no cause. */
#ifndef MODEL_FAULT_H
#define MODEL_FAULT_H

#include "access.h"

/**
 * struct fault - faults of one CPU that are still to come
 * @msr: register of the accesses that are refused
 * @op: their kind
 * @origins: their origins, bit per enum access_origin
 * @skip: how many of them come before
 * @refuse: how many are refused
 * @lose: PMIs that are lost
 * @repeat: PMIs that come again
 * @stray: PMIs that nothing causes
 * @gap: instructions of the CPU before each of these
 * @due: instructions of the CPU at the next one
 *
 * The guest sets them for a CPU that does nothing that they are about.
 */
struct fault {
	uint32_t msr;
	uint8_t op, origins, skip, refuse;
	uint64_t lose;
	uint32_t repeat, stray, gap;
	uint64_t due;
};

/*
 * Set which accesses are refused, from an argument of ORACLE_FAULT_ACCESS.
 *
 * Return: how many of the former ones were still to be refused.
 */
uint64_t fault_set_access(struct fault *f, uint64_t arg);

/* Set how many PMIs are lost; return how many were still to be lost. */
uint64_t fault_set_lose(struct fault *f, uint64_t nr);

/*
 * Set PMIs that nothing causes, from an argument of ORACLE_FAULT_STRAY.
 * @insns: instructions that the CPU has run
 *
 * Return: how many were still to come.
 */
uint64_t fault_set_stray(struct fault *f, uint64_t arg, uint64_t insns);

/* Set PMIs that come again, from an argument of ORACLE_FAULT_REPEAT; return as the others. */
uint64_t fault_set_repeat(struct fault *f, uint64_t arg);

/* Check whether an access that the PMU would accept is refused. */
bool fault_refuses(struct fault *f, enum access_op op, uint32_t msr, enum access_origin origin);

/* Check whether a PMI is lost. */
bool fault_loses(struct fault *f);

/* Note that a PMI was delivered after @insns instructions of the CPU. */
void fault_delivered(struct fault *f, uint64_t insns);

/* Check whether a PMI that nothing causes comes after @insns instructions of the CPU. */
bool fault_strays(struct fault *f, uint64_t insns);

#endif /* MODEL_FAULT_H */
