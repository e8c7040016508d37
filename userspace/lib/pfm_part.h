/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of a name of libpfm behind the event: unit masks and modifiers, and what they make. */
#ifndef _ACRPMU_LIB_PFM_PART_H
#define _ACRPMU_LIB_PFM_PART_H

#include "pfm_rows.h"

#define PREFIX_END		"::"
#define RAW_PREFIX		"0x"

/* Codes of messages; each but pfm-levels is an error of libpfm. */
#define CODE_NOT_FOUND		"pfm-notfound"
#define CODE_COMBINATION	"pfm-featcomb"
#define CODE_UMASK		"pfm-umask"
#define CODE_ATTR		"pfm-attr"
#define CODE_VALUE		"pfm-attr-val"
#define CODE_SET		"pfm-attr-set"
#define CODE_LEVELS		"pfm-levels"

/* Modifiers in the order of their letters, "ukiec". */
enum { USER, KERNEL, INVERT, EDGE, CMASK, NR_MODIFIERS };

/* The first of several faults, reported after all parts are read. */
enum pfm_fault { NO_FAULT, FAULT_UMASKS, FAULT_REQUESTS, FAULT_RESPONSES, FAULT_WIDE, FAULT_CMASK };

/**
 * struct pfm_part - a unit mask or a modifier
 * @name: what stands before "="
 * @value: what stands behind it, at NULL without "="
 */
struct pfm_part {
	struct span name;
	struct span value;
};

/**
 * struct pfm_modifier - a modifier
 * @at: where it stands, NULL: not given
 */
struct pfm_modifier {
	const char *at;
	__u64 value;
};

/**
 * struct pfm_name - a name while it is read
 * @text: the string
 * @prefix: the CPU before "::", at NULL: none
 * @end: end of the whole name
 * @cpu: the CPU
 * @row: the event, NULL: none of libpfm's
 * @umask: its unit mask, unless @bits has them
 * @umask_given: whether the name has a unit mask
 * @bits: of an offcore event, all unit masks
 * @raw: the unit mask as a number, at NULL: none
 * @raw_value: its value
 * @set_twice: a modifier given twice with different values, NULL: none
 * @fault: what is wrong with @fault_part
 * @fault_part: the part
 */
struct pfm_name {
	const struct text *text;
	struct span prefix;
	struct span event;
	const char *end;
	const struct acrpmu_model *cpu;
	const struct pfm_row *row;
	const struct pfm_row *umask;
	bool umask_given;
	__u64 bits;
	struct span raw;
	__u64 raw_value;
	struct pfm_modifier modifiers[NR_MODIFIERS];
	const char *set_twice;
	enum pfm_fault fault;
	struct span fault_part;
};

/** acrpmu_pfm_is_delimiter() - check for a colon or a point */
static inline bool acrpmu_pfm_is_delimiter(char c)
{
	return c == ':' || c == '.';
}

/** acrpmu_pfm_next_part() - the next part, from the delimiter at *@at on; false after the last */
bool acrpmu_pfm_next_part(const char **at, const char *end, struct pfm_part *part);

/** acrpmu_pfm_find_modifier() - index of a modifier of the event, NR_MODIFIERS if it is none */
unsigned int acrpmu_pfm_find_modifier(const struct pfm_name *n, struct span word);

/** acrpmu_pfm_read_modifier() - read a part that is modifier @i; 0 or -EINVAL */
int acrpmu_pfm_read_modifier(struct pfm_name *n, unsigned int i, const struct pfm_part *part);

/** acrpmu_pfm_refuse_part() - refuse a part that the event does not have; -EINVAL */
int acrpmu_pfm_refuse_part(const struct pfm_name *n, const struct pfm_part *part);

/** acrpmu_pfm_read_parts() - read all parts of an event of the table; 0 or -EINVAL */
int acrpmu_pfm_read_parts(struct pfm_name *n);

/** acrpmu_pfm_check_parts() - check all parts together; 0 or -EINVAL */
int acrpmu_pfm_check_parts(struct pfm_name *n);

/** acrpmu_pfm_check_modifiers() - check modifiers beside the event's own @config; 0 or -EINVAL */
int acrpmu_pfm_check_modifiers(const struct pfm_name *n, __u64 config);

/** acrpmu_pfm_get_code() - the encoding of a name, after acrpmu_pfm_check_parts() */
void acrpmu_pfm_get_code(const struct pfm_name *n, struct pfm_code *code);

#endif /* _ACRPMU_LIB_PFM_PART_H */
