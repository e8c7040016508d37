// SPDX-License-Identifier: LGPL-2.1-or-later
/* Modifiers after an event or a group: levels, and bits of the event select. */
#include "event_term.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "../../kmod/regs.h"
#include "../util/number.h"

#define MODIFIERS_LEN	32
#define CMASK_MAX	(PERFEVTSEL_CMASK >> PERFEVTSEL_CMASK_SHIFT)

/* One modifier as it was read. */
struct modifier {
	const char *at;
	__u32 level;	/* or */
	__u64 field;	/* of the config word, with */
	__u64 value;	/* in place */
};

static const struct {
	char letter;
	__u32 level;
	__u64 field;
} letters[] = {
	{ 'u', ACRPMU_EVENT_USER, 0 },
	{ 'k', ACRPMU_EVENT_KERNEL, 0 },
	{ 'i', 0, PERFEVTSEL_INV },
	{ 'e', 0, PERFEVTSEL_EDGE },
};

/* Modifiers of perf that are not supported, with the remedy. */
static const struct {
	char letter;
	const char *hint;
} refused_letters[] = {
	{ 'b', "leave it out" },
	{ 'D', "leave it out: the module pins every group" },
	{ 'G', "leave it out: counters count the host and its guests alike" },
	{ 'h', "leave it out: hypervisor level does not exist here" },
	{ 'H', "leave it out: counters count the host and its guests alike; 'acrctl record "
	       "--exclude-guest' drops samples of guests" },
	{ 'I', "leave it out" },
	{ 'p', "leave it out: precise sampling (PEBS) is not supported" },
	{ 'P', "leave it out: precise sampling (PEBS) is not supported" },
	{ 'R', "leave it out" },
	{ 'S', "leave it out: every event of the group keeps its own sampling" },
	{ 'W', "leave it out: groups are always whole" },
	{ 'X', "leave it out" },
};

static int refuse_letter(const struct text *text, const char *at)
{
	struct message_word word = acrpmu_message_word(at, 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused_letters); i++) {
		if (refused_letters[i].letter == *at)
			return acrpmu_text_refuse(text, at, "modifier-unsupported",
						  refused_letters[i].hint,
						  "perf's modifier '%s' is not supported",
						  word.text);
	}
	return acrpmu_text_refuse(text, at, "unknown-modifier",
				  "modifiers are u (user), k (kernel), i (invert), e (edge) and "
				  "c=N (counter mask)", "there is no modifier '%s'", word.text);
}

static int read_cmask(const struct text *text, const char **at, const char *end,
		      struct modifier *m)
{
	const char *number = *at + 2;
	size_t len = 0, bad;
	__u64 cmask;

	if (*at + 1 >= end || (*at)[1] != '=')
		return acrpmu_text_refuse(text, *at, "modifier-value", "write c=N with N up to 255",
					  "the modifier 'c' needs a number");
	/* what could belong to a number; further modifiers follow after a colon */
	while (number + len < end && number[len] != ':')
		len++;
	if (acrpmu_number_parse(number, len, &cmask, &bad) || cmask > CMASK_MAX)
		return acrpmu_text_refuse(text, number, "modifier-value",
					  "N is 0 to 255; further modifiers follow after a colon",
					  "c=%s is not a counter mask",
					  acrpmu_message_word(number, len).text);
	m->field = PERFEVTSEL_CMASK;
	m->value = cmask << PERFEVTSEL_CMASK_SHIFT;
	*at = number + len;
	return 0;
}

/* Read the modifier at *at and move on. */
static int read_modifier(const struct text *text, const char **at, const char *end,
			 struct modifier *m)
{
	unsigned int i;

	*m = (struct modifier){ .at = *at };
	if (**at == 'c')
		return read_cmask(text, at, end, m);
	for (i = 0; i < ARRAY_SIZE(letters); i++) {
		if (letters[i].letter != **at)
			continue;
		m->level = letters[i].level;
		m->field = letters[i].field;
		m->value = letters[i].field;
		(*at)++;
		return 0;
	}
	return refuse_letter(text, *at);
}

static int apply(const struct text *text, struct spec_event *ev, const struct modifier *m)
{
	ev->levels |= m->level;
	if (!(ev->config_set & m->field)) {
		ev->config_set |= m->field;
		ev->modified_config |= m->value;
		ev->pub.attr.config |= m->value;
		return 0;
	}
	return acrpmu_text_refuse(text, m->at, "modifier-conflict",
				  "say it once, as term or as modifier",
				  "the modifier '%c' sets what the event already says", *m->at);
}

/* The same modifier twice; levels of a group add to those of its events. */
static int check_once(const struct text *text, const struct modifier *m, __u32 *levels,
		      __u64 *fields)
{
	bool twice = (*levels & m->level) || (*fields & m->field);

	*levels |= m->level;
	*fields |= m->field;
	if (!twice)
		return 0;
	return acrpmu_text_refuse(text, m->at, "modifier-twice", "leave one of the two out",
				  "the modifier '%c' is given twice", *m->at);
}

static int check_group(const struct text *text, const struct modifier *m)
{
	if (m->level)
		return 0;
	return acrpmu_text_refuse(text, m->at, "modifier-group",
				  "write it after the event that it is for",
				  "the modifier '%c' cannot stand after a group", *m->at);
}

/* "c=N", N up to CMASK_MAX; returns its end */
static char *put_cmask(char *to, unsigned int cmask)
{
	unsigned int unit;

	to = stpcpy(to, "c=");
	for (unit = 100; unit; unit /= 10) {
		if (cmask >= unit || unit == 1)
			*to++ = '0' + cmask / unit % 10;
	}
	return to;
}

/* "ukie" and "c=N", as far as given */
static int print_modifiers(struct spec_event *ev)
{
	char words[MODIFIERS_LEN], *end = words;
	__u64 config = ev->modified_config;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(letters); i++) {
		if (ev->levels & letters[i].level || config & letters[i].field)
			*end++ = letters[i].letter;
	}
	if (config & PERFEVTSEL_CMASK)
		end = put_cmask(end > words ? stpcpy(end, ":") : end,
				(config & PERFEVTSEL_CMASK) >> PERFEVTSEL_CMASK_SHIFT);
	*end = 0;
	free(ev->owned.modifiers);
	ev->owned.modifiers = strdup(words);
	return ev->owned.modifiers ? 0 : -ENOMEM;
}

int acrpmu_term_modifiers(const struct text *text, struct spec_event *evs, unsigned int nr,
			  bool group, struct span modifiers)
{
	const char *at = modifiers.at, *end = at + modifiers.len;
	__u64 fields = 0;
	__u32 levels = 0;
	unsigned int i;
	int err = 0;

	while (!err && at < end) {
		struct modifier m;

		if (*at == ':' && at > modifiers.at && at[-1] != ':' && at + 1 < end) {
			at++;
			continue;
		}
		err = read_modifier(text, &at, end, &m);
		if (!err)
			err = check_once(text, &m, &levels, &fields);
		if (!err && group)
			err = check_group(text, &m);
		for (i = 0; !err && i < nr; i++)
			err = apply(text, &evs[i], &m);
	}
	for (i = 0; !err && i < nr; i++)
		err = print_modifiers(&evs[i]);
	return err;
}
