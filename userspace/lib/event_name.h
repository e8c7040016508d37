/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that have a name on every CPU, and their config words. */
#ifndef _ACRPMU_LIB_EVENT_NAME_H
#define _ACRPMU_LIB_EVENT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "suggest.h"

/**
 * acrpmu_name_find() - config word of a name
 * @at: first byte of the name
 * @len: its bytes
 * @config: out, written only if found
 *
 * Return: whether there is such an event.
 */
bool acrpmu_name_find(const char *at, size_t len, __u64 *config);

/**
 * acrpmu_name_suggest() - compare a misspelt name with all that exist
 * @best: keeps the nearest
 * @at: first byte of the misspelt name
 * @len: its bytes
 */
void acrpmu_name_suggest(struct suggestion *best, const char *at, size_t len);

#endif /* _ACRPMU_LIB_EVENT_NAME_H */
