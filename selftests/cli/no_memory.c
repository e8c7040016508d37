// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded, runs a program once for each of its allocations, which fails in that run, and a last
 * time without a failure.  Run N writes to out.N and err.N; its line in the file `runs` is N, 1 if
 * an allocation failed, and the exit status, negative for a signal.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_fn(int argc, char **argv, char **envp);
typedef int start_fn(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
		     void (*rtld_fini)(void), void *stack_end);

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *old, size_t size);
start_fn __libc_start_main;

static main_fn *program;
/* allocations up to the one that fails; 0: none will */
static long left;
/* shared with the process of a run */
static int *failed;

static int fails(void)
{
	if (!left || --left)
		return 0;
	*failed = 1;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __libc_calloc(nr, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t nr, size_t size)
{
	return size && nr > SIZE_MAX / size ? NULL : realloc(old, nr * size);
}

static void redirect(int fd, const char *name, long n)
{
	char path[32];
	int file;

	snprintf(path, sizeof(path), "%s.%ld", name, n);
	file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || dup2(file, fd) < 0)
		abort();
	close(file);
}

/* Returns the exit status, negative: the signal that ended it. */
static int run(long n, int argc, char **argv, char **envp)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		redirect(STDOUT_FILENO, "out", n);
		redirect(STDERR_FILENO, "err", n);
		left = n;
		exit(program(argc, argv, envp));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int run_all(int argc, char **argv, char **envp)
{
	FILE *runs = fopen("runs", "w");
	long n = 0;
	int status;

	failed = mmap(NULL, sizeof(*failed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (!runs || failed == MAP_FAILED)
		abort();
	do {
		*failed = 0;
		status = run(++n, argc, argv, envp);
		fprintf(runs, "%ld %d %d\n", n, *failed, status);
		/* so that no run inherits a line to write */
		fflush(runs);
	} while (*failed);
	return status;
}

int __libc_start_main(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
		      void (*rtld_fini)(void), void *stack_end)
{
	start_fn *start = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

	program = fn;
	return start(run_all, argc, argv, init, fini, rtld_fini, stack_end);
}
