// SPDX-License-Identifier: GPL-2.0-only
/* Makes random calls: mostly values that are right, now and then one that is not. */
#include <string.h>

#include "random.h"
#include "userspace/montecito/lib/mont_event.h"

static uint64_t state = 1;

/**
 * random_seed() - start a sequence
 * @seed: which
 */
void random_seed(uint64_t seed)
{
	state = seed;
}

/**
 * random_u64() - next number of the sequence (splitmix64)
 *
 * Return: it.
 */
uint64_t random_u64(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/**
 * random_below() - a number below another
 * @nr: not 0
 *
 * Return: 0 to @nr - 1.
 */
unsigned int random_below(unsigned int nr)
{
	return random_u64() % nr;
}

static bool one_in(unsigned int nr)
{
	return !random_below(nr);
}

/* As wide as it may be, and rarely wider. */
static uint64_t bits(unsigned int width)
{
	return random_u64() >> (one_in(400) ? random_below(64) : 64 - width);
}

static unsigned int plm(void)
{
	return one_in(3) ? 0 : bits(4);
}

/* Addresses near boundaries of blocks make more of a difference than others. */
static uint64_t address(void)
{
	const uint64_t block = random_u64() & -(1ULL << random_below(64));

	switch (random_below(8)) {
	case 0:
		return random_below(256);
	case 1:
		return -(uint64_t)random_below(1 << 20);
	case 2:
		return random_u64() >> random_below(64);
	case 3:
		return block + random_below(64) - 32;
	default:
		return random_below(1 << 24);
	}
}

/**
 * random_range() - a range of any size, rarely empty or reversed
 * @range: receives it
 * @align: limits are multiples of it, mostly
 */
void random_range(pfmlib_mont_input_rr_desc_t *range, unsigned int align)
{
	const unsigned int width = one_in(8) ? random_below(64) : random_below(24);

	range->rr_plm = plm();
	range->rr_start = address();
	range->rr_end = range->rr_start + (random_u64() >> (63 - width));
	if (one_in(4))
		range->rr_end = range->rr_start + (1ULL << random_below(24));
	if (one_in(16))
		range->rr_end &= -(1ULL << random_below(24));
	if (range->rr_end < range->rr_start && !one_in(4))
		range->rr_end = UINT64_MAX;
	if (!one_in(100)) {
		range->rr_start &= -(uint64_t)align;
		range->rr_end &= -(uint64_t)align;
		if (range->rr_end == range->rr_start)
			range->rr_end += align;
	}
}

static void random_ranges(pfmlib_mont_input_rr_t *rr, unsigned int align)
{
	unsigned int i, nr = one_in(3) ? 1 + random_below(4) : 1;

	rr->rr_used = one_in(1000) ? random_below(256) : one_in(2);
	if (align > 1)
		rr->rr_flags = bits(4) & (one_in(4) ? -1 : ~PFMLIB_MONT_RR_INV);
	else if (one_in(30))
		rr->rr_flags = bits(4);
	for (i = 0; i < nr; i++)
		random_range(&rr->rr_limits[i], align);
	/* behind the end of the list, where nobody looks */
	if (nr < 3 && one_in(4))
		random_range(&rr->rr_limits[3], 1);
}

static void random_opcm(pfmlib_mont_opcm_t *opcm)
{
	opcm->opcm_used = one_in(1000) ? random_below(256) : one_in(5);
	opcm->opcm_m = bits(1);
	opcm->opcm_i = bits(1);
	opcm->opcm_f = bits(1);
	opcm->opcm_b = bits(1);
	opcm->opcm_match = bits(41);
	opcm->opcm_mask = bits(41);
}

static void random_ear(pfmlib_mont_ear_t *ear, unsigned int width)
{
	ear->ear_used = one_in(1000) ? random_below(256) : one_in(6);
	ear->ear_mode = one_in(20) ? random_below(5) : random_below(3);
	ear->ear_plm = plm();
	ear->ear_umask = bits(width);
}

static void random_etb(pfmlib_mont_etb_t *etb)
{
	etb->etb_used = one_in(1000) ? random_below(256) : one_in(6);
	etb->etb_plm = plm();
	etb->etb_ds = bits(1);
	etb->etb_tm = bits(2);
	etb->etb_ptm = bits(2);
	etb->etb_ppm = bits(2);
	etb->etb_brt = bits(2);
}

/* What the call is about: any events, those of a code, of a group, or that few counters have. */
static unsigned int random_event(unsigned int topic)
{
	static const unsigned char codes[] = { 0x08, 0x12, 0x44, 0x5f, 0x45, 0x46, 0x65,
					       0x66, 0x41, 0xe0, 0xe2, 0x43, 0xc8, 0x11 };
	unsigned int i, tries;

	for (tries = 0; tries < 2000; tries++) {
		const struct mont_event *event;

		i = random_below(mont_nr_events);
		event = &mont_events[i];
		if (one_in(50))
			return i;
		switch (topic) {
		case 0:
			return i;
		case 1:
			if (event->code == 0x08)
				return i;
			break;
		case 2:
			if (memchr(codes, event->code, sizeof(codes)))
				return i;
			break;
		case 3:
			if (event->group == PFMLIB_MONT_EVT_L1D_CACHE_GRP && event->set < 4)
				return i;
			break;
		case 4:
			if (event->group == PFMLIB_MONT_EVT_L2D_CACHE_GRP && event->set < 4)
				return i;
			break;
		case 5:
			if (event->counters != 0xfff0)
				return i;
			break;
		case 6:
			if (event->code != 0x12 && memchr(codes, event->code, sizeof(codes)))
				return i;
			break;
		case 7:
			if (event->iarr && event->darr && event->opcm)
				return i;
			break;
		default:
			if (event->iarr)
				return i;
		}
	}
	return i;
}

static void random_events(struct call *call)
{
	const unsigned int topic = random_below(9);
	pfmlib_input_param_t *inp = &call->inp;
	unsigned int i, k;

	inp->pfp_event_count = one_in(200) ? random_below(600) : random_below(one_in(3) ? 13 : 5);
	for (i = 0; i < inp->pfp_event_count && i < 16; i++) {
		pfmlib_event_t *e = &inp->pfp_events[i];

		e->event = random_event(one_in(8) ? random_below(9) : topic);
		if (one_in(500))
			e->event = mont_nr_events + random_below(2);
		if (one_in(10))
			e->plm = one_in(2) ? inp->pfp_dfl_plm : bits(4);
		if (e->event < mont_nr_events && mont_events[e->event].mesi)
			e->num_masks = one_in(100) ? 0 : 1 + random_below(4);
		else if (one_in(300))
			e->num_masks = 1 + random_below(60);
		for (k = 0; k < e->num_masks && k < PFMLIB_MAX_MASKS_PER_EVENT; k++)
			e->unit_masks[k] = random_below(one_in(100) ? 6 : 4);
		/* ignored */
		e->flags = random_u64();
		if (one_in(4))
			call->mod.pfp_mont_counters[i % 12].flags = one_in(20) ? bits(4) : 1;
		if (one_in(6))
			call->mod.pfp_mont_counters[i % 12].thres =
				random_below(one_in(20) ? 9 : 2);
	}
}

/* One feature more or less alone, so that not every call meets a refusal. */
static void simplify(struct call *call)
{
	pfmlib_mont_input_param_t *mod = &call->mod;
	const bool code = one_in(2);
	unsigned int i;

	mod->pfp_mont_opcm1.opcm_used = one_in(10);
	mod->pfp_mont_opcm2.opcm_used = one_in(10);
	mod->pfp_mont_iear.ear_used = 0;
	mod->pfp_mont_dear.ear_used = 0;
	mod->pfp_mont_etb.etb_used = 0;
	mod->pfp_mont_ipear.ipear_used = 0;
	mod->pfp_mont_irange.rr_used = code;
	mod->pfp_mont_drange.rr_used = !code;
	mod->pfp_mont_drange.rr_flags = 0;
	memset(&call->inp.pfp_unavail_pmcs, 0, sizeof(call->inp.pfp_unavail_pmcs));
	for (i = 0; i < PMU_MONT_NUM_COUNTERS; i++)
		mod->pfp_mont_counters[i].flags = PFMLIB_MONT_FL_EVT_NO_QUALCHECK;
}

/**
 * random_call() - a call of anything
 * @call: receives it
 */
void random_call(struct call *call)
{
	static const unsigned int features[] = { 32, 33, 34, 35, 37, 38, 39, 40, 41, 42 };
	pfmlib_input_param_t *inp = &call->inp;
	unsigned int i, nr;

	/* the rest of the events is never read */
	memset(&inp->pfp_events, 0, 16 * sizeof(*inp->pfp_events));
	memset(&inp->pfp_unavail_pmcs, 0, sizeof(inp->pfp_unavail_pmcs));
	memset(&call->mod, 0, sizeof(call->mod));
	call->has_inp = !one_in(300);
	call->has_out = !one_in(300);
	call->has_mod = !one_in(8);
	call->has_mod_out = call->has_mod ? !one_in(20) : one_in(20);
	inp->pfp_dfl_plm = one_in(100) ? 0 : 1 + random_below(15);
	if (one_in(500))
		inp->pfp_dfl_plm = random_u64();
	inp->pfp_flags = one_in(500) ? random_u64() : one_in(3);
	random_events(call);
	nr = one_in(3) ? random_below(10) : 0;
	for (i = 0; i < nr; i++) {
		const unsigned int pmc = one_in(6) ? features[random_below(10)] : random_below(32);

		inp->pfp_unavail_pmcs.bits[pmc / 64] |= 1UL << pmc % 64;
	}
	random_opcm(&call->mod.pfp_mont_opcm1);
	random_opcm(&call->mod.pfp_mont_opcm2);
	random_ear(&call->mod.pfp_mont_iear, 7);
	random_ear(&call->mod.pfp_mont_dear, 4);
	random_etb(&call->mod.pfp_mont_etb);
	call->mod.pfp_mont_ipear.ipear_used = one_in(1000) ? random_below(256) : one_in(6);
	call->mod.pfp_mont_ipear.ipear_plm = plm();
	call->mod.pfp_mont_ipear.ipear_delay = bits(8);
	random_ranges(&call->mod.pfp_mont_irange, 16);
	random_ranges(&call->mod.pfp_mont_drange, 1);
	if (one_in(2))
		simplify(call);
}

/**
 * random_event_list() - a call of events that are right, without any feature
 * @call: receives it
 */
void random_event_list(struct call *call)
{
	pfmlib_input_param_t *inp = &call->inp;
	unsigned int i, topic = random_below(9), nr;

	random_call(call);
	memset(&call->mod, 0, sizeof(call->mod));
	memset(&inp->pfp_unavail_pmcs, 0, sizeof(inp->pfp_unavail_pmcs));
	call->has_inp = true;
	call->has_out = true;
	inp->pfp_dfl_plm = PFM_PLM3;
	inp->pfp_flags = 0;
	inp->pfp_event_count = random_below(13);
	for (i = 0; i < inp->pfp_event_count; i++) {
		pfmlib_event_t *e = &inp->pfp_events[i];

		e->event = random_event(one_in(3) ? random_below(9) : topic);
		/* now and then the same once more */
		if (i && one_in(6))
			e->event = inp->pfp_events[i - 1].event;
		e->plm = 0;
		e->num_masks = mont_events[e->event].mesi;
		e->unit_masks[0] = 0;
	}
	nr = one_in(2) ? random_below(6) : 0;
	for (i = 0; i < nr; i++)
		inp->pfp_unavail_pmcs.bits[0] |= 1UL << random_below(16);
}
