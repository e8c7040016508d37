// SPDX-License-Identifier: LGPL-2.1-or-later
/* The grammar of event strings, as perf has it. */
#include "event_parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "event_resolve.h"
#include "event_term.h"
#include "events.h"
#include "latency.h"
#include "pfm_name.h"
#include "ratio.h"
#include "runnable.h"
#include "../util/suggest.h"

#define LEVELS		(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)
#define SPECIAL_CHARS	" \t\n\r\\'\""	/* what may be a blank or a quote */

/* A string, the position in it, and the options. */
struct reader {
	const struct text *text;
	const char *at;
	const struct acrpmu_parse_options *options;
	const char *pmu;	/* of the group, NULL: it has named none so far */
	bool operand;		/* in a condition: a slash behind a name divides */
};

/* PMUs by their sysfs names: of CPUs with one kind of core, and of hybrid CPUs. */
static const char *const pmus[] = {
	CPU_PMU, CPU_PMU_ATOM, CPU_PMU_LOWPOWER, CPU_PMU_CORE
};

/* ---- characters --------------------------------------------------------------------------- */

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool is_value_end(const char *at)
{
	return !*at || strchr(",/{}", *at) || acrpmu_text_is_blank(*at) || *at == '\\';
}

static struct span read_word(struct reader *r)
{
	struct span word = { r->at, 0 };

	while (is_word_char(*r->at))
		r->at++;
	word.len = r->at - word.at;
	return word;
}

static int refuse_here(const struct reader *r, const char *expected, const char *hint)
{
	if (!*r->at)
		return acrpmu_text_refuse(r->text, r->at, "syntax", hint,
					  "the string ends where %s is expected", expected);
	return acrpmu_text_refuse(r->text, r->at, "syntax", hint,
				  "'%s' stands where %s is expected",
				  acrpmu_message_word(r->at, 1).text, expected);
}

/* ---- terms -------------------------------------------------------------------------------- */

static int read_quoted(struct reader *r, struct span *value)
{
	const char *end = strchr(r->at + 1, *r->at);

	if (!end)
		return acrpmu_text_refuse(r->text, r->at, "quote", "close it with the same quote",
					  "the quote is never closed");
	*value = (struct span){ r->at + 1, end - r->at - 1 };
	r->at = end + 1;
	return 0;
}

static int read_value(struct reader *r, struct span *value)
{
	if (*r->at == '\'' || *r->at == '"')
		return read_quoted(r, value);
	*value = (struct span){ r->at, 0 };
	while (!is_value_end(r->at))
		r->at++;
	value->len = r->at - value->at;
	return 0;
}

static int read_term(struct reader *r, struct spec_event *ev)
{
	struct span name = read_word(r), value = { NULL, 0 };
	int err = 0;

	if (!name.len)
		return refuse_here(r, "a term", "terms are words like period=1000");
	if (*r->at == '=') {
		r->at++;
		err = read_value(r, &value);
	}
	return err ? err : acrpmu_term_apply(r->text, ev, name, value);
}

/* From the opening slash to behind the closing one. */
static int read_terms(struct reader *r, struct spec_event *ev)
{
	const char *open = r->at;
	int err;

	do {
		r->at = acrpmu_text_skip(r->at + 1);
		if (*r->at == '/' && r->at == acrpmu_text_skip(open + 1))
			break;
		if (!*r->at)
			break;
		err = read_term(r, ev);
		if (err)
			return err;
		r->at = acrpmu_text_skip(r->at);
	} while (*r->at == ',');

	if (*r->at == '/') {
		r->at++;
		return 0;
	}
	if (!*r->at || *r->at == '}' || *r->at == '{')
		return acrpmu_text_refuse(r->text, open, "slash-open",
					  "write a slash behind the last term",
					  "the slash here is never closed");
	return refuse_here(r, "a comma or a slash", "terms stand between slashes, with commas");
}

/* ---- events ------------------------------------------------------------------------------- */

static const char *find_pmu(struct span word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pmus); i++) {
		if (acrpmu_text_is(word, pmus[i]))
			return pmus[i];
	}
	return NULL;
}

static int refuse_name(const struct reader *r, struct span word)
{
	bool pmu = !r->operand && *r->at == '/';
	struct suggestion best = { NULL };
	unsigned int i;

	for (i = 0; pmu && i < ARRAY_SIZE(pmus); i++)
		acrpmu_suggest_consider(&best, word.at, word.len, pmus[i]);
	acrpmu_resolve_suggest(r->text->events, &best, word);
	if (!pmu && !(r->text->events && best.word) && acrpmu_pfm_is_event(word)) {
		acrpmu_text_refuse(r->text, word.at, "unknown-event", "",
				   "there is no event '%s' here", acrpmu_text_word(word).text);
		acrpmu_message_hint(r->text->message, "libpfm's name for Goldmont is glm::%s",
				    acrpmu_text_word(word).text);
		return -EINVAL;
	}
	acrpmu_text_refuse(r->text, word.at, pmu ? "unknown-pmu" : "unknown-event",
			   pmu ? "write cpu/.../ or cpu_atom/.../"
			       : "write a generic name like 'cycles', a raw code like r00c0, or "
				 "cpu/event=0xc0,umask=0x0/",
			   pmu ? "there is neither a PMU nor an event '%s'"
			       : "there is no event '%s'", acrpmu_text_word(word).text);
	if (best.word)
		acrpmu_message_hint(r->text->message, "did you mean '%s'?", best.word);
	else if (!acrpmu_resolve_no_table(r->text, word) && !pmu)
		acrpmu_resolve_hint(r->text);
	return -EINVAL;
}

/* Returns 0, -EINVAL if the group already has another PMU, or -ENODEV without a message. */
static int check_pmu(struct reader *r, const char *at, const char *pmu)
{
	if (r->pmu && strcmp(r->pmu, pmu))
		return acrpmu_text_refuse(r->text, at, "other-pmu",
					  "take all events of a group from one PMU",
					  "'%s' is not the PMU '%s' of the events before it in the "
					  "group", pmu, r->pmu);
	r->pmu = pmu;
	if (!r->text->events || acrpmu_cpu_identity_has(&r->text->events->id, pmu))
		return 0;
	r->at = at;
	return -ENODEV;
}

/* An event by libpfm's name; the second event of a pair may omit the prefix. */
static int read_pfm(struct reader *r, const char *at, const char *pmu, struct spec_event *ev,
		    bool *found)
{
	const struct pfm_tables tables = {
		.find = r->text->events ? acrpmu_resolve_pfm : NULL,
		.arg = r->text->events,
	};
	int err = acrpmu_pfm_read(r->text, &at, pmu ? pmu : r->options->pmu, &tables, ev, found);

	if (!err && *found)
		r->at = at;
	return err;
}

/* What comes before the terms: a PMU or the event's name. */
static int read_head(struct reader *r, const char *pmu, struct spec_event *ev)
{
	const char *start = r->at;
	struct span word = read_word(r);
	bool found = false;
	int err = 0;

	/* on Goldmont ITLB is libpfm's event rather than perf's cache of that name */
	if ((*r->at == ':' && r->at[1] == ':') || acrpmu_pfm_is_event(word))
		err = read_pfm(r, start, pmu, ev, &found);
	if (err || found)
		return err;
	if (!word.len)
		return refuse_here(r, "an event", "an event is a name, rNNN or cpu/terms/");
	if (*r->at == '/') {
		ev->pub.pmu = find_pmu(word);
		if (ev->pub.pmu)
			return check_pmu(r, start, ev->pub.pmu);
	} else if (find_pmu(word)) {
		return acrpmu_text_refuse(r->text, word.at, "no-event",
					  "write the event between slashes behind it: cpu/cycles/",
					  "the PMU '%s' alone is no event",
					  acrpmu_text_word(word).text);
	}
	err = acrpmu_term_event(r->text, ev, word, &found);
	if (!err && !found)
		err = read_pfm(r, start, pmu, ev, &found);
	if (err || found)
		return err;
	return refuse_name(r, word);
}

/* Modifiers end where no letter, digit, equals sign or colon follows. */
static struct span read_modifiers(struct reader *r)
{
	struct span m = { r->at, 0 };

	while (isalnum((unsigned char)*r->at) || *r->at == '=' || *r->at == ':')
		r->at++;
	m.len = r->at - m.at;
	return m;
}

static int read_event_modifiers(struct reader *r, struct spec_event *ev, bool after_slash)
{
	struct span m;

	if (*r->at == ':')
		r->at++;
	else if (!after_slash || !isalnum((unsigned char)*r->at))
		return 0;
	m = read_modifiers(r);
	if (!m.len)
		return refuse_here(r, "a modifier", "modifiers are u, k, i, e and c=N");
	return acrpmu_term_modifiers(r->text, ev, 1, false, m);
}

static int check_event(const struct text *text, const struct spec_event *ev, const char *start)
{
	if (ev->given & SPEC_GIVEN_EVENT)
		return 0;
	return acrpmu_text_refuse(text, start, "no-event",
				  "add a name, or event=N, inside the slashes",
				  "no event is named between the slashes");
}

/* Some bytes of the string on one line, without blanks except between quotes. */
static char *copy_text(const char *start, const char *end)
{
	char *copy = malloc(end - start + 1), *to = copy;
	char quote = 0;

	while (copy && start < end) {
		const char *next = quote ? start : acrpmu_text_skip(start);
		size_t plain = strcspn(start, SPECIAL_CHARS);

		if (next > start) {
			start = next;
			continue;
		}
		if (!plain) {
			if (quote ? *start == quote : *start == '\'' || *start == '"')
				quote = quote ? 0 : *start;
			plain = 1;
		}
		if (plain > (size_t)(end - start))
			plain = end - start;
		to = mempcpy(to, start, plain);
		start += plain;
	}
	if (copy)
		*to = 0;
	return copy;
}

/* Set the strings of the public struct. */
static int finish_event(struct spec_event *ev, const char *start, const char *end)
{
	ev->owned.text = copy_text(start, end);
	if (!ev->owned.modifiers)
		ev->owned.modifiers = strdup("");
	if (!ev->owned.text || !ev->owned.modifiers)
		return -ENOMEM;
	ev->pub.text = ev->owned.text;
	ev->pub.modifiers = ev->owned.modifiers;
	ev->pub.name = ev->owned.name ? ev->owned.name :
		       ev->short_name ? ev->short_name : ev->owned.text;
	ev->pub.given_name = ev->owned.name ? ev->owned.name : "";
	ev->pub.ratio = ev->owned.ratio ? ev->owned.ratio : "";
	if (!ev->pub.pmu)
		ev->pub.pmu = "";
	if (!ev->pub.cpu)
		ev->pub.cpu = "";
	return 0;
}

static int read_event(struct reader *r, const char *pmu, struct spec_group *group)
{
	const char *start = r->at;
	struct spec_event *ev;
	bool terms;
	int err;

	if (group->nr == ACRPMU_MAX_EVENTS)
		return acrpmu_text_refuse(r->text, start, "too-many-events",
					  "split it into several groups",
					  "the group has more than 16 events");
	ev = acrpmu_spec_add_event(group);
	if (!ev)
		return -ENOMEM;
	ev->pub.string = r->text->string;
	ev->pub.column = acrpmu_text_column(r->text, start);
	err = read_head(r, pmu, ev);
	if (err)
		return err;
	terms = *r->at == '/' && (ev->pub.pmu || !r->operand);
	if (terms)
		err = read_terms(r, ev);
	if (!err)
		err = check_event(r->text, ev, start);
	if (!err)
		err = acrpmu_term_cntrs(r->text, ev);
	if (!err)
		err = read_event_modifiers(r, ev, terms);
	return err ? err : finish_event(ev, start, r->at);
}

/* One event, or two that a plus joins: libpfm's pair for the average latency. */
static int read_events(struct reader *r, struct spec_group *group)
{
	const unsigned int nr = group->nr;
	const struct spec_event *first;
	const char *plus, *start;
	int err = read_event(r, NULL, group);

	if (err)
		return err;
	plus = acrpmu_text_skip(r->at);
	if (*plus != '+')
		return 0;
	r->at = acrpmu_text_skip(plus + 1);
	start = r->at;
	first = &group->ev[nr];
	err = read_event(r, *first->pub.cpu ? first->pub.cpu : NULL, group);
	if (err)
		return err;
	first = &group->ev[nr];
	return acrpmu_latency_check_pair(r->text, plus, start, first, first + 1);
}

/* ---- groups ------------------------------------------------------------------------------- */

/* From behind the opening brace to behind the closing one and its modifiers. */
static int read_braces(struct reader *r, struct spec_group *group, const char *open)
{
	struct span m;
	int err;

	r->at = acrpmu_text_skip(r->at);
	if (*r->at == '}')
		return acrpmu_text_refuse(r->text, open, "empty-group",
					  "put at least one event between the braces",
					  "the group has no event");
	for (;;) {
		if (!*r->at)
			break;
		if (*r->at == '{')
			return acrpmu_text_refuse(r->text, r->at, "nested-group",
						  "close the outer group first",
						  "a group cannot hold another group");
		err = read_events(r, group);
		if (err)
			return err;
		r->at = acrpmu_text_skip(r->at);
		if (*r->at != ',')
			break;
		r->at = acrpmu_text_skip(r->at + 1);
	}
	if (!*r->at)
		return acrpmu_text_refuse(r->text, open, "brace-open",
					  "write } behind the last event; in a shell put the whole "
					  "group in quotes",
					  "the brace here is never closed");
	if (*r->at != '}')
		return refuse_here(r, "a comma or a closing brace",
				   "events of a group have commas between them");
	r->at++;
	if (*r->at != ':')
		return 0;
	r->at++;
	m = read_modifiers(r);
	if (!m.len)
		return refuse_here(r, "a modifier", "groups take the modifiers u and k");
	return acrpmu_term_modifiers(r->text, group->ev, group->nr, true, m);
}

/* Only now, since the modifiers of a group come after its events. */
static void finish_levels(struct spec_group *group, __u32 flags)
{
	__u32 levels = (flags & ACRPMU_PARSE_USER ? ACRPMU_EVENT_USER : 0) |
		       (flags & ACRPMU_PARSE_KERNEL ? ACRPMU_EVENT_KERNEL : 0);
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		struct spec_event *ev = &group->ev[i];

		ev->pub.modifiers = ev->owned.modifiers;
		ev->pub.attr.flags |= ev->levels ? ev->levels : levels ? levels : LEVELS;
	}
}

static int read_group(struct reader *r, struct acrpmu_spec *spec)
{
	struct spec_group *group = acrpmu_spec_add_group(spec);
	const char *start = r->at;
	int err;

	if (!group)
		return -ENOMEM;
	if (*r->at == '{') {
		r->at++;
		err = read_braces(r, group, start);
	} else {
		err = read_events(r, group);
	}
	if (err)
		return err;
	group->text = copy_text(start, r->at);
	if (!group->text)
		return -ENOMEM;
	finish_levels(group, r->options->flags);
	err = acrpmu_runnable_group(group, r->text->message);
	if (!err)
		err = acrpmu_ratio_resolve(r->text, r->options, group);
	return err;
}

int acrpmu_parse_operand(const struct text *text, const struct acrpmu_parse_options *options,
			 struct spec_group *group, const char **at, const char **pmu)
{
	struct reader r = {
		.text = text, .at = *at, .options = options, .pmu = *pmu, .operand = true,
	};
	int err = read_event(&r, NULL, group);

	if (!err)
		finish_levels(group, options->flags);
	*at = r.at;
	*pmu = r.pmu;
	return err;
}

int acrpmu_parse_group(const struct text *text, const struct acrpmu_parse_options *options,
		       struct acrpmu_spec *spec, const char **at, const char **pmu)
{
	struct reader r = { .text = text, .at = *at, .options = options };
	int err = read_group(&r, spec);

	*at = r.at;
	*pmu = r.pmu;
	return err;
}

int acrpmu_parse_string(const struct text *text, const struct acrpmu_parse_options *options,
			struct acrpmu_spec *spec, parse_group_fn *parse_group)
{
	struct reader r = {
		.text = text, .at = acrpmu_text_skip(text->start), .options = options,
	};
	int err;

	if (!*r.at)
		return acrpmu_text_refuse(text, text->start, "no-event",
					  "name an event, like 'cycles'",
					  "the string names no event");
	for (;;) {
		if (*r.at == '}')
			return acrpmu_text_refuse(text, r.at, "brace-close",
						  "leave it out, or open the group before it",
						  "the closing brace has no opening one");
		err = parse_group(text, options, spec, &r.at);
		if (err)
			return err;
		r.at = acrpmu_text_skip(r.at);
		if (!*r.at)
			return 0;
		if (*r.at == '}')
			continue;
		if (*r.at != ',')
			return refuse_here(&r, "a comma or the end",
					   "events and groups have commas between them");
		r.at = acrpmu_text_skip(r.at + 1);
	}
}
