// SPDX-License-Identifier: GPL-2.0-only
/* Compares libpfm-style names with libpfm4: every event, a random sweep, known differences. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <perfmon/pfmlib.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"

#define MAX_STRING	512
#define MAX_ATTRS	24
#define MAX_UMASKS	40
#define MAX_EVENTS	64
#define SEED		20160707
#define SWEEP		300000
#define MAX_SHOWN	20

/* IA32_PERFEVTSELx */
#define SEL_EVENT	0xffULL
#define SEL_USR		(1ULL << 16)
#define SEL_OS		(1ULL << 17)
#define SEL_EDGE	(1ULL << 18)
#define SEL_INT		(1ULL << 20)
#define SEL_EN		(1ULL << 22)
#define SEL_CMASK	(0xffULL << 24)

/* OFFCORE_RSP on Goldmont */
#define RSP_ANY		(1ULL << 16)
#define RSP_SNOOPS	(1ULL << 33 | 1ULL << 34 | 1ULL << 36 | 1ULL << 37)
#define RSP_SNOOPS_BAD	(0xfULL << 33)

typedef unsigned long long ull;

/* The answer of one side to a string: libpfm's error or 0, and the register values. */
struct answer {
	int error;
	bool known;		/* the error is one of libpfm's */
	bool edge, levels;	/* refused, but libpfm allows it */
	__u64 codes[2];
};

/* Defects of libpfm4 4.13, in the order of Documentation/pfm-names.rst. */
enum defect {
	RSP_1_DEFAULT, SNOOP_ALONE, RAW_OUTSTANDING, MAN_NAMES, EDGE_ALONE, NO_LEVEL, CLK_CODE,
	THIRD_COPY, NEGATIVE, NR_DEFECTS
};

/* Each defect, with a string that shows it and libpfm's answer. */
static const struct {
	const char *what;
	const char *witness;
	int error;
	__u64 codes[2];
} defects[NR_DEFECTS] = {
	[RSP_1_DEFAULT] = { "default snoops of OFFCORE_RESPONSE_1 have bit 35 for bit 37",
			    "glm::OFFCORE_RESPONSE_1:DMND_DATA_RD:L2_HIT", 0,
			    { 0x5302b7, 0x1e00040001 } },
	[SNOOP_ALONE] = { "a snoop without supplier gets ANY_RESPONSE",
			  "glm::OFFCORE_RESPONSE_0:DMND_DATA_RD:L2_MISS_HITM_OTHER_CORE", 0,
			  { 0x5301b7, 0x1000010001 } },
	[RAW_OUTSTANDING] = { "OUTSTANDING cannot be given as a number",
			      "glm::OFFCORE_RESPONSE_0:0x4000000001", PFM_ERR_ATTR, { 0, 0 } },
	[MAN_NAMES] = { "LLC_HITM and SNOOP_ANY of the manual page do not exist",
			"glm::OFFCORE_RESPONSE_0:ANY_RFO:LLC_HITM:SNOOP_ANY", PFM_ERR_ATTR,
			{ 0, 0 } },
	[EDGE_ALONE] = { "'e' is accepted without 'c'", "glm::ICACHE:HIT:e", 0, { 0x570180, 0 } },
	[NO_LEVEL] = { "an event at neither level is accepted", "glm::ICACHE:HIT:u=0:k=0", 0,
		       { 0x500180, 0 } },
	[CLK_CODE] = { "CPU_CLK_UNHALTED:CORE_P and :REF have event select 0",
		       "glm::CPU_CLK_UNHALTED:REF", 0, { 0x530100, 0 } },
	[THIRD_COPY] = { "of three equal attributes two stay, and a third value is not seen",
			 "glm::ICACHE:HIT:u:u:u=0", 0, { 0x500180, 0 } },
	[NEGATIVE] = { "negative counter masks wrap around",
		       "glm::ICACHE:HIT:c=-18446744073709551615", 0, { 0x1530180, 0 } },
};

static unsigned long seen[NR_DEFECTS];
static unsigned long agreed_good, agreed_bad, same_kind, other_kind, unexplained;

/* ---- both sides --------------------------------------------------------------------------- */

static struct answer ask_pfm(const char *string)
{
	struct answer a = { .known = true };
	uint64_t *codes = NULL;
	int count = 0;

	a.error = pfm_get_event_encoding(string, PFM_PLM0 | PFM_PLM3, NULL, NULL, &codes, &count);
	if (a.error)
		return a;
	a.codes[0] = codes[0];
	a.codes[1] = count > 1 ? codes[1] : 0;
	free(codes);
	return a;
}

static const struct {
	const char *code;
	int error;
} words[] = {
	{ "pfm-notfound", PFM_ERR_NOTFOUND },
	{ "unknown-event", PFM_ERR_NOTFOUND },
	{ "pfm-featcomb", PFM_ERR_FEATCOMB },
	{ "pfm-umask", PFM_ERR_UMASK },
	{ "pfm-attr", PFM_ERR_ATTR },
	{ "pfm-attr-val", PFM_ERR_ATTR_VAL },
	{ "pfm-attr-set", PFM_ERR_ATTR_SET },
};

static struct answer refused(const struct acrpmu_message *m)
{
	struct answer a = { .error = PFM_ERR_INVAL };
	unsigned int i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(m->code, words[i].code)) {
			a.error = words[i].error;
			a.known = true;
		}
	}
	a.levels = !strcmp(m->code, "pfm-levels");
	a.edge = !strcmp(m->code, "pfm-attr") && strstr(m->text, "needs 'c'");
	return a;
}

/* The register values that libpfm would return for the parsed event. */
static struct answer ask_us(const char *string)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT, .pmu = "glm",
	};
	const struct acrpmu_spec_event *ev;
	struct answer a = { .error = 0 };
	struct acrpmu_message message;
	struct acrpmu_spec *spec;

	if (acrpmu_spec_parse(&string, 1, &options, &spec, &message))
		return refused(&message);
	ev = acrpmu_spec_event(spec, 0, 0);
	a.codes[0] = ev->attr.config | SEL_INT | SEL_EN |
		     (ev->attr.flags & ACRPMU_EVENT_USER ? SEL_USR : 0) |
		     (ev->attr.flags & ACRPMU_EVENT_KERNEL ? SEL_OS : 0);
	a.codes[1] = ev->attr.extra_value;
	acrpmu_spec_free(spec);
	return a;
}

static bool same_answer(const struct answer *a, const struct answer *b)
{
	return !a->error == !b->error &&
	       (a->error || (a->codes[0] == b->codes[0] && a->codes[1] == b->codes[1]));
}

/* ---- a string in parts, parsed independently ---------------------------------------------- */

struct parts {
	char head[MAX_STRING];		/* with the prefix */
	const char *event;
	char *attr[MAX_ATTRS];
	unsigned int nr;
	char copy[MAX_STRING];
};

static void split(const char *string, struct parts *p)
{
	char *start, *at;

	memset(p, 0, sizeof(*p));
	snprintf(p->copy, sizeof(p->copy), "%s", string);
	start = strstr(p->copy, "::");
	start = start ? start + 2 : p->copy;
	at = start + strcspn(start, ":.");
	snprintf(p->head, sizeof(p->head), "%.*s", (int)(at - p->copy), p->copy);
	p->event = strstr(p->head, "::") ? strstr(p->head, "::") + 2 : p->head;
	while (*at && p->nr < MAX_ATTRS) {
		*at++ = 0;
		p->attr[p->nr++] = at;
		at += strcspn(at, ":.");
	}
}

static void join(const struct parts *p, char *string)
{
	size_t len = snprintf(string, MAX_STRING, "%s", p->head);
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		len += snprintf(string + len, MAX_STRING - len, ":%s", p->attr[i]);
}

static void drop(struct parts *p, unsigned int i)
{
	memmove(&p->attr[i], &p->attr[i + 1], (p->nr - i - 1) * sizeof(*p->attr));
	p->nr--;
}

static bool has(const struct parts *p, const char *attr)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++) {
		if (!strcasecmp(p->attr[i], attr))
			return true;
	}
	return false;
}

static bool has_prefix(const struct parts *p, const char *prefix)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++) {
		if (!strncasecmp(p->attr[i], prefix, strlen(prefix)))
			return true;
	}
	return false;
}

static bool is_offcore(const struct parts *p, int reg)
{
	return !strcasecmp(p->event, reg ? "OFFCORE_RESPONSE_1" : "OFFCORE_RESPONSE_0");
}

/* ---- defects, one rule each --------------------------------------------------------------- */

/* The defect that explains a different value for an event that both accept. */
static struct answer spoil(const struct parts *p, struct answer a, bool *used)
{
	bool offcore = is_offcore(p, 0) || is_offcore(p, 1);
	bool raw = has_prefix(p, "0x"), snoop = has_prefix(p, "L2_MISS_");
	bool supplier = has(p, "L2_HIT");

	if (is_offcore(p, 1) && !raw && supplier && !snoop) {
		a.codes[1] = (a.codes[1] & ~RSP_SNOOPS) | RSP_SNOOPS_BAD;
		used[RSP_1_DEFAULT] = true;
	}
	if (offcore && !raw && snoop && !supplier) {
		a.codes[1] |= RSP_ANY;
		used[SNOOP_ALONE] = true;
	}
	if (!strcasecmp(p->event, "CPU_CLK_UNHALTED") && !raw && !has(p, "CORE") &&
	    !has(p, "REF_TSC")) {
		a.codes[0] &= ~SEL_EVENT;
		used[CLK_CODE] = true;
	}
	return a;
}

/* A raw value of OFFCORE_RESPONSE_0 with bit 38, but no higher bit; 0 if there is none. */
static __u64 raw_outstanding(const struct parts *p)
{
	unsigned int i;

	for (i = 0; is_offcore(p, 0) && i < p->nr; i++) {
		__u64 value = strtoull(p->attr[i], NULL, 16);

		if (!strncasecmp(p->attr[i], "0x", 2))
			return value >> 38 == 1 ? value : 0;
	}
	return 0;
}

/* We accept such a value as it is. */
static bool is_raw_outstanding(const struct parts *p, const struct answer *us,
			       const struct answer *pfm)
{
	__u64 value = raw_outstanding(p);

	return value && !us->error && pfm->error == PFM_ERR_ATTR && us->codes[1] == value;
}

static bool is_edge_alone(const struct answer *us, const struct answer *pfm)
{
	return us->edge && !pfm->error && pfm->codes[0] & SEL_EDGE && !(pfm->codes[0] & SEL_CMASK);
}

static bool is_no_level(const struct answer *us, const struct answer *pfm)
{
	return us->levels && !pfm->error && !(pfm->codes[0] & (SEL_USR | SEL_OS));
}

static bool is_negative(const struct parts *p, const struct answer *us, const struct answer *pfm)
{
	unsigned int i;

	if (us->error != PFM_ERR_ATTR_VAL || pfm->error)
		return false;
	for (i = 0; i < p->nr; i++) {
		if (!strncasecmp(p->attr[i], "c=-", 3) && strtoull(p->attr[i] + 2, NULL, 0))
			return true;
	}
	return false;
}

/* Replace names of the manual page by their meaning; return whether there was one. */
static bool replace_man_names(struct parts *p)
{
	bool any = false;
	unsigned int i;

	if (!is_offcore(p, 0) && !is_offcore(p, 1))
		return false;
	for (i = 0; i < p->nr; i++) {
		if (!strcasecmp(p->attr[i], "LLC_HITM"))
			p->attr[i] = "L2_MISS_HITM_OTHER_CORE";
		else if (!strcasecmp(p->attr[i], "SNOOP_ANY"))
			p->attr[i] = "L2_MISS_SNP_ANY";
		else
			continue;
		any = true;
	}
	return any;
}

static bool is_one(const char *value)
{
	return strlen(value) == 1 && strchr("1yYtT", *value);
}

static bool is_zero(const char *value)
{
	return strlen(value) == 1 && strchr("0nNfF", *value);
}

/* Whether two attributes mean the same. */
static bool equal(const char *a, const char *b)
{
	if (!strcasecmp(a, b))
		return true;
	if (tolower(*a) != tolower(*b) || (a[1] && a[1] != '=') || (b[1] && b[1] != '='))
		return false;
	if (tolower(*a) == 'c' && a[1] && b[1])
		return strtoull(a + 2, NULL, 0) == strtoull(b + 2, NULL, 0);
	if (!strchr("ukieUKIE", *a))
		return false;
	a = a[1] ? a + 2 : "1";
	b = b[1] ? b + 2 : "1";
	return (is_one(a) && is_one(b)) || (is_zero(a) && is_zero(b));
}

/* Whether two attributes set the same unit mask, or the same modifier to any values. */
static bool same_target(const char *a, const char *b)
{
	return equal(a, b) || (tolower(*a) == tolower(*b) && strchr("ukieUKIEcC", *a) &&
			       (!a[1] || a[1] == '=') && (!b[1] || b[1] == '='));
}

/*
 * libpfm removes the second of two equal attributes and skips the comparison of the next one: drop
 * the copies where three attributes set the same; return whether any was dropped.
 */
static bool drop_copies(struct parts *p)
{
	bool preset = !strcasecmp(p->event, "MISPREDICTED_BRANCH_RETIRED") ||
		      !strcasecmp(p->event, "BRANCH_INSTRUCTIONS_RETIRED");
	bool any = false;
	unsigned int i, k;

	for (i = 0; i < p->nr; i++) {
		unsigned int copies = preset && equal(p->attr[i], "ALL_BRANCHES") ? 2 : 1;

		for (k = i + 1; k < p->nr; k++)
			copies += same_target(p->attr[i], p->attr[k]);
		if (copies < 3)
			continue;
		for (k = p->nr - 1; k > i; k--) {
			if (!equal(p->attr[i], p->attr[k]))
				continue;
			drop(p, k);
			any = true;
		}
	}
	return any;
}

/* ---- checking one string ------------------------------------------------------------------ */

static bool judge(const char *string, bool *used);

/* Of several mistakes libpfm may report another one: it does not detect the one that we report. */
static bool kind_may_differ(const char *string)
{
	const char *colons = strstr(string, "::"), *plus = strchr(string, '+');
	struct parts p;

	/* libpfm takes all before the first two colons as the PMU, at any position */
	if (colons && colons != string + strcspn(string, ":."))
		return true;
	/* for us a plus begins another event, unless it is the sign of a number */
	if (plus && plus[-1] != '=')
		return true;
	split(string, &p);
	return has_prefix(&p, "c=-") || raw_outstanding(&p) || replace_man_names(&p) ||
	       drop_copies(&p);
}

static void note_kind(const char *string, const struct answer *us, const struct answer *pfm)
{
	if (kind_may_differ(string))
		return;
	same_kind--;
	if (other_kind++ < MAX_SHOWN)
		printf("# '%s': refused for %d by us, for %d by libpfm\n", string, us->error,
		       pfm->error);
}

/* Our answer must be the same for the changed string, and right for that one. */
static bool judge_changed(const struct parts *p, const struct answer *us, enum defect defect,
			  bool *used)
{
	char changed[MAX_STRING];
	struct answer again;

	join(p, changed);
	again = ask_us(changed);
	used[defect] = true;
	return same_answer(us, &again) && judge(changed, used);
}

static bool judge(const char *string, bool *used)
{
	struct answer us = ask_us(string), pfm = ask_pfm(string), expected;
	struct parts p;
	unsigned int i;

	if (us.error && pfm.error) {
		same_kind++;
		if (us.known && us.error != pfm.error)
			note_kind(string, &us, &pfm);
		return true;
	}
	if (same_answer(&us, &pfm))
		return true;
	split(string, &p);
	if (!us.error && !pfm.error) {
		bool spoilt[NR_DEFECTS] = { false };

		expected = spoil(&p, us, spoilt);
		if (same_answer(&expected, &pfm)) {
			for (i = 0; i < NR_DEFECTS; i++)
				used[i] |= spoilt[i];
			return true;
		}
	}
	if (is_raw_outstanding(&p, &us, &pfm))
		return used[RAW_OUTSTANDING] = true;
	if (is_edge_alone(&us, &pfm))
		return used[EDGE_ALONE] = true;
	if (is_no_level(&us, &pfm))
		return used[NO_LEVEL] = true;
	if (is_negative(&p, &us, &pfm))
		return used[NEGATIVE] = true;
	if (replace_man_names(&p))
		return judge_changed(&p, &us, MAN_NAMES, used);
	if (drop_copies(&p))
		return judge_changed(&p, &us, THIRD_COPY, used);
	return false;
}

static void check(const char *string)
{
	bool used[NR_DEFECTS] = { false };
	struct answer us, pfm;
	unsigned int i;
	bool any = false;

	if (!judge(string, used)) {
		us = ask_us(string);
		pfm = ask_pfm(string);
		if (unexplained++ < MAX_SHOWN)
			printf("# '%s': ours %d 0x%llx 0x%llx, libpfm %d 0x%llx 0x%llx\n", string,
			       us.error, (ull)us.codes[0], (ull)us.codes[1], pfm.error,
			       (ull)pfm.codes[0], (ull)pfm.codes[1]);
		return;
	}
	for (i = 0; i < NR_DEFECTS; i++) {
		seen[i] += used[i];
		any |= used[i];
	}
	if (any)
		return;
	if (ask_pfm(string).error)
		agreed_bad++;
	else
		agreed_good++;
}

static void conclude(const char *what, unsigned long strings)
{
	unsigned int i;

	ok(!unexplained, "%s: libpfm and we agree on %lu strings", what, strings);
	printf("#   both accept %lu, both refuse %lu\n", agreed_good, agreed_bad);
	for (i = 0; i < NR_DEFECTS; i++)
		printf("#   %6lu: %s\n", seen[i], defects[i].what);
	agreed_good = 0;
	agreed_bad = 0;
	unexplained = 0;
}

/* ---- events as libpfm lists them ---------------------------------------------------------- */

static struct event {
	char name[64];
	char umasks[MAX_UMASKS][64];
	unsigned int nr;
} events[MAX_EVENTS];
static unsigned int nr_events;

static bool load_events(void)
{
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	int i, k;

	if (pfm_get_pmu_info(PFM_PMU_INTEL_GLM, &pmu))
		return false;
	for (i = pmu.first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };
		struct event *e = &events[nr_events];

		if (nr_events == MAX_EVENTS || pfm_get_event_info(i, PFM_OS_NONE, &info))
			return false;
		snprintf(e->name, sizeof(e->name), "%s", info.name);
		for (k = 0; k < info.nattrs; k++) {
			pfm_event_attr_info_t attr = { .size = sizeof(attr) };

			if (pfm_get_event_attr_info(i, k, PFM_OS_NONE, &attr))
				return false;
			if (attr.type == PFM_ATTR_UMASK && e->nr < MAX_UMASKS)
				snprintf(e->umasks[e->nr++], sizeof(*e->umasks), "%s", attr.name);
		}
		nr_events++;
	}
	return nr_events;
}

/* ---- every event, unit mask and modifier -------------------------------------------------- */

static unsigned long strings;

/* One name with each set of modifiers. */
static void check_modifiers(const char *name)
{
	static const char *const levels[] = { "", ":u", ":k", ":u:k", ":u=0:k", ":u=0:k=0" };
	static const char *const bits[] = { "", ":i", ":e", ":i:e", ":i=0:e=1" };
	static const char *const masks[] = { "", ":c=0", ":c=1", ":c=255", ":c=256", ":c=0x10" };
	char string[MAX_STRING];
	unsigned int l, b, m;

	for (l = 0; l < sizeof(levels) / sizeof(*levels); l++) {
		for (b = 0; b < sizeof(bits) / sizeof(*bits); b++) {
			for (m = 0; m < sizeof(masks) / sizeof(*masks); m++) {
				snprintf(string, sizeof(string), "%s%s%s%s", name, levels[l],
					 bits[b], masks[m]);
				check(string);
				strings++;
			}
		}
	}
}

static void check_event(const struct event *e)
{
	char name[MAX_STRING];
	unsigned int i, k;

	snprintf(name, sizeof(name), "glm::%s", e->name);
	check_modifiers(name);
	check_modifiers(name + strlen("glm::"));
	for (i = 0; i < e->nr; i++) {
		snprintf(name, sizeof(name), "glm::%s:%s", e->name, e->umasks[i]);
		check_modifiers(name);
		for (k = 0; k < e->nr; k++) {
			snprintf(name, sizeof(name), "glm::%s:%s:%s", e->name, e->umasks[i],
				 e->umasks[k]);
			check(name);
			strings++;
		}
	}
}

/* Each request with each set of responses: all names of values of the two registers. */
static void check_offcore(const struct event *e)
{
	static const char *const responses[] = {
		"ANY_RESPONSE", "L2_HIT", "L2_MISS_SNP_MISS_OR_NO_SNOOP_NEEDED",
		"L2_MISS_HIT_OTHER_CORE_NO_FWD", "L2_MISS_HITM_OTHER_CORE",
		"L2_MISS_SNP_NON_DRAM", "L2_MISS_SNP_ANY", "OUTSTANDING",
	};
	const unsigned int nr = sizeof(responses) / sizeof(*responses);
	char string[MAX_STRING];
	unsigned int i, set, k;

	for (i = 0; i <= e->nr; i++) {
		for (set = 0; set < 1U << nr; set++) {
			int len = snprintf(string, sizeof(string), "glm::%s%s%s", e->name,
					   i ? ":" : "", i ? e->umasks[i - 1] : "");

			for (k = 0; k < nr; k++) {
				if (set & 1U << k)
					len += snprintf(string + len, sizeof(string) - len, ":%s",
							responses[k]);
			}
			check(string);
			strings++;
		}
	}
}

/* ---- random strings ----------------------------------------------------------------------- */

static __u64 state = SEED;

static unsigned int pick(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % n;
}

static const char *one_of(const char *const *list, unsigned int nr)
{
	return list[pick(nr)];
}

static void add_attr(char *string, const struct event *e)
{
	static const char *const modifiers[] = {
		"u", "k", "i", "e", "c=1", "c=2", "c=255", "u=0", "k=0", "i=0", "e=0", "c=0",
		"u=1", "K", "U=y", "i=T", "e=n", "k=f", "c=0x1f", "c=010", "c=+3",
	};
	static const char *const odd[] = {
		"c=256", "c=-1", "c=x", "c=", "c", "u=2", "u=", "t", "t=1", "ldlat=3", "intx",
		"period=5", "c=-0", "c=-18446744073709551615", "c=99999999999999999999999", "c=08",
		"u=yes", "", "=1", "LLC_HITM", "SNOOP_ANY", "HIT=1", "c=1e", "OUTSTANDING", "ANY",
		"0x", "0x1", "0X8", "0xff", "0x100", "0x1g", "0x1=1", "0x4000000001", "0x10001",
		"0x3fffffffff", "0x7fffffffff", "0x8000000000", "0x123456789012345678901", "JCC",
	};
	size_t len = strlen(string);
	const char *attr;
	unsigned int kind = pick(100);

	if (kind < 2)
		attr = "0x4000000001";
	else if (kind < 50 && e->nr)
		attr = e->umasks[pick(e->nr)];
	else if (kind < 80)
		attr = one_of(modifiers, sizeof(modifiers) / sizeof(*modifiers));
	else if (kind < 95)
		attr = one_of(odd, sizeof(odd) / sizeof(*odd));
	else
		attr = events[pick(nr_events)].umasks[0];
	snprintf(string + len, MAX_STRING - len, "%c%s", pick(50) ? ':' : '.', attr);
}

/* Change, add, drop or double a byte after @from; without letters that only we interpret. */
static void mutate(char *string, size_t from)
{
	static const char bytes[] = "abcehikuxyz_0123456789:.=-ABCEKU";
	size_t len = strlen(string), at;

	if (len <= from || len + 2 > MAX_STRING)
		return;
	at = from + pick(len - from);
	switch (pick(4)) {
	case 0:
		string[at] = bytes[pick(sizeof(bytes) - 1)];
		break;
	case 1:
		memmove(string + at, string + at + 1, len - at);
		break;
	case 2:
		memmove(string + at + 1, string + at, len - at + 1);
		string[at] = bytes[pick(sizeof(bytes) - 1)];
		break;
	default:
		string[at] = isupper((unsigned char)string[at]) ? tolower(string[at]) :
								   toupper(string[at]);
		break;
	}
}

static void random_string(char *string)
{
	static const char *const prefixes[] = { "glm::", "glm::", "GLM::", "Glm::", "", "glx::" };
	const char *prefix = prefixes[pick(100) ? pick(5) : 5];
	const struct event *e = &events[pick(nr_events)];
	unsigned int i, nr = pick(7);

	/* most mistakes are possible in the offcore events */
	while (pick(2) && strncmp(e->name, "OFFCORE", 7))
		e = &events[pick(nr_events)];
	snprintf(string, MAX_STRING, "%s%s", prefix, e->name);
	for (i = 0; i < nr; i++)
		add_attr(string, e);
	for (i = pick(8) ? 0 : 1 + pick(3); i; i--)
		mutate(string, strlen(prefix));
}

static void sweep(void)
{
	char string[MAX_STRING];
	unsigned long i;

	for (i = 0; i < SWEEP; i++) {
		random_string(string);
		check(string);
	}
}

/* Later versions may have fixed it. */
static void test_defect(enum defect i)
{
	struct answer pfm = ask_pfm(defects[i].witness);

	if (pfm.error != defects[i].error || pfm.codes[0] != defects[i].codes[0] ||
	    pfm.codes[1] != defects[i].codes[1])
		skip(1, "this libpfm4 does not have a defect of 4.13");
	else
		ok(seen[i], "a known defect of libpfm4 shows: %s", defects[i].what);
}

int main(void)
{
	unsigned int i;

	plan(0);
	setenv("LIBPFM_FORCE_PMU", "glm", 1);
	if (pfm_initialize() || !load_events()) {
		skip(1, "this libpfm has no Goldmont");
		return done();
	}
	printf("# %u events of libpfm\n", nr_events);
	for (i = 0; i < nr_events; i++) {
		check_event(&events[i]);
		if (!strncmp(events[i].name, "OFFCORE", 7))
			check_offcore(&events[i]);
	}
	conclude("every event, unit mask and modifier", strings);
	sweep();
	conclude("random strings", SWEEP);
	ok(!other_kind && same_kind, "both refuse for the same reason");
	for (i = 0; i < NR_DEFECTS; i++)
		test_defect(i);
	return done();
}
