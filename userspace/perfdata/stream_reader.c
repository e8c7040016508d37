// SPDX-License-Identifier: GPL-2.0-only
/* Events, names and features of a stream, which are records. */
#include <errno.h>
#include <string.h>

#include "internal.h"

static int take_attr(struct pd_reader *r, struct pd_cursor *c)
{
	struct pd_section attr = { .offset = c->at }, ids;
	__u32 type, attr_size;

	if (!pd_cursor_u32(c, &type) || !pd_cursor_u32(c, &attr_size) ||
	    attr_size < PERF_ATTR_SIZE_VER0 ||
	    !pd_cursor_skip(c, attr_size - sizeof(type) - sizeof(attr_size)))
		return pd_fail(r, -EINVAL, "damaged: an event at offset %llu that is not whole",
			       attr.offset);
	attr.size = attr_size;
	ids = (struct pd_section){ .offset = c->at, .size = c->left };
	return pd_event_add(r, &attr, &ids);
}

static void take_feature(struct pd_reader *r, struct pd_cursor *c)
{
	__u32 feature, high;

	if (!pd_cursor_u32(c, &feature) || !pd_cursor_u32(c, &high) || high ||
	    feature >= PD_NR_FEATURE_BITS)
		return;
	r->header.features[feature / 64] |= 1ULL << (feature % 64);
	r->sections[feature] = (struct pd_section){ .offset = c->at, .size = c->left };
}

static int take_name(struct pd_reader *r, struct pd_cursor *c)
{
	size_t len, fixed = sizeof(struct pd_event_update) - sizeof(struct perf_event_header);
	struct pd_event_update update;
	const void *at = pd_cursor_take(c, fixed);
	int event;

	if (!at)
		return 0;
	memcpy(&update.type, at, fixed);
	event = pd_reader_event_of(r, update.id);
	len = c->left;
	if (update.type != PD_UPDATE_NAME || event < 0 || !len)
		return 0;
	at = pd_cursor_take(c, len);
	return at ? pd_event_set_name(r, &r->events[event], at, len) : 0;
}

/**
 * pd_stream_read_events() - read the records that a stream has in place of header and sections
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_stream_read_events(struct pd_reader *r)
{
	struct pd_cursor c;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < r->nr_notes; i++) {
		if (pd_note_cursor(r, i, PD_RECORD_ATTR, &c))
			err = take_attr(r, &c);
		else if (pd_note_cursor(r, i, PD_RECORD_FEATURE, &c))
			take_feature(r, &c);
	}
	if (!err && !r->nr_events)
		err = pd_fail(r, -EINVAL, "a stream without events: it was cut off at its start");
	return err;
}

/**
 * pd_stream_read_names() - read records with names of events
 *
 * They name an event by id.  The feature section relies on the order of events, which tools change.
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_stream_read_names(struct pd_reader *r)
{
	struct pd_cursor c;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < r->nr_notes; i++) {
		if (pd_note_cursor(r, i, PD_RECORD_EVENT_UPDATE, &c))
			err = take_name(r, &c);
	}
	return err;
}
