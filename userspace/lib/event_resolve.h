/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Resolving a name in an event string to a named event, or refusing it. */
#ifndef _ACRPMU_LIB_EVENT_RESOLVE_H
#define _ACRPMU_LIB_EVENT_RESOLVE_H

#include "pfm_name.h"
#include "../util/suggest.h"
#include "text.h"

/**
 * acrpmu_resolve_name() - look up a name of an event string
 * @text: the string it stands in, with the events to look in
 * @pmu: PMU written before the name, NULL or empty if none
 * @named: out, written only if found
 * @found: out, whether there is such an event
 *
 * Return: 0, also if there is no such event; -EINVAL if it cannot be used.
 */
int acrpmu_resolve_name(const struct text *text, const char *pmu, struct span name,
			struct acrpmu_named *named, bool *found);

/**
 * acrpmu_resolve_check() - refuse an architectural event that this machine's CPU lacks
 * @text: the string it stands in
 * @config: its config word
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_resolve_check(const struct text *text, struct span name, __u64 config);

/**
 * acrpmu_resolve_suggest() - compare a misspelt name with all names
 * @events: the events of the CPU, may be NULL
 * @best: keeps the nearest
 * @name: the misspelt name
 */
void acrpmu_resolve_suggest(const struct acrpmu_events *events, struct suggestion *best,
			    struct span name);

/** RESOLVE_NO_TABLE - code of a refusal because the user's files are for other kinds of cores */
#define RESOLVE_NO_TABLE	"no-table"

/**
 * acrpmu_resolve_no_table() - refuse an unknown name if the user's files have none for the CPU
 * @text: the string it stands in
 *
 * Return: whether it was refused.
 */
bool acrpmu_resolve_no_table(const struct text *text, struct span name);

/**
 * acrpmu_resolve_hint() - if the CPU has no names at all, set the hint to the reason
 * @text: the string that was refused
 */
void acrpmu_resolve_hint(const struct text *text);

/**
 * acrpmu_resolve_pfm() - find of struct pfm_tables
 * @arg: struct acrpmu_events, may be NULL
 * @cpu: name of the CPU
 * @name: "EVENT.UMASK"
 * @len: its bytes
 * @code: out, written only if found
 *
 * Return: whether there is such an event, and it can be used.
 */
bool acrpmu_resolve_pfm(const void *arg, const char *cpu, const char *name, size_t len,
			struct pfm_code *code);

#endif /* _ACRPMU_LIB_EVENT_RESOLVE_H */
