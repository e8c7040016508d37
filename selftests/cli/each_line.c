// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded, calls a program's main() once for each line of the file named by EACH_LINE, with the
 * line in place of the argument {}: thousands of command lines without as many processes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int main_fn(int argc, char **argv, char **envp);
typedef int start_fn(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
		     void (*rtld_fini)(void), void *stack_end);

start_fn __libc_start_main;

static main_fn *program;

static void run(char *line, int argc, char **argv, char **envp)
{
	char **args = calloc(argc + 1, sizeof(*args));
	int i;

	if (!args)
		abort();
	line[strcspn(line, "\n")] = '\0';
	for (i = 0; i < argc; i++)
		args[i] = strcmp(argv[i], "{}") ? argv[i] : line;
	/* 0 starts getopt anew */
	optind = 0;
	program(argc, args, envp);
	free(args);
}

static int run_all(int argc, char **argv, char **envp)
{
	const char *path = getenv("EACH_LINE");
	FILE *lines = path ? fopen(path, "r") : NULL;
	char *line = NULL;
	size_t size = 0;

	if (!lines)
		abort();
	while (getline(&line, &size, lines) > 0)
		run(line, argc, argv, envp);
	free(line);
	fclose(lines);
	return 0;
}

int __libc_start_main(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
		      void (*rtld_fini)(void), void *stack_end)
{
	start_fn *start = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

	program = fn;
	return start(run_all, argc, argv, init, fini, rtld_fini, stack_end);
}
