/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands of the module that opens CPU events in in-tree perf, on /dev/rival_double. */
#ifndef RIVAL_DOUBLE_H
#define RIVAL_DOUBLE_H

#include <linux/ioctl.h>

#define RIVAL_DOUBLE		"/dev/rival_double"
#define RIVAL_EVENTS		8
#define RIVAL_OCR		0x01b7
#define RIVAL_RSP		0x10001

/*
 * The argument: bits 0 to 31 a raw event, above them its CPU.  It is pinned and disabled.
 * RIVAL_OCR, an event of OFFCORE_RSP_0, has RIVAL_RSP there.
 */
#define RIVAL_OPEN		_IO('R', 0)
/* The argument is 1 or 0: from now on nobody can see that the events are pinned. */
#define RIVAL_HIDE		_IO('R', 1)
/* Enables all of them, pinned as they are. */
#define RIVAL_ENABLE		_IO('R', 2)
/* The argument points to a __u64: out, the count of the first. */
#define RIVAL_READ		_IO('R', 3)

#endif /* RIVAL_DOUBLE_H */
