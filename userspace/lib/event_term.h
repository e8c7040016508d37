/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Terms between slashes and modifiers after them: what each one sets in an event. */
#ifndef _ACRPMU_LIB_EVENT_TERM_H
#define _ACRPMU_LIB_EVENT_TERM_H

#include "spec.h"
#include "text.h"

/**
 * acrpmu_term_apply() - apply one term like "period=1000", "edge" or "instructions"
 * @text: the string it stands in
 * @name: left of the equals sign
 * @value: right of it, @value.at NULL if there is no equals sign
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_term_apply(const struct text *text, struct spec_event *ev, struct span name,
		      struct span value);

/**
 * acrpmu_term_event() - apply an event's own name: a generic name, rNNN or a name in a table
 * @text: the string it stands in
 * @found: out, whether it is one
 *
 * Return: 0, also if it is not such a name; -EINVAL or -ENOMEM.
 */
int acrpmu_term_event(const struct text *text, struct spec_event *ev, struct span name,
		      bool *found);

/**
 * acrpmu_term_cntrs() - determine the allowed counters after all terms
 * @text: the string they stand in
 *
 * What counters= gives narrows what the event's table has.
 *
 * Return: 0, or -EINVAL if they have no counter in common.
 */
int acrpmu_term_cntrs(const struct text *text, struct spec_event *ev);

/**
 * acrpmu_term_is_raw() - check whether a word is a raw code, rNNN
 * @name: the word
 *
 * Return: whether it is read as one, whatever names tables have.
 */
bool acrpmu_term_is_raw(struct span name);

/**
 * acrpmu_term_modifiers() - apply the modifiers after an event or a group
 * @text: the string they stand in
 * @evs: the events they are for
 * @nr: how many
 * @group: whether they stand after a group
 * @modifiers: the modifiers, without the colon or slash before them
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int acrpmu_term_modifiers(const struct text *text, struct spec_event *evs, unsigned int nr,
			  bool group, struct span modifiers);

#endif /* _ACRPMU_LIB_EVENT_TERM_H */
