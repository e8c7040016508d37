// SPDX-License-Identifier: GPL-2.0-only
/* mapfile.csv: both forms, the ignored first line, and the line and column of each error. */
#include <stdlib.h>

#include "reports.h"
#include "tap.h"
#include "userspace/gen/mapfile.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Lines and all columns: "2:CPUID|version|path|type|core type,native model|role;". */
#define L	__LINE__

static const struct map_case {
	int line;
	const char *text;
	const char *entries;
	const char *reports;
} cases[] = {
#define GOOD(t, e)	{ L, t, e, "" }
#define BAD(t, r)	{ L, t, "", r }
	GOOD("", ""),
	GOOD("header", ""),
	GOOD("header\n", ""),
	/* the first line is ignored whatever it is */
	GOOD("A-1-1,v1,first,core\nA-1-2,v1,second,core\n", "2:A-1-2|v1|second|core|0,0|;"),
	GOOD("\nA-1-2,v1,second,core", "2:A-1-2|v1|second|core|0,0|;"),
	GOOD("(broken,1\nA-1-2,v1,second,core", "2:A-1-2|v1|second|core|0,0|;"),
	GOOD("h\n\n   \t\n# a,b\n#\nA-1-2,v1,d,core\n\n", "6:A-1-2|v1|d|core|0,0|;"),
	GOOD("h\r\nA-1-2,v1,d,core\r\n\r\n", "2:A-1-2|v1|d|core|0,0|;"),
	GOOD("h\n A-1-2 , v1 , d/e/ ,core\t\n", "2:A-1-2|v1|d/e|core|0,0|;"),
	GOOD("h\nGenuineIntel-6-5[CF],v13,goldmont,core\n",
	     "2:GenuineIntel-6-5[CF]|v13|goldmont|core|0,0|;"),
	GOOD("h\nGenuineIntel-6-55-[01234],v1.37,skylakex,core\n",
	     "2:GenuineIntel-6-55-[01234]|v1.37|skylakex|core|0,0|;"),
	GOOD("h\n0x004[bcd][[:xdigit:]]{4},1,power8,core\n",
	     "2:0x004[bcd][[:xdigit:]]{4}|1|power8|core|0,0|;"),
	GOOD("h\nAuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]]),v1,amdzen3,core\n",
	     "2:AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])|v1|amdzen3|core|0,0|;"),
	/* Intel's seven columns */
	GOOD("h\nA-6-5C,V13,/GLM/events/g_core.json,core,,,\n",
	     "2:A-6-5C|V13|GLM/events/g_core.json|core|0,0|;"),
	GOOD("h\nA-6-C5,V1,/ARL/a.json,hybridcore,0x20,0x000002,LowPower_Atom\n",
	     "2:A-6-C5|V1|ARL/a.json|hybridcore|20,2|LowPower_Atom;"),
	GOOD("h\nA-6-C5,V1,/ARL/a.json,hybridcore,32,,Atom\n",
	     "2:A-6-C5|V1|ARL/a.json|hybridcore|20,0|Atom;"),
	GOOD("h\nA-6-5C,V1,a.json,uncore experimental,,,,more\n",
	     "2:A-6-5C|V1|a.json|uncore experimental|0,0|;"),
	/* an error drops only its line */
	{ L, "h\na,b\nA,1,d,core\n(,1,d,core\n", "3:A|1|d|core|0,0|;",
	  "m:2:Filename:fatal\nm:4:CPUID:fatal\n" },
	BAD("h\nA\n", "m:2:Version:fatal\n"),
	BAD("h\nA,1,d\n", "m:2:EventType:fatal\n"),
	BAD("h\n,1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\nA,1,,core\n", "m:2:Filename:fatal\n"),
	BAD("h\nA,1,/,core\n", "m:2:Filename:fatal\n"),
	BAD("h\nA,1,../d,core\n", "m:2:Filename:fatal\n"),
	BAD("h\nA,1,d/..,core\n", "m:2:Filename:fatal\n"),
	BAD("h\nA,1,/../d/e,core\n", "m:2:Filename:fatal\n"),
	BAD("h\nA[,1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\nA(b,1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\nA[[:nothing:]],1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\n(A)\\1,1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\nA{1025},1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\n((A{32}){33}){2},1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\n((((((((((((((((((((((((((((((((A)))))))))))))))))))))))))))))))*,1,d,core\n",
	    "m:2:CPUID:fatal\n"),
	/* found by fuzzing: 2 GiB in regcomp() */
	BAD("h\nA++++++++++++++++++++++++++++++,1,d,core\n", "m:2:CPUID:fatal\n"),
	BAD("h\nA,1,d,hybridcore\n", "m:2:Core Type:fatal\n"),
	BAD("h\nA,1,d,hybridcore,x,1,Atom\n", "m:2:Core Type:fatal\n"),
	BAD("h\nA,1,d,hybridcore,0x100,1,Atom\n", "m:2:Core Type:fatal\n"),
	BAD("h\nA,1,d,hybridcore,0x20,0x1000000,Atom\n", "m:2:Native Model ID:fatal\n"),
	GOOD("h\nA..b,1,..d/e..,core\n", "2:A..b|1|..d/e..|core|0,0|;"),
};

static void put_entries(const struct mapfile *mapfile, char *text, size_t size)
{
	unsigned int i;

	*text = '\0';
	for (i = 0; i < mapfile->nr; i++) {
		const struct mapfile_entry *e = &mapfile->entries[i];
		const size_t len = strlen(text);

		snprintf(text + len, size - len, "%u:%s|%s|%s|%s|%x,%x|%s;", e->line, e->cpuid,
			 e->version, e->path, e->type, e->core_type, e->native_model, e->role);
	}
}

/* The text ends where its memory ends, so that the sanitizer catches a read past it. */
static int parse(const char *text, size_t len, struct arena *arena, struct mapfile *mapfile)
{
	struct reporter reporter = { .fn = keep_report };
	char *copy = malloc(len ? len : 1);
	int ret;

	memcpy(copy, text, len);
	*reports = '\0';
	memset(mapfile, 0xcc, sizeof(*mapfile));
	ret = mapfile_parse("dir/m", copy, len, arena, mapfile, &reporter);
	free(copy);
	return ret;
}

static void lines(void)
{
	char entries[4096];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena *arena = arena_new();
		struct mapfile mapfile;
		int ret = parse(cases[i].text, strlen(cases[i].text), arena, &mapfile);

		put_entries(&mapfile, entries, sizeof(entries));
		ok(!ret && !strcmp(entries, cases[i].entries) && !strcmp(reports, cases[i].reports),
		   "line %d: entries and reports", cases[i].line);
		if (strcmp(entries, cases[i].entries) || strcmp(reports, cases[i].reports))
			printf("#   '%s' '%s', want '%s' '%s'\n", entries, reports,
			       cases[i].entries, cases[i].reports);
		arena_free(arena);
	}
}

static void a_byte_0_is_refused(void)
{
	static const char text[] = "h\nA\0B,1,d,core\nA,1,d,core\n";
	struct arena *arena = arena_new();
	struct mapfile mapfile;

	parse(text, sizeof(text) - 1, arena, &mapfile);
	ok(mapfile.nr == 1 && !strcmp(reports, "m:2:CPUID:fatal\n"), "a byte 0 is refused");
	arena_free(arena);
}

static void many_lines_keep_their_order(void)
{
	struct arena *arena = arena_new();
	struct mapfile mapfile;
	char text[8192] = "h\n";
	bool good;
	int i;

	for (i = 0; i < 300; i++)
		sprintf(text + strlen(text), "A-%d,1,d,core\n", i);
	parse(text, strlen(text), arena, &mapfile);
	good = mapfile.nr == 300;
	for (i = 0; good && i < 300; i++)
		good = atoi(mapfile.entries[i].cpuid + 2) == i;
	ok(good, "300 lines keep their order");
	arena_free(arena);
}

static void a_cpuid_has_a_limit(void)
{
	struct arena *arena = arena_new();
	struct mapfile mapfile;
	char text[600] = "h\n";

	memset(text + 2, 'A', 256);
	strcpy(text + 2 + 256, ",1,d,core\n");
	parse(text, strlen(text), arena, &mapfile);
	is_u64(mapfile.nr, 1, "a CPUID of 256 bytes is read");
	memset(text + 2, 'A', 257);
	strcpy(text + 2 + 257, ",1,d,core\n");
	parse(text, strlen(text), arena, &mapfile);
	ok(!mapfile.nr && !strcmp(reports, "m:2:CPUID:fatal\n"), "one of 257 is refused");
	arena_free(arena);
}

int main(void)
{
	plan(0);
	lines();
	a_byte_0_is_refused();
	many_lines_keep_their_order();
	a_cpuid_has_a_limit();
	return done();
}
