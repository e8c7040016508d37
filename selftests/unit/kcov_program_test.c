// SPDX-License-Identifier: GPL-2.0-only
/* Programs of calls of the module: what is changed at random stays one, and text brings it back. */
#include "tap.h"

#include "../kcov/program.c"

#include <stdlib.h>

#define NR_PROGRAMS	2000
#define MAX_ROUNDS	20

static bool is_program(const struct program *p, unsigned int with)
{
	unsigned int i;

	if (!p->nr || p->nr > MAX_CALLS)
		return false;
	for (i = 0; i < p->nr; i++)
		if (p->calls[i].kind >= NR_CALLS || p->calls[i].thread >= NR_THREADS ||
		    call_needs(p->calls[i].kind) & ~with)
			return false;
	return true;
}

static bool is_same(const struct program *a, const struct program *b)
{
	unsigned int i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (a->calls[i].kind != b->calls[i].kind ||
		    a->calls[i].thread != b->calls[i].thread ||
		    memcmp(a->calls[i].args, b->calls[i].args, sizeof(a->calls[i].args)))
			return false;
	return true;
}

/* Every kind must come, or parts of the module would never be called. */
static void note_kinds(const struct program *p, unsigned int *times)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		times[p->calls[i].kind]++;
}

static void test_chance(void)
{
	const unsigned int with[] = { 0, WITH_PERF, WITH_HOTPLUG };
	unsigned int times[NR_CALLS] = { 0 }, missing = 0, bad = 0, i, round;
	static struct program programs[NR_PROGRAMS], again[NR_PROGRAMS];
	struct random r = { 1 }, same = { 1 };

	for (i = 0; i < NR_PROGRAMS; i++) {
		program_make(&programs[i], &r, with[i % 3]);
		program_make(&again[i], &same, with[i % 3]);
		bad += !is_program(&programs[i], with[i % 3]);
		note_kinds(&programs[i], times);
	}
	is_u64(bad, 0, "programs made at random have calls that a round may make");
	is_u64(memcmp(programs, again, sizeof(programs)), 0, "the same number makes the same ones");
	for (i = 0; i < NR_CALLS; i++)
		missing += !times[i];
	is_u64(missing, 0, "every kind of call comes");
	for (i = 3, bad = 0; i < NR_PROGRAMS; i++)
		for (round = 0; round < MAX_ROUNDS; round++) {
			program_change(&programs[i], &programs[i - 3], &r, with[i % 3]);
			bad += !is_program(&programs[i], with[i % 3]);
		}
	is_u64(bad, 0, "they stay so when they are changed");
}

static void test_text(void)
{
	char text[PROGRAM_TEXT];
	unsigned int lost = 0, i;
	struct random r = { 2 };
	struct program p, read;
	int len, longest = 0;
	FILE *file;

	for (i = 0; i < NR_PROGRAMS; i++) {
		program_make(&p, &r, WITH_PERF | WITH_HOTPLUG);
		len = program_write(&p, text, sizeof(text));
		longest = len > longest ? len : longest;
		file = fmemopen(text, len, "r");
		lost += program_read(&read, file) != 1 || !is_same(&p, &read) ||
			program_read(&read, file) != 0;
		fclose(file);
	}
	is_u64(lost, 0, "text brings a program back");

	p.nr = MAX_CALLS;
	for (i = 0; i < MAX_CALLS; i++) {
		p.calls[i] = (struct call){ .kind = CALL_HOTPLUG, .thread = 2 };
		memset(p.calls[i].args, 0xff, sizeof(p.calls[i].args));
	}
	ok(program_write(&p, text, sizeof(text)) < (int)sizeof(text),
	   "there is room for the text of the longest one (others had up to %d bytes)", longest);
}

/* How many calls the program in a text has; -1: it has a line that is none. */
static int calls_in(const char *text)
{
	FILE *file = fmemopen((char *)text, strlen(text), "r");
	struct program p;
	int ret = program_read(&p, file);

	fclose(file);
	return ret > 0 ? (int)p.nr : ret;
}

static void test_lines(void)
{
	static const struct {
		const char *text;
		int nr;
		const char *name;
	} cases[] = {
		{ "read 0 0x1 0 0 0 0 0\n\n", 1, "one call" },
		{ "\n\n# remark\nread 0 0x1 0 0 0 0 0\nread 2 0 0 0 0 0 0xffffffffffffffff\n", 2,
		  "remarks and empty lines before two, and no empty line after them" },
		{ "\n", 0, "nothing" },
		{ "reads 0 0x1 0 0 0 0 0\n\n", -1, "a kind that there is not" },
		{ "read 3 0x1 0 0 0 0 0\n\n", -1, "a thread that there is not" },
		{ "read 0 0x1 0 0 0 0\n\n", -1, "an argument that is missing" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_u64(calls_in(cases[i].text), cases[i].nr, "%s", cases[i].name);
}

int main(void)
{
	plan(0);
	test_chance();
	test_text();
	test_lines();
	return done();
}
