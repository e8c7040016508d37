// SPDX-License-Identifier: GPL-2.0-only
/* The condition of a recording, what its windows had, and the ratios in all of it. */
#include "condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../reload.h"
#include "../when.h"

#define AND		" && "
#define OVER		" / "

static const char reloaded[] = "what hardware reloads has no exact count";

static int find_event(const struct pd_reader *r, const char *name, size_t len)
{
	__u32 i;

	for (i = 0; i < r->nr_events; i++) {
		if (strlen(r->events[i].name) == len && !strncmp(r->events[i].name, name, len))
			return i;
	}
	return -1;
}

/* Returns what follows the ratio, such as "> 2". */
static const char *find_events(struct comparison *c, const struct pd_reader *r)
{
	char *over = strstr(c->ratio, OVER), *b = over ? over + strlen(OVER) : NULL;
	size_t len = b ? strcspn(b, " ") : 0;
	const char *rest = b && b[len] ? b + len + 1 : "";

	c->a = over ? find_event(r, c->ratio, over - c->ratio) : -1;
	c->b = b ? find_event(r, b, len) : -1;
	if (b)
		b[len] = 0;
	return rest;
}

static bool is_reloaded(const struct pd_reader *r, int event)
{
	/* the masks of the group's events */
	return reload_of(r) == RELOAD_HARDWARE && r->events[event].attr.config2;
}

/* Find the event that is sampled; hardware decides which overflows first, software may estimate. */
static bool find_sampled(struct comparison *c, const struct pd_reader *r, char sign)
{
	if (c->a < 0 || c->b < 0 || !is_reloaded(r, c->a) || !is_reloaded(r, c->b))
		return false;
	c->sampled = sign == '>' ? c->a : c->b;
	c->limit = sign == '>' ? c->b : c->a;
	return sign == '>' || sign == '<';
}

/* A window has a sample if its event overflows before the limit. */
static int describe_windows(struct comparison *c, const struct pd_reader *r, const char *threshold)
{
	const struct perf_event_attr *sampled, *limit;
	int len;

	if (!find_sampled(c, r, *threshold))
		return 0;
	sampled = &r->events[c->sampled].attr;
	limit = &r->events[c->limit].attr;
	/* at a rate of samples only the ratio of the periods stays */
	if (sampled->freq)
		len = asprintf(&c->windows, "%s %s", c->ratio, threshold);
	else
		len = asprintf(&c->windows, "%s %s: at least %llu %s in fewer than %llu %s",
			       c->ratio, threshold, (unsigned long long)sampled->sample_period,
			       r->events[c->sampled].name,
			       (unsigned long long)limit->sample_period, r->events[c->limit].name);
	if (len >= 0)
		return 0;
	c->windows = NULL;
	return -ENOMEM;
}

/* Cut the first part off @rest, which is NULL after the last one; any part may be empty. */
static char *take_part(char **rest)
{
	char *part = *rest, *end = strstr(part, AND), *header = strstr(part, WHEN_HEADER);
	size_t len = strlen(AND);

	if (header && (!end || header < end)) {
		end = header;
		len = strlen(WHEN_HEADER);
	}
	*rest = end ? end + len : NULL;
	if (end)
		*end = 0;
	return part;
}

static int split(struct condition *c, const struct pd_reader *r)
{
	const char *header = strstr(c->parts, WHEN_HEADER);
	struct comparison *list;
	char *rest = c->parts;

	c->text = strndup(c->parts, header ? (size_t)(header - c->parts) : strlen(c->parts));
	if (!c->text)
		return -ENOMEM;
	while (rest) {
		list = reallocarray(c->list, c->nr + 1, sizeof(*list));
		if (!list)
			return -ENOMEM;
		c->list = list;
		list += c->nr++;
		*list = (struct comparison){ .ratio = take_part(&rest) };
		if (describe_windows(list, r, find_events(list, r)))
			return -ENOMEM;
	}
	return 0;
}

/**
 * condition_read() - find the condition in the header of a recording
 *
 * It is that of the first group; the comparisons are those of all groups, which differ in the names
 * of the events if there is one for each kind of CPU.
 *
 * Return: 0, also if there is none; -ENOMEM.
 */
int condition_read(struct condition *c, const struct view *v)
{
	size_t room = pd_reader_text_room(&v->reader, PD_FEAT_VERSION);
	char *version = malloc(room);
	const char *at = NULL;
	int err = 0;

	*c = (struct condition){ 0 };
	if (!version)
		return -ENOMEM;
	if (!pd_reader_string(&v->reader, PD_FEAT_VERSION, version, room))
		at = strstr(version, WHEN_HEADER);
	if (at && at[strlen(WHEN_HEADER)]) {
		c->parts = strdup(at + strlen(WHEN_HEADER));
		err = c->parts ? split(c, &v->reader) : -ENOMEM;
	}
	free(version);
	return err;
}

/* Why an event of @r has no exact count. */
static const char *why_unknown(const struct view *v, int event)
{
	if (event < 0)
		return "its events are not in the file";
	if (is_reloaded(&v->reader, event))
		return reloaded;
	if (view_times_of(v, event).taken)
		return "somebody else took a CPU from the session";
	return view_times_of(v, event).known ? NULL : "the recording has no counts";
}

/**
 * condition_counts() - what was counted in all of the recording, after its last record
 */
struct condition_counts condition_counts(const struct view *v, const struct comparison *c)
{
	struct condition_counts counts = { .unknown = why_unknown(v, c->a) };

	if (!counts.unknown)
		counts.unknown = why_unknown(v, c->b);
	counts.reloaded = counts.unknown == reloaded;
	if (counts.unknown)
		return counts;
	counts.a = view_times_of(v, c->a).count;
	counts.b = view_times_of(v, c->b).count;
	if (!counts.b)
		counts.unknown = "its second event was counted 0 times";
	return counts;
}

/**
 * condition_free() - free the condition; it is empty then
 */
void condition_free(struct condition *c)
{
	while (c->nr)
		free(c->list[--c->nr].windows);
	free(c->text);
	free(c->parts);
	free(c->list);
	*c = (struct condition){ 0 };
}
