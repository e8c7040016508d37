/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs programs, by three threads that share everything. */
#ifndef KCOV_RUN_H
#define KCOV_RUN_H

#include "world.h"

/**
 * run_begin() - get ready
 *
 * Return: false if something of the system is missing; it has been named.
 */
bool run_begin(void);

/**
 * run_program() - run one, and end all that it has begun
 * @with: WITH_*: calls that need others are left out
 */
void run_program(const struct program *p, unsigned int with);

#endif /* KCOV_RUN_H */
