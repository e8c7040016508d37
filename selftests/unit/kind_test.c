// SPDX-License-Identifier: GPL-2.0-only
/* Event strings on hybrid CPUs: the kinds of cores that each group is for, and its names there. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"
#include "userspace/lib/event_table.h"

#define TEXT_LEN	1024
#define NR_KINDS	3

/* Arrow Lake H; the counters are those of its PMUs. */
static const struct acrpmu_cpu_info cpus[NR_KINDS] = {
	{
		.signature = 0xc0652, .core_type = 0x40000003, .pmu_version = 6,
		.flags = ACRPMU_CPU_USABLE | ACRPMU_CPU_HYBRID, .cntrs = 0xf000003ff,
	},
	{
		.signature = 0xc0652, .core_type = 0x20000003, .pmu_version = 6,
		.flags = ACRPMU_CPU_USABLE | ACRPMU_CPU_HYBRID | ACRPMU_CPU_ACR,
		.cntrs = 0x77000000ff, .reloadable_cntrs = 0x7000000ff, .cause_cntrs = 0x7000000ff,
	},
	{
		.signature = 0xc0652, .core_type = 0x20000002, .pmu_version = 6,
		.flags = ACRPMU_CPU_USABLE | ACRPMU_CPU_HYBRID, .cntrs = 0x7000000ff,
	},
};

#define RELOADS(a, b, m)							\
	"{" a ",period=200000,acr_mask=0x2/" m "," b ",period=100000,acr_mask=0x3/" m "}"

static const struct kind_case {
	int line;
	const char *string;
	const char *groups;	/* KIND:TEXT with blanks between; NULL: refused */
	const char *left_out;	/* kinds, as digits */
	const char *code;	/* of a refusal */
	unsigned int column;
} cases[] = {
#define GOOD(s, g, l)	{ __LINE__, s, g, l, NULL, 0 }
#define BAD(s, c, col)	{ __LINE__, s, NULL, "", c, col }
	GOOD("cycles", "0:cpu_core/cycles/ 1:cpu_atom/cycles/ 2:cpu_lowpower/cycles/", ""),
	GOOD("cpu/cycles/u", "0:cpu_core/cycles/u 1:cpu_atom/cycles/u 2:cpu_lowpower/cycles/u", ""),
	GOOD("cycles:u,r00c0",
	     "0:cpu_core/cycles/u 1:cpu_atom/cycles/u 2:cpu_lowpower/cycles/u "
	     "0:cpu_core/r00c0/ 1:cpu_atom/r00c0/ 2:cpu_lowpower/r00c0/", ""),
	GOOD("cpu_atom/cycles/k", "1:cpu_atom/cycles/k", ""),
	GOOD("{cycles, instructions/period=7000/}:u",
	     "0:{cpu_core/cycles/u,cpu_core/instructions,period=7000/u} "
	     "1:{cpu_atom/cycles/u,cpu_atom/instructions,period=7000/u} "
	     "2:{cpu_lowpower/cycles/u,cpu_lowpower/instructions,period=7000/u}", ""),
	GOOD("{cycles,cpu_core/branches/}", "0:{cpu_core/cycles/,cpu_core/branches/}", ""),
	GOOD("{slots,cpu_core/branches/}", "0:{cpu_core/slots/,cpu_core/branches/}", ""),
	GOOD("slots:u", "0:cpu_core/slots/u", "12"),
	GOOD("cpu_core/slots/,cpu_atom/cycles/", "0:cpu_core/slots/ 1:cpu_atom/cycles/", ""),
	/* the code of slots: fixed counter 3 */
	GOOD("r0400", "0:cpu_core/r0400/", "12"),
	GOOD(RELOADS("cpu/instructions", "cpu/cycles", "u"),
	     "1:" RELOADS("cpu_atom/instructions", "cpu_atom/cycles", "u"), "02"),
	GOOD("{cpu/event=0xc0,umask=0,name='a b'/}",
	     "0:{cpu_core/event=0xc0,umask=0,name='a b'/} 1:{cpu_atom/event=0xc0,umask=0,name='a b'/} "
	     "2:{cpu_lowpower/event=0xc0,umask=0,name='a b'/}", ""),
	/* the module knows how short a period may be */
	GOOD("{cpu/instructions,period=500,acr_mask=0x2/u,cpu/cycles,period=250,acr_mask=0x3/u}",
	     "1:{cpu_atom/instructions,period=500,acr_mask=0x2/u,"
	     "cpu_atom/cycles,period=250,acr_mask=0x3/u}", "02"),
	BAD("cycle", "unknown-event", 1),
	BAD("cycles,cpu/cycles,perod=5/", "unknown-term", 19),
	BAD("cpu_atom/slots/", "event-unsupported", 10),
	BAD("{cpu_core/cycles/,cpu_atom/cycles/}", "other-pmu", 19),
	BAD("{cpu_lowpower/cycles/,cycles,cpu_atom/cycles/}", "other-pmu", 30),
};

/* perf's generic names only */
const struct event_maps acrpmu_builtin_events;

static const struct acrpmu_events *kinds[NR_KINDS];
static struct acrpmu_message message;
static char left_out[NR_KINDS + 1];

static void note_left_out(void *ctx, unsigned int kind, const struct acrpmu_message *why)
{
	const struct kind_case *c = ctx;
	size_t len = strlen(left_out);

	if (len < NR_KINDS)
		left_out[len] = '0' + kind;
	ok(*why->code && *why->text, "'%s', kind %u: %s", c->string, kind, why->text);
}

/* What a group is called means the same group of this kind. */
static void check_names(const struct acrpmu_spec *spec, unsigned int group,
			const struct acrpmu_parse_options *how)
{
	struct acrpmu_event_attr want[ACRPMU_MAX_EVENTS], got[ACRPMU_MAX_EVENTS];
	const char *text = acrpmu_spec_text(spec, group);
	int nr = acrpmu_spec_attrs(spec, group, want);
	struct acrpmu_spec *again;

	if (!ok(!acrpmu_spec_parse(&text, 1, how, &again, &message), "'%s' can be read again",
		text))
		return;
	ok(acrpmu_spec_nr_groups(again) == 1 &&
	   acrpmu_spec_kind(again, 0) == acrpmu_spec_kind(spec, group) &&
	   !strcmp(acrpmu_spec_text(again, 0), text) &&
	   acrpmu_spec_attrs(again, 0, got) == nr && !memcmp(got, want, nr * sizeof(*got)),
	   "... and means the same");
	acrpmu_spec_free(again);
}

static void check_groups(const struct kind_case *c, const struct acrpmu_spec *spec,
			 const struct acrpmu_parse_options *how)
{
	char text[TEXT_LEN] = "";
	unsigned int g;

	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u:%s", g ? " " : "",
			 acrpmu_spec_kind(spec, g), acrpmu_spec_text(spec, g));
	is_str(text, c->groups, "%d: '%s'", c->line, c->string);
	is_str(left_out, c->left_out, "... is left out for these kinds");
	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++)
		check_names(spec, g, how);
}

static void check(const struct kind_case *c)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .period = 5000, .kinds = kinds, .nr_kinds = NR_KINDS,
		.left_out = note_left_out, .ctx = (void *)c,
	};
	struct acrpmu_spec *spec;
	int err;

	memset(left_out, 0, sizeof(left_out));
	err = acrpmu_spec_parse(&c->string, 1, &options, &spec, &message);
	if (!c->groups) {
		is_str(err == -EINVAL ? message.code : "", c->code, "%d: '%s'", c->line, c->string);
		is_u64(message.column, c->column, "... column");
		return;
	}
	if (!ok(!err, "%d: '%s': %s", c->line, c->string, err ? message.text : ""))
		return;
	check_groups(c, spec, &options);
	acrpmu_spec_free(spec);
}

/* With fewer kinds: the CPUs that are given. */
static void test_one_kind(void)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .period = 5000, .kinds = kinds + 1, .nr_kinds = 1,
	};
	const char *string = "cycles,cpu_core/cycles/";
	struct acrpmu_spec *spec;

	is_u64(acrpmu_spec_parse(&string, 1, &options, &spec, &message), -EINVAL, "no P-cores");
	is_str(message.code, "no-pmu", "... by code");
	is_u64(message.column, 8, "... and column");
	string = "cycles";
	if (!ok(!acrpmu_spec_parse(&string, 1, &options, &spec, &message), "E-cores only"))
		return;
	is_str(acrpmu_spec_text(spec, 0), "cpu_atom/cycles/", "... are named");
	is_str(acrpmu_spec_event(spec, 0, 0)->name, "cpu_atom/cycles/", "... as event");
	is_str(acrpmu_spec_event(spec, 0, 0)->pmu, "cpu_atom", "... and PMU");
	acrpmu_spec_free(spec);
}

static void test_bad_numbers(void)
{
	struct acrpmu_parse_options options = {
		.size = sizeof(options), .kinds = kinds, .nr_kinds = ACRPMU_MAX_KINDS + 1,
	};
	const char *string = "cycles";
	struct acrpmu_spec *spec;

	is_u64(acrpmu_spec_parse(&string, 1, &options, &spec, &message), -EINVAL, "too many kinds");
	options.nr_kinds = 0;
	is_u64(acrpmu_spec_parse(&string, 1, &options, &spec, &message), -EINVAL, "none");
	is_str(message.code, "kinds", "... by code");
}

int main(void)
{
	unsigned int k, i;

	for (k = 0; k < NR_KINDS; k++) {
		const struct acrpmu_events_options options = {
			.size = sizeof(options), .cpu = &cpus[k],
		};

		if (acrpmu_events_open(&options, (struct acrpmu_events **)&kinds[k], &message))
			return 1;
	}
	is_str(acrpmu_events_pmu(kinds[0]), "cpu_core", "P-cores");
	is_str(acrpmu_events_pmu(kinds[1]), "cpu_atom", "E-cores");
	is_str(acrpmu_events_pmu(kinds[2]), "cpu_lowpower", "E-cores for low power");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	test_one_kind();
	test_bad_numbers();
	for (k = 0; k < NR_KINDS; k++)
		acrpmu_events_close((struct acrpmu_events *)kinds[k]);
	return done();
}
