/* SPDX-License-Identifier: GPL-2.0-only */
/* Montecito's registers split into fields. */
#ifndef _ACRCTL_MONTECITO_FIELDS_H
#define _ACRCTL_MONTECITO_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define MONTECITO_FIELDS_MAX	20
#define MONTECITO_MEANING_LEN	48

/**
 * struct montecito_field - a field of a register
 * @name: as in the unions of perfmon/pfmlib_montecito.h
 * @bit: its lowest bit
 * @width: its bits
 * @value: what it holds
 * @meaning: in words, empty if the number says it all
 */
struct montecito_field {
	const char *name;
	unsigned int bit;
	unsigned int width;
	__u64 value;
	char meaning[MONTECITO_MEANING_LEN];
};

/**
 * struct montecito_layout - a register, taken apart
 * @name: of the union's member, NULL: none, as for debug registers
 * @what: what the register is for
 * @field: its fields, those that are reserved left out
 * @nr: how many
 * @rest: the value's bits that are in none of them
 */
struct montecito_layout {
	const char *name;
	const char *what;
	struct montecito_field field[MONTECITO_FIELDS_MAX];
	unsigned int nr;
	__u64 rest;
};

void montecito_pmc_layout(unsigned int pmc, __u64 value, struct montecito_layout *layout);
void montecito_pmd_layout(unsigned int pmd, bool ipear, struct montecito_layout *layout);
void montecito_debug_layout(unsigned int reg, __u64 value, struct montecito_layout *layout);
void montecito_levels_words(__u64 plm, char *buf, size_t size);

#endif /* _ACRCTL_MONTECITO_FIELDS_H */
