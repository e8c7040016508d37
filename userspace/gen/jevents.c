// SPDX-License-Identifier: LGPL-2.1-or-later
/* jevents: makes a C file of event tables from JSON files. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emit.h"
#include "event_dir.h"
#include "../montecito/gen/mont_emit.h"

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE };

static void print_help(FILE *f)
{
	fputs("Usage: jevents [--strict] ARCH_DIR OUTPUT.c [ARCH_DIR OUTPUT.c]...\n"
	      "       jevents --pmu montecito DIR OUTPUT.c [DIR OUTPUT.c]...\n"
	      "\n"
	      "Make a C file of event tables from ARCH_DIR: a mapfile.csv and a directory of JSON\n"
	      "files for each CPU, of the kernel's form or Intel's. Several are made one after\n"
	      "another; if one fails, those that follow it are not made.\n"
	      "\n"
	      "  --strict    fail if a file is broken, an event was left out, or something is not\n"
	      "              understood (warnings); without it, a broken file makes the mapping\n"
	      "              table empty, so that what is built with it knows no names\n"
	      "  --pmu montecito\n"
	      "              make the table of libacrpfm from a directory of JSON files of Itanium's\n"
	      "              form; descriptors are indices into it, so it is always strict\n"
	      "  -h, --help  show this\n"
	      "\n"
	      "Each problem is reported on standard error: file, line, field, text.\n"
	      "Exit status: 0 done, 1 failed, 2 wrong usage.\n", f);
}

static void print_report(void *ctx, const struct event_report *report)
{
	(void)ctx;
	fprintf(stderr, "jevents: %s:", report->path);
	if (report->line)
		fprintf(stderr, "%u:", report->line);
	if (*report->field)
		fprintf(stderr, " field '%s':", report->field);
	fprintf(stderr, " %s%s\n", report->text, report->fatal ? "" :
		report->warning ? " (warning)" : " (note)");
}

static int fail(const char *what, const char *path, int error)
{
	fprintf(stderr, "jevents: cannot %s '%s': %s\n", what, path, strerror(error));
	return EXIT_FAILED;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		const ssize_t done = write(fd, text, len);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			text += done;
			len -= done;
		}
	}
	return 0;
}

/* Write to an open file and close it. Its number may be negative, with the reason in errno. */
static int write_and_close(int fd, const char *text, size_t len)
{
	int ret;

	if (fd < 0)
		return -errno;
	ret = write_all(fd, text, len);
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

/*
 * Write under a temporary name, so that make never takes half a file for a whole one. The name
 * contains the PID: no existing file is overwritten or removed.
 */
static int replace_file(const char *path, const char *text, size_t len)
{
	char *other;
	int fd, ret;

	if (asprintf(&other, "%s.%ld.new", path, (long)getpid()) < 0)
		return -ENOMEM;
	fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	ret = write_and_close(fd, text, len);
	if (!ret && rename(other, path))
		ret = -errno;
	if (ret && fd >= 0)
		unlink(other);
	free(other);
	return ret;
}

/* A link, a pipe or a device must stay one: write to it directly. */
static int write_file(const char *path, const char *text, size_t len)
{
	struct stat st;

	if (!lstat(path, &st) && !S_ISREG(st.st_mode))
		return write_and_close(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
				       text, len);
	return replace_file(path, text, len);
}

static int write_and_free(const char *path, char *text, size_t len)
{
	const int ret = write_file(path, text, len);

	free(text);
	return ret;
}

static int write_tables(const struct event_maps *maps, size_t text_len, const char *path)
{
	size_t len;
	char *text;
	int ret = emit_tables(maps, text_len, &text, &len);

	return ret ? ret : write_and_free(path, text, len);
}

static unsigned int count_events(const struct event_maps *maps)
{
	unsigned int i, nr = 0;

	for (i = 0; i < maps->nr_tables; i++)
		nr += maps->tables[i]->nr;
	return nr;
}

static int make_tables(const char *arch_dir, const char *output, bool strict)
{
	static const struct event_maps none;
	struct event_dir dir;
	int ret = event_dir_load(arch_dir, print_report, NULL, &dir);

	if (ret) {
		event_dir_free(&dir);
		return fail("read", arch_dir, -ret);
	}
	fprintf(stderr,
		"jevents: %s: %u files, %u events in %u tables, %u CPUs, %u left out, "
		"%u metrics ignored\n",
		arch_dir, dir.nr_files, count_events(&dir.maps), dir.maps.nr_tables, dir.maps.nr,
		dir.nr_left_out, dir.nr_metrics);
	if (strict && (dir.nr_fatal || dir.nr_left_out || dir.nr_warnings)) {
		event_dir_free(&dir);
		fprintf(stderr, "jevents: %s is not written, since --strict was given\n", output);
		return EXIT_FAILED;
	}
	if (dir.nr_fatal)
		fprintf(stderr,
			"jevents: the tables of %s are empty, so that no event has a name\n",
			output);
	ret = write_tables(dir.nr_fatal ? &none : &dir.maps, dir.text_len, output);
	event_dir_free(&dir);
	return ret ? fail("write", output, -ret) : EXIT_DONE;
}

static int make_mont_table(const char *dir, const char *output)
{
	bool was_read;
	size_t len;
	char *text;
	int ret = mont_generate(dir, print_report, &was_read, &text, &len);

	if (ret)
		return was_read ? fail("write", output, -ret) : fail("read", dir, -ret);
	if (!text)
		return EXIT_FAILED;
	ret = write_and_free(output, text, len);
	return ret ? fail("write", output, -ret) : EXIT_DONE;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "strict", no_argument, NULL, 's' },
		{ "pmu", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ .name = NULL },
	};
	const char *pmu = NULL;
	bool strict = false;
	int option, ret;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 's':
			strict = true;
			break;
		case 'p':
			pmu = optarg;
			break;
		case 'h':
			print_help(stdout);
			return fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
		default:
			fputs("jevents: 'jevents --help' explains\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (argc == optind || (argc - optind) % 2) {
		fprintf(stderr, "jevents: %s\n", argc == optind ?
			"a directory and an output file are expected" :
			"the last directory has no output file behind it");
		return EXIT_USAGE;
	}
	if (pmu && strcmp(pmu, "montecito")) {
		fprintf(stderr, "jevents: PMU '%s' is not known; 'montecito' is\n", pmu);
		return EXIT_USAGE;
	}
	do {
		ret = pmu ? make_mont_table(argv[optind], argv[optind + 1]) :
			    make_tables(argv[optind], argv[optind + 1], strict);
		optind += 2;
	} while (!ret && optind < argc);
	return ret;
}
