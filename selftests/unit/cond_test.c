// SPDX-License-Identifier: GPL-2.0-only
/* Conditions: the groups that sample them, and what is refused where with which remedy. */
#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"

#define TEXT_LEN	512
#define UNSET		99

static int parse(const char *condition, __u64 window, __u32 flags, struct acrpmu_spec **spec,
		 struct acrpmu_message *message)
{
	const struct acrpmu_condition_options how = {
		.size = sizeof(how), .window = window, .flags = flags,
	};

	return acrpmu_spec_parse_condition(condition, &how, NULL, spec, message);
}

/* ---- groups ------------------------------------------------------------------------------- */

/* A condition and the group in the syntax of -e; the periods are worked out by hand. */
static const struct {
	const char *condition;
	const char *group;
	__u64 window;
	int line;
} groups[] = {
	{ "instructions / cycles > 2",
	  "{cpu/instructions,period=200000,acr_mask=0x2/,cpu/cycles,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "instructions / cycles < 2",
	  "{cpu/cycles,period=100000,acr_mask=0x2/,cpu/instructions,period=200000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "ipc:u > 2",
	  "{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}",
	  0, __LINE__ },
	{ "cpi < 1/2",
	  "{cpu/instructions,period=100000,acr_mask=0x2/,cpu/cycles,period=50000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "branch-misses/branches>20%",
	  "{cpu/branch-misses,period=20000,acr_mask=0x2/,cpu/branches,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	/* raised until 1000 misses make a sample */
	{ "cache-misses/instructions > 2/1000",
	  "{cpu/cache-misses,period=1000,acr_mask=0x2/,cpu/instructions,period=500000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "mpki(branch-misses:uk) > 5",
	  "{cpu/branch-misses,period=1000,acr_mask=0x2/uk,cpu/instructions,period=200000,acr_mask=0x3/uk}",
	  0, __LINE__ },
	/* of mpki < 5 instructions are sampled: 100 misses are the smallest limit */
	{ "mpki(branch-misses) < 5",
	  "{cpu/instructions,period=100000,acr_mask=0x2/,cpu/branch-misses,period=500,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "mpki(branch-misses) < 0.5",
	  "{cpu/instructions,period=200000,acr_mask=0x2/,cpu/branch-misses,period=100,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "ipc > .5",
	  "{cpu/instructions,period=50000,acr_mask=0x2/,cpu/cycles,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "branch-misses/branches>.5%",
	  "{cpu/branch-misses,period=1000,acr_mask=0x2/,cpu/branches,period=200000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "ipc < 1 / .5",
	  "{cpu/cycles,period=100000,acr_mask=0x2/,cpu/instructions,period=200000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "(cycles:k) / (cpu/event=0xc0,umask=0x0/k) > (1.5)",
	  "{cpu/cycles,period=150000,acr_mask=0x2/k,cpu/event=0xc0,umask=0x0,period=100000,acr_mask=0x3/k}",
	  0, __LINE__ },
	{ "((instructions / cycles) > 2) && (branches / instructions < 1/7)",
	  "{cpu/instructions,period=200004,acr_mask=0x6/,cpu/cycles,period=100002,acr_mask=0x7/,cpu/branches,period=28572,acr_mask=0x7/}",
	  0, __LINE__ },
	{
	  "instructions / cycles > 1/3 && instructions / branches > 1/7 && cache-misses / instructions < 1/5",
	  "{cpu/instructions,period=33335,acr_mask=0xe/,cpu/cycles,period=100005,acr_mask=0xf/,cpu/branches,period=233345,acr_mask=0xf/,cpu/cache-misses,period=6667,acr_mask=0xf/}",
	  0, __LINE__ },
	/* perf has no modifiers i and c=, another e, and adds no bits to generic names */
	{ "cycles:i / cycles > 1/2",
	  "{cpu/event=0x3c,umask=0x0,inv=1,period=50000,acr_mask=0x2/,cpu/cycles,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "r00c4:ue / instructions:ukc=3 > 2",
	  "{cpu/r00c4,edge=1,period=200000,acr_mask=0x2/u,cpu/event=0xc0,umask=0x0,cmask=3,period=100000,acr_mask=0x3/uk}",
	  0, __LINE__ },
	{
	  "cpu/counters=0x6,name='a,b',Cycles,edge=1/kc=2 / cpu/event=0xc4,name=x=\"y,umask=0/e > 1",
	  "{cpu/name='a,b',event=0x3c,umask=0x0,counters=0x6,edge=1,cmask=2,period=100000,acr_mask=0x2/k,cpu/event=0xc4,name=x=\"y,umask=0,edge=1,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	/* the PMU that one event names */
	{ "cpu_core/instructions/ / cycles > 2 && cpu_core/instructions/ / branches > 5",
	  "{cpu_core/instructions,period=200000,acr_mask=0x6/,cpu_core/cycles,period=100000,acr_mask=0x7/,cpu_core/branches,period=40000,acr_mask=0x7/}",
	  0, __LINE__ },
	{ "glm::ICACHE:MISSES:u:c=3 / cycles > 1",
	  "{cpu/event=0x80,umask=0x2,cmask=3,period=100000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "glm::OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE / instructions > 1",
	  "{cpu/event=0xb7,umask=0x1,offcore_rsp=0x10001,period=100000,acr_mask=0x2/,cpu/instructions,period=100000,acr_mask=0x3/}",
	  0, __LINE__ },
	{ "IPC:u > 2 && Mpki(branches:u) < 2",
	  "{cpu/instructions,period=200000,acr_mask=0x6/u,cpu/cycles,period=100000,acr_mask=0x7/u,cpu/branches,period=400,acr_mask=0x7/u}",
	  0, __LINE__ },
	{ "ipc > 2",
	  "{cpu/instructions,period=2002,acr_mask=0x2/,cpu/cycles,period=1001,acr_mask=0x3/}",
	  1001, __LINE__ },
	/* the nearest multiple of 3; of two multiples of 4 that are equally near the larger */
	{ "ipc > 1/3",
	  "{cpu/instructions,period=1000,acr_mask=0x2/,cpu/cycles,period=3000,acr_mask=0x3/}",
	  3001, __LINE__ },
	{ "ipc > 3/4",
	  "{cpu/instructions,period=1503,acr_mask=0x2/,cpu/cycles,period=2004,acr_mask=0x3/}",
	  2002, __LINE__ },
};

static __u64 common_flags(const struct acrpmu_event_attr *attr)
{
	return attr->flags & (ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL | ACRPMU_EVENT_SAMPLED |
			      ACRPMU_EVENT_COUNT);
}

static bool same_events(const struct acrpmu_spec *a, const struct acrpmu_spec *b)
{
	unsigned int i, nr = acrpmu_spec_nr_events(a, 0);

	for (i = 0; i < nr && nr == acrpmu_spec_nr_events(b, 0); i++) {
		const struct acrpmu_event_attr *x = &acrpmu_spec_event(a, 0, i)->attr;
		const struct acrpmu_event_attr *y = &acrpmu_spec_event(b, 0, i)->attr;

		if (x->config != y->config || x->extra_value != y->extra_value ||
		    x->period != y->period || x->acr_mask != y->acr_mask ||
		    common_flags(x) != common_flags(y))
			break;
	}
	return i && i == nr;
}

static void test_groups(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		const struct acrpmu_parse_options options = { .size = sizeof(options) };
		struct acrpmu_spec *spec = NULL, *want = NULL;
		struct acrpmu_message m;
		char text[TEXT_LEN] = "";

		if (!parse(groups[i].condition, groups[i].window, 0, &spec, &m))
			acrpmu_spec_group_string(spec, 0, text, sizeof(text));
		else
			printf("# line %d: %s; %s\n", groups[i].line, m.text, m.hint);
		is_str(text, groups[i].group, "%s", groups[i].condition);
		ok(spec && !acrpmu_spec_parse(&groups[i].group, 1, &options, &want, &m) &&
		   same_events(spec, want), "its group is that of -e");
		acrpmu_spec_free(spec);
		acrpmu_spec_free(want);
	}
}

/* ---- refusals ----------------------------------------------------------------------------- */

static const struct {
	const char *condition;
	const char *code;
	unsigned int column;
	const char *hint;	/* part of it */
	int line;
} refusals[] = {
	{ "", "no-condition", 1, "instructions / cycles > 2", __LINE__ },
	{ "ipc", "syntax", 4, "quotes", __LINE__ },
	{ "cycles", "syntax", 7, "A / B > x", __LINE__ },
	{ "instructions / cycles", "syntax", 22, "A / B > x", __LINE__ },
	{ "instructions / cycles >", "syntax", 24, "", __LINE__ },
	{ "instructions / > 2", "syntax", 16, "cycles", __LINE__ },
	{ "instructions / cycles 2", "syntax", 23, "", __LINE__ },
	{ "ipc > 2,", "syntax", 8, "&&", __LINE__ },
	{ "ipc > 2 &", "syntax", 9, "&&", __LINE__ },
	{ "ipc > 2 &&", "syntax", 11, "", __LINE__ },
	{ "ipc && cpi > 1", "syntax", 5, "", __LINE__ },
	{ "ipc > 2 && cpi", "syntax", 15, "", __LINE__ },
	{ "{cycles}", "syntax", 1, "", __LINE__ },
	{ "(ipc > 2", "parentheses", 1, "closing", __LINE__ },
	{ "ipc > 2)", "syntax", 8, "", __LINE__ },
	{ "1000 * cache-misses / instructions > 5", "syntax", 6, "", __LINE__ },
	{ "!(ipc > 2)", "syntax", 1, "A / B < x", __LINE__ },
	{ "ipc >= 2", "condition-relation", 1, "ipc > 2", __LINE__ },
	{ "ipc > 1 && branches / instructions <= 20%", "condition-relation", 12,
	  "branches / instructions < 20%", __LINE__ },
	{ "ipc == 2", "condition-relation", 1, "ipc > 2 or ipc < 2", __LINE__ },
	{ "ipc = 2", "condition-relation", 1, "ipc > 2 or ipc < 2", __LINE__ },
	{ "ipc != 2", "condition-relation", 1, "ipc > 2 or ipc < 2", __LINE__ },
	{ "ipc === 2", "condition-relation", 1, "ipc > 2 or ipc < 2", __LINE__ },
	{ "ipc >> 2", "condition-relation", 1, "write ipc > 2", __LINE__ },
	{ "ipc << 2", "condition-relation", 1, "write ipc < 2", __LINE__ },
	{ "ipc \xe2\x89\xa5 2", "condition-relation", 1, "write ipc > 2", __LINE__ },
	{ "cycles/instructions\xe2\x89\xa4 2", "condition-relation", 1,
	  "write cycles/instructions < 2", __LINE__ },
	{ "ipc \xe2\x89\xa0 2", "condition-relation", 1, "ipc > 2 or ipc < 2", __LINE__ },
	{ "2 \xe2\x89\xa5 ipc", "condition-sides", 1, "ipc < 2", __LINE__ },
	{ "2 =< ipc", "condition-sides", 1, "ipc > 2", __LINE__ },
	{ "1 \xe2\x89\xa4 ipc \xe2\x89\xa4 2", "condition-range", 1, "ipc > 1", __LINE__ },
	{ "ipc > 2 || cpi > 2", "condition-or", 12, "&&", __LINE__ },
	{ "ipc > 1 && ipc < 2", "condition-range", 12, "'ipc > 1' or 'ipc < 2'", __LINE__ },
	{ "ipc > 1 && cpi > 1/2", "condition-range", 12, "'ipc > 1' or 'cpi > 1/2'", __LINE__ },
	{ "1 < ipc < 2", "condition-range", 1, "ipc > 1", __LINE__ },
	{ "ipc < 2 > 1", "condition-range", 1, "ipc < 2", __LINE__ },
	{ "2 < ipc", "condition-sides", 1, "ipc > 2", __LINE__ },
	{ "cycles > instructions", "condition-sides", 1, "cycles / instructions > 1", __LINE__ },
	{ "cycles > 1000", "condition-sides", 1, "another event", __LINE__ },
	{ "ipc > cpi", "condition-sides", 1, "A / B > x", __LINE__ },
	{ "(ipc > 1) > 2", "condition-sides", 1, "A / B > x", __LINE__ },
	{ "cycles / 2 > 1", "condition-ratio", 10, "another event", __LINE__ },
	{ "cycles / branches / instructions > 1", "condition-ratio", 21, "A / B", __LINE__ },
	{ "ipc > 2 / cycles", "condition-ratio", 11, "A / B", __LINE__ },
	{ "ipc > 2 && branch-misses / branches > 20%", "condition-sampled", 12,
	  "instructions / EVENT > x or EVENT / instructions < x", __LINE__ },
	{ "ipc > 2 && instructions / branches < 5", "condition-sampled", 12,
	  "mirrored comparison samples it: instructions / branches > 5", __LINE__ },
	{ "ipc < 2 && branches / cycles > 20%", "condition-sampled", 12,
	  "mirrored comparison samples it: branches / cycles < 20%", __LINE__ },
	{ "ipc > 2 && instructions:u / branches < 5", "condition-sampled", 12,
	  "levels included", __LINE__ },
	{ "ipc:u > 2 && instructions:k / branches:u > 2", "condition-sampled", 14,
	  "levels included", __LINE__ },
	{ "ipc > 2 && instructions / cpu-cycles > 3", "condition-twice", 12, "keep", __LINE__ },
	{ "cycles / cpu-cycles > 1", "condition-same", 1, "another event", __LINE__ },
	{ "cycles / cpu/cycles,period=5/ > 1", "condition-term", 21, "--window", __LINE__ },
	{ "cpu/cycles,acr_mask=1/ / instructions > 1", "condition-term", 12, "--window", __LINE__ },
	{ "cpu/cycles,reloaded-by=0/ / instructions > 1", "condition-term", 12, "--window",
	  __LINE__ },
	{ "instructions / cpu/cycles,resets=0/ > 1", "condition-term", 34, "--window", __LINE__ },
	{ "ipc > 0", "condition-zero", 7, "above 0", __LINE__ },
	{ "ipc > 0.00%", "condition-zero", 7, "above 0", __LINE__ },
	{ "ipc > 1/0", "condition-zero", 9, "above 0", __LINE__ },
	{ "ipc > -1", "condition-number", 7, "20%", __LINE__ },
	{ "ipc > 1e3", "condition-number", 8, "0.02", __LINE__ },
	{ "ipc > 2.", "condition-number", 9, "0.02", __LINE__ },
	{ "ipc > 5.%", "condition-number", 9, "0.02", __LINE__ },
	{ "ipc > .", "condition-number", 7, "0.02", __LINE__ },
	{ "ipc > .0", "condition-zero", 7, "above 0", __LINE__ },
	{ "ipc > 1/.", "condition-number", 9, "0.02", __LINE__ },
	{ "ipc > .5.5", "condition-number", 9, "0.02", __LINE__ },
	{ "cycles / .5 > 2", "condition-ratio", 10, "", __LINE__ },
	{ "ipc > 100k", "condition-number", 10, "2/1000", __LINE__ },
	{ "ipc > 2%%", "syntax", 9, "", __LINE__ },
	{ "ipc > 12345678901234567890", "condition-number", 26, "", __LINE__ },
	{ "ipc > 1/2147483648", "condition-large", 7, "rounder", __LINE__ },
	{ "ipc > 0.0000000001", "condition-large", 7, "rounder", __LINE__ },
	{ "ipc > 1/2147483647", "condition-large", 1, "nearer to 1", __LINE__ },
	{ "ipc > 99991/99989 && instructions / branches > 99971/99961", "condition-large", 22,
	  "rounder", __LINE__ },
	{ "mpki > 2", "syntax", 6, "mpki(branch-misses)", __LINE__ },
	{ "mpki() > 2", "syntax", 6, "", __LINE__ },
	{ "mpki(cycles, branches) > 2", "syntax", 12, "one event", __LINE__ },
	{ "mpki(instructions) > 2", "condition-same", 1, "", __LINE__ },
	{ "mpki(cycles):u > 2", "syntax", 13, "mpki(EVENT:u)", __LINE__ },
	{ "ipc:x > 2", "syntax", 5, "u and k", __LINE__ },
	{ "ipc: > 2", "syntax", 5, "u and k", __LINE__ },
	{ "ipc:uu > 2", "modifier-twice", 6, "", __LINE__ },
	{ "instrs/cycles > 2", "unknown-event", 1, "generic name", __LINE__ },
	{ "instructions/cycls > 2", "unknown-event", 14, "cycles", __LINE__ },
	{ "cycles/period=5/ > 2", "unknown-event", 8, "", __LINE__ },
	{ "cpu / cycles > 2", "no-event", 1, "cpu/cycles/", __LINE__ },
	{ "instructions:p / cycles > 2", "modifier-unsupported", 14, "", __LINE__ },
	{ "cpu_atom/cycles/ / cpu_core/cycles/ > 1", "other-pmu", 20, "one PMU", __LINE__ },
	{ "ipc > 2\nand", "syntax", 9, "&&", __LINE__ },
};

static void test_refusals(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct acrpmu_spec *spec = NULL;
		struct acrpmu_message m = { .column = UNSET };
		int err = parse(refusals[i].condition, 0, 0, &spec, &m);

		if (!ok(err == -EINVAL && !spec && !strcmp(m.code, refusals[i].code) &&
			m.column == refusals[i].column && *m.text && *m.hint &&
			strstr(m.hint, refusals[i].hint),
			"refused: %s", *refusals[i].condition ? refusals[i].condition : "nothing"))
			printf("#   line %d: %d '%s' at %u: %s; %s\n", refusals[i].line, err,
			       m.code, m.column, m.text, m.hint);
		if (!err)
			acrpmu_spec_free(spec);
	}
}

static void test_depth(void)
{
	char deep[4096];
	struct acrpmu_spec *spec;
	struct acrpmu_message m;

	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = 0;
	is_u64(-parse(deep, 0, 0, &spec, &m), EINVAL, "thousands of parentheses are refused");
	is_str(m.code, "parentheses", "with their reason");
}

static void test_many(void)
{
	char text[4096] = "instructions/r1 > 1";
	struct acrpmu_spec *spec;
	struct acrpmu_message m;
	unsigned int i;

	for (i = 2; i < ACRPMU_MAX_EVENTS; i++)
		sprintf(text + strlen(text), " && instructions/r%x > 1", i);
	is_u64(parse(text, 0, 0, &spec, &m), 0, "fifteen comparisons fill a group");
	is_u64(acrpmu_spec_nr_events(spec, 0), ACRPMU_MAX_EVENTS, "of sixteen events");
	acrpmu_spec_free(spec);
	strcat(text, " && instructions/r77 > 1");
	is_u64(-parse(text, 0, 0, &spec, &m), EINVAL, "one more is refused");
	is_str(m.code, "too-many-events", "with its reason");
}

/* ---- windows ------------------------------------------------------------------------------ */

static __u64 window_of(const char *condition, __u64 window, __u32 flags, struct acrpmu_message *m)
{
	struct acrpmu_spec *spec;
	__u64 got;

	if (parse(condition, window, flags, &spec, m))
		return 0;
	got = acrpmu_spec_condition(spec)->window;
	acrpmu_spec_free(spec);
	return got;
}

static void test_windows(void)
{
	struct acrpmu_message m;

	is_u64(window_of("ipc > 1/3", 0, 0, &m), 99999, "100000 is rounded to a multiple of 3");
	is_u64(window_of("ipc > 1/3", 0, ACRPMU_CONDITION_SOFTWARE, &m), 999999,
	       "software has a window of a million");
	is_u64(window_of("ipc < 1/3", 5000, ACRPMU_CONDITION_SOFTWARE, &m), 5001,
	       "which may be smaller");
	is_u64(window_of("ipc < 1/3", 2900, ACRPMU_CONDITION_SOFTWARE, &m), 0,
	       "but with software the limit needs 1000, too");
	ok(strstr(m.hint, "--window 3000"), "and the smallest that fits is named");
	is_u64(window_of("ipc > 50000", 0, 0, &m), 42949, "a default too large is lowered");
	is_u64(window_of("ipc > 5000", 0, ACRPMU_CONDITION_SOFTWARE, &m), 429496,
	       "software's, too");
	is_u64(window_of("ipc > 50000", 42950, 0, &m), 0, "but not a window that was asked for");
	ok(strstr(m.hint, "the largest that fits is --window 42949"), "the largest is named");
	is_u64(window_of("ipc < 1/3", 3000, ACRPMU_CONDITION_SOFTWARE, &m), 3000, "and fits");
	is_u64(window_of("mpki(branch-misses) > 5", 1000, 0, &m), 0,
	       "a window without 1000 samples is refused");
	ok(strstr(m.hint, "--window 200000"), "and the smallest that fits is named");
	is_u64(window_of("ipc > 20", 49, 0, &m), 0, "a limit needs 100");
	ok(strstr(m.hint, "--window 100"), "and the smallest that fits is named");
	is_u64(window_of("ipc > 20", 100, 0, &m), 100, "and fits");
	is_u64(window_of("ipc > 1", 2147483647, 0, &m), 2147483647, "31 bits fit");
	is_u64(window_of("ipc > 1", 2147483648, 0, &m), 0, "one more does not");
	is_u64(window_of("ipc > 1", UINT64_MAX, 0, &m), 0, "nor do 64 bits");
	is_str(m.code, "window-large", "with the reason");
}

static void test_factor(void)
{
	const struct acrpmu_condition *c;
	struct acrpmu_spec *spec = NULL;
	struct acrpmu_message m;

	ok(!parse("ipc > 2 && branches / instructions < 1/5", 0, 0, &spec, &m), "two comparisons");
	c = acrpmu_spec_condition(spec);
	is_u64(c->nr_comparisons, 2, "are two");
	is_u64(c->units[0], 10, "10 is a multiple of 2 and 5");
	is_u64(c->units[1], 5, "cycles are half of the instructions");
	is_u64(c->units[2], 2, "branches a fifth");
	is_u64(c->min_factor, 100, "1000 instructions are the smallest period");
	is_u64(c->max_factor, 214748364, "31 bits the largest");
	is_u64(-acrpmu_spec_set_factor(spec, 99), EINVAL, "less than the smallest is refused");
	is_u64(-acrpmu_spec_set_factor(spec, 214748365), EINVAL, "and more than the largest");
	is_u64(acrpmu_spec_set_factor(spec, 101), 0, "one between is set");
	is_u64(acrpmu_spec_event(spec, 0, 0)->attr.period, 1010, "in the sampled event");
	is_u64(acrpmu_spec_event(spec, 0, 1)->attr.period, 505, "in its first limit");
	is_u64(acrpmu_spec_event(spec, 0, 2)->attr.period, 202, "in its second limit");
	is_u64(c->window, 505, "and the window follows");
	is_str(acrpmu_spec_text(spec, 0),
	       "instructions / cycles > 2 && branches / instructions < 0.2",
	       "the group is named after the condition");
	acrpmu_spec_free(spec);
}

static void test_options(void)
{
	struct acrpmu_condition_options how = { .size = sizeof(how), .flags = 2 };
	struct acrpmu_parse_options options = { .size = sizeof(options), .period = 5 };
	const char *string = "cycles";
	struct acrpmu_spec *spec;
	struct acrpmu_message m;

	is_u64(-acrpmu_spec_parse_condition("ipc > 2", &how, NULL, &spec, &m), EINVAL,
	       "unknown flags are refused");
	is_u64(-acrpmu_spec_parse_condition("ipc > 2", NULL, &options, &spec, &m), EINVAL,
	       "a period is refused");
	how = (struct acrpmu_condition_options){ .size = 8 };
	is_u64(-acrpmu_spec_parse_condition("ipc > 2", &how, NULL, &spec, &m), EINVAL,
	       "options that are too short are refused");
	is_u64(-acrpmu_spec_parse_condition("ipc >", NULL, NULL, &spec, NULL), EINVAL,
	       "a refusal needs no message");
	options.flags = ACRPMU_PARSE_COUNT;
	options.period = 0;
	is_u64(-acrpmu_spec_parse_condition("ipc > 2", NULL, &options, &spec, &m), EINVAL,
	       "flags for events are refused");
	is_u64(acrpmu_spec_parse(&string, 1, &options, &spec, &m), 0, "event strings");
	ok(!acrpmu_spec_condition(spec), "have no condition");
	is_u64(acrpmu_spec_group_string(spec, 0, NULL, 0), 0, "and are no text of one");
	is_u64(-acrpmu_spec_set_factor(spec, 1000), EINVAL, "nor have they a factor");
	acrpmu_spec_free(spec);
}

int main(void)
{
	plan(0);
	test_groups();
	test_refusals();
	test_depth();
	test_many();
	test_windows();
	test_factor();
	test_options();
	return done();
}
