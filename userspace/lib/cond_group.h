/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Comparisons to a group: the sampled event, its limits, and what cannot be joined. */
#ifndef _ACRPMU_LIB_COND_GROUP_H
#define _ACRPMU_LIB_COND_GROUP_H

#include "spec.h"
#include "text.h"

/**
 * struct cond_builder - a group while comparisons are added
 * @text: the condition
 * @group: event 0 is the sampled one, its limits follow
 * @condition: comparisons so far
 * @operands: events of the comparison that is being read
 * @words: the comparisons as written
 */
struct cond_builder {
	const struct text *text;
	struct spec_group *group;
	struct acrpmu_condition *condition;
	struct spec_group operands;
	struct span words[ACRPMU_MAX_EVENTS];
};

/**
 * struct cond_words - a comparison of two operands, as it was read
 * @all: all of it
 * @left: the ratio
 * @right: the threshold
 * @a: index of event A in the operands
 * @b: of event B
 * @below: "<" instead of ">"
 * @num: the threshold in lowest terms, numerator
 * @den: denominator
 */
struct cond_words {
	struct span all;
	struct span left;
	struct span right;
	unsigned int a;
	unsigned int b;
	bool below;
	__u64 num;
	__u64 den;
};

/**
 * acrpmu_cond_group_add() - add a comparison to the group, and clear the operands
 * @words: the comparison
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_cond_group_add(struct cond_builder *b, const struct cond_words *words);

/**
 * acrpmu_cond_group_clear() - free the operands that no comparison took
 */
void acrpmu_cond_group_clear(struct cond_builder *b);

/**
 * acrpmu_cond_group_finish() - give the events of a whole condition their periods and masks
 * @how: the window and smallest periods
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_cond_group_finish(struct cond_builder *b, const struct acrpmu_condition_options *how);

/**
 * acrpmu_cond_group_set_periods() - give the events of a group the periods of the factor
 */
void acrpmu_cond_group_set_periods(struct spec_group *group);

#endif /* _ACRPMU_LIB_COND_GROUP_H */
