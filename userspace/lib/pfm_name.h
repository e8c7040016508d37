/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events by libpfm's names: "glm::EVENT:UMASK:u:k:i:e:c=2". */
#ifndef _ACRPMU_LIB_PFM_NAME_H
#define _ACRPMU_LIB_PFM_NAME_H

#include <stdbool.h>

#include "pfm_rows.h"
#include "spec.h"
#include "text.h"

/**
 * struct pfm_tables - names of CPUs for which libpfm's are not known
 * @find: look up "EVENT.UMASK" in the table of a CPU; returns whether it is there.  NULL: there are
 *	no tables
 * @arg: passed to @find
 */
struct pfm_tables {
	bool (*find)(const void *arg, const char *cpu, const char *name, size_t len,
		     struct pfm_code *code);
	const void *arg;
};

/**
 * acrpmu_pfm_read() - read an event by libpfm's name
 * @text: the string it stands in
 * @at: where the name begins; moved behind it if it is one
 * @pmu: CPU for which names need no prefix, by name or short name; NULL or empty: all need it
 * @tables: for other CPUs than Goldmont, may be NULL
 * @found: out, whether it is such a name, good or bad
 *
 * It is one if "CPU::" begins it, or without that if its first part is an event of @pmu in libpfm.
 * As in libpfm case does not matter, a point may stand for a colon, and unit masks and modifiers
 * come in any order.
 *
 * Return: 0, also if it is not such a name; -EINVAL or -ENOMEM.
 */
int acrpmu_pfm_read(const struct text *text, const char **at, const char *pmu,
		    const struct pfm_tables *tables, struct spec_event *ev, bool *found);

#endif /* _ACRPMU_LIB_PFM_NAME_H */
