// SPDX-License-Identifier: LGPL-2.1-or-later
/* libpfm's names of a CPU's events one after another, each with what it encodes. */
#include "event_pfm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "events.h"

static const char *const category_words[] = {
	[PFM_NONE] = "an event without unit masks",
	[PFM_PLAIN] = "a unit mask",
	[PFM_REQUEST] = "a request",
	[PFM_RESPONSE] = "a response",
	[PFM_SNOOP] = "a snoop",
	[PFM_LATENCY] = "for the average latency, with OFFCORE_RESPONSE_1",
};

static const char *const standard_words[] = {
	[PFM_NONE] = "",
	[PFM_PLAIN] = ", taken where none is given",
	[PFM_REQUEST] = ", taken where no request is given",
	[PFM_RESPONSE] = ", taken where neither response nor snoop is given",
	[PFM_SNOOP] = ", taken beside L2_HIT where no snoop is given",
	[PFM_LATENCY] = "",
};

static bool is_one_bit(__u64 code)
{
	return !(code & (code - 1));
}

/* Names of the bits of an alias, which for one bit is the name that comes first. */
static void add_parts(const char *cpu, const struct event_pfm *pfm, char *desc, size_t size)
{
	const struct pfm_item *item = &pfm->item;
	__u64 left = item->code;
	size_t len = strlen(desc);
	struct pfm_item other;
	unsigned int nr;

	for (nr = 0; left && len < size && acrpmu_pfm_get(cpu, nr, &other); nr++) {
		if (strcmp(other.event, item->event) || !(other.code & left) ||
		    !is_one_bit(other.code))
			continue;
		if (other.umask == item->umask)
			return;
		len += snprintf(desc + len, size - len, "%s%s", left == item->code ? ": " : ", ",
				other.umask);
		left &= ~other.code;
	}
}

static void describe(const char *cpu, struct event_pfm *pfm)
{
	const struct pfm_item *item = &pfm->item;

	snprintf(pfm->desc, sizeof(pfm->desc), "%s%s", category_words[item->category],
		 item->standard ? standard_words[item->category] : "");
	if (item->code)
		add_parts(cpu, pfm, pfm->desc, sizeof(pfm->desc));
}

/* Encode it as 'glm::EVENT:UMASK' in a string is. */
static int encode(const struct event_pfm *pfm, const char *cpu, struct acrpmu_named *named)
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

int acrpmu_event_pfm_get(const struct acrpmu_events *events, unsigned int nr,
			 struct event_pfm *pfm)
{
	const struct acrpmu_model *model = events->caps.model;
	int err;

	if (!model || !acrpmu_pfm_get(model->name, nr, &pfm->item))
		return -ENOENT;
	snprintf(pfm->name, sizeof(pfm->name), "%s::%s%s%s", model->short_name, pfm->item.event,
		 *pfm->item.umask ? ":" : "", pfm->item.umask);
	describe(model->name, pfm);
	pfm->named = (struct acrpmu_named){
		.name = pfm->name,
		.desc = pfm->desc,
		.topic = EVENT_PFM_TOPIC,
		.terms = "",
		.pmu = events->id.pmu,
	};
	err = encode(pfm, model->name, &pfm->named);
	if (err)
		return err;
	acrpmu_events_add_cpu(events, &pfm->named);
	/* unlike in a table the name gives the register's value */
	pfm->named.flags &= ~ACRPMU_NAMED_OPEN;
	pfm->named.gp_cntrs = pfm->named.cntrs & GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0);
	return 0;
}
