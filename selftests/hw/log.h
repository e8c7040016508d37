/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's log says about NMIs. */
#ifndef HW_LOG_H
#define HW_LOG_H

#include <stdio.h>

/**
 * unknown_nmis() - count the lines of the kernel's log about an NMI that nobody has handled
 *
 * Return: their number, -1 if the log cannot be read.
 */
static inline int unknown_nmis(void)
{
	FILE *log = popen("dmesg | grep -ciE 'unknown reason|Dazed and confused'", "r");
	int nr = -1;

	if (!log)
		return -1;
	if (fscanf(log, "%d", &nr) != 1)
		nr = -1;
	pclose(log);
	return nr;
}

#endif /* HW_LOG_H */
