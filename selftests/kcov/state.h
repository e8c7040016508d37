/* SPDX-License-Identifier: GPL-2.0-only */
/* What no program may change: registers, counters that are held, sessions that exist. */
#ifndef KCOV_STATE_H
#define KCOV_STATE_H

#include <stdbool.h>

/**
 * state_keep() - keep what is there now, after sessions on all counters have come and gone
 *
 * Return: false if that was not possible.
 */
bool state_keep(void);

/**
 * state_linger() - create a parked session of a task, which stays
 *
 * While there is one, others begin and end without changes of the kernel's code, which takes most
 * of their time here.
 *
 * Return: its descriptor, or a negative number.
 */
int state_linger(void);

/**
 * state_is_same() - compare with what was kept, and print what differs
 * @others: in-tree perf has counted as well, or CPUs were offline: it leaves counters and event
 *	selects changed, but none that counts
 */
bool state_is_same(bool others);

#endif /* KCOV_STATE_H */
