// SPDX-License-Identifier: LGPL-2.1-or-later
/* The text of a file of an arch directory. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SIZE	((off_t)64 << 20)

/* Reads up to @size bytes; the file may change while it is read. */
static ssize_t read_all(int fd, char *text, size_t size)
{
	size_t done = 0;

	while (done < size) {
		const ssize_t got = read(fd, text + done, size - done);

		if (!got)
			break;
		if (got > 0)
			done += got;
		else if (errno != EINTR)
			return -errno;
	}
	return done;
}

static int read_open(const char *path, int fd, char **text, size_t *len, struct reporter *reporter)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		report_say(reporter, REPORT_FATAL, path, 0, "", "is no regular file");
		return -EINVAL;
	}
	if (st.st_size > MAX_SIZE) {
		report_say(reporter, REPORT_FATAL, path, 0, "",
			   "has %lld bytes, more than the %lld that are read",
			   (long long)st.st_size, (long long)MAX_SIZE);
		return -EINVAL;
	}
	*text = malloc(st.st_size + 1);
	if (!*text)
		return -ENOMEM;
	got = read_all(fd, *text, st.st_size);
	if (got < 0) {
		report_say(reporter, REPORT_FATAL, path, 0, "", "cannot be read: %s",
			   strerror(-got));
		free(*text);
		return -EINVAL;
	}
	(*text)[got] = '\0';
	*len = got;
	return 0;
}

int file_read(const char *path, char **text, size_t *len, struct reporter *reporter)
{
	/* a FIFO must not stop us */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int ret;

	if (fd < 0) {
		report_say(reporter, REPORT_FATAL, path, 0, "", "cannot be opened: %s",
			   strerror(errno));
		return -EINVAL;
	}
	ret = read_open(path, fd, text, len, reporter);
	close(fd);
	return ret;
}
