// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls the module at random, guided by the places of its code that are reached if the kernel has
 * KCOV.
 *
 * usage: kcov_fuzz OUT CALLS SECONDS [CORPUS...]
 *	OUT		directory; gets `current`, the program that runs, `calls`, their number, and
 *			with KCOV `corpus`, programs that reach all that was reached
 *	CALLS		ends after so many, or
 *	SECONDS		after so long
 *	CORPUS		programs that are run first and then changed
 * SEED=N makes others. With 0 CALLS it only runs the programs of the files, such as `current` of a
 * machine that has died.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cover.h"
#include "run.h"
#include "state.h"

#define MAX_CORPUS	8192
#define ROUND		100	/* programs between two looks at the registers */
#define HANG_S		1800	/* without the end of a program */

/**
 * struct job - what there is to do
 * @calls: how many
 * @end: when it is too late
 */
struct job {
	const char *out;
	unsigned long long calls;
	time_t end;
	char **files;
	struct random random;
};

/* What is changed: programs that have reached something new, without KCOV those of the files */
static struct program corpus[MAX_CORPUS];
static unsigned int nr_corpus;
static int current_file, corpus_file;
static bool guided;

static int create(const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

/* Only now, so that nobody takes a part of it for all that is known */
static bool have_corpus(const char *dir)
{
	char from[256], to[256];

	snprintf(from, sizeof(from), "%s/corpus.new", dir);
	snprintf(to, sizeof(to), "%s/corpus", dir);
	return !rename(from, to);
}

/* A machine that dies leaves the program that it ran in the file. */
static void note(const struct program *p)
{
	char text[PROGRAM_TEXT];
	int len = program_write(p, text, sizeof(text));

	memset(text + len, '\n', sizeof(text) - len);
	if (pwrite(current_file, text, sizeof(text), 0) < 0)
		perror("# current");
}

static void keep(const struct program *p)
{
	char text[PROGRAM_TEXT];
	int len = program_write(p, text, sizeof(text));

	if (nr_corpus == MAX_CORPUS)
		return;
	corpus[nr_corpus++] = *p;
	if (guided && write(corpus_file, text, len) != len)
		perror("# corpus");
}

static void run_one(const struct program *p, unsigned int with)
{
	note(p);
	run_program(p, with);
	world.shared->programs++;
}

/* ---- the process that makes the calls ---- */

static bool is_over(const struct job *job)
{
	return world.shared->calls >= job->calls || time(NULL) >= job->end;
}

static bool check(const char *what, unsigned int with)
{
	if (state_is_same(with))
		return true;
	printf("# after %s\n", what);
	return false;
}

/* Those that reach something new are kept, all if the kernel does not say. */
static bool run_files(const struct job *job)
{
	const unsigned int with = WITH_PERF | WITH_HOTPLUG;
	struct program p;
	char **path;
	FILE *file;
	int ret;

	for (path = job->files; *path; path++) {
		file = fopen(*path, "r");
		if (!file) {
			printf("# %s: %s\n", *path, strerror(errno));
			return false;
		}
		while ((ret = program_read(&p, file)) > 0) {
			run_one(&p, with);
			if (cover_new() || !guided)
				keep(&p);
		}
		fclose(file);
		if (ret < 0) {
			printf("# %s: a line is no call\n", *path);
			return false;
		}
	}
	return check("the programs of files", with);
}

static unsigned int of_round(unsigned int round)
{
	switch (round % 8) {
	case 3:
		return WITH_PERF;
	case 7:
		return WITH_HOTPLUG;
	}
	return 0;
}

static void run_programs(struct job *job, unsigned int with)
{
	struct random *r = &job->random;
	struct program p;
	unsigned int i;

	for (i = 0; i < ROUND && !is_over(job); i++) {
		if (nr_corpus && random_below(r, 4)) {
			p = corpus[random_below(r, nr_corpus)];
			program_change(&p, &corpus[random_below(r, nr_corpus)], r, with);
		} else {
			program_make(&p, r, with);
		}
		run_one(&p, with);
		if (cover_new())
			keep(&p);
	}
}

/* In one of 16 rounds a session may be the only one. */
static bool run_round(struct job *job, unsigned int round)
{
	bool alone = round % 16 == 5;
	int lingers = alone ? NO_FD : state_linger();

	run_programs(job, of_round(round));
	if (lingers >= 0)
		close(lingers);
	return alone || lingers >= 0;
}

static void say(unsigned int round)
{
	printf("# round %u: %llu programs, %llu calls, %llu sessions, %u places, %u kept\n",
	       round, (unsigned long long)world.shared->programs,
	       (unsigned long long)world.shared->calls,
	       (unsigned long long)world.shared->sessions, cover_places(), nr_corpus);
	fflush(stdout);
}

static int work(struct job *job)
{
	unsigned int round;
	bool good;

	if (!cover_begin(&guided)) {
		perror("# KCOV");
		return 1;
	}
	if (!run_begin())
		return 1;
	printf("# %s\n", guided ? "guided by KCOV" :
				  "this kernel has no KCOV: programs are made blindly");
	good = state_keep() && run_files(job) && have_corpus(job->out);
	for (round = 0; good && !is_over(job); round++) {
		good = state_keep() && run_round(job, round);
		say(round);
		good = good && check("this round", of_round(round));
	}
	world.shared->unguided = guided && !cover_places();
	return !good;
}

/* ---- the process that waits for it ---- */

static void show_stacks(pid_t pid)
{
	char command[128];

	snprintf(command, sizeof(command),
		 "for t in /proc/%d/task/*; do cat $t/comm $t/stack; done | sed 's/^/# /'", pid);
	fflush(stdout);
	if (system(command))
		printf("# no stacks\n");
}

static int wait_for_end(pid_t pid)
{
	unsigned long long before = 0, now;
	time_t last = time(NULL);
	int status;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		usleep(200000);
		now = world.shared->programs;
		if (now != before)
			last = time(NULL);
		before = now;
		if (time(NULL) - last < HANG_S)
			continue;
		printf("# a program does not end\n");
		show_stacks(pid);
		kill(pid, SIGKILL);
		return -1;
	}
	if (WIFSIGNALED(status))
		printf("# killed by signal %d\n", WTERMSIG(status));
	return status;
}

static bool every_kind_succeeded(unsigned long long programs)
{
	bool all = true;
	unsigned int i;

	for (i = 0; i < NR_CALLS; i++) {
		/* Fewer programs than these rounds may lack a kind. */
		if (world.shared->done[i] || programs < 8 * ROUND)
			continue;
		printf("# no call `%s` has succeeded\n", call_name(i));
		all = false;
	}
	return all;
}

static bool point(unsigned int nr, bool good, const char *text)
{
	printf("%sok %u - %s\n", good ? "" : "not ", nr, text);
	return good;
}

static void note_calls(const char *out)
{
	int fd = create(out, "calls");

	dprintf(fd, "%llu\n", (unsigned long long)world.shared->calls);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("SEED");
	struct rlimit many = { 4096, 4096 };
	struct job job = { 0 };
	char text[128];
	int status;
	bool good;
	pid_t pid;

	if (argc < 4) {
		fprintf(stderr, "usage: kcov_fuzz OUT CALLS SECONDS [CORPUS...]\n");
		return 2;
	}
	job.out = argv[1];
	job.calls = strtoull(argv[2], NULL, 0);
	job.end = time(NULL) + strtoul(argv[3], NULL, 0);
	job.files = argv + 4;
	/* Never 0, which would stay */
	job.random.state = 0x9e3779b97f4a7c15ULL * (2 * strtoul(seed ?: "0", NULL, 0) + 1);
	world.shared = mmap(NULL, sizeof(*world.shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	current_file = create(job.out, "current");
	corpus_file = create(job.out, "corpus.new");
	if (world.shared == MAP_FAILED || current_file < 0 || corpus_file < 0) {
		perror(job.out);
		return 1;
	}
	setrlimit(RLIMIT_NOFILE, &many);
	printf("1..3\n# SEED=%s\n", seed ?: "0");
	fflush(stdout);
	pid = fork();
	if (!pid)
		exit(work(&job));
	status = wait_for_end(pid);
	note_calls(job.out);
	snprintf(text, sizeof(text), "%llu calls in %llu programs: none hangs, nothing is left",
		 (unsigned long long)world.shared->calls,
		 (unsigned long long)world.shared->programs);
	good = point(1, !status, text);
	good = point(2, every_kind_succeeded(world.shared->programs),
		     "every kind of call has succeeded") && good;
	good = point(3, !world.shared->unguided,
		     "where the kernel has KCOV it sees the module") && good;
	return !good;
}
