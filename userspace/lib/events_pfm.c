// SPDX-License-Identifier: LGPL-2.1-or-later
/* Walking through libpfm's names of a CPU's events, each with its encoding. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "cpu_table.h"
#include "events.h"
#include "pfm_name.h"

static const char *const category_words[] = {
	[ACRPMU_PFM_NONE] = "an event without unit masks",
	[ACRPMU_PFM_PLAIN] = "a unit mask",
	[ACRPMU_PFM_REQUEST] = "a request",
	[ACRPMU_PFM_RESPONSE] = "a response",
	[ACRPMU_PFM_SNOOP] = "a snoop",
	[ACRPMU_PFM_LATENCY] = "for the average latency, with OFFCORE_RESPONSE_1",
};

static const char *const standard_words[] = {
	[ACRPMU_PFM_NONE] = "",
	[ACRPMU_PFM_PLAIN] = ", the default unit mask",
	[ACRPMU_PFM_REQUEST] = ", taken where no request is given",
	[ACRPMU_PFM_RESPONSE] = ", taken where neither response nor snoop is given",
	[ACRPMU_PFM_SNOOP] = ", taken beside L2_HIT where no snoop is given",
	[ACRPMU_PFM_LATENCY] = "",
};

static bool is_one_bit(__u64 code)
{
	return !(code & (code - 1));
}

/* Names of the bits of an alias, which for one bit is the name that comes first. */
static void add_parts(const char *cpu, const struct acrpmu_pfm_event *pfm, char *desc, size_t size)
{
	__u64 left = pfm->bits;
	size_t len = strlen(desc);
	struct acrpmu_pfm_event other;
	unsigned int nr;

	for (nr = 0; left && len < size && acrpmu_pfm_get(cpu, nr, &other); nr++) {
		if (strcmp(other.event, pfm->event) || !(other.bits & left) ||
		    !is_one_bit(other.bits))
			continue;
		if (other.umask == pfm->umask)
			return;
		len += snprintf(desc + len, size - len, "%s%s", left == pfm->bits ? ": " : ", ",
				other.umask);
		left &= ~other.bits;
	}
}

static void describe(const char *cpu, struct acrpmu_pfm_event *pfm)
{
	snprintf(pfm->desc, sizeof(pfm->desc), "%s%s", category_words[pfm->category],
		 pfm->standard ? standard_words[pfm->category] : "");
	if (pfm->bits)
		add_parts(cpu, pfm, pfm->desc, sizeof(pfm->desc));
}

/* Encode it as 'glm::EVENT:UMASK' in an event string. */
static int encode(const struct acrpmu_pfm_event *pfm, const char *cpu, struct acrpmu_named *named)
{
	const struct text text = { .start = pfm->name };
	struct spec_event ev = { .given = 0 };
	const char *at = pfm->name;
	bool found;
	int err = acrpmu_pfm_read(&text, &at, cpu, NULL, &ev, &found);

	free(ev.short_name);
	free(ev.owned.modifiers);
	if (err)
		return err;
	named->config = ev.pub.attr.config;
	named->extra_value = ev.pub.attr.extra_value;
	return found ? 0 : -ENOENT;
}

/**
 * acrpmu_events_get_pfm() - walk through libpfm's names of the CPU
 * @events: the events of the CPU
 * @i: 0 for the first
 * @pfm: out
 *
 * Return: 0; -ENOENT after the last, and for CPUs without names of libpfm; -ENOMEM.
 */
int acrpmu_events_get_pfm(const struct acrpmu_events *events, unsigned int i,
			  struct acrpmu_pfm_event *pfm)
{
	const struct acrpmu_model *model = events->caps.model;
	int err;

	if (!model || !acrpmu_pfm_get(model->name, i, pfm))
		return -ENOENT;
	snprintf(pfm->name, sizeof(pfm->name), "%s::%s%s%s",
		 acrpmu_cpu_table_row(model)->short_name, pfm->event, *pfm->umask ? ":" : "",
		 pfm->umask);
	describe(model->name, pfm);
	pfm->named = (struct acrpmu_named){
		.name = "",
		.desc = "",
		.topic = ACRPMU_PFM_TOPIC,
		.terms = "",
		.pmu = events->id.pmu,
	};
	err = encode(pfm, model->name, &pfm->named);
	if (err)
		return err;
	acrpmu_events_add_cpu(events, &pfm->named);
	/* the name gives the register's value, unlike in a table */
	pfm->named.flags &= ~ACRPMU_NAMED_OPEN;
	pfm->named.gp_cntrs = pfm->named.cntrs & GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0);
	return 0;
}
