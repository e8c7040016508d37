// SPDX-License-Identifier: GPL-2.0-only
/* How the device and a test talk: the environment, the log, files that one makes for the other. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/* a minute */
#define PAUSE_NS	10000000
#define PAUSES		6000

/**
 * env_number() - a number of the environment, 0 if there is none
 */
long env_number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 0) : 0;
}

/**
 * env_is() - whether the environment has this number
 */
bool env_is(const char *name, long number)
{
	return getenv(name) && env_number(name) == number;
}

/**
 * note() - add a line to the log
 */
void note(const char *fmt, ...)
{
	const char *path = getenv("FAKE_LOG");
	FILE *f = path ? fopen(path, "ae") : NULL;
	va_list ap;

	if (!f)
		return;
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fputc('\n', f);
	fclose(f);
}

/**
 * give_up() - end acrctl, and say why: the test itself is wrong
 */
void give_up(const char *fmt, ...)
{
	char why[4096 + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	note("DEVICE gives up: %s", why);
	fprintf(stderr, "device: %s\n", why);
	abort();
}

/**
 * pause_before() - let a test act now, once: it waits for the line in the log, and creates the file
 *	when it is done
 */
void pause_before(const char *what)
{
	const char *slow = getenv("FAKE_SLOW"), *path = getenv("FAKE_LOG");
	struct timespec pause = { .tv_nsec = PAUSE_NS };
	unsigned int tries = PAUSES;
	static bool done;
	char go[4096];

	if (done || !slow || strcmp(slow, what))
		return;
	done = true;
	note("SLOW %s", what);
	snprintf(go, sizeof(go), "%s.go", path ?: "");
	for (; access(go, F_OK); tries--) {
		if (!tries)
			give_up("waited in vain for %s before %s", go, what);
		nanosleep(&pause, NULL);
	}
}

/**
 * open_and_close() - wait for the other end of a fifo, so that whoever has it goes on
 */
void open_and_close(const char *fifo, int flags)
{
	int fd = open(fifo, flags | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}
