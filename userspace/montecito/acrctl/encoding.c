// SPDX-License-Identifier: GPL-2.0-only
/* What text and JSON of an encoding share: names of events, ranges with what covers them. */
#include "encoding.h"

#include <stdio.h>
#include <string.h>

#include "../../util/suggest.h"

/*
 * Pair each range asked for with what covers it, @dfl_plm for ranges without privilege levels;
 * return their number.
 */
unsigned int montecito_ranges(const pfmlib_mont_input_rr_t *in, const pfmlib_mont_output_rr_t *out,
			      unsigned int dfl_plm, struct montecito_range range[MONTECITO_RANGES])
{
	unsigned int i;

	for (i = 0; in->rr_used && i < MONTECITO_RANGES; i++) {
		const pfmlib_mont_input_rr_desc_t *asked = &in->rr_limits[i];

		if (!asked->rr_start && !asked->rr_end)
			break;
		range[i] = (struct montecito_range){
			.start = asked->rr_start,
			.end = asked->rr_end,
			.soff = out->rr_infos[i].rr_soff,
			.eoff = out->rr_infos[i].rr_eoff,
			.plm = asked->rr_plm ? asked->rr_plm : dfl_plm,
		};
	}
	return i;
}

/*
 * Write the address after the last one covered to @buf, MONTECITO_ADDRESS_LEN bytes, and return
 * @buf. A range that covers the last address ends at 0x10000000000000000.
 */
const char *montecito_range_end(const struct montecito_range *range, char *buf)
{
	__u64 end = range->end + range->eoff;

	if (end < range->end)
		snprintf(buf, MONTECITO_ADDRESS_LEN, "0x1%016llx", (unsigned long long)end);
	else
		snprintf(buf, MONTECITO_ADDRESS_LEN, "0x%llx", (unsigned long long)end);
	return buf;
}

/* Write the name and unit masks of event @i to @buf, MONTECITO_NAME_LEN bytes; return @buf. */
const char *montecito_event_name(struct montecito *m, unsigned int i, char *buf)
{
	if (pfm_get_full_event_name(&m->inp.pfp_events[i], buf, MONTECITO_NAME_LEN))
		pfm_get_event_name(m->inp.pfp_events[i].event, buf, MONTECITO_NAME_LEN);
	return buf;
}

/* Find the event that a misspelled name probably means; return false if there is none. */
bool montecito_nearest(struct montecito_span name, char nearest[MONTECITO_NAME_LEN])
{
	struct suggestion best = { NULL };
	char other[MONTECITO_NAME_LEN];
	unsigned int i, nr = 0;

	pfm_get_num_events(&nr);
	for (i = 0; i < nr; i++) {
		if (pfm_get_event_name(i, other, sizeof(other)))
			continue;
		acrpmu_suggest_consider(&best, name.at, name.len, other);
		if (best.word == other)
			best.word = strcpy(nearest, other);
	}
	return best.word;
}
