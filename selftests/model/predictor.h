/* SPDX-License-Identifier: GPL-2.0-only */
/* A small predictor of conditional branches: two-bit counters chosen by address and history. */
#ifndef MODEL_PREDICTOR_H
#define MODEL_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

#define PREDICTOR_HISTORY	8	/* outcomes remembered */
#define PREDICTOR_ENTRIES	4096
/* Time that a wrong guess costs, in eighths of a core cycle */
#define PREDICTOR_PENALTY	(14 * CYC_UNITS)

/**
 * struct predictor - one CPU's predictor; all zero at the start
 * @history: outcomes of the latest branches, the last in bit 0
 * @table: counters, 0 and 1 guess "not taken", 2 and 3 "taken"
 */
struct predictor {
	uint32_t history;
	uint8_t table[PREDICTOR_ENTRIES];
};

/*
 * Train the predictor with the outcome of a conditional branch.
 * @address: address after the branch
 *
 * Return: true if the guess was wrong.
 */
bool predictor_branch(struct predictor *p, uint64_t address, bool taken);

#endif /* MODEL_PREDICTOR_H */
