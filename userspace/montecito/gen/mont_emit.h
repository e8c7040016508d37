/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writing Montecito's table of events as C. */
#ifndef _ACRPMU_GEN_MONT_EMIT_H
#define _ACRPMU_GEN_MONT_EMIT_H

#include <stddef.h>

struct mont_table;

/**
 * mont_emit() - write a table as a C file that defines mont_events and mont_nr_events
 * @table: it, without faults
 * @text: out, the file, to be freed
 * @len: out, its bytes
 *
 * The same table gives the same bytes.
 *
 * Return: 0; -ENOMEM.
 */
int mont_emit(const struct mont_table *table, char **text, size_t *len);

#endif /* _ACRPMU_GEN_MONT_EMIT_H */
