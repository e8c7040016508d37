// SPDX-License-Identifier: GPL-2.0-only
/* Recordings with more events than any tool writes: the limit against damaged ones. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/perfdata/reader.h"
#include "userspace/perfdata/writer.h"

#define MOST	65536

/* Replaces that of the C library, since that of the sanitizer copies each time. */
void *reallocarray(void *old, size_t nr, size_t size)
{
	if (malloc_usable_size(old) >= nr * size)
		return old;
	return realloc(old, 2 * nr * size);
}

/* A stream of one event, and then that again and again. */
static unsigned char *make_stream(size_t *head, size_t *each)
{
	static const __u64 id = 7;
	const struct pd_event event = {
		.attr = { .sample_type = PERF_SAMPLE_IDENTIFIER, .sample_id_all = 1 },
		.name = "event", .ids = &id, .nr_ids = 1,
	};
	struct perf_event_header h;
	unsigned char *stream;
	struct pd_writer w;
	int fd = memfd_create("stream", 0);
	size_t i;

	if (pd_stream_begin(&w, fd, &event, 1))
		abort();
	pd_writer_free(&w);
	*head = PD_PIPE_HEADER_SIZE;
	if (pread(fd, &h, sizeof(h), *head) != sizeof(h))
		abort();
	*each = h.size;
	stream = malloc(*head + (MOST + 1) * *each);
	if (pread(fd, stream, *head + *each, 0) != (ssize_t)(*head + *each))
		abort();
	for (i = 1; i <= MOST; i++)
		memcpy(stream + *head + i * *each, stream + *head, *each);
	close(fd);
	return stream;
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	struct pd_reader r;
	unsigned char *stream;
	size_t head, each;

	plan(0);
	stream = make_stream(&head, &each);
	is_u64(pd_reader_open_mem(&r, stream, head + MOST * each), 0, "a stream of %d events",
	       MOST);
	is_u64(r.nr_events, MOST, "has all of them");
	pd_reader_close(&r);
	is_u64(-pd_reader_open_mem(&r, stream, head + (MOST + 1) * each), EINVAL, "one of more");
	is_str(r.error, "damaged: more than 65536 events", "is refused");
	pd_reader_close(&r);
	free(stream);
	return done();
}
