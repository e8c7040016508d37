// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as a mapfile. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/gen/convert.h"
#include "userspace/gen/mapfile.h"

static void check(int cond)
{
	if (!cond)
		abort();
}

/* A refusal names line and column, and both are there. */
static void check_report(void *ctx, const struct event_report *report)
{
	const unsigned int *nr_lines = ctx;

	check(report->fatal && *report->path && *report->field && *report->text);
	check(report->line > 1 && report->line <= *nr_lines);
}

static unsigned int count_lines(const char *text, size_t len)
{
	unsigned int nr = 1;
	size_t i;

	for (i = 0; i < len; i++)
		nr += text[i] == '\n';
	return nr;
}

static void check_entry(const struct mapfile_entry *entry, unsigned int nr_lines)
{
	check(*entry->cpuid && *entry->path && entry->version && entry->type && entry->role);
	check(entry->line > 1 && entry->line <= nr_lines);
	check(*entry->path != '/' && strncmp(entry->path, "../", 3));
	check(!strstr(entry->path, "/../"));
	check(entry->core_type <= 0xff && entry->native_model <= 0xffffff);
	check(convert_family(entry->cpuid) != FAMILY_UNKNOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a copy of exact size: the sanitizer catches a read past it */
	char *text = malloc(size + !size);
	struct arena *arena = arena_new();
	struct reporter reporter = { .fn = check_report };
	struct mapfile mapfile;
	unsigned int nr_lines, i;

	check(text && arena);
	if (size)
		memcpy(text, data, size);
	nr_lines = count_lines(text, size);
	reporter.ctx = &nr_lines;
	check(!mapfile_parse("mapfile.csv", text, size, arena, &mapfile, &reporter));
	/* the first line is neither */
	check(mapfile.nr + reporter.nr < nr_lines);
	for (i = 0; i < mapfile.nr; i++)
		check_entry(&mapfile.entries[i], nr_lines);
	arena_free(arena);
	free(text);
	return 0;
}
