// SPDX-License-Identifier: GPL-2.0-only
/* A file that is read piece by piece as it is needed, however large it is. */
#include "window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_SIZE	(32 * 1024)
/* records are read in the order of their times, which jumps among the rings they came from */
#define NR_WINDOWS	256

/**
 * struct window - a part of the file that was read
 * @data: its bytes, NULL: none yet
 * @number: which part of WINDOW_SIZE bytes
 * @size: bytes that the file had there
 */
struct window {
	unsigned char *data;
	__u64 number;
	size_t size;
};

/**
 * struct pd_windows - a file and what of it is in memory
 * @fd: the file
 * @err: -errno of the first thing that could not be read, 0: none
 * @window: the parts, by number modulo NR_WINDOWS
 * @joined: a piece that lies in several parts
 */
struct pd_windows {
	int fd;
	int err;
	struct window window[NR_WINDOWS];
	__u64 joined[PD_PIECE_MAX / sizeof(__u64)];
};

/**
 * pd_windows_open() - begin to read a file
 * @fd: the file, which must be seekable; it stays the caller's, and so does its position
 *
 * Return: to be given back by pd_windows_close(); NULL with errno set.
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

/**
 * pd_windows_close() - give the memory back
 * @w: the file, NULL: nothing to do
 */
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

/* Returns how much there was, or -errno. */
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
 * pd_windows_read() - copy a part of the file
 * @w: the file
 * @offset: where it begins
 * @buf: out
 * @size: its bytes, any number
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

/* The part with a number; NULL with @w->err set. */
static const struct window *get_window(struct pd_windows *w, __u64 number)
{
	struct window *win = &w->window[number % NR_WINDOWS];
	ssize_t n;

	if (win->data && win->number == number)
		return win;
	if (!win->data)
		win->data = malloc(WINDOW_SIZE);
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

/**
 * pd_windows_piece() - a piece of the file in one piece
 * @w: the file
 * @offset: where it begins
 * @size: its bytes, at most PD_PIECE_MAX
 *
 * Return: the piece, valid until the next call and aligned to 8 bytes if @offset is; NULL if it
 * cannot be read or the file ends before, which pd_windows_error() tells.
 */
const void *pd_windows_piece(struct pd_windows *w, __u64 offset, size_t size)
{
	size_t from = offset % WINDOW_SIZE, done = 0;

	while (done < size) {
		const struct window *win = get_window(w, (offset + done) / WINDOW_SIZE);
		size_t part = WINDOW_SIZE - from;

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
 * pd_windows_fail() - note that what was read makes no sense
 * @w: the file
 * @err: -errno that pd_windows_error() returns from now on
 */
void pd_windows_fail(struct pd_windows *w, int err)
{
	w->err = err;
}

/**
 * pd_windows_error() - whether all that was asked for could be read
 * @w: the file
 *
 * Return: 0, or -errno of what went wrong.
 */
int pd_windows_error(const struct pd_windows *w)
{
	return w->err;
}
