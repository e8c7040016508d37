/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names that perf has for every CPU: generic events and cache events, and what each CPU counts. */
#ifndef _ACRPMU_LIB_PERF_NAME_H
#define _ACRPMU_LIB_PERF_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "../util/suggest.h"

/**
 * struct perf_name - the encoding of a name on a CPU
 * @name: the name as perf lists it
 * @desc: a few words
 * @config: config word
 * @extra: value of the extra register, 0 if none is needed
 * @extra_msr: that register, 0 if none is needed
 * @cache: whether it is a cache event
 */
struct perf_name {
	const char *name;
	const char *desc;
	__u64 config;
	__u64 extra;
	__u32 extra_msr;
	bool cache;
};

/**
 * enum perf_name_result - whether a name is one of perf's
 * @PERF_NAME_NONE: it is not
 * @PERF_NAME_FOUND: it is
 * @PERF_NAME_UNSUPPORTED: it is, but the kernel has nothing to count for it on this CPU
 */
enum perf_name_result {
	PERF_NAME_NONE,
	PERF_NAME_FOUND,
	PERF_NAME_UNSUPPORTED,
};

/**
 * acrpmu_perf_name_find() - config word of a generic name, which is the same on every CPU
 * @at: first byte of the name, in either case
 * @len: its bytes
 * @config: out, written only if found
 *
 * Return: whether there is such an event.
 */
bool acrpmu_perf_name_find(const char *at, size_t len, __u64 *config);

/**
 * acrpmu_perf_name_code() - encode a generic or cache name
 * @cpu: name in the CPU table, NULL or empty if unknown
 * @at: first byte of the name, in either case and with any of perf's aliases ("l1d-read-miss")
 * @len: its bytes
 * @code: out, written only if found
 *
 * Return: whether it is one.
 */
enum perf_name_result acrpmu_perf_name_code(const char *cpu, const char *at, size_t len,
					    struct perf_name *code);

/**
 * acrpmu_perf_name_get() - walk through the names that count something on a CPU
 * @cpu: name in the CPU table, NULL or empty if unknown
 * @nr: 0 for the first
 * @code: out, written only if there is one
 *
 * Return: false after the last.
 */
bool acrpmu_perf_name_get(const char *cpu, unsigned int nr, struct perf_name *code);

/**
 * acrpmu_perf_name_suggest() - compare a misspelt name with the generic ones
 * @best: keeps the nearest
 * @at: first byte of the misspelt name
 * @len: its bytes
 */
void acrpmu_perf_name_suggest(struct suggestion *best, const char *at, size_t len);

#endif /* _ACRPMU_LIB_PERF_NAME_H */
