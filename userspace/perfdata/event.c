// SPDX-License-Identifier: GPL-2.0-only
/* Events of a file being read: attributes, ids, names, groups, and the event of each record. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sample.h"

/* more events than any tool writes; a guard against damaged files */
#define MAX_EVENTS	65536

/**
 * pd_event_add() - add an event, with attributes and ids from these sections of the file
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_event_add(struct pd_reader *r, const struct pd_section *attr, const struct pd_section *ids)
{
	size_t attr_size = attr->size < sizeof(struct perf_event_attr) ? attr->size :
			   sizeof(struct perf_event_attr);
	struct pd_file_event *e;

	if (r->nr_events >= MAX_EVENTS)
		return pd_fail(r, -EINVAL, "damaged: more than %u events", MAX_EVENTS);
	e = reallocarray(r->events, r->nr_events + 1, sizeof(*e));
	if (!e)
		return pd_fail(r, -ENOMEM, "out of memory");
	r->events = e;
	e += r->nr_events;
	*e = (struct pd_file_event){ .group = r->nr_events };
	if (!pd_section_fits(r, ids) || ids->size % sizeof(__u64) ||
	    ids->size / sizeof(__u64) > UINT32_MAX)
		return pd_fail(r, -EINVAL,
			   "damaged: the ids of event %u lie beyond the end of the file",
			   r->nr_events);
	r->nr_events++;
	e->nr_ids = ids->size / sizeof(__u64);
	/* in a damaged file sections may overlap */
	r->nr_ids += e->nr_ids;
	if (r->nr_ids > r->size)
		return pd_fail(r, -EINVAL, "damaged: more ids than the file has room for");
	e->ids = malloc(ids->size ? ids->size : 1);
	if (!e->ids)
		return pd_fail(r, -ENOMEM, "out of memory");
	if (!pd_read_at(r, attr->offset, &e->attr, attr_size) ||
	    !pd_read_at(r, ids->offset, e->ids, ids->size))
		return pd_fail_reading(r);
	if (asprintf(&e->name, "type=%u,config=%#llx", e->attr.type, e->attr.config) < 0) {
		e->name = NULL;
		return pd_fail(r, -ENOMEM, "out of memory");
	}
	return 0;
}

/**
 * pd_events_read() - read the events of a file that is not a stream
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_events_read(struct pd_reader *r)
{
	const struct pd_file_header *h = &r->header;
	struct pd_section attr, ids;
	int err;

	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(ids) || h->attr_size > h->attrs.size ||
	    h->attrs.size % h->attr_size)
		return pd_fail(r, -EINVAL, "damaged: events of %llu bytes in a section of %llu",
			       h->attr_size, h->attrs.size);
	attr.size = h->attr_size - sizeof(ids);
	for (attr.offset = h->attrs.offset; attr.offset < h->attrs.offset + h->attrs.size;
	     attr.offset += h->attr_size) {
		if (!pd_read_at(r, attr.offset + attr.size, &ids, sizeof(ids)))
			return pd_fail_reading(r);
		err = pd_event_add(r, &attr, &ids);
		if (err)
			return err;
	}
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	const struct pd_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/**
 * pd_events_index_ids() - make the index by which pd_reader_event_of() finds events
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_events_index_ids(struct pd_reader *r)
{
	struct pd_id *id;
	__u32 i, k;

	r->ids = calloc(r->nr_ids ? r->nr_ids : 1, sizeof(*r->ids));
	if (!r->ids)
		return pd_fail(r, -ENOMEM, "out of memory");
	id = r->ids;
	for (i = 0; i < r->nr_events; i++) {
		for (k = 0; k < r->events[i].nr_ids; k++)
			*id++ = (struct pd_id){ .id = r->events[i].ids[k], .event = i };
	}
	qsort(r->ids, r->nr_ids, sizeof(*r->ids), compare_ids);
	return 0;
}

/**
 * pd_event_set_name() - replace the name of an event by a string of at most @len bytes
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_event_set_name(struct pd_reader *r, struct pd_file_event *e, const char *name, size_t len)
{
	char *copy = strndup(name, len);

	if (!copy)
		return pd_fail(r, -ENOMEM, "out of memory");
	free(e->name);
	e->name = copy;
	return 0;
}

/**
 * pd_events_read_names() - read the names in the feature section, as far as it is intact
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_events_read_names(struct pd_reader *r)
{
	__u32 i, nr, attr_size, nr_ids;
	struct pd_cursor c;

	if (!pd_feature_cursor(r, PD_FEAT_EVENT_DESC, &c))
		return 0;
	if (!pd_cursor_u32(&c, &nr) || !pd_cursor_u32(&c, &attr_size))
		return 0;
	for (i = 0; i < nr && i < r->nr_events; i++) {
		const char *name;

		if (!pd_cursor_skip(&c, attr_size) || !pd_cursor_u32(&c, &nr_ids))
			return 0;
		name = pd_cursor_string(&c);
		if (!name)
			return 0;
		if (pd_event_set_name(r, &r->events[i], name, strlen(name)))
			return -ENOMEM;
		if (!pd_cursor_skip(&c, (__u64)nr_ids * sizeof(__u64)))
			return 0;
	}
	return 0;
}

/** pd_events_read_groups() - read the groups in the feature section, as far as it is intact */
void pd_events_read_groups(struct pd_reader *r)
{
	__u32 i, k, nr, leader, members;
	struct pd_cursor c;

	if (!pd_feature_cursor(r, PD_FEAT_GROUP_DESC, &c) || !pd_cursor_u32(&c, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (!pd_cursor_string(&c) || !pd_cursor_u32(&c, &leader) ||
		    !pd_cursor_u32(&c, &members))
			return;
		if (leader >= r->nr_events || members > r->nr_events - leader)
			return;
		for (k = 0; k < members; k++)
			r->events[leader + k].group = leader;
	}
}

/**
 * pd_reader_event_of() - find the event with an id
 *
 * Return: index of the event, -1 if there is none.
 */
int pd_reader_event_of(const struct pd_reader *r, __u64 id)
{
	size_t lo = 0, nr;

	/* the last one that is not larger */
	for (nr = r->nr_ids; nr > 1; nr -= nr / 2)
		lo += r->ids[lo + nr / 2].id <= id ? nr / 2 : 0;
	return nr && r->ids[lo].id == id ? (int)r->ids[lo].event : -1;
}

/* Returns -1 if the id is that of no event. */
static int event_of_record(const struct pd_reader *r, __u32 type, __u64 id)
{
	int event = pd_reader_event_of(r, id);

	if (event >= 0)
		return event;
	/* records that a tool wrote in place of the kernel have id 0 */
	return type == PERF_RECORD_SAMPLE && r->nr_events > 1 ? -1 : 0;
}

static int find_event(const struct pd_reader *r, const struct perf_event_header *h)
{
	__u64 id;

	if (!pd_sample_id(&r->events[0].attr, h, &id))
		return r->nr_events == 1 ? 0 : -1;
	return event_of_record(r, h->type, id);
}

/** pd_event_attr() - the attributes of a record of the kernel, NULL if its event is not known */
const struct perf_event_attr *pd_event_attr(const struct pd_reader *r,
					    const struct perf_event_header *h)
{
	int event = find_event(r, h);

	return event < 0 ? NULL : &r->events[event].attr;
}

/**
 * pd_reader_decode() - parse the fields of a record
 *
 * Return: false if the record belongs to no event of the file or is too short for its event.
 */
bool pd_reader_decode(const struct pd_reader *r, const struct perf_event_header *h,
		      struct pd_sample *s)
{
	memset(s, 0, sizeof(*s));
	s->type = h->type;
	s->misc = h->misc;
	s->event = -1;
	if (h->type >= PD_RECORD_USER_START)
		return true;
	s->event = find_event(r, h);
	if (s->event < 0)
		return false;
	return pd_sample_parse(&r->events[s->event].attr, h, s);
}

/* Returns how many samples there are in front of one that belongs to no event of the file. */
static size_t set_events(const struct pd_reader *r, struct pd_sample *s, size_t nr)
{
	bool has_id = r->events[0].attr.sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID);
	int event = r->nr_events == 1 ? 0 : -1;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (has_id && (!i || s[i].id != s[i - 1].id))
			event = event_of_record(r, PERF_RECORD_SAMPLE, s[i].id);
		if (event < 0)
			break;
		s[i].event = event;
	}
	return i;
}

/**
 * pd_reader_samples() - read and parse samples from record number @n on, at less cost than singly
 * @s: room for @max samples, of which the chains are valid until the next read of the file
 *
 * Return: their number; 0 if the record must be read by pd_reader_record(), as it is no sample or
 * damaged, or if samples are wanted in the order of their times.
 */
size_t pd_reader_samples(const struct pd_reader *r, size_t n, struct pd_sample *s, size_t max)
{
	const struct perf_event_header *h = pd_reader_record(r, n), *last = NULL;
	const struct perf_event_attr *attr = &r->events->attr;
	__u64 at, until, left = pd_order_ahead(r->order, &at, &until);
	size_t nr, known;

	if (!r->same || h->type != PERF_RECORD_SAMPLE || !left || at % sizeof(__u64))
		return 0;
	if (left > pd_ahead(r, at))
		left = pd_ahead(r, at);
	nr = pd_samples_parse(attr, h, left, until, s, max, &last);
	known = set_events(r, s, nr);
	/* the last of those that are taken */
	if (known < nr && pd_samples_parse(attr, h, left, until, s, known, &last))
		set_events(r, s, known);
	if (known)
		pd_order_advance(r->order, known - 1,
				 at + ((const char *)last - (const char *)h), last->size);
	return known;
}
