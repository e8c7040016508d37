/* SPDX-License-Identifier: GPL-2.0-only */
/* Montecito's registers split into fields. */
#ifndef _ACRCTL_MONTECITO_FIELDS_H
#define _ACRCTL_MONTECITO_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define MONTECITO_FIELDS_MAX	20
#define MONTECITO_MEANING_LEN	48

/* A field of a register, named as in perfmon/pfmlib_montecito.h; @meaning may be empty. */
struct montecito_field {
	const char *name;
	unsigned int bit;
	unsigned int width;
	__u64 value;
	char meaning[MONTECITO_MEANING_LEN];
};

/**
 * struct montecito_layout - the fields of a register
 * @name: member of the union, NULL for debug registers
 * @what: purpose of the register
 * @field: fields that are not reserved
 * @nr: number of fields
 * @rest: bits of the value outside of all fields
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
void montecito_describe_levels(__u64 plm, char *buf, size_t size);

#endif /* _ACRCTL_MONTECITO_FIELDS_H */
