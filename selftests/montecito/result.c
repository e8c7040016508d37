// SPDX-License-Identifier: GPL-2.0-only
/* Results of pfm_dispatch_events(): taking them, comparing them, and whether they cover the ranges.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "naive_cover.h"
#include "result.h"

#define POISON	 0xa5
#define MASK_ALL 0x00ffffffffffffffULL

static bool take_regs(const pfmlib_reg_t *regs, unsigned int nr, unsigned int max,
		      struct naive_reg *to)
{
	unsigned int i;

	if (nr > max)
		return false;
	for (i = 0; i < nr; i++) {
		if (regs[i].reg_addr != regs[i].reg_alt_addr || regs[i].reg_reserved1)
			return false;
		to[i].num = regs[i].reg_num;
		to[i].addr = regs[i].reg_addr;
		to[i].value = regs[i].reg_value;
	}
	return true;
}

static bool take_ranges(const pfmlib_mont_output_rr_t *rr, struct naive_ranges *to)
{
	unsigned int i;

	to->nr = rr->rr_nbr_used;
	for (i = 0; i < 4; i++) {
		to->soff[i] = rr->rr_infos[i].rr_soff;
		to->eoff[i] = rr->rr_infos[i].rr_eoff;
	}
	return take_regs(rr->rr_br, rr->rr_nbr_used, 8, to->br);
}

/**
 * result_of_library() - make a call; the generic output is poisoned before, the model output zeroed
 * @call: the call
 * @result: receives what it gave
 *
 * Return: false if it gave what no result may have: too many registers, or two addresses of one.
 */
bool result_of_library(const struct call *call, struct naive_result *result)
{
	static pfmlib_output_param_t out;
	static pfmlib_mont_output_param_t mod_out;
	pfmlib_output_param_t *const outp = call->has_out ? &out : NULL;
	pfmlib_mont_output_param_t *const mod_outp = call->has_mod_out ? &mod_out : NULL;

	memset(result, 0, sizeof(*result));
	memset(&out, POISON, sizeof(out));
	memset(&mod_out, 0, sizeof(mod_out));
	result->ret =
		pfm_dispatch_events(call->has_inp ? (pfmlib_input_param_t *)&call->inp : NULL,
				    call->has_mod ? (void *)&call->mod : NULL, outp, mod_outp);
	if (result->ret)
		return true;
	result->nr_pmcs = out.pfp_pmc_count;
	result->nr_pmds = out.pfp_pmd_count;
	result->has_mod = call->has_mod_out;
	if (call->has_mod_out)
		result->fine = pfm_mont_irange_is_fine(outp, mod_outp);
	return take_regs(out.pfp_pmcs, out.pfp_pmc_count, NAIVE_MAX_PMCS, result->pmcs) &&
	       take_regs(out.pfp_pmds, out.pfp_pmd_count, NAIVE_MAX_PMDS, result->pmds) &&
	       take_ranges(&mod_out.pfp_mont_drange, &result->drange) &&
	       take_ranges(&mod_out.pfp_mont_irange, &result->irange);
}

/**
 * result_of_naive() - what the naive implementation gives for a call
 * @call: the call
 * @decisions: those that hold
 * @result: receives what it gave
 */
void result_of_naive(const struct call *call, unsigned int decisions, struct naive_result *result)
{
	naive_dispatch(call->has_inp ? &call->inp : NULL, call->has_mod ? &call->mod : NULL,
		       call->has_out, call->has_mod_out, decisions, result);
}

static bool differs(char *why, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool differs(char *why, size_t size, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, size, fmt, args);
	va_end(args);
	return false;
}

static bool equal_regs(const char *what, const struct naive_reg *got, unsigned int nr_got,
		       const struct naive_reg *want, unsigned int nr_want, char *why, size_t size)
{
	unsigned int i;

	for (i = 0; i < nr_got && i < nr_want; i++) {
		if (got[i].num == want[i].num && got[i].addr == want[i].addr &&
		    got[i].value == want[i].value)
			continue;
		return differs(why, size,
			       "%s[%u] is number %u, address %u, 0x%llx instead of %u, %u, 0x%llx",
			       what, i, got[i].num, got[i].addr, (unsigned long long)got[i].value,
			       want[i].num, want[i].addr, (unsigned long long)want[i].value);
	}
	if (nr_got != nr_want)
		return differs(why, size, "%u %s instead of %u", nr_got, what, nr_want);
	return true;
}

static bool equal_ranges(const char *what, const struct naive_ranges *got,
			 const struct naive_ranges *want, char *why, size_t size)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (got->soff[i] == want->soff[i] && got->eoff[i] == want->eoff[i])
			continue;
		return differs(why, size,
			       "%s: offsets %u are 0x%llx and 0x%llx instead of 0x%llx and 0x%llx",
			       what, i, (unsigned long long)got->soff[i],
			       (unsigned long long)got->eoff[i], (unsigned long long)want->soff[i],
			       (unsigned long long)want->eoff[i]);
	}
	return equal_regs(what, got->br, got->nr, want->br, want->nr, why, size);
}

/**
 * result_equal() - compare two results
 * @got: what there is
 * @want: what there should be
 * @why: receives the first difference in words
 * @size: of @why
 *
 * Return: true if they are the same; after an error only ret counts.
 */
bool result_equal(const struct naive_result *got, const struct naive_result *want, char *why,
		  size_t size)
{
	if (got->ret != want->ret)
		return differs(why, size, "returned %d instead of %d", got->ret, want->ret);
	if (got->ret)
		return true;
	if (!equal_regs("pmcs", got->pmcs, got->nr_pmcs, want->pmcs, want->nr_pmcs, why, size) ||
	    !equal_regs("pmds", got->pmds, got->nr_pmds, want->pmds, want->nr_pmds, why, size))
		return false;
	if (got->has_mod != want->has_mod)
		return differs(why, size, "model output %s", got->has_mod ? "given" : "missing");
	if (!got->has_mod)
		return true;
	if (!equal_ranges("irange", &got->irange, &want->irange, why, size) ||
	    !equal_ranges("drange", &got->drange, &want->drange, why, size))
		return false;
	if (got->fine != want->fine)
		return differs(why, size, "irange_is_fine %d instead of %d", got->fine, want->fine);
	return true;
}

/* A pair of registers by the mask as the hardware has it: only a mask 1..10..0 is a block. */
static bool take_block(const struct naive_reg *pair, struct naive_cover *c)
{
	const uint64_t ignored = ~pair[1].value & MASK_ALL;
	unsigned int order = __builtin_popcountll(ignored);

	if (pair[0].num % 2 || pair[1].num != pair[0].num + 1)
		return false;
	if (ignored != (order < 64 ? (1ULL << order) - 1 : UINT64_MAX))
		return false;
	c->base[c->nr] = pair[0].value;
	c->order[c->nr++] = order;
	return true;
}

static bool offsets_true(const struct naive_cover *c, const pfmlib_mont_input_rr_desc_t *range,
			 uint64_t soff, uint64_t eoff)
{
	u128 first = range->rr_start, behind = range->rr_end, end;
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		end = (u128)c->base[i] + ((u128)1 << c->order[i]);
		/* other ranges' blocks say nothing of this one */
		if (c->base[i] >= range->rr_end || end <= range->rr_start)
			continue;
		if (c->base[i] < first)
			first = c->base[i];
		if (end > behind)
			behind = end;
	}
	return first == range->rr_start - soff && behind == (u128)range->rr_end + eoff;
}

/*
 * Ranges by mask. Every block belongs to the ranges together; offsets are known where there is
 * one range.
 */
static bool masks_cover(const pfmlib_mont_input_rr_t *in, const struct naive_ranges *out,
			unsigned int from, unsigned int to)
{
	struct naive_cover c = { .nr = 0 };
	unsigned int i, nr = 0;

	for (i = from; i < to; i += 2) {
		if (!take_block(&out->br[i], &c))
			return false;
	}
	if (!naive_aligned(&c, 56))
		return false;
	for (i = 0; i < 4 && (in->rr_limits[i].rr_start || in->rr_limits[i].rr_end); i++) {
		if (!naive_covers(&c, in->rr_limits[i].rr_start, in->rr_limits[i].rr_end))
			return false;
		nr++;
	}
	return nr != 1 || offsets_true(&c, &in->rr_limits[0], out->soff[0], out->eoff[0]);
}

/* One range in fine mode: the same 64 KB, from its line on, to the end of its last line. */
static bool fine_covers(const pfmlib_mont_input_rr_desc_t *range, const struct naive_reg *br,
			uint64_t soff, uint64_t eoff)
{
	const uint64_t low = br[0].value, high = br[2].value;

	if (br[2].num != br[0].num + 4 || (br[1].value & MASK_ALL) != 0xffff0000 ||
	    (br[3].value & MASK_ALL) != 0xffff0000)
		return false;
	if ((range->rr_start ^ (range->rr_end - 1)) >> 16)
		return false;
	return low <= range->rr_start && low >> 16 == range->rr_start >> 16 && low % 32 == 0 &&
	       high >> 16 == low >> 16 && high % 32 == 16 && high + 15 >= range->rr_end - 1 &&
	       range->rr_start - low == soff && high + 16 - range->rr_end == eoff && soff < 32 &&
	       eoff < 32;
}

/* Outside of a block is outside of the range if it is alone, in pair 0, and the range itself. */
static bool inverse_true(const struct naive_ranges *out)
{
	return out->nr == 2 && out->br[0].num == 0 && !out->soff[0] && !out->eoff[0];
}

static bool code_covers(const struct call *call, const struct naive_result *result)
{
	const pfmlib_mont_input_rr_t *in = &call->mod.pfp_mont_irange;
	const struct naive_ranges *out = &result->irange;
	unsigned int i, n = 0;

	while (n < 4 && (in->rr_limits[n].rr_start || in->rr_limits[n].rr_end))
		n++;
	if (!n || !out->nr)
		return false;
	if (!result->fine) {
		if (in->rr_flags & PFMLIB_MONT_RR_INV && (n != 1 || !inverse_true(out)))
			return false;
		/* the same range a second time for prefetches */
		if (out->nr == 4 && n == 1 && out->br[0].addr != out->br[0].num &&
		    !masks_cover(in, out, 2, 4))
			return false;
		return masks_cover(in, out, 0, out->br[0].addr != out->br[0].num ? 2 : out->nr);
	}
	if (in->rr_flags & PFMLIB_MONT_RR_NO_FINE_MODE || n > 2 || out->nr % (4 * n))
		return false;
	for (i = 0; i < out->nr / 4; i++) {
		if (!fine_covers(&in->rr_limits[i % n], &out->br[4 * i], out->soff[i % n],
				 out->eoff[i % n]))
			return false;
	}
	return true;
}

/**
 * result_covers() - whether the debug registers match every byte of the ranges
 * @call: the call
 * @result: what it gave
 * @why: receives what is wrong
 * @size: of @why
 *
 * Return: true if so, and the blocks are such that the hardware can match them, and what is said
 * of the excess is true, and by mask nothing is missing outside of an inverted range; also true
 * where there are no ranges.
 */
bool result_covers(const struct call *call, const struct naive_result *result, char *why,
		   size_t size)
{
	if (result->ret || !call->has_mod)
		return true;
	if (call->mod.pfp_mont_irange.rr_used && !code_covers(call, result))
		return differs(why, size,
			       "the IBRs do not cover the code ranges, or more than said");
	if (call->mod.pfp_mont_drange.rr_used &&
	    !masks_cover(&call->mod.pfp_mont_drange, &result->drange, 0, result->drange.nr))
		return differs(why, size,
			       "the DBRs do not cover the data ranges, or more than said");
	return true;
}
