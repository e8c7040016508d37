/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of calls: made at random, changed at random, and kept as text. */
#ifndef KCOV_PROGRAM_H
#define KCOV_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../hw/random.h"

#define NR_ARGS		6
#define MAX_CALLS	48
#define NR_THREADS	3	/* the last one has no privileges */

/**
 * enum call_kind - what a call does; most have a session as args[0]
 * @NR_CALLS: how many there are
 */
enum call_kind {
	CALL_CREATE,
	CALL_CTL,
	CALL_UNPARK,
	CALL_PERIODS,
	CALL_ATTACH,
	CALL_READ,
	CALL_QUERY,
	CALL_INFO,
	CALL_ODD,
	CALL_MAP,
	CALL_UNMAP,
	CALL_PROTECT,
	CALL_RING,
	CALL_POLL,
	CALL_FILE,
	CALL_CLOSE,
	CALL_DUP,
	CALL_CHILD,
	CALL_KILL,
	CALL_WORK,
	CALL_SIGNAL,
	CALL_PIN,
	CALL_THREAD,
	CALL_NETLINK,
	CALL_LIMIT,
	CALL_CGROUP,
	CALL_PERF,
	CALL_HOTPLUG,
	NR_CALLS
};

/* What only some rounds do, since others find registers changed after it */
#define WITH_PERF	(1U << 0)
#define WITH_HOTPLUG	(1U << 1)

/**
 * struct call - one call
 * @kind: an enum call_kind
 * @thread: which thread does it; others than the first one do so at the same time as what follows
 * @args: what they mean is up to the kind; any number is good for each
 */
struct call {
	uint8_t kind;
	uint8_t thread;
	uint64_t args[NR_ARGS];
};

struct program {
	unsigned int nr;
	struct call calls[MAX_CALLS];
};

/* A number at which something begins or ends, or any other one */
uint64_t random_value(struct random *r);

/**
 * program_make() - make one at random
 * @p: the program
 * @r: where chance comes from
 * @with: WITH_*, or 0
 */
void program_make(struct program *p, struct random *r, unsigned int with);

/**
 * program_change() - change one in one to four places
 * @p: the program, with at least one call before and after it
 * @other: one of which a part may be taken
 * @r: where chance comes from
 * @with: WITH_*, or 0
 */
void program_change(struct program *p, const struct program *other, struct random *r,
		    unsigned int with);

/**
 * call_name() - what a kind is called in text
 */
const char *call_name(enum call_kind kind);

/**
 * call_needs() - what a round must have for calls of a kind
 *
 * Return: WITH_*, or 0.
 */
unsigned int call_needs(enum call_kind kind);

/**
 * program_write() - write one as text: a line for each call, and an empty one
 * @p: the program
 * @text: room for it
 * @size: of @text; PROGRAM_TEXT is enough
 *
 * Return: its bytes.
 */
int program_write(const struct program *p, char *text, size_t size);

#define PROGRAM_TEXT	(MAX_CALLS * (16 + NR_ARGS * 19) + 2)

/**
 * program_read() - read the next one
 * @p: the program
 * @file: where it is
 *
 * Return: 1, 0 at the end of the file, or -1 for a line that is no call.
 */
int program_read(struct program *p, FILE *file);

#endif /* KCOV_PROGRAM_H */
