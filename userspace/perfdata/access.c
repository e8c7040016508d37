// SPDX-License-Identifier: GPL-2.0-only
/* Bounded access to the bytes of a file being read, and errors. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/** pd_fail() - set the error message and return @err */
int pd_fail(struct pd_reader *r, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->error, sizeof(r->error), fmt, ap);
	va_end(ap);
	return err;
}

/**
 * pd_reader_error() - check that everything so far could be read
 *
 * Return: 0, or -errno; -ENODATA if the file was truncated after it was opened.
 */
int pd_reader_error(const struct pd_reader *r)
{
	int err = r->windows ? pd_windows_error(r->windows) : 0;

	return err || !r->expanded ? err : pd_windows_error(r->expanded);
}

/** pd_watch_step() - report how far opening is */
void pd_watch_step(const struct pd_reader *r, __u64 done, __u64 total)
{
	if (r->watch.step)
		r->watch.step(r->watch.arg, done, total);
}

/** pd_fail_reading() - set the error message for what pd_reader_error() returns, and return it */
int pd_fail_reading(struct pd_reader *r)
{
	int err = pd_reader_error(r);

	if (err == -ENODATA)
		return pd_fail(r, err, "was cut off while it was read");
	return pd_fail(r, err, err == -ENOMEM ? "out of memory" : "cannot be read: %s",
		       strerror(-err));
}

static bool is_expanded(const struct pd_reader *r, __u64 offset)
{
	return r->expanded && offset >= r->expanded_at;
}

/* A damaged section may begin in the file and end in the copy of its records. */
static bool in_memory(const struct pd_reader *r, __u64 offset, size_t size)
{
	return !r->expanded || offset + size <= r->expanded_at;
}

/**
 * pd_piece() - read at most PD_PIECE_MAX bytes that lie in the file
 *
 * Return: the bytes, valid until the next call; NULL if they cannot be read.
 */
const void *pd_piece(const struct pd_reader *r, __u64 offset, size_t size)
{
	if (is_expanded(r, offset))
		return pd_windows_piece(r->expanded, offset - r->expanded_at, size);
	if (!r->data)
		return pd_windows_piece(r->windows, offset, size);
	return in_memory(r, offset, size) ? r->data + offset : NULL;
}

/**
 * pd_ahead() - count the bytes in memory, one after another, from what pd_piece() returned on
 *
 * Return: the number, maybe more than the file's section has; 0 if the piece was put together.
 */
size_t pd_ahead(const struct pd_reader *r, __u64 offset)
{
	if (is_expanded(r, offset))
		return pd_windows_ahead(r->expanded, offset - r->expanded_at);
	if (!r->data)
		return pd_windows_ahead(r->windows, offset);
	return (r->expanded ? r->expanded_at : r->size) - offset;
}

/** pd_read_at() - copy bytes that lie in the file; false if they cannot be read */
bool pd_read_at(const struct pd_reader *r, __u64 offset, void *buf, size_t size)
{
	if (is_expanded(r, offset))
		return !pd_windows_read(r->expanded, offset - r->expanded_at, buf, size);
	if (!r->data)
		return !pd_windows_read(r->windows, offset, buf, size);
	if (!in_memory(r, offset, size))
		return false;
	memcpy(buf, r->data + offset, size);
	return true;
}

/** pd_section_fits() - check that a section lies in the file */
bool pd_section_fits(const struct pd_reader *r, const struct pd_section *s)
{
	return s->offset <= r->size && s->size <= r->size - s->offset;
}

/** pd_cursor_skip() - advance; false if less is left */
bool pd_cursor_skip(struct pd_cursor *c, __u64 size)
{
	if (size > c->left)
		return false;
	c->at += size;
	c->left -= size;
	return true;
}

/**
 * pd_cursor_take() - read bytes and advance
 *
 * Return: the bytes, valid until the next read; NULL if less is left or they cannot be read.
 */
const void *pd_cursor_take(struct pd_cursor *c, size_t size)
{
	__u64 at = c->at;

	if (size > PD_PIECE_MAX || !pd_cursor_skip(c, size))
		return NULL;
	return pd_piece(c->r, at, size);
}

/** pd_cursor_u32() - read a number and advance; false as with pd_cursor_take() */
bool pd_cursor_u32(struct pd_cursor *c, __u32 *value)
{
	const void *at = pd_cursor_take(c, sizeof(*value));

	if (at)
		memcpy(value, at, sizeof(*value));
	return at;
}

/**
 * pd_cursor_string() - read a string and advance
 *
 * Return: the string, valid until the next read; NULL if it does not end within its padded length.
 */
const char *pd_cursor_string(struct pd_cursor *c)
{
	const char *s;
	__u32 len;

	if (!pd_cursor_u32(c, &len))
		return NULL;
	s = pd_cursor_take(c, len);
	return s && len && memchr(s, 0, len) ? s : NULL;
}
