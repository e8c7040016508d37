// SPDX-License-Identifier: GPL-2.0-only
/* A file that gets its name when it is complete. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../util/util.h"

#define TEMP_SUFFIX	".XXXXXX"
#define MODE_NEW	0666

/* Of the file that has no name of its own yet, NULL: there is none. */
static const char *unfinished;

static void remove_unfinished(int signal)
{
	if (unfinished)
		unlink(unfinished);
	/* this time with the default action */
	raise(signal);
}

/* What ends the command must not leave the file behind. */
static void catch_signals(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	const struct sigaction action = {
		.sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND,
	};
	struct sigaction old;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
	}
}

/* The permissions of the file that is replaced, or those of any new file. */
static mode_t mode_for(const char *path)
{
	struct stat st;
	mode_t mask;

	if (!stat(path, &st))
		return st.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return MODE_NEW & ~mask;
}

static int open_temp(struct outfile *o)
{
	int err, fd;

	o->real = realpath(o->path, NULL);
	if (asprintf(&o->temp, "%s" TEMP_SUFFIX, o->real ? o->real : o->path) < 0) {
		o->temp = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(o->temp, O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		free(o->temp);
		o->temp = NULL;
		return err;
	}
	unfinished = o->temp;
	catch_signals();
	o->file = fdopen(fd, "w");
	if (o->file && !fchmod(fd, mode_for(o->path)))
		return 0;
	err = -errno;
	if (!o->file)
		close(fd);
	outfile_close(o);
	return err;
}

/**
 * outfile_open() - begin to write a file
 * @path: its name, which must live until outfile_close(); - for standard output
 *
 * Devices and pipes are written to directly.  A symbolic link stays, and leads to the new file.
 * One file is written at a time.
 *
 * Return: 0 or -errno.
 */
int outfile_open(struct outfile *o, const char *path)
{
	struct stat st;

	*o = (struct outfile){ .path = path };
	if (!strcmp(path, "-")) {
		o->path = "standard output";
		o->file = stdout;
		return 0;
	}
	if (stat(path, &st) || S_ISREG(st.st_mode))
		return open_temp(o);
	o->file = fopen(path, "we");
	return o->file ? 0 : -errno;
}

/**
 * outfile_publish() - write what is still in memory, and give the file its name
 *
 * Return: 0 or -errno.
 */
int outfile_publish(struct outfile *o)
{
	errno = 0;
	if (fflush(o->file) || ferror(o->file))
		return errno ? -errno : -EIO;
	if (!o->temp)
		return 0;
	if (fsync(fileno(o->file)) || rename(o->temp, o->real ? o->real : o->path))
		return -errno;
	unfinished = NULL;
	free(o->temp);
	o->temp = NULL;
	return 0;
}

/**
 * outfile_close() - close the file; without outfile_publish() nothing remains of it
 */
void outfile_close(struct outfile *o)
{
	if (o->file && o->file != stdout)
		fclose(o->file);
	o->file = NULL;
	if (o->temp)
		unlink(o->temp);
	unfinished = NULL;
	free(o->temp);
	free(o->real);
	o->temp = NULL;
	o->real = NULL;
}
