// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events by libpfm's names: "glm::EVENT:UMASK:u:k:i:e:c=2". */
#include "pfm_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../kmod/core/model.h"
#include "../../kmod/regs.h"
#include "perf_name.h"
#include "event_term.h"
#include "pfm_glm.h"
#include "../util/suggest.h"

/* Words of messages; each but the last two is an error of libpfm. */
#define CODE_NOT_FOUND		"pfm-notfound"
#define CODE_COMBINATION	"pfm-featcomb"
#define CODE_UMASK		"pfm-umask"
#define CODE_ATTR		"pfm-attr"
#define CODE_VALUE		"pfm-attr-val"
#define CODE_SET		"pfm-attr-set"
#define CODE_LEVELS		"pfm-levels"

#define PREFIX_END		"::"
#define CPU_GLM			"goldmont"
#define CPU_GLP			"goldmontplus"

#define RAW_PREFIX		"0x"
#define RAW_UMASK_MAX		0xffULL
#define CMASK_MAX		(PERFEVTSEL_CMASK >> PERFEVTSEL_CMASK_SHIFT)
#define CONFIG_RSP_0		0x01b7
#define CONFIG_RSP_1		0x02b7
#define EVENT_UMASK		(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

#define LEVELS			(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)

#define MODIFIERS_HINT		"modifiers are u, k, i, e and c=N"

/* One part of a name after the event: a unit mask or a modifier, value.at NULL without "=". */
struct part {
	struct span name;
	struct span value;
};

/* Modifiers in the order of the letters below. */
enum { USER, KERNEL, INVERT, EDGE, CMASK, NR_MODIFIERS };

struct modifier {
	const char *at;		/* NULL: not given */
	__u64 value;
};

/* A combination that cannot be, or a value that is too large: told after all parts are read. */
enum fault { NO_FAULT, FAULT_UMASKS, FAULT_REQUESTS, FAULT_RESPONSES, FAULT_WIDE, FAULT_CMASK };

/* A name while it is read. */
struct name {
	const struct text *text;
	struct span prefix;		/* at NULL: none */
	struct span event;
	const char *end;		/* of the whole */
	const struct acrpmu_model *cpu;
	const struct pfm_row *row;	/* NULL: not an event of libpfm */
	const struct pfm_row *umask;	/* without PFM_OFFCORE */
	bool umask_given;
	__u64 bits;			/* with PFM_OFFCORE */
	struct span raw;		/* at NULL: none */
	__u64 raw_value;
	struct modifier modifiers[NR_MODIFIERS];
	const char *set_twice;
	enum fault fault;
	struct span fault_part;
};

static const char letters[NR_MODIFIERS] = "ukiec";

/* ---- words -------------------------------------------------------------------------------- */

static bool same(struct span span, const char *word)
{
	return span.len == strlen(word) && !strncasecmp(span.at, word, span.len);
}

static bool is_name_char(const char *start, const char *at)
{
	if (isalnum((unsigned char)*at) || *at == '_' || *at == '-')
		return true;
	/* "c=+2" is a number to libpfm; elsewhere a plus joins two events */
	return *at == '+' && at > start && at[-1] == '=';
}

static bool is_delimiter(char c)
{
	return c == ':' || c == '.';
}

static const char *name_end(const char *start)
{
	const char *at = start;

	while (is_name_char(start, at) || is_delimiter(*at) || *at == '=')
		at++;
	return at;
}

/* The CPU or the event: up to a delimiter. */
static struct span first_word(const char *start, const char *end)
{
	struct span word = { start, 0 };

	while (start + word.len < end && !is_delimiter(start[word.len]))
		word.len++;
	return word;
}

/* The next part, from the delimiter at *at on. */
static bool next_part(const char **at, const char *end, struct part *part)
{
	const char *start = *at + 1, *equals;

	if (*at >= end)
		return false;
	*at = start;
	while (*at < end && !is_delimiter(**at))
		(*at)++;
	equals = memchr(start, '=', *at - start);
	*part = (struct part){ .name = { start, (equals ? equals : *at) - start } };
	if (equals)
		part->value = (struct span){ equals + 1, *at - equals - 1 };
	return true;
}

static const struct pfm_row *next_row(const struct pfm_row *row)
{
	return row + 1 < pfm_glm_rows + pfm_glm_nr_rows ? row + 1 : NULL;
}

static const struct pfm_row *find_event(struct span word)
{
	const struct pfm_row *row;

	for (row = pfm_glm_rows; row; row = next_row(row)) {
		if (!(row->flags & PFM_UMASK) && same(word, row->name))
			return row;
	}
	return NULL;
}

bool acrpmu_pfm_is_event(struct span word)
{
	return find_event(word);
}

/* The first unit mask of an event, or the next one after a unit mask; NULL after the last. */
static const struct pfm_row *next_umask(const struct pfm_row *event, const struct pfm_row *row)
{
	if (event->flags & PFM_BARE)
		return NULL;
	if (row) {
		row = next_row(row);
	} else {
		for (row = event; row && !(row->flags & PFM_UMASK); row = next_row(row))
			;
	}
	if (!row || !(row->flags & PFM_UMASK))
		return NULL;
	/* the last of those that the two events share is of the first one only */
	if (event->code == CONFIG_RSP_1 && row->code == PFM_OUTSTANDING)
		return NULL;
	return row;
}

static const struct pfm_row *find_umask(const struct pfm_row *event, struct span word)
{
	const struct pfm_row *row = NULL;

	while ((row = next_umask(event, row))) {
		if (same(word, row->name))
			return row;
	}
	return NULL;
}

static const struct pfm_row *default_umask(const struct pfm_row *event)
{
	const struct pfm_row *row = NULL;

	while ((row = next_umask(event, row))) {
		if (row->flags & PFM_DEFAULT)
			return row;
	}
	return NULL;
}

static const struct acrpmu_model *find_cpu(const char *at, size_t len)
{
	char word[32];
	size_t i;

	if (!len || len >= sizeof(word))
		return NULL;
	for (i = 0; i < len; i++)
		word[i] = tolower((unsigned char)at[i]);
	word[len] = 0;
	return acrpmu_model_by_name(word);
}

static bool cpu_is(const struct name *n, const char *cpu)
{
	return !strcmp(n->cpu->name, cpu);
}

static bool has_rows(const struct acrpmu_model *cpu)
{
	return !strcmp(cpu->name, CPU_GLM) || !strcmp(cpu->name, CPU_GLP);
}

/* ---- one after another -------------------------------------------------------------------- */

static enum acrpmu_pfm_category category_of(const struct pfm_row *event,
					    const struct pfm_row *umask)
{
	if (!umask)
		return ACRPMU_PFM_NONE;
	if (!(event->flags & PFM_OFFCORE))
		return ACRPMU_PFM_PLAIN;
	if (umask->code & PFM_REQUESTS)
		return ACRPMU_PFM_REQUEST;
	if (umask->code & PFM_SNOOPS)
		return ACRPMU_PFM_SNOOP;
	return umask->code & PFM_OUTSTANDING ? ACRPMU_PFM_LATENCY : ACRPMU_PFM_RESPONSE;
}

/* Of several names of one default the first. */
static bool is_standard(const struct pfm_row *event, const struct pfm_row *umask)
{
	if (!umask || !(event->flags & PFM_OFFCORE))
		return umask && umask->flags & PFM_DEFAULT;
	return !strcmp(umask->name, "ANY_REQUEST") || !strcmp(umask->name, "ANY_RESPONSE") ||
	       !strcmp(umask->name, "L2_MISS_SNP_ANY");
}

static void fill_pfm_event(const struct pfm_row *event, const struct pfm_row *umask,
			   struct acrpmu_pfm_event *pfm)
{
	pfm->event = event->name;
	pfm->umask = umask ? umask->name : "";
	pfm->category = category_of(event, umask);
	pfm->standard = is_standard(event, umask);
	pfm->bits = event->flags & PFM_OFFCORE ? umask->code : 0;
}

static bool has_row(const struct acrpmu_model *cpu, const struct pfm_row *row)
{
	return has_rows(cpu) && !(row->flags & PFM_UMASK) &&
	       (!strcmp(cpu->name, CPU_GLM) || !(row->flags & PFM_GLM_ONLY));
}

bool acrpmu_pfm_get(const char *cpu, unsigned int nr, struct acrpmu_pfm_event *pfm)
{
	const struct acrpmu_model *model = acrpmu_model_by_name(cpu);
	const struct pfm_row *row, *umask;

	for (row = pfm_glm_rows; model && row; row = next_row(row)) {
		if (!has_row(model, row))
			continue;
		umask = row->flags & PFM_PRESET ? NULL : next_umask(row, NULL);
		do {
			if (!nr--) {
				fill_pfm_event(row, umask, pfm);
				return true;
			}
			umask = umask ? next_umask(row, umask) : NULL;
		} while (umask);
	}
	return false;
}

/* ---- refusals of parts -------------------------------------------------------------------- */

static void suggest_umask(const struct name *n, struct suggestion *best, struct span word)
{
	const struct pfm_row *row = NULL;

	while (n->row && (row = next_umask(n->row, row)))
		acrpmu_suggest_consider(best, word.at, word.len, row->name);
}

/* The unit masks, or where they are all listed. */
static void hint_umasks(const struct name *n)
{
	char list[ACRPMU_MESSAGE_LEN / 2] = "";
	const struct pfm_row *row = NULL;
	size_t len = 0;

	while (n->row && (row = next_umask(n->row, row))) {
		if (len + strlen(", ") + strlen(row->name) >= sizeof(list)) {
			acrpmu_message_hint(n->text->message, "'acrctl list %s" PREFIX_END "%s' "
					    "shows its unit masks; " MODIFIERS_HINT,
					    n->cpu->short_name, n->row->name);
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

static int refuse_part(const struct name *n, const struct part *part)
{
	struct message_word word = acrpmu_text_word(part->name);
	struct message_word event = acrpmu_text_word(n->event);
	struct suggestion best = { NULL };

	if (same(part->name, "OUTSTANDING") && n->row && n->row->code == CONFIG_RSP_1)
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
	if (n->row && find_umask(n->row, part->name))
		acrpmu_message_hint(n->text->message, "write the unit mask %s without a value",
				    word.text);
	else if (same(part->name, "period") || same(part->name, "freq"))
		acrpmu_message_hint(n->text->message, "write terms between slashes behind the "
				    "name: /period=N/");
	else if (best.word)
		acrpmu_message_hint(n->text->message, "did you mean '%s'?", best.word);
	else
		hint_umasks(n);
	return -EINVAL;
}

static int refuse_value(const struct name *n, const struct part *part, const char *hint)
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

static void set_fault(struct name *n, enum fault fault, struct span part)
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
static unsigned int find_modifier(const struct name *n, struct span word)
{
	unsigned int i, nr = NR_MODIFIERS;

	if (n->row && n->row->flags & PFM_LEVELS)
		nr = KERNEL + 1;
	for (i = 0; i < nr && word.len == 1; i++) {
		if (letters[i] == tolower((unsigned char)*word.at))
			return i;
	}
	return NR_MODIFIERS;
}

static int read_modifier(struct name *n, unsigned int i, const struct part *part)
{
	struct modifier *m = &n->modifiers[i];
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
		*m = (struct modifier){ part->name.at, value };
	return 0;
}

/* Bits that unit masks of an offcore event may have: OUTSTANDING too, where the register has it. */
static __u64 raw_max(const struct pfm_row *event)
{
	if (!(event->flags & PFM_OFFCORE))
		return RAW_UMASK_MAX;
	return event->code == CONFIG_RSP_0 ? PFM_OUTSTANDING * 2 - 1 : PFM_OUTSTANDING - 1;
}

static int refuse_mixed(const struct name *n, struct span part)
{
	return acrpmu_text_refuse(n->text, part.at, CODE_ATTR,
				  "give one number for all, or names only",
				  "a unit mask given as a number excludes any other");
}

static int read_raw(struct name *n, const struct part *part)
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
static void add_bits(struct name *n, const struct pfm_row *umask, struct span part)
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

static int add_umask(struct name *n, const struct pfm_row *umask, struct span part)
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

static int read_part(struct name *n, const struct part *part)
{
	const struct pfm_row *umask = NULL;
	unsigned int i;

	if (part->name.len >= 2 && !strncasecmp(part->name.at, RAW_PREFIX, 2))
		return read_raw(n, part);
	if (!part->value.at)
		umask = find_umask(n->row, part->name);
	if (umask)
		return add_umask(n, umask, part->name);
	i = find_modifier(n, part->name);
	return i < NR_MODIFIERS ? read_modifier(n, i, part) : refuse_part(n, part);
}

static int read_parts(struct name *n)
{
	const char *at = n->event.at + n->event.len;
	struct part part;
	int err = 0;

	if (n->row->flags & PFM_PRESET)
		n->umask = default_umask(n->row);
	while (!err && next_part(&at, n->end, &part))
		err = read_part(n, &part);
	return err;
}

/* ---- the whole name ----------------------------------------------------------------------- */

static int refuse_fault(const struct name *n)
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
static struct span part_with(const struct name *n, __u64 bits)
{
	const char *at = n->event.at + n->event.len;
	const struct pfm_row *umask;
	struct part part;

	while (next_part(&at, n->end, &part)) {
		umask = find_umask(n->row, part.name);
		if (umask && umask->code & bits)
			return part.name;
	}
	return n->event;
}

/* ANY_RESPONSE overrides suppliers and snoops; OUTSTANDING replaces all responses. */
static int check_categories(const struct name *n)
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

/* @config: what the event has by itself. */
static int check_modifiers(const struct name *n, __u64 config)
{
	const struct modifier *m = n->modifiers;

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

static int check_umask(struct name *n)
{
	if (n->raw.at || n->row->flags & (PFM_OFFCORE | PFM_BARE))
		return 0;
	if (!n->umask)
		n->umask = default_umask(n->row);
	if (n->umask)
		return 0;
	acrpmu_text_refuse(n->text, n->event.at, CODE_UMASK, "", "'%s' needs a unit mask",
			   acrpmu_text_word(n->event).text);
	hint_umasks(n);
	return -EINVAL;
}

/* In libpfm's order, so that of several mistakes the same one is told. */
static int check_name(struct name *n)
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
	return err ? err : check_modifiers(n, 0);
}

/* What was left out: any request; any response, or any snoop where a supplier is named. */
static __u64 offcore_value(const struct name *n)
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

static void get_code(const struct name *n, struct pfm_code *code)
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

/* ---- names of other CPUs ------------------------------------------------------------------ */

static int refuse_event(const struct name *n, struct span event, const struct pfm_tables *tables)
{
	const struct pfm_row *other = has_rows(n->cpu) ? find_event(n->event) : NULL, *row;
	struct suggestion best = { NULL };

	for (row = pfm_glm_rows; row; row = next_row(row)) {
		if (has_row(n->cpu, row))
			acrpmu_suggest_consider(&best, event.at, event.len, row->name);
	}
	acrpmu_text_refuse(n->text, event.at, CODE_NOT_FOUND, "",
			   "%s has no event '%s'", n->cpu->name, acrpmu_text_word(event).text);
	if (other && !has_row(n->cpu, other))
		acrpmu_message_hint(n->text->message, "only Goldmont has it; 'acrctl list %s"
				    PREFIX_END "' shows the events of this CPU",
				    n->cpu->short_name);
	else if (best.word)
		acrpmu_message_hint(n->text->message, "did you mean '%s'?", best.word);
	else if (has_rows(n->cpu))
		acrpmu_message_hint(n->text->message, "'acrctl list %s" PREFIX_END "' shows its "
				    "events", n->cpu->short_name);
	else if (tables && tables->find)
		acrpmu_message_hint(n->text->message, "'acrctl list --pmu %s' shows its events",
				    n->cpu->name);
	else
		acrpmu_message_hint(n->text->message, "there is no table of its events: write "
				    "cpu/event=N,umask=N/");
	return -EINVAL;
}

/* A modifier that the event has by itself may be repeated, but not changed. */
static int check_wired(const struct name *n, __u64 config)
{
	static const struct {
		unsigned int modifier;
		__u64 field;
	} fields[] = {
		{ INVERT, PERFEVTSEL_INV }, { EDGE, PERFEVTSEL_EDGE }, { CMASK, PERFEVTSEL_CMASK },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct modifier *m = &n->modifiers[fields[i].modifier];
		__u64 wired = (config & fields[i].field) >> __ffs64(fields[i].field);

		if (m->at && wired && wired != m->value)
			return acrpmu_text_refuse(n->text, m->at, CODE_SET, "leave it out",
						  "the event has another value of the modifier "
						  "'%c' by itself", *m->at);
	}
	return 0;
}

/* "EVENT:UMASK" is EVENT.UMASK in the tables; modifiers are taken out. */
static int read_other(struct name *n, const struct pfm_tables *tables, struct pfm_code *code)
{
	const char *at = n->event.at + n->event.len;
	char word[ACRPMU_NAME_LEN];
	struct part part;
	int len, err = 0;

	len = snprintf(word, sizeof(word), "%.*s", (int)n->event.len, n->event.at);
	while (!err && next_part(&at, n->end, &part)) {
		unsigned int i = find_modifier(n, part.name);

		if (i < NR_MODIFIERS)
			err = read_modifier(n, i, &part);
		else if (part.value.at || !part.name.len)
			err = refuse_part(n, &part);
		else if (len < (int)sizeof(word))
			len += snprintf(word + len, sizeof(word) - len, ".%.*s",
					(int)part.name.len, part.name.at);
	}
	if (err)
		return err;
	if (n->set_twice || n->fault)
		return check_name(n);
	if (len >= (int)sizeof(word) || !tables || !tables->find ||
	    !tables->find(tables->arg, n->cpu->name, word, len, code))
		return refuse_event(n, (struct span){ n->event.at, n->end - n->event.at }, tables);
	err = check_wired(n, code->config);
	return err ? err : check_modifiers(n, code->config);
}

/* Whether libpfm's names say what the event is; Goldmont Plus has tables for the others. */
static bool is_known(const struct name *n, const struct pfm_tables *tables)
{
	const char *at = n->event.at + n->event.len;
	struct part part;

	if (!n->row || !has_rows(n->cpu))
		return false;
	if (cpu_is(n, CPU_GLM) || !tables || !tables->find)
		return cpu_is(n, CPU_GLM) || !(n->row->flags & PFM_GLM_ONLY);
	while (next_part(&at, n->end, &part)) {
		if (!find_umask(n->row, part.name) && find_modifier(n, part.name) == NR_MODIFIERS &&
		    strncasecmp(part.name.at, RAW_PREFIX, strlen(RAW_PREFIX)))
			return false;
	}
	return !(n->row->flags & PFM_GLM_ONLY);
}

/* ---- the event ---------------------------------------------------------------------------- */

/* The name without its modifiers. */
static char *short_name(const struct name *n)
{
	const char *start = n->prefix.at ? n->prefix.at : n->event.at;
	const char *at = n->event.at + n->event.len, *from = at;
	char *name = malloc(n->end - start + 1), *to;
	struct part part;

	if (!name)
		return NULL;
	to = mempcpy(name, start, at - start);
	for (; next_part(&at, n->end, &part); from = at) {
		if (find_modifier(n, part.name) == NR_MODIFIERS)
			to = mempcpy(to, from, at - from);
	}
	*to = 0;
	return name;
}

static void set_bit_of(struct spec_event *ev, const struct modifier *m, __u64 field, __u64 value)
{
	if (!m->at)
		return;
	ev->config_set |= field;
	ev->modified_config |= value;
	ev->pub.attr.config = (ev->pub.attr.config & ~field) | value;
}

static int fill_event(const struct name *n, const struct pfm_code *code, struct spec_event *ev)
{
	const struct modifier *m = n->modifiers;
	const char *start = n->prefix.at ? n->prefix.at : n->event.at;

	ev->pub.attr.config = code->config;
	ev->config_set = EVENT_UMASK | code->config;
	ev->given |= SPEC_GIVEN_EVENT | SPEC_GIVEN_WHOLE;
	if (code->has_extra) {
		ev->pub.attr.extra_value = code->extra;
		ev->pub.extra_column = acrpmu_text_column(n->text, start);
		ev->given |= SPEC_GIVEN_EXTRA;
	}
	set_bit_of(ev, &m[INVERT], PERFEVTSEL_INV, m[INVERT].value ? PERFEVTSEL_INV : 0);
	set_bit_of(ev, &m[EDGE], PERFEVTSEL_EDGE, m[EDGE].value ? PERFEVTSEL_EDGE : 0);
	set_bit_of(ev, &m[CMASK], PERFEVTSEL_CMASK, m[CMASK].value << PERFEVTSEL_CMASK_SHIFT);
	ev->levels = (m[USER].value ? ACRPMU_EVENT_USER : 0) |
		     (m[KERNEL].value ? ACRPMU_EVENT_KERNEL : 0);
	ev->pub.cpu = n->cpu->name;
	ev->short_name = short_name(n);
	if (!ev->short_name)
		return -ENOMEM;
	/* none to add, but the words that show them are made there */
	return acrpmu_term_modifiers(n->text, ev, 1, false, (struct span){ n->end, 0 });
}

static int refuse_cpu(const struct name *n)
{
	struct suggestion best = { NULL };
	const struct acrpmu_model *cpu = NULL;

	while ((cpu = acrpmu_model_next(cpu))) {
		acrpmu_suggest_consider(&best, n->prefix.at, n->prefix.len, cpu->name);
		if (cpu->short_name)
			acrpmu_suggest_consider(&best, n->prefix.at, n->prefix.len,
						cpu->short_name);
	}
	acrpmu_text_refuse(n->text, n->prefix.at, CODE_NOT_FOUND,
			   "write the CPU's name or short name before the two colons, like glm::",
			   "there is no CPU '%s'", acrpmu_text_word(n->prefix).text);
	if (best.word)
		acrpmu_message_hint(n->text->message, "did you mean '%s" PREFIX_END "'?",
				    best.word);
	return -EINVAL;
}

static int check_forced(const struct name *n, const struct acrpmu_model *forced)
{
	if (!forced || forced == n->cpu)
		return 0;
	acrpmu_text_refuse(n->text, n->prefix.at, "other-cpu", "",
			   "'%s' names an event of %s, but the CPU is %s",
			   acrpmu_text_word(n->prefix).text, n->cpu->name, forced->name);
	acrpmu_message_hint(n->text->message, "take an event of %s; 'acrctl encode --pmu %s' shows "
			    "this one on any machine", forced->name, n->cpu->name);
	return -EINVAL;
}

/* Split off the prefix and choose the CPU; returns false if it is no such name at all. */
static bool read_start(struct name *n, const char *start, const struct acrpmu_model *forced)
{
	struct span word;
	__u64 config;

	n->end = name_end(start);
	word = first_word(start, n->end);
	n->event = word;
	n->cpu = forced;
	if (strncmp(word.at + word.len, PREFIX_END, strlen(PREFIX_END)))
		return word.len && forced && has_rows(forced) && find_event(word);
	/* "cycles::u" is an event with a colon too many */
	if (!word.len || acrpmu_perf_name_find(word.at, word.len, &config))
		return false;
	n->prefix = word;
	n->event = first_word(word.at + word.len + strlen(PREFIX_END), n->end);
	n->cpu = find_cpu(word.at, word.len);
	return true;
}

int acrpmu_pfm_read(const struct text *text, const char **at, const char *pmu,
		    const struct pfm_tables *tables, struct spec_event *ev, bool *found)
{
	const struct acrpmu_model *forced = pmu ? find_cpu(pmu, strlen(pmu)) : NULL;
	struct name n = { .text = text };
	struct pfm_code code;
	int err;

	*found = read_start(&n, *at, forced);
	if (!*found)
		return 0;
	if (!n.cpu)
		return refuse_cpu(&n);
	err = n.prefix.at ? check_forced(&n, forced) : 0;
	if (err)
		return err;
	*at = n.end;
	n.row = has_rows(n.cpu) ? find_event(n.event) : NULL;
	if (is_known(&n, tables)) {
		err = read_parts(&n);
		if (!err)
			err = check_name(&n);
		if (!err)
			get_code(&n, &code);
	} else if (cpu_is(&n, CPU_GLM)) {
		err = refuse_event(&n, n.event, tables);
	} else {
		n.row = NULL;
		err = read_other(&n, tables, &code);
	}
	return err ? err : fill_event(&n, &code, ev);
}
