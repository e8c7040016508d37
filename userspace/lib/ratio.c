// SPDX-License-Identifier: LGPL-2.1-or-later
/* Periods and masks of a group: ratios to the previous event, default period, what is sampled. */
#include "ratio.h"

#include <string.h>

#include "../../kmod/core/attr.h"
#include "../../kmod/core/types.h"
#include "causes.h"

/* A group being resolved, so that each step has one argument. */
struct resolver {
	const struct text *text;
	const struct acrpmu_parse_options *options;
	struct spec_group *group;
};

static const char *at_column(const struct resolver *r, unsigned int column)
{
	return r->text->start + column - 1;
}

static struct message_word name_of(const struct spec_event *ev)
{
	return acrpmu_message_word(ev->pub.name, strlen(ev->pub.name));
}

/* Default periods of the events would not have the requested ratio. */
static int refuse_no_period(const struct resolver *r, const struct spec_event *ev, const char *at)
{
	const struct spec_event *prev = ev - 1, *suggested = prev->table_period ? prev : ev;
	unsigned long long period = suggested->table_period;

	acrpmu_text_refuse(r->text, at, "ratio-no-period",
			   "give period= to one of the two, or -c N",
			   "neither '%s' nor the event before it has a period", name_of(ev).text);
	if (r->options->flags & ACRPMU_PARSE_TABLE_PERIOD && period)
		acrpmu_message_hint(r->text->message, "the table's suggested period %llu of '%s' "
				    "is not used for ratios; write period=%llu, or -c N", period,
				    name_of(suggested).text, period);
	return -EINVAL;
}

/* Whether the pair can be one at all. */
static int check_pair(const struct resolver *r, unsigned int i)
{
	const struct spec_event *ev = &r->group->ev[i], *prev = ev - 1;
	const char *at = at_column(r, ev->pub.mask_column);
	struct message_word name = name_of(ev);

	if (!i)
		return acrpmu_text_refuse(r->text, at, "ratio-first",
					  "put the other event before it in the same braces",
					  "ratio-to-prev of '%s' has no previous event", name.text);
	if (ev->given & SPEC_GIVEN_MASK)
		return acrpmu_text_refuse(r->text, at, "ratio-mask",
					  "leave out either acr_mask or ratio-to-prev",
					  "'%s' has both ratio-to-prev and acr_mask", name.text);
	if (prev->pub.attr.acr_mask || prev->given & SPEC_GIVEN_MASK)
		return acrpmu_text_refuse(r->text, at, "ratio-prev-mask",
					  "a ratio joins two events; use acr_mask for more",
					  "the event before '%s' already has a mask", name.text);
	if (ev->given & prev->given & SPEC_GIVEN_PERIOD)
		return acrpmu_text_refuse(r->text, at, "ratio-periods",
					  "leave out one period=; it follows from the other by the "
					  "ratio", "both '%s' and the event before it have period=",
					  name.text);
	if (!(ev->given & SPEC_GIVEN_PERIOD) && !(prev->given & SPEC_GIVEN_PERIOD) &&
	    !r->options->period)
		return refuse_no_period(r, ev, at);
	return 0;
}

static int refuse_result(const struct resolver *r, const struct spec_event *ev, int err)
{
	const char *at = at_column(r, ev->pub.mask_column);

	if (err)
		return acrpmu_text_refuse(r->text, at, "ratio-overflow",
					  "take a ratio nearer to 1 or a smaller period",
					  "ratio-to-prev=%s makes a period of more than 64 bits",
					  acrpmu_message_word(ev->owned.ratio,
							      strlen(ev->owned.ratio)).text);
	return acrpmu_text_refuse(r->text, at, "ratio-period-zero",
				  "take a ratio nearer to 1 or a larger period",
				  "ratio-to-prev=%s makes a period of 0",
				  acrpmu_message_word(ev->owned.ratio,
						      strlen(ev->owned.ratio)).text);
}

static int apply_pair(const struct resolver *r, unsigned int i)
{
	struct spec_event *ev = &r->group->ev[i], *prev = ev - 1;
	struct spec_event *result = ev;
	int err;

	if (ev->given & SPEC_GIVEN_PERIOD) {
		result = prev;
		err = acrpmu_decimal_divide(ev->pub.attr.period, &ev->ratio,
					    &prev->pub.attr.period);
	} else {
		if (!(prev->given & SPEC_GIVEN_PERIOD))
			prev->pub.attr.period = r->options->period;
		err = acrpmu_decimal_multiply(prev->pub.attr.period, &ev->ratio,
					      &ev->pub.attr.period);
	}
	if (err || !result->pub.attr.period)
		return refuse_result(r, ev, err);

	prev->pub.attr.acr_mask = BIT_ULL(i);
	prev->pub.mask_column = ev->pub.mask_column;
	if (!prev->pub.period_column)
		prev->pub.period_column = ev->pub.mask_column;
	ev->pub.attr.acr_mask = BIT_ULL(i) | BIT_ULL(i - 1);
	ev->pub.ratio_num = ev->pub.attr.period;
	ev->pub.ratio_den = prev->pub.attr.period;
	acrpmu_decimal_reduce(&ev->pub.ratio_num, &ev->pub.ratio_den);
	return 0;
}

static int check_mask(const struct resolver *r, unsigned int i)
{
	const struct spec_event *ev = &r->group->ev[i];
	__u64 outside = ev->pub.attr.acr_mask & ~GENMASK_ULL(r->group->nr - 1, 0);

	if (!outside)
		return 0;
	acrpmu_text_refuse(r->text, at_column(r, ev->pub.mask_column), "mask-outside", "",
			   "acr_mask 0x%llx of '%s' names event %u, but the group has %u %s",
			   (unsigned long long)ev->pub.attr.acr_mask, name_of(ev).text,
			   __ffs64(outside), r->group->nr, r->group->nr > 1 ? "events" : "event");
	acrpmu_message_hint(r->text->message, "bits stand for events of the group in order, bit 0 "
			    "for the first: at most 0x%llx here; numbers without 0x are decimal",
			    GENMASK_ULL(r->group->nr - 1, 0));
	return -EINVAL;
}

/*
 * Periods that the user gives go before those that tables suggest, unless
 * the event cannot do without one.
 */
static bool takes_table_period(const struct resolver *r, bool reloads)
{
	unsigned int i, given = 0;

	for (i = 0; i < r->group->nr; i++)
		given |= r->group->ev[i].given;
	return r->options->flags & ACRPMU_PARSE_TABLE_PERIOD &&
	       (reloads || !(given & (SPEC_GIVEN_PERIOD | SPEC_GIVEN_RATIO)));
}

/* The default period, or counting without one. */
static int finish_period(const struct resolver *r, unsigned int i, __u64 cause_events)
{
	struct spec_event *ev = &r->group->ev[i];
	bool reloads = ev->pub.attr.acr_mask || cause_events & BIT_ULL(i);

	if (r->options->flags & ACRPMU_PARSE_COUNT_ALL && !reloads) {
		ev->pub.attr.period = 0;
		ev->pub.attr.flags |= ACRPMU_EVENT_COUNT;
		return 0;
	}
	if (!ev->pub.attr.period)
		ev->pub.attr.period = r->options->period;
	if (!ev->pub.attr.period && takes_table_period(r, reloads))
		ev->pub.attr.period = ev->table_period;
	if (ev->pub.attr.period) {
		if (!(ev->pub.attr.acr_mask & BIT_ULL(i)))
			ev->pub.attr.flags |= ACRPMU_EVENT_SAMPLED;
		return 0;
	}
	if (reloads)
		return acrpmu_text_refuse(r->text, at_column(r, ev->pub.column), "no-period",
					  "give it period=N, or -c N for all events without",
					  "'%s' takes part in counter reload but has no period",
					  name_of(ev).text);
	if (r->options->flags & ACRPMU_PARSE_COUNT) {
		ev->pub.attr.flags |= ACRPMU_EVENT_COUNT;
		return 0;
	}
	return acrpmu_text_refuse(r->text, at_column(r, ev->pub.column), "no-period",
				  "give it period=N, or -c N for all events without; there is no "
				  "frequency mode (-F)", "'%s' has no period", name_of(ev).text);
}

int acrpmu_ratio_resolve(const struct text *text, const struct acrpmu_parse_options *options,
			 struct spec_group *group)
{
	const struct resolver r = { text, options, group };
	__u64 cause_events = 0;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < group->nr; i++) {
		if (!(group->ev[i].given & SPEC_GIVEN_RATIO))
			continue;
		err = check_pair(&r, i);
		if (!err)
			err = apply_pair(&r, i);
	}
	if (!err)
		err = acrpmu_causes_resolve(text, group);
	for (i = 0; !err && i < group->nr; i++) {
		cause_events |= group->ev[i].pub.attr.acr_mask;
		err = check_mask(&r, i);
	}
	for (i = 0; !err && i < group->nr; i++)
		err = finish_period(&r, i, cause_events);
	return err;
}
