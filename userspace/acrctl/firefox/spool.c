// SPDX-License-Identifier: GPL-2.0-only
/* Samples by thread, in a temporary file: they arrive by time, and are needed thread by thread. */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_ROOM	16
#define CHUNK_SIZE	sizeof(((struct spool_list *)NULL)->last)

/**
 * spool_begin() - make the file, which has no name, in $TMPDIR; spool_end() in any case
 *
 * Return: 0 or -errno.
 */
int spool_begin(struct spool *s)
{
	const char *dir = getenv("TMPDIR");
	char path[PATH_MAX];
	int fd, err = 0;

	*s = (struct spool){ 0 };
	/* tmpfile() does not heed the variable */
	snprintf(path, sizeof(path), "%s/acrctl.XXXXXX", dir && *dir ? dir : P_tmpdir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	s->file = fdopen(fd, "w+");
	if (!s->file) {
		err = -errno;
		close(fd);
	}
	return err;
}

static int put_chunk(struct spool *s, struct spool_list *l)
{
	size_t number = l->nr / SPOOL_CHUNK - 1, room = l->room ? 2 * l->room : FIRST_ROOM;
	off_t at = s->nr_chunks * CHUNK_SIZE;
	__u64 *chunks;
	ssize_t n;

	if (number == l->room) {
		chunks = reallocarray(l->chunks, room, sizeof(*chunks));
		if (!chunks)
			return -ENOMEM;
		l->chunks = chunks;
		l->room = room;
	}
	n = pwrite(fileno(s->file), l->last, CHUNK_SIZE, at);
	if (n != (ssize_t)CHUNK_SIZE)
		return n < 0 ? -errno : -ENOSPC;
	l->chunks[number] = s->nr_chunks++;
	return 0;
}

/**
 * spool_add() - append a sample to those of a thread
 *
 * Return: 0 or -errno.
 */
int spool_add(struct spool *s, struct spool_list *l, const struct spool_sample *sample)
{
	l->last[l->nr++ % SPOOL_CHUNK] = *sample;
	return l->nr % SPOOL_CHUNK ? 0 : put_chunk(s, l);
}

/**
 * spool_read() - call @fn with each sample of a thread, in order
 *
 * Return: 0 or -errno.
 */
int spool_read(const struct spool *s, const struct spool_list *l, spool_fn fn, void *arg)
{
	struct spool_sample chunk[SPOOL_CHUNK];
	size_t i, j;
	ssize_t n;

	for (i = 0; i < l->nr / SPOOL_CHUNK; i++) {
		n = pread(fileno(s->file), chunk, sizeof(chunk), l->chunks[i] * CHUNK_SIZE);
		if (n != (ssize_t)sizeof(chunk))
			return n < 0 ? -errno : -EIO;
		for (j = 0; j < SPOOL_CHUNK; j++)
			fn(arg, &chunk[j]);
	}
	for (j = 0; j < l->nr % SPOOL_CHUNK; j++)
		fn(arg, &l->last[j]);
	return 0;
}

/**
 * spool_end() - remove the file
 */
void spool_end(struct spool *s)
{
	if (s->file)
		fclose(s->file);
	s->file = NULL;
}
