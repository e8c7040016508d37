// SPDX-License-Identifier: LGPL-2.1-or-later
/* Terms between slashes: what each one sets in an event. */
#include "event_term.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/constraint.h"
#include "../../kmod/core/event.h"
#include "../../kmod/regs.h"
#include "perf_name.h"
#include "event_resolve.h"
#include "events.h"
#include "../util/number.h"
#include "../util/suggest.h"

#define RAW_PREFIX	'r'
#define EVENT_UMASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)
#define CODE_CNTRS	"counters"
#define CONFIG_HINT	"levels come from the modifiers u and k; INT and EN are set as needed"

struct term;
typedef int (*term_fn)(const struct text *text, struct spec_event *ev, const struct term *term,
		       struct span name, struct span value);

/* A term; field: the bits of the config word that it sets, 0 if none. */
struct term {
	const char *name;
	term_fn apply;
	__u64 field;
};

/* ---- values ------------------------------------------------------------------------------- */

static int refuse_number(const struct text *text, struct span name, struct span value, size_t bad,
			 enum number_error error)
{
	struct message_word n = acrpmu_text_word(name), v = acrpmu_text_word(value);
	const char *at = value.at + bad;

	switch (error) {
	case NUMBER_EMPTY:
		return acrpmu_text_refuse(text, value.at, "number-missing",
					  "give a decimal number, or a hexadecimal one after 0x",
					  "'%s=' has no number", n.text);
	case NUMBER_SIGN:
		return acrpmu_text_refuse(text, value.at, "number-sign",
					  "leave the sign out; numbers here are 0 or more",
					  "the number '%s' of '%s' has a sign", v.text, n.text);
	case NUMBER_HEX:
		acrpmu_text_refuse(text, value.at, "number-hex", "",
				   "'%s' of '%s' is no decimal number", v.text, n.text);
		acrpmu_message_hint(text->message, "hexadecimal numbers start with 0x: %s=0x%s",
				    n.text, v.text);
		return -EINVAL;
	case NUMBER_SUFFIX:
		return acrpmu_text_refuse(text, at, "number-suffix",
					  "write all digits: 100000 instead of 100k",
					  "the number '%s' of '%s' has a suffix", v.text, n.text);
	case NUMBER_LARGE:
		return acrpmu_text_refuse(text, value.at, "number-large",
					  "the largest number is 18446744073709551615",
					  "the number '%s' of '%s' needs more than 64 bits",
					  v.text, n.text);
	default:
		return acrpmu_text_refuse(text, at, "number",
					  "give a decimal number, or a hexadecimal one after 0x",
					  "'%s' of '%s' is not a number", v.text, n.text);
	}
}

static int get_number(const struct text *text, struct span name, struct span value, __u64 *number)
{
	enum number_error error;
	size_t bad;

	if (!value.at) {
		struct message_word n = acrpmu_text_word(name);

		acrpmu_text_refuse(text, name.at, "number-missing", "",
				   "the term '%s' needs a number", n.text);
		acrpmu_message_hint(text->message, "write %s=NUMBER", n.text);
		return -EINVAL;
	}
	error = acrpmu_number_parse(value.at, value.len, number, &bad);
	return error ? refuse_number(text, name, value, bad, error) : 0;
}

static int refuse_twice(const struct text *text, struct span name)
{
	return acrpmu_text_refuse(text, name.at, "term-twice", "leave one of the two out",
				  "the term '%s' is given twice", acrpmu_text_word(name).text);
}

/* Note that a term was given, once. */
static int give(const struct text *text, struct spec_event *ev, struct span name, unsigned int what)
{
	if (ev->given & what)
		return refuse_twice(text, name);
	ev->given |= what;
	return 0;
}

/* Reserve some bits of the config word for a term, once. */
static int claim(const struct text *text, struct spec_event *ev, struct span name, __u64 field)
{
	if (!(ev->config_set & field)) {
		ev->config_set |= field;
		return 0;
	}
	if (ev->given & SPEC_GIVEN_WHOLE)
		return acrpmu_text_refuse(text, name.at, "term-conflict",
					  "describe the event either way, not both",
					  "'%s' changes what the event's name or code already says",
					  acrpmu_text_word(name).text);
	return refuse_twice(text, name);
}

/* ---- what a term sets --------------------------------------------------------------------- */

static int set_field(const struct text *text, struct spec_event *ev, const struct term *term,
		     struct span name, struct span value)
{
	unsigned int shift = __ffs64(term->field);
	__u64 largest = term->field >> shift, number = 1;
	int err = 0;

	/* "edge" alone stands for edge=1 */
	if (value.at || largest > 1)
		err = get_number(text, name, value, &number);
	if (err)
		return err;
	if (number > largest) {
		acrpmu_text_refuse(text, value.at, "value-range", "",
				   "%s=%s does not fit the event select",
				   term->name, acrpmu_text_word(value).text);
		acrpmu_message_hint(text->message, "the largest value of %s is %llu", term->name,
				    (unsigned long long)largest);
		return -EINVAL;
	}
	err = claim(text, ev, name, term->field);
	if (err)
		return err;
	ev->pub.attr.config |= number << shift;
	if (term->field == PERFEVTSEL_EVENT)
		ev->given |= SPEC_GIVEN_EVENT;
	return 0;
}

static int set_whole(const struct text *text, struct spec_event *ev, struct span name,
		     const char *at, __u64 config)
{
	__u64 unknown = config & ~acrpmu_event_config_all();

	if (ev->given & SPEC_GIVEN_EVENT || ev->config_set & (EVENT_UMASK | config))
		return acrpmu_text_refuse(text, name.at, "event-twice",
					  "name one event between slashes; a group joins several",
					  "'%s' comes after the event was already given",
					  acrpmu_text_word(name).text);
	if (unknown)
		return acrpmu_text_refuse(text, at, "config-bits", CONFIG_HINT,
					  "bits 0x%llx of the code 0x%llx are not part of an event",
					  (unsigned long long)unknown, (unsigned long long)config);
	ev->pub.attr.config |= config;
	ev->config_set |= EVENT_UMASK | config;
	ev->given |= SPEC_GIVEN_EVENT | SPEC_GIVEN_WHOLE;
	return 0;
}

static int set_config(const struct text *text, struct spec_event *ev, const struct term *term,
		      struct span name, struct span value)
{
	__u64 config;
	int err;

	(void)term;
	err = get_number(text, name, value, &config);
	return err ? err : set_whole(text, ev, name, value.at, config);
}

static int set_extra(const struct text *text, struct spec_event *ev, const struct term *term,
		     struct span name, struct span value)
{
	int err;

	(void)term;
	if (ev->given & SPEC_NAMED_EXTRA)
		return acrpmu_text_refuse(text, name.at, "term-conflict",
					  "describe the event either way, not both",
					  "'%s' changes what the event's name already says",
					  acrpmu_text_word(name).text);
	err = give(text, ev, name, SPEC_GIVEN_EXTRA);
	if (err)
		return err;
	ev->pub.extra_column = acrpmu_text_column(text, name.at);
	return get_number(text, name, value, &ev->pub.attr.extra_value);
}

static int set_period(const struct text *text, struct spec_event *ev, const struct term *term,
		      struct span name, struct span value)
{
	int err = give(text, ev, name, SPEC_GIVEN_PERIOD);

	(void)term;
	if (err)
		return err;
	ev->pub.period_column = acrpmu_text_column(text, name.at);
	err = get_number(text, name, value, &ev->pub.attr.period);
	if (err)
		return err;
	if (!ev->pub.attr.period)
		return acrpmu_text_refuse(text, value.at, "period-zero",
					  "give the number of occurrences between two overflows",
					  "period=0 would never overflow");
	return 0;
}

static int set_mask(const struct text *text, struct spec_event *ev, const struct term *term,
		    struct span name, struct span value)
{
	int err = give(text, ev, name, SPEC_GIVEN_MASK);

	(void)term;
	if (err)
		return err;
	if (!ev->pub.mask_column)
		ev->pub.mask_column = acrpmu_text_column(text, name.at);
	return get_number(text, name, value, &ev->pub.attr.acr_mask);
}

/* Names are resolved when the group is complete. */
static int set_list(const struct text *text, struct span name, struct span value,
		    struct span *list)
{
	*list = value;
	if (value.at && value.len)
		return 0;
	acrpmu_text_refuse(text, name.at, "cause-name", "",
			   "the term '%s' needs events of the group", acrpmu_text_word(name).text);
	acrpmu_message_hint(text->message, "write %s=NAME, or several with a plus between them",
			    acrpmu_text_word(name).text);
	return -EINVAL;
}

static int set_causes(const struct text *text, struct spec_event *ev, const struct term *term,
		      struct span name, struct span value)
{
	int err = give(text, ev, name, SPEC_GIVEN_CAUSES);

	(void)term;
	if (err)
		return err;
	if (!ev->pub.mask_column)
		ev->pub.mask_column = acrpmu_text_column(text, name.at);
	return set_list(text, name, value, &ev->reloaded_by);
}

static int set_resets(const struct text *text, struct spec_event *ev, const struct term *term,
		      struct span name, struct span value)
{
	int err = give(text, ev, name, SPEC_GIVEN_RESETS);

	(void)term;
	return err ? err : set_list(text, name, value, &ev->resets);
}

static int set_cntrs(const struct text *text, struct spec_event *ev, const struct term *term,
		     struct span name, struct span value)
{
	__u64 all = acrpmu_constraint_cntrs_all(), *cntrs = &ev->pub.attr.allowed_cntrs;
	int err = give(text, ev, name, SPEC_GIVEN_CNTRS);

	(void)term;
	if (err)
		return err;
	ev->pub.cntrs_column = acrpmu_text_column(text, name.at);
	err = get_number(text, name, value, cntrs);
	if (err)
		return err;
	if (!*cntrs)
		return acrpmu_text_refuse(text, value.at, CODE_CNTRS,
					  "leave it out to allow all that can count the event",
					  "counters=0 allows no counter");
	if (!(*cntrs & ~all))
		return 0;
	acrpmu_text_refuse(text, value.at, CODE_CNTRS, "",
			   "bits 0x%llx of counters=%s stand for no counter",
			   (unsigned long long)(*cntrs & ~all), acrpmu_text_word(value).text);
	acrpmu_message_hint(text->message, "general-purpose counter n is bit n, fixed counter n "
			    "bit 32 + n: at most 0x%llx", (unsigned long long)all);
	return -EINVAL;
}

int acrpmu_term_cntrs(const struct text *text, struct spec_event *ev)
{
	__u64 given = ev->pub.attr.allowed_cntrs, table = ev->table_cntrs;

	if (!given || !table) {
		ev->pub.attr.allowed_cntrs |= table;
		return 0;
	}
	ev->pub.attr.allowed_cntrs &= table;
	if (ev->pub.attr.allowed_cntrs)
		return 0;
	acrpmu_text_refuse(text, text->start + ev->pub.cntrs_column - 1, CODE_CNTRS, "",
			   "the event's table has none of the counters 0x%llx",
			   (unsigned long long)given);
	acrpmu_message_hint(text->message, "it counts on 0x%llx: give some of these, or leave "
			    "counters= out", (unsigned long long)table);
	return -EINVAL;
}

static int refuse_ratio(const struct text *text, struct span value, size_t bad,
			enum decimal_error error)
{
	struct message_word v = acrpmu_text_word(value);
	const char *why, *code = "ratio-number";

	switch (error) {
	case DECIMAL_EMPTY:
		why = "has no number";
		break;
	case DECIMAL_SIGN:
		why = "has a sign";
		break;
	case DECIMAL_NOT_FINITE:
		why = "is not finite";
		break;
	case DECIMAL_EXPONENT:
		why = "has an exponent";
		break;
	case DECIMAL_LONG:
		why = "has more than 19 digits";
		code = "ratio-range";
		break;
	default:
		why = "is not a decimal number";
		break;
	}
	return acrpmu_text_refuse(text, value.at + bad, code,
				  "write digits, or digits, a point and digits, like 2 or 0.5",
				  "ratio-to-prev=%s %s", v.text, why);
}

static int set_ratio(const struct text *text, struct spec_event *ev, const struct term *term,
		     struct span name, struct span value)
{
	int err = give(text, ev, name, SPEC_GIVEN_RATIO);
	enum decimal_error error;
	size_t bad;

	(void)term;
	if (err)
		return err;
	if (!value.at)
		return acrpmu_text_refuse(text, name.at, "ratio-number",
					  "write ratio-to-prev=NUMBER, like 2 or 0.5",
					  "the term 'ratio-to-prev' needs a number");
	error = acrpmu_decimal_parse(value.at, value.len, &ev->ratio, &bad);
	/* perf refuses it, and these are perf's strings */
	if (!error && *value.at == '.') {
		error = DECIMAL_SYNTAX;
		bad = 0;
	}
	if (error)
		return refuse_ratio(text, value, bad, error);
	if (!ev->ratio.digits)
		return acrpmu_text_refuse(text, value.at, "ratio-zero",
					  "give a ratio above 0",
					  "ratio-to-prev=%s leaves no period",
					  acrpmu_text_word(value).text);
	/* the ratio decides the mask, and the period unless that is given */
	ev->pub.mask_column = acrpmu_text_column(text, name.at);
	if (!ev->pub.period_column)
		ev->pub.period_column = ev->pub.mask_column;
	ev->owned.ratio = strndup(value.at, value.len);
	return ev->owned.ratio ? 0 : -ENOMEM;
}

static int set_name(const struct text *text, struct spec_event *ev, const struct term *term,
		    struct span name, struct span value)
{
	int err = give(text, ev, name, SPEC_GIVEN_NAME);

	(void)term;
	if (err)
		return err;
	if (!value.at || !value.len)
		return acrpmu_text_refuse(text, name.at, "name", "write name=WORD or name='WORDS'",
					  "the term 'name' needs a name");
	if (value.len >= ACRPMU_NAME_LEN)
		return acrpmu_text_refuse(text, value.at, "name", "at most 127 bytes",
					  "the name '%s' is too long",
					  acrpmu_text_word(value).text);
	ev->owned.name = strndup(value.at, value.len);
	return ev->owned.name ? 0 : -ENOMEM;
}

/* ---- the terms ---------------------------------------------------------------------------- */

static const struct term terms[] = {
	{ "acr_mask", set_mask, 0 },
	{ "cmask", set_field, PERFEVTSEL_CMASK },
	{ "config", set_config, 0 },
	{ "config1", set_extra, 0 },
	{ "counters", set_cntrs, 0 },
	{ "edge", set_field, PERFEVTSEL_EDGE },
	{ "eq", set_field, PERFEVTSEL_EQ },
	{ "event", set_field, PERFEVTSEL_EVENT },
	{ "frontend", set_extra, 0 },
	{ "inv", set_field, PERFEVTSEL_INV },
	{ "name", set_name, 0 },
	{ "offcore_rsp", set_extra, 0 },
	{ "offmodule_rsp", set_extra, 0 },
	{ "period", set_period, 0 },
	{ "ratio-to-prev", set_ratio, 0 },
	{ "reloaded-by", set_causes, 0 },
	{ "resets", set_resets, 0 },
	{ "snoop_rsp", set_extra, 0 },
	{ "umask", set_field, PERFEVTSEL_UMASK },
	{ "umask2", set_field, PERFEVTSEL_UMASK2 },
};

/* Terms of perf that are not supported, with the remedy. */
static const struct {
	const char *name;
	const char *hint;
} refused_terms[] = {
	{ "any", "leave it out: the event counts for one hardware thread only" },
	{ "aux-action", "leave it out" },
	{ "aux-output", "leave it out" },
	{ "aux-sample-size", "leave it out" },
	{ "branch_type", "leave it out: samples carry no branch stack" },
	{ "call-graph", "acrctl record has the option -g, for all sampled events" },
	{ "config2", "masks of causes are given as acr_mask=" },
	{ "config3", "leave it out" },
	{ "config4", "leave it out" },
	{ "freq", "auto counter reload needs fixed periods: give period=N" },
	{ "in_tx", "leave it out" },
	{ "in_tx_cp", "leave it out" },
	{ "inherit", "acrctl record follows new tasks unless --no-inherit is given" },
	{ "ldlat", "leave it out: load latencies need PEBS, which acrpmu does not use" },
	{ "max-stack", "acrctl record has the option --max-stack, for all sampled events" },
	{ "no-inherit", "acrctl record has the option --no-inherit" },
	{ "no-overwrite", "leave it out" },
	{ "overwrite", "leave it out" },
	{ "pc", "leave it out" },
	{ "percore", "leave it out" },
	{ "stack-size", "leave it out: call chains follow frame pointers, no copy of the stack" },
	{ "time", "leave it out: samples always carry a time" },
};

static int refuse_term(const struct text *text, struct span name)
{
	struct message_word n = acrpmu_text_word(name);
	struct suggestion best = { NULL };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused_terms); i++) {
		if (acrpmu_text_is(name, refused_terms[i].name))
			return acrpmu_text_refuse(text, name.at, "term-unsupported",
						  refused_terms[i].hint,
						  "perf's term '%s' is not supported", n.text);
	}
	for (i = 0; i < ARRAY_SIZE(terms); i++)
		acrpmu_suggest_consider(&best, name.at, name.len, terms[i].name);
	acrpmu_resolve_suggest(text->events, &best, name);
	acrpmu_text_refuse(text, name.at, "unknown-term", "terms are acr_mask, cmask, config, "
			   "config1, counters, edge, eq, event, frontend, inv, name, "
			   "offcore_rsp, offmodule_rsp, period, ratio-to-prev, reloaded-by, "
			   "resets, snoop_rsp, umask, umask2 and event names",
			   "there is no term '%s'", n.text);
	if (best.word)
		acrpmu_message_hint(text->message, "did you mean '%s'?", best.word);
	else
		acrpmu_resolve_no_table(text, name);
	return -EINVAL;
}

int acrpmu_term_apply(const struct text *text, struct spec_event *ev, struct span name,
		      struct span value)
{
	bool found = false;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(terms); i++) {
		if (acrpmu_text_is(name, terms[i].name))
			return terms[i].apply(text, ev, &terms[i], name, value);
	}
	err = value.at ? 0 : acrpmu_term_event(text, ev, name, &found);
	if (err || found)
		return err;
	return refuse_term(text, name);
}

/* rNNN or r0xNNN; a word with other letters is left to be a name */
static bool raw_digits(struct span name, struct span *digits)
{
	size_t i;

	if (name.len < 2 || *name.at != RAW_PREFIX)
		return false;
	*digits = (struct span){ name.at + 1, name.len - 1 };
	if (digits->len > 2 && digits->at[0] == '0' && digits->at[1] == 'x')
		*digits = (struct span){ digits->at + 2, digits->len - 2 };
	for (i = 0; i < digits->len; i++) {
		if (!strchr("0123456789abcdefABCDEF", digits->at[i]))
			return false;
	}
	return true;
}

bool acrpmu_term_is_raw(struct span name)
{
	struct span digits;

	return raw_digits(name, &digits);
}

static int set_raw(const struct text *text, struct spec_event *ev, struct span name,
		   struct span digits)
{
	__u64 config;
	size_t bad;

	if (acrpmu_number_hex(digits.at, digits.len, &config, &bad))
		return acrpmu_text_refuse(text, name.at, "number-large",
					  "a raw event has at most 16 hexadecimal digits",
					  "the raw event '%s' needs more than 64 bits",
					  acrpmu_text_word(name).text);
	return set_whole(text, ev, name, name.at, config);
}

static int set_named(const struct text *text, struct spec_event *ev, struct span name, bool *found)
{
	struct acrpmu_named named;
	int err = acrpmu_resolve_name(text, ev->pub.pmu, name, &named, found);

	if (err || !*found)
		return err;
	err = set_whole(text, ev, name, name.at, named.config);
	if (named.flags & ACRPMU_NAMED_PEBS)
		ev->given |= SPEC_NEEDS_PEBS;
	ev->table_period = named.period;
	ev->table_cntrs = acrpmu_events_allowed(&text->events->caps, named.config, named.gp_cntrs);
	if (err || !named.extra_msr || named.flags & ACRPMU_NAMED_OPEN)
		return err;
	err = give(text, ev, name, SPEC_GIVEN_EXTRA);
	if (err)
		return err;
	ev->given |= SPEC_NAMED_EXTRA;
	ev->named_msr = named.extra_msr;
	ev->pub.extra_column = acrpmu_text_column(text, name.at);
	ev->pub.attr.extra_value = named.extra_value;
	return 0;
}

int acrpmu_term_event(const struct text *text, struct spec_event *ev, struct span name,
		      bool *found)
{
	struct span digits;
	__u64 config;
	int err;

	*found = true;
	if (acrpmu_perf_name_find(name.at, name.len, &config)) {
		err = acrpmu_resolve_check(text, name, config);
		if (!err)
			err = set_whole(text, ev, name, name.at, config);
	} else if (raw_digits(name, &digits)) {
		err = set_raw(text, ev, name, digits);
	} else {
		err = set_named(text, ev, name, found);
	}
	if (err || !*found)
		return err;
	ev->short_name = strndup(name.at, name.len);
	return ev->short_name ? 0 : -ENOMEM;
}
