// SPDX-License-Identifier: GPL-2.0-only
/* Fields of events: config words, registers, counters, perf's terms, and refusals. */
#include <errno.h>
#include <stdlib.h>

#include "reports.h"
#include "tap.h"
#include "userspace/gen/convert.h"
#include "userspace/gen/number.h"
#include "userspace/gen/offcore_matrix.h"
#include "userspace/gen/table.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NOF		EVENT_NO_FIXED

/* Fields beside "EventName": "N" unless given, and the row expected from them. */
#define L	__LINE__

static const struct convert_case {
	int line;
	enum event_family family;
	const char *fields;
	__u64 config;
	const char *terms;
	const char *pmu;
	__u32 gp_cntrs;
	__u8 fixed;
	__u8 flags;
	__u64 extra;
	__u32 extra_msr;
	__u64 period;
} cases[] = {
#define I	FAMILY_INTEL
#define A	FAMILY_AMD
#define O	FAMILY_OTHER
#define U	FAMILY_UNKNOWN
#define OTHER	EVENT_OTHER_PMU
	/* event, umask and modifiers: bits as in the SDM's IA32_PERFEVTSEL and perf's formats */
	{ L, I, "'EventCode':'0xc5'", 0xc5, "event=0xc5", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'197'", 0xc5, "event=0xc5", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0xC5 ','UMask':' 0X1F'", 0x1fc5, "event=0xc5,umask=0x1f", "cpu",
	  0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0x2A,0x2B','UMask':'0x01,0x02'", 0x12a, "event=0x2a,umask=0x1",
	  "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0x3c','AnyThread':'1'", 0x20003c, "event=0x3c,any=1", "cpu", 0,
	  NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0xa2','UMask':'1','CounterMask':'255','Invert':'1','EdgeDetect':'1'",
	  0xff8401a2, "event=0xa2,umask=0x1,edge=1,inv=1,cmask=0xff", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0x9c','UMask':'1','CounterMask':'6','Equal':'1'", 0x100600019c,
	  "event=0x9c,umask=0x1,eq=1,cmask=0x6", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0x9c','Equal':'0'", 0x9c, "event=0x9c", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0x24','UMask':'0x1ff'", 0x1000000ff24, "event=0x24,umask=0x1ff",
	  "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0xc3','UMask':'0x02','UMaskExt':'0x80'", 0x8000000002c3,
	  "event=0xc3,umask=0x8002", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'1','SampleAfterValue':'200003','Deprecated':'1','PEBS':'2'", 1,
	  "event=0x1,period=200003", "cpu", 0, NOF, EVENT_DEPRECATED | EVENT_NEEDS_PEBS, 0, 0,
	  200003 },
	{ L, I, "'EventCode':'1','Deprecated':'0','PEBS':'1'", 1, "event=0x1", "cpu", 0, NOF,
	  0, 0, 0, 0 },
	{ L, I, "'ConfigCode':'0x123456789a'", 0x123456789a, "config=0x123456789a", "cpu", 0,
	  NOF, 0, 0, 0, 0 },
	/* extra registers */
	{ L, I, "'EventCode':'0xB7','UMask':'1','MSRIndex':'0x1a6,0x1a7','MSRValue':"
	  "'0x0200003091 '", 0x1b7, "event=0xb7,umask=0x1,offcore_rsp=0x200003091", "cpu", 0, NOF,
	  0, 0x200003091, 0x1a6, 0 },
	{ L, I, "'EventCode':'0xBB','UMask':'1','MSRIndex':'0x1A7','MSRValue':'1'", 0x1bb,
	  "event=0xbb,umask=0x1,offcore_rsp=0x1", "cpu", 0, NOF, 0, 1, 0x1a7, 0 },
	{ L, I, "'EventCode':'0xcd','UMask':'1','MSRIndex':'0x3F6','MSRValue':'0x80'", 0x1cd,
	  "event=0xcd,umask=0x1,ldlat=0x80", "cpu", 0, NOF, 0, 0x80, 0x3f6, 0 },
	{ L, I, "'EventCode':'0xc6','UMask':'1','MSRIndex':'0x3F7','MSRValue':'0x608006'",
	  0x1c6, "event=0xc6,umask=0x1,frontend=0x608006", "cpu", 0, NOF, 0, 0x608006, 0x3f7, 0 },
	{ L, I, "'EventCode':'0xd6','UMask':'1','MSRIndex':'0x3E0,0x3E1,0x3E2,0x3E3','MSRValue':"
	  "'0xFF03F000000001'", 0x1d6, "event=0xd6,umask=0x1,offmodule_rsp=0xff03f000000001",
	  "cpu", 0, NOF, 0, 0xff03f000000001, 0x3e0, 0 },
	{ L, I, "'EventCode':'0x27','UMask':'2','MSRIndex':'0x1329','MSRValue':'0x3'", 0x227,
	  "event=0x27,umask=0x2,snoop_rsp=0x3", "cpu", 0, NOF, 0, 3, 0x1329, 0 },
	{ L, I, "'EventCode':'1','MSRIndex':'0x00','MSRValue':'0x00'", 1, "event=0x1", "cpu",
	  0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'1','MSRIndex':'0','MSRValue':'Null'", 1, "event=0x1", "cpu",
	  0, NOF, 0, 0, 0, 0 },
	/* the value is an argument, or really 0 */
	{ L, I, "'EventName':'OFFCORE_RESPONSE','EventCode':'0xB7','UMask':'1'", 0x1b7,
	  "event=0xb7,umask=0x1", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'0xcd','UMask':'1','MSRIndex':'0x3F6','MSRValue':'0x0'", 0x1cd,
	  "event=0xcd,umask=0x1,ldlat=0x0", "cpu", 0, NOF, 0, 0, 0x3f6, 0 },
	/* counters */
	{ L, I, "'EventCode':'1','Counter':'0,1,2,3'", 1, "event=0x1", "cpu", 0xf, NOF, 0, 0,
	  0, 0 },
	{ L, I, "'EventCode':'1','Counter':'2, 7'", 1, "event=0x1", "cpu", 0x84, NOF, 0, 0, 0,
	  0 },
	{ L, I, "'UMask':'0x5','Counter':'Fixed counter 4'", 0x500, "event=0x0,umask=0x5",
	  "cpu", 0, 4, 0, 0, 0, 0 },
	{ L, I, "'UMask':'0x5','Counter':'fixed counter 4 '", 0x500, "event=0x0,umask=0x5",
	  "cpu", 0, 4, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'1','Counter':'0,1,33'", 1, "event=0x1", "cpu", 3, 1, 0, 0, 0, 0 },
	/* names that perf encodes for general-purpose counters; its period */
	{ L, I, "'EventName':'INST_RETIRED.ANY','UMask':'1','Counter':'Fixed counter 0',"
	  "'SampleAfterValue':'5'", 0xc0, "event=0xc0,period=2000003", "cpu", 0, 0, 0, 0, 0,
	  2000003 },
	{ L, I, "'EventName':'inst_retired.any_p','EventCode':'0xc0'", 0xc0,
	  "event=0xc0,period=2000003", "cpu", 0, NOF, 0, 0, 0, 2000003 },
	{ L, I, "'EventName':'CPU_CLK_UNHALTED.CORE','EventCode':'0x00','UMask':'0x02',"
	  "'Counter':'Fixed counter 1'", 0x3c, "event=0x3c,period=2000003", "cpu", 0, 1, 0, 0, 0,
	  2000003 },
	{ L, I, "'EventName':'CPU_CLK_UNHALTED.THREAD','UMask':'2','Counter':'Fixed counter 1'",
	  0x3c, "event=0x3c,period=2000003", "cpu", 0, 1, 0, 0, 0, 2000003 },
	{ L, I, "'EventName':'CPU_CLK_UNHALTED.THREAD_ANY','UMask':'2','Counter':'Fixed counter 1'",
	  0x20003c, "event=0x3c,any=1,period=2000003", "cpu", 0, 1, 0, 0, 0, 2000003 },
	{ L, I, "'EventName':'CPU_CLK_UNHALTED.REF','UMask':'3','Counter':'Fixed counter 2'",
	  0x300, "event=0x0,umask=0x3,period=2000003", "cpu", 0, 2, 0, 0, 0, 2000003 },
	{ L, I, "'EventName':'CPU_CLK_UNHALTED.REF_TSC','UMask':'3','Counter':'Fixed counter 2'",
	  0x300, "event=0x0,umask=0x3", "cpu", 0, 2, 0, 0, 0, 0 },
	{ L, I, "'EventName':'TOPDOWN.SLOTS','UMask':'4','Counter':'Fixed counter 3'", 0x400,
	  "event=0x0,umask=0x4", "cpu", 0, 3, 0, 0, 0, 0 },
	/* units */
	{ L, I, "'EventCode':'1','Unit':'cpu_core'", 1, "event=0x1", "cpu_core", 0, NOF, 0, 0,
	  0, 0 },
	{ L, I, "'EventCode':'1','Unit':'cpu_atom'", 1, "event=0x1", "cpu_atom", 0, NOF, 0, 0,
	  0, 0 },
	{ L, I, "'EventCode':'1','Unit':'core'", 1, "event=0x1", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, I, "'EventCode':'1','Unit':'CBO'", 1, "event=0x1", "uncore_cbox", 0, NOF, OTHER,
	  0, 0, 0 },
	{ L, I, "'EventCode':'1','Unit':'iMPH-U'", 1, "event=0x1", "uncore_arb", 0, NOF, OTHER,
	  0, 0, 0 },
	{ L, I, "'EventCode':'1','Unit':'UPI LL'", 1, "event=0x1", "uncore_upi", 0, NOF, OTHER,
	  0, 0, 0 },
	{ L, I, "'EventCode':'1','Unit':'hisi_sccl,l3c'", 1, "event=0x1", "hisi_sccl,l3c", 0,
	  NOF, OTHER, 0, 0, 0 },
	{ L, I, "'EventCode':'1','Unit':'L3PMC'", 1, "event=0x1", "amd_l3", 0, NOF, OTHER, 0, 0,
	  0 },
	{ L, I, "'EventCode':'1','Unit':'CPU-M-CF'", 1, "event=0x1", "cpum_cf", 0, NOF, OTHER,
	  0, 0, 0 },
	{ L, I, "'EventCode':'1','Unit':'iMC'", 1, "event=0x1", "uncore_imc", 0, NOF, OTHER, 0,
	  0, 0 },
	{ L, I, "'EventCode':'0xff','UMask':'0x20','Unit':'imc_free_running_0'", 0x20ff,
	  "event=0xff,umask=0x20", "uncore_imc_free_running_0", 0, NOF, OTHER, 0, 0, 0 },
	{ L, I, "'EventCode':'0xff','Counter':'FIXED','Unit':'CLOCK'", 0xff, "event=0xff",
	  "uncore_clock", 0, NOF, OTHER, 0, 0, 0 },
	{ L, I, "'EventCode':'0x35','UMask':'0xC80FFE01','Unit':'CHA','Counter':'0,1'",
	  0xc80ffe00000135, "event=0x35,umask=0xc80ffe01", "uncore_cha", 3, NOF, OTHER, 0, 0, 0 },
	{ L, I, "'EventCode':'0x83','UMask':'1','PortMask':'0x0FF','FCMask':'0x07','Unit':'IIO'",
	  0x70ff000000183, "event=0x83,umask=0x1,ch_mask=0xff,fc_mask=0x7", "uncore_iio", 0, NOF,
	  OTHER, 0, 0, 0 },
	{ L, I, "'EventCode':'1','Filter':'filter_opc=0x1','Unit':'CBO'", 1,
	  "event=0x1,filter_opc=0x1", "uncore_cbox", 0, NOF, OTHER, 0, 0, 0 },
	{ L, I, "'EventCode':'0x02','ExtSel':'1','Unit':'QPI LL'", 0x102, "event=0x102",
	  "uncore_qpi", 0, NOF, OTHER, 0, 0, 0 },
	/* other families */
	{ L, O, "'EventName':'PM_1PLUS_PPC_CMPL','EventCode':'0x100f2'", 0x100f2,
	  "event=0x100f2", "cpu", 0, NOF, OTHER, 0, 0, 0 },
	{ L, U, "'EventName':'PM_1PLUS_PPC_CMPL','EventCode':'0x100f2'", 0x100f2,
	  "event=0x100f2", "cpu", 0, NOF, OTHER, 0, 0, 0 },
	{ L, U, "'EventCode':'0xc5'", 0xc5, "event=0xc5", "cpu", 0, NOF, 0, 0, 0, 0 },
	{ L, A, "'EventCode':'0x1cf','UMask':'0x11'", 0x1000011cf, "event=0x1cf,umask=0x11",
	  "cpu", 0, NOF, OTHER, 0, 0, 0 },
	{ L, U, "'EventCode':'0x1cf','UMask':'0x11'", 0x1000011cf, "event=0x1cf,umask=0x11",
	  "cpu", 0, NOF, OTHER, 0, 0, 0 },
};

/* Each has one thing wrong. */
static const struct refuse_case {
	int line;
	const char *fields;
	const char *report;
} refuse_cases[] = {
	{ L, "'EventName':'Null','EventCode':'1'", "f.json:1:EventName:note\n" },
	{ L, "'UMask':'1'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'0x100'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'0xg'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'-1'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'0x'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'1 2'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'0x10000000000000000'", "f.json:1:EventCode:note\n" },
	{ L, "'EventCode':'1',\n'UMask':'0x10000'", "f.json:2:UMask:note\n" },
	{ L, "'EventCode':'1',\n'UMask':'0x1,'", "f.json:2:UMask:note\n" },
	{ L, "'EventCode':'1','UMask':'0x100',\n'UMaskExt':'1'", "f.json:2:UMaskExt:note\n" },
	{ L, "'EventCode':'1','UMaskExt':'0x100'", "f.json:1:UMaskExt:note\n" },
	{ L, "'EventCode':'1',\n\n'CounterMask':'256'", "f.json:3:CounterMask:note\n" },
	{ L, "'EventCode':'1','EdgeDetect':'2'", "f.json:1:EdgeDetect:note\n" },
	{ L, "'EventCode':'1','Invert':'2'", "f.json:1:Invert:note\n" },
	{ L, "'EventCode':'1','AnyThread':'2'", "f.json:1:AnyThread:note\n" },
	{ L, "'EventCode':'1',\n'Equal':'2'", "f.json:2:Equal:note\n" },
	{ L, "'EventCode':'1','Unit':'CHA','Equal':'1'", "f.json:1:Equal:note\n" },
	{ L, "'EventCode':'1',\n'Deprecated':'yes'", "f.json:2:Deprecated:note\n" },
	{ L, "'EventCode':'1','Deprecated':'2'", "f.json:1:Deprecated:note\n" },
	{ L, "'EventCode':'1','PEBS':'3'", "f.json:1:PEBS:note\n" },
	{ L, "'EventCode':'1','Counter':'a'", "f.json:1:Counter:note\n" },
	{ L, "'EventCode':'1','Counter':'48'", "f.json:1:Counter:note\n" },
	{ L, "'EventCode':'1','Counter':'Fixed counter 16'", "f.json:1:Counter:note\n" },
	{ L, "'EventCode':'1','Counter':'Fixed counter'", "f.json:1:Counter:note\n" },
	{ L, "'EventCode':'1','MSRIndex':'0x1a8','MSRValue':'1'", "f.json:1:MSRIndex:note\n" },
	{ L, "'EventCode':'1','MSRIndex':'0x3e4','MSRValue':'1'", "f.json:1:MSRIndex:note\n" },
	{ L, "'EventCode':'1','MSRIndex':'0x1327','MSRValue':'1'", "f.json:1:MSRIndex:note\n" },
	{ L, "'EventCode':'0xb7','MSRIndex':'0x1a6,0x1a7'", "f.json:1:MSRValue:note\n" },
	{ L, "'EventCode':'0xc6','MSRIndex':'0x3f7','MSRValue':''", "f.json:1:MSRValue:note\n" },
	{ L, "'EventCode':'0xcd','MSRIndex':'0x3f6','MSRValue':'Null'",
	  "f.json:1:MSRValue:note\n" },
	{ L, "'EventCode':'1','MSRValue':'1'", "f.json:1:MSRValue:note\n" },
	{ L, "'EventCode':'1','MSRIndex':'0x1a6','MSRValue':'x'", "f.json:1:MSRValue:note\n" },
	{ L, "'EventCode':'1','SampleAfterValue':'1.5'", "f.json:1:SampleAfterValue:note\n" },
	{ L, "'EventCode':'1','Unit':'a unit with a name that is much longer than any unit"
	  " has ever had'", "f.json:1:Unit:note\n" },
};

/**
 * struct got - the conversion of the one event of a text
 * @ret: what convert_event() returned
 * @reporter: counts reports
 */
struct got {
	struct convert_options options;
	struct text_pool pool;
	struct event_row row;
	int ret;
	struct reporter reporter;
};

static int convert_it(void *ctx, const struct json_event *event)
{
	struct got *got = ctx;

	memset(&got->row, 0xcc, sizeof(got->row));
	got->ret = convert_event(event, &got->options, &got->pool, &got->row, &got->reporter);
	return 0;
}

/* Apostrophes stand for quotes; an event without a name gets one. */
static void convert_fields(const char *fields, enum event_family family, struct got *got)
{
	struct json_counts counts;
	char text[1024], *p;

	memset(got, 0, sizeof(*got));
	got->ret = -1;
	got->options = (struct convert_options){ "topic", "cpu", family };
	got->reporter.fn = keep_report;
	*reports = '\0';
	snprintf(text, sizeof(text), "[{%s%s}]", fields,
		 strstr(fields, "EventName") ? "" : ",'EventName':'N'");
	for (p = text; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	text_pool_init(&got->pool);
	json_events_parse("f.json", text, strlen(text), convert_it, got, &counts, &got->reporter);
}

static bool row_is(const struct got *got, const struct convert_case *c)
{
	const struct event_row *row = &got->row;
	const char *text = got->pool.bytes;

	return !got->ret && !*reports && row->config == c->config && row->extra == c->extra &&
	       row->extra_msr == c->extra_msr && row->period == c->period &&
	       row->gp_cntrs == c->gp_cntrs && row->fixed == c->fixed && row->flags == c->flags &&
	       !strcmp(text + row->terms, c->terms) && !strcmp(text + row->pmu, c->pmu) &&
	       !strcmp(text + row->topic, "topic") && *(text + row->name);
}

static void encodes(void)
{
	const char *words, *pmu;
	struct got got;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		convert_fields(cases[i].fields, cases[i].family, &got);
		words = got.pool.bytes + !got.ret * got.row.terms;
		pmu = got.pool.bytes + !got.ret * got.row.pmu;
		if (!ok(row_is(&got, &cases[i]), "line %d: %s", cases[i].line, cases[i].terms))
			printf("#   %d %s 0x%llx/0x%llx/0x%x/%llu 0x%x %u 0x%x '%s' '%s'\n",
			       got.ret, reports, (unsigned long long)got.row.config,
			       (unsigned long long)got.row.extra, got.row.extra_msr,
			       (unsigned long long)got.row.period, got.row.gp_cntrs, got.row.fixed,
			       got.row.flags, words, pmu);
		text_pool_free(&got.pool);
	}
}

static void refuses(void)
{
	struct got got;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refuse_cases); i++) {
		convert_fields(refuse_cases[i].fields, FAMILY_INTEL, &got);
		ok(got.ret == -EINVAL, "line %d: is refused", refuse_cases[i].line);
		is_str(reports, refuse_cases[i].report, "line %d: with line and field",
		       refuse_cases[i].line);
		text_pool_free(&got.pool);
	}
}

static void families(void)
{
	is_u64(convert_family("GenuineIntel-6-5[CF]"), FAMILY_INTEL, "Intel");
	is_u64(convert_family("MadeUp-1-1"), FAMILY_INTEL, "a made-up CPU is like Intel's");
	is_u64(convert_family("AuthenticAMD-25-[[:xdigit:]]+"), FAMILY_AMD, "AMD");
	is_u64(convert_family("0x004[bcd][[:xdigit:]]{4}"), FAMILY_OTHER, "Power");
	is_u64(convert_family("^IBM.3931.*[13]\\.[0-9]"), FAMILY_OTHER, "s390");
}

static void numbers(void)
{
	static const struct {
		const char *text;
		bool good;
		__u64 number;
	} tests[] = {
		{ "0", true, 0 }, { "00", true, 0 }, { "010", true, 10 }, { "0x0", true, 0 },
		{ "0xFFFFFFFFFFFFFFFF", true, ~0ULL }, { "18446744073709551615", true, ~0ULL },
		{ " 7\t", true, 7 }, { "18446744073709551616", false, 0 }, { "", false, 0 },
		{ " ", false, 0 }, { "0x", false, 0 }, { "1a", false, 0 }, { "+1", false, 0 },
		{ "0x1 2", false, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		__u64 number = 99;
		const bool good = number_parse(tests[i].text, strlen(tests[i].text), &number);

		ok(good == tests[i].good && number == (good ? tests[i].number : 99),
		   "number '%s'", tests[i].text);
	}
}

static void descriptions(void)
{
	struct got got;

	convert_fields("'EventCode':'1','BriefDescription':' Brief. ','PublicDescription':'Long'",
		       FAMILY_INTEL, &got);
	is_str(got.pool.bytes + got.row.desc, "Brief.", "the brief description is taken");
	text_pool_free(&got.pool);
	convert_fields("'EventCode':'1','BriefDescription':'null','PublicDescription':'a\\nb'",
		       FAMILY_INTEL, &got);
	is_str(got.pool.bytes + got.row.desc, "a b", "or the other one, as one line");
	text_pool_free(&got.pool);
}

/* --- the check of a whole table -------------------------------------------------------------- */

static void add_row(struct table *table, struct text_pool *pool, const char *name, const char *pmu,
		    __u64 config, bool made)
{
	struct table_row row = {
		.row = { .config = config, .fixed = EVENT_NO_FIXED },
		.path = "f.json",
		.line = table->nr + 1,
		.made = made,
	};

	text_pool_add(pool, name, strlen(name), &row.row.name);
	text_pool_add(pool, pmu, strlen(pmu), &row.row.pmu);
	table_add(table, &row);
}

static void put_names(const struct table *table, const struct text_pool *pool, char *names)
{
	unsigned int i;

	*names = '\0';
	for (i = 0; i < table->nr; i++)
		sprintf(names + strlen(names), "%s=%llx ", pool->bytes + table->rows[i].row.name,
			(unsigned long long)table->rows[i].row.config);
}

static void checks_tables(void)
{
	struct reporter reporter = { .fn = keep_report };
	struct table table = { .nr = 0 };
	struct text_pool pool;
	char names[1024];

	text_pool_init(&pool);
	*reports = '\0';
	add_row(&table, &pool, "b.two", "cpu", 2, false);
	add_row(&table, &pool, "A_ONE", "cpu", 1, false);
	add_row(&table, &pool, "B.TWO", "cpu", 3, false);	/* line 3: there twice */
	add_row(&table, &pool, "b.two", "cpu_atom", 4, false);	/* of another PMU */
	add_row(&table, &pool, "", "cpu", 5, false);		/* line 5 */
	add_row(&table, &pool, "a b", "cpu", 5, false);		/* line 6 */
	add_row(&table, &pool, "a/b", "cpu", 5, false);		/* line 7 */
	add_row(&table, &pool, "a\x1b", "cpu", 5, false);	/* line 8 */
	add_row(&table, &pool, "bits", "cpu", 0x10000, false);	/* line 9: user level */
	add_row(&table, &pool, "c", "cpu", 0xff84ffff, false);
	add_row(&table, &pool, "m", "cpu", 7, true);
	add_row(&table, &pool, "m", "cpu", 7, false);		/* the listed one stays */
	add_row(&table, &pool, "n", "cpu", 8, true);		/* line 13: differs */
	add_row(&table, &pool, "n", "cpu", 9, false);
	table_sort(&table, &pool);
	is_u64(table_check(&table, &pool, &reporter), 7, "seven rows are taken out");
	put_names(&table, &pool, names);
	is_str(names, "A_ONE=1 b.two=2 b.two=4 c=ff84ffff m=7 n=9 ", "the others stay, sorted");
	is_str(reports, "f.json:5:EventName:note\nf.json:8:EventName:note\n"
	       "f.json:6:EventName:note\nf.json:7:EventName:note\nf.json:3:EventName:note\nf.json:9:EventCode:note\n"
	       "f.json:13:EventName:note\n", "each is reported");
	table_free(&table);
	text_pool_free(&pool);
}

/* --- offcore matrix -------------------------------------------------------------------------- */

/**
 * struct parts - a matrix being read
 * @arena: its strings
 * @reporter: counts reports
 */
struct parts {
	struct offcore_matrix matrix;
	struct arena *arena;
	struct reporter reporter;
};

static int add_part(void *ctx, const struct json_event *event)
{
	struct parts *p = ctx;

	matrix_add(&p->matrix, event, "topic", p->arena, &p->reporter);
	return 0;
}

static void read_parts(struct parts *p, const char *text)
{
	struct json_counts counts;

	memset(p, 0, sizeof(*p));
	p->arena = arena_new();
	p->reporter.fn = keep_report;
	*reports = '\0';
	json_events_parse("f.json", text, strlen(text), add_part, p, &counts, &p->reporter);
}

#define PART(q, r, v, g)	"{\"MATRIX_REQUEST\":\"" q "\",\"MATRIX_RESPONSE\":\"" r "\"," \
				"\"MATRIX_VALUE\":\"" v "\",\"MATRIX_REGISTER\":\"" g "\"}"

/* Values of Goldmont's registers: facts of its offcore tables. */
static void expands_a_matrix(void)
{
	static struct parts p;
	struct table table = { .nr = 0 };
	unsigned int i, nr_left_out = 5;
	struct text_pool pool;

	read_parts(&p, "[" PART("DEMAND_DATA_RD", "Null", "0x0001 ", "0,1") ",\n"
		   PART("COREWB", "Null", "0x0008 ", "1") ",\n"
		   PART("Null", "ANY_RESPONSE", "0x000001 ", "0,1") ",\n"
		   PART("Null", "OUTSTANDING", "0x400000 ", "0") "]");
	text_pool_init(&pool);
	ok(!matrix_expand(&p.matrix, "cpu", &table, &pool, &p.reporter, &nr_left_out) &&
	   table.nr == 2,
	   "requests and responses of register 0 are multiplied");
	for (i = 0; i < table.nr; i++)
		is_u64(table.rows[i].row.config, 0x1b7, "... are event 0xb7 umask 1");
	is_str(pool.bytes + table.rows[0].row.name, "OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE",
	       "... are named after both");
	is_u64(table.rows[0].row.extra, 0x10001, "... the response is above the request");
	is_u64(table.rows[1].row.extra, 0x4000000001, "... up to bit 38");
	is_u64(table.rows[1].row.extra_msr, 0x1a6, "... in the first register");
	is_str(reports, "f.json:2:MATRIX_REGISTER:note\nf.json:2:MATRIX_REGISTER:note\n",
	       "what is only in the other one is reported");
	is_u64(nr_left_out, 7, "... and counted");
	table_free(&table);
	text_pool_free(&pool);
	arena_free(p.arena);
}

static void refuses_parts(void)
{
	static const struct {
		const char *text;
		const char *report;
	} tests[] = {
		{ "[" PART("A", "B", "1", "0") "]", "f.json:1:MATRIX_RESPONSE:note\n" },
		{ "[" PART("A", "Null", "x", "0") "]", "f.json:1:MATRIX_VALUE:note\n" },
		{ "[" PART("A", "Null", "", "0") "]", "f.json:1:MATRIX_VALUE:note\n" },
		{ "[" PART("A", "Null", "0x10000", "0") "]", "f.json:1:MATRIX_VALUE:note\n" },
		{ "[" PART("A", "Null", "1", "2") "]", "f.json:1:MATRIX_REGISTER:note\n" },
		{ "[" PART("A", "Null", "1", "Null") "]", "f.json:1:MATRIX_REGISTER:note\n" },
		{ "[" PART("Null", "A", "0x1000000000000", "0") "]",
		  "f.json:1:MATRIX_VALUE:note\n" },
	};
	static struct parts p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		read_parts(&p, tests[i].text);
		is_str(reports, tests[i].report, "part %u is refused", i);
		is_u64(p.matrix.nr_requests + p.matrix.nr_responses, 0, "... and not taken");
		arena_free(p.arena);
	}
}

int main(void)
{
	plan(0);
	numbers();
	families();
	encodes();
	refuses();
	descriptions();
	checks_tables();
	expands_a_matrix();
	refuses_parts();
	return done();
}
