// SPDX-License-Identifier: GPL-2.0-only
/* Files for other programs: the options of report that write them. */
#include "export.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/util.h"
#include "../cmd.h"
#include "../outfile.h"

/* ends with a format without a name */
static const struct export_format formats[EXPORT_FORMATS_MAX] = {
	{ "html", export_html },
	{ "pprof", export_pprof },
	{ "firefox", export_firefox },
	{ NULL, NULL },
};

/**
 * export_add_options() - append the options to a list that ends with a zeroed one
 * @first: value of the first option, the others follow
 */
void export_add_options(struct option *options, int first)
{
	size_t i;

	while (options->name)
		options++;
	for (i = 0; formats[i].name; i++)
		options[i] = (struct option){ formats[i].name, required_argument, NULL, first + i };
}

/**
 * export_choose() - take an option of export_add_options()
 */
void export_choose(struct view_args *a, int index, const char *path)
{
	a->other_export = a->export;
	a->export = &formats[index];
	a->export_path = path;
}

/* The file would be gone before it is read, or at its end. */
static bool is_recording(const struct view_args *a)
{
	struct stat in, out;

	if (a->from_stdin ? fstat(STDIN_FILENO, &in) : stat(a->path, &in))
		return false;
	return S_ISREG(in.st_mode) && !stat(a->export_path, &out) && in.st_dev == out.st_dev &&
	       in.st_ino == out.st_ino;
}

/**
 * export_check() - refuse options that an exported file cannot follow
 *
 * Return: 0, or -EINVAL after a message.
 */
int export_check(const struct view_command *c, const struct view_args *a)
{
	const char *other = a->json ? "--json" : a->graph ? "-g" : a->diff ? "--diff" :
			    a->listed ? c->list_shown : NULL;

	if (a->other_export) {
		fprintf(stderr,
			"acrctl: %s: --%s and --%s: one file is written at a time; leave one out\n",
			c->name, a->other_export->name, a->export->name);
		return -EINVAL;
	}
	if (a->export && is_recording(a)) {
		fprintf(stderr, "acrctl: %s: --%s %s: is the recording; name another file\n",
			c->name, a->export->name, a->export_path);
		return -EINVAL;
	}
	if (!a->export || !other)
		return 0;
	fprintf(stderr,
		"acrctl: %s: --%s writes everything, so that %s has no effect; leave one out\n",
		c->name, a->export->name, other);
	return -EINVAL;
}

/**
 * export_end_ns() - when a recording ended, in nanoseconds since 1970
 *
 * It has no time of day itself; its file was last written when it ended.
 *
 * Return: 0 if it is unknown.
 */
__u64 export_end_ns(const struct view_args *a)
{
	struct stat st;

	if (a->from_stdin || stat(a->path, &st))
		return 0;
	return st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec;
}

/* Everything in memory may still fail to reach the disk. */
static int publish(const struct view_args *a, struct outfile *o)
{
	int err = outfile_publish(o);

	if (!err)
		return ACRCTL_EXIT_DONE;
	fprintf(stderr, "acrctl: report: %s: %s; name another file with --%s\n", o->path,
		strerror(-err), a->export->name);
	return ACRCTL_EXIT_FAILED;
}

/**
 * export_run() - write the file
 *
 * Return: an exit status; unless it is 0, a file that existed before is still there.
 */
int export_run(const struct view_args *a, struct view *v)
{
	struct outfile o;
	int status, err = outfile_open(&o, a->export_path);

	if (err) {
		fprintf(stderr, "acrctl: report: %s: %s; name another file with --%s\n",
			a->export_path, strerror(-err), a->export->name);
		return ACRCTL_EXIT_FAILED;
	}
	if (!strcmp(a->export_path, "-") && isatty(STDOUT_FILENO)) {
		fprintf(stderr,
			"acrctl: report: standard output is a terminal; name a file with --%s, or pipe it\n",
			a->export->name);
		status = ACRCTL_EXIT_FAILED;
	} else {
		status = a->export->write(a, v, o.file);
	}
	if (!status)
		status = publish(a, &o);
	outfile_close(&o);
	return view_close_notes(v, a->path) ? ACRCTL_EXIT_FAILED : status;
}
