// SPDX-License-Identifier: GPL-2.0-only
/* A second, naive pfm_dispatch_events(), for tests to compare with. */
#include <stdarg.h>
#include <string.h>

#include "naive.h"
#include "naive_cover.h"
#include "userspace/montecito/lib/mont_event.h"

/* Everything that the steps hand on. */
struct state {
	const pfmlib_input_param_t *inp;
	const pfmlib_mont_input_param_t *mod;
	bool has_out;
	bool has_mod_out;
	unsigned int decisions;
	struct naive_result *r;
	unsigned int nr;
	const struct mont_event *events[12];
	bool fine;
};

static bool decided(const struct state *s, enum naive_decision k)
{
	return s->decisions & DECIDED(k);
}

static bool unavailable(const struct state *s, unsigned int pmc)
{
	return s->inp->pfp_unavail_pmcs.bits[pmc / 64] & 1UL << pmc % 64;
}

static unsigned int levels(const struct state *s, unsigned int plm)
{
	return (plm == 0 ? s->inp->pfp_dfl_plm : plm) % 16;
}

static uint64_t systemwide(const struct state *s)
{
	return s->inp->pfp_flags % 2;
}

static int add_pmc(struct state *s, unsigned int num, uint64_t value)
{
	if (unavailable(s, num))
		return PFMLIB_ERR_NOASSIGN;
	s->r->pmcs[s->r->nr_pmcs++] = (struct naive_reg){ num, num, value };
	return 0;
}

static void add_pmd(struct state *s, unsigned int num)
{
	s->r->pmds[s->r->nr_pmds++] = (struct naive_reg){ num, num, 0 };
}

static void add_buffer(struct state *s)
{
	unsigned int i;

	add_pmd(s, 38);
	add_pmd(s, 39);
	for (i = 48; i < 64; i++)
		add_pmd(s, i);
}

static int generic(struct state *s)
{
	unsigned int i, k;

	if (!s->inp || !s->has_out)
		return PFMLIB_ERR_INVAL;
	if (s->inp->pfp_dfl_plm == 0 || s->inp->pfp_event_count >= 512)
		return PFMLIB_ERR_INVAL;
	if (s->inp->pfp_event_count > 12)
		return PFMLIB_ERR_NOASSIGN;
	s->nr = s->inp->pfp_event_count;
	for (i = 0; i < s->nr; i++) {
		const pfmlib_event_t *e = &s->inp->pfp_events[i];

		if (e->event >= mont_nr_events || e->num_masks > 48)
			return PFMLIB_ERR_INVAL;
		s->events[i] = &mont_events[e->event];
		if (s->events[i]->mesi != !!e->num_masks)
			return PFMLIB_ERR_UMASK;
		for (k = 0; k < e->num_masks; k++) {
			if (e->unit_masks[k] >= 4)
				return PFMLIB_ERR_UMASK;
		}
	}
	return 0;
}

static int bad_used(const struct state *s)
{
	const pfmlib_mont_input_param_t *m = s->mod;

	return m && (m->pfp_mont_opcm1.opcm_used > 1 || m->pfp_mont_opcm2.opcm_used > 1 ||
		     m->pfp_mont_iear.ear_used > 1 || m->pfp_mont_dear.ear_used > 1 ||
		     m->pfp_mont_etb.etb_used > 1 || m->pfp_mont_ipear.ipear_used > 1 ||
		     m->pfp_mont_drange.rr_used > 1 || m->pfp_mont_irange.rr_used > 1);
}

static int qualifiers(const struct state *s)
{
	const pfmlib_mont_input_param_t *m = s->mod;
	unsigned int i;

	for (i = 0; m && i < s->nr; i++) {
		if (m->pfp_mont_counters[i].flags % 2)
			continue;
		if (m->pfp_mont_irange.rr_used && !s->events[i]->iarr)
			return PFMLIB_ERR_FEATCOMB;
		if (m->pfp_mont_drange.rr_used && !s->events[i]->darr)
			return PFMLIB_ERR_FEATCOMB;
		if (m->pfp_mont_opcm1.opcm_used && !s->events[i]->opcm)
			return PFMLIB_ERR_FEATCOMB;
		if (m->pfp_mont_opcm2.opcm_used && !s->events[i]->opcm)
			return PFMLIB_ERR_FEATCOMB;
	}
	for (i = 0; m && i < s->nr; i++) {
		const unsigned int plm = s->inp->pfp_events[i].plm;

		if (m->pfp_mont_irange.rr_used || m->pfp_mont_drange.rr_used) {
			if (plm != 0 && plm != s->inp->pfp_dfl_plm)
				return PFMLIB_ERR_FEATCOMB;
		}
	}
	return 0;
}

/* Where an event wants to be: those of lower turns choose first, each from its list in order. */
struct wish {
	unsigned int turn;
	unsigned int nr;
	unsigned int cntrs[12];
};

static void wish_for(struct wish *w, unsigned int turn, unsigned int mask)
{
	unsigned int pmc;

	w->turn = turn;
	w->nr = 0;
	for (pmc = 4; pmc < 16; pmc++) {
		if (mask & 1u << pmc)
			w->cntrs[w->nr++] = pmc;
	}
}

static int check_sets(const struct state *s)
{
	bool l1d[256] = { false }, l2d[256] = { false };
	unsigned int i, nr_l1d = 0, nr_l2d = 0, cancels = 0;

	for (i = 0; i < s->nr; i++) {
		const unsigned int set = (uint8_t)s->events[i]->set;

		if (s->events[i]->group == PFMLIB_MONT_EVT_L1D_CACHE_GRP && !l1d[set]) {
			l1d[set] = true;
			nr_l1d++;
		}
		if (s->events[i]->group == PFMLIB_MONT_EVT_L2D_CACHE_GRP && !l2d[set]) {
			l2d[set] = true;
			nr_l2d++;
		}
		cancels += s->events[i]->code == 0xe0;
		cancels += s->events[i]->code == 0xe2;
	}
	if (nr_l1d > 1 || nr_l2d > 2)
		return PFMLIB_ERR_EVTSET;
	return cancels > 1 ? PFMLIB_ERR_INVAL : 0;
}

static int assign(const struct state *s, unsigned int *where)
{
	static const unsigned int first_set[] = { 4, 5, 8 }, second_set[] = { 6, 7, 9 };
	unsigned int i, k, turn, of_first = 0, of_second = 0;
	bool taken[16] = { false };
	struct wish wishes[12];
	int first = -1, l1d = -1, ret = check_sets(s);

	if (ret)
		return ret;
	for (i = 0; i < s->nr; i++) {
		const struct mont_event *event = s->events[i];

		wish_for(&wishes[i], event->counters == 0xfff0 ? 3 : 2, event->counters);
		if (event->group == PFMLIB_MONT_EVT_L1D_CACHE_GRP)
			l1d = i;
		if (event->group != PFMLIB_MONT_EVT_L2D_CACHE_GRP)
			continue;
		if (first < 0)
			first = event->set;
		if (event->set == first && of_first < 3)
			wish_for(&wishes[i], 1, 1u << first_set[of_first++]);
		else if (event->set != first && of_second < 3)
			wish_for(&wishes[i], 1, 1u << second_set[of_second++]);
	}
	if (l1d >= 0)
		wish_for(&wishes[l1d], 0, 1u << 5);
	for (turn = 0; turn < 4; turn++) {
		for (i = 0; i < s->nr; i++) {
			if (wishes[i].turn != turn)
				continue;
			for (k = 0; k < wishes[i].nr; k++) {
				if (!taken[wishes[i].cntrs[k]] &&
				    !unavailable(s, wishes[i].cntrs[k]))
					break;
			}
			if (k == wishes[i].nr)
				return PFMLIB_ERR_NOASSIGN;
			where[i] = wishes[i].cntrs[k];
			taken[where[i]] = true;
		}
	}
	return 0;
}

static int counters(struct state *s)
{
	unsigned int where[12], i, k;
	int ret = assign(s, where);

	for (i = 0; !ret && i < s->nr; i++) {
		const struct mont_event *event = s->events[i];
		const pfmlib_event_t *e = &s->inp->pfp_events[i];
		uint64_t value = 2ULL << 24;

		if (s->mod && s->mod->pfp_mont_counters[i].flags & 2)
			return PFMLIB_ERR_NOTSUPP;
		value |= levels(s, e->plm) | systemwide(s) << 6 | (uint64_t)event->code << 8;
		if (event->ear == MONT_EAR_NONE)
			value |= (uint64_t)(event->umask % 16) << 16;
		if (s->mod)
			value |= (uint64_t)(s->mod->pfp_mont_counters[i].thres % 8) << 20;
		for (k = 0; event->mesi && k < e->num_masks; k++)
			value |= 1ULL << (27 + e->unit_masks[k]);
		ret = add_pmc(s, where[i], value);
		add_pmd(s, where[i]);
	}
	return ret;
}

/* Mode and umask of the first event of a kind, or what was asked for; false if there is neither. */
static bool find_ear(const struct state *s, const pfmlib_mont_ear_t *param, bool data,
		     pfmlib_mont_ear_t *found)
{
	static const unsigned int modes[] = {
		[MONT_EAR_I_CACHE] = 0, [MONT_EAR_I_TLB] = 1,  [MONT_EAR_D_CACHE] = 0,
		[MONT_EAR_D_TLB] = 1,	[MONT_EAR_D_ALAT] = 2,
	};
	unsigned int i;

	if (param && param->ear_used) {
		*found = *param;
		return true;
	}
	for (i = 0; i < s->nr; i++) {
		const unsigned int ear = s->events[i]->ear;

		if (ear < (data ? MONT_EAR_D_CACHE : MONT_EAR_I_CACHE) ||
		    ear > (data ? MONT_EAR_D_ALAT : MONT_EAR_I_TLB))
			continue;
		found->ear_mode = modes[ear];
		found->ear_plm = 0;
		found->ear_umask = s->events[i]->umask;
		return true;
	}
	return false;
}

static int iear(struct state *s)
{
	pfmlib_mont_ear_t ear;
	uint64_t value;
	int ret;

	if (!find_ear(s, s->mod ? &s->mod->pfp_mont_iear : NULL, false, &ear))
		return 0;
	value = levels(s, ear.ear_plm) | systemwide(s) << 4;
	if (ear.ear_mode == 0)
		value |= ear.ear_umask % 256 << 5 | 1 << 13;
	else if (ear.ear_mode == 1)
		value |= ear.ear_umask % 128 << 5;
	else
		return PFMLIB_ERR_INVAL;
	ret = add_pmc(s, 37, value);
	add_pmd(s, 34);
	add_pmd(s, 35);
	return ret;
}

static int dear(struct state *s)
{
	pfmlib_mont_ear_t ear;
	int ret;

	if (!find_ear(s, s->mod ? &s->mod->pfp_mont_dear : NULL, true, &ear))
		return 0;
	if ((unsigned int)ear.ear_mode > 2)
		return PFMLIB_ERR_INVAL;
	ret = add_pmc(s, 40,
		      levels(s, ear.ear_plm) | systemwide(s) << 6 | (uint64_t)ear.ear_mode << 7 |
			      ear.ear_umask % 16 << 16 | 2ULL << 24);
	add_pmd(s, 32);
	add_pmd(s, 33);
	add_pmd(s, 36);
	return ret;
}

static unsigned int count_codes(const struct state *s, const char *codes)
{
	unsigned int i, nr = 0;

	for (i = 0; i < s->nr; i++)
		nr += !!memchr(codes, s->events[i]->code, strlen(codes));
	return nr;
}

static void add_pair(const struct state *s, struct naive_ranges *out, unsigned int reg,
		     unsigned int addr, uint64_t base, uint64_t mask, unsigned int plm)
{
	out->br[out->nr++] = (struct naive_reg){ reg, reg + addr, base };
	out->br[out->nr++] = (struct naive_reg){ reg + 1, reg + 1 + addr,
						 mask | (uint64_t)levels(s, plm) << 56 };
}

/* The mask word of 2^order bytes; without the decision, larger ones than fit are just cut. */
static uint64_t mask_of(unsigned int order)
{
	const u128 ignored = ((u128)1 << order) - 1;

	return ~(uint64_t)ignored & 0xffffffffffffffULL;
}

static int normal(struct state *s, const pfmlib_mont_input_rr_t *in, unsigned int n,
		  struct naive_ranges *out)
{
	struct naive_cover covers[4];
	unsigned int i, k, reg = 0;
	int ret;

	ret = naive_cover_all(in->rr_limits, n, s->decisions, covers, out->soff, out->eoff);
	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		for (k = 0; k < covers[i].nr; k++) {
			add_pair(s, out, reg, 0, covers[i].base[k], mask_of(covers[i].order[k]),
				 in->rr_limits[i].rr_plm);
			reg += 2;
		}
	}
	return 0;
}

static int single(struct state *s, const pfmlib_mont_input_rr_desc_t *range, unsigned int pair,
		  struct naive_ranges *out)
{
	const uint64_t size = range->rr_end - range->rr_start;
	unsigned int m = naive_highest_bit(size, s->decisions);
	uint64_t base = 0;
	u128 behind = 0;

	if (size != (m < 64 ? 1ULL << m : 0)) {
		if (m > 62)
			return PFMLIB_ERR_IRRTOOBIG;
		m++;
	}
	for (; m < 64; m++) {
		base = range->rr_start / (1ULL << m) * (1ULL << m);
		behind = (u128)base + (1ULL << m);
		if (!decided(s, DECIDE_TOP))
			behind = (uint64_t)behind;
		if (behind >= range->rr_end)
			break;
	}
	/* no block holds it, whatever its size */
	if (m >= 64 && !decided(s, DECIDE_MASK))
		return PFMLIB_ERR_IRRINVAL;
	if (m > 56 && decided(s, DECIDE_MASK))
		return PFMLIB_ERR_IRRTOOBIG;
	add_pair(s, out, 2 * pair, 1, base, mask_of(m), range->rr_plm);
	out->soff[0] = range->rr_start - base;
	out->eoff[0] = behind - range->rr_end;
	return 0;
}

static void fine(struct state *s, const pfmlib_mont_input_rr_t *in, unsigned int n,
		 unsigned int pair, struct naive_ranges *out)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		const pfmlib_mont_input_rr_desc_t *range = &in->rr_limits[i];
		const unsigned int info = decided(s, DECIDE_INFOS) ? i : 0;
		const unsigned int reg = 2 * (pair + i);
		const uint64_t low = range->rr_start / 32 * 32;
		uint64_t high = range->rr_end - 16;

		if (high % 32 == 0)
			high += 16;
		add_pair(s, out, reg, 1, low, 0xffff0000, range->rr_plm);
		add_pair(s, out, reg + 4, 1, high, 0xffff0000, range->rr_plm);
		out->soff[info] = range->rr_start - low;
		out->eoff[info] = high + 16 - range->rr_end;
	}
}

static bool all_fine(const struct state *s, const pfmlib_mont_input_rr_t *in, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		const uint64_t start = in->rr_limits[i].rr_start, end = in->rr_limits[i].rr_end;

		if (decided(s, DECIDE_FINE) ? start / 65536 != (end - 1) / 65536
					    : (start ^ end) % 0x100000000ULL / 65536 != 0)
			return false;
	}
	return !(in->rr_flags & PFMLIB_MONT_RR_NO_FINE_MODE);
}

static int list(const pfmlib_mont_input_rr_t *in, unsigned int align, int bad, unsigned int *n)
{
	for (*n = 0; *n < 4; (*n)++) {
		const uint64_t start = in->rr_limits[*n].rr_start, end = in->rr_limits[*n].rr_end;

		if (start == 0 && end == 0)
			break;
		if (start >= end)
			return bad;
		if (start % align || end % align)
			return PFMLIB_ERR_IRRALIGN;
	}
	return 0;
}

/* An event of retired instructions looks at a pair behind the last one that is used. */
static bool looks_past(const struct state *s, unsigned int last)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		if (s->events[i]->code == 8 && s->events[i]->umask > last)
			return true;
	}
	return false;
}

/* Ranges outside of fine mode. */
static int coarse(struct state *s, const pfmlib_mont_input_rr_t *in, unsigned int n,
		  unsigned int base, bool dup, struct naive_ranges *out)
{
	const unsigned int retired = count_codes(s, "\x08");
	const unsigned int prefetch = count_codes(s, "\x44\x5f\x45\x46\x65\x66\x41");
	int ret;

	if (retired == s->nr) {
		ret = normal(s, in, n, out);
		return ret == PFMLIB_ERR_TOOMANY ? PFMLIB_ERR_IRRTOOMANY : ret;
	}
	/* an ordinary event looks at pair 0, and those of retired instructions at their own */
	if (prefetch + retired != s->nr &&
	    (!decided(s, DECIDE_ONE_PAIR) || base == 1 || looks_past(s, dup ? 1 : 0)))
		return PFMLIB_ERR_FEATCOMB;
	ret = single(s, &in->rr_limits[0], base, out);
	if (!ret && dup)
		ret = single(s, &in->rr_limits[0], base + decided(s, DECIDE_BOTH_PAIRS), out);
	return ret;
}

static int finish_irange(struct state *s, const struct naive_ranges *out)
{
	const bool retired_only = count_codes(s, "\x08") == s->nr;
	uint64_t pmc38 = s->fine ? 0xdb6 | 1 << 13 : 0xdb6;
	unsigned int i, k, pair;
	bool seen;

	for (i = 0; i < out->nr; i += 2) {
		pair = out->br[i].num / 2;
		pmc38 &= ~(2ULL << (3 * pair));
		if (s->fine || !retired_only)
			continue;
		seen = false;
		for (k = 0; k < s->nr; k++)
			seen = seen || (s->events[k]->code == 8 && s->events[k]->umask == pair);
		if (!seen)
			return PFMLIB_ERR_IRRINVAL;
	}
	return add_pmc(s, 38, pmc38);
}

static int irange(struct state *s)
{
	const pfmlib_mont_input_rr_t *in;
	struct naive_ranges *out = &s->r->irange;
	unsigned int n, only, dual;
	bool demand, ahead, pair0, pair1, dup;
	int ret;

	if (!s->mod || !s->mod->pfp_mont_irange.rr_used)
		return 0;
	if (!s->has_mod_out)
		return PFMLIB_ERR_INVAL;
	in = &s->mod->pfp_mont_irange;
	ret = list(in, 16, PFMLIB_ERR_IRRINVAL, &n);
	if (ret || n == 0)
		return ret ? ret : PFMLIB_ERR_IRRINVAL;
	s->fine = all_fine(s, in, n);
	if (s->fine ? n > 2 : n > 1 && count_codes(s, "\x08") != s->nr)
		return PFMLIB_ERR_IRRTOOMANY;
	only = count_codes(s, "\x44\x5f\x45");
	dual = count_codes(s, "\x46\x65\x66\x41");
	demand = in->rr_flags & PFMLIB_MONT_IRR_DEMAND_FETCH;
	ahead = in->rr_flags & PFMLIB_MONT_IRR_PREFETCH_MATCH;
	if (dual && !demand && !ahead)
		return PFMLIB_ERR_IRRFLAGS;
	pair0 = only + dual == 0 || (dual && demand);
	pair1 = only || (dual && ahead);
	dup = pair0 && pair1;
	if (pair1 && count_codes(s, "\x12"))
		return PFMLIB_ERR_FEATCOMB;
	if (!s->fine) {
		ret = coarse(s, in, n, pair0 ? 0 : 1, dup, out);
	} else {
		if (only + dual && n > 1)
			return PFMLIB_ERR_IRRTOOMANY;
		fine(s, in, n, pair0 ? 0 : 1, out);
		if (dup)
			fine(s, in, n, n, out);
	}
	return ret ? ret : finish_irange(s, out);
}

static bool uses(const struct naive_ranges *out, unsigned int pair)
{
	unsigned int i;

	for (i = 0; i < out->nr; i++) {
		if (out->br[i].num == 2 * pair)
			return true;
	}
	return false;
}

static int drange(struct state *s)
{
	static const uint64_t cfg[] = { 3, 2, 3, 0, 1, 0, 1, 0 };
	const pfmlib_mont_input_param_t *m = s->mod;
	uint64_t pmc41 = 0x2078fefefefeULL;
	unsigned int n, k, code, opcode;
	int ret;

	if (!m || !(m->pfp_mont_drange.rr_used || m->pfp_mont_irange.rr_used))
		return 0;
	if (m->pfp_mont_drange.rr_used) {
		if (!s->has_mod_out)
			return PFMLIB_ERR_INVAL;
		ret = list(&m->pfp_mont_drange, 1,
			   decided(s, DECIDE_DRRINVAL) ? PFMLIB_ERR_DRRINVAL : PFMLIB_ERR_IRRINVAL,
			   &n);
		if (ret || n == 0)
			return ret ? ret : PFMLIB_ERR_DRRINVAL;
		if (normal(s, &m->pfp_mont_drange, n, &s->r->drange))
			return PFMLIB_ERR_DRRTOOMANY;
	}
	for (k = 0; k < 4; k++) {
		code = 0;
		opcode = (k % 2 ? m->pfp_mont_opcm2 : m->pfp_mont_opcm1).opcm_used ? 2 : 0;
		if (m->pfp_mont_drange.rr_used && uses(&s->r->drange, k))
			code |= 1 | opcode;
		if (m->pfp_mont_irange.rr_used && uses(&s->r->irange, k) && (!s->fine || k < 2))
			code |= 4 | opcode;
		pmc41 &= ~(3ULL << (3 + 8 * k) | 1ULL << (45 + k));
		pmc41 |= cfg[code] << (3 + 8 * k) | (uint64_t)(code != 0) << (45 + k);
	}
	return add_pmc(s, 41, pmc41);
}

static uint64_t slots(const pfmlib_mont_opcm_t *o)
{
	return o->opcm_mask % (1UL << 41) | (uint64_t)(o->opcm_b % 2) << 48 |
	       (uint64_t)(o->opcm_f % 2) << 49 | (uint64_t)(o->opcm_i % 2) << 50 |
	       (uint64_t)(o->opcm_m % 2) << 51;
}

static int opcm(struct state *s)
{
	const pfmlib_mont_input_param_t *m = s->mod;
	uint64_t value;
	int ret = 0;

	if (m && (m->pfp_mont_opcm1.opcm_used || m->pfp_mont_irange.rr_used)) {
		value = m->pfp_mont_opcm1.opcm_used ? slots(&m->pfp_mont_opcm1)
						    : 0x000f01ffffffffffULL;
		/* ignore the range, or use it, turned round or not */
		if (!m->pfp_mont_irange.rr_used)
			value |= 2ULL << 56;
		else
			value |= (uint64_t)(m->pfp_mont_irange.rr_flags % 2) << 56;
		/* all remaining bits of the default: slots and bits 56 and 57 */
		ret = add_pmc(s, 32, value);
		if (!ret && m->pfp_mont_opcm1.opcm_used)
			ret = add_pmc(s, 33, m->pfp_mont_opcm1.opcm_match % (1UL << 41));
	}
	if (!ret && m && m->pfp_mont_opcm2.opcm_used) {
		ret = add_pmc(s, 34, slots(&m->pfp_mont_opcm2));
		if (!ret)
			ret = add_pmc(s, 35, m->pfp_mont_opcm2.opcm_match % (1UL << 41));
	}
	return ret;
}

static bool has_etb_event(const struct state *s)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		if (s->events[i]->etb)
			return true;
	}
	return false;
}

static int etb(struct state *s)
{
	const pfmlib_mont_input_param_t *m = s->mod;
	const bool event = has_etb_event(s), param = m && m->pfp_mont_etb.etb_used;
	bool bad = m && m->pfp_mont_dear.ear_used &&
		   (m->pfp_mont_dear.ear_mode == 1 || m->pfp_mont_dear.ear_mode == 2);
	uint64_t value = 0;
	unsigned int i;
	int ret;

	for (i = 0; i < s->nr; i++)
		bad = bad || s->events[i]->ear == MONT_EAR_D_TLB ||
		      s->events[i]->ear == MONT_EAR_D_ALAT;
	if (!event && !param)
		return bad ? add_pmc(s, 39, 0) : 0;
	value = systemwide(s) << 6;
	if (param) {
		const pfmlib_mont_etb_t *e = &m->pfp_mont_etb;

		value |= levels(s, e->etb_plm) | (uint64_t)(e->etb_tm % 4) << 8 |
			 (uint64_t)(e->etb_ptm % 4) << 10 | (uint64_t)(e->etb_ppm % 4) << 12 |
			 (uint64_t)(e->etb_brt % 4) << 14;
		if (decided(s, DECIDE_DS))
			value |= (uint64_t)(e->etb_ds % 2) << 7;
	} else {
		value |= levels(s, 0) | 0x3f << 8;
	}
	if (bad && value)
		return PFMLIB_ERR_EVTINCOMP;
	ret = add_pmc(s, 39, value);
	add_buffer(s);
	return ret;
}

static int ipear(struct state *s)
{
	const pfmlib_mont_input_param_t *m = s->mod;
	int ret;

	if (!m || !m->pfp_mont_ipear.ipear_used)
		return 0;
	if (m->pfp_mont_etb.etb_used || has_etb_event(s))
		return PFMLIB_ERR_FEATCOMB;
	ret = add_pmc(s, 42,
		      levels(s, m->pfp_mont_ipear.ipear_plm) | systemwide(s) << 6 | 4 << 8 |
			      (uint64_t)(m->pfp_mont_ipear.ipear_delay % 256) << 11);
	add_buffer(s);
	return ret;
}

/* Any of the values that are used is wider than the bits it has. */
static bool wide(uint64_t value, unsigned int bits)
{
	return value >> bits != 0;
}

static bool wide_ranges(const pfmlib_mont_input_rr_t *in)
{
	bool found = in->rr_used && wide(in->rr_flags, 4);
	unsigned int i;

	for (i = 0; in->rr_used && i < 4; i++) {
		if (in->rr_limits[i].rr_start == 0 && in->rr_limits[i].rr_end == 0)
			break;
		found = found || wide(in->rr_limits[i].rr_plm, 4);
	}
	return found;
}

static bool wide_opcm(const pfmlib_mont_opcm_t *o)
{
	return o->opcm_used &&
	       (wide(o->opcm_m, 1) || wide(o->opcm_i, 1) || wide(o->opcm_f, 1) ||
		wide(o->opcm_b, 1) || wide(o->opcm_match, 41) || wide(o->opcm_mask, 41));
}

static bool wide_ear(const pfmlib_mont_ear_t *ear, unsigned int umask_bits)
{
	return ear->ear_used && (wide(ear->ear_plm, 4) || wide(ear->ear_umask, umask_bits));
}

static bool wide_mod(const pfmlib_mont_input_param_t *m)
{
	const pfmlib_mont_etb_t *e = &m->pfp_mont_etb;

	if (wide_opcm(&m->pfp_mont_opcm1) || wide_opcm(&m->pfp_mont_opcm2))
		return true;
	if (wide_ear(&m->pfp_mont_iear, m->pfp_mont_iear.ear_mode == 1 ? 7 : 8) ||
	    wide_ear(&m->pfp_mont_dear, 4))
		return true;
	if (e->etb_used && (wide(e->etb_plm, 4) || wide(e->etb_ds, 1) || wide(e->etb_tm, 2) ||
			    wide(e->etb_ptm, 2) || wide(e->etb_ppm, 2) || wide(e->etb_brt, 2)))
		return true;
	if (m->pfp_mont_ipear.ipear_used &&
	    (wide(m->pfp_mont_ipear.ipear_plm, 4) || wide(m->pfp_mont_ipear.ipear_delay, 8)))
		return true;
	return wide_ranges(&m->pfp_mont_irange) || wide_ranges(&m->pfp_mont_drange);
}

static bool has_wide(const struct state *s)
{
	unsigned int i;

	if (wide(s->inp->pfp_dfl_plm, 4) || wide(s->inp->pfp_flags, 1))
		return true;
	for (i = 0; i < s->nr; i++) {
		if (wide(s->inp->pfp_events[i].plm, 4))
			return true;
		if (!s->mod)
			continue;
		if (s->mod->pfp_mont_counters[i].thres >= s->events[i]->maxincr ||
		    wide(s->mod->pfp_mont_counters[i].thres, 3) ||
		    wide(s->mod->pfp_mont_counters[i].flags, 4))
			return true;
	}
	return s->mod && wide_mod(s->mod);
}

/* What inverts a range cannot, and ranges of data cannot be inverted. */
static int check_flags(const struct state *s)
{
	const pfmlib_mont_input_param_t *m = s->mod;

	if (m && m->pfp_mont_drange.rr_used && m->pfp_mont_drange.rr_flags % 2)
		return PFMLIB_ERR_INVAL;
	if (m && m->pfp_mont_irange.rr_used && m->pfp_mont_irange.rr_flags % 2 &&
	    (uses(&s->r->irange, 1) || (!s->fine && uses(&s->r->irange, 2)) ||
	     (!s->fine && uses(&s->r->irange, 3)) || (s->fine && uses(&s->r->irange, 3))))
		return PFMLIB_ERR_IRRFLAGS;
	/* by mask the block has to be the range itself */
	if (m && m->pfp_mont_irange.rr_used && m->pfp_mont_irange.rr_flags % 2 && !s->fine &&
	    (s->r->irange.soff[0] || s->r->irange.eoff[0]))
		return PFMLIB_ERR_IRRFLAGS;
	return 0;
}

static int montecito(struct state *s)
{
	static int (*const steps[])(struct state *) = {
		counters, iear, dear, irange, drange, opcm, etb, ipear,
	};
	unsigned int i;
	int ret;

	if (s->has_mod_out && !s->mod)
		return PFMLIB_ERR_INVAL;
	if (decided(s, DECIDE_UNDEFINED) && bad_used(s))
		return PFMLIB_ERR_INVAL;
	ret = qualifiers(s);
	for (i = 0; !ret && i < sizeof(steps) / sizeof(*steps); i++)
		ret = steps[i](s);
	if (!ret && decided(s, DECIDE_WIDTH) && has_wide(s))
		ret = PFMLIB_ERR_INVAL;
	if (!ret && decided(s, DECIDE_INVERSE))
		ret = check_flags(s);
	return ret;
}

/**
 * naive_dispatch() - what pfm_dispatch_events() has to answer
 * @inp: generic input, or NULL
 * @mod: model input, or NULL
 * @has_out: generic output is given
 * @has_mod_out: model output is given, and zeroed
 * @decisions: which of them hold; NO_DECISION is the reference
 * @result: receives the result
 */
void naive_dispatch(const pfmlib_input_param_t *inp, const pfmlib_mont_input_param_t *mod,
		    bool has_out, bool has_mod_out, unsigned int decisions,
		    struct naive_result *result)
{
	struct state s = {
		.inp = inp,
		.mod = mod,
		.has_out = has_out,
		.has_mod_out = has_mod_out,
		.decisions = decisions,
		.r = result,
	};

	memset(result, 0, sizeof(*result));
	result->has_mod = has_mod_out;
	result->ret = generic(&s);
	if (!result->ret)
		result->ret = montecito(&s);
	result->fine = has_mod_out && s.fine && result->irange.nr;
}
