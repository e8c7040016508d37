// SPDX-License-Identifier: LGPL-2.1-or-later
/* Walking through the table of libpfm's events and unit masks. */
#include "pfm_rows.h"

#include <string.h>
#include <strings.h>

#include "cpu_table.h"

#define CPU_GLP			"goldmontplus"

/* In more than the bit that tells small letters from capital ones. */
static bool differ(char a, char b)
{
	return (a ^ b) & ~('a' ^ 'A');
}

bool acrpmu_pfm_same(struct span span, const char *word)
{
	/* most words differ in their first letters */
	if (!span.len || differ(*span.at, *word) ||
	    (span.len > 1 && differ(span.at[1], word[1])))
		return false;
	return !strncasecmp(span.at, word, span.len) && !word[span.len];
}

const struct pfm_row *acrpmu_pfm_next_row(const struct pfm_row *row)
{
	return row + 1 < pfm_glm_rows + pfm_glm_nr_rows ? row + 1 : NULL;
}

const struct pfm_row *acrpmu_pfm_find_event(struct span word)
{
	const struct pfm_row *row, *end = pfm_glm_rows + pfm_glm_nr_rows;

	for (row = pfm_glm_rows; word.len && row < end; row++) {
		if (!differ(*word.at, *row->name) && !(row->flags & PFM_UMASK) &&
		    acrpmu_pfm_same(word, row->name))
			return row;
	}
	return NULL;
}

bool acrpmu_pfm_is_event(struct span word)
{
	return acrpmu_pfm_find_event(word);
}

/* The last of those that two events share is of the first one only. */
static bool belongs_to(const struct pfm_row *event, const struct pfm_row *umask)
{
	return event->code != PFM_CONFIG_RSP_1 || umask->code != PFM_OUTSTANDING;
}

/* The first unit mask of an event, or the next one after a unit mask; NULL after the last. */
const struct pfm_row *acrpmu_pfm_next_umask(const struct pfm_row *event,
					    const struct pfm_row *row)
{
	if (event->flags & PFM_BARE)
		return NULL;
	if (row) {
		row = acrpmu_pfm_next_row(row);
	} else {
		for (row = event; row && !(row->flags & PFM_UMASK); row = acrpmu_pfm_next_row(row))
			;
	}
	if (!row || !(row->flags & PFM_UMASK))
		return NULL;
	return belongs_to(event, row) ? row : NULL;
}

const struct pfm_row *acrpmu_pfm_find_umask(const struct pfm_row *event, struct span word)
{
	const struct pfm_row *row = acrpmu_pfm_next_umask(event, NULL);

	for (; row && row->flags & PFM_UMASK; row = acrpmu_pfm_next_row(row)) {
		if (acrpmu_pfm_same(word, row->name))
			return belongs_to(event, row) ? row : NULL;
	}
	return NULL;
}

const struct pfm_row *acrpmu_pfm_default_umask(const struct pfm_row *event)
{
	const struct pfm_row *row = NULL;

	while ((row = acrpmu_pfm_next_umask(event, row))) {
		if (row->flags & PFM_DEFAULT)
			return row;
	}
	return NULL;
}

bool acrpmu_pfm_has_rows(const struct acrpmu_model *cpu)
{
	return !strcmp(cpu->name, CPU_GLM) || !strcmp(cpu->name, CPU_GLP);
}

/* ---- one after another -------------------------------------------------------------------- */

static enum acrpmu_pfm_category category_of(const struct pfm_row *event,
					    const struct pfm_row *umask)
{
	if (!umask)
		return ACRPMU_PFM_NONE;
	if (!(event->flags & PFM_OFFCORE))
		return ACRPMU_PFM_PLAIN;
	if (umask->code & PFM_REQUESTS)
		return ACRPMU_PFM_REQUEST;
	if (umask->code & PFM_SNOOPS)
		return ACRPMU_PFM_SNOOP;
	return umask->code & PFM_OUTSTANDING ? ACRPMU_PFM_LATENCY : ACRPMU_PFM_RESPONSE;
}

/* Of several names of one default the first. */
static bool is_standard(const struct pfm_row *event, const struct pfm_row *umask)
{
	if (!umask || !(event->flags & PFM_OFFCORE))
		return umask && umask->flags & PFM_DEFAULT;
	return !strcmp(umask->name, "ANY_REQUEST") || !strcmp(umask->name, "ANY_RESPONSE") ||
	       !strcmp(umask->name, "L2_MISS_SNP_ANY");
}

static void fill_pfm_event(const struct pfm_row *event, const struct pfm_row *umask,
			   struct acrpmu_pfm_event *pfm)
{
	pfm->event = event->name;
	pfm->umask = umask ? umask->name : "";
	pfm->category = category_of(event, umask);
	pfm->standard = is_standard(event, umask);
	pfm->bits = event->flags & PFM_OFFCORE ? umask->code : 0;
}

bool acrpmu_pfm_has_row(const struct acrpmu_model *cpu, const struct pfm_row *row)
{
	return acrpmu_pfm_has_rows(cpu) && !(row->flags & PFM_UMASK) &&
	       (!strcmp(cpu->name, CPU_GLM) || !(row->flags & PFM_GLM_ONLY));
}

bool acrpmu_pfm_get(const char *cpu, unsigned int nr, struct acrpmu_pfm_event *pfm)
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(cpu);
	const struct pfm_row *row, *umask;

	for (row = pfm_glm_rows; model && row; row = acrpmu_pfm_next_row(row)) {
		if (!acrpmu_pfm_has_row(model, row))
			continue;
		umask = row->flags & PFM_PRESET ? NULL : acrpmu_pfm_next_umask(row, NULL);
		do {
			if (!nr--) {
				fill_pfm_event(row, umask, pfm);
				return true;
			}
			umask = umask ? acrpmu_pfm_next_umask(row, umask) : NULL;
		} while (umask);
	}
	return false;
}
