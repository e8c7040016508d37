// SPDX-License-Identifier: LGPL-2.1-or-later
/* Comparisons to a group: the sampled event, its limits, and what cannot be joined. */
#include "cond_group.h"

#include <errno.h>
#include <string.h>

#include "../../kmod/core/attr.h"
#include "../../kmod/core/types.h"
#include "cond_period.h"
#include "cond_text.h"
#include "runnable.h"

#define LEVELS	(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)

static struct message_word name_of(const struct spec_event *ev)
{
	return acrpmu_message_word(ev->pub.text, strlen(ev->pub.text));
}

/* Whether both count the same occurrences. */
static bool same_event(const struct spec_event *a, const struct spec_event *b)
{
	const struct acrpmu_event_attr *x = &a->pub.attr, *y = &b->pub.attr;

	return x->config == y->config && x->extra_value == y->extra_value &&
	       (x->flags & LEVELS) == (y->flags & LEVELS);
}

/* Whether the user asked for the same event, on the same counters, under the same name. */
static bool same_request(const struct spec_event *a, const struct spec_event *b)
{
	return same_event(a, b) && a->pub.attr.allowed_cntrs == b->pub.attr.allowed_cntrs &&
	       !strcmp(a->pub.given_name, b->pub.given_name);
}

void acrpmu_cond_group_clear(struct cond_builder *b)
{
	acrpmu_spec_clear_group(&b->operands);
}

/* ---- what cannot be joined ---------------------------------------------------------------- */

/* The limit of the first comparison with this event, or -1. */
static int find_limit(const struct cond_builder *b, const struct spec_event *ev)
{
	unsigned int i;

	for (i = 1; i < b->group->nr; i++) {
		if (same_event(&b->group->ev[i], ev))
			return i - 1;
	}
	return -1;
}

static int refuse_range(const struct cond_builder *b, const struct cond_words *words,
			unsigned int other)
{
	acrpmu_text_refuse(b->text, words->all.at, "condition-range", "",
			   "both sides of a range of one ratio would have to be sampled, and only "
			   "'%s' is", name_of(&b->group->ev[0]).text);
	acrpmu_message_hint(b->text->message, "take one of the two, '%s' or '%s'",
			    acrpmu_text_word(b->words[other]).text,
			    acrpmu_text_word(words->all).text);
	return -EINVAL;
}

static int refuse_sampled(const struct cond_builder *b, const struct cond_words *words,
			  const struct spec_event *sampled, const struct spec_event *limit)
{
	struct message_word first = name_of(&b->group->ev[0]);

	acrpmu_text_refuse(b->text, words->all.at, "condition-sampled", "",
			   "'%s' samples '%s', but the first comparison '%s'",
			   acrpmu_text_word(words->all).text, name_of(sampled).text, first.text);
	if (same_request(limit, &b->group->ev[0])) {
		acrpmu_message_hint(b->text->message, "the mirrored comparison samples it: "
				    "%s %c %s", acrpmu_text_word(words->left).text,
				    words->below ? '>' : '<', acrpmu_text_word(words->right).text);
		return -EINVAL;
	}
	acrpmu_message_hint(b->text->message, "record it alone, or compare with '%s' too, levels "
			    "included: %s / EVENT > x or EVENT / %s < x", first.text, first.text,
			    first.text);
	return -EINVAL;
}

static int check_operands(const struct cond_builder *b, const struct cond_words *words,
			  const struct spec_event *sampled, const struct spec_event *limit)
{
	const struct spec_event *first = b->group->ev;
	int twice = find_limit(b, limit);

	if (same_event(sampled, limit))
		return acrpmu_text_refuse(b->text, words->all.at, "condition-same",
					  "compare it with another event, or at other levels",
					  "the ratio of '%s' to itself is always 1",
					  name_of(limit).text);
	if (!b->group->nr)
		return 0;
	if (same_event(limit, first) && find_limit(b, sampled) >= 0)
		return refuse_range(b, words, find_limit(b, sampled));
	if (!same_request(sampled, first))
		return refuse_sampled(b, words, sampled, limit);
	if (twice < 0)
		return 0;
	acrpmu_text_refuse(b->text, words->all.at, "condition-twice", "",
			   "'%s' is compared with '%s' twice", name_of(first).text,
			   name_of(limit).text);
	acrpmu_message_hint(b->text->message, "one of the two holds whenever both do: keep '%s' or "
			    "'%s'", acrpmu_text_word(b->words[twice]).text,
			    acrpmu_text_word(words->all).text);
	return -EINVAL;
}

static int refuse_unit(const struct cond_builder *b, const struct cond_words *words)
{
	if (b->condition->nr_comparisons > 1)
		return acrpmu_text_refuse(b->text, words->all.at, "condition-large",
					  "take rounder thresholds, such as multiples of each "
					  "other, or fewer comparisons",
					  "no periods up to %llu have the ratios of '%s' and of "
					  "the comparisons before it", COND_MAX_PERIOD,
					  acrpmu_text_word(words->all).text);
	return acrpmu_text_refuse(b->text, words->right.at, "condition-large",
				  "take a rounder number, or one nearer to 1",
				  "no two periods up to %llu have the ratio '%s'", COND_MAX_PERIOD,
				  acrpmu_text_word(words->right).text);
}

/* ---- adding ------------------------------------------------------------------------------- */

/* Move an operand to the end of the group. */
static int take(struct cond_builder *b, unsigned int operand)
{
	struct spec_event *ev = acrpmu_spec_add_event(b->group);

	if (!ev)
		return -ENOMEM;
	*ev = b->operands.ev[operand];
	b->operands.ev[operand] = (struct spec_event){ .given = 0 };
	return 0;
}

int acrpmu_cond_group_add(struct cond_builder *b, const struct cond_words *words)
{
	struct acrpmu_condition *c = b->condition;
	unsigned int sampled = words->below ? words->b : words->a;
	unsigned int limit = words->below ? words->a : words->b;
	int err;

	if (b->group->nr == ACRPMU_MAX_EVENTS)
		return acrpmu_text_refuse(b->text, words->all.at, "too-many-events",
					  "leave some comparisons out",
					  "the condition has more than 16 events");
	err = check_operands(b, words, &b->operands.ev[sampled], &b->operands.ev[limit]);
	if (err)
		return err;
	if (!b->group->nr)
		err = take(b, sampled);
	if (!err)
		err = take(b, limit);
	if (err)
		return err;
	limit = b->group->nr - 1;
	acrpmu_cond_group_clear(b);
	b->words[c->nr_comparisons] = words->all;
	c->comparisons[c->nr_comparisons++] = (struct acrpmu_comparison){
		.a = words->below ? limit : 0,
		.b = words->below ? 0 : limit,
		.below = words->below,
		.column = acrpmu_text_column(b->text, words->all.at),
		.num = words->num,
		.den = words->den,
	};
	return acrpmu_cond_add_unit(c) ? refuse_unit(b, words) : 0;
}

/* ---- periods ------------------------------------------------------------------------------ */

static int refuse_factors(const struct cond_builder *b)
{
	return acrpmu_text_refuse(b->text, b->words[0].at, "condition-large",
				  "take thresholds nearer to 1",
				  "with the smallest periods that may be sampled, others would "
				  "exceed %llu", COND_MAX_PERIOD);
}

static int refuse_window(const struct cond_builder *b, bool small)
{
	const struct acrpmu_condition *c = b->condition;
	__u64 factor = small ? c->min_factor : c->max_factor;

	acrpmu_text_refuse(b->text, b->words[0].at, small ? "window-small" : "window-large", "",
			   "a window of %llu x '%s' is too %s%s", c->asked_window,
			   name_of(&b->group->ev[c->window_event]).text,
			   small ? "small" : "large",
			   small ? "" : " for periods up to 2147483647");
	acrpmu_message_hint(b->text->message, "the %s that fits is --window %llu",
			    small ? "smallest" : "largest", factor * c->units[c->window_event]);
	return -EINVAL;
}

static int choose_factor(const struct cond_builder *b, const struct acrpmu_condition_options *how)
{
	bool software = how->flags & ACRPMU_CONDITION_SOFTWARE;
	__u64 min_sampled = how->min_period, min_limit;
	struct acrpmu_condition *c = b->condition;
	struct acrpmu_limits limits;
	int err;

	acrpmu_attr_limits(&limits, 0);
	if (!min_sampled)
		min_sampled = limits.min_period_sampled;
	min_limit = software ? min_sampled : how->min_period_quiet;
	if (min_limit < ACRPMU_CONDITION_MIN_LIMIT)
		min_limit = ACRPMU_CONDITION_MIN_LIMIT;
	c->asked_window = how->window ? how->window :
			  software ? ACRPMU_CONDITION_WINDOW_SOFTWARE : ACRPMU_CONDITION_WINDOW;
	c->window_event = c->comparisons[0].b;
	if (acrpmu_cond_set_range(c, min_sampled, min_limit))
		return refuse_factors(b);
	err = acrpmu_cond_set_window(c, !how->window);
	return err ? refuse_window(b, err == -EDOM) : 0;
}

void acrpmu_cond_group_set_periods(struct spec_group *group)
{
	const struct acrpmu_condition *c = group->condition;
	unsigned int i;

	for (i = 0; i <= c->nr_comparisons; i++)
		group->ev[i].pub.attr.period = c->units[i] * c->factor;
}

int acrpmu_cond_group_finish(struct cond_builder *b, const struct acrpmu_condition_options *how)
{
	struct spec_group *group = b->group;
	__u64 all = GENMASK_ULL(group->nr - 1, 0);
	unsigned int i;
	int err = choose_factor(b, how);

	if (err)
		return err;
	group->condition = b->condition;
	acrpmu_cond_group_set_periods(group);
	for (i = 0; i < group->nr; i++)
		group->ev[i].pub.attr.acr_mask = i ? all : all & ~1ULL;
	group->ev[0].pub.attr.flags |= ACRPMU_EVENT_SAMPLED;
	group->text = acrpmu_cond_text(group);
	return group->text ? acrpmu_runnable_group(group, b->text->message) : -ENOMEM;
}
