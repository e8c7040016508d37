/* SPDX-License-Identifier: GPL-2.0-only */
/* Which code of the module threads have run, as far as the kernel has KCOV. */
#ifndef KCOV_COVER_H
#define KCOV_COVER_H

#include <stdbool.h>

/**
 * cover_begin() - get ready to watch threads
 * @guided: whether the kernel has KCOV; all else does nothing without it
 *
 * Return: false if it has, and refuses it.
 */
bool cover_begin(bool *guided);

/**
 * cover_thread() - watch the calling thread from now on
 * @index: its number; a new thread with that number takes the place of one that has ended
 *
 * Return: false if the kernel refuses it.
 */
bool cover_thread(unsigned int index);

/**
 * cover_new() - look at what was run since the last time, while no thread makes calls
 *
 * Return: how many places of it were never seen before.
 */
unsigned int cover_new(void);

/**
 * cover_places() - how many places were seen so far
 */
unsigned int cover_places(void);

#endif /* KCOV_COVER_H */
