// SPDX-License-Identifier: GPL-2.0-only
/* The tables of a profile as JSON, column by column. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../jsonout.h"
#include "tables.h"

#define HEX_LEN		(2 * SYM_BUILD_ID_MAX + 1)
#define BREAKPAD_LEN	34	/* 16 bytes in hexadecimal, an age of 0 */
#define GUID_SIZE	16

/**
 * firefox_put_text() - write a string that may hold anything
 *
 * Return: 0 or -ENOMEM.
 */
int firefox_put_text(FILE *out, const char *text)
{
	return jsonout_fprint(out, jsonout_text(text));
}

/* A word of all tuples; with @missing it is a number + 1, and 0 is written as @missing. */
static void put_column(FILE *out, const char *name, const struct tuples *t, unsigned int word,
		       const char *missing)
{
	const char *between = "";
	size_t i, nr;

	fprintf(out, "\"%s\":[", name);
	for (i = 0; i < t->nr; i++) {
		__u64 value = tuples_get(t, i, &nr)[word];

		fputs(between, out);
		if (!missing)
			fprintf(out, "%llu", value);
		else if (value)
			fprintf(out, "%llu", value - 1);
		else
			fputs(missing, out);
		between = ",";
	}
	fputs("],", out);
}

/* As many of the same value. */
static void put_same(FILE *out, const char *name, size_t nr, const char *value)
{
	size_t i;

	fprintf(out, "\"%s\":[", name);
	for (i = 0; i < nr; i++)
		fprintf(out, "%s%s", i ? "," : "", value);
	fputs("],", out);
}

/* A number that is unknown if it is 0. */
static void put_known(FILE *out, const char *name, const struct tuples *t, unsigned int word)
{
	size_t i, nr;

	fprintf(out, "\"%s\":[", name);
	for (i = 0; i < t->nr; i++) {
		__u64 value = tuples_get(t, i, &nr)[word];

		fputs(i ? "," : "", out);
		if (value)
			fprintf(out, "%llu", value);
		else
			fputs("null", out);
	}
	fputs("],", out);
}

static void put_length(FILE *out, const struct tuples *t)
{
	fprintf(out, "\"length\":%zu},", t->nr);
}

static int put_strings(const struct firefox_tables *t, FILE *out)
{
	size_t i;

	fputs("\"stringArray\":[", out);
	for (i = 0; i < t->strings.nr; i++) {
		fputs(i ? "," : "", out);
		if (firefox_put_text(out, t->strings.texts[i]))
			return -ENOMEM;
	}
	fputs("]}", out);
	return 0;
}

static void put_functions(const struct firefox_tables *t, FILE *out)
{
	size_t nr = t->functions.nr;

	fputs("\"funcTable\":{", out);
	put_column(out, "name", &t->functions, 0, NULL);
	put_column(out, "resource", &t->functions, 1, "-1");
	put_column(out, "source", &t->functions, 2, "null");
	put_same(out, "isJS", nr, "false");
	put_same(out, "relevantForJS", nr, "false");
	put_same(out, "lineNumber", nr, "null");
	put_same(out, "columnNumber", nr, "null");
	put_length(out, &t->functions);
	fputs("\"sources\":{", out);
	put_column(out, "filename", &t->sources, 0, NULL);
	put_same(out, "id", t->sources.nr, "null");
	put_same(out, "startLine", t->sources.nr, "1");
	put_same(out, "startColumn", t->sources.nr, "1");
	put_same(out, "sourceMapURL", t->sources.nr, "null");
	put_length(out, &t->sources);
}

static void put_frames(const struct firefox_tables *t, FILE *out)
{
	size_t nr = t->frames.nr;

	fputs("\"frameTable\":{", out);
	put_column(out, "address", &t->frames, 0, "-1");
	put_column(out, "inlineDepth", &t->frames, 1, NULL);
	put_column(out, "category", &t->frames, 2, NULL);
	put_same(out, "subcategory", nr, "0");
	put_column(out, "func", &t->frames, 3, NULL);
	put_column(out, "nativeSymbol", &t->frames, 4, "null");
	put_known(out, "line", &t->frames, 5);
	put_same(out, "column", nr, "null");
	put_same(out, "innerWindowID", nr, "0");
	put_length(out, &t->frames);
}

/* Each file is a resource of the same number. */
static void put_files(const struct firefox_tables *t, FILE *out)
{
	size_t i;

	fputs("\"resourceTable\":{\"lib\":[", out);
	for (i = 0; i < t->libs.nr; i++)
		fprintf(out, "%s%zu", i ? "," : "", i);
	fputs("],", out);
	put_column(out, "name", &t->libs, 2, NULL);
	put_same(out, "host", t->libs.nr, "null");
	put_same(out, "type", t->libs.nr, "1");
	put_length(out, &t->libs);
	fputs("\"nativeSymbols\":{", out);
	put_column(out, "libIndex", &t->symbols, 0, NULL);
	put_column(out, "address", &t->symbols, 1, NULL);
	put_known(out, "functionSize", &t->symbols, 2);
	put_column(out, "name", &t->symbols, 3, NULL);
	put_length(out, &t->symbols);
}

/**
 * firefox_put_tables() - write what all threads share
 *
 * Return: 0 or -ENOMEM.
 */
int firefox_put_tables(const struct firefox_tables *t, FILE *out)
{
	fputs("\"shared\":{", out);
	put_files(t, out);
	put_functions(t, out);
	put_frames(t, out);
	fputs("\"stackTable\":{", out);
	put_column(out, "prefix", &t->stacks, 0, "null");
	put_column(out, "frame", &t->stacks, 1, NULL);
	put_length(out, &t->stacks);
	return put_strings(t, out);
}

/* ---- files -------------------------------------------------------------------------------- */

/* The first 16 bytes as a GUID, of which three numbers are little-endian. */
static void breakpad_id(const struct sym_build_id *id, char *text)
{
	static const unsigned char order[GUID_SIZE] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	unsigned int i;

	for (i = 0; i < GUID_SIZE; i++)
		sprintf(text + 2 * i, "%02X", id->id[order[i]]);
	strcpy(text + 2 * GUID_SIZE, "0");
}

static void code_id(const struct sym_build_id *id, char *text)
{
	unsigned int i;

	for (i = 0; i < id->size; i++)
		sprintf(text + 2 * i, "%02x", id->id[i]);
}

static int put_lib(const struct firefox_tables *t, FILE *out, const uint64_t *key)
{
	const char *path = t->strings.texts[key[1]], *name = t->strings.texts[key[2]];
	const struct sym_space *sp = &t->view->space;
	char breakpad[BREAKPAD_LEN], code[HEX_LEN] = "";
	struct sym_build_id id = { 0 };

	if (!strcmp(path, SYM_KERNEL_NAME))
		id = sp->kernel_build_id;
	else if (key[0] != SYM_NO_DSO)
		id = sp->dsos[key[0]].build_id.size ? sp->dsos[key[0]].build_id :
						      sp->dsos[key[0]].elf.build_id;
	breakpad_id(&id, breakpad);
	code_id(&id, code);
	return jsonout_fprint(out, jsonout_object("arch", jsonout_null,
						  "name", jsonout_text(name),
						  "path", jsonout_text(path),
						  "debugName", jsonout_text(name),
						  "debugPath", jsonout_text(path),
						  "breakpadId", jsonout_text(breakpad),
						  "codeId", jsonout_text(id.size ? code : NULL),
						  NULL));
}

/**
 * firefox_put_libs() - write the files that hold code
 *
 * Return: 0 or -ENOMEM.
 */
int firefox_put_libs(const struct firefox_tables *t, FILE *out)
{
	size_t i, nr;

	fputs("\"libs\":[", out);
	for (i = 0; i < t->libs.nr; i++) {
		fputs(i ? "," : "", out);
		if (put_lib(t, out, tuples_get(&t->libs, i, &nr)))
			return -ENOMEM;
	}
	fputs("],", out);
	return 0;
}
