// SPDX-License-Identifier: LGPL-2.1-or-later
/* From the fields of one event to its config word, extra register, counters and perf's terms. */
#include "convert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../util/util.h"
#include "codes.h"
#include "number.h"
#include "terms.h"

/* Bits of perf's config word on x86. */
#define UMASK_SHIFT	8
#define EDGE_SHIFT	18
#define ANY_SHIFT	21
#define INV_SHIFT	23
#define CMASK_SHIFT	24
#define EQ_SHIFT	36	/* Intel, version 6 */
#define EVENT_HI_SHIFT	32	/* AMD: bits 8-11 of the event select */
#define UMASK_HI_SHIFT	40	/* bits 8-15 of the umask */
/* Bits of the config word of uncore units, of those that have them. */
#define UNIT_UMASK_HI_SHIFT	32
#define UNIT_PORTS_SHIFT	36
#define UNIT_FC_SHIFT		48

/* Newer files number fixed counters from 32, after the general-purpose ones. */
#define FIRST_FIXED	32
#define NR_FIXED	16

/* Units with PMUs that are not called "uncore_" and the unit's name in lower case. */
static const struct {
	const char *unit;
	const char *pmu;
} unit_names[] = {
	{ "ali_drw", "ali_drw" },
	{ "arm_cmn", "arm_cmn" },
	{ "CBO", "uncore_cbox" },
	{ "CPU-M-CF", "cpum_cf" },
	{ "CPU-M-SF", "cpum_sf" },
	{ "DFPMC", "amd_df" },
	{ "hisi_sccl,ddrc", "hisi_sccl,ddrc" },
	{ "hisi_sccl,hha", "hisi_sccl,hha" },
	{ "hisi_sccl,l3c", "hisi_sccl,l3c" },
	{ "hisi_sicl,cpa", "hisi_sicl,cpa" },
	{ "imx8_ddr", "imx8_ddr" },
	{ "imx9_ddr", "imx9_ddr" },
	{ "iMPH-U", "uncore_arb" },
	{ "L3PMC", "amd_l3" },
	{ "PAI-CRYPTO", "pai_crypto" },
	{ "PAI-EXT", "pai_ext" },
	{ "QPI LL", "uncore_qpi" },
	{ "SBO", "uncore_sbox" },
	{ "UMCPMC", "amd_umc" },
	{ "UPI LL", "uncore_upi" },
};

static const char * const core_pmus[] = { "cpu", "cpu_atom", "cpu_core", "cpu_lowpower" };

/*
 * What perf encodes instead of the tables' values, so that these events can use general-purpose
 * counters as well as their fixed ones. The period is perf's too.
 */
static const struct {
	const char *name;
	__u64 event;
	__u64 umask;
	__u64 any;
} fixed_names[] = {
	{ "CPU_CLK_UNHALTED.CORE", 0x3c, 0, 0 },
	{ "CPU_CLK_UNHALTED.REF", 0x00, 3, 0 },
	{ "CPU_CLK_UNHALTED.THREAD", 0x3c, 0, 0 },
	{ "CPU_CLK_UNHALTED.THREAD_ANY", 0x3c, 0, 1 },
	{ "INST_RETIRED.ANY", 0xc0, 0, 0 },
	{ "INST_RETIRED.ANY_P", 0xc0, 0, 0 },
};

#define FIXED_NAMES_PERIOD	2000003

enum event_family convert_family(const char *cpuid)
{
	static const char * const amd[] = { "AuthenticAMD-", "HygonGenuine-" };
	static const char * const other[] = { "0x", "IBM", "^IBM" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(amd); i++) {
		if (!strncmp(cpuid, amd[i], strlen(amd[i])))
			return FAMILY_AMD;
	}
	for (i = 0; i < ARRAY_SIZE(other); i++) {
		if (!strncasecmp(cpuid, other[i], strlen(other[i])))
			return FAMILY_OTHER;
	}
	return FAMILY_INTEL;
}

static int get_pmu(struct conversion *c, const char *default_pmu)
{
	const struct json_value *unit = &c->event->values[JSON_UNIT];
	unsigned int i;
	char *p;

	c->core = true;
	snprintf(c->pmu, sizeof(c->pmu), "%s", default_pmu);
	if (!unit->at || (unit->len == 4 && !memcmp(unit->at, "core", 4)))
		return 0;
	if (unit->len > CONVERT_PMU_LEN - sizeof("uncore_"))
		return convert_refuse(c, JSON_UNIT, "is too long");
	snprintf(c->pmu, sizeof(c->pmu), "%.*s", (int)unit->len, unit->at);
	for (i = 0; i < ARRAY_SIZE(core_pmus); i++) {
		if (!strcmp(c->pmu, core_pmus[i]))
			return 0;
	}
	c->core = false;
	for (i = 0; i < ARRAY_SIZE(unit_names); i++) {
		if (!strcmp(c->pmu, unit_names[i].unit)) {
			snprintf(c->pmu, sizeof(c->pmu), "%s", unit_names[i].pmu);
			return 0;
		}
	}
	snprintf(c->pmu, sizeof(c->pmu), "uncore_%.*s", (int)unit->len, unit->at);
	for (p = c->pmu; *p; p++)
		*p += *p >= 'A' && *p <= 'Z' ? 'a' - 'A' : 0;
	return 0;
}

static bool name_is(const struct json_event *event, const char *name)
{
	const struct json_value *value = &event->values[JSON_EVENT_NAME];

	return value->len == strlen(name) && !strncasecmp(value->at, name, value->len);
}

static void use_fixed_name(struct conversion *c)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fixed_names); i++) {
		if (!name_is(c->event, fixed_names[i].name))
			continue;
		c->codes = (struct codes){
			.event = fixed_names[i].event,
			.umask = fixed_names[i].umask,
			.any = fixed_names[i].any,
			.period = FIXED_NAMES_PERIOD,
		};
	}
}

static __u64 modifiers(const struct codes *codes)
{
	return codes->edge << EDGE_SHIFT | codes->any << ANY_SHIFT | codes->inv << INV_SHIFT |
	       codes->cmask << CMASK_SHIFT;
}

/* An x86 core: values that do not fit its fields cannot be programmed. */
static int core_config(struct conversion *c, __u64 *config)
{
	const struct codes *codes = &c->codes;

	if (codes->event > (c->family == FAMILY_AMD ? 0xfff : 0xff))
		return convert_refuse(c, JSON_EVENT_CODE, "has more bits than an event select");
	if (codes->umask > (c->family == FAMILY_AMD ? 0xff : 0xffff))
		return convert_refuse(c, JSON_UMASK, "has more bits than a umask");
	*config = (codes->event & 0xff) | (codes->event >> 8) << EVENT_HI_SHIFT |
		  (codes->umask & 0xff) << UMASK_SHIFT | (codes->umask >> 8) << UMASK_HI_SHIFT |
		  codes->eq << EQ_SHIFT | modifiers(codes);
	return 0;
}

/*
 * An uncore unit: only the kernel knows each unit's layout, so the terms are authoritative; this is
 * the layout of most units of Intel's servers.
 */
static __u64 unit_config(const struct codes *codes)
{
	return codes->event | (codes->umask & 0xff) << UMASK_SHIFT |
	       (codes->umask >> 8) << UNIT_UMASK_HI_SHIFT | codes->ports << UNIT_PORTS_SHIFT |
	       codes->fc << UNIT_FC_SHIFT | modifiers(codes);
}

static int get_config(struct conversion *c, __u64 *config)
{
	const struct codes *codes = &c->codes;

	if (c->family == FAMILY_UNKNOWN)
		c->family = codes->event <= 0xff ? FAMILY_INTEL :
			    c->event->values[JSON_UMASK].at ? FAMILY_AMD : FAMILY_OTHER;
	*config = codes->config;
	if (codes->has_config)
		return 0;
	if (codes->eq && (!c->core || c->family != FAMILY_INTEL))
		return convert_refuse(c, JSON_EQUAL, "is known of Intel's cores only");
	if (!c->core) {
		*config = unit_config(codes);
		return 0;
	}
	if (c->family != FAMILY_OTHER)
		return core_config(c, config);
	*config = codes->event | codes->umask << UMASK_SHIFT | modifiers(codes);
	return 0;
}

/* "0,1,2,3", "Fixed counter 1", "33", "FIXED" and lists of these. */
static int get_counters(const struct conversion *c, struct event_row *row)
{
	const struct json_value *value = &c->event->values[JSON_COUNTER];
	const char *at = value->at, *word;
	size_t len = value->len, word_len;

	row->fixed = EVENT_NO_FIXED;
	while (number_next(&at, &len, &word, &word_len)) {
		static const char fixed[] = "fixed counter";
		const size_t fixed_len = sizeof(fixed) - 1;
		__u64 first = 0, nr;

		if (word_len == 5 && !strncasecmp(word, fixed, 5))
			continue;	/* an uncore unit, which has only one */
		if (word_len > fixed_len && !strncasecmp(word, fixed, fixed_len)) {
			first = FIRST_FIXED;
			word += fixed_len;
			word_len -= fixed_len;
		}
		if (!number_parse(word, word_len, &nr) || nr + first < nr ||
		    nr + first >= FIRST_FIXED + NR_FIXED)
			return convert_refuse(c, JSON_COUNTER, "is no list of counters");
		nr += first;
		if (nr < FIRST_FIXED)
			row->gp_cntrs |= 1U << nr;
		else if (row->fixed == EVENT_NO_FIXED)
			row->fixed = nr - FIRST_FIXED;
	}
	return 0;
}

/* PEBS: 0 cannot be precise, 1 can be, 2 must be. */
#define PEBS_ONLY	2

static int get_flags(const struct conversion *c, __u8 *flags)
{
	__u64 deprecated, pebs;
	int ret;

	ret = convert_number(c, JSON_DEPRECATED, 1, &deprecated);
	if (!ret)
		ret = convert_number(c, JSON_PEBS, PEBS_ONLY, &pebs);
	if (ret)
		return ret;
	*flags = (deprecated ? EVENT_DEPRECATED : 0) | (pebs == PEBS_ONLY ? EVENT_NEEDS_PEBS : 0);
	if (!c->core || c->family != FAMILY_INTEL)
		*flags |= EVENT_OTHER_PMU;
	return 0;
}

/* Descriptions are printed on one line: control characters become blanks. */
static int add_desc(struct text_pool *pool, const struct json_value *desc, __u32 *offset)
{
	char *copy;
	size_t i;
	int ret;

	for (i = 0; i < desc->len && (unsigned char)desc->at[i] >= ' '; i++)
		;
	if (i >= desc->len)
		return text_pool_add(pool, desc->at, desc->len, offset);
	copy = malloc(desc->len);
	if (!copy)
		return -ENOMEM;
	for (i = 0; i < desc->len; i++)
		copy[i] = (unsigned char)desc->at[i] < ' ' ? ' ' : desc->at[i];
	ret = text_pool_add(pool, copy, desc->len, offset);
	free(copy);
	return ret;
}

static int add_strings(const struct conversion *c, const struct terms *terms, const char *topic,
		       struct text_pool *pool, struct event_row *row)
{
	const struct json_value *name = &c->event->values[JSON_EVENT_NAME];
	const struct json_value *desc = &c->event->values[JSON_BRIEF_DESCRIPTION];
	int ret;

	if (!desc->at)
		desc = &c->event->values[JSON_PUBLIC_DESCRIPTION];
	ret = text_pool_add(pool, name->at, name->len, &row->name);
	if (!ret)
		ret = add_desc(pool, desc, &row->desc);
	if (!ret)
		ret = text_pool_add(pool, topic, strlen(topic), &row->topic);
	if (!ret)
		ret = text_pool_add(pool, terms->text, terms->len, &row->terms);
	if (!ret)
		ret = text_pool_add(pool, c->pmu, strlen(c->pmu), &row->pmu);
	return ret;
}

int convert_event(const struct json_event *event, const struct convert_options *options,
		  struct text_pool *pool, struct event_row *row, struct reporter *reporter)
{
	struct conversion c = { .event = event, .reporter = reporter, .family = options->family };
	struct terms terms;
	int ret;

	memset(row, 0, sizeof(*row));
	if (!event->values[JSON_EVENT_NAME].at)
		return convert_refuse(&c, JSON_EVENT_NAME, "is missing");
	ret = get_pmu(&c, options->pmu);
	if (!ret)
		ret = codes_read(&c);
	if (ret)
		return ret;
	use_fixed_name(&c);
	ret = get_config(&c, &row->config);
	if (!ret)
		ret = get_counters(&c, row);
	if (!ret)
		ret = terms_write(&c, &terms);
	if (!ret)
		ret = get_flags(&c, &row->flags);
	if (ret)
		return ret;
	row->extra = c.codes.extra;
	row->extra_msr = c.codes.extra_msr;
	row->period = c.codes.period;
	return add_strings(&c, &terms, options->topic, pool, row);
}
