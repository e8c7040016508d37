// SPDX-License-Identifier: GPL-2.0-only
/* Lines of source files, which are read when they are first needed. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../symbols/elf_file.h"

#define SIZE_MAX_FILE	(16 * 1024 * 1024)	/* a larger one is not read */

struct source_file {
	char *path;
	char *text;		/* each line ends in 0, NULL: it cannot be read */
	char **lines;
	size_t nr;
};

static char *read_all(const char *path, size_t *size)
{
	/* the name comes from a program and may lead anywhere */
	int fd = sym_elf_open(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = f ? malloc(SIZE_MAX_FILE + 1) : NULL;

	*size = text ? fread(text, 1, SIZE_MAX_FILE + 1, f) : 0;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	if (*size && *size <= SIZE_MAX_FILE) {
		text[*size] = 0;
		return text;
	}
	free(text);
	return NULL;
}

static void split(struct source_file *f, size_t size)
{
	size_t i, nr = 1;
	char *at;

	for (i = 0; i < size; i++)
		nr += f->text[i] == '\n';
	f->lines = calloc(nr, sizeof(*f->lines));
	if (!f->lines)
		return;
	for (at = f->text; at < f->text + size; f->nr++) {
		char *end = memchr(at, '\n', f->text + size - at);

		f->lines[f->nr] = at;
		if (!end)
			end = f->text + size;
		*end = 0;
		at = end + 1;
	}
}

/* Returns the file, NULL: out of memory. */
static struct source_file *file_of(struct source *s, const char *path)
{
	struct source_file *more, *f;
	size_t i, size;

	for (i = 0; i < s->nr; i++) {
		if (!strcmp(s->files[i].path, path))
			return &s->files[i];
	}
	more = reallocarray(s->files, s->nr + 1, sizeof(*more));
	if (!more)
		return NULL;
	s->files = more;
	f = &more[s->nr];
	*f = (struct source_file){ .path = strdup(path) };
	if (!f->path)
		return NULL;
	s->nr++;
	f->text = read_all(path, &size);
	if (f->text)
		split(f, size);
	return f;
}

/**
 * source_line() - a line of a file, counted from 1
 *
 * Return: the line without its end; NULL if it cannot be read, for lack of memory too.
 */
const char *source_line(struct source *s, const char *path, unsigned int line)
{
	struct source_file *f = file_of(s, path);

	return f && line && line <= f->nr ? f->lines[line - 1] : NULL;
}

/**
 * source_free() - free the files
 */
void source_free(struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		free(s->files[i].path);
		free(s->files[i].text);
		free(s->files[i].lines);
	}
	free(s->files);
	*s = (struct source){ 0 };
}
