/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What stands in a comparison: an event, a number, a ratio by name. */
#ifndef _ACRPMU_LIB_COND_OPERAND_H
#define _ACRPMU_LIB_COND_OPERAND_H

#include "cond_group.h"
#include "cond_number.h"

/* What a part of a condition is. */
enum cond_kind { COND_EVENT, COND_NUMBER, COND_RATIO, COND_CONDITION };

/**
 * struct cond_value - a part of a condition
 * @kind: what it is
 * @words: its bytes, with parentheses
 * @a: of an event or a ratio: index in the operands
 * @b: of a ratio: index of the other event
 * @per: of a ratio: it counts A for so many B
 * @number: of a number
 */
struct cond_value {
	enum cond_kind kind;
	struct span words;
	unsigned int a;
	unsigned int b;
	__u32 per;
	struct cond_number number;
};

/**
 * struct cond_reader - a condition, the position in it, what it became so far
 * @text: the condition
 * @options: how to read its events
 * @at: the next byte
 * @pmu: that it names, NULL: none so far
 * @depth: open parentheses
 * @builder: the group
 */
struct cond_reader {
	const struct text *text;
	const struct acrpmu_parse_options *options;
	const char *at;
	const char *pmu;
	unsigned int depth;
	struct cond_builder builder;
};

/**
 * acrpmu_cond_refuse_here() - refuse what stands at the position
 * @expected: what could
 * @hint: the remedy
 *
 * Return: -EINVAL.
 */
int acrpmu_cond_refuse_here(const struct cond_reader *r, const char *expected, const char *hint);

/**
 * acrpmu_cond_operand_read() - read an event, a number or a ratio by its name
 * @value: out, without its words
 *
 * Return: as acrpmu_cond_parse().
 */
int acrpmu_cond_operand_read(struct cond_reader *r, struct cond_value *value);

#endif /* _ACRPMU_LIB_COND_OPERAND_H */
