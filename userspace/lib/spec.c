// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups of events as they were read: creating, querying and freeing them. */
#include "spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/message.h"

static const struct spec_group *get_group(const struct acrpmu_spec *spec, unsigned int group)
{
	return group < spec->nr ? spec->groups[group] : NULL;
}

struct spec_group *acrpmu_spec_add_group(struct acrpmu_spec *spec)
{
	struct spec_group **groups, *group;

	groups = reallocarray(spec->groups, spec->nr + 1, sizeof(*groups));
	if (!groups)
		return NULL;
	spec->groups = groups;
	group = calloc(1, sizeof(*group));
	if (group)
		groups[spec->nr++] = group;
	return group;
}

/* Most groups have one event. */
struct spec_event *acrpmu_spec_add_event(struct spec_group *group)
{
	unsigned int room = group->room ? ACRPMU_MAX_EVENTS : 1;
	struct spec_event *ev = group->ev;

	if (group->nr == group->room) {
		ev = reallocarray(ev, room, sizeof(*ev));
		if (!ev)
			return NULL;
		group->ev = ev;
		group->room = room;
	}
	ev += group->nr++;
	memset(ev, 0, sizeof(*ev));
	return ev;
}

static void free_event(struct spec_event *ev)
{
	free(ev->short_name);
	free(ev->owned.name);
	free(ev->owned.text);
	free(ev->owned.modifiers);
	free(ev->owned.ratio);
}

void acrpmu_spec_clear_group(struct spec_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		free_event(&group->ev[i]);
	free(group->ev);
	*group = (struct spec_group){ .ev = NULL };
}

void acrpmu_spec_drop_group(struct acrpmu_spec *spec)
{
	struct spec_group *group = spec->groups[--spec->nr];

	free(group->text);
	acrpmu_spec_clear_group(group);
	free(group);
}

/**
 * acrpmu_spec_free() - free what acrpmu_spec_parse() or acrpmu_spec_parse_condition() returned
 * @spec: may be NULL
 */
void acrpmu_spec_free(struct acrpmu_spec *spec)
{
	if (!spec)
		return;
	while (spec->nr)
		acrpmu_spec_drop_group(spec);
	free(spec->groups);
	free(spec->condition);
	free(spec);
}

/**
 * acrpmu_spec_nr_groups() - number of groups
 *
 * Return: at least 1.
 */
unsigned int acrpmu_spec_nr_groups(const struct acrpmu_spec *spec)
{
	return spec->nr;
}

/**
 * acrpmu_spec_nr_events() - number of events of a group
 * @group: index of the group
 *
 * Return: 1 to ACRPMU_MAX_EVENTS, 0 if there is no such group.
 */
unsigned int acrpmu_spec_nr_events(const struct acrpmu_spec *spec, unsigned int group)
{
	const struct spec_group *g = get_group(spec, group);

	return g ? g->nr : 0;
}

/**
 * acrpmu_spec_event() - one event
 * @group: index of the group
 * @event: index of the event in it
 *
 * Return: the event, valid as long as @spec; NULL if there is none.
 */
const struct acrpmu_spec_event *acrpmu_spec_event(const struct acrpmu_spec *spec,
						  unsigned int group, unsigned int event)
{
	const struct spec_group *g = get_group(spec, group);

	return g && event < g->nr ? &g->ev[event].pub : NULL;
}

/**
 * acrpmu_spec_condition() - the condition that groups were made from
 *
 * All groups have the same one, and differ in their kinds of cores.
 *
 * Return: the condition, valid as long as @spec; NULL if event strings were parsed.
 */
const struct acrpmu_condition *acrpmu_spec_condition(const struct acrpmu_spec *spec)
{
	return spec->condition;
}

/**
 * acrpmu_spec_text() - a group as the user wrote it, or as named after its kind of core
 * @group: index of the group
 *
 * Return: the text, valid as long as @spec; NULL if there is no such group.
 */
const char *acrpmu_spec_text(const struct acrpmu_spec *spec, unsigned int group)
{
	const struct spec_group *g = get_group(spec, group);

	return g ? g->text : NULL;
}

/**
 * acrpmu_spec_kind() - the kind of core that a group is for
 * @group: index of the group
 *
 * Return: index in the kinds of struct acrpmu_parse_options; 0 if none were given.
 */
unsigned int acrpmu_spec_kind(const struct acrpmu_spec *spec, unsigned int group)
{
	const struct spec_group *g = get_group(spec, group);

	return g ? g->kind : 0;
}

/**
 * acrpmu_spec_attrs() - the events of a group as the module takes them
 * @group: index of the group
 * @attrs: out, as many elements as the group has events are written; ids are 0
 *
 * Return: number of events, or -EINVAL if there is no such group.
 */
int acrpmu_spec_attrs(const struct acrpmu_spec *spec, unsigned int group,
		      struct acrpmu_event_attr attrs[ACRPMU_MAX_EVENTS])
{
	const struct spec_group *g = get_group(spec, group);
	unsigned int i;

	if (!g)
		return -EINVAL;
	for (i = 0; i < g->nr; i++)
		attrs[i] = g->ev[i].pub.attr;
	return g->nr;
}

/**
 * acrpmu_spec_check_sampled() - check that every group would write samples
 * @message: out, which group does not; may be NULL
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_spec_check_sampled(const struct acrpmu_spec *spec, struct acrpmu_message *message)
{
	unsigned int g, i;

	for (g = 0; g < spec->nr; g++) {
		const struct spec_group *group = spec->groups[g];
		__u32 flags = 0;

		for (i = 0; i < group->nr; i++)
			flags |= group->ev[i].pub.attr.flags;
		if (flags & ACRPMU_EVENT_SAMPLED)
			continue;
		acrpmu_message_text(message, "nothing-sampled", "no event of '%s' is sampled: "
				    "each one reloads itself or only counts",
				    acrpmu_message_word(group->text, strlen(group->text)).text);
		acrpmu_message_hint(message, "leave the own bit of one event out of its acr_mask "
				    "and give it a period");
		if (message) {
			message->string = group->ev[0].pub.string;
			message->column = group->ev[0].pub.column;
		}
		return -EINVAL;
	}
	return 0;
}

bool acrpmu_spec_name_unique(const struct spec_group *group, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (i != event && !strcmp(group->ev[i].pub.name, group->ev[event].pub.name))
			return false;
	}
	return true;
}

/**
 * acrpmu_spec_ratio() - the exact ratio of a pair's periods, as text
 * @event: an event with a ratio
 * @buf: out, 0-terminated unless @size is 0; empty if it has no ratio
 * @size: its bytes
 *
 * Return: length of the whole text, as snprintf().
 */
size_t acrpmu_spec_ratio(const struct acrpmu_spec_event *event, char *buf, size_t size)
{
	if (!event->ratio_den)
		return snprintf(buf, size, "%s", "");
	return acrpmu_decimal_print(event->ratio_num, event->ratio_den, buf, size);
}

/**
 * acrpmu_spec_open_braces() - braces that a string opens and does not close
 * @string: an event string or the start of one; braces in quotes count, too
 *
 * For joining the arguments into which a shell splits a group with blanks and no quotes.
 *
 * Return: their number; negative if it closes more than it opens.
 */
int acrpmu_spec_open_braces(const char *string)
{
	int open = 0;

	for (; *string; string++)
		open += (*string == '{') - (*string == '}');
	return open;
}
