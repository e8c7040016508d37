// SPDX-License-Identifier: GPL-2.0-only
/* Build-ids in a file being read: those in the table and those in records. */
#include <string.h>

#include "internal.h"

/* Pass the next entry to @fn, which returns *@ret; false at the end. */
static bool each_build_id(struct pd_cursor *c, pd_build_id_fn fn, void *arg, int *ret)
{
	unsigned int size = PD_BUILD_ID_MAX;
	struct pd_build_id_entry e;
	const char *at;

	at = c->left < sizeof(e) ? NULL : pd_piece(c->r, c->at, sizeof(e));
	if (!at)
		return false;
	memcpy(&e, at, sizeof(e));
	if (e.header.size <= sizeof(e))
		return false;
	at = pd_cursor_take(c, e.header.size);
	if (!at)
		return false;
	if (e.header.misc & PD_MISC_BUILD_ID_SIZE && e.size < size)
		size = e.size;
	at += sizeof(e);
	if (memchr(at, 0, e.header.size - sizeof(e)))
		*ret = fn(arg, e.build_id, size, at);
	return true;
}

/**
 * pd_reader_build_ids() - call @fn for each build-id, in the table or in a record
 *
 * Return: 0, or the value of @fn that ended it.
 */
int pd_reader_build_ids(const struct pd_reader *r, pd_build_id_fn fn, void *arg)
{
	struct pd_cursor c;
	int ret = 0;
	size_t i;

	if (pd_feature_cursor(r, PD_FEAT_BUILD_ID, &c)) {
		while (!ret && each_build_id(&c, fn, arg, &ret))
			;
	}
	for (i = 0; !ret && i < r->nr_notes; i++) {
		if (!pd_note_cursor(r, i, PD_RECORD_BUILD_ID, &c))
			continue;
		/* the entry includes the header of the record */
		c.at -= sizeof(struct perf_event_header);
		c.left += sizeof(struct perf_event_header);
		each_build_id(&c, fn, arg, &ret);
	}
	return ret;
}
