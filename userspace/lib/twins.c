// SPDX-License-Identifier: LGPL-2.1-or-later
/* Plain counters for events that hardware reloads, which have no count. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/message.h"
#include "spec.h"

#define TWIN_SUFFIX	" (twin)"

static char *twin_name(const char *name)
{
	char *twin;

	return asprintf(&twin, "%s" TWIN_SUFFIX, name) < 0 ? NULL : twin;
}

/* The same event at the same levels, that only counts. */
static int add_twin(struct spec_group *group, unsigned int event)
{
	struct spec_event *twin = acrpmu_spec_add_event(group);
	const struct acrpmu_spec_event *ev = &group->ev[event].pub;

	if (!twin)
		return -ENOMEM;
	twin->owned.name = twin_name(ev->name);
	if (!twin->owned.name)
		return -ENOMEM;
	twin->pub = (struct acrpmu_spec_event){
		.name = twin->owned.name,
		.text = ev->text,
		.pmu = ev->pmu,
		.modifiers = ev->modifiers,
		.attr = {
			.config = ev->attr.config,
			.extra_value = ev->attr.extra_value,
			.allowed_cntrs = ev->attr.allowed_cntrs,
			.flags = (ev->attr.flags & (ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)) |
				 ACRPMU_EVENT_COUNT,
		},
		.string = ev->string,
		.column = ev->column,
		.ratio = "",
		.extra_column = ev->extra_column,
		.cpu = ev->cpu,
		.twin_of = event + 1,
		.given_name = "",
		.cntrs_column = ev->cntrs_column,
	};
	return 0;
}

static int refuse_room(const struct spec_group *group, struct acrpmu_message *message)
{
	acrpmu_message_text(message, "too-many-events", "with a twin for each event that is "
			    "reloaded '%s' has more than %u events",
			    acrpmu_message_word(group->text, strlen(group->text)).text,
			    ACRPMU_MAX_EVENTS);
	acrpmu_message_hint(message, "split it, or count without twins");
	return -EINVAL;
}

static int add_group_twins(struct spec_group *group, struct acrpmu_message *message)
{
	unsigned int i, nr = group->nr;
	int err = 0;

	for (i = 0; !err && i < nr; i++) {
		if (!group->ev[i].pub.attr.acr_mask)
			continue;
		if (group->nr == ACRPMU_MAX_EVENTS)
			return refuse_room(group, message);
		err = add_twin(group, i);
	}
	return err ? acrpmu_message_no_memory(message) : 0;
}

/**
 * acrpmu_spec_add_twins() - add to each group a plain counter for each event that is reloaded
 * @message: out, why not; may be NULL
 *
 * The twins come last in their group, in the order of their events, with " (twin)" behind the name.
 *
 * Return: 0; -EINVAL: a group would have more than ACRPMU_MAX_EVENTS; -ENOMEM.
 */
int acrpmu_spec_add_twins(struct acrpmu_spec *spec, struct acrpmu_message *message)
{
	unsigned int g;
	int err = 0;

	acrpmu_message_clear(message);
	for (g = 0; !err && g < spec->nr; g++)
		err = add_group_twins(spec->groups[g], message);
	return err;
}
