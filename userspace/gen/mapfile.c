// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading mapfile.csv: which CPUs have which events. */
#include "mapfile.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "number.h"

#define MAX_CPUID_LEN	256
/* How often {n} in a regular expression may repeat things; regcomp() copies what is repeated. */
#define MAX_REPEATS	1024
#define MAX_GROUPS	32
#define MAX_CORE_TYPE	0xff
#define MAX_NATIVE	0xffffff
#define PERF_COLUMNS	4
#define SPECIALS	"\\^$.[]|()?*+{}"

enum column { CPUID, VERSION, PATH, TYPE, CORE_TYPE, NATIVE_MODEL, ROLE, NR_COLUMNS };

/* Named as in the header lines of perf's and Intel's mapfiles. */
static const char * const column_names[NR_COLUMNS] = {
	"CPUID", "Version", "Filename", "EventType", "Core Type", "Native Model ID",
	"Core Role Name",
};

/**
 * struct cells - the columns of one line
 * @at: first bytes of its columns
 * @len: their bytes, without blanks around them
 * @nr: number of columns
 */
struct cells {
	const char *at[NR_COLUMNS];
	size_t len[NR_COLUMNS];
	unsigned int nr;
};

/**
 * struct map_reading - a mapfile being read
 * @path: its name in reports
 * @line: number of the line at hand
 * @arena: holds the strings
 * @mapfile: what was read
 * @size: entries allocated
 * @reporter: receives reports
 */
struct map_reading {
	const char *path;
	unsigned int line;
	struct arena *arena;
	struct mapfile *mapfile;
	unsigned int size;
	struct reporter *reporter;
};

static int refuse(struct map_reading *r, enum column column, const char *why)
{
	report_say(r->reporter, REPORT_FATAL, r->path, r->line, column_names[column],
		   "%s; the line is left out", why);
	return -EINVAL;
}

/* Repetitions of "{n}", "{n,}" or "{,m}" at @at: the largest number in it. */
static unsigned long repeats(const char *at)
{
	unsigned long most = 1;

	for (at++; *at && *at != '}'; at++) {
		char *end;
		const unsigned long nr = strtoul(at, &end, 10);

		if (end == at)
			continue;
		if (nr > most)
			most = nr;
		at = end - 1;
	}
	return most;
}

/* How often regcomp() copies the expression before @at. */
static unsigned long copies(const char *at)
{
	if (*at == '{')
		return repeats(at);
	/* "a+" is made into "aa*" */
	return *at == '+' ? 2 : 1;
}

/* regcomp() itself does not bound its memory and stack: "a++++..." doubles with each sign. */
static const char *check_costs(const char *cpuid)
{
	unsigned long nr_repeats = 1, nr_groups = 0;

	for (; *cpuid; cpuid++) {
		const unsigned long nr = copies(cpuid);

		if (*cpuid == '\\') {
			if (cpuid[1] >= '0' && cpuid[1] <= '9')
				return "a regular expression must not refer back ('\\1')";
			cpuid += !!cpuid[1];
			continue;
		}
		nr_groups += !!strchr("(*+?{", *cpuid);
		if (nr > MAX_REPEATS || nr_repeats * nr > MAX_REPEATS)
			return "this regular expression repeats more than 1024 times";
		nr_repeats *= nr;
	}
	if (nr_groups > MAX_GROUPS)
		return "this regular expression has more than 32 groups and repetitions";
	return NULL;
}

static int check_cpuid(struct map_reading *r, const char *cpuid)
{
	const char *why = check_costs(cpuid);
	char text[256], words[100];
	regex_t regex;
	int error;

	if (why)
		return refuse(r, CPUID, why);
	if (!strpbrk(cpuid, SPECIALS))
		return 0;
	error = regcomp(&regex, cpuid, REG_EXTENDED | REG_NOSUB);
	if (!error) {
		regfree(&regex);
		return 0;
	}
	if (error == REG_ESPACE)
		return -ENOMEM;
	regerror(error, &regex, words, sizeof(words));
	snprintf(text, sizeof(text), "'%.100s' is no POSIX extended regular expression (%s)",
		 cpuid, words);
	return refuse(r, CPUID, text);
}

static void split(const char *at, size_t len, struct cells *cells)
{
	const char *word;
	size_t word_len;

	cells->nr = 0;
	while (cells->nr < NR_COLUMNS && number_next(&at, &len, &word, &word_len)) {
		cells->at[cells->nr] = word;
		cells->len[cells->nr++] = word_len;
	}
}

static int get_word(struct map_reading *r, const struct cells *cells, enum column column,
		    const char **word)
{
	*word = column < cells->nr ?
		arena_copy(r->arena, cells->at[column], cells->len[column]) : "";
	return *word ? 0 : -ENOMEM;
}

static int get_id(struct map_reading *r, const struct cells *cells, enum column column, __u32 max,
		  __u32 *id)
{
	__u64 number;

	*id = 0;
	if (column >= cells->nr || !cells->len[column])
		return 0;
	if (!number_parse(cells->at[column], cells->len[column], &number))
		return refuse(r, column, "this is no number");
	if (number > max)
		return refuse(r, column, "this number is too large");
	*id = number;
	return 0;
}

/* Intel's begin with '/', but are relative to the mapfile's directory too. */
static int get_path(struct map_reading *r, const struct cells *cells, const char **path)
{
	const char *at = cells->at[PATH], *part;
	size_t len = cells->len[PATH];

	for (; len && *at == '/'; len--)
		at++;
	while (len && at[len - 1] == '/')
		len--;
	if (!len)
		return refuse(r, PATH, "there is no name of a directory or file");
	*path = arena_copy(r->arena, at, len);
	if (!*path)
		return -ENOMEM;
	for (part = *path; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
			return refuse(r, PATH, "this leads out of the directory");
	}
	return 0;
}

static int read_entry(struct map_reading *r, const struct cells *cells, struct mapfile_entry *entry)
{
	int ret;

	if (cells->nr < PERF_COLUMNS)
		return refuse(r, cells->nr, "this column is missing, of four or seven");
	if (!cells->len[CPUID])
		return refuse(r, CPUID, "this column is empty");
	if (cells->len[CPUID] > MAX_CPUID_LEN)
		return refuse(r, CPUID, "this has more than 256 bytes");
	ret = get_word(r, cells, CPUID, &entry->cpuid);
	if (!ret)
		ret = get_word(r, cells, VERSION, &entry->version);
	if (!ret)
		ret = get_word(r, cells, TYPE, &entry->type);
	if (!ret)
		ret = get_word(r, cells, ROLE, &entry->role);
	if (!ret)
		ret = check_cpuid(r, entry->cpuid);
	if (!ret)
		ret = get_path(r, cells, &entry->path);
	if (!ret)
		ret = get_id(r, cells, CORE_TYPE, MAX_CORE_TYPE, &entry->core_type);
	if (!ret)
		ret = get_id(r, cells, NATIVE_MODEL, MAX_NATIVE, &entry->native_model);
	if (!ret && !strcmp(entry->type, "hybridcore") && !entry->core_type)
		ret = refuse(r, CORE_TYPE, "a hybridcore needs one");
	return ret;
}

static int add_entry(struct map_reading *r, const struct mapfile_entry *entry)
{
	struct mapfile *m = r->mapfile;

	if (m->nr == r->size) {
		const unsigned int size = r->size ? 2 * r->size : 64;
		struct mapfile_entry *entries = arena_alloc(r->arena, size * sizeof(*entries));

		if (!entries)
			return -ENOMEM;
		if (m->nr)
			memcpy(entries, m->entries, m->nr * sizeof(*entries));
		m->entries = entries;
		r->size = size;
	}
	m->entries[m->nr++] = *entry;
	return 0;
}

static int read_line(struct map_reading *r, const char *at, size_t len)
{
	struct mapfile_entry entry = { .line = r->line };
	struct cells cells;
	size_t blanks = 0;
	int ret;

	if (len && at[len - 1] == '\r')
		len--;
	for (; blanks < len && (at[blanks] == ' ' || at[blanks] == '\t'); blanks++)
		;
	if (blanks == len || *at == '#')
		return 0;
	if (memchr(at, '\0', len))
		return refuse(r, CPUID, "there is a byte 0 in this line");
	split(at, len, &cells);
	ret = read_entry(r, &cells, &entry);
	if (ret == -EINVAL)
		return 0;
	return ret ? ret : add_entry(r, &entry);
}

int mapfile_parse(const char *path, const char *text, size_t len, struct arena *arena,
		  struct mapfile *mapfile, struct reporter *reporter)
{
	struct map_reading r = {
		.path = path,
		.arena = arena,
		.mapfile = mapfile,
		.reporter = reporter,
	};
	const char *end = text + len;

	memset(mapfile, 0, sizeof(*mapfile));
	while (text < end) {
		const char *newline = memchr(text, '\n', end - text);
		const char *stop = newline ? newline : end;
		int ret;

		ret = ++r.line > 1 ? read_line(&r, text, stop - text) : 0;
		if (ret == -ENOMEM)
			return ret;
		text = stop + 1;
	}
	return 0;
}

int mapfile_read(const char *path, struct arena *arena, struct mapfile *mapfile,
		 struct reporter *reporter)
{
	size_t len;
	char *text;
	int ret;

	memset(mapfile, 0, sizeof(*mapfile));
	ret = file_read(path, &text, &len, reporter);
	if (ret)
		return ret;
	ret = mapfile_parse(path, text, len, arena, mapfile, reporter);
	free(text);
	return ret;
}
