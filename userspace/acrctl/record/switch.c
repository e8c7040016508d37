// SPDX-License-Identifier: GPL-2.0-only
/* Recordings of more than one file: when the next one begins, and the names of complete ones. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../util/clock.h"
#include "../../util/message.h"
#include "../fleet/quantity.h"

#define KIB		1024.0
#define NSEC_PER_CSEC	10000000
/* ".20261231235959" */
#define SECONDS_LEN	16
/* and hundredths */
#define TIME_LEN	(SECONDS_LEN + 2)
/* names that may be taken already: a second has no more */
#define TRIES		100

static volatile sig_atomic_t asked;

static void ask(int sig)
{
	(void)sig;
	asked = 1;
}

/* ---- the command line --------------------------------------------------------------------- */

/**
 * record_switch_take() - read the argument of --switch-output
 * @mode: NULL: none
 *
 * Return: false after a message.
 */
bool record_switch_take(struct record_switch *n, const char *mode)
{
	bool unit = mode && mode[strspn(mode, "0123456789")];

	n->on = true;
	n->by_signal = !mode || !strcmp(mode, "signal");
	n->bytes = 0;
	n->every_ms = 0;
	if (n->by_signal || (unit && (quantity_time_ms(mode, &n->every_ms) ||
				      quantity_bytes(mode, &n->bytes))))
		return true;
	fprintf(stderr,
		"acrctl: record: --switch-output '%s' is neither signal nor a size or time with its unit; write it like 100M or 10m\n",
		acrpmu_message_word(mode, strlen(mode)).text);
	return false;
}

/**
 * record_switch_check() - check that there are files to switch
 *
 * Return: false after a message.
 */
bool record_switch_check(const struct record *r)
{
	if (r->next.on && r->opt.stream) {
		fprintf(stderr,
			"acrctl: record: --switch-output cannot switch standard output; name a file with -o\n");
		return false;
	}
	if (r->next.on || r->rounds.every_ms || !r->next.max_files)
		return true;
	fprintf(stderr,
		"acrctl: record: --switch-max-files limits the files of --switch-output or --every; add one, or leave this out\n");
	return false;
}

/* ---- when --------------------------------------------------------------------------------- */

/**
 * record_switch_listen() - expect SIGUSR2, which would otherwise end a recording that is prepared
 */
void record_switch_listen(const struct record_switch *n)
{
	struct sigaction action = { .sa_handler = ask, .sa_flags = SA_RESTART };

	if (n->by_signal)
		sigaction(SIGUSR2, &action, NULL);
}

/**
 * record_switch_begin() - the first file has begun
 */
void record_switch_begin(struct record *r)
{
	r->next.due_ms = clock_now_ms(CLOCK_MONOTONIC) + r->next.every_ms;
}

/**
 * record_switch_wait_ms() - how long poll(2) may wait
 * @otherwise_ms: for all else
 */
int record_switch_wait_ms(const struct record *r, int otherwise_ms)
{
	__u64 now = clock_now_ms(CLOCK_MONOTONIC);

	if (!r->next.every_ms || r->next.due_ms >= now + otherwise_ms)
		return otherwise_ms;
	return r->next.due_ms > now ? r->next.due_ms - now : 0;
}

/**
 * record_switch_is_due() - whether the next file begins now
 *
 * The size is that of records since the beginning, which has those about what existed before.
 */
bool record_switch_is_due(const struct record *r)
{
	const struct record_switch *n = &r->next;

	if (n->by_signal)
		return asked;
	if (n->every_ms)
		return clock_now_ms(CLOCK_MONOTONIC) >= n->due_ms;
	return n->bytes && r->writer.size - r->begin_bytes >= n->bytes;
}

/* ---- complete files ----------------------------------------------------------------------- */

/* The time of day behind the name, as perf has it. */
static void append_time(char *name)
{
	struct timespec t;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &t);
	localtime_r(&t.tv_sec, &tm);
	strftime(name, SECONDS_LEN, ".%Y%m%d%H%M%S", &tm);
	sprintf(name + strlen(name), "%02ld", t.tv_nsec / NSEC_PER_CSEC);
}

/* A file that exists already keeps its name: this one gets a later hundredth. */
static int rename_complete(const char *from, char *to)
{
	char *time = to + strlen(from);
	unsigned int tries;

	for (tries = 0; tries < TRIES; tries++) {
		append_time(time);
		if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
			return 0;
		/* some file systems cannot do that */
		if (errno == EINVAL && access(to, F_OK) && !rename(from, to))
			return 0;
		if (errno != EEXIST && errno != EINVAL)
			return -errno;
		nanosleep(&(struct timespec){ .tv_nsec = NSEC_PER_CSEC }, NULL);
	}
	return -EEXIST;
}

/**
 * record_switch_keep() - note a complete file, and remove one that is too many
 * @path: of malloc(3), taken over
 */
void record_switch_keep(struct record_switch *n, char *path)
{
	char **names;

	n->nr_files++;
	names = n->max_files ? realloc(n->names, (n->nr_names + 1) * sizeof(*names)) : NULL;
	if (!names) {
		free(path);
		return;
	}
	n->names = names;
	names[n->nr_names++] = path;
	if (n->nr_names <= n->max_files)
		return;
	if (unlink(names[0]) && errno != ENOENT)
		fprintf(stderr,
			"acrctl: record: %s cannot be removed: %s; there are more than %llu\n",
			names[0], strerror(errno), n->max_files);
	free(names[0]);
	memmove(names, names + 1, --n->nr_names * sizeof(*names));
}

/**
 * record_switch_publish() - give a complete file the name with its time
 *
 * Return: 0, or -errno after a message; it then keeps its name.
 */
int record_switch_publish(struct record *r)
{
	char *path = malloc(strlen(r->opt.output) + TIME_LEN + 1);
	int err = -ENOMEM;

	if (path) {
		strcpy(path, r->opt.output);
		err = rename_complete(r->opt.output, path);
	}
	if (err) {
		fprintf(stderr, "acrctl: record: %s cannot get the name of its time: %s\n",
			r->opt.output, strerror(-err));
		free(path);
		return err;
	}
	r->next.all_bytes += r->file_bytes;
	if (!r->sm.opt.quiet)
		fprintf(stderr, "acrctl: record: %s is complete (%.1f KiB)\n", path,
			r->file_bytes / KIB);
	record_switch_keep(&r->next, path);
	return 0;
}

/* What was counted so far, for the difference to the next time. */
static int note_sessions(struct record *r)
{
	if (!r->before)
		r->before = calloc(r->sm.nr_sessions, sizeof(*r->before));
	if (!r->before)
		return -ENOMEM;
	memcpy(r->before, r->sm.sessions, r->sm.nr_sessions * sizeof(*r->before));
	return 0;
}

static int finish_file(struct record *r)
{
	int err = sampling_sessions_read(&r->sm);

	r->going_on = true;
	if (!err)
		err = record_file_finish(r);
	r->going_on = false;
	if (!err)
		err = record_switch_publish(r);
	return err ? err : note_sessions(r);
}

/**
 * record_switch_file() - complete the file once all records are taken, and begin the next one
 *
 * Sampling goes on.  What happens in the meantime is in the rings.
 *
 * Return: 0, or -errno after a message.
 */
int record_switch_file(struct record *r)
{
	int err;

	asked = 0;
	/* not one for each that was missed, as after a suspended sleep */
	r->next.due_ms = clock_now_ms(CLOCK_MONOTONIC) + r->next.every_ms;
	err = finish_file(r);
	record_file_close(r);
	memset(&r->writer, 0, sizeof(r->writer));
	if (!err)
		err = record_file_begin(r);
	if (!err)
		err = record_publish_rename(r);
	/* what comes is only counted */
	r->write_err = err;
	return err;
}

/**
 * record_switch_free() - free the names
 */
void record_switch_free(struct record_switch *n)
{
	while (n->nr_names)
		free(n->names[--n->nr_names]);
	free(n->names);
	n->names = NULL;
}
