/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writing tables of events as C. */
#ifndef _ACRPMU_GEN_EMIT_H
#define _ACRPMU_GEN_EMIT_H

#include "../lib/event_table.h"

/**
 * emit_tables() - write tables as a C file that defines acrpmu_builtin_events
 * @maps: the tables, which share one text, and the mapping table, which may be empty
 * @text_len: bytes of that text
 * @text: out, the file; free() it
 * @len: out, its bytes
 *
 * The output is reproducible.
 *
 * Return: 0; -ENOMEM.
 */
int emit_tables(const struct event_maps *maps, size_t text_len, char **text, size_t *len);

#endif /* _ACRPMU_GEN_EMIT_H */
