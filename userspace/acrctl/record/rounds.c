// SPDX-License-Identifier: GPL-2.0-only
/* record --every: what a round samples, and the profile or file that it leaves. */
#include "../fleet/rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../push/url.h"
#include "../../util/util.h"
#include "../pprof/pprof.h"
#include "../report/condition.h"
#include "record.h"

#define MSEC_PER_SEC	1000
#define ROUND_NAME	"the recording of a round"

/**
 * record_rounds_check() - check that options go with rounds, or with none
 *
 * Return: false after a message.
 */
bool record_rounds_check(const struct record *r)
{
	const char *given = r->opt.labels_given ? "--push-labels" : r->push.given, *why = NULL;
	bool push = r->push.options.access.url;

	if (!push && given) {
		fprintf(stderr,
			"acrctl: record: %s is about sending profiles; name the server with --push\n",
			given);
		return false;
	}
	if (!r->rounds.every_ms)
		return true;
	if (r->sm.target.opt.command)
		why = "samples what already runs; start the command first and name it with -p, or "
		      "its cgroup with -G";
	else if (r->control.duration_ms || r->control.delay_ms || r->control.path)
		why = "has its own times; leave out -D, --duration and --control";
	else if (r->next.on)
		why = "makes a file of each round without --switch-output; leave that out";
	else if (push && (r->opt.named || r->opt.level || r->next.max_files))
		why = "with --push writes no file; leave out -o, -z and --switch-max-files";
	else if (r->opt.stream)
		why = "makes a file of each round; name it with -o";
	if (why)
		fprintf(stderr, "acrctl: record: --every %s\n", why);
	return !why;
}

/* ---- processes that come and go ----------------------------------------------------------- */

/* Its directory in /proc stays that of this task, even if another one gets its number. */
static int open_task(pid_t id)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", id);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

struct rounds_of {
	struct record *record;
	bool verbose;
	bool explained;			/* a round has explained the groups */
	int *task_fds;			/* of the tasks that were given, in order */
};

static bool lives(int task_fd)
{
	struct stat st;

	return !fstatat(task_fd, "stat", &st, 0);
}

/* Leave out those that have ended. */
static bool begin(void *ctx)
{
	struct rounds_of *of = ctx;
	struct target_options *o = &of->record->sm.target.opt;
	size_t i, left = 0;

	for (i = 0; i < o->nr_tasks; i++) {
		struct target_task task = o->tasks[i];
		int fd = of->task_fds[i];

		if (!lives(fd)) {
			fprintf(stderr, "acrctl: record: %s %d has ended\n",
				task.thread ? "thread" : "process", task.id);
			close(fd);
			continue;
		}
		o->tasks[left] = task;
		of->task_fds[left++] = fd;
	}
	if (o->nr_tasks && !left)
		return false;
	o->nr_tasks = left;
	return true;
}

static int open_tasks(struct rounds_of *of)
{
	const struct target_options *o = &of->record->sm.target.opt;
	size_t i;

	of->task_fds = calloc(o->nr_tasks + 1, sizeof(*of->task_fds));
	if (!of->task_fds)
		return output_no_memory("record");
	for (i = 0; i < o->nr_tasks; i++)
		of->task_fds[i] = open_task(o->tasks[i].id);
	return 0;
}

/* ---- in the process of a round ------------------------------------------------------------ */

static int check(void *ctx)
{
	struct rounds_of *of = ctx;
	struct record *r = of->record;
	int status = sampling_parse(&r->sm);

	if (status >= 0)
		return status;
	return sampling_check_device(&r->sm) || target_find(&r->sm.target) ||
	       record_publish_check(r) ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

static void account(const struct record *r, struct rounds_result *out)
{
	struct record_sums sums = record_messages_sums(r);
	size_t nr = r->sm.target.nr_tids ? 1 : r->sm.target.cpus.nr;
	__u64 ran_ms = r->ran_ms ? r->ran_ms : 1;

	out->samples = sums.samples;
	out->lost = sums.lost;
	out->throttled = sums.throttled;
	out->taken = sampling_sessions_taken(&r->sm);
	out->from_s = (r->end_ns / NSEC_PER_MSEC - r->ran_ms) / MSEC_PER_SEC;
	out->until_s = (r->end_ns + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
	out->rate_hz = sums.samples * MSEC_PER_SEC / (ran_ms * (nr ? nr : 1));
	if (sums.samples && !out->rate_hz)
		out->rate_hz = 1;
}

static int refuse_profile(int err)
{
	fprintf(stderr, "acrctl: record: the profile of a round cannot be written: %s\n",
		strerror(-err));
	return ACRCTL_EXIT_FAILED;
}

static int write_view(const struct record *r, struct view *v, FILE *out)
{
	struct pprof_options options = {
		.end_ns = r->end_ns, .labels = r->opt.labels, .plain_types = true,
	};
	struct condition c;
	int err = condition_read(&c, v);

	options.condition = c.text;
	if (!err)
		err = pprof_write(v, out, &options);
	condition_free(&c);
	return err;
}

static int write_profile(const struct rounds_of *of, int fd, int profile_fd)
{
	FILE *out = fdopen(profile_fd, "w");
	struct view v = { 0 };
	int err;

	if (!out)
		return refuse_profile(-errno);
	err = view_open(&v, fd, ROUND_NAME);
	if (!err)
		err = write_view(of->record, &v, out);
	/* these are much the same in each round, and no sample is lost for them */
	if (of->verbose)
		view_close_notes(&v, ROUND_NAME);
	view_end(&v);
	if (fclose(out) && !err)
		err = -errno;
	return err ? refuse_profile(err) : ACRCTL_EXIT_DONE;
}

/* The profile has the command line, and may be read by more people than the URL is for. */
static void hide_query(struct record *r)
{
	/* in the arguments of this process */
	char *url = (char *)r->push.options.access.url;

	url[push_url_shown(url)] = '\0';
}

/* What could be recorded is sent, and what is missing counts as lost. */
static int take_profile(const struct rounds_of *of, const char *dir, int profile_fd,
			struct rounds_result *out)
{
	struct record *r = of->record;
	int fd = rounds_open_nameless(dir), status, written;

	if (fd < 0) {
		fprintf(stderr, "acrctl: record: --push-queue %s: %s\n", dir, strerror(-fd));
		return ACRCTL_EXIT_FAILED;
	}
	hide_query(r);
	r->opt.fd = fd;
	r->opt.max_bytes = r->push.options.queue_bytes;
	r->opt.output = ROUND_NAME;
	status = record_once(r);
	account(r, out);
	/* counters are free while the profile is made */
	record_release(r);
	if (!out->samples)
		return status;
	written = write_profile(of, fd, profile_fd);
	out->profile = !written;
	return status ? status : written;
}

static int take(void *ctx, const char *dir, int profile_fd, struct rounds_result *out)
{
	struct rounds_of *of = ctx;
	struct record *r = of->record;
	int status;

	/* the check has printed its notes, and the rest is the same in each round */
	r->sm.opt.quiet = true;
	r->sm.opt.verbose = false;
	r->opt.explain = of->verbose && !of->explained;
	if (profile_fd >= 0)
		return take_profile(of, dir, profile_fd, out);
	/* which files are too many is known to the process that counts rounds */
	r->next = (struct record_switch){ .on = true, .max_files = 1 };
	status = record_once(r);
	account(r, out);
	if (r->next.nr_names)
		snprintf(out->path, sizeof(out->path), "%s", r->next.names[0]);
	record_release(r);
	return status;
}

static void end(void *ctx, const struct rounds_result *result)
{
	struct rounds_of *of = ctx;
	char *path = *result->path ? strdup(result->path) : NULL;

	/* that is set when it has sampled, and its sessions were open before */
	of->explained |= result->until_s;
	if (path)
		record_switch_keep(&of->record->next, path);
}

/**
 * record_rounds_run() - record --every
 *
 * Return: an exit status.
 */
int record_rounds_run(struct record *r)
{
	static const struct rounds_ops ops = {
		.check = check, .begin = begin, .take = take, .end = end,
	};
	struct rounds_of of = { .record = r, .verbose = r->sm.opt.verbose };
	bool push = r->push.options.access.url;
	struct rounds_options options = {
		.args = &r->rounds, .push = push ? &r->push : NULL,
		.verbose = of.verbose, .quiet = r->sm.opt.quiet, .ops = &ops, .ctx = &of,
	};
	int status = ACRCTL_EXIT_FAILED;

	r->push.options.quiet = r->sm.opt.quiet;
	r->control.duration_ms = r->rounds.for_ms;
	if (!sampling_add_default(&r->sm) && !open_tasks(&of))
		status = rounds_run(&options);
	free(of.task_fds);
	return status;
}
