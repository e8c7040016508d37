// SPDX-License-Identifier: GPL-2.0-only
/* Writing a perf.data file: events, records, feature sections, and the header that locates them. */
#include "writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* pieces written in one call; IOV_MAX is 1024 on Linux */
#define IOV_CHUNK	64

/* @done: out, also after an error, the number of bytes written */
static int writev_all(int fd, struct iovec *iov, int nr, __u64 *done)
{
	*done = 0;
	while (nr) {
		ssize_t n = writev(fd, iov, nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		*done += n;
		while (nr && (size_t)n >= iov->iov_len) {
			n -= iov->iov_len;
			iov++;
			nr--;
		}
		if (nr) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= n;
		}
	}
	return 0;
}

static int write_all(int fd, const void *data, size_t size)
{
	struct iovec iov = { .iov_base = (void *)data, .iov_len = size };
	__u64 done;

	return writev_all(fd, &iov, 1, &done);
}

/** pd_writer_begin_data() - let the records of the finished file begin here */
void pd_writer_begin_data(struct pd_writer *w)
{
	w->header.data.offset = w->size;
}

/**
 * pd_writer_put() - append whole records in @nr pieces
 *
 * Return: 0; -errno: @w->torn bytes of them are in the file, and pd_writer_keep() must follow.
 */
int pd_writer_put(struct pd_writer *w, const struct iovec *iov, int nr)
{
	struct iovec part[IOV_CHUNK];
	__u64 done, bytes = 0;
	int i, n, err = 0;

	for (i = 0; !err && i < nr; i += n) {
		n = nr - i < IOV_CHUNK ? nr - i : IOV_CHUNK;
		memcpy(part, iov + i, n * sizeof(*part));
		err = writev_all(w->fd, part, n, &done);
		bytes += done;
	}
	if (err)
		w->torn = bytes;
	else
		w->size += bytes;
	return err;
}

/**
 * pd_writer_keep() - after a write has failed, keep so many bytes of it, which are whole records
 *
 * The rest is removed from a file.  It stays in a stream, which readers then report as cut off.
 */
void pd_writer_keep(struct pd_writer *w, __u64 bytes)
{
	w->size += bytes;
	w->torn = 0;
	if (w->header.size != PD_PIPE_HEADER_SIZE && !ftruncate(w->fd, w->size))
		lseek(w->fd, w->size, SEEK_SET);
}

/**
 * pd_writer_put_at() - overwrite what is in a file
 *
 * Return: 0 or -errno.
 */
int pd_writer_put_at(struct pd_writer *w, __u64 offset, const void *data, size_t size)
{
	while (size) {
		ssize_t n = pwrite(w->fd, data, size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data = (const char *)data + n;
		offset += n;
		size -= n;
	}
	return 0;
}

/**
 * pd_writer_put_record() - append whole records in one piece
 *
 * Return: 0 or -errno.
 */
int pd_writer_put_record(struct pd_writer *w, const void *record, size_t size)
{
	struct iovec iov = { .iov_base = (void *)record, .iov_len = size };

	return pd_writer_put(w, &iov, 1);
}

/**
 * pd_writer_feature() - begin or continue a feature section
 *
 * Return: its contents so far, to which the caller appends; pd_writer_finish() writes them.
 */
struct pd_blob *pd_writer_feature(struct pd_writer *w, unsigned int feature)
{
	w->header.features[feature / 64] |= 1ULL << (feature % 64);
	return &w->features[feature];
}

/** pd_writer_feature_string() - make a feature section of one string, none of an empty one */
void pd_writer_feature_string(struct pd_writer *w, unsigned int feature, const char *s)
{
	if (*s)
		pd_blob_put_string(pd_writer_feature(w, feature), s);
}

/** pd_writer_feature_events() - make the section with the names of the events */
void pd_writer_feature_events(struct pd_writer *w, const struct pd_event *events, unsigned int nr)
{
	struct pd_blob *b = pd_writer_feature(w, PD_FEAT_EVENT_DESC);
	struct perf_event_attr attr;
	unsigned int i;

	pd_blob_put_u32(b, nr);
	pd_blob_put_u32(b, sizeof(attr));
	for (i = 0; i < nr; i++) {
		attr = events[i].attr;
		attr.size = sizeof(attr);
		pd_blob_put(b, &attr, sizeof(attr));
		pd_blob_put_u32(b, events[i].nr_ids);
		pd_blob_put_string(b, events[i].name);
		pd_blob_put(b, events[i].ids, events[i].nr_ids * sizeof(__u64));
	}
}

static bool has_feature(const struct pd_writer *w, unsigned int feature)
{
	return w->header.features[feature / 64] >> (feature % 64) & 1;
}

static int put_features(struct pd_writer *w)
{
	struct pd_section section = { .offset = w->size };
	struct pd_blob b = { 0 };
	unsigned int i;
	int err;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++)
		section.offset += has_feature(w, i) ? sizeof(section) : 0;
	for (i = 0; i < PD_NR_FEATURE_BITS; i++) {
		section.size = w->features[i].size;
		if (has_feature(w, i))
			pd_blob_put(&b, &section, sizeof(section));
		section.offset += section.size;
	}
	for (i = 0; i < PD_NR_FEATURE_BITS; i++) {
		pd_blob_put(&b, w->features[i].data, w->features[i].size);
		b.failed |= w->features[i].failed;
	}
	err = b.failed ? -ENOMEM : write_all(w->fd, b.data, b.size);
	pd_blob_free(&b);
	return err;
}

/* Make it a stream again, without the features. */
static void undo_finish(struct pd_writer *w)
{
	/* with them it must stay a file */
	if (!ftruncate(w->fd, w->size))
		pd_writer_put_at(w, 0, &w->start, sizeof(w->start));
}

/**
 * pd_writer_finish() - make it a file: write the final header and the feature sections
 *
 * If the writer is killed here, the file lacks the features only, without which perf reads no
 * compressed records.
 *
 * Return: 0; -errno, and all records can still be read.  pd_writer_free() is needed in any case.
 */
int pd_writer_finish(struct pd_writer *w)
{
	struct pd_file_header bare;
	int err;

	w->header.data.size = w->size - w->header.data.offset;
	bare = w->header;
	memset(bare.features, 0, sizeof(bare.features));
	if (lseek(w->fd, w->size, SEEK_SET) < 0)
		return -errno;
	/* first, since a reader of streams would take the features for records */
	err = pd_writer_put_at(w, 0, &bare, sizeof(bare));
	if (!err)
		err = put_features(w);
	if (!err)
		err = pd_writer_put_at(w, 0, &w->header, sizeof(w->header));
	if (err)
		undo_finish(w);
	return err;
}

/** pd_writer_drop_feature() - make a feature section anew */
void pd_writer_drop_feature(struct pd_writer *w, unsigned int feature)
{
	w->header.features[feature / 64] &= ~(1ULL << (feature % 64));
	pd_blob_free(&w->features[feature]);
}

/** pd_writer_free() - free the feature sections */
void pd_writer_free(struct pd_writer *w)
{
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++)
		pd_blob_free(&w->features[i]);
}
