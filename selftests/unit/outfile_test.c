// SPDX-License-Identifier: GPL-2.0-only
/* Tests of files that get their names when they are complete: what remains of those that do not. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/acrctl/outfile.h"

static unsigned int nr_files(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	unsigned int nr = 0;

	while (dir && (entry = readdir(dir)))
		nr += entry->d_name[0] != '.';
	closedir(dir);
	return nr;
}

/* A child is ended while it writes; returns the signal that has ended it. */
static int end_by(int signal)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		struct outfile o;

		if (!outfile_open(&o, "file") && fputs("part", o.file) >= 0 && nr_files() == 2)
			raise(signal);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool write_file(const char *text)
{
	struct outfile o;
	bool good = !outfile_open(&o, "file") && fputs(text, o.file) >= 0 && !outfile_publish(&o);

	outfile_close(&o);
	return good;
}

static void test_ends(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	struct outfile o;
	size_t i;

	ok(write_file("whole"), "a file is written");
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		is_u64(end_by(signals[i]), signals[i], "signal %d ends what writes", signals[i]);
		is_u64(nr_files(), 1, "and only the file that was there remains");
	}
	signal(SIGINT, SIG_IGN);
	ok(!outfile_open(&o, "file") && !raise(SIGINT), "a signal that is ignored stays so");
	is_u64(nr_files(), 2, "the file is still written");
	outfile_close(&o);
	is_u64(nr_files(), 1, "one that is not published is gone");
}

static void test_failure(void)
{
	struct rlimit old, limit;
	struct outfile o;
	int i, err;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 4096;
	setrlimit(RLIMIT_FSIZE, &limit);
	err = outfile_open(&o, "file");
	for (i = 0; !err && i < 10000; i++)
		fputs("line\n", o.file);
	if (!err)
		err = outfile_publish(&o);
	/* the limit is that of other files, too */
	setrlimit(RLIMIT_FSIZE, &old);
	is_u64(-err, EFBIG, "the reason of a failed write is known at the end");
	outfile_close(&o);
	is_u64(nr_files(), 1, "and the file that was there remains");
}

int main(void)
{
	char dir[] = "/tmp/outfile_test.XXXXXX";

	plan(0);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	test_ends();
	test_failure();
	unlink("file");
	rmdir(dir);
	return done();
}
