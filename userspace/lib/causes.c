// SPDX-License-Identifier: LGPL-2.1-or-later
/* Masks of a group by the names of its events: reloaded-by= and resets=. */
#include "causes.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "../../kmod/core/types.h"
#include "../util/number.h"
#include "text.h"

#define CODE_CAUSE	"cause-name"
#define CODE_CONFLICT	"cause-conflict"
#define MASK_GIVEN	(SPEC_GIVEN_MASK | SPEC_GIVEN_CAUSES)

/* What the terms of a group list, before they are joined. */
struct lists {
	const struct text *text;
	struct spec_group *group;
	__u64 resets[ACRPMU_MAX_EVENTS];
};

static struct message_word name_of(const struct spec_event *ev)
{
	return acrpmu_message_word(ev->pub.name, strlen(ev->pub.name));
}

/* ---- names -------------------------------------------------------------------------------- */

static int find_index(const struct lists *l, struct span word, __u64 *events)
{
	enum number_error error;
	size_t bad;
	__u64 n;

	error = acrpmu_number_parse(word.at, word.len, &n, &bad);
	if (!error && n < l->group->nr) {
		*events = BIT_ULL(n);
		return 0;
	}
	acrpmu_text_refuse(l->text, word.at, CODE_CAUSE, "", "the group has no event %s",
			   acrpmu_text_word(word).text);
	acrpmu_message_hint(l->text->message, "its events have the numbers 0 to %u",
			    l->group->nr - 1);
	return -EINVAL;
}

static int find_name(const struct lists *l, struct span word, __u64 *events)
{
	unsigned int i;

	*events = 0;
	for (i = 0; i < l->group->nr; i++) {
		const char *name = l->group->ev[i].pub.name;

		if (strlen(name) == word.len && !strncasecmp(name, word.at, word.len))
			*events |= BIT_ULL(i);
	}
	if (hweight64(*events) == 1)
		return 0;
	if (*events)
		return acrpmu_text_refuse(l->text, word.at, CODE_CAUSE,
					  "give its number in the group, from 0 on, or different "
					  "name= terms", "several events are called '%s'",
					  acrpmu_text_word(word).text);
	return acrpmu_text_refuse(l->text, word.at, CODE_CAUSE,
				  "write the name of an event of the group, its name= term, or its "
				  "number from 0 on, with a plus between several",
				  "no event of the group is called '%s'",
				  acrpmu_text_word(word).text);
}

/* "NAME+INDEX+...", which is not empty. */
static int read_list(const struct lists *l, struct span list, __u64 *events)
{
	const char *at = list.at, *end = at + list.len;
	int err = 0;

	*events = 0;
	for (; !err && at <= end; at++) {
		const char *plus = memchr(at, '+', end - at);
		struct span word = { at, (plus ? plus : end) - at };
		__u64 one = 0;

		if (!word.len)
			return acrpmu_text_refuse(l->text, at, CODE_CAUSE,
						  "write NAME+NAME, without blanks",
						  "an event is missing in the list");
		err = *at >= '0' && *at <= '9' ? find_index(l, word, &one) :
						 find_name(l, word, &one);
		if (!err && *events & one)
			return acrpmu_text_refuse(l->text, at, CODE_CAUSE,
						  "leave one of the two out",
						  "'%s' is listed twice",
						  acrpmu_text_word(word).text);
		*events |= one;
		at = word.at + word.len;
	}
	return err;
}

/* ---- masks -------------------------------------------------------------------------------- */

static int refuse_mask(const struct lists *l, const struct spec_event *ev, __u64 listed)
{
	const char *other = ev->given & SPEC_GIVEN_MASK ? "acr_mask=" : "ratio-to-prev=";

	acrpmu_text_refuse(l->text, ev->reloaded_by.at, CODE_CONFLICT, "",
			   "reloaded-by= of '%s' means the mask 0x%llx, but by %s it is 0x%llx",
			   name_of(ev).text, (unsigned long long)listed, other,
			   (unsigned long long)ev->pub.attr.acr_mask);
	acrpmu_message_hint(l->text->message, "leave one of the two out");
	return -EINVAL;
}

static int add_causes(struct lists *l, unsigned int i)
{
	struct spec_event *ev = &l->group->ev[i];
	__u64 listed;
	int err;

	if (!(ev->given & SPEC_GIVEN_CAUSES))
		return 0;
	err = read_list(l, ev->reloaded_by, &listed);
	if (err)
		return err;
	if (ev->given & SPEC_GIVEN_MASK || ev->pub.attr.acr_mask)
		return ev->pub.attr.acr_mask == listed ? 0 : refuse_mask(l, ev, listed);
	ev->pub.attr.acr_mask = listed;
	return 0;
}

static int add_resets(struct lists *l, unsigned int i)
{
	const struct spec_event *ev = &l->group->ev[i];

	if (!(ev->given & SPEC_GIVEN_RESETS))
		return 0;
	return read_list(l, ev->resets, &l->resets[i]);
}

/* The mask of event @i has a cause, or lacks one, against what that says itself. */
static int check_cause(const struct lists *l, unsigned int i, unsigned int cause)
{
	const struct spec_event *ev = &l->group->ev[i], *by = &l->group->ev[cause];
	bool causes = ev->pub.attr.acr_mask & BIT_ULL(cause);

	if (!(by->given & SPEC_GIVEN_RESETS) || !(l->resets[cause] & BIT_ULL(i)) == !causes)
		return 0;
	if (causes)
		return acrpmu_text_refuse(l->text, by->resets.at, CODE_CONFLICT,
					  "add it there, or leave it out of the mask",
					  "'%s' is reloaded by '%s', but its resets= does not list it",
					  name_of(ev).text, name_of(by).text);
	return acrpmu_text_refuse(l->text, by->resets.at, CODE_CONFLICT,
				  "leave it out here, or add it to the mask",
				  "'%s' resets '%s', but the mask 0x%llx does not have it",
				  name_of(by).text, name_of(ev).text,
				  (unsigned long long)ev->pub.attr.acr_mask);
}

/* With a mask of its own, an event must agree with all resets=; without one these are the mask. */
static int join(const struct lists *l, unsigned int i)
{
	struct spec_event *ev = &l->group->ev[i];
	bool given = ev->given & MASK_GIVEN || ev->pub.attr.acr_mask;
	unsigned int cause;
	int err = 0;

	for (cause = 0; !err && cause < l->group->nr; cause++) {
		if (given)
			err = check_cause(l, i, cause);
		else if (l->resets[cause] & BIT_ULL(i))
			ev->pub.attr.acr_mask |= BIT_ULL(cause);
	}
	if (!given && ev->pub.attr.acr_mask && !ev->pub.mask_column)
		ev->pub.mask_column = ev->pub.column;
	return err;
}

int acrpmu_causes_resolve(const struct text *text, struct spec_group *group)
{
	struct lists l = { .text = text, .group = group };
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < group->nr; i++) {
		err = add_causes(&l, i);
		if (!err)
			err = add_resets(&l, i);
	}
	for (i = 0; !err && i < group->nr; i++)
		err = join(&l, i);
	return err;
}
