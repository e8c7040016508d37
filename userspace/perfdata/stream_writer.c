// SPDX-License-Identifier: GPL-2.0-only
/* Writing a stream, which has records in place of header and sections, or the start of a file. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "writer.h"

static int put_attr(struct pd_blob *b, const struct pd_event *e)
{
	size_t at = pd_blob_begin_record(b, PD_RECORD_ATTR);
	struct perf_event_attr attr = e->attr;

	attr.size = sizeof(attr);
	pd_blob_put(b, &attr, sizeof(attr));
	pd_blob_put(b, e->ids, e->nr_ids * sizeof(*e->ids));
	return pd_blob_end_record(b, at);
}

static int put_name(struct pd_blob *b, const struct pd_event *e)
{
	size_t at = pd_blob_begin_record(b, PD_RECORD_EVENT_UPDATE);

	pd_blob_put_u64(b, PD_UPDATE_NAME);
	pd_blob_put_u64(b, e->ids[0]);
	pd_blob_put_padded(b, e->name, PD_NAME_ALIGN);
	return pd_blob_end_record(b, at);
}

/* Write and free the records, unless making them failed with @err. */
static int flush(struct pd_writer *w, struct pd_blob *b, int err)
{
	if (!err)
		err = pd_writer_put_record(w, b->data, b->size);
	pd_blob_free(b);
	return err;
}

static int put_events(struct pd_blob *b, const struct pd_event *events, unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++) {
		err = put_attr(b, &events[i]);
		if (err)
			return err;
	}
	for (i = 0; i < nr; i++) {
		/* a name that does not fit is left out */
		if (events[i].nr_ids && put_name(b, &events[i]) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

static int put_ids(struct pd_blob *b, const struct pd_event *e)
{
	size_t at = pd_blob_begin_record(b, PD_RECORD_ROOM);

	pd_blob_put(b, e->ids, e->nr_ids * sizeof(*e->ids));
	return pd_blob_end_record(b, at);
}

/* Records that readers skip: room for the rest of a file's header, then its attrs and their ids. */
static int put_sections(struct pd_writer *w, struct pd_blob *b, const struct pd_event *events,
			unsigned int nr)
{
	size_t at = pd_blob_begin_record(b, PD_RECORD_ROOM);
	struct pd_section ids = { 0 };
	struct perf_event_attr attr;
	unsigned int i;
	int err;

	pd_blob_put(b, NULL, sizeof(w->header) - b->size);
	w->header.attr_size = sizeof(attr) + sizeof(ids);
	w->header.attrs.offset = b->size;
	w->header.attrs.size = nr * w->header.attr_size;
	ids.offset = w->header.attrs.offset + w->header.attrs.size;
	for (i = 0; i < nr; i++) {
		attr = events[i].attr;
		attr.size = sizeof(attr);
		ids.offset += sizeof(struct perf_event_header);
		ids.size = events[i].nr_ids * sizeof(__u64);
		pd_blob_put(b, &attr, sizeof(attr));
		pd_blob_put(b, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	err = pd_blob_end_record(b, at);
	for (i = 0; !err && i < nr; i++)
		err = put_ids(b, &events[i]);
	return err;
}

static void put_header(struct pd_blob *b)
{
	const struct pd_file_header start = { .magic = PD_MAGIC, .size = PD_PIPE_HEADER_SIZE };

	pd_blob_put(b, &start, PD_PIPE_HEADER_SIZE);
}

/* @in_file: NULL if it will stay a stream */
static int begin(struct pd_writer *w, int fd, const struct pd_event *in_file,
		 const struct pd_event *in_stream, unsigned int nr)
{
	struct pd_blob b = { 0 };
	int err;

	memset(w, 0, sizeof(*w));
	w->fd = fd;
	w->header.magic = PD_MAGIC;
	w->header.size = in_file ? sizeof(w->header) : PD_PIPE_HEADER_SIZE;
	put_header(&b);
	err = in_file ? put_sections(w, &b, in_file, nr) : 0;
	if (!err && in_file)
		memcpy(&w->start, b.data, sizeof(w->start));
	if (!err)
		err = put_events(&b, in_stream, nr);
	err = flush(w, &b, err);
	pd_writer_begin_data(w);
	return err;
}

/**
 * pd_stream_put_start() - append the start and the events of a stream, which stays in memory
 *
 * Return: 0 or -errno; -E2BIG if an event has more ids than fit into a record.
 */
int pd_stream_put_start(struct pd_blob *b, const struct pd_event *events, unsigned int nr)
{
	put_header(b);
	return put_events(b, events, nr);
}

/**
 * pd_stream_begin() - write the start and the events of a stream to a pipe, for instance
 *
 * Records follow with pd_writer_put().
 *
 * Return: 0 or -errno; -E2BIG if an event has more ids than fit into a record.
 */
int pd_stream_begin(struct pd_writer *w, int fd, const struct pd_event *events, unsigned int nr)
{
	return begin(w, fd, NULL, events, nr);
}

/**
 * pd_writer_begin() - write the start and the events to an empty, seekable file
 *
 * Until pd_writer_finish() it is a stream, which can be read wherever it ends.  @in_stream has the
 * events of the file in the order, and with the attributes, of the stream.
 *
 * Return: 0 or -errno; -E2BIG if an event has more ids than fit into a record.
 */
int pd_writer_begin(struct pd_writer *w, int fd, const struct pd_event *in_file,
		    const struct pd_event *in_stream, unsigned int nr)
{
	return begin(w, fd, in_file, in_stream, nr);
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
		at = pd_blob_begin_record(&b, PD_RECORD_FEATURE);
		pd_blob_put_u64(&b, i);
		pd_blob_put(&b, f->data, f->size);
		if (f->failed || pd_blob_end_record(&b, at) == -ENOMEM)
			err = -ENOMEM;
	}
	return flush(w, &b, err);
}
