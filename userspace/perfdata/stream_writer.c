// SPDX-License-Identifier: GPL-2.0-only
/* Writing a recording as a stream, which has records in place of header and sections. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "writer.h"

static size_t begin(struct pd_blob *b, __u32 type)
{
	const struct perf_event_header h = { .type = type };
	size_t at = b->size;

	pd_blob_put(b, &h, sizeof(h));
	return at;
}

/* End a record; one that is too large for its 16-bit size is removed. */
static int end(struct pd_blob *b, size_t at)
{
	size_t size;

	pd_blob_put(b, NULL, -(b->size - at) % PD_NAME_ALIGN);
	if (b->failed)
		return -ENOMEM;
	size = b->size - at;
	if (size > UINT16_MAX) {
		b->size = at;
		return -E2BIG;
	}
	((struct perf_event_header *)(b->data + at))->size = size;
	return 0;
}

static int put_attr(struct pd_blob *b, const struct pd_event *e)
{
	size_t at = begin(b, PD_RECORD_ATTR);
	struct perf_event_attr attr = e->attr;

	attr.size = sizeof(attr);
	pd_blob_put(b, &attr, sizeof(attr));
	pd_blob_put(b, e->ids, e->nr_ids * sizeof(*e->ids));
	return end(b, at);
}

static int put_name(struct pd_blob *b, const struct pd_event *e)
{
	size_t at = begin(b, PD_RECORD_EVENT_UPDATE);

	pd_blob_put_u64(b, PD_UPDATE_NAME);
	pd_blob_put_u64(b, e->ids[0]);
	pd_blob_put_padded(b, e->name, PD_NAME_ALIGN);
	return end(b, at);
}

/* Write and free the records, unless making them failed with @err. */
static int flush(struct pd_writer *w, struct pd_blob *b, int err)
{
	if (!err)
		err = pd_writer_put_record(w, b->data, b->size);
	pd_blob_free(b);
	return err;
}

/**
 * pd_stream_begin() - write the start and the events of a stream to a pipe, for instance
 *
 * Records follow with pd_writer_put(); @w->header.data.size counts all bytes.
 *
 * Return: 0 or -errno; -E2BIG if an event has more ids than fit into a record.
 */
int pd_stream_begin(struct pd_writer *w, int fd, const struct pd_event *events, unsigned int nr)
{
	struct pd_blob b = { 0 };
	unsigned int i;
	int err = 0;

	memset(w, 0, sizeof(*w));
	w->fd = fd;
	w->header.magic = PD_MAGIC;
	w->header.size = PD_PIPE_HEADER_SIZE;
	pd_blob_put(&b, &w->header, PD_PIPE_HEADER_SIZE);
	for (i = 0; !err && i < nr; i++)
		err = put_attr(&b, &events[i]);
	for (i = 0; !err && i < nr; i++) {
		/* a name that does not fit is left out */
		if (events[i].nr_ids && put_name(&b, &events[i]) == -ENOMEM)
			err = -ENOMEM;
	}
	return flush(w, &b, err);
}

/**
 * pd_stream_features() - write the features so far; one that does not fit into a record is left out
 *
 * Return: 0 or -errno.
 */
int pd_stream_features(struct pd_writer *w)
{
	struct pd_blob b = { 0 };
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < PD_NR_FEATURE_BITS; i++) {
		const struct pd_blob *f = &w->features[i];
		size_t at;

		if (!f->size)
			continue;
		at = begin(&b, PD_RECORD_FEATURE);
		pd_blob_put_u64(&b, i);
		pd_blob_put(&b, f->data, f->size);
		if (f->failed || end(&b, at) == -ENOMEM)
			err = -ENOMEM;
	}
	return flush(w, &b, err);
}
