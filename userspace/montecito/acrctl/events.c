// SPDX-License-Identifier: GPL-2.0-only
/* Reads events of a command line: unit masks, thresholds, privilege levels, flags. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/suggest.h"
#include "encoding.h"

#define PREFIX_END	"::"
#define EVENT_TERMS	"thres=N, plm=LEVELS, flags=N, no-qualcheck, all-threads, active-only and always"

/* A string of events being read into @m; @given: terms of the latest event, bits of enum term. */
struct reader {
	struct montecito *m;
	struct montecito_text text;
	unsigned int given;
};

enum term { TERM_THRES, TERM_PLM, TERM_FLAGS };

static pfmlib_event_t *latest(const struct reader *r)
{
	return &r->m->inp.pfp_events[r->m->inp.pfp_event_count - 1];
}

/* Events beyond the last counter are refused later, so their threshold and flags are dropped. */
static pfmlib_mont_counter_t *latest_counter(const struct reader *r)
{
	static pfmlib_mont_counter_t nowhere;
	unsigned int i = r->m->inp.pfp_event_count - 1;

	return i < PMU_MONT_NUM_COUNTERS ? &r->m->mod_in.pfp_mont_counters[i] : &nowhere;
}

/* ---- terms -------------------------------------------------------------------------------- */

static int refuse_twice(const struct reader *r, struct montecito_span span, const char *what)
{
	montecito_refuse(&r->text, span.at, "repeated-term", "%s given twice", what);
	acrpmu_message_hint(r->text.message, "leave one of the two out");
	return -EINVAL;
}

static int set_levels(struct reader *r, struct montecito_span span, struct montecito_span value)
{
	__u64 levels;

	if (r->given & 1U << TERM_PLM)
		return refuse_twice(r, span, "the event's privilege levels are");
	if (montecito_read_own_levels(&r->text, value, &levels))
		return -EINVAL;
	r->given |= 1U << TERM_PLM;
	latest(r)->plm = levels;
	return 0;
}

/* Read a term that is a number and can occur once. */
static int read_number(struct reader *r, struct montecito_span span, struct montecito_span value,
		       unsigned int term, const char *what, __u64 *n)
{
	if (r->given & 1U << term)
		return refuse_twice(r, span, what);
	if (montecito_read_number(&r->text, value, UINT32_MAX, n))
		return -EINVAL;
	r->given |= 1U << term;
	return 0;
}

static int set_threshold(struct reader *r, struct montecito_span span, struct montecito_span value)
{
	__u64 n;

	if (read_number(r, span, value, TERM_THRES, "the event's threshold is", &n))
		return -EINVAL;
	latest_counter(r)->thres = n;
	return 0;
}

static int set_flags(struct reader *r, struct montecito_span span, struct montecito_span value)
{
	__u64 n;

	if (read_number(r, span, value, TERM_FLAGS, "flags= is", &n))
		return -EINVAL;
	latest_counter(r)->flags |= n;
	return 0;
}

static int refuse_term(const struct reader *r, struct montecito_span name)
{
	static const struct montecito_keyword terms[] = {
		{ .name = "thres" }, { .name = "plm" }, { .name = "flags" },
		{ .name = "no-qualcheck" }, { .name = "all-threads" }, { .name = "active-only" },
		{ .name = "always" }, { .name = NULL }
	};
	const struct montecito_keyword *term;
	struct suggestion best = { NULL };

	if (montecito_find_keyword(montecito_event_flags, name)) {
		montecito_refuse(&r->text, name.at, "term-value", "'%s' takes no value",
				 acrpmu_message_word(name.at, name.len).text);
		acrpmu_message_hint(r->text.message, "write it without '='");
		return -EINVAL;
	}
	montecito_refuse(&r->text, name.at, "unknown-term", "there is no term '%s'",
			 acrpmu_message_word(name.at, name.len).text);
	for (term = terms; term->name; term++)
		acrpmu_suggest_consider(&best, name.at, name.len, term->name);
	if (best.word)
		acrpmu_message_hint(r->text.message, "did you mean '%s'?", best.word);
	else
		acrpmu_message_hint(r->text.message, "terms of an event are " EVENT_TERMS);
	return -EINVAL;
}

/* Read NAME=VALUE. */
static int read_value(struct reader *r, struct montecito_span span)
{
	struct montecito_span rest = span, name = montecito_cut(&rest, "=");
	struct montecito_span value = { span.at + span.len, 0 };

	if (rest.at)
		value = montecito_cut(&rest, "");
	if (montecito_same(name, "thres"))
		return set_threshold(r, span, value);
	if (montecito_same(name, "plm"))
		return set_levels(r, span, value);
	if (montecito_same(name, "flags"))
		return set_flags(r, span, value);
	return refuse_term(r, name);
}

static bool has(struct montecito_span span, char c)
{
	return span.len && memchr(span.at, c, span.len);
}

/* After a comma these continue the event; anything else is the next event. */
static bool is_term(struct montecito_span span)
{
	return has(span, '=') || montecito_find_keyword(montecito_event_flags, span);
}

static int read_term(struct reader *r, struct montecito_span span)
{
	const struct montecito_keyword *flag = montecito_find_keyword(montecito_event_flags, span);

	if (!flag)
		return read_value(r, span);
	latest_counter(r)->flags |= flag->value;
	return 0;
}

/* ---- unit masks --------------------------------------------------------------------------- */

static int refuse_umask(const struct reader *r, struct montecito_span span)
{
	struct message_word shown = acrpmu_message_word(span.at, span.len);
	unsigned int nr = 0;

	pfm_get_num_event_masks(latest(r)->event, &nr);
	if (!span.len)
		montecito_refuse(&r->text, span.at, "unknown-umask", "nothing follows the colon");
	else if (nr)
		montecito_refuse(&r->text, span.at, "unknown-umask", "the event has no unit mask "
				 "'%s'", shown.text);
	else
		montecito_refuse(&r->text, span.at, "unknown-umask", "the event has no unit masks, "
				 "and '%s' is no term", shown.text);
	if (nr)
		acrpmu_message_hint(r->text.message, "its unit masks are I, S, E and M");
	else
		acrpmu_message_hint(r->text.message, "a colon can be followed by u, k or terms: "
				    EVENT_TERMS);
	return -EINVAL;
}

static int add_umask(struct reader *r, struct montecito_span span)
{
	pfmlib_event_t *event = latest(r);
	char name[MONTECITO_NAME_LEN];
	unsigned int mask;

	if (!span.len || span.len >= sizeof(name))
		return refuse_umask(r, span);
	snprintf(name, sizeof(name), "%.*s", (int)span.len, span.at);
	if (pfm_find_event_mask(event->event, name, &mask))
		return refuse_umask(r, span);
	if (event->num_masks == PFMLIB_MAX_MASKS_PER_EVENT) {
		montecito_refuse(&r->text, span.at, "too-many", "more than %u unit masks",
				 PFMLIB_MAX_MASKS_PER_EVENT);
		acrpmu_message_hint(r->text.message, "name each of them once");
		return -EINVAL;
	}
	event->unit_masks[event->num_masks++] = mask;
	return 0;
}

/* u, k and uk, as for events of other CPUs. */
static bool is_modifier(struct montecito_span span)
{
	size_t i;

	for (i = 0; i < span.len; i++) {
		if (!strchr("uk", span.at[i]))
			return false;
	}
	return span.len;
}

static int read_part(struct reader *r, struct montecito_span span)
{
	if (is_term(span))
		return read_term(r, span);
	if (is_modifier(span))
		return set_levels(r, span, span);
	return add_umask(r, span);
}

/* ---- events ------------------------------------------------------------------------------- */

static int refuse_name(const struct reader *r, struct montecito_span span)
{
	char nearest[MONTECITO_NAME_LEN];

	montecito_refuse(&r->text, span.at, "unknown-event", span.len ? "there is no event '%s'" :
			 "an event is missing%s", acrpmu_message_word(span.at, span.len).text);
	if (montecito_nearest(span, nearest))
		acrpmu_message_hint(r->text.message, "did you mean '%s'?", nearest);
	else
		acrpmu_message_hint(r->text.message, "'acrctl list --pmu " MONTECITO_NAME
				    "' shows them all");
	return -EINVAL;
}

static int refuse_braces(const struct reader *r, const char *at)
{
	montecito_refuse(&r->text, at, "braces", "braces make groups, and all events of Montecito "
			 "are counted at the same time anyway");
	acrpmu_message_hint(r->text.message, "leave the braces out");
	return -EINVAL;
}

/* Check the CPU before "::" and remove it. */
static int read_prefix(const struct reader *r, struct montecito_span *span)
{
	const char *end = memmem(span->at, span->len, PREFIX_END, strlen(PREFIX_END));
	struct montecito_span cpu = { span->at, end ? end - span->at : 0 };

	if (!end)
		return 0;
	if (!names_is_montecito(cpu.at, cpu.len)) {
		montecito_refuse(&r->text, cpu.at, "other-cpu", "'%s" PREFIX_END "' names an event "
				 "of another CPU than " MONTECITO_NAME,
				 acrpmu_message_word(cpu.at, cpu.len).text);
		acrpmu_message_hint(r->text.message, "use an event of " MONTECITO_NAME
				    ", or leave out --pmu " MONTECITO_NAME);
		return -EINVAL;
	}
	span->len -= end + strlen(PREFIX_END) - span->at;
	span->at = end + strlen(PREFIX_END);
	return 0;
}

static int begin_event(struct reader *r, struct montecito_span name)
{
	pfmlib_input_param_t *inp = &r->m->inp;
	unsigned int i = inp->pfp_event_count;
	char word[MONTECITO_NAME_LEN];

	snprintf(word, sizeof(word), "%.*s", (int)name.len, name.at);
	if (!name.len || name.len >= sizeof(word) ||
	    pfm_find_event(word, &inp->pfp_events[i].event))
		return refuse_name(r, name);
	inp->pfp_event_count++;
	r->m->location[i] = (struct montecito_location){ r->text.string,
							 name.at - r->text.text + 1 };
	r->given = 0;
	return 0;
}

static int read_event(struct reader *r, struct montecito_span span)
{
	struct montecito_span rest = span;

	if (r->m->inp.pfp_event_count == PFMLIB_MAX_PMCS - 1) {
		montecito_refuse(&r->text, span.at, "too-many", "more than %u events",
				 PFMLIB_MAX_PMCS - 1);
		acrpmu_message_hint(r->text.message, "there are %u counters",
				    PMU_MONT_NUM_COUNTERS);
		return -EINVAL;
	}
	if (has(span, '{') || has(span, '}'))
		return refuse_braces(r, span.at + strcspn(span.at, "{}"));
	if (read_prefix(r, &rest) || begin_event(r, montecito_cut(&rest, ":")))
		return -EINVAL;
	while (rest.at) {
		if (read_part(r, montecito_cut(&rest, ":")))
			return -EINVAL;
	}
	return 0;
}

static int read_string(struct reader *r)
{
	struct montecito_span rest = { r->text.text, strlen(r->text.text) };
	bool first = true;

	while (rest.at) {
		struct montecito_span item = montecito_cut(&rest, ",");
		int err = !first && is_term(item) && !has(item, ':') ? read_term(r, item) :
								       read_event(r, item);

		if (err)
			return err;
		first = false;
	}
	return 0;
}

/* Read strings of events, each a list separated by commas; return 0 or -EINVAL. */
int montecito_read_events(struct montecito *m, const struct event_args *args,
			  struct acrpmu_message *message)
{
	struct reader r = { .m = m, .text = { .message = message } };
	int err = 0;

	for (; !err && r.text.string < args->nr; r.text.string++) {
		r.text.text = args->strings[r.text.string];
		err = read_string(&r);
	}
	return err;
}
