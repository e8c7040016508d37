// SPDX-License-Identifier: GPL-2.0-only
/* Bounded access to a file being read: its bytes, a cursor over them, and what went wrong. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

int pd_fail(struct pd_reader *r, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->error, sizeof(r->error), fmt, ap);
	va_end(ap);
	return err;
}

/**
 * pd_reader_error() - whether all that was asked for could be read
 * @r: the reader, open
 *
 * Return: 0, or -errno; -ENODATA if the file was cut off meanwhile.
 */
int pd_reader_error(const struct pd_reader *r)
{
	return r->windows ? pd_windows_error(r->windows) : 0;
}

/* What cannot be read any more, or is not there any more. */
int pd_fail_reading(struct pd_reader *r)
{
	int err = pd_reader_error(r);

	if (err == -ENODATA)
		return pd_fail(r, err, "was cut off while it was read");
	return pd_fail(r, err, err == -ENOMEM ? "out of memory" : "cannot be read: %s",
		       strerror(-err));
}

/* At most PD_PIECE_MAX bytes of the file, valid until the next call; NULL: unreadable. */
const void *pd_piece(const struct pd_reader *r, __u64 offset, size_t size)
{
	return r->data ? r->data + offset : pd_windows_piece(r->windows, offset, size);
}

/* Any number of bytes of the file; false: unreadable. */
bool pd_read_at(const struct pd_reader *r, __u64 offset, void *buf, size_t size)
{
	if (!r->data)
		return !pd_windows_read(r->windows, offset, buf, size);
	memcpy(buf, r->data + offset, size);
	return true;
}

bool pd_section_fits(const struct pd_reader *r, const struct pd_section *s)
{
	return s->offset <= r->size && s->size <= r->size - s->offset;
}

bool pd_cursor_skip(struct pd_cursor *c, __u64 size)
{
	if (size > c->left)
		return false;
	c->at += size;
	c->left -= size;
	return true;
}

/* Valid until the next one is taken. */
const void *pd_cursor_take(struct pd_cursor *c, size_t size)
{
	__u64 at = c->at;

	if (size > PD_PIECE_MAX || !pd_cursor_skip(c, size))
		return NULL;
	return pd_piece(c->r, at, size);
}

bool pd_cursor_u32(struct pd_cursor *c, __u32 *value)
{
	const void *at = pd_cursor_take(c, sizeof(*value));

	if (at)
		memcpy(value, at, sizeof(*value));
	return at;
}

/* A string that ends within its padded length; NULL if it does not. */
const char *pd_cursor_string(struct pd_cursor *c)
{
	const char *s;
	__u32 len;

	if (!pd_cursor_u32(c, &len))
		return NULL;
	s = pd_cursor_take(c, len);
	return s && len && memchr(s, 0, len) ? s : NULL;
}
