// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzzer on stored inputs: the files of a directory, or the lines of a corpus, in which \\
 * is a backslash, \0 a zero and \xNN a byte.  A sanitizer or abort() ends it, and it prints which
 * input that was.
 */
#include <dirent.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_SIZE	(1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const paths[] = { INPUTS };

static char current[4096];
static unsigned long nr_inputs;

static void print_current(void)
{
	fprintf(stderr, "# the input is %s\n", current);
}

static void aborted(int signal)
{
	(void)signal;
	print_current();
}

static void fail(const char *path)
{
	perror(path);
	exit(1);
}

static void run(const char *data, size_t size)
{
	/* of exactly this size, for the sanitizer */
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	nr_inputs++;
}

static void run_file(const char *dir, const char *name)
{
	static char text[MAX_SIZE];
	size_t size;
	FILE *f;

	snprintf(current, sizeof(current), "%s/%s", dir, name);
	f = fopen(current, "r");
	if (!f)
		fail(current);
	size = fread(text, 1, sizeof(text), f);
	if (size == sizeof(text))
		fail("an input is too large");
	run(text, size);
	fclose(f);
}

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void run_directory(const char *dir)
{
	struct dirent **list;
	int i, nr = scandir(dir, &list, is_file, alphasort);

	if (nr < 0)
		fail(dir);
	for (i = 0; i < nr; i++) {
		run_file(dir, list[i]->d_name);
		free(list[i]);
	}
	free(list);
}

/* In place; returns the number of bytes. */
static size_t unescape(char *line)
{
	const char *from = line;
	unsigned int byte;
	char *to = line;

	while (*from && *from != '\n') {
		if (sscanf(from, "\\x%2x", &byte) == 1) {
			*to++ = byte;
			from += 4;
		} else if (!strncmp(from, "\\0", 2)) {
			*to++ = 0;
			from += 2;
		} else {
			from += *from == '\\';
			*to++ = *from++;
		}
	}
	return to - line;
}

static void run_corpus(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int n = 0;

	if (!f)
		fail(path);
	while (getline(&line, &room, f) > 0) {
		snprintf(current, sizeof(current), "%s:%d", path, ++n);
		if (*line != '#')
			run(line, unescape(line));
	}
	free(line);
	fclose(f);
}

int main(void)
{
	struct stat st;
	unsigned int i;

	__sanitizer_set_death_callback(print_current);
	signal(SIGABRT, aborted);
	printf("1..1\n");
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (stat(paths[i], &st))
			fail(paths[i]);
		if (S_ISDIR(st.st_mode))
			run_directory(paths[i]);
		else
			run_corpus(paths[i]);
	}
	printf("%sok 1 - nothing is found in %lu stored inputs\n", nr_inputs ? "" : "not ",
	       nr_inputs);
	return !nr_inputs;
}
