// SPDX-License-Identifier: GPL-2.0-only
/* Searching tables of events by name, and mapping tables by CPUID string. */
#include <stddef.h>

#include "tap.h"
#include "userspace/lib/event_table.h"

/* ---- names -------------------------------------------------------------------------------- */

/* "B_A" and "BA": an underscore is less than a letter only if letters are compared in lower case */
static const char text[] = "A.ONE\0B_A\0ba\0Twice\0TWICE\0Z.LAST";

static const struct event_row rows[] = {
	{ .name = 0, .config = 1 },
	{ .name = 6, .config = 2 },
	{ .name = 10, .config = 3 },
	{ .name = 13, .config = 4 },
	{ .name = 19, .config = 5 },
	{ .name = 25, .config = 6 },
};

static const struct event_table table = { "t", text, rows, 6 };
static const struct event_table other = { "Other", text, rows, 2 };
static const struct event_table empty = { "empty", text, rows, 0 };

static const struct {
	int line;
	const char *name;
	__u64 config;	/* 0: not found */
} names[] = {
	{ __LINE__, "A.ONE", 1 },
	{ __LINE__, "a.one", 1 },
	{ __LINE__, "A.One", 1 },
	{ __LINE__, "b_a", 2 },
	{ __LINE__, "BA", 3 },
	{ __LINE__, "ba", 3 },
	{ __LINE__, "twice", 4 },
	{ __LINE__, "z.last", 6 },
	{ __LINE__, "A.ON", 0 },
	{ __LINE__, "A.ONE ", 0 },
	{ __LINE__, "A.ONEX", 0 },
	{ __LINE__, "", 0 },
	{ __LINE__, "A", 0 },
	{ __LINE__, "ZZZ", 0 },
};

static void test_names(void)
{
	const struct event_row *row;
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		row = event_table_find(&table, names[i].name, strlen(names[i].name));
		is_u64(row ? row->config : 0, names[i].config, "line %d: '%s'", names[i].line,
		       names[i].name);
	}
	ok(!event_table_find(&empty, "A.ONE", 5), "an empty table has no event");
	row = event_table_find(&table, "A.ONE.MORE", 5);
	is_u64(row ? row->config : 0, 1, "only as many bytes as were given are looked at");
}

/* Names of the letters a and b: many share a beginning; each search against one from the start. */
static void test_beginnings(void)
{
	static char texts[1024];
	static struct event_row all[64];
	struct event_table t = { "beginnings", texts, all, 0 };
	unsigned int i, k, len, wrong = 0;
	char name[8];
	int at = 0;

	for (i = 0; i < 1 << 6; i++) {
		/* those with bits of three or more, in the order of the table */
		if (__builtin_popcount(i) < 3)
			continue;
		all[t.nr++].name = at;
		for (k = 6; k--;)
			texts[at++] = i >> k & 1 ? 'b' : 'A';
		at++;
	}
	for (len = 0; len <= 7; len++) {
		for (i = 0; i < 1U << len; i++) {
			const struct event_row *row, *want = NULL;

			for (k = 0; k < len; k++)
				name[k] = i >> k & 1 ? 'B' : 'a';
			row = event_table_find(&t, name, len);
			for (k = 0; k < t.nr && !want; k++)
				if (!event_table_compare(name, len, texts + all[k].name))
					want = &all[k];
			wrong += row != want;
		}
	}
	is_u64(wrong, 0, "names that share beginnings, of %u in the table", t.nr);
}

static void test_order(void)
{
	ok(event_table_compare("a", 1, "B") < 0, "a comes before B");
	ok(event_table_compare("A", 1, "b") < 0, "A comes before b");
	ok(event_table_compare("B_A", 3, "BA") < 0, "an underscore comes before letters");
	ok(event_table_compare("AB", 2, "A") > 0, "a longer name comes later");
	ok(event_table_compare("A", 1, "AB") < 0, "a shorter name comes first");
	ok(!event_table_compare("aB.c", 4, "Ab.C"), "case does not count");
	ok(event_table_compare("\xe4", 1, "z") > 0, "bytes above 127 come last");
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static const struct {
	int line;
	const char *pattern;
	const char *cpuid;
	bool matches;
} cpuids[] = {
	/* exact strings; the stepping may be left out of the entry only */
	{ __LINE__, "GenuineIntel-6-DD", "GenuineIntel-6-DD-0", true },
	{ __LINE__, "GenuineIntel-6-DD", "GenuineIntel-6-DD", true },
	{ __LINE__, "GenuineIntel-6-DD-0", "GenuineIntel-6-DD-0", true },
	{ __LINE__, "GenuineIntel-6-DD-1", "GenuineIntel-6-DD-0", false },
	{ __LINE__, "GenuineIntel-6-DD-1", "GenuineIntel-6-DD", false },
	{ __LINE__, "GenuineIntel-6-D", "GenuineIntel-6-DD-0", false },
	{ __LINE__, "GenuineIntel-6-DDD", "GenuineIntel-6-DD-0", false },
	{ __LINE__, "genuineintel-6-dd", "GenuineIntel-6-DD-0", false },
	{ __LINE__, "", "GenuineIntel-6-DD-0", false },
	/* expressions, as a whole */
	{ __LINE__, "GenuineIntel-6-5[CF]", "GenuineIntel-6-5C-9", true },
	{ __LINE__, "GenuineIntel-6-5[CF]", "GenuineIntel-6-5F-1", true },
	{ __LINE__, "GenuineIntel-6-5[CF]", "GenuineIntel-6-5E-3", false },
	{ __LINE__, "GenuineIntel-6-5[CF]", "GenuineIntel-6-5C0-9", false },
	{ __LINE__, "GenuineIntel-6-5[C-F]", "GenuineIntel-6-5D-9", true },
	{ __LINE__, "GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-4", true },
	{ __LINE__, "GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-5", false },
	{ __LINE__, "GenuineIntel-6-55-[56789ABCDEF]", "GenuineIntel-6-55-7", true },
	{ __LINE__, "GenuineIntel-6-(CC|D5|E5)", "GenuineIntel-6-D5-1", true },
	{ __LINE__, "GenuineIntel-6-(CC|D5|E5)", "GenuineIntel-6-DD-0", false },
	{ __LINE__, "GenuineIntel-(6|1[89])-[[:xdigit:]]+", "GenuineIntel-18-3-0", true },
	{ __LINE__, "GenuineIntel-(6|1[89])-[[:xdigit:]]+", "GenuineIntel-15-3-0", false },
	{ __LINE__, "AuthenticAMD-23-([12][0-9A-F]|[0-9A-F])", "AuthenticAMD-23-8-1", true },
	{ __LINE__, "0x004[bcd][[:xdigit:]]{4}", "0x004d0200", true },
	{ __LINE__, "0x004[bcd][[:xdigit:]]{4}", "0x004e0200", false },
	{ __LINE__, "0x004[bcd][[:xdigit:]]{4}", "0x004d02001", false },
	/* what begins an expression need not begin what it matches */
	{ __LINE__, "ab?c", "ac", true },
	{ __LINE__, "ab*c", "ac", true },
	{ __LINE__, "ab{0,1}c", "ac", true },
	{ __LINE__, "ab+c", "ac", false },
	{ __LINE__, "abc|xyz", "xyz", true },
	{ __LINE__, "a(b|c)|xyz", "xyz", true },
	{ __LINE__, "a[(]|xyz", "xyz", true },
	{ __LINE__, "a[])|]b", "a|b", true },
	{ __LINE__, "a\\.b", "a.b", true },
	{ __LINE__, "a\\.b", "axb", false },
	{ __LINE__, ".*", "GenuineIntel-6-DD-0", true },
	/* lists, choices and repetitions together */
	{ __LINE__, "a[b-d]e", "ace", true },
	{ __LINE__, "a[b-d]e", "afe", false },
	{ __LINE__, "a[b-]e", "a-e", true },
	{ __LINE__, "a[b-]e", "ace", false },
	{ __LINE__, "a[^b]e", "abe", false },
	{ __LINE__, "a[^b]e", "ace", true },
	{ __LINE__, "a[[:digit:]]e", "a7e", true },
	{ __LINE__, "a[[:xdigit:]x]e", "axe", true },
	{ __LINE__, "a[[:xdigit:]x]e", "aye", false },
	{ __LINE__, "a[bc]+b", "abcb", true },
	{ __LINE__, "a[bc]+b", "ab", false },
	{ __LINE__, "a[bc]*b", "ab", true },
	{ __LINE__, "a[bc]?b", "abb", true },
	{ __LINE__, "a[bc]?b", "abbb", false },
	{ __LINE__, "a(b|bc)d", "abcd", true },
	{ __LINE__, "a(b|bc)d", "abd", true },
	{ __LINE__, "a(b|bc)d", "ad", false },
	{ __LINE__, "a(b|)c", "ac", true },
	{ __LINE__, "(a|b[cd])(e|f)", "bdf", true },
	{ __LINE__, "(a|b[cd])(e|f)", "bd", false },
	{ __LINE__, "(a|b)+c", "abac", true },
	{ __LINE__, "(a|(b|c))d", "cd", true },
	{ __LINE__, "a(bx+|c)d", "abxxd", true },
	{ __LINE__, "a(bx+|c)d", "acd", true },
	{ __LINE__, "a(bx+|c)d", "abd", false },
	{ __LINE__, "a+b+", "aabb", true },
	{ __LINE__, "a{2}b", "aab", true },
	{ __LINE__, "a", "", false },
	{ __LINE__, "a*", "", true },
	/* no expression at all */
	{ __LINE__, "a[", "a[", true },
	{ __LINE__, "a(b", "ab", false },
};

static void test_cpuids(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(cpuids) / sizeof(*cpuids); i++) {
		const struct event_map map = { .cpuid = cpuids[i].pattern, .type = "core" };

		ok(event_maps_match(&map, cpuids[i].cpuid) == cpuids[i].matches,
		   "line %d: '%s' %s '%s'", cpuids[i].line, cpuids[i].pattern,
		   cpuids[i].matches ? "stands for" : "does not stand for", cpuids[i].cpuid);
	}
}

static const struct event_map map_rows[] = {
	{ "GenuineIntel-6-5C", "1", "uncore", "", 0, 0, &empty },
	{ "GenuineIntel-6-5C", "1", "core", "", 0, 0, &table },
	{ "GenuineIntel-6-5C", "2", "core", "", 0, 0, &other },
	{ "GenuineIntel-6-C5", "1", "hybridcore", "Atom", 0x20, 3, &table },
	{ "GenuineIntel-6-C5", "1", "hybridcore", "LowPower_Atom", 0x20, 2, &other },
	{ "GenuineIntel-6-C5", "1", "hybridcore", "Core", 0x40, 0, &empty },
};

static const struct event_table *const tables[] = { &other, &empty, &table };
static const struct event_maps maps = { map_rows, 6, tables, 3 };
static const struct event_maps no_maps = { NULL, 0, NULL, 0 };

static const char *found(const char *cpuid, __u32 core_type)
{
	const struct event_table *t = event_maps_find(&maps, cpuid, core_type);

	return t ? t->name : NULL;
}

static void test_maps(void)
{
	const struct event_table *t;

	is_str(found("GenuineIntel-6-5C-9", 0), "t", "the first entry for cores counts");
	is_str(found("GenuineIntel-6-C5-1", 0x20000003), "t", "a kind of E-core");
	is_str(found("GenuineIntel-6-C5-1", 0x20000002), "Other", "the other kind of E-core");
	is_str(found("GenuineIntel-6-C5-1", 0x20000001), NULL, "an E-core that is neither");
	is_str(found("GenuineIntel-6-C5-1", 0x20000000), "t",
	       "an E-core with an unknown native model: the first kind");
	is_str(found("GenuineIntel-6-C5-1", 0x40000007), "empty", "a P-core of any model");
	is_str(found("GenuineIntel-6-C5-1", 0), NULL, "which core is not known");
	is_str(found("GenuineIntel-6-5D-1", 0), NULL, "another CPU");
	ok(!event_maps_find(&no_maps, "GenuineIntel-6-5C-9", 0), "no tables at all");

	t = event_maps_by_name(&maps, "other");
	is_str(t ? t->name : NULL, "Other", "a table by its name, in either case");
	ok(!event_maps_by_name(&maps, "othe"), "no table of that name");
	ok(!event_maps_by_name(&no_maps, "t"), "no table by name in an empty mapping table");
}

int main(void)
{
	plan(0);
	test_names();
	test_beginnings();
	test_order();
	test_cpuids();
	test_maps();
	return done();
}
