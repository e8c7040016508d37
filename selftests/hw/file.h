/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files of the kernel, such as settings and switches of tracepoints, as text. */
#ifndef HW_FILE_H
#define HW_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/**
 * write_text() - write a file that exists, in one call
 * @path: the file
 * @text: what is written
 *
 * Return: 0 or -errno.
 */
static inline int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -errno;
	close(fd);
	return ret;
}

/**
 * read_text() - read the start of a file, in one call
 * @path: the file
 * @text: its text with its newline, empty if there is none
 * @size: room there
 *
 * Return: true if it has been read, or there is no such file.
 */
static inline bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, text, size - 1);

	text[len > 0 ? len : 0] = 0;
	if (fd < 0)
		return errno == ENOENT;
	close(fd);
	return len > 0;
}

#endif /* HW_FILE_H */
