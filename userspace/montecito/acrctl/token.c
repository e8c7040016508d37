// SPDX-License-Identifier: GPL-2.0-only
/* Reads tokens of Montecito's command line: keywords, numbers, privilege levels. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <perfmon/pfmlib_montecito.h>

#include "../../util/number.h"
#include "../../util/message.h"
#include "../../util/suggest.h"
#include "token.h"

#define WORDS_LEN	200

const struct montecito_keyword montecito_iear_modes[] = {
	{ "cache", PFMLIB_MONT_EAR_CACHE_MODE, "cache misses" },
	{ "tlb", PFMLIB_MONT_EAR_TLB_MODE, "TLB misses" },
	{ NULL }
};

const struct montecito_keyword montecito_dear_modes[] = {
	{ "cache", PFMLIB_MONT_EAR_CACHE_MODE, "cache misses" },
	{ "tlb", PFMLIB_MONT_EAR_TLB_MODE, "TLB misses" },
	{ "alat", PFMLIB_MONT_EAR_ALAT_MODE, "ALAT misses" },
	{ NULL }
};

const struct montecito_keyword montecito_etb_tm[] = {
	{ "none", 0, "no branch" },
	{ "not-taken", 1, "branches not taken" },
	{ "taken", 2, "taken branches" },
	{ "all", 3, "taken or not" },
	{ NULL }
};

const struct montecito_keyword montecito_etb_predicted[] = {
	{ "none", 0, "no branch" },
	{ "wrong", 1, "mispredicted" },
	{ "right", 2, "predicted" },
	{ "all", 3, "predicted or not" },
	{ NULL }
};

const struct montecito_keyword montecito_etb_brt[] = {
	{ "all", 0, "every kind" },
	{ "iprel", 1, "IP-relative" },
	{ "return", 2, "returns" },
	{ "indirect", 3, "indirect, no returns" },
	{ NULL }
};

const struct montecito_keyword montecito_event_flags[] = {
	{ "no-qualcheck", PFMLIB_MONT_FL_EVT_NO_QUALCHECK, "qualifiers may not apply" },
	{ "all-threads", PFMLIB_MONT_FL_EVT_ALL_THRD, "both threads" },
	{ "active-only", PFMLIB_MONT_FL_EVT_ACTIVE_ONLY, "no effect" },
	{ "always", PFMLIB_MONT_FL_EVT_ALWAYS, "no effect" },
	{ NULL }
};

const struct montecito_keyword montecito_range_flags[] = {
	{ "inv", PFMLIB_MONT_RR_INV, "outside of the range" },
	{ "no-fine", PFMLIB_MONT_RR_NO_FINE_MODE, "no fine mode" },
	{ "demand", PFMLIB_MONT_IRR_DEMAND_FETCH, "demand fetches" },
	{ "prefetch", PFMLIB_MONT_IRR_PREFETCH_MATCH, "prefetches" },
	{ NULL }
};

/*
 * Refuse a text with the byte @at that is wrong, a code for programs, and a message that follows
 * the name of the option; return -EINVAL.
 */
int montecito_refuse(const struct montecito_text *text, const char *at, const char *code,
		     const char *format, ...)
{
	char words[ACRPMU_MESSAGE_LEN];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	acrpmu_message_text(text->message, code, "%s%s%s", text->option ? text->option : "",
			    text->option ? ": " : "", words);
	text->message->string = text->string;
	text->message->column = at - text->text + 1;
	return -EINVAL;
}

/*
 * Return the text up to the first of @separators, without surrounding blanks. @rest becomes what
 * follows the separator, or NULL at the end.
 */
struct montecito_span montecito_cut(struct montecito_span *rest, const char *separators)
{
	static const char blanks[] = " \t\r\n";
	struct montecito_span part = { rest->at, 0 };

	while (part.len < rest->len && !strchr(separators, rest->at[part.len]))
		part.len++;
	if (part.len < rest->len)
		*rest = (struct montecito_span){ rest->at + part.len + 1,
						 rest->len - part.len - 1 };
	else
		*rest = (struct montecito_span){ NULL, 0 };
	while (part.len && strchr(blanks, *part.at)) {
		part.at++;
		part.len--;
	}
	while (part.len && strchr(blanks, part.at[part.len - 1]))
		part.len--;
	return part;
}

/* Compare a token with a keyword. Case does not matter. */
bool montecito_same(struct montecito_span span, const char *word)
{
	return strlen(word) == span.len && !strncasecmp(span.at, word, span.len);
}

/* Read a decimal or hexadecimal number up to @max; return 0 or -EINVAL. */
int montecito_read_number(const struct montecito_text *text, struct montecito_span span, __u64 max,
			  __u64 *value)
{
	struct message_word shown = acrpmu_message_word(span.at, span.len);
	enum number_error error;
	size_t bad;
	__u64 n;

	error = acrpmu_number_parse(span.at, span.len, &n, &bad);
	if (error == NUMBER_LARGE || (!error && n > max)) {
		montecito_refuse(text, span.at, "number-large", "'%s' is too large", shown.text);
		acrpmu_message_hint(text->message, "the largest number here is 0x%llx",
				    (unsigned long long)max);
		return -EINVAL;
	}
	if (error) {
		montecito_refuse(text, span.at + bad, "bad-number",
				 span.len ? "'%s' is not a number" : "a number is missing%s",
				 shown.text);
		acrpmu_message_hint(text->message,
				    "write it with decimal digits, or hexadecimal ones after 0x");
		return -EINVAL;
	}
	*value = n;
	return 0;
}

/* Read privilege levels: u, k, both, or a number with bit n for level n; return 0 or -EINVAL. */
int montecito_read_levels(const struct montecito_text *text, struct montecito_span span,
			  __u64 *value)
{
	__u64 levels = 0;
	size_t i;

	for (i = 0; i < span.len && strchr("uk", span.at[i]); i++)
		levels |= span.at[i] == 'u' ? PFM_PLM3 : PFM_PLM0;
	if (i && i == span.len) {
		*value = levels;
		return 0;
	}
	if (!montecito_read_number(text, span, UINT32_MAX, value))
		return 0;
	if (!strcmp(text->message->code, "bad-number"))
		acrpmu_message_hint(text->message, "privilege levels are u (level 3), k (level 0) "
				    "or a number with bit n for level n, like 0x9 for both");
	return -EINVAL;
}

/* Read privilege levels that replace those of --plm, so 0 is refused; return 0 or -EINVAL. */
int montecito_read_own_levels(const struct montecito_text *text, struct montecito_span span,
			      __u64 *value)
{
	__u64 levels;

	if (montecito_read_levels(text, span, &levels))
		return -EINVAL;
	if (!levels) {
		montecito_refuse(text, span.at, "no-levels", "0 is no privilege level");
		acrpmu_message_hint(text->message, "leave plm= out for those of --plm, or write u, "
				    "k, uk or a number from 1 to 0xf");
		return -EINVAL;
	}
	*value = levels;
	return 0;
}

/* Look up a keyword; return NULL if it is unknown. */
const struct montecito_keyword *montecito_find_keyword(const struct montecito_keyword *words,
						       struct montecito_span span)
{
	for (; words->name; words++) {
		if (montecito_same(span, words->name))
			return words;
	}
	return NULL;
}

/* List keywords, separated by commas. */
void montecito_list_keywords(const struct montecito_keyword *words, char *buf, size_t size)
{
	size_t n = 0;

	*buf = 0;
	for (; words->name && n < size; words++)
		n += snprintf(buf + n, size - n, "%s%s", n ? ", " : "", words->name);
}

/* Add a hint to a refusal: the nearest keyword, or all of them. */
void montecito_suggest(const struct montecito_text *text, struct montecito_span span,
		       const struct montecito_keyword *words)
{
	const struct montecito_keyword *word;
	struct suggestion best = { NULL };
	char list[WORDS_LEN];

	for (word = words; word->name; word++)
		acrpmu_suggest_consider(&best, span.at, span.len, word->name);
	montecito_list_keywords(words, list, sizeof(list));
	if (best.word)
		acrpmu_message_hint(text->message, "did you mean '%s'?", best.word);
	else
		acrpmu_message_hint(text->message, "there are %s, and their numbers", list);
}

/*
 * Read a keyword, or a number up to @max, which libacrpfm checks further; return 0 or -EINVAL.
 */
int montecito_read_choice(const struct montecito_text *text, struct montecito_span span,
			  const struct montecito_keyword *words, __u64 max, __u64 *value)
{
	const struct montecito_keyword *word = montecito_find_keyword(words, span);

	if (word) {
		*value = word->value;
		return 0;
	}
	if (!montecito_read_number(text, span, max, value))
		return 0;
	if (strcmp(text->message->code, "bad-number"))
		return -EINVAL;
	montecito_refuse(text, span.at, "unknown-word", span.len ? "there is no '%s'" :
			 "a word is missing%s", acrpmu_message_word(span.at, span.len).text);
	montecito_suggest(text, span, words);
	return -EINVAL;
}
