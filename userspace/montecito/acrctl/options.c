// SPDX-License-Identifier: GPL-2.0-only
/* Reads the options for opcode matchers, EARs, the trace buffer, ranges and privilege levels. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/suggest.h"
#include "encoding.h"

#define OPCM_ALL	0x1ffffffffffULL	/* compares none of the 41 bits */
#define ETB_ALL		3			/* all branches */
#define TERMS_LEN	128
#define BUNDLE		16			/* bytes; code ranges consist of bundles */

enum kind { KIND_NUMBER, KIND_LEVELS, KIND_CHOICE, KIND_SLOTS };

/* A term NAME=VALUE of an option; @offset and @size are those of the member that it sets. */
struct term {
	const char *name;
	enum kind kind;
	size_t offset;
	size_t size;
	const struct montecito_keyword *words;
};

static const struct term opcm_terms[] = {
	{ "match", KIND_NUMBER, offsetof(pfmlib_mont_opcm_t, opcm_match),
	  sizeof(((pfmlib_mont_opcm_t *)NULL)->opcm_match), NULL },
	{ "mask", KIND_NUMBER, offsetof(pfmlib_mont_opcm_t, opcm_mask),
	  sizeof(((pfmlib_mont_opcm_t *)NULL)->opcm_mask), NULL },
	{ .name = "slots", .kind = KIND_SLOTS },
	{ NULL }
};

static const struct term iear_terms[] = {
	{ "mode", KIND_CHOICE, offsetof(pfmlib_mont_ear_t, ear_mode),
	  sizeof(((pfmlib_mont_ear_t *)NULL)->ear_mode), montecito_iear_modes },
	{ "umask", KIND_NUMBER, offsetof(pfmlib_mont_ear_t, ear_umask),
	  sizeof(((pfmlib_mont_ear_t *)NULL)->ear_umask), NULL },
	{ "plm", KIND_LEVELS, offsetof(pfmlib_mont_ear_t, ear_plm),
	  sizeof(((pfmlib_mont_ear_t *)NULL)->ear_plm), NULL },
	{ NULL }
};

static const struct term dear_terms[] = {
	{ "mode", KIND_CHOICE, offsetof(pfmlib_mont_ear_t, ear_mode),
	  sizeof(((pfmlib_mont_ear_t *)NULL)->ear_mode), montecito_dear_modes },
	{ "umask", KIND_NUMBER, offsetof(pfmlib_mont_ear_t, ear_umask),
	  sizeof(((pfmlib_mont_ear_t *)NULL)->ear_umask), NULL },
	{ "plm", KIND_LEVELS, offsetof(pfmlib_mont_ear_t, ear_plm),
	  sizeof(((pfmlib_mont_ear_t *)NULL)->ear_plm), NULL },
	{ NULL }
};

static const struct term etb_terms[] = {
	{ "plm", KIND_LEVELS, offsetof(pfmlib_mont_etb_t, etb_plm),
	  sizeof(((pfmlib_mont_etb_t *)NULL)->etb_plm), NULL },
	{ "ds", KIND_NUMBER, offsetof(pfmlib_mont_etb_t, etb_ds),
	  sizeof(((pfmlib_mont_etb_t *)NULL)->etb_ds), NULL },
	{ "tm", KIND_CHOICE, offsetof(pfmlib_mont_etb_t, etb_tm),
	  sizeof(((pfmlib_mont_etb_t *)NULL)->etb_tm), montecito_etb_tm },
	{ "ptm", KIND_CHOICE, offsetof(pfmlib_mont_etb_t, etb_ptm),
	  sizeof(((pfmlib_mont_etb_t *)NULL)->etb_ptm), montecito_etb_predicted },
	{ "ppm", KIND_CHOICE, offsetof(pfmlib_mont_etb_t, etb_ppm),
	  sizeof(((pfmlib_mont_etb_t *)NULL)->etb_ppm), montecito_etb_predicted },
	{ "brt", KIND_CHOICE, offsetof(pfmlib_mont_etb_t, etb_brt),
	  sizeof(((pfmlib_mont_etb_t *)NULL)->etb_brt), montecito_etb_brt },
	{ NULL }
};

static const struct term ipear_terms[] = {
	{ "delay", KIND_NUMBER, offsetof(pfmlib_mont_ipear_t, ipear_delay),
	  sizeof(((pfmlib_mont_ipear_t *)NULL)->ipear_delay), NULL },
	{ "plm", KIND_LEVELS, offsetof(pfmlib_mont_ipear_t, ipear_plm),
	  sizeof(((pfmlib_mont_ipear_t *)NULL)->ipear_plm), NULL },
	{ NULL }
};

static const struct term range_terms[] = {
	{ "plm", KIND_LEVELS, offsetof(pfmlib_mont_input_rr_desc_t, rr_plm),
	  sizeof(((pfmlib_mont_input_rr_desc_t *)NULL)->rr_plm), NULL },
	{ NULL }
};

/* ---- values ------------------------------------------------------------------------------- */

/* The size is 1, 2, 4 or 8, and the value fits. */
static void store(void *to, size_t size, __u64 value)
{
	uint8_t byte = value;
	uint16_t half = value;
	uint32_t word = value;

	if (size == sizeof(byte))
		memcpy(to, &byte, size);
	else if (size == sizeof(half))
		memcpy(to, &half, size);
	else if (size == sizeof(word))
		memcpy(to, &word, size);
	else
		memcpy(to, &value, size);
}

static __u64 max_of(size_t size)
{
	return size < sizeof(__u64) ? (1ULL << size * 8) - 1 : UINT64_MAX;
}

static int read_slots(const struct montecito_text *text, struct montecito_span span,
		      pfmlib_mont_opcm_t *opcm)
{
	unsigned char *const slots[] = { &opcm->opcm_m, &opcm->opcm_i, &opcm->opcm_f,
					 &opcm->opcm_b };
	static const char letters[] = "mifb";
	size_t i;

	*slots[0] = *slots[1] = *slots[2] = *slots[3] = 0;
	if (montecito_same(span, "none"))
		return 0;
	for (i = 0; i < span.len && strchr(letters, span.at[i]); i++)
		*slots[strchr(letters, span.at[i]) - letters] = 1;
	if (i && i == span.len)
		return 0;
	montecito_refuse(text, span.at + i, "unknown-word", i < span.len ? "there is no slot '%s'" :
			 "slots are missing%s", acrpmu_message_word(span.at + i,
								    i < span.len ? 1 : 0).text);
	acrpmu_message_hint(text->message, "slots are letters of mifb (memory, integer, floating "
			    "point, branch), or none");
	return -EINVAL;
}

static int read_value(const struct montecito_text *text, const struct term *term,
		      struct montecito_span span, void *to)
{
	__u64 value = 0;
	int err;

	if (term->kind == KIND_SLOTS)
		return read_slots(text, span, to);
	if (term->kind == KIND_LEVELS)
		err = montecito_read_own_levels(text, span, &value);
	else if (term->kind == KIND_CHOICE)
		err = montecito_read_choice(text, span, term->words, max_of(term->size), &value);
	else
		err = montecito_read_number(text, span, max_of(term->size), &value);
	if (!err)
		store((char *)to + term->offset, term->size, value);
	return err;
}

static int refuse_term(const struct montecito_text *text, struct montecito_span name,
		       const struct term *terms)
{
	struct suggestion best = { NULL };
	char list[TERMS_LEN] = "";
	size_t n = 0;

	montecito_refuse(text, name.at, "unknown-term", name.len ? "there is no term '%s'" :
			 "a term is missing%s", acrpmu_message_word(name.at, name.len).text);
	for (; terms->name; terms++) {
		acrpmu_suggest_consider(&best, name.at, name.len, terms->name);
		n += snprintf(list + n, sizeof(list) - n, "%s%s=", n ? ", " : "", terms->name);
	}
	if (best.word)
		acrpmu_message_hint(text->message, "did you mean '%s='?", best.word);
	else
		acrpmu_message_hint(text->message, "its terms are %s", list);
	return -EINVAL;
}

static int read_term(const struct montecito_text *text, struct montecito_span span,
		     const struct term *terms, void *to, unsigned int *given)
{
	struct montecito_span rest = span, name = montecito_cut(&rest, "=");
	struct montecito_span value = { span.at + span.len, 0 };
	unsigned int i = 0;

	while (terms[i].name && !montecito_same(name, terms[i].name))
		i++;
	if (!terms[i].name)
		return refuse_term(text, name, terms);
	if (rest.at)
		value = montecito_cut(&rest, "");
	if (*given & 1U << i) {
		montecito_refuse(text, span.at, "repeated-term", "%s= is given twice",
				 terms[i].name);
		acrpmu_message_hint(text->message, "leave one of the two out");
		return -EINVAL;
	}
	*given |= 1U << i;
	return read_value(text, &terms[i], value, to);
}

/* Read terms separated by commas; @given: out, bit n for terms[n]. */
static int read_terms(const struct montecito_text *text, struct montecito_span rest,
		      const struct term *terms, void *to, unsigned int *given)
{
	int err = 0;

	*given = 0;
	while (!err && rest.at)
		err = read_term(text, montecito_cut(&rest, ","), terms, to, given);
	return err;
}

static struct montecito_span whole(const struct montecito_text *text)
{
	struct montecito_span span = { text->text, strlen(text->text) };

	return span;
}

/* Read the terms of an option that can also be 'default'. */
static int read_option(const struct montecito_text *text, const struct term *terms, void *to,
		       unsigned int *given)
{
	*given = 0;
	if (montecito_same(whole(text), MONTECITO_DEFAULT))
		return 0;
	return read_terms(text, whole(text), terms, to, given);
}

/* ---- each option -------------------------------------------------------------------------- */

static int read_opcm(const struct montecito_text *text, pfmlib_mont_opcm_t *opcm)
{
	enum { MATCH, MASK };
	unsigned int given;

	*opcm = (pfmlib_mont_opcm_t){ .opcm_used = 1, .opcm_m = 1, .opcm_i = 1, .opcm_f = 1,
				      .opcm_b = 1 };
	if (read_option(text, opcm_terms, opcm, &given))
		return -EINVAL;
	/* no opcode: match all */
	if (!(given & (1U << MATCH | 1U << MASK)))
		opcm->opcm_mask = OPCM_ALL;
	return 0;
}

static int read_ear(const struct montecito_text *text, const struct term *terms,
		    pfmlib_mont_ear_t *ear)
{
	unsigned int given;

	ear->ear_used = 1;
	return read_option(text, terms, ear, &given);
}

static int read_etb(const struct montecito_text *text, pfmlib_mont_etb_t *etb)
{
	unsigned int given;

	*etb = (pfmlib_mont_etb_t){ .etb_used = 1, .etb_tm = ETB_ALL, .etb_ptm = ETB_ALL,
				    .etb_ppm = ETB_ALL };
	return read_option(text, etb_terms, etb, &given);
}

static int read_ipear(const struct montecito_text *text, pfmlib_mont_ipear_t *ipear)
{
	unsigned int given;

	ipear->ipear_used = 1;
	return read_option(text, ipear_terms, ipear, &given);
}

static int read_interval(const struct montecito_text *text, struct montecito_span span,
			 unsigned int align, pfmlib_mont_input_rr_desc_t *range)
{
	const __u64 last_end = UINT64_MAX & -(__u64)align;
	struct montecito_span rest = span, first = montecito_cut(&rest, "-+");
	__u64 start, end;

	if (montecito_read_number(text, first, UINT64_MAX, &start))
		return -EINVAL;
	if (!rest.at) {
		montecito_refuse(text, span.at + span.len, "range-end", "the range has no end");
		acrpmu_message_hint(text->message, "write START-END or START+SIZE, like "
				    "0x1000-0x2000");
		return -EINVAL;
	}
	if (montecito_read_number(text, rest, UINT64_MAX, &end))
		return -EINVAL;
	if (rest.at[-1] == '+' && end > UINT64_MAX - start) {
		montecito_refuse(text, rest.at, "number-large", "the range ends beyond the last "
				 "address");
		acrpmu_message_hint(text->message, start < last_end ?
				    "the largest size from there is 0x%llx" :
				    "no range can start there; the last one ends at 0x%llx",
				    (unsigned long long)(start < last_end ? last_end - start :
									    last_end));
		return -EINVAL;
	}
	range->rr_start = start;
	range->rr_end = rest.at[-1] == '+' ? start + end : end;
	/* libacrpfm would take it for the end of the list */
	if (!range->rr_start && !range->rr_end) {
		montecito_refuse(text, span.at, "empty-range", "the range from 0 to 0 is empty");
		acrpmu_message_hint(text->message, "the end is the first byte after it; leave the "
				    "option out for no range");
		return -EINVAL;
	}
	return 0;
}

/* @align: limits are multiples of it */
static int read_range(const struct montecito_text *text, unsigned int align,
		      pfmlib_mont_input_rr_t *ranges, unsigned int *nr)
{
	struct montecito_span rest = whole(text), interval = montecito_cut(&rest, ",");
	unsigned int given;

	if (*nr == MONTECITO_RANGES) {
		montecito_refuse(text, text->text, "too-many", "more than %u ranges",
				 MONTECITO_RANGES);
		acrpmu_message_hint(text->message, "merge adjacent ranges");
		return -EINVAL;
	}
	if (read_interval(text, interval, align, &ranges->rr_limits[*nr]))
		return -EINVAL;
	ranges->rr_used = 1;
	return read_terms(text, rest, range_terms, &ranges->rr_limits[(*nr)++], &given);
}

static int read_flags(const struct montecito_text *text, pfmlib_mont_input_rr_t *ranges)
{
	struct montecito_span rest = whole(text);
	__u64 flag;

	while (rest.at) {
		if (montecito_read_choice(text, montecito_cut(&rest, ","), montecito_range_flags,
					  UINT32_MAX, &flag))
			return -EINVAL;
		ranges->rr_flags |= flag;
	}
	return 0;
}

/* "4" or "4-7" */
static int read_registers(const struct montecito_text *text, struct montecito_span span,
			  pfmlib_regmask_t *mask)
{
	struct montecito_span rest = span, word = montecito_cut(&rest, "-");
	__u64 first, last;

	if (montecito_read_number(text, word, PFMLIB_REG_MAX - 1, &first))
		return -EINVAL;
	last = first;
	if (rest.at && montecito_read_number(text, rest, PFMLIB_REG_MAX - 1, &last))
		return -EINVAL;
	if (last < first) {
		montecito_refuse(text, rest.at, "bad-range", "%llu is less than %llu",
				 (unsigned long long)last, (unsigned long long)first);
		acrpmu_message_hint(text->message, "write the smaller number first");
		return -EINVAL;
	}
	for (; first <= last; first++)
		pfm_regmask_set(mask, first);
	return 0;
}

static int read_unavailable(const struct montecito_text *text, pfmlib_regmask_t *mask)
{
	struct montecito_span rest = whole(text);
	int err = 0;

	while (!err && rest.at)
		err = read_registers(text, montecito_cut(&rest, ","), mask);
	return err;
}

static int read_default_levels(const struct montecito_text *text, pfmlib_input_param_t *inp)
{
	__u64 levels;
	int err = montecito_read_levels(text, whole(text), &levels);

	if (!err)
		inp->pfp_dfl_plm = levels;
	return err;
}

static int read_one(struct montecito *m, int option, const struct montecito_text *text)
{
	pfmlib_mont_input_param_t *in = &m->mod_in;

	switch (option) {
	case MONTECITO_PLM:
		return read_default_levels(text, &m->inp);
	case MONTECITO_SYSTEM_WIDE:
		m->inp.pfp_flags |= PFMLIB_PFP_SYSTEMWIDE;
		return 0;
	case MONTECITO_UNAVAILABLE:
		return read_unavailable(text, &m->inp.pfp_unavail_pmcs);
	case MONTECITO_OPCM1:
		return read_opcm(text, &in->pfp_mont_opcm1);
	case MONTECITO_OPCM2:
		return read_opcm(text, &in->pfp_mont_opcm2);
	case MONTECITO_IEAR:
		return read_ear(text, iear_terms, &in->pfp_mont_iear);
	case MONTECITO_DEAR:
		return read_ear(text, dear_terms, &in->pfp_mont_dear);
	case MONTECITO_ETB:
		return read_etb(text, &in->pfp_mont_etb);
	case MONTECITO_IPEAR:
		return read_ipear(text, &in->pfp_mont_ipear);
	case MONTECITO_IRANGE:
		return read_range(text, BUNDLE, &in->pfp_mont_irange, &m->nr_iranges);
	case MONTECITO_DRANGE:
		return read_range(text, 1, &in->pfp_mont_drange, &m->nr_dranges);
	case MONTECITO_IRANGE_FLAGS:
		return read_flags(text, &in->pfp_mont_irange);
	default:
		return read_flags(text, &in->pfp_mont_drange);
	}
}

/* Options that can be repeated and accumulate. */
static bool is_list(int option)
{
	return option == MONTECITO_IRANGE || option == MONTECITO_DRANGE ||
	       option == MONTECITO_UNAVAILABLE || option == MONTECITO_IRANGE_FLAGS ||
	       option == MONTECITO_DRANGE_FLAGS || option == MONTECITO_SYSTEM_WIDE;
}

static int check_twice(const struct montecito_args *args, unsigned int i,
		       const struct montecito_text *text)
{
	unsigned int k;

	for (k = 0; k < i && !is_list(args->arg[i].option); k++) {
		if (args->arg[k].option != args->arg[i].option)
			continue;
		montecito_refuse(text, text->text, "repeated-option", "it is given twice");
		acrpmu_message_hint(text->message, "leave one of the two out");
		return -EINVAL;
	}
	return 0;
}

/* libacrpfm would silently ignore flags without ranges. */
static int check_flags(const struct montecito_args *args, unsigned int i,
		       const struct montecito *m, const struct montecito_text *text)
{
	bool code = args->arg[i].option == MONTECITO_IRANGE_FLAGS;

	if (!code && args->arg[i].option != MONTECITO_DRANGE_FLAGS)
		return 0;
	if (code ? m->nr_iranges : m->nr_dranges)
		return 0;
	montecito_refuse(text, text->text, "no-range", "these flags have no range");
	acrpmu_message_hint(text->message, "add one with --%crange START-END", code ? 'i' : 'd');
	return -EINVAL;
}

/*
 * Read all options into @m; return 0 or -EINVAL. @m->option is the option that an error points
 * into.
 */
int montecito_read_options(struct montecito *m, const struct montecito_args *args,
			   struct acrpmu_message *message)
{
	struct montecito_text text = { .message = message };
	unsigned int i, pass;
	int err = 0;

	/* flags can precede their ranges, so check them in a second pass */
	for (pass = 0; !err && pass < 2; pass++) {
		for (i = 0; !err && i < args->nr; i++) {
			text.option = montecito_option_name(args->arg[i].option);
			text.text = args->arg[i].text;
			if (pass)
				err = check_flags(args, i, m, &text);
			else
				err = check_twice(args, i, &text);
			if (!err && !pass)
				err = read_one(m, args->arg[i].option, &text);
		}
	}
	if (err) {
		m->option = text.option;
		m->text = text.text;
	}
	return err;
}
