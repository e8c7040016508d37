// SPDX-License-Identifier: GPL-2.0-only
/* A file of any size, read piece by piece as needed. */
#include "window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_SIZE	(64 * 1024)
/* reading records in the order of their times alternates between the rings they came from */
#define NR_WINDOWS	128

/* WINDOW_SIZE bytes of the file. */
struct window {
	unsigned char *data;	/* NULL: nothing was read yet */
	__u64 number;		/* offset in the file / WINDOW_SIZE */
	size_t size;		/* less than WINDOW_SIZE at the end of the file */
};

struct pd_windows {
	int fd;
	int err;					/* -errno of a failure to read, or 0 */
	const struct window *last;			/* the one used last, or NULL */
	struct window window[NR_WINDOWS];		/* by number modulo NR_WINDOWS */
	__u64 joined[PD_PIECE_MAX / sizeof(__u64)];	/* a piece across windows */
};

/**
 * pd_windows_open() - begin to read a seekable file; it stays the caller's, with its position
 *
 * Return: the file, to be closed with pd_windows_close(); NULL with errno set.
 */
struct pd_windows *pd_windows_open(int fd)
{
	struct pd_windows *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (w->fd < 0) {
		free(w);
		return NULL;
	}
	return w;
}

/** pd_windows_close() - end reading; does nothing if @w is NULL */
void pd_windows_close(struct pd_windows *w)
{
	unsigned int i;

	if (!w)
		return;
	for (i = 0; i < NR_WINDOWS; i++)
		free(w->window[i].data);
	close(w->fd);
	free(w);
}

/* Returns the number of bytes read, less than @size only at the end, or -errno. */
static ssize_t read_some(int fd, __u64 offset, void *buf, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, (char *)buf + done, size - done, offset + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		done += n;
	}
	return done;
}

/**
 * pd_windows_read() - copy any number of bytes
 *
 * Return: 0; -errno; -ENODATA if the file ends before.
 */
int pd_windows_read(struct pd_windows *w, __u64 offset, void *buf, size_t size)
{
	ssize_t n = read_some(w->fd, offset, buf, size);
	int err = n < 0 ? (int)n : (size_t)n < size ? -ENODATA : 0;

	if (err && !w->err)
		w->err = err;
	return err;
}

/*
 * Memory for a window.  Reading on from the one before it does without the one before that, so that
 * reading a whole file stays within the caches of the CPU.
 */
static unsigned char *take_memory(struct pd_windows *w, __u64 number)
{
	struct window *old = &w->window[(number - 2) % NR_WINDOWS];
	unsigned char *data = old->data;

	if (!data || !w->last || w->last->number != number - 1 || old->number != number - 2)
		return malloc(WINDOW_SIZE);
	old->data = NULL;
	return data;
}

/* Returns NULL with @w->err set. */
static const struct window *get_window(struct pd_windows *w, __u64 number)
{
	struct window *win = &w->window[number % NR_WINDOWS];
	ssize_t n;

	if (win->data && win->number == number)
		return win;
	if (!win->data)
		win->data = take_memory(w, number);
	if (!win->data) {
		w->err = -ENOMEM;
		return NULL;
	}
	win->number = number;
	n = read_some(w->fd, number * WINDOW_SIZE, win->data, WINDOW_SIZE);
	win->size = n < 0 ? 0 : n;
	if (n < 0) {
		free(win->data);
		win->data = NULL;
		w->err = n;
		return NULL;
	}
	return win;
}

/* A piece that does not lie in the window used last: apart, since few are such. */
static __attribute__((noinline)) const void *find_piece(struct pd_windows *w, __u64 offset,
							size_t size)
{
	size_t from = offset % WINDOW_SIZE, done = 0;

	while (done < size) {
		const struct window *win = get_window(w, (offset + done) / WINDOW_SIZE);
		size_t part = WINDOW_SIZE - from;

		w->last = win;
		if (!win)
			return NULL;
		if (part > size - done)
			part = size - done;
		if (from + part > win->size) {
			w->err = -ENODATA;
			return NULL;
		}
		if (part == size)
			return win->data + from;
		memcpy((char *)w->joined + done, win->data + from, part);
		done += part;
		from = 0;
	}
	return w->joined;
}

/**
 * pd_windows_piece() - read at most PD_PIECE_MAX bytes
 *
 * Return: the bytes, valid until the next call and aligned to 8 bytes if @offset is; NULL if they
 * cannot be read or the file ends before, and pd_windows_error() returns the cause.
 */
const void *pd_windows_piece(struct pd_windows *w, __u64 offset, size_t size)
{
	const struct window *win = w->last;
	size_t from = offset % WINDOW_SIZE;

	if (win && win->number == offset / WINDOW_SIZE && from + size <= win->size)
		return win->data + from;
	return find_piece(w, offset, size);
}

/**
 * pd_windows_ahead() - how many bytes from @offset on are in memory, behind the piece that
 * pd_windows_piece() has returned for @offset; 0 if it was put together
 */
size_t pd_windows_ahead(const struct pd_windows *w, __u64 offset)
{
	const struct window *win = w->last;
	size_t from = offset % WINDOW_SIZE;

	if (!win || win->number != offset / WINDOW_SIZE || from >= win->size)
		return 0;
	return win->size - from;
}

/** pd_windows_fail() - let pd_windows_error() return @err, since what was read is invalid */
void pd_windows_fail(struct pd_windows *w, int err)
{
	w->err = err;
}

/** pd_windows_error() - return -errno if anything could not be read, or 0 */
int pd_windows_error(const struct pd_windows *w)
{
	return w->err;
}
