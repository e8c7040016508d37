// SPDX-License-Identifier: LGPL-2.1-or-later
/* Refuses values that the reference would truncate to their field or silently ignore. */
#include <stdio.h>

#include "mont_strict.h"

#define PLM_MAX	      0xf
#define OPCODE_MAX    0x1ffffffffffULL /* 41 bits */
#define SLOT_MAX      1
#define THRES_MAX     7
#define DELAY_MAX     255
#define ETB_FIELD_MAX 3
#define ETB_DS_MAX    1
#define EVT_FLAGS                                                        \
	(PFMLIB_MONT_FL_EVT_NO_QUALCHECK | PFMLIB_MONT_FL_EVT_ALL_THRD | \
	 PFMLIB_MONT_FL_EVT_ACTIVE_ONLY | PFMLIB_MONT_FL_EVT_ALWAYS)
#define RR_FLAGS                                                                           \
	(PFMLIB_MONT_RR_INV | PFMLIB_MONT_RR_NO_FINE_MODE | PFMLIB_MONT_IRR_DEMAND_FETCH | \
	 PFMLIB_MONT_IRR_PREFETCH_MATCH)
#define NR_RANGES     4
#define OWNER_LEN     128 /* of an event or a range and its position */
#define NR_FINE_PAIRS 2

/**
 * struct limited - a value and its limit
 * @name: name of the member
 * @max: the largest valid value
 */
struct limited {
	const char *name;
	uint64_t value;
	uint64_t max;
};

static int check_limits(const char *owner, const struct limited *values, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (values[i].value > values[i].max)
			return mont_refuse(PFMLIB_ERR_INVAL,
					   "%s: %s is 0x%lx, which is too large; use 0 to 0x%lx",
					   owner, values[i].name, values[i].value, values[i].max);
	}
	return PFMLIB_SUCCESS;
}

static int check_plm(const char *owner, const char *name, unsigned int plm)
{
	if (plm > PLM_MAX)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "%s: %s is 0x%x, but there are four levels; use one or more of "
				   "PFM_PLM0 to PFM_PLM3",
				   owner, name, plm);
	return PFMLIB_SUCCESS;
}

static int check_flags(const char *owner, unsigned int flags, unsigned int known)
{
	if (flags & ~known)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "%s: flags 0x%x are unknown; use those of 0x%x or none", owner,
				   flags & ~known, known);
	return PFMLIB_SUCCESS;
}

#define LIMITED(...) ((const struct limited[]){ __VA_ARGS__ })
#define CHECK_LIMITS(owner, ...)                  \
	check_limits(owner, LIMITED(__VA_ARGS__), \
		     sizeof(LIMITED(__VA_ARGS__)) / sizeof(struct limited))

/**
 * mont_strict_check_used() - check that the "used" member of each feature is 0 or 1
 *
 * Return: PFMLIB_SUCCESS, or PFMLIB_ERR_INVAL: another value.
 */
int mont_strict_check_used(const struct mont_call *call)
{
	const pfmlib_mont_input_param_t *mod = call->mod;

	if (!mod)
		return PFMLIB_SUCCESS;
	return CHECK_LIMITS("model input", { "opcm1.opcm_used", mod->pfp_mont_opcm1.opcm_used, 1 },
			    { "opcm2.opcm_used", mod->pfp_mont_opcm2.opcm_used, 1 },
			    { "iear.ear_used", mod->pfp_mont_iear.ear_used, 1 },
			    { "dear.ear_used", mod->pfp_mont_dear.ear_used, 1 },
			    { "ipear.ipear_used", mod->pfp_mont_ipear.ipear_used, 1 },
			    { "etb.etb_used", mod->pfp_mont_etb.etb_used, 1 },
			    { "drange.rr_used", mod->pfp_mont_drange.rr_used, 1 },
			    { "irange.rr_used", mod->pfp_mont_irange.rr_used, 1 });
}

static int check_counter(const struct mont_call *call, unsigned int i)
{
	const struct mont_event *event = mont_call_event(call, i);
	const pfmlib_mont_counter_t *counter;
	char owner[OWNER_LEN];
	int ret;

	snprintf(owner, sizeof(owner), "event %s at position %u of the list", event->name, i + 1);
	ret = check_plm(owner, "plm", call->inp->pfp_events[i].plm);
	if (ret || !call->mod)
		return ret;
	counter = &call->mod->pfp_mont_counters[i];
	if (counter->thres >= event->maxincr || counter->thres > THRES_MAX)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "%s occurs up to %u times in a cycle, which is never more than "
				   "threshold %u; thresholds of this event are 0 to %u",
				   owner, event->maxincr, counter->thres,
				   event->maxincr > THRES_MAX ? THRES_MAX : event->maxincr - 1);
	return check_flags(owner, counter->flags, EVT_FLAGS);
}

static int check_opcm(const char *owner, const pfmlib_mont_opcm_t *opcm)
{
	if (!opcm->opcm_used)
		return PFMLIB_SUCCESS;
	return CHECK_LIMITS(owner, { "opcm_m", opcm->opcm_m, SLOT_MAX },
			    { "opcm_i", opcm->opcm_i, SLOT_MAX },
			    { "opcm_f", opcm->opcm_f, SLOT_MAX },
			    { "opcm_b", opcm->opcm_b, SLOT_MAX },
			    { "opcm_match", opcm->opcm_match, OPCODE_MAX },
			    { "opcm_mask", opcm->opcm_mask, OPCODE_MAX });
}

static int check_ear(const char *owner, const pfmlib_mont_ear_t *ear, uint64_t umask_max)
{
	int ret;

	if (!ear->ear_used)
		return PFMLIB_SUCCESS;
	ret = check_plm(owner, "ear_plm", ear->ear_plm);
	return ret ? ret : CHECK_LIMITS(owner, { "ear_umask", ear->ear_umask, umask_max });
}

static int check_etb(const pfmlib_mont_etb_t *etb)
{
	int ret;

	if (!etb->etb_used)
		return PFMLIB_SUCCESS;
	ret = check_plm("etb", "etb_plm", etb->etb_plm);
	if (ret)
		return ret;
	return CHECK_LIMITS("etb", { "etb_ds", etb->etb_ds, ETB_DS_MAX },
			    { "etb_tm", etb->etb_tm, ETB_FIELD_MAX },
			    { "etb_ptm", etb->etb_ptm, ETB_FIELD_MAX },
			    { "etb_ppm", etb->etb_ppm, ETB_FIELD_MAX },
			    { "etb_brt", etb->etb_brt, ETB_FIELD_MAX });
}

static int check_ipear(const pfmlib_mont_ipear_t *ipear)
{
	int ret;

	if (!ipear->ipear_used)
		return PFMLIB_SUCCESS;
	ret = check_plm("ipear", "ipear_plm", ipear->ipear_plm);
	return ret ? ret : CHECK_LIMITS("ipear", { "ipear_delay", ipear->ipear_delay, DELAY_MAX });
}

static int check_ranges(const char *owner, const pfmlib_mont_input_rr_t *in)
{
	char range[OWNER_LEN];
	unsigned int i;
	int ret;

	if (!in->rr_used)
		return PFMLIB_SUCCESS;
	ret = check_flags(owner, in->rr_flags, RR_FLAGS);
	for (i = 0; !ret && i < NR_RANGES; i++) {
		if (!in->rr_limits[i].rr_start && !in->rr_limits[i].rr_end)
			break;
		snprintf(range, sizeof(range), "%s at position %u of its list", owner, i + 1);
		ret = check_plm(range, "rr_plm", in->rr_limits[i].rr_plm);
	}
	return ret;
}

static int check_model(const pfmlib_mont_input_param_t *mod)
{
	const uint64_t iear_umask =
		mod->pfp_mont_iear.ear_mode == PFMLIB_MONT_EAR_TLB_MODE ? 0x7f : 0xff;
	int ret;

	ret = check_opcm("opcm1", &mod->pfp_mont_opcm1);
	if (!ret)
		ret = check_opcm("opcm2", &mod->pfp_mont_opcm2);
	if (!ret)
		ret = check_ear("iear", &mod->pfp_mont_iear, iear_umask);
	if (!ret)
		ret = check_ear("dear", &mod->pfp_mont_dear, 0xf);
	if (!ret)
		ret = check_etb(&mod->pfp_mont_etb);
	if (!ret)
		ret = check_ipear(&mod->pfp_mont_ipear);
	if (!ret)
		ret = check_ranges("irange", &mod->pfp_mont_irange);
	if (!ret)
		ret = check_ranges("drange", &mod->pfp_mont_drange);
	if (!ret && mod->pfp_mont_drange.rr_used &&
	    mod->pfp_mont_drange.rr_flags & PFMLIB_MONT_RR_INV)
		return mont_refuse(PFMLIB_ERR_INVAL,
				   "drange: flags 0x%x invert, which only code ranges can do; "
				   "drop them",
				   PFMLIB_MONT_RR_INV);
	return ret;
}

/* Outside of fine mode the block around the range is inverted. */
static int check_inverse_block(const struct mont_call *call)
{
	const pfmlib_mont_input_rr_desc_t *in = &call->mod->pfp_mont_irange.rr_limits[0];
	const pfmlib_mont_output_rr_desc_t *info = &call->mod_out->pfp_mont_irange.rr_infos[0];

	if (call->irange_fine || !(info->rr_soff | info->rr_eoff))
		return PFMLIB_SUCCESS;
	return mont_refuse(PFMLIB_ERR_IRRFLAGS,
			   "code range 0x%lx to 0x%lx is to be inverted, but its block has 0x%lx bytes "
			   "in front of it and 0x%lx behind, which would not be counted; use a range of "
			   "2^n bytes that begins at a multiple of them, or one in fine mode",
			   in->rr_start, in->rr_end, info->rr_soff, info->rr_eoff);
}

/* The processor inverts what pair 0 of the IBRs matches, and no other. */
static int check_inverse(const struct mont_call *call)
{
	const pfmlib_mont_output_rr_t *out;
	unsigned int i, pair;

	if (!mont_call_has_irange(call) ||
	    !(call->mod->pfp_mont_irange.rr_flags & PFMLIB_MONT_RR_INV))
		return PFMLIB_SUCCESS;
	out = &call->mod_out->pfp_mont_irange;
	for (i = 0; i < out->rr_nbr_used; i++) {
		pair = out->rr_br[i].reg_num / 2;
		if (call->irange_fine)
			pair %= NR_FINE_PAIRS;
		if (pair)
			return mont_refuse(PFMLIB_ERR_IRRFLAGS,
					   "the code ranges need pair %u of the IBRs, but what is "
					   "inverted is pair 0 alone; use one range that one pair "
					   "matches, and no events of prefetches",
					   pair);
	}
	return check_inverse_block(call);
}

/**
 * mont_strict_check() - check all values that are used
 * @call: the call, otherwise done
 *
 * This comes last, so that what the reference refuses is refused with its error.
 *
 * Return: PFMLIB_SUCCESS,
 * PFMLIB_ERR_INVAL: a value does not fit its field, a threshold is never reached, a flag is not
 * known, or ranges of data are to be inverted; or PFMLIB_ERR_IRRFLAGS: PFMLIB_MONT_RR_INV where the
 * code ranges take more than pair 0, or a block that is larger than the range.
 */
int mont_strict_check(const struct mont_call *call)
{
	unsigned int i;
	int ret;

	ret = check_plm("generic input", "pfp_dfl_plm", call->inp->pfp_dfl_plm);
	if (!ret)
		ret = check_flags("generic input", call->inp->pfp_flags, PFMLIB_PFP_SYSTEMWIDE);
	for (i = 0; !ret && i < call->inp->pfp_event_count; i++)
		ret = check_counter(call, i);
	if (!ret && call->mod)
		ret = check_model(call->mod);
	if (!ret)
		ret = check_inverse(call);
	return ret;
}
