// SPDX-License-Identifier: GPL-2.0-only
/* Events by libpfm's names: words, refusals, the pair for average latency, names of other CPUs. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"
#include "userspace/lib/pfm_name.h"

#define MEANING_LEN	512
#define R0		"glm::OFFCORE_RESPONSE_0"
#define R1		"glm::OFFCORE_RESPONSE_1"

/*
 * A string and its meaning or refusal.  The meaning has for each event config/extra/levels in
 * hexadecimal and letters; groups are separated by a semicolon.  Values are those of libpfm4 4.13,
 * of the SDM's tables of OFFCORE_RSP bits, and where the two differ of the latter.
 */
static const struct name_case {
	int line;
	const char *pmu;
	const char *string;
	const char *meaning;	/* NULL: refused */
	const char *code;
	unsigned int column;
} cases[] = {
#define GOOD(s, m)		{ __LINE__, NULL, s, m, NULL, 0 }
#define GOOD_ON(p, s, m)	{ __LINE__, p, s, m, NULL, 0 }
#define BAD(s, c, col)		{ __LINE__, NULL, s, NULL, c, col }
#define BAD_ON(p, s, c, col)	{ __LINE__, p, s, NULL, c, col }
	/* events, unit masks, defaults */
	GOOD("glm::ICACHE:HIT", "180/0/uk"),
	GOOD("glm::BR_MISP_RETIRED:ALL_BRANCHES", "c5/0/uk"),
	GOOD("glm::BR_MISP_RETIRED", "c5/0/uk"),
	GOOD("glm::BR_MISP_RETIRED:RETURN", "f7c5/0/uk"),
	GOOD("glm::LD_BLOCKS:4K_ALIAS", "403/0/uk"),
	GOOD("glm::LONGEST_LAT_CACHE:MISS", "412e/0/uk"),
	GOOD("glm::MISPREDICTED_BRANCH_RETIRED", "c5/0/uk"),
	GOOD("glm::BRANCH_INSTRUCTIONS_RETIRED:ALL_BRANCHES", "c4/0/uk"),
	GOOD("glm::INSTRUCTIONS_RETIRED", "c0/0/uk"),
	GOOD("glm::UNHALTED_CORE_CYCLES", "3c/0/uk"),
	GOOD("glm::UNHALTED_REFERENCE_CYCLES:u", "300/0/u"),
	GOOD("glm::CPU_CLK_UNHALTED:CORE", "200/0/uk"),
	GOOD("glm::CPU_CLK_UNHALTED:REF_TSC", "300/0/uk"),
	GOOD("glm::CPU_CLK_UNHALTED:CORE_P", "3c/0/uk"),
	GOOD("glm::CPU_CLK_UNHALTED", "3c/0/uk"),
	GOOD("glm::CPU_CLK_UNHALTED:REF", "13c/0/uk"),
	GOOD("glm::ICACHE:0x3", "380/0/uk"),
	GOOD("glm::ICACHE:0XFF:u", "ff80/0/u"),
	GOOD("glm::MISPREDICTED_BRANCH_RETIRED:0x7e", "7ec5/0/uk"),
	GOOD("glm::ICACHE:HIT:HIT:hit", "180/0/uk"),

	/* spelling */
	GOOD("GLM::icache:Hit", "180/0/uk"),
	GOOD("goldmont::ICACHE:HIT", "180/0/uk"),
	GOOD("glm::ICACHE.HIT.u", "180/0/u"),
	GOOD("glm::ICACHE:u:HIT:c=2", "2000180/0/u"),
	GOOD_ON("glm", "ICACHE:HIT", "180/0/uk"),
	GOOD_ON("goldmont", "ICACHE:HIT:k", "180/0/k"),
	GOOD_ON("goldmont", "glm::ICACHE:HIT:k", "180/0/k"),
	GOOD_ON("goldmont", "OFFCORE_RESPONSE_0:DMND_DATA_RD", "1b7/10001/uk"),
	GOOD_ON("goldmont", "cycles:u,ICACHE:HIT", "3c/0/u ; 180/0/uk"),
	GOOD_ON("goldmontplus", "ICACHE:HIT", "180/0/uk"),
	GOOD("glp::BACLEARS:COND", "10e6/0/uk"),
	BAD("glp::PAGE_WALKS:CYCLES", "pfm-notfound", 6),
	BAD("glp::DL1:DIRTY_EVICTION", "pfm-notfound", 6),

	/* modifiers */
	GOOD("glm::ICACHE:HIT:u", "180/0/u"),
	GOOD("glm::ICACHE:HIT:k", "180/0/k"),
	GOOD("glm::ICACHE:HIT:u:k", "180/0/uk"),
	GOOD("glm::ICACHE:HIT:u=1:k=0", "180/0/u"),
	GOOD("glm::ICACHE:HIT:u=0:k", "180/0/k"),
	GOOD("glm::ICACHE:HIT:u=y:k=N", "180/0/u"),
	GOOD("glm::ICACHE:HIT:U", "180/0/u"),
	GOOD("glm::ICACHE:HIT:u:u", "180/0/u"),
	GOOD("glm::ICACHE:HIT:i:c=2", "2800180/0/uk"),
	GOOD("glm::ICACHE:HIT:i", "800180/0/uk"),
	GOOD("glm::ICACHE:HIT:i=0:c=0", "180/0/uk"),
	GOOD("glm::ICACHE:HIT:c=255", "ff000180/0/uk"),
	GOOD("glm::ICACHE:HIT:c=0x10", "10000180/0/uk"),
	GOOD("glm::ICACHE:HIT:c=010", "8000180/0/uk"),
	GOOD("glm::ICACHE:HIT:c=+5", "5000180/0/uk"),
	GOOD("glm::ICACHE:HIT:u:k:i:e:c=2", "2840180/0/uk"),
	GOOD("glm::ICACHE:HIT:e:c=1", "1040180/0/uk"),
	GOOD("glm::ICACHE:HIT:e=0", "180/0/uk"),
	BAD("glm::ICACHE:HIT:e", "pfm-attr", 17),
	BAD("glm::ICACHE:HIT:e:c=0", "pfm-attr", 17),
	BAD("glm::ICACHE:HIT:u=0:k=0", "pfm-levels", 17),
	BAD("glm::ICACHE:HIT:u=0", "pfm-levels", 17),
	BAD("glm::ICACHE:HIT:c=256", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:c=-1", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:c=-18446744073709551615", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:c=x", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:c=", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:c", "pfm-attr-val", 17),
	BAD("glm::ICACHE:HIT:u=2", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:u=yes", "pfm-attr-val", 19),
	BAD("glm::ICACHE:HIT:t", "pfm-attr", 17),
	BAD("glm::ICACHE:HIT:u:u=0", "pfm-attr-set", 19),
	BAD("glm::ICACHE:HIT:u:u:u=0", "pfm-attr-set", 21),
	BAD("glm::ICACHE:HIT:c=1:c=2", "pfm-attr-set", 21),
	BAD("glm::UNHALTED_REFERENCE_CYCLES:c=1", "pfm-attr", 32),

	/* names that are wrong */
	BAD("glm::ICACHE", "pfm-umask", 6),
	BAD("glm::ICACHE:", "pfm-attr", 13),
	BAD("glm::ICACHE::HIT", "pfm-attr", 13),
	BAD("glm::ICACHE:HITT", "pfm-attr", 13),
	BAD("glm::ICACHE:HIT=1", "pfm-attr", 13),
	BAD("glm::ICACHE:HIT:MISSES", "pfm-featcomb", 17),
	BAD("glm::MISPREDICTED_BRANCH_RETIRED:JCC", "pfm-featcomb", 34),
	BAD("glm::ICACHE:HIT:0x1", "pfm-attr", 17),
	BAD("glm::ICACHE:0x1:HIT", "pfm-attr", 17),
	BAD("glm::ICACHE:0x1=1", "pfm-attr-val", 17),
	BAD("glm::ICACHE:0x100", "pfm-attr", 13),
	BAD("glm::ICACHE:0x", "pfm-attr", 13),
	BAD("glm::OFFCORE_RESPONSE_2", "pfm-notfound", 6),
	BAD("glm::", "pfm-notfound", 6),
	BAD("glm::ICACHE=HIT", "pfm-notfound", 6),
	BAD("glx::ICACHE:HIT", "pfm-notfound", 1),
	BAD("ICACHE::HIT", "pfm-notfound", 1),
	BAD("ICACHE:HIT", "unknown-event", 1),
	BAD_ON("clearwaterforest", "ICACHE:HIT", "unknown-event", 1),
	BAD_ON("clearwaterforest", "glm::ICACHE:HIT", "other-cpu", 1),
	BAD_ON("goldmontplus", "glm::ICACHE:HIT", "other-cpu", 1),
	BAD("cwf::BR_MISP_RETIRED:ALL_BRANCHES", "pfm-notfound", 6),
	BAD("{glm::ICACHE:HIT,glp::ICACHE:HIT}", "other-cpu", 18),
	BAD("cycles::u", "unknown-modifier", 8),

	/* offcore response: requests and defaults */
	GOOD(R0, "1b7/18000/uk"),
	GOOD(R0 ":ANY_RESPONSE", "1b7/18000/uk"),
	GOOD(R0 ":DMND_DATA_RD", "1b7/10001/uk"),
	GOOD(R0 ":DMND_DATA_RD:ANY_RESPONSE", "1b7/10001/uk"),
	GOOD(R0 ":ANY_REQUEST", "1b7/18000/uk"),
	GOOD(R1 ":DMND_RFO:PF_RFO", "2b7/10022/uk"),
	GOOD(R1 ":ANY_RFO", "2b7/10022/uk"),
	GOOD(R1 ":ANY_RFO:DMND_RFO", "2b7/10022/uk"),
	GOOD(R0 ":STRM_ST", "1b7/14800/uk"),
	GOOD(R0 ":ANY_PF_DATA_RD", "1b7/13010/uk"),
	GOOD(R0 ":WB:BUS_LOCKS", "1b7/10408/uk"),
	BAD(R0 ":ANY_REQUEST:DMND_DATA_RD", "pfm-featcomb", 37),
	BAD(R0 ":DMND_DATA_RD:ANY_REQUEST", "pfm-featcomb", 38),

	/* responses: ANY_RESPONSE, or supplier and snoops */
	GOOD(R0 ":DMND_DATA_RD:L2_HIT", "1b7/3600040001/uk"),
	GOOD(R1 ":DMND_DATA_RD:L2_HIT", "2b7/3600040001/uk"),
	GOOD(R1 ":DMND_DATA_RD:L2_HIT:L2_MISS_SNP_ANY", "2b7/3600040001/uk"),
	GOOD(R0 ":DMND_DATA_RD:L2_HIT:L2_MISS_SNP_NON_DRAM", "1b7/2000040001/uk"),
	GOOD(R0 ":DMND_DATA_RD:L2_MISS_HITM_OTHER_CORE", "1b7/1000000001/uk"),
	GOOD(R0 ":L2_MISS_SNP_MISS_OR_NO_SNOOP_NEEDED", "1b7/200008000/uk"),
	GOOD(R1 ":L2_MISS_HIT_OTHER_CORE_NO_FWD:L2_MISS_SNP_NON_DRAM", "2b7/2400008000/uk"),
	GOOD(R0 ":L2_MISS_SNP_ANY", "1b7/3600008000/uk"),
	BAD(R0 ":DMND_DATA_RD:ANY_RESPONSE:L2_HIT", "pfm-featcomb", 51),
	BAD(R0 ":DMND_DATA_RD:L2_HIT:ANY_RESPONSE", "pfm-featcomb", 45),
	BAD(R0 ":DMND_DATA_RD:ANY_RESPONSE:L2_MISS_HITM_OTHER_CORE", "pfm-featcomb", 51),

	/* the manual page's own names, and its examples */
	GOOD_ON("glm", "OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE", "1b7/10001/uk"),
	GOOD_ON("glm", "OFFCORE_RESPONSE_0:ANY_REQUEST", "1b7/18000/uk"),
	GOOD_ON("glm", "OFFCORE_RESPONSE_0:ANY_RFO:LLC_HITM:SNOOP_ANY", "1b7/3600000022/uk"),
	GOOD(R1 ":LLC_HITM", "2b7/1000008000/uk"),
	GOOD(R1 ":SNOOP_ANY:L2_HIT", "2b7/3600048000/uk"),
	BAD_ON("glm", "OFFCORE_RESPONSE_0:ANY_RFO:LLC_HITM:ANY_RESPONSE", "pfm-featcomb", 28),
	BAD_ON("glm", "OFFCORE_RESPONSE_0:ANY_RFO:LLC_HITM:SNOOP_ANY:ANY_RESPONSE",
	       "pfm-featcomb", 28),

	/* average latency, and numbers */
	GOOD(R0 ":DMND_DATA_RD:OUTSTANDING", "1b7/4000000001/uk"),
	GOOD(R0 ":ANY_REQUEST:OUTSTANDING", "1b7/4000008000/uk"),
	GOOD(R0 ":OUTSTANDING", "1b7/4000008000/uk"),
	GOOD(R0 ":0x4000000001", "1b7/4000000001/uk"),
	GOOD(R0 ":0x2000000001:u", "1b7/2000000001/u"),
	GOOD(R1 ":0x10001", "2b7/10001/uk"),
	BAD(R0 ":0x8000000000", "pfm-attr", 25),
	BAD(R1 ":0x4000000001", "pfm-attr", 25),
	BAD(R1 ":DMND_DATA_RD:OUTSTANDING", "pfm-attr", 38),
	BAD(R0 ":DMND_DATA_RD:ANY_RESPONSE:OUTSTANDING", "pfm-featcomb", 38),
	BAD(R0 ":DMND_DATA_RD:L2_MISS_SNP_ANY:OUTSTANDING", "pfm-featcomb", 38),
	BAD(R0 ":L2_HIT:OUTSTANDING", "pfm-featcomb", 25),

	/* pairs */
	GOOD_ON("glm", "OFFCORE_RESPONSE_0:DMND_DATA_RD:OUTSTANDING+"
		"OFFCORE_RESPONSE_1:DMND_DATA_RD:ANY_RESPONSE", "1b7/4000000001/uk 2b7/10001/uk"),
	GOOD_ON("glm", "OFFCORE_RESPONSE_0:ANY_REQUEST:OUTSTANDING+"
		"OFFCORE_RESPONSE_1:ANY_REQUEST:ANY_RESPONSE", "1b7/4000008000/uk 2b7/18000/uk"),
	GOOD(R0 ":DMND_RFO:OUTSTANDING+" R1 ":DMND_RFO:ANY_RESPONSE",
	     "1b7/4000000002/uk 2b7/10002/uk"),
	GOOD(R0 ":DMND_RFO:OUTSTANDING+OFFCORE_RESPONSE_1:DMND_RFO",
	     "1b7/4000000002/uk 2b7/10002/uk"),
	GOOD(R0 ":OUTSTANDING:u + " R1 ":u,cycles", "1b7/4000008000/u 2b7/18000/u ; 3c/0/uk"),
	GOOD("{" R0 ":OUTSTANDING+" R1 ",cycles}", "1b7/4000008000/uk 2b7/18000/uk 3c/0/uk"),
	GOOD("{" R0 ":OUTSTANDING," R1 "}", "1b7/4000008000/uk 2b7/18000/uk"),
	BAD(R0 ":DMND_RFO:OUTSTANDING+" R1 ":DMND_DATA_RD", "pfm-pair", 46),
	BAD(R0 ":DMND_RFO:OUTSTANDING+" R1 ":DMND_RFO:L2_HIT", "pfm-pair", 46),
	BAD(R0 ":DMND_RFO:OUTSTANDING+" R0 ":DMND_RFO", "pfm-pair", 46),
	BAD(R0 ":DMND_RFO:OUTSTANDING+cycles", "pfm-pair", 46),
	BAD(R0 ":DMND_RFO+" R1 ":DMND_RFO", "pfm-pair", 33),
	BAD("cycles+instructions", "pfm-pair", 7),
	/* counts of different code, or of something else, give no average latency */
	BAD(R0 ":DMND_RFO:OUTSTANDING:u+" R1 ":DMND_RFO:k", "pfm-pair", 48),
	BAD(R0 ":DMND_RFO:OUTSTANDING:u+" R1 ":DMND_RFO", "pfm-pair", 48),
	BAD(R0 ":DMND_RFO:OUTSTANDING+" R1 ":DMND_RFO:e:c=1", "pfm-pair", 46),
	BAD(R0 ":DMND_RFO:OUTSTANDING:c=2+" R1 ":DMND_RFO", "pfm-pair", 50),
	BAD(R0 ":DMND_RFO:OUTSTANDING:c=2:i+" R1 ":DMND_RFO:c=2", "pfm-pair", 52),
	BAD(R0 ":DMND_RFO:OUTSTANDING+" R1 ":DMND_RFO/cmask=2/", "pfm-pair", 46),
	BAD("{" R0 ":OUTSTANDING:u," R1 ":k}", "outstanding-alone", 2),
	BAD("{" R0 ":OUTSTANDING+" R1 ":u:k}:u", "outstanding-alone", 2),
	GOOD(R0 ":OUTSTANDING:u:k+" R1, "1b7/4000008000/uk 2b7/18000/uk"),
	GOOD("{" R0 ":OUTSTANDING:u+" R1 ":u}:k", "1b7/4000008000/uk 2b7/18000/uk"),
	BAD(R0 ":OUTSTANDING:c=2+" R1 ":c=2", "pfm-pair", 41),
	BAD(R0 ":OUTSTANDING+", "syntax", 37),
	BAD("{" R0 ":OUTSTANDING,cycles}", "outstanding-alone", 2),
	BAD("{" R0 ":OUTSTANDING," R1 ":DMND_RFO}", "outstanding-alone", 2),

	/* with perf's grammar around */
	GOOD("{glm::ICACHE:HIT:u,cycles}:k", "180/0/uk 3c/0/k"),
	GOOD("glm::ICACHE:HIT/name=hits/u", "180/0/u"),
	GOOD("glm::ICACHE:HIT/cmask=2/", "2000180/0/uk"),
	GOOD(" glm::ICACHE:HIT , glm::ICACHE:MISSES ", "180/0/uk ; 280/0/uk"),
	BAD("glm::ICACHE:HIT:c=1/cmask=2/", "term-conflict", 21),
	BAD("glm::ICACHE:HIT/event=1/", "term-conflict", 17),
	BAD("glm::ICACHE:HIT/umask=1/", "term-conflict", 17),
	BAD("glm::ICACHE:HIT/cycles/", "event-twice", 17),
	BAD(R0 "/offcore_rsp=1/", "term-twice", 25),
	BAD("cpu/glm::ICACHE:HIT/", "unknown-term", 5),
	BAD("glm::ICACHE:HIT glm::ICACHE:HIT", "syntax", 17),
};

static void append_event(char *text, const struct acrpmu_event_attr *attr)
{
	size_t len = strlen(text);

	snprintf(text + len, MEANING_LEN - len, "%s%llx/%llx/%s%s",
		 len && text[len - 1] != ' ' ? " " : "", (unsigned long long)attr->config,
		 (unsigned long long)attr->extra_value, attr->flags & ACRPMU_EVENT_USER ? "u" : "",
		 attr->flags & ACRPMU_EVENT_KERNEL ? "k" : "");
}

static void describe(const struct acrpmu_spec *spec, char *text)
{
	unsigned int g, i;

	*text = 0;
	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++) {
		if (g)
			strcat(text, " ; ");
		for (i = 0; i < acrpmu_spec_nr_events(spec, g); i++)
			append_event(text, &acrpmu_spec_event(spec, g, i)->attr);
	}
}

static struct acrpmu_spec *parse_on(const char *pmu, const char *string,
				    struct acrpmu_message *message)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT, .pmu = pmu,
	};
	struct acrpmu_spec *spec = NULL;

	acrpmu_spec_parse(&string, 1, &options, &spec, message);
	return spec;
}

static void test_case(const struct name_case *c)
{
	struct acrpmu_message message;
	struct acrpmu_spec *spec = parse_on(c->pmu, c->string, &message);
	char text[MEANING_LEN] = "";

	if (c->meaning) {
		if (spec)
			describe(spec, text);
		else
			snprintf(text, sizeof(text), "%.200s", message.text);
		is_str(text, c->meaning, "line %d: '%s'", c->line, c->string);
	} else {
		ok(!spec && !strcmp(message.code, c->code) && message.column == c->column &&
		   *message.text && *message.hint, "line %d: '%s' is refused at its place", c->line,
		   c->string);
		if (spec || strcmp(message.code, c->code) || message.column != c->column)
			printf("#   %s\n#   got  %s at %u\n#   want %s at %u\n", message.text,
			       message.code, message.column, c->code, c->column);
	}
	acrpmu_spec_free(spec);
}

static void test_words(void)
{
	static const struct {
		const char *string;
		const char *text;
		const char *hint;
	} refusals[] = {
		{ "glm::ICACHE:MISES", "'ICACHE' has no unit mask or modifier 'MISES'",
		  "did you mean 'MISSES'?" },
		{ "glm::ICACHE:FOO", "'ICACHE' has no unit mask or modifier 'FOO'",
		  "unit masks are HIT, MISSES, ACCESSES; modifiers are u, k, i, e and c=N" },
		{ "glm::ICACHE", "'ICACHE' needs a unit mask",
		  "unit masks are HIT, MISSES, ACCESSES; modifiers are u, k, i, e and c=N" },
		{ R1 ":OUTSTANDING", "'OFFCORE_RESPONSE_1' has no unit mask 'OUTSTANDING'",
		  "OFFCORE_RESPONSE_0 counts what is outstanding, OFFCORE_RESPONSE_1 with "
		  "ANY_RESPONSE the responses" },
		{ "glm::ICACHEE:HIT", "goldmont has no event 'ICACHEE'", "did you mean 'ICACHE'?" },
		{ "glm::ICACHE:HIT:e", "the modifier 'e' needs 'c' of at least 1",
		  "add c=1 or more: it counts how often so many happen at once" },
		{ "glm::ICACHE:HIT:c=256", "'256' is no value of 'c'", "N of c=N is 0 to 255" },
		{ "goldmnt::ICACHE:HIT", "there is no CPU 'goldmnt'",
		  "did you mean 'goldmont::'?" },
		{ "ICACHE:HIT", "there is no event 'ICACHE' here",
		  "libpfm's name for Goldmont is glm::ICACHE" },
		{ R0 ":DMND_RFO:OUTSTANDING+" R1 ":DMND_DATA_RD",
		  "the requests of the pair differ: 0x2 and 0x1",
		  "name the same requests in both" },
		{ R0 ":OUTSTANDING:u+" R1, "the levels of the pair differ: u and uk",
		  "give both the same of u and k, so that both count for the same code" },
		{ R0 ":OUTSTANDING+" R1 ":c=2:i",
		  "with modifiers (config bits 0x2800000) the pair counts no latency",
		  "leave i, e and c=N out" },
	};
	struct acrpmu_message message;
	unsigned int i;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		ok(!parse_on(NULL, refusals[i].string, &message), "'%s' is refused",
		   refusals[i].string);
		is_str(message.text, refusals[i].text, "what and why");
		is_str(message.hint, refusals[i].hint, "and what to do");
	}
}

static void test_members(void)
{
	const struct acrpmu_spec_event *ev;
	struct acrpmu_message message;
	struct acrpmu_spec *spec;

	spec = parse_on(NULL, "cycles," R0 ":u:ANY_RFO:c=2:i/period=1000,acr_mask=1/k", &message);
	if (!ok(spec, "a name with terms behind it is read"))
		return;
	ev = acrpmu_spec_event(spec, 1, 0);
	is_str(ev->name, "glm::OFFCORE_RESPONSE_0:ANY_RFO", "its name has no modifiers");
	is_str(ev->text, R0 ":u:ANY_RFO:c=2:i/period=1000,acr_mask=1/k", "its text is as written");
	is_str(ev->modifiers, "uki:c=2", "modifiers of both places");
	is_str(ev->cpu, "goldmont", "its CPU");
	is_u64(ev->attr.period, 1000, "its period");
	is_u64(ev->attr.acr_mask, 1, "its mask");
	is_u64(ev->extra_column, 8, "the name decides the extra register");
	is_str(acrpmu_spec_event(spec, 0, 0)->cpu, "", "a generic name is for any CPU");
	acrpmu_spec_free(spec);
}

static void test_old_options(void)
{
	struct acrpmu_parse_options options = { .size = 16, .period = 500, .pmu = "glm" };
	const char *string = "ICACHE:HIT";
	struct acrpmu_message message;
	struct acrpmu_spec *spec = NULL;

	is_u64(-acrpmu_spec_parse(&string, 1, &options, &spec, &message), EINVAL,
	       "options of version 1.0 have no CPU");
	is_str(message.code, "unknown-event", "so that such a name is none");
	string = "glm::ICACHE:HIT";
	ok(!acrpmu_spec_parse(&string, 1, &options, &spec, &message), "but are taken");
	is_u64(spec ? acrpmu_spec_event(spec, 0, 0)->attr.period : 0, 500, "with their period");
	acrpmu_spec_free(spec);
	options.size = 15;
	is_u64(-acrpmu_spec_parse(&string, 1, &options, &spec, &message), EINVAL,
	       "smaller ones are refused");
}

static void test_encoded(void)
{
	static const struct {
		const char *string;
		__u64 evtsel, extra;
	} lone[] = {
		{ R0 ":DMND_DATA_RD:OUTSTANDING", 0x4301b7, 0x4000000001 },
		{ R0 ":u", 0x4101b7, 0x18000 },
		{ R1 ":L2_HIT", 0x4302b7, 0x3600048000 },
	};
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_message message;
	struct acrpmu_cpu cpu;
	unsigned int i;

	ok(!acrpmu_cpu_by_name("goldmont", &cpu), "there is a Goldmont");
	for (i = 0; i < sizeof(lone) / sizeof(*lone); i++) {
		struct acrpmu_spec *spec = parse_on(NULL, lone[i].string, &message);

		if (!ok(spec && !acrpmu_encode(spec, 0, &cpu, hw, &message), "'%s' is encoded",
			lone[i].string))
			continue;
		is_u64(acrpmu_evtsel(&cpu, &acrpmu_spec_event(spec, 0, 0)->attr, hw),
		       lone[i].evtsel, "its event select");
		is_u64(hw[0].extra_value, lone[i].extra, "its extra register");
		acrpmu_spec_free(spec);
	}
}

/* ---- where it would run ------------------------------------------------------------------- */

static void test_runnable(void)
{
	static const struct {
		const char *cpu;
		const char *string;
		const char *code;	/* NULL: may run */
	} runs[] = {
		{ "goldmont", R0 ":OUTSTANDING", "outstanding-alone" },
		{ "goldmont", R0 ":0x4000000001", "outstanding-alone" },
		{ "goldmont", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/",
		  "outstanding-alone" },
		{ "goldmontplus", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/",
		  "outstanding-alone" },
		{ "tremont", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/", NULL },
		{ "clearwaterforest", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/", NULL },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x10001/}", NULL },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x10002/}", "outstanding-alone" },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,"
		  "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/}", "outstanding-alone" },
		/* the value of each is the other's but for the mode, and still makes no sense */
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000040001/,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x50001/}", "outstanding-bits" },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4200000001/,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x200010001/}", "outstanding-bits" },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000000/,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x10000/}", "outstanding-bits" },
		{ "goldmont", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000010001/",
		  "outstanding-bits" },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/u,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x10001/k}", "outstanding-alone" },
		{ "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,"
		  "cpu/event=0xb7,umask=2,offcore_rsp=0x10001,cmask=2/}", "outstanding-modifiers" },
		{ "goldmont", R0 ":OUTSTANDING+" R1, NULL },
		{ "goldmont", R0, NULL },
		{ "goldmont", "cpu/event=0xb7,umask=1/", "extra-missing" },
		{ "goldmont", "{cycles,r2b7}", "extra-missing" },
		{ "goldmont", "cpu/event=0xb7,umask=1,offcore_rsp=0/", NULL },
		{ "goldmont", "cpu/event=0xb7,umask=4/", NULL },
		{ "coyotecove", "r4d6", "extra-missing" },
		{ "coyotecove", "cpu/event=0xd6,umask=4,offmodule_rsp=1/", NULL },
		{ "lioncove", "r4d6", NULL },
		{ "architectural", "r1b7", NULL },
		{ "goldmont", "cycles", NULL },
		{ "clearwaterforest", "glm::ICACHE:HIT", "other-cpu" },
		{ "goldmontplus", "glm::ICACHE:HIT", "other-cpu" },
		{ "goldmontplus", "glp::ICACHE:HIT", NULL },
	};
	struct acrpmu_message message;
	unsigned int i;

	for (i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct acrpmu_spec *spec = parse_on(NULL, runs[i].string, &message);
		int err;

		if (!ok(spec, "'%s' is read", runs[i].string))
			continue;
		strcpy(message.code, "old");
		err = acrpmu_spec_check_runnable(spec, 0, runs[i].cpu, &message);
		is_u64(-err, runs[i].code ? EINVAL : 0, "'%s' on %s", runs[i].string, runs[i].cpu);
		is_str(message.code, runs[i].code ? runs[i].code : "", "why");
		is_u64(-acrpmu_spec_check_runnable(spec, 1, runs[i].cpu, NULL), EINVAL,
		       "there is no second group");
		acrpmu_spec_free(spec);
	}
}

/* A device with one CPU; how often it was asked, and how many sessions were made. */
static struct {
	const char *name;
	unsigned int infos, sessions;
} fake;

static int fake_open(const char *path)
{
	(void)path;
	return 70;
}

static void fake_close(int fd)
{
	(void)fd;
}

static int fake_info(struct acrpmu_info *info)
{
	struct acrpmu_cpu_info *cpus = (void *)(uintptr_t)info->cpus;

	fake.infos++;
	if (info->nr_cpus) {
		memset(cpus, 0, sizeof(*cpus));
		cpus->flags = ACRPMU_CPU_ONLINE | ACRPMU_CPU_USABLE;
		snprintf(cpus->name, sizeof(cpus->name), "%s", fake.name);
	}
	info->nr_cpus = 1;
	return 0;
}

static int fake_ioctl(int fd, unsigned long command, void *arg)
{
	(void)fd;
	if (command == ACRPMU_INFO)
		return fake.name ? fake_info(arg) : -EIO;
	fake.sessions++;
	return 71;
}

static void test_session(void)
{
	static const struct acrpmu_ops ops = { fake_open, fake_close, fake_ioctl, NULL, NULL };
	static const struct {
		const char *cpu;
		const char *string;
		const char *code;	/* NULL: a session is made */
		bool asked;
	} makes[] = {
		{ "goldmont", R0 ":OUTSTANDING", "outstanding-alone", true },
		{ "goldmont", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/",
		  "outstanding-alone", true },
		{ "clearwaterforest", "cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/", NULL,
		  true },
		{ "clearwaterforest", "glm::ICACHE:HIT", "other-cpu", true },
		{ "goldmont", R0 ":OUTSTANDING+" R1, NULL, true },
		{ "goldmont", "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/", NULL, false },
		{ "goldmont", "r1b7", "extra-missing", true },
		{ "goldmont", "cycles", NULL, false },
		{ NULL, R0 ":OUTSTANDING", NULL, false },
	};
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .flags = ACRPMU_SESSION_TASK,
	};
	struct acrpmu_message message;
	struct acrpmu_device *device;
	unsigned int i;

	ok(!acrpmu_open(&ops, &device, &message), "a device that is none is opened");
	for (i = 0; i < sizeof(makes) / sizeof(*makes); i++) {
		struct acrpmu_spec *spec = parse_on(NULL, makes[i].string, &message);
		struct acrpmu_session *session = NULL;
		int err;

		if (!ok(spec, "'%s' is read", makes[i].string))
			continue;
		memset(&fake, 0, sizeof(fake));
		fake.name = makes[i].cpu;
		err = acrpmu_session_create(device, spec, 0, &options, &session, &message);
		is_u64(-err, makes[i].code ? EINVAL : 0, "a session of '%s' on %s",
		       makes[i].string, makes[i].cpu ? makes[i].cpu : "an unknown CPU");
		is_u64(fake.sessions, !makes[i].code, "the module is called or not");
		is_u64(fake.infos > 0, makes[i].asked, "the CPUs are queried only if it matters");
		if (makes[i].code)
			is_str(message.code, makes[i].code, "why");
		acrpmu_session_close(session);
		acrpmu_spec_free(spec);
	}
	acrpmu_close(device);
}

/* ---- names of other CPUs ------------------------------------------------------------------ */

static const struct {
	const char *cpu;
	const char *name;
	struct pfm_code code;
} table[] = {
	{ "clearwaterforest", "BR_MISP_RETIRED.ALL_BRANCHES", { 0xc5, 0, false, 0, false } },
	{ "clearwaterforest", "OCR.DEMAND_DATA_RD.ANY_RESPONSE",
	  { 0x1b7, 0x10001, true, 0, false } },
	{ "clearwaterforest", "CYCLES.WIRED", { 0x200003c, 0, false, 0, false } },
	{ "goldmontplus", "DTLB_LOAD_MISSES.WALK_PENDING", { 0x1008, 0, false, 0, false } },
	{ "goldmontplus", "ICACHE.MADE_UP", { 0x8080, 0, false, 0, false } },
};

static bool find(const void *arg, const char *cpu, const char *name, size_t len,
		 struct pfm_code *code)
{
	unsigned int i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (arg == table && !strcmp(cpu, table[i].cpu) && strlen(table[i].name) == len &&
		    !memcmp(name, table[i].name, len)) {
			*code = table[i].code;
			return true;
		}
	}
	return false;
}

static void test_tables(void)
{
	static const struct {
		const char *string;
		const char *meaning;
		const char *code;
	} names[] = {
		{ "cwf::BR_MISP_RETIRED:ALL_BRANCHES", "c5/0/", NULL },
		{ "cwf::BR_MISP_RETIRED.ALL_BRANCHES:u:c=2", "20000c5/0/", NULL },
		{ "clearwaterforest::OCR:DEMAND_DATA_RD:ANY_RESPONSE:k", "1b7/10001/", NULL },
		{ "cwf::CYCLES:WIRED:e", "204003c/0/", NULL },
		{ "cwf::CYCLES:WIRED:c=2", "200003c/0/", NULL },
		{ "cwf::CYCLES:WIRED:c=1", NULL, "pfm-attr-set" },
		{ "cwf::BR_MISP_RETIRED:ALL_BRANCHES:e", NULL, "pfm-attr" },
		{ "cwf::BR_MISP_RETIRED:ALL_BRANCHES:u=0", NULL, "pfm-levels" },
		{ "cwf::BR_MISP_RETIRED:ALL_BRANCHES:c=256", NULL, "pfm-attr-val" },
		{ "cwf::BR_MISP_RETIRED:ALL_BRANCHES:i:i=0", NULL, "pfm-attr-set" },
		{ "cwf::BR_MISP_RETIRED:", NULL, "pfm-attr" },
		{ "cwf::BR_MISP_RETIRED:A=1", NULL, "pfm-attr" },
		{ "cwf::BR_MISP_RETIRED:NONE", NULL, "pfm-notfound" },
		{ "glp::ICACHE:HIT", "180/0/", NULL },
		{ "glp::ICACHE:MADE_UP:u", "8080/0/", NULL },
		{ "glp::DTLB_LOAD_MISSES:WALK_PENDING", "1008/0/", NULL },
		{ "glp::PAGE_WALKS:CYCLES", NULL, "pfm-notfound" },
		{ "glm::ICACHE:MADE_UP", NULL, "pfm-attr" },
	};
	const struct pfm_tables tables = { find, table };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct acrpmu_message message = { .code = "" };
		const struct text text = { names[i].string, 0, &message, NULL };
		struct spec_event ev = { .given = 0 };
		const char *at = names[i].string;
		char meaning[MEANING_LEN] = "";
		bool found;
		int err;

		err = acrpmu_pfm_read(&text, &at, NULL, &tables, &ev, &found);
		ok(found, "'%s' is a name", names[i].string);
		if (!err)
			append_event(meaning, &ev.pub.attr);
		is_str(err ? NULL : meaning, names[i].meaning, "'%s'", names[i].string);
		is_str(message.code, names[i].code ? names[i].code : "", "'%s' is refused or not",
		       names[i].string);
		is_str(err ? "" : at, "", "it ends with the string");
		free(ev.short_name);
		free(ev.owned.modifiers);
	}
}

/* Defaults of libpfm4's table: in each group of unit masks the first of those with the flag. */
static void test_standard(void)
{
	struct acrpmu_pfm_event pfm;
	char text[8192] = "";
	size_t len = 0;
	unsigned int i;

	for (i = 0; acrpmu_pfm_get("goldmont", i, &pfm); i++) {
		if (pfm.standard && (!strcmp(pfm.event, "OFFCORE_RESPONSE_0") ||
				     !strcmp(pfm.event, "BR_MISP_RETIRED") ||
				     !strcmp(pfm.event, "INSTRUCTIONS_RETIRED")))
			len += snprintf(text + len, sizeof(text) - len, "%s:%s\n", pfm.event,
					pfm.umask);
	}
	is_str(text, "BR_MISP_RETIRED:ALL_BRANCHES\n"
	       "OFFCORE_RESPONSE_0:ANY_REQUEST\nOFFCORE_RESPONSE_0:ANY_RESPONSE\n"
	       "OFFCORE_RESPONSE_0:L2_MISS_SNP_ANY\n",
	       "what stands for a unit mask that is missing");
}

int main(void)
{
	unsigned int i;

	plan(0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(&cases[i]);
	test_words();
	test_members();
	test_old_options();
	test_encoded();
	test_runnable();
	test_session();
	test_tables();
	test_standard();
	return done();
}
