// SPDX-License-Identifier: LGPL-2.1-or-later
/* Code ranges: the IBRs, and PMC38, which selects the active pairs. */
#include "mont_irange.h"
#include "mont_range.h"

#define PMC_IARC      38
#define PMC38_DEFAULT 0xdb6UL /* all pairs ignored */
#define NR_PAIRS      4

/* Fine mode: a range lies within 64 KB, and its limits are compared in lines of 32 bytes. */
#define FINE_PAGE_SHIFT 16
#define FINE_LINE	32
#define FINE_MASK	0x00000000ffff0000ULL
#define FINE_MAX_RANGES 2
#define BUNDLE		16

/* Event codes; every unit mask of a code belongs to its family. */
#define CODE_RETIRED 0x08
#define CODE_CYCLES  0x12

static const struct mont_range_kind code = {
	.name = "code",
	.align = BUNDLE,
	.bad = PFMLIB_ERR_IRRINVAL,
	.unaligned = PFMLIB_ERR_IRRALIGN,
	.too_many = PFMLIB_ERR_IRRTOOMANY,
	.too_big = PFMLIB_ERR_IRRTOOBIG,
};

/**
 * struct plan - how the pairs are used
 * @in: the ranges
 * @out: the registers
 * @nr: ranges
 * @nr_retired: events of retired instructions: each looks at the pair that its unit mask names
 * @nr_prefetch: events that prefetches take part in: those look at pair 1, others at pair 0
 * @cycles: an event of CPU cycles, which code ranges restrict by pair 0 alone
 * @fine: fine mode
 * @retired_only: no other events than of retired instructions
 * @base: the first pair to use
 * @dup: both pair 0 and pair 1 have to match the range
 */
struct plan {
	const pfmlib_mont_input_rr_t *in;
	pfmlib_mont_output_rr_t *out;
	unsigned int nr;
	unsigned int nr_retired;
	unsigned int nr_prefetch;
	bool cycles;
	bool fine;
	bool retired_only;
	unsigned int base;
	bool dup;
};

/* L1I_PREFETCHES, L1I_STRM_PREFETCHES, L2I_PREFETCHES */
static bool is_prefetch_only(unsigned int event_code)
{
	return event_code == 0x44 || event_code == 0x5f || event_code == 0x45;
}

/* ISB_BUNPAIRS_IN, L1I_FETCH_RAB_HIT, L1I_FETCH_ISB_HIT, L1I_FILLS: on demand or in advance */
static bool is_dual(unsigned int event_code)
{
	return event_code == 0x46 || event_code == 0x65 || event_code == 0x66 || event_code == 0x41;
}

static bool is_fine(const struct plan *plan)
{
	unsigned int i;

	if (plan->in->rr_flags & PFMLIB_MONT_RR_NO_FINE_MODE)
		return false;
	for (i = 0; i < plan->nr; i++) {
		const pfmlib_mont_input_rr_desc_t *range = &plan->in->rr_limits[i];

		if (range->rr_start >> FINE_PAGE_SHIFT != (range->rr_end - 1) >> FINE_PAGE_SHIFT)
			return false;
	}
	return true;
}

static void count_families(const struct mont_call *call, struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < call->inp->pfp_event_count; i++) {
		const unsigned int event_code = mont_call_event(call, i)->code;

		plan->nr_retired += event_code == CODE_RETIRED;
		plan->nr_prefetch += is_prefetch_only(event_code) || is_dual(event_code);
		plan->cycles |= event_code == CODE_CYCLES;
	}
	plan->retired_only = plan->nr_retired == call->inp->pfp_event_count;
}

static int check_number(const struct plan *plan)
{
	if (!plan->fine && !plan->retired_only && plan->nr > 1)
		return mont_refuse(PFMLIB_ERR_IRRTOOMANY,
				   "%u code ranges, but outside of fine mode there can be one; use "
				   "one, or ranges that do not cross a boundary of 64 KB, or only "
				   "events of retired instructions",
				   plan->nr);
	if (plan->fine && plan->nr > FINE_MAX_RANGES)
		return mont_refuse(PFMLIB_ERR_IRRTOOMANY,
				   "%u code ranges, but in fine mode each takes two pairs of "
				   "debug registers; use up to %d%s",
				   plan->nr, FINE_MAX_RANGES,
				   plan->retired_only ? ", or the flag NO_FINE_MODE" : "");
	return PFMLIB_SUCCESS;
}

/* Find which of pairs 0 and 1 the events use. */
static int choose_pairs(const struct mont_call *call, struct plan *plan)
{
	const unsigned int flags = plan->in->rr_flags;
	bool wants[2] = { !plan->nr_prefetch, false };
	unsigned int i;

	for (i = 0; i < call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(call, i);

		if (is_prefetch_only(event->code))
			wants[1] = true;
		if (!is_dual(event->code))
			continue;
		if (!(flags & (PFMLIB_MONT_IRR_DEMAND_FETCH | PFMLIB_MONT_IRR_PREFETCH_MATCH)))
			return mont_refuse(PFMLIB_ERR_IRRFLAGS,
					   "event %s at position %u of the list counts both demand "
					   "fetches and prefetches; select them with DEMAND_FETCH, "
					   "PREFETCH_MATCH or both",
					   event->name, i + 1);
		wants[0] |= !!(flags & PFMLIB_MONT_IRR_DEMAND_FETCH);
		wants[1] |= !!(flags & PFMLIB_MONT_IRR_PREFETCH_MATCH);
	}
	plan->base = wants[0] ? 0 : 1;
	plan->dup = wants[0] && wants[1];
	if ((plan->base || plan->dup) && plan->cycles)
		return mont_refuse(PFMLIB_ERR_FEATCOMB,
				   "CPU cycles cannot be counted in a range that prefetches are "
				   "counted in; measure them in another run");
	return PFMLIB_SUCCESS;
}

/* Fine mode and single pairs number addresses from 1. */
static void address_from_one(pfmlib_mont_output_rr_t *out)
{
	unsigned int i;

	for (i = 0; i < out->rr_nbr_used; i++) {
		out->rr_br[i].reg_addr = out->rr_br[i].reg_num + 1;
		out->rr_br[i].reg_alt_addr = out->rr_br[i].reg_num + 1;
	}
}

/* Each range takes a pair for its lower limit and the second next one for its upper limit. */
static void add_fine(const struct mont_call *call, const struct plan *plan, unsigned int base)
{
	unsigned int i, num;
	uint64_t low, high;

	for (i = 0; i < plan->nr; i++) {
		const pfmlib_mont_input_rr_desc_t *range = &plan->in->rr_limits[i];

		num = 2 * (base + i);
		low = range->rr_start & -(uint64_t)FINE_LINE;
		/* the last bundle that matches: the second one of its line */
		high = (range->rr_end - BUNDLE) | (FINE_LINE - BUNDLE);
		mont_range_add_pair(call, plan->out, num, low, FINE_MASK, range->rr_plm);
		mont_range_add_pair(call, plan->out, num + NR_PAIRS, high, FINE_MASK,
				    range->rr_plm);
		plan->out->rr_infos[i].rr_soff = range->rr_start - low;
		plan->out->rr_infos[i].rr_eoff = high - (range->rr_end - BUNDLE);
	}
}

static int program_fine(const struct mont_call *call, const struct plan *plan)
{
	if (plan->nr_prefetch && plan->nr > 1)
		return mont_refuse(PFMLIB_ERR_IRRTOOMANY,
				   "%u code ranges, but with events of prefetches there can be one; use one",
				   plan->nr);
	add_fine(call, plan, plan->base);
	if (plan->dup)
		add_fine(call, plan, plan->base + plan->nr);
	address_from_one(plan->out);
	return PFMLIB_SUCCESS;
}

/* The smallest block around the range, from the bits in which its first and last byte differ. */
static int find_block(const pfmlib_mont_input_rr_desc_t *range, struct mont_block *block)
{
	/* not 0: a bundle has 16 bytes */
	const uint64_t differ = range->rr_start ^ (range->rr_end - 1);
	const unsigned int order = 64 - __builtin_clzll(differ);

	if (order > MONT_COVER_MAX_ORDER)
		return mont_refuse(PFMLIB_ERR_IRRTOOBIG,
				   "code range 0x%lx to 0x%lx needs a block of 2^%u bytes, but a "
				   "mask matches up to 2^%d; use a smaller range, or one that does "
				   "not cross such a boundary",
				   range->rr_start, range->rr_end, order, MONT_COVER_MAX_ORDER);
	*block = (struct mont_block){ range->rr_start & -(1ULL << order), order };
	return PFMLIB_SUCCESS;
}

/* An ordinary event looks at pair 0; beside it each of retired instructions looks at its own. */
static int check_ordinary(const struct mont_call *call, const struct plan *plan)
{
	unsigned int i;

	if (plan->nr_prefetch + plan->nr_retired == call->inp->pfp_event_count)
		return PFMLIB_SUCCESS;
	if (plan->base)
		return mont_refuse(PFMLIB_ERR_FEATCOMB,
				   "a code range is to restrict prefetches by one pair of debug registers, "
				   "and another one restricts the other events; measure them in another run");
	for (i = 0; i < call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(call, i);

		if (event->code == CODE_RETIRED && event->umask > plan->dup)
			return mont_refuse(PFMLIB_ERR_FEATCOMB,
					   "event %s at position %u of the list looks at pair %u of the "
					   "debug registers, and the code range is not in that; take "
					   "IA64_INST_RETIRED, or measure it in another run",
					   event->name, i + 1, event->umask);
	}
	return PFMLIB_SUCCESS;
}

static int program_single(const struct mont_call *call, const struct plan *plan)
{
	const pfmlib_mont_input_rr_desc_t *range = &plan->in->rr_limits[0];
	struct mont_cover cover = { .nr = 1 };
	struct mont_block *block = &cover.blocks[0];
	unsigned int pair;
	int ret;

	ret = check_ordinary(call, plan);
	if (!ret)
		ret = find_block(range, block);
	if (ret)
		return ret;
	for (pair = plan->base; pair <= plan->base + plan->dup; pair++)
		mont_range_add_pair(call, plan->out, 2 * pair, block->base,
				    mont_range_mask(block->order), range->rr_plm);
	mont_cover_offsets(range->rr_start, range->rr_end, &cover, &plan->out->rr_infos[0].rr_soff,
			   &plan->out->rr_infos[0].rr_eoff);
	address_from_one(plan->out);
	return PFMLIB_SUCCESS;
}

static int program_ranges(const struct mont_call *call, const struct plan *plan)
{
	if (plan->fine)
		return program_fine(call, plan);
	if (plan->retired_only)
		return mont_range_cover(call, plan->in, plan->nr, &code, plan->out);
	return program_single(call, plan);
}

static bool has_retired_event(const struct mont_call *call, unsigned int pair)
{
	unsigned int i;

	for (i = 0; i < call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(call, i);

		if (event->code == CODE_RETIRED && event->umask == pair)
			return true;
	}
	return false;
}

/* Each pair of a retired-only range is seen by its own event; together they give the count. */
static int check_pairs(const struct mont_call *call, const struct plan *plan)
{
	static const char better[] = ", or use larger and better aligned ranges";
	const pfmlib_mont_output_rr_t *out = plan->out;
	const unsigned int nr = out->rr_nbr_used / 2;
	unsigned int i, pair;

	for (i = 0; i < out->rr_nbr_used; i += 2) {
		pair = out->rr_br[i].reg_num / 2;
		if (!has_retired_event(call, pair))
			return mont_refuse(PFMLIB_ERR_IRRINVAL,
					   "the code ranges take %u pair%s of debug registers, and "
					   "no event counts what pair %u matches; add "
					   "IA64_TAGGED_INST_RETIRED_IBRP%u_PMC%s%s",
					   nr, nr > 1 ? "s" : "", pair, pair,
					   pair % 2 ? "34_35" : "32_33",
					   nr > plan->nr ? better : "");
	}
	return PFMLIB_SUCCESS;
}

static uint64_t pmc38_value(const struct plan *plan)
{
	pfm_mont_pmc_reg_t reg = { .pmc_val = PMC38_DEFAULT };
	unsigned int i;

	for (i = 0; i < plan->out->rr_nbr_used; i += 2) {
		switch (plan->out->rr_br[i].reg_num) {
		case 0:
			reg.pmc38_mont_reg.iarc_ig_ibrp0 = 0;
			break;
		case 2:
			reg.pmc38_mont_reg.iarc_ig_ibrp1 = 0;
			break;
		case 4:
			reg.pmc38_mont_reg.iarc_ig_ibrp2 = 0;
			break;
		case 6:
			reg.pmc38_mont_reg.iarc_ig_ibrp3 = 0;
			break;
		}
	}
	reg.pmc38_mont_reg.iarc_fine = plan->fine;
	return reg.pmc_val;
}

/**
 * mont_irange_program() - append the IBRs and PMC38 if code ranges are used
 *
 * Return: PFMLIB_SUCCESS, or
 * PFMLIB_ERR_INVAL: no model output,
 * PFMLIB_ERR_IRRINVAL: no range or an empty one, or more pairs of registers than events of retired
 * instructions look at, PFMLIB_ERR_IRRALIGN: a limit inside a bundle,
 * PFMLIB_ERR_IRRTOOMANY: more ranges than the mode and the events allow,
 * PFMLIB_ERR_IRRTOOBIG: a range larger than masks can match,
 * PFMLIB_ERR_IRRFLAGS: an event of demand and prefetch without a flag that says which,
 * PFMLIB_ERR_FEATCOMB: events that look at other pairs than the range is in,
 * PFMLIB_ERR_NOASSIGN: PMC38 is not available.
 */
int mont_irange_program(struct mont_call *call)
{
	struct plan plan = { .nr = 0 };
	int ret;

	if (!mont_call_has_irange(call))
		return PFMLIB_SUCCESS;
	if (!call->mod_out)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "code ranges need debug registers, but there is no model output "
				   "for them; pass one");
	plan.in = &call->mod->pfp_mont_irange;
	plan.out = &call->mod_out->pfp_mont_irange;
	ret = mont_range_count(plan.in, &code, &plan.nr);
	if (ret)
		return ret;
	count_families(call, &plan);
	plan.fine = is_fine(&plan);
	call->irange_fine = plan.fine;
	ret = check_number(&plan);
	if (!ret)
		ret = choose_pairs(call, &plan);
	if (!ret)
		ret = program_ranges(call, &plan);
	if (!ret && !plan.fine && plan.retired_only)
		ret = check_pairs(call, &plan);
	if (!ret)
		ret = mont_call_add_pmc(call, PMC_IARC, pmc38_value(&plan), "a code range");
	return ret;
}

/**
 * pfm_mont_irange_is_fine() - whether code ranges are in fine mode
 * @outp: what pfm_dispatch_events() gave, when it succeeded
 * @mod_out: and in the model output
 *
 * Return: 1 if so, else 0; also 0 if one of both is NULL.
 */
int pfm_mont_irange_is_fine(pfmlib_output_param_t *outp, pfmlib_mont_output_param_t *mod_out)
{
	unsigned int i;

	if (!outp || !mod_out || outp->pfp_pmc_count >= PFMLIB_MAX_PMCS ||
	    !mod_out->pfp_mont_irange.rr_nbr_used)
		return 0;
	for (i = 0; i < outp->pfp_pmc_count; i++) {
		const pfm_mont_pmc_reg_t reg = { .pmc_val = outp->pfp_pmcs[i].reg_value };

		if (outp->pfp_pmcs[i].reg_num == PMC_IARC)
			return reg.pmc38_mont_reg.iarc_fine;
	}
	return 0;
}
