// SPDX-License-Identifier: GPL-2.0-only
/* acrctl push: sends what waits in a queue, and files. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cmd.h"
#include "../ui/progress.h"
#include "push_args.h"

#define POLL_US	100000

static const char usage[] =
"Usage: acrctl push [--push-queue DIR] [--push URL --push-token-file FILE] [OPTION]...\n"
"       acrctl push --push URL --from SECONDS --until SECONDS [OPTION]... FILE...\n"
"\n"
"Send the profiles that 'acrctl record --push' has left in a queue, and FILEs in pprof's format.\n"
"\n"
PUSH_ARGS_USAGE
"      --from SECONDS    when the profiles in FILEs begin, in seconds since 1970\n"
"      --until SECONDS   when they end\n"
"  -q, --quiet           print nothing but what is lost\n"
"  -h, --help            show this help\n"
"\n"
"The exit status is 0 if nothing waits in the queue any more and nothing was lost, 1 if something does\n"
"or was, 2 for a wrong command line.\n";

enum { OPT_FROM = PUSH_OPT_CA + 1, OPT_UNTIL };

struct push_command {
	struct push_args args;
	struct pusher pusher;
	__u64 from_s;
	__u64 until_s;
	char **files;
	int nr_files;
};

static bool take_option(struct push_command *p, int c)
{
	const __u64 latest = ~0U;

	if (c == 'q')
		p->args.options.quiet = true;
	if (c == OPT_FROM)
		return !event_args_number("push", "--from", optarg, latest, &p->from_s);
	if (c == OPT_UNTIL)
		return !event_args_number("push", "--until", optarg, latest, &p->until_s);
	return push_args_take(&p->args, c, optarg);
}

static bool check(struct push_command *p)
{
	if (!push_args_check(&p->args))
		return false;
	if (p->nr_files && (!p->args.options.access.url || !p->from_s || p->until_s < p->from_s)) {
		fprintf(stderr,
			"acrctl: push: files need --push URL, --from SECONDS, and --until SECONDS, not before --from\n");
		return false;
	}
	if (p->nr_files || (!p->from_s && !p->until_s))
		return true;
	fprintf(stderr, "acrctl: push: --from and --until are for files, and none is named\n");
	return false;
}

/* A queue is made for files only: what is sent from another has come there before. */
static bool has_queue(const struct push_command *p)
{
	const char *path = p->args.options.queue_path;

	if (p->nr_files || !access(path, F_OK))
		return true;
	fprintf(stderr,
		"acrctl: push: --push-queue %s: %s; name a directory that 'acrctl record --push-queue' has filled\n",
		path, strerror(errno));
	return false;
}

/* Returns an exit status, or -1 to go on. */
static int parse_args(struct push_command *p, int argc, char **argv)
{
	static const struct option own[] = {
		{ "from", required_argument, NULL, OPT_FROM },
		{ "until", required_argument, NULL, OPT_UNTIL },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	const struct option *options = push_args_with(own);
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, ":qh", options, NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("push", c, argv, options);
		if (c == 'h')
			return output_help(usage);
		if (!take_option(p, c))
			return ACRCTL_EXIT_USAGE;
	}
	p->files = argv + optind;
	p->nr_files = argc - optind;
	return check(p) ? -1 : ACRCTL_EXIT_USAGE;
}

static int give_file(struct push_command *p, const char *path)
{
	const struct push_entry e = {
		.url = p->args.options.access.url, .name = p->args.full_name,
		.tenant = p->args.tenant, .types = "",
		.from_s = p->from_s, .until_s = p->until_s,
	};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;
	const char *why = NULL;
	struct stat st;

	err = fd < 0 || fstat(fd, &st) ? -errno : 0;
	if (!err && !S_ISREG(st.st_mode)) {
		err = -EINVAL;
		why = "is no regular file";
	}
	if (!err)
		err = pusher_give(&p->pusher, &e, fd);
	if (fd >= 0)
		close(fd);
	if (err)
		fprintf(stderr, "acrctl: push: %s: %s; it is not sent\n", path,
			why ? why : strerror(-err));
	return err;
}

static void print_summary(const struct push_command *p)
{
	const struct push_counts *c = p->pusher.counts;

	fprintf(stderr,
		"acrctl: push: %llu delivered, %llu waiting in %s, %llu rejected, %llu lost\n",
		c->delivered, c->waiting, p->args.options.queue_path, c->rejected,
		pusher_lost(&p->pusher) - c->rejected);
}

/* On a terminal, show what is delivered in the meantime. */
static void wait_for_end(struct push_command *p)
{
	struct progress shown = { 0 };

	if (!p->args.options.quiet)
		progress_begin(&shown, "sending from", p->args.options.queue_path, "delivered");
	while (!pusher_reap(&p->pusher, !shown.out)) {
		usleep(POLL_US);
		progress_step(&shown, p->pusher.counts->delivered, 0);
	}
	progress_end(&shown);
}

static int run(struct push_command *p)
{
	int i, err = 0;

	for (i = 0; i < p->nr_files; i++) {
		if (give_file(p, p->files[i]))
			err = -EIO;
	}
	pusher_end(&p->pusher);
	wait_for_end(p);
	if (!p->args.options.quiet || pusher_lost(&p->pusher))
		print_summary(p);
	return err || p->pusher.counts->waiting || pusher_lost(&p->pusher) ?
	       ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

/**
 * cmd_push() - acrctl push
 *
 * Return: the exit status.
 */
int cmd_push(int argc, char **argv)
{
	struct push_command p = { .pusher = PUSHER_IDLE };
	int status;

	push_args_init(&p.args, "push", "acrctl: push: ");
	status = parse_args(&p, argc, argv);
	if (status < 0)
		status = has_queue(&p) && push_args_ready(&p.args, &p.pusher) ?
			 run(&p) : ACRCTL_EXIT_FAILED;
	pusher_close(&p.pusher);
	push_args_free(&p.args);
	return status;
}
