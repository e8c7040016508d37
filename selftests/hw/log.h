/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's log says. */
#ifndef HW_LOG_H
#define HW_LOG_H

#include <stdio.h>

/**
 * log_count() - count the lines of the kernel's log that match
 * @grep: options and pattern
 *
 * Return: their number, -1 if the log cannot be read.
 */
static inline int log_count(const char *grep)
{
	char command[256];
	int nr = -1;
	FILE *log;

	snprintf(command, sizeof(command), "dmesg | grep -c %s", grep);
	log = popen(command, "r");
	if (!log)
		return -1;
	if (fscanf(log, "%d", &nr) != 1)
		nr = -1;
	pclose(log);
	return nr;
}

/**
 * unknown_nmis() - count the lines of the kernel's log about an NMI that nobody has handled
 *
 * Return: their number, -1 if the log cannot be read.
 */
static inline int unknown_nmis(void)
{
	return log_count("-iE 'unknown reason|Dazed and confused'");
}

#endif /* HW_LOG_H */
