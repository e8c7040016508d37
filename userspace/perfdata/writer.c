// SPDX-License-Identifier: GPL-2.0-only
/* Writing a perf.data file: events, records, feature sections, and the header that locates them. */
#include "writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* bytes of an element of the attrs section */
#define FILE_ATTR_SIZE	(sizeof(struct perf_event_attr) + sizeof(struct pd_section))
/* pieces written in one call; IOV_MAX is 1024 on Linux */
#define IOV_CHUNK	64

static int writev_all(int fd, struct iovec *iov, int nr)
{
	while (nr) {
		ssize_t n = writev(fd, iov, nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
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

	return writev_all(fd, &iov, 1);
}

static void put_attrs(struct pd_blob *b, const struct pd_event *events, unsigned int nr)
{
	struct pd_section ids = { .offset = sizeof(struct pd_file_header) };
	struct perf_event_attr attr;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		attr = events[i].attr;
		attr.size = sizeof(attr);
		ids.size = events[i].nr_ids * sizeof(__u64);
		pd_blob_put(b, &attr, sizeof(attr));
		pd_blob_put(b, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
}

/**
 * pd_writer_begin() - write the header and the events to an empty, seekable file
 *
 * Until pd_writer_finish() the header has a data size of 0, as in a recording that was interrupted.
 *
 * Return: 0 or -errno.
 */
int pd_writer_begin(struct pd_writer *w, int fd, const struct pd_event *events, unsigned int nr)
{
	struct pd_blob b = { 0 };
	unsigned int i;
	int err;

	memset(w, 0, sizeof(*w));
	w->fd = fd;
	w->header.magic = PD_MAGIC;
	w->header.size = sizeof(w->header);
	w->header.attr_size = FILE_ATTR_SIZE;

	pd_blob_put(&b, NULL, sizeof(w->header));
	for (i = 0; i < nr; i++)
		pd_blob_put(&b, events[i].ids, events[i].nr_ids * sizeof(__u64));
	w->header.attrs.offset = b.size;
	w->header.attrs.size = nr * FILE_ATTR_SIZE;
	put_attrs(&b, events, nr);
	w->header.data.offset = b.size;
	if (b.failed) {
		err = -ENOMEM;
	} else {
		memcpy(b.data, &w->header, sizeof(w->header));
		err = write_all(fd, b.data, b.size);
	}
	pd_blob_free(&b);
	return err;
}

/**
 * pd_writer_put() - append whole records in @nr pieces
 *
 * Return: 0 or -errno; after an error the file may end in the middle of a record.
 */
int pd_writer_put(struct pd_writer *w, const struct iovec *iov, int nr)
{
	struct iovec part[IOV_CHUNK];
	int i, n, err;

	for (i = 0; i < nr; i += n) {
		size_t bytes = 0;
		int k;

		n = nr - i < IOV_CHUNK ? nr - i : IOV_CHUNK;
		memcpy(part, iov + i, n * sizeof(*part));
		for (k = 0; k < n; k++)
			bytes += part[k].iov_len;
		err = writev_all(w->fd, part, n);
		if (err)
			return err;
		w->header.data.size += bytes;
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

static int put_features(struct pd_writer *w)
{
	__u64 offset = w->header.data.offset + w->header.data.size;
	struct pd_blob table = { 0 };
	unsigned int i, nr = 0;
	int err;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++)
		nr += w->header.features[i / 64] >> (i % 64) & 1;
	offset += nr * sizeof(struct pd_section);
	for (i = 0; i < PD_NR_FEATURE_BITS; i++) {
		struct pd_section section = { .offset = offset, .size = w->features[i].size };

		if (!(w->header.features[i / 64] >> (i % 64) & 1))
			continue;
		if (w->features[i].failed)
			table.failed = true;
		pd_blob_put(&table, &section, sizeof(section));
		offset += section.size;
	}
	err = table.failed ? -ENOMEM : write_all(w->fd, table.data, table.size);
	pd_blob_free(&table);
	for (i = 0; !err && i < PD_NR_FEATURE_BITS; i++)
		err = write_all(w->fd, w->features[i].data, w->features[i].size);
	return err;
}

/**
 * pd_writer_finish() - write the feature sections and the final header
 *
 * Return: 0 or -errno; pd_writer_free() is needed in any case.
 */
int pd_writer_finish(struct pd_writer *w)
{
	off_t end = w->header.data.offset + w->header.data.size;
	ssize_t n;
	int err;

	/* a write that failed may have left half a record */
	if (ftruncate(w->fd, end) || lseek(w->fd, end, SEEK_SET) != end)
		return -errno;
	err = put_features(w);
	if (err)
		return err;
	n = pwrite(w->fd, &w->header, sizeof(w->header), 0);
	if (n < 0)
		return -errno;
	return n == sizeof(w->header) ? 0 : -EIO;
}

/** pd_writer_free() - free the feature sections */
void pd_writer_free(struct pd_writer *w)
{
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++)
		pd_blob_free(&w->features[i]);
}
