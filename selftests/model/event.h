/* SPDX-License-Identifier: GPL-2.0-only */
/* The occurrences that the model can count, and which of them an event select names. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct offcore_layout;

/**
 * enum event_kind - what happens in the core, each kind disjoint from the others
 * @EV_INSN: an instruction retired
 * @EV_CYC: a core cycle passed
 * @EV_REF: a reference cycle passed, see REF_CYCLES_NUM
 * @EV_SLOT: a slot of the pipeline passed: eight in each core cycle, used or not
 * @EV_BR: a branch retired
 * @EV_BRMISS: a conditional branch was mispredicted
 * @EV_RD_HIT: a load missed the core's cache and hit the last level
 * @EV_RD_MISS: a load missed the last level too
 * @EV_WR_HIT: a store missed the core's cache and hit the last level
 * @EV_WR_MISS: a store missed the last level too
 * @EV_CODE_HIT: a fetch of code missed the core's cache for code and hit the last level
 * @EV_CODE_MISS: a fetch of code missed the last level too
 * @EV_RD_HIT_CYC: a core cycle in which a request of the kind EV_RD_HIT was outstanding; the kinds
 *                 after it are the same for the other requests, in their order
 * @EV_RD_MISS_CYC: see @EV_RD_HIT_CYC
 * @EV_WR_HIT_CYC: see @EV_RD_HIT_CYC
 * @EV_WR_MISS_CYC: see @EV_RD_HIT_CYC
 * @EV_CODE_HIT_CYC: see @EV_RD_HIT_CYC
 * @EV_CODE_MISS_CYC: see @EV_RD_HIT_CYC
 * @NR_EVENT_KINDS: how many kinds there are
 *
 * One request is outstanding at a time.
 */
enum event_kind {
	EV_INSN,
	EV_CYC,
	EV_REF,
	EV_SLOT,
	EV_BR,
	EV_BRMISS,
	EV_RD_HIT,
	EV_RD_MISS,
	EV_WR_HIT,
	EV_WR_MISS,
	EV_CODE_HIT,
	EV_CODE_MISS,
	EV_RD_HIT_CYC,
	EV_RD_MISS_CYC,
	EV_WR_HIT_CYC,
	EV_WR_MISS_CYC,
	EV_CODE_HIT_CYC,
	EV_CODE_MISS_CYC,
	NR_EVENT_KINDS
};

/* Requests that leave the core, and as many kinds of waiting for them */
#define EV_FIRST_REQUEST	EV_RD_HIT
#define EV_FIRST_WAIT		EV_RD_HIT_CYC

/* Privilege levels as array index */
enum event_level { LEVEL_USER, LEVEL_KERNEL, NR_LEVELS };

#define KIND(k)			(1U << (k))
#define KINDS_REQUEST		(KIND(EV_FIRST_WAIT) - KIND(EV_FIRST_REQUEST))
#define KINDS_REQUEST_MISS	(KIND(EV_RD_MISS) | KIND(EV_WR_MISS) | KIND(EV_CODE_MISS))
#define KINDS_WAIT		(KIND(NR_EVENT_KINDS) - KIND(EV_FIRST_WAIT))
/* Kinds of time accrue inside an instruction, the others at its retirement */
#define KINDS_TIME		(KIND(EV_CYC) | KIND(EV_REF) | KIND(EV_SLOT))

/*
 * Time is kept in eighths of a core cycle, each of which is a slot; three reference cycles pass in
 * four core cycles
 */
#define CYC_UNITS		8
#define REF_CYCLES_NUM		3
#define REF_CYCLES_DEN		4

/*
 * Kinds that an event select counts.
 * @evtsel: value of IA32_PERFEVTSELx
 * @big: a P-core, which has more events
 * @layout: events and bits of @offcore_rsp; NULL without such registers
 * @offcore_rsp: values of OFFCORE_RSP_0 and OFFCORE_RSP_1
 *
 * Return: mask of kinds; 0 for an encoding the model does not know, which counts nothing.
 */
uint32_t event_kinds(uint64_t evtsel, bool big, const struct offcore_layout *layout,
		     const uint64_t offcore_rsp[2]);

/*
 * Kinds that an event select counts if its event exists on one counter only.
 * @evtsel: value of IA32_PERFEVTSELx
 * @cntr: number of the general-purpose counter
 *
 * Return: mask of kinds; 0 for other events, and on another counter, which counts nothing.
 */
uint32_t event_one_cntr_kinds(uint64_t evtsel, unsigned int cntr);

/*
 * Kinds that a fixed counter counts.
 * @fixed: number of the fixed counter
 *
 * Return: mask of kinds; 0 for the top-down counters of E-cores, which the model does not drive.
 */
uint32_t event_fixed_kinds(unsigned int fixed);

/* Name of a kind in the log. */
const char *event_name(enum event_kind kind);

/* Whole reference cycles in a time of @units eighths of a core cycle. */
static inline uint64_t ref_cycles(uint64_t units)
{
	return units * REF_CYCLES_NUM / (REF_CYCLES_DEN * CYC_UNITS);
}

#endif /* MODEL_EVENT_H */
