// SPDX-License-Identifier: LGPL-2.1-or-later
/* What stands in a comparison: an event, a number, a ratio by name. */
#include "cond_operand.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "event_parse.h"

#define LEVELS_LEN	4
#define DECIDED		(SPEC_GIVEN_PERIOD | SPEC_GIVEN_MASK | SPEC_GIVEN_RATIO | \
			 SPEC_GIVEN_CAUSES | SPEC_GIVEN_RESETS)
#define EVENT_LEN	32
#define MPKI_PER	1000
#define EVENT_HINT	"an event is a name like 'cycles', rNNN or cpu/terms/"

int acrpmu_cond_refuse_here(const struct cond_reader *r, const char *expected, const char *hint)
{
	if (!*r->at)
		return acrpmu_text_refuse(r->text, r->at, "syntax", hint,
					  "the condition ends where %s is expected", expected);
	return acrpmu_text_refuse(r->text, r->at, "syntax", hint,
				  "'%s' stands where %s is expected",
				  acrpmu_message_word(r->at, 1).text, expected);
}

static struct span get_word(const char *at)
{
	struct span word = { at, 0 };

	while (isalnum((unsigned char)*at) || (*at && strchr("_-.", *at)))
		at++;
	word.len = at - word.at;
	return word;
}

/* ---- events ------------------------------------------------------------------------------- */

/* Terms that the condition decides. */
static int check_terms(const struct cond_reader *r, const struct spec_event *ev)
{
	unsigned int column = ev->pub.period_column;

	if (!(ev->given & DECIDED))
		return 0;
	if (!column || (ev->pub.mask_column && ev->pub.mask_column < column))
		column = ev->pub.mask_column;
	if (!column)
		column = acrpmu_text_column(r->text, ev->resets.at);
	return acrpmu_text_refuse(r->text, r->text->start + column - 1, "condition-term",
				  "leave the term out; --window sets the length of a window",
				  "periods and masks of '%s' follow from the condition",
				  acrpmu_message_word(ev->pub.text, strlen(ev->pub.text)).text);
}

static int read_event(struct cond_reader *r, struct cond_value *value)
{
	struct spec_group *operands = &r->builder.operands;
	int err = acrpmu_parse_operand(r->text, r->options, operands, &r->at, &r->pmu);

	if (err)
		return err;
	*value = (struct cond_value){ .kind = COND_EVENT, .a = operands->nr - 1 };
	return check_terms(r, &operands->ev[value->a]);
}

/* ---- ratios by name ----------------------------------------------------------------------- */

/* An event that the condition does not spell out; messages point to the ratio, at @start. */
static int add_event(struct cond_reader *r, const char *start, const char *name,
		     const char *levels, unsigned int *index)
{
	struct spec_group *operands = &r->builder.operands;
	struct text text = *r->text;
	char string[EVENT_LEN];
	const char *at = string;
	int err;

	snprintf(string, sizeof(string), "%s%s%s", name, *levels ? ":" : "", levels);
	text.start = string;
	err = acrpmu_parse_operand(&text, r->options, operands, &at, &r->pmu);
	if (err && text.message)
		text.message->column = acrpmu_text_column(r->text, start);
	if (err)
		return err;
	*index = operands->nr - 1;
	operands->ev[*index].pub.column = acrpmu_text_column(r->text, start);
	return 0;
}

/* The levels after "ipc:". */
static int read_levels(struct cond_reader *r, char levels[LEVELS_LEN])
{
	size_t len = 0;

	*levels = 0;
	if (*r->at != ':')
		return 0;
	r->at++;
	while (*r->at == 'u' || *r->at == 'k') {
		if (strchr(levels, *r->at))
			return acrpmu_text_refuse(r->text, r->at, "modifier-twice",
						  "leave one of the two out",
						  "the modifier '%c' is given twice", *r->at);
		levels[len++] = *r->at++;
		levels[len] = 0;
	}
	if (len && !isalnum((unsigned char)*r->at))
		return 0;
	return acrpmu_cond_refuse_here(r, "a level", "ratios by name take the modifiers u and k");
}

static int read_pair(struct cond_reader *r, struct cond_value *value, const char *start,
		     const char *a, const char *b)
{
	char levels[LEVELS_LEN];
	int err = read_levels(r, levels);

	*value = (struct cond_value){ .kind = COND_RATIO, .per = 1 };
	if (!err)
		err = add_event(r, start, a, levels, &value->a);
	return err ? err : add_event(r, start, b, levels, &value->b);
}

/* Misses for each 1000 instructions, both at the levels of the misses. */
static int read_mpki(struct cond_reader *r, struct cond_value *value, const char *start)
{
	char levels[LEVELS_LEN];
	__u32 given;
	int err;

	r->at = acrpmu_text_skip(r->at);
	if (*r->at != '(')
		return acrpmu_cond_refuse_here(r, "'('", "write mpki(EVENT), like "
					       "mpki(branch-misses)");
	r->at = acrpmu_text_skip(r->at + 1);
	err = read_event(r, value);
	if (err)
		return err;
	r->at = acrpmu_text_skip(r->at);
	if (*r->at != ')')
		return acrpmu_cond_refuse_here(r, "')'", "mpki takes one event");
	r->at++;
	if (*r->at == ':')
		return acrpmu_cond_refuse_here(r, "'>' or '<'", "put the level inside: "
					       "mpki(EVENT:u)");
	given = r->builder.operands.ev[value->a].levels;
	snprintf(levels, sizeof(levels), "%s%s", given & ACRPMU_EVENT_USER ? "u" : "",
		 given & ACRPMU_EVENT_KERNEL ? "k" : "");
	value->kind = COND_RATIO;
	value->per = MPKI_PER;
	return add_event(r, start, "instructions", levels, &value->b);
}

/* In either case, as perf's names of events are. */
static bool is_ratio(struct span word, const char *name)
{
	return word.len == strlen(name) && !strncasecmp(word.at, name, word.len);
}

int acrpmu_cond_operand_read(struct cond_reader *r, struct cond_value *value)
{
	struct span word = get_word(r->at);
	bool ipc;

	if (isdigit((unsigned char)*r->at) || *r->at == '.' || *r->at == '+' || *r->at == '-') {
		*value = (struct cond_value){ .kind = COND_NUMBER };
		return acrpmu_cond_number_read(r->text, &r->at, &value->number);
	}
	if (!word.len)
		return acrpmu_cond_refuse_here(r, "an event or a number", EVENT_HINT);
	ipc = is_ratio(word, "ipc");
	if (ipc || is_ratio(word, "cpi")) {
		r->at += word.len;
		return read_pair(r, value, word.at, ipc ? "instructions" : "cycles",
				 ipc ? "cycles" : "instructions");
	}
	if (is_ratio(word, "mpki")) {
		r->at += word.len;
		return read_mpki(r, value, word.at);
	}
	return read_event(r, value);
}
