// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges the library's result of a vector: it is the vector's, or a decision explains the
 * difference.
 */
#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "naive_cover.h"
#include "userspace/montecito/lib/mont_event.h"

#define MAX_REASONS 4 /* decisions that explain one vector */

/* A vector and the library's result of it. */
struct proof {
	const struct vector *v;
	const struct call *call;
	const struct naive_result *got;
};

static const pfmlib_mont_input_rr_t *code(const struct proof *p)
{
	static const pfmlib_mont_input_rr_t none;

	return p->call->has_mod && p->call->mod.pfp_mont_irange.rr_used
		       ? &p->call->mod.pfp_mont_irange
		       : &none;
}

static const pfmlib_mont_input_rr_t *data(const struct proof *p)
{
	static const pfmlib_mont_input_rr_t none;

	return p->call->has_mod && p->call->mod.pfp_mont_drange.rr_used
		       ? &p->call->mod.pfp_mont_drange
		       : &none;
}

static unsigned int nr_ranges(const pfmlib_mont_input_rr_t *in)
{
	unsigned int n = 0;

	while (n < 4 && (in->rr_limits[n].rr_start || in->rr_limits[n].rr_end))
		n++;
	return n;
}

static const struct mont_event *event_of(const struct proof *p, unsigned int i)
{
	return &mont_events[p->call->inp.pfp_events[i].event];
}

/* A value that is wider than its bits, and of those that are used. */
static bool over(uint64_t value, uint64_t max)
{
	return value > max;
}

static bool over_ranges(const pfmlib_mont_input_rr_t *in)
{
	unsigned int i;

	if (over(in->rr_flags, 15))
		return true;
	for (i = 0; i < nr_ranges(in); i++) {
		if (over(in->rr_limits[i].rr_plm, 15))
			return true;
	}
	return false;
}

static bool over_opcm(const pfmlib_mont_opcm_t *o)
{
	const uint64_t max = 0x1ffffffffffULL;

	return o->opcm_used && (over(o->opcm_m | o->opcm_i | o->opcm_f | o->opcm_b, 1) ||
				over(o->opcm_match | o->opcm_mask, max));
}

static bool over_model(const struct proof *p)
{
	const pfmlib_mont_input_param_t *m = &p->call->mod;
	const pfmlib_mont_etb_t *e = &m->pfp_mont_etb;
	unsigned int i;

	for (i = 0; i < p->call->inp.pfp_event_count; i++) {
		const pfmlib_mont_counter_t *counter = &m->pfp_mont_counters[i];

		if (over(counter->thres, 7) || over(counter->flags, 15) ||
		    over(counter->thres, event_of(p, i)->maxincr - 1))
			return true;
	}
	if (m->pfp_mont_iear.ear_used &&
	    (over(m->pfp_mont_iear.ear_plm, 15) ||
	     over(m->pfp_mont_iear.ear_umask, m->pfp_mont_iear.ear_mode == 1 ? 127 : 255)))
		return true;
	if (m->pfp_mont_dear.ear_used &&
	    (over(m->pfp_mont_dear.ear_plm, 15) || over(m->pfp_mont_dear.ear_umask, 15)))
		return true;
	if (e->etb_used && (over(e->etb_plm, 15) || over(e->etb_ds, 1) ||
			    over(e->etb_tm | e->etb_ptm | e->etb_ppm | e->etb_brt, 3)))
		return true;
	if (m->pfp_mont_ipear.ipear_used &&
	    (over(m->pfp_mont_ipear.ipear_plm, 15) || over(m->pfp_mont_ipear.ipear_delay, 255)))
		return true;
	return over_opcm(&m->pfp_mont_opcm1) || over_opcm(&m->pfp_mont_opcm2) ||
	       over_ranges(code(p)) || over_ranges(data(p));
}

static bool proves_width(const struct proof *p)
{
	unsigned int i;

	if (p->got->ret != PFMLIB_ERR_INVAL || !p->call->has_inp)
		return false;
	if (over(p->call->inp.pfp_dfl_plm, 15) || over(p->call->inp.pfp_flags, 1))
		return true;
	for (i = 0; i < p->call->inp.pfp_event_count; i++) {
		if (over(p->call->inp.pfp_events[i].plm, 15))
			return true;
	}
	return p->call->has_mod && over_model(p);
}

static bool has_code_event(const struct proof *p, const char *codes)
{
	unsigned int i;

	for (i = 0; i < p->call->inp.pfp_event_count; i++) {
		if (strchr(codes, event_of(p, i)->code) && event_of(p, i)->code)
			return true;
	}
	return false;
}

static bool has_ordinary_event(const struct proof *p)
{
	unsigned int i;

	for (i = 0; i < p->call->inp.pfp_event_count; i++) {
		if (!event_of(p, i)->code ||
		    !strchr("\x08\x44\x5f\x45\x46\x65\x66\x41", event_of(p, i)->code))
			return true;
	}
	return false;
}

static bool same_page(const pfmlib_mont_input_rr_desc_t *range)
{
	return range->rr_start >> 16 == (range->rr_end - 1) >> 16;
}

static bool seems_same_page(const pfmlib_mont_input_rr_desc_t *range)
{
	return (range->rr_start >> 16 & 0xffff) == (range->rr_end >> 16 & 0xffff);
}

static bool proves_fine(const struct proof *p)
{
	unsigned int i;

	for (i = 0; i < nr_ranges(code(p)); i++) {
		if (same_page(&code(p)->rr_limits[i]) != seems_same_page(&code(p)->rr_limits[i]))
			return true;
	}
	return false;
}

/* A refused ordinary event; instead the smallest block that holds the range, in pair 0 (and 1). */
static bool proves_one_pair(const struct proof *p)
{
	const pfmlib_mont_input_rr_desc_t *range = &code(p)->rr_limits[0];
	const struct naive_reg *br = p->got->irange.br;
	unsigned int order, nr = p->got->irange.nr;
	uint64_t half;

	/* refused by the vector, or not in fine mode where the vector is */
	if ((p->v->out.ret != PFMLIB_ERR_FEATCOMB && !proves_fine(p)) || nr_ranges(code(p)) != 1 ||
	    !has_ordinary_event(p))
		return false;
	/* another decision refuses it */
	if (p->got->ret)
		return true;
	order = __builtin_popcountll(~br[1].value & 0xffffffffffffffULL);
	half = order ? 1ULL << (order - 1) : 0;
	if (p->got->fine || br[0].num != 0 || nr != (br[2].num == 2 && nr == 4 ? 4u : 2u))
		return false;
	/* neither half of the block would do */
	return !half ||
	       (range->rr_start < br[0].value + half && range->rr_end > br[0].value + half);
}

static bool proves_infos(const struct proof *p)
{
	return !p->got->ret && p->got->fine && nr_ranges(code(p)) == 2;
}

static bool proves_both_pairs(const struct proof *p)
{
	const struct naive_reg *br = p->got->irange.br;

	if (!has_code_event(p, "\x46\x65\x66\x41\x44\x5f\x45") ||
	    !(code(p)->rr_flags & PFMLIB_MONT_IRR_DEMAND_FETCH))
		return false;
	if (p->got->ret)
		return true;
	return !p->got->fine && p->got->irange.nr == 4 && br[0].num == 0 && br[2].num == 2 &&
	       br[0].value == br[2].value && br[1].value == br[3].value;
}

/* What the vector has may be an error that another decision takes away. */
static bool proves_drrinval(const struct proof *p)
{
	const pfmlib_mont_input_rr_desc_t *bad = &data(p)->rr_limits[nr_ranges(data(p)) ? 0 : 3];
	unsigned int i;

	for (i = 0; i < nr_ranges(data(p)); i++, bad++) {
		if (bad->rr_start >= bad->rr_end)
			return p->got->ret == PFMLIB_ERR_DRRINVAL;
	}
	return false;
}

/* The vector's blocks leave out bytes of the ranges, or are such as cannot be matched. */
static bool falls_short(const pfmlib_mont_input_rr_t *in, unsigned int max_order)
{
	struct naive_cover covers[4], all = { .nr = 0 };
	uint64_t soff[4], eoff[4];
	unsigned int i, k;

	if (!nr_ranges(in) ||
	    naive_cover_all(in->rr_limits, nr_ranges(in), NO_DECISION, covers, soff, eoff))
		return false;
	for (i = 0; i < nr_ranges(in); i++) {
		if (max_order && !naive_aligned(&covers[i], 64))
			return true;
		for (k = 0; k < covers[i].nr; k++) {
			if (max_order && covers[i].order[k] >= max_order)
				return true;
			all.base[all.nr] = covers[i].base[k];
			all.order[all.nr++] = covers[i].order[k];
		}
		if (!naive_aligned(&covers[i], 64) ||
		    !naive_covers(&covers[i], in->rr_limits[i].rr_start, in->rr_limits[i].rr_end))
			return true;
	}
	return false;
}

static bool proves_cover(const struct proof *p)
{
	return falls_short(code(p), 0) || falls_short(data(p), 0);
}

static bool is_large(const pfmlib_mont_input_rr_t *in)
{
	unsigned int i;

	for (i = 0; i < nr_ranges(in); i++) {
		/* its smallest block has 2^56 bytes or more, or nearly so */
		if ((in->rr_limits[i].rr_start ^ (in->rr_limits[i].rr_end - 1)) >> 55)
			return true;
	}
	return false;
}

static bool proves_mask(const struct proof *p)
{
	return is_large(code(p)) || is_large(data(p));
}

static bool is_rounded(const pfmlib_mont_input_rr_t *in)
{
	unsigned int i;
	uint64_t size;

	for (i = 0; i < nr_ranges(in); i++) {
		size = in->rr_limits[i].rr_end - in->rr_limits[i].rr_start;
		if (size >> 53 && (size << __builtin_clzll(size)) >> 11 == 0x1fffffffffffffULL)
			return true;
	}
	return false;
}

static bool proves_exact(const struct proof *p)
{
	return is_rounded(code(p)) || is_rounded(data(p));
}

static bool proves_inverse(const struct proof *p)
{
	if (data(p)->rr_flags & PFMLIB_MONT_RR_INV)
		return p->got->ret == PFMLIB_ERR_INVAL;
	return code(p)->rr_flags & PFMLIB_MONT_RR_INV && p->got->ret == PFMLIB_ERR_IRRFLAGS;
}

static bool proves_ds(const struct proof *p)
{
	return p->call->has_mod && p->call->mod.pfp_mont_etb.etb_used &&
	       p->call->mod.pfp_mont_etb.etb_ds;
}

static bool proves_undefined(const struct proof *p)
{
	const pfmlib_mont_input_param_t *m = &p->call->mod;

	if (p->got->ret != PFMLIB_ERR_INVAL)
		return false;
	return !p->call->has_inp || !p->call->has_out || m->pfp_mont_opcm1.opcm_used > 1 ||
	       m->pfp_mont_opcm2.opcm_used > 1 || m->pfp_mont_iear.ear_used > 1 ||
	       m->pfp_mont_dear.ear_used > 1 || m->pfp_mont_etb.etb_used > 1 ||
	       m->pfp_mont_ipear.ipear_used > 1 || m->pfp_mont_drange.rr_used > 1 ||
	       m->pfp_mont_irange.rr_used > 1;
}

static bool ends_at_top(const struct naive_ranges *out)
{
	unsigned int i;

	for (i = 0; i + 1 < out->nr; i += 2) {
		if (out->br[i].value + (~out->br[i + 1].value & 0xffffffffffffffULL) == UINT64_MAX)
			return true;
	}
	return false;
}

/* The single pair of a code range is in a block that ends at 2^64. */
static bool one_pair_ends_at_top(const struct proof *p)
{
	const pfmlib_mont_input_rr_desc_t *range = &code(p)->rr_limits[0];
	uint64_t differ;

	if (nr_ranges(code(p)) != 1)
		return false;
	differ = range->rr_start ^ (range->rr_end - 1);
	/* from the first bit on in which first and last byte differ there are only ones */
	return (range->rr_end - 1) >> (63 - __builtin_clzll(differ)) ==
	       UINT64_MAX >> (63 - __builtin_clzll(differ));
}

static bool proves_top(const struct proof *p)
{
	return one_pair_ends_at_top(p) || ends_at_top(&p->got->irange) ||
	       ends_at_top(&p->got->drange);
}

/* For each decision what shows in the call, the vector and the result that it is the cause. */
static bool (*const proofs[])(const struct proof *p) = {
	[DECIDE_WIDTH] = proves_width,
	[DECIDE_ONE_PAIR] = proves_one_pair,
	[DECIDE_FINE] = proves_fine,
	[DECIDE_INFOS] = proves_infos,
	[DECIDE_BOTH_PAIRS] = proves_both_pairs,
	[DECIDE_DRRINVAL] = proves_drrinval,
	[DECIDE_COVER] = proves_cover,
	[DECIDE_MASK] = proves_mask,
	[DECIDE_EXACT] = proves_exact,
	[DECIDE_INVERSE] = proves_inverse,
	[DECIDE_DS] = proves_ds,
	[DECIDE_UNDEFINED] = proves_undefined,
	[DECIDE_TOP] = proves_top,
};

static bool proved(const struct proof *p, unsigned int decisions, char *why, size_t size)
{
	unsigned int k;

	for (k = 0; k < sizeof(proofs) / sizeof(*proofs); k++) {
		if (!(decisions & DECIDED(k)) || (proofs[k] && proofs[k](p)))
			continue;
		snprintf(why, size, "decision %u explains it, but what it is about is not there",
			 k);
		return false;
	}
	return true;
}

/* Registers of which only ranges decide may differ, if only their covers do. */
static bool others_untouched(const struct proof *p, unsigned int decisions)
{
	const unsigned int of_ranges = DECIDED(DECIDE_INFOS) | DECIDED(DECIDE_BOTH_PAIRS) |
				       DECIDED(DECIDE_COVER) | DECIDED(DECIDE_MASK) |
				       DECIDED(DECIDE_EXACT) | DECIDED(DECIDE_TOP);
	unsigned int i;

	if (decisions & ~of_ranges || p->got->ret || p->v->out.ret)
		return true;
	if (p->got->nr_pmcs != p->v->out.nr_pmcs || p->got->nr_pmds != p->v->out.nr_pmds)
		return false;
	for (i = 0; i < p->got->nr_pmds; i++) {
		if (p->got->pmds[i].num != p->v->out.pmds[i].num)
			return false;
	}
	for (i = 0; i < p->got->nr_pmcs; i++) {
		const struct naive_reg *got = &p->got->pmcs[i], *want = &p->v->out.pmcs[i];

		if (got->num != want->num ||
		    (got->num != 38 && got->num != 41 && got->value != want->value))
			return false;
	}
	return true;
}

/* The fewest decisions that make the naive result the library's, of those not below k. */
static bool fewest(const struct call *call, const struct naive_result *got, unsigned int k,
		   unsigned int nr, unsigned int *decisions)
{
	struct naive_result result;
	char why[256];

	if (!nr) {
		result_of_naive(call, *decisions, &result);
		return result_equal(&result, got, why, sizeof(why));
	}
	for (; k <= DECIDE_LAST; k++) {
		if (!(ALL_DECISIONS & DECIDED(k)))
			continue;
		*decisions |= DECIDED(k);
		if (fewest(call, got, k + 1, nr - 1, decisions))
			return true;
		*decisions &= ~DECIDED(k);
	}
	return false;
}

static bool explained(const struct proof *p, unsigned int *decisions, char *why, size_t size)
{
	struct naive_result result;
	unsigned int nr;
	char more[256];

	result_of_naive(p->call, NO_DECISION, &result);
	if (!result_equal(&result, &p->v->out, more, sizeof(more))) {
		snprintf(why, size, "the vector is not what the reference gives: it would have %s",
			 more);
		return false;
	}
	result_of_naive(p->call, ALL_DECISIONS, &result);
	if (!result_equal(p->got, &result, more, sizeof(more))) {
		snprintf(why, size, "no decision explains it: %s", more);
		return false;
	}
	for (nr = 1; nr <= MAX_REASONS; nr++) {
		if (fewest(p->call, p->got, 0, nr, decisions))
			break;
	}
	if (nr > MAX_REASONS) {
		snprintf(why, size, "more than %u decisions would have to explain it", MAX_REASONS);
		return false;
	}
	if (!others_untouched(p, *decisions)) {
		snprintf(why, size, "registers differ that have nothing to do with ranges");
		return false;
	}
	return proved(p, *decisions, why, size);
}

/**
 * judge() - make the call of a vector and judge its result
 * @vector: the vector
 * @decisions: receives the decisions that explain why the result is another; 0: it is the vector's
 * @why: receives what is wrong
 * @size: of @why
 *
 * A decision explains a difference if the reference, done again naively, gives the vector's result
 * without it and the library's with it, and what the decision is about is there.
 *
 * Return: true if the result is the vector's or decisions explain it, and if ranges are covered.
 */
bool judge(const struct vector *vector, unsigned int *decisions, char *why, size_t size)
{
	struct naive_result got;
	const struct proof p = { .v = vector, .call = &vector->call, .got = &got };

	*decisions = 0;
	if (!result_of_library(&vector->call, &got)) {
		snprintf(why, size, "more registers than there are, or two addresses of one");
		return false;
	}
	if (!result_covers(&vector->call, &got, why, size))
		return false;
	if (result_equal(&got, &vector->out, why, size))
		return true;
	return explained(&p, decisions, why, size);
}

/**
 * judge_decisions_text() - name decisions
 * @decisions: their bits
 * @text: receives for instance "4,11"
 * @size: of @text
 */
void judge_decisions_text(unsigned int decisions, char *text, size_t size)
{
	size_t len = 0;
	unsigned int k;

	text[0] = 0;
	for (k = 0; k <= DECIDE_LAST; k++) {
		if (decisions & DECIDED(k) && len < size)
			len += snprintf(text + len, size - len, "%s%u", len ? "," : "", k);
	}
}
