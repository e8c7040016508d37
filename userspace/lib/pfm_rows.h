/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walking through the table of libpfm's events and unit masks. */
#ifndef _ACRPMU_LIB_PFM_ROWS_H
#define _ACRPMU_LIB_PFM_ROWS_H

#include <stdbool.h>

#include "../../kmod/core/model.h"
#include "acrpmu_lib.h"
#include "pfm_glm.h"
#include "text.h"

#define CPU_GLM			"goldmont"

/**
 * struct pfm_code - the encoding of an event
 * @config: config word
 * @extra: value of the extra register
 * @has_extra: whether it needs one
 * @cntrs: counters that its table has, 0 if these are all that the module knows
 * @pebs: by its table, it counts right with PEBS only
 */
struct pfm_code {
	__u64 config;
	__u64 extra;
	bool has_extra;
	__u64 cntrs;
	bool pebs;
};

/** acrpmu_pfm_same() - check whether a span is a word, in either case */
bool acrpmu_pfm_same(struct span span, const char *word);

/** acrpmu_pfm_next_row() - the row after a row, NULL after the last */
const struct pfm_row *acrpmu_pfm_next_row(const struct pfm_row *row);

/** acrpmu_pfm_find_event() - an event of Goldmont by its name, NULL if there is none */
const struct pfm_row *acrpmu_pfm_find_event(struct span word);

/**
 * acrpmu_pfm_next_umask() - the unit mask of an event after another one
 *
 * Return: the first with @row NULL; NULL after the last.
 */
const struct pfm_row *acrpmu_pfm_next_umask(const struct pfm_row *event,
					    const struct pfm_row *row);

/** acrpmu_pfm_find_umask() - a unit mask of @event by its name, NULL if there is none */
const struct pfm_row *acrpmu_pfm_find_umask(const struct pfm_row *event, struct span word);

/** acrpmu_pfm_default_umask() - the unit mask taken where none is given, NULL if there is none */
const struct pfm_row *acrpmu_pfm_default_umask(const struct pfm_row *event);

/** acrpmu_pfm_has_rows() - check whether the table is for a CPU */
bool acrpmu_pfm_has_rows(const struct acrpmu_model *cpu);

/** acrpmu_pfm_has_row() - check whether a row is an event of a CPU */
bool acrpmu_pfm_has_row(const struct acrpmu_model *cpu, const struct pfm_row *row);

/** acrpmu_pfm_is_event() - check whether a word is one of libpfm's events of Goldmont */
bool acrpmu_pfm_is_event(struct span word);

/**
 * acrpmu_pfm_get() - walk through libpfm's events and unit masks of a CPU
 * @cpu: name of the CPU
 * @nr: 0 for the first
 * @pfm: out, its members up to @bits; written only if there is one
 *
 * Return: false after the last, and for CPUs without names of libpfm.
 */
bool acrpmu_pfm_get(const char *cpu, unsigned int nr, struct acrpmu_pfm_event *pfm);

#endif /* _ACRPMU_LIB_PFM_ROWS_H */
