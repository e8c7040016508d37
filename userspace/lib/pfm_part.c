// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parts of a name of libpfm behind the event: unit masks and modifiers, and what they make. */
#include "pfm_part.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../kmod/regs.h"
#include "../util/suggest.h"
#include "cpu_table.h"

#define RAW_UMASK_MAX		0xffULL
#define CMASK_MAX		(PERFEVTSEL_CMASK >> PERFEVTSEL_CMASK_SHIFT)

#define MODIFIERS_HINT		"modifiers are u, k, i, e and c=N"

static const char letters[NR_MODIFIERS] = "ukiec";

/* The next part, from the delimiter at *at on. */
bool acrpmu_pfm_next_part(const char **at, const char *end, struct pfm_part *part)
{
	const char *start = *at + 1, *equals = NULL;

	if (*at >= end)
		return false;
	for (*at = start; *at < end && !acrpmu_pfm_is_delimiter(**at); (*at)++) {
		if (**at == '=' && !equals)
			equals = *at;
	}
	*part = (struct pfm_part){ .name = { start, (equals ? equals : *at) - start } };
	if (equals)
		part->value = (struct span){ equals + 1, *at - equals - 1 };
	return true;
}

/* ---- refusals of parts -------------------------------------------------------------------- */

static void suggest_umask(const struct pfm_name *n, struct suggestion *best, struct span word)
{
	const struct pfm_row *row = NULL;

	while (n->row && (row = acrpmu_pfm_next_umask(n->row, row)))
		acrpmu_suggest_consider(best, word.at, word.len, row->name);
}

/* The unit masks, or where they are all listed. */
static void hint_umasks(const struct pfm_name *n)
{
	char list[ACRPMU_MESSAGE_LEN / 2] = "";
	const struct pfm_row *row = NULL;
	size_t len = 0;

	while (n->row && (row = acrpmu_pfm_next_umask(n->row, row))) {
		if (len + strlen(", ") + strlen(row->name) >= sizeof(list)) {
			acrpmu_message_hint(n->text->message, "'acrctl list %s" PREFIX_END "%s' "
					    "shows its unit masks; " MODIFIERS_HINT,
					    acrpmu_cpu_table_row(n->cpu)->short_name, n->row->name);
			return;
		}
		len += snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "", row->name);
	}
	if (len)
		acrpmu_message_hint(n->text->message, "unit masks are %s; " MODIFIERS_HINT, list);
	else
		acrpmu_message_hint(n->text->message, "the event has no unit masks; "
				    MODIFIERS_HINT);
}

int acrpmu_pfm_refuse_part(const struct pfm_name *n, const struct pfm_part *part)
{
	struct message_word word = acrpmu_text_word(part->name);
	struct message_word event = acrpmu_text_word(n->event);
	struct suggestion best = { NULL };

	if (acrpmu_pfm_same(part->name, "OUTSTANDING") && n->row &&
	    n->row->code == PFM_CONFIG_RSP_1)
		return acrpmu_text_refuse(n->text, part->name.at, CODE_ATTR,
					  "OFFCORE_RESPONSE_0 counts what is outstanding, "
					  "OFFCORE_RESPONSE_1 with ANY_RESPONSE the responses",
					  "'%s' has no unit mask 'OUTSTANDING'", event.text);
	if (!part->name.len)
		return acrpmu_text_refuse(n->text, part->name.at, CODE_ATTR,
					  "leave the colon or point before it out",
					  "a unit mask or modifier is missing after '%s'",
					  event.text);
	acrpmu_text_refuse(n->text, part->name.at, CODE_ATTR, "",
			   "'%s' has no unit mask or modifier '%s'", event.text, word.text);
	suggest_umask(n, &best, part->name);
	if (n->row && acrpmu_pfm_find_umask(n->row, part->name))
		acrpmu_message_hint(n->text->message, "write the unit mask %s without a value",
				    word.text);
	else if (acrpmu_pfm_same(part->name, "period") || acrpmu_pfm_same(part->name, "freq"))
		acrpmu_message_hint(n->text->message, "write terms between slashes behind the "
				    "name: /period=N/");
	else if (best.word)
		acrpmu_message_hint(n->text->message, "did you mean '%s'?", best.word);
	else
		hint_umasks(n);
	return -EINVAL;
}

static int refuse_value(const struct pfm_name *n, const struct pfm_part *part, const char *hint)
{
	const char *at = part->value.at ? part->value.at : part->name.at;
	struct message_word word = acrpmu_text_word(part->name);

	if (!part->value.at || !part->value.len)
		return acrpmu_text_refuse(n->text, at, CODE_VALUE, hint, "'%s' has no value",
					  word.text);
	return acrpmu_text_refuse(n->text, at, CODE_VALUE, hint, "'%s' is no value of '%s'",
				  acrpmu_text_word(part->value).text, word.text);
}

/* ---- parts -------------------------------------------------------------------------------- */

static void set_fault(struct pfm_name *n, enum pfm_fault fault, struct span part)
{
	if (n->fault)
		return;
	n->fault = fault;
	n->fault_part = part;
}

/* A number as strtoull() reads it with base 0, which is libpfm's way: 010 is eight. */
static bool read_number(struct span span, __u64 *number)
{
	char *end;

	if (!span.len)
		return false;
	*number = strtoull(span.at, &end, 0);
	return end == span.at + span.len;
}

static bool read_bool(struct span span, __u64 *value)
{
	if (span.len != 1)
		return false;
	*value = !!strchr("1yYtT", *span.at);
	return *value || strchr("0nNfF", *span.at);
}

/* Returns the modifier's index, or NR_MODIFIERS. */
unsigned int acrpmu_pfm_find_modifier(const struct pfm_name *n, struct span word)
{
	bool levels = n->row && n->row->flags & PFM_LEVELS;
	const char *letter;

	if (word.len != 1)
		return NR_MODIFIERS;
	letter = memchr(letters, tolower((unsigned char)*word.at),
			levels ? KERNEL + 1 : NR_MODIFIERS);
	return letter ? letter - letters : NR_MODIFIERS;
}

int acrpmu_pfm_read_modifier(struct pfm_name *n, unsigned int i, const struct pfm_part *part)
{
	struct pfm_modifier *m = &n->modifiers[i];
	__u64 value = 1;

	if (i == CMASK) {
		if (!part->value.at || !read_number(part->value, &value))
			return refuse_value(n, part, "write c=N with N from 0 to 255");
		/* a negative number must not wrap around into the range */
		if (value > CMASK_MAX || (value && *part->value.at == '-'))
			set_fault(n, FAULT_CMASK, part->value);
	} else if (part->value.at && !read_bool(part->value, &value)) {
		return refuse_value(n, part, "write the letter alone, or with =1 or =0");
	}
	if (m->at && m->value != value && !n->set_twice)
		n->set_twice = part->name.at;
	if (!m->at)
		*m = (struct pfm_modifier){ part->name.at, value };
	return 0;
}

/* Bits that unit masks of an offcore event may have: OUTSTANDING too, where the register has it. */
static __u64 raw_max(const struct pfm_row *event)
{
	if (!(event->flags & PFM_OFFCORE))
		return RAW_UMASK_MAX;
	return event->code == PFM_CONFIG_RSP_0 ? PFM_OUTSTANDING * 2 - 1 : PFM_OUTSTANDING - 1;
}

static int refuse_mixed(const struct pfm_name *n, struct span part)
{
	return acrpmu_text_refuse(n->text, part.at, CODE_ATTR,
				  "give one number for all, or names only",
				  "a unit mask given as a number excludes any other");
}

static int read_raw(struct pfm_name *n, const struct pfm_part *part)
{
	if (n->raw.at || n->umask_given)
		return refuse_mixed(n, part->name);
	if (!read_number(part->name, &n->raw_value))
		return acrpmu_text_refuse(n->text, part->name.at, CODE_ATTR,
					  "write hexadecimal digits behind 0x",
					  "'%s' is not a number",
					  acrpmu_text_word(part->name).text);
	if (part->value.at)
		return refuse_value(n, part, "write the unit mask without a value");
	n->raw = part->name;
	if (n->raw_value > raw_max(n->row))
		set_fault(n, FAULT_WIDE, part->name);
	return 0;
}

/* Unit masks of one category of an offcore event; different ones are checked at the end. */
static void add_bits(struct pfm_name *n, const struct pfm_row *umask, struct span part)
{
	__u64 requests, responses;

	n->bits |= umask->code;
	requests = n->bits & PFM_REQUESTS;
	responses = n->bits & (PFM_ANY_RESPONSE | PFM_L2_HIT);
	if (requests & PFM_ANY_REQUEST && requests != PFM_ANY_REQUEST)
		set_fault(n, FAULT_REQUESTS, part);
	if (responses & PFM_ANY_RESPONSE && responses != PFM_ANY_RESPONSE)
		set_fault(n, FAULT_RESPONSES, part);
}

static int add_umask(struct pfm_name *n, const struct pfm_row *umask, struct span part)
{
	if (n->raw.at)
		return refuse_mixed(n, part);
	n->umask_given = true;
	if (n->row->flags & PFM_OFFCORE)
		add_bits(n, umask, part);
	else if (n->umask && n->umask != umask)
		set_fault(n, FAULT_UMASKS, part);
	else
		n->umask = umask;
	return 0;
}

static int read_part(struct pfm_name *n, const struct pfm_part *part)
{
	const struct pfm_row *umask = NULL;
	unsigned int i;

	if (part->name.len >= 2 && !strncasecmp(part->name.at, RAW_PREFIX, 2))
		return read_raw(n, part);
	if (!part->value.at)
		umask = acrpmu_pfm_find_umask(n->row, part->name);
	if (umask)
		return add_umask(n, umask, part->name);
	i = acrpmu_pfm_find_modifier(n, part->name);
	return i < NR_MODIFIERS ? acrpmu_pfm_read_modifier(n, i, part) :
				  acrpmu_pfm_refuse_part(n, part);
}

int acrpmu_pfm_read_parts(struct pfm_name *n)
{
	const char *at = n->event.at + n->event.len;
	struct pfm_part part;
	int err = 0;

	if (n->row->flags & PFM_PRESET)
		n->umask = acrpmu_pfm_default_umask(n->row);
	while (!err && acrpmu_pfm_next_part(&at, n->end, &part))
		err = read_part(n, &part);
	return err;
}

/* ---- the whole name ----------------------------------------------------------------------- */

static int refuse_fault(const struct pfm_name *n)
{
	const char *at = n->fault_part.at;
	struct message_word word = acrpmu_text_word(n->fault_part);

	switch (n->fault) {
	case FAULT_REQUESTS:
		return acrpmu_text_refuse(n->text, at, CODE_COMBINATION,
					  "leave ANY_REQUEST out, or all other requests",
					  "'%s': ANY_REQUEST excludes other requests", word.text);
	case FAULT_RESPONSES:
		return acrpmu_text_refuse(n->text, at, CODE_COMBINATION,
					  "leave ANY_RESPONSE out, or L2_HIT and all snoops",
					  "'%s': ANY_RESPONSE excludes suppliers and snoops",
					  word.text);
	case FAULT_WIDE:
		return acrpmu_text_refuse(n->text, at, CODE_ATTR,
					  n->row->flags & PFM_OFFCORE ?
					  "bits go up to 37, with OFFCORE_RESPONSE_0 up to 38" :
					  "a unit mask has 8 bits: up to 0xff",
					  "the unit mask '%s' is too large", word.text);
	case FAULT_CMASK:
		return acrpmu_text_refuse(n->text, at, CODE_VALUE, "N of c=N is 0 to 255",
					  "'%s' is no value of 'c'", word.text);
	default:
		return acrpmu_text_refuse(n->text, at, CODE_COMBINATION,
					  "give one of them; another event counts the other",
					  "'%s' takes one unit mask, '%s' is another one",
					  acrpmu_text_word(n->event).text, word.text);
	}
}

/* The part that added some of the bits. */
static struct span part_with(const struct pfm_name *n, __u64 bits)
{
	const char *at = n->event.at + n->event.len;
	const struct pfm_row *umask;
	struct pfm_part part;

	while (acrpmu_pfm_next_part(&at, n->end, &part)) {
		umask = acrpmu_pfm_find_umask(n->row, part.name);
		if (umask && umask->code & bits)
			return part.name;
	}
	return n->event;
}

/* ANY_RESPONSE overrides suppliers and snoops; OUTSTANDING replaces all responses. */
static int check_categories(const struct pfm_name *n)
{
	__u64 responses = PFM_ANY_RESPONSE | PFM_L2_HIT | PFM_SNOOPS;
	struct span part;

	if (n->bits & PFM_OUTSTANDING && n->bits & responses) {
		part = part_with(n, responses);
		return acrpmu_text_refuse(n->text, part.at, CODE_COMBINATION,
					  "beside OUTSTANDING give requests only",
					  "'%s': OUTSTANDING excludes any response",
					  acrpmu_text_word(part).text);
	}
	if (n->bits & PFM_ANY_RESPONSE && n->bits & PFM_SNOOPS) {
		part = part_with(n, PFM_SNOOPS);
		return acrpmu_text_refuse(n->text, part.at, CODE_COMBINATION,
					  "leave ANY_RESPONSE out, or L2_HIT and all snoops",
					  "'%s': ANY_RESPONSE excludes suppliers and snoops",
					  acrpmu_text_word(part).text);
	}
	return 0;
}

/* @config: the event's own config word. */
int acrpmu_pfm_check_modifiers(const struct pfm_name *n, __u64 config)
{
	const struct pfm_modifier *m = n->modifiers;

	if (m[EDGE].value && !m[CMASK].value && !(config & PERFEVTSEL_CMASK))
		return acrpmu_text_refuse(n->text, m[EDGE].at, CODE_ATTR,
					  "add c=1 or more: it counts how often so many happen at "
					  "once", "the modifier 'e' needs 'c' of at least 1");
	if ((m[USER].at || m[KERNEL].at) && !m[USER].value && !m[KERNEL].value)
		return acrpmu_text_refuse(n->text, m[USER].at ? m[USER].at : m[KERNEL].at,
					  CODE_LEVELS, "leave them out to count both levels, or "
					  "give u or k",
					  "at neither user nor kernel level it counts nothing");
	return 0;
}

static int check_umask(struct pfm_name *n)
{
	if (n->raw.at || n->row->flags & (PFM_OFFCORE | PFM_BARE))
		return 0;
	if (!n->umask)
		n->umask = acrpmu_pfm_default_umask(n->row);
	if (n->umask)
		return 0;
	acrpmu_text_refuse(n->text, n->event.at, CODE_UMASK, "", "'%s' needs a unit mask",
			   acrpmu_text_word(n->event).text);
	hint_umasks(n);
	return -EINVAL;
}

/* In libpfm's order, so that of several mistakes both report the same one. */
int acrpmu_pfm_check_parts(struct pfm_name *n)
{
	int err;

	if (n->set_twice)
		return acrpmu_text_refuse(n->text, n->set_twice, CODE_SET, "leave one of them out",
					  "the modifier '%c' is given twice with different values",
					  *n->set_twice);
	if (n->fault)
		return refuse_fault(n);
	err = check_umask(n);
	if (!err)
		err = check_categories(n);
	return err ? err : acrpmu_pfm_check_modifiers(n, 0);
}

/* What was left out: any request; any response, or any snoop where a supplier is named. */
static __u64 offcore_value(const struct pfm_name *n)
{
	__u64 value = n->bits;

	if (n->raw.at)
		return n->raw_value;
	if (!(value & PFM_REQUESTS))
		value |= PFM_ANY_REQUEST;
	if (value & (PFM_OUTSTANDING | PFM_ANY_RESPONSE | PFM_SNOOPS))
		return value;
	return value | (value & PFM_L2_HIT ? PFM_SNOOPS : PFM_ANY_RESPONSE);
}

void acrpmu_pfm_get_code(const struct pfm_name *n, struct pfm_code *code)
{
	*code = (struct pfm_code){ .config = n->row->code };
	if (n->row->flags & PFM_OFFCORE) {
		code->extra = offcore_value(n);
		code->has_extra = true;
	} else if (n->raw.at) {
		code->config |= n->raw_value << PERFEVTSEL_UMASK_SHIFT;
	} else if (n->umask) {
		code->config |= n->umask->code;
	}
}
