// SPDX-License-Identifier: GPL-2.0-only
/* A growing buffer that encodes numbers and strings as perf.data does. */
#include "blob.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

#define BLOB_FIRST_ROOM	256

/** pd_blob_free() - free the bytes; the blob is empty afterwards */
void pd_blob_free(struct pd_blob *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

static bool blob_reserve(struct pd_blob *b, size_t size)
{
	size_t room = b->room ? b->room : BLOB_FIRST_ROOM;
	unsigned char *data;

	if (b->failed || size > SIZE_MAX / 4 - b->size)
		goto fail;
	while (room < b->size + size)
		room *= 2;
	if (room == b->room)
		return true;
	data = realloc(b->data, room);
	if (!data)
		goto fail;
	b->data = data;
	b->room = room;
	return true;
fail:
	b->failed = true;
	return false;
}

/**
 * pd_blob_put() - append bytes, or zeros if @data is NULL
 *
 * Return: the copy, valid until the next append; NULL when out of memory.
 */
void *pd_blob_put(struct pd_blob *b, const void *data, size_t size)
{
	unsigned char *at;

	if (!blob_reserve(b, size))
		return NULL;
	at = b->data + b->size;
	if (data)
		memcpy(at, data, size);
	else
		memset(at, 0, size);
	b->size += size;
	return at;
}

/** pd_blob_put_u32() - append a number of 32 bits */
void pd_blob_put_u32(struct pd_blob *b, __u32 value)
{
	pd_blob_put(b, &value, sizeof(value));
}

/** pd_blob_put_u64() - append a number of 64 bits */
void pd_blob_put_u64(struct pd_blob *b, __u64 value)
{
	pd_blob_put(b, &value, sizeof(value));
}

/** pd_blob_put_padded() - append a string and zeros up to a multiple of @align, at least one */
void pd_blob_put_padded(struct pd_blob *b, const char *s, size_t align)
{
	size_t len = strlen(s);

	pd_blob_put(b, s, len);
	pd_blob_put(b, NULL, align - len % align);
}

/** pd_blob_put_string() - append a string as in feature sections: padded length, bytes, zeros */
void pd_blob_put_string(struct pd_blob *b, const char *s)
{
	size_t len = strlen(s);

	pd_blob_put_u32(b, len + PD_STRING_ALIGN - len % PD_STRING_ALIGN);
	pd_blob_put_padded(b, s, PD_STRING_ALIGN);
}

/** pd_blob_begin_record() - append the header of a record; returns its offset in the blob */
size_t pd_blob_begin_record(struct pd_blob *b, __u32 type)
{
	const struct perf_event_header h = { .type = type };
	size_t at = b->size;

	pd_blob_put(b, &h, sizeof(h));
	return at;
}

/**
 * pd_blob_end_record() - end the record at an offset: pad it and set its size
 *
 * Return: 0; -ENOMEM; -E2BIG if it is too large for its 16-bit size, and was removed.
 */
int pd_blob_end_record(struct pd_blob *b, size_t at)
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
