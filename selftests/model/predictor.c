// SPDX-License-Identifier: GPL-2.0-only
/* Predicts branches and learns from their outcomes. */
#include "predictor.h"

#define STRONGLY_TAKEN	3
#define WEAKLY_TAKEN	2

bool predictor_branch(struct predictor *p, uint64_t address, bool taken)
{
	uint8_t *counter = &p->table[(address >> 1 ^ p->history) % PREDICTOR_ENTRIES];
	bool guess = *counter >= WEAKLY_TAKEN;

	if (taken && *counter < STRONGLY_TAKEN)
		(*counter)++;
	if (!taken && *counter)
		(*counter)--;
	p->history = (p->history << 1 | taken) % (1U << PREDICTOR_HISTORY);
	return guess != taken;
}
