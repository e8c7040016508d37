/* SPDX-License-Identifier: GPL-2.0-only */
/* A child on the same CPU that takes turns with its parent, and what their switches write. */
#ifndef HW_PARTNER_H
#define HW_PARTNER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "../model/oracle.h"
#include "../../uapi/acrpmu.h"
#include "work.h"

/**
 * struct partner - such a child
 * @pid: its id
 * @to: to it
 * @from: from it
 */
struct partner {
	pid_t pid;
	int to[2], from[2];
};

/**
 * partner_start() - start a child that answers each byte with another one
 * @uid: its user
 *
 * Return: 0 or -errno.
 */
static inline int partner_start(struct partner *p, uid_t uid)
{
	char c;

	if (pipe(p->to) || pipe(p->from))
		return -errno;
	p->pid = fork();
	if (p->pid)
		return p->pid < 0 ? -errno : 0;
	close(p->to[1]);
	if (setuid(uid))
		_exit(1);
	while (read(p->to[0], &c, 1) == 1)
		if (write(p->from[1], &c, 1) != 1)
			break;
	_exit(0);
}

/**
 * partner_turn() - switch to the child and back
 *
 * Return: false if it is gone.
 */
static inline bool partner_turn(const struct partner *p)
{
	char c = 0;

	return write(p->to[1], &c, 1) == 1 && read(p->from[0], &c, 1) == 1;
}

/**
 * partner_end() - end the child
 */
static inline void partner_end(struct partner *p)
{
	int i;

	for (i = 0; i < 2; i++) {
		close(p->to[i]);
		close(p->from[i]);
	}
	end_child(p->pid);
}

/**
 * partner_writes() - how often the module has written the counter of an event
 */
static inline uint64_t partner_writes(int cpu, const struct acrpmu_event_hw *hw)
{
	return oracle_accesses(cpu, hw->cntr_msr, ORACLE_WR, ORACLE_ORIGIN_RANGE, ORACLE_ANY_TIME);
}

#endif /* HW_PARTNER_H */
