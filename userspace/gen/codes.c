// SPDX-License-Identifier: LGPL-2.1-or-later
/* The numbers of one event, as its fields give them. */
#include "codes.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>

#include "../util/extra_term.h"
#include "../util/util.h"
#include "number.h"

#define SHOWN_LEN	80

/* Bytes of a value that a report prints. */
static int shown(const struct json_value *value)
{
	return value->len < SHOWN_LEN ? value->len : SHOWN_LEN;
}

int convert_refuse(const struct conversion *c, enum json_field field, const char *why)
{
	const struct json_value *value = &c->event->values[field];
	const struct json_value *name = &c->event->values[JSON_EVENT_NAME];

	char who[SHOWN_LEN + 16] = "the event", what[SHOWN_LEN + 16] = "this";

	if (name->at)
		snprintf(who, sizeof(who), "'%.*s'", shown(name), name->at);
	if (value->at)
		snprintf(what, sizeof(what), "'%.*s'", shown(value), value->at);
	report_say(c->reporter, REPORT_NOTE, c->event->path, json_event_line(c->event, field),
		   json_field_name(field), "%s %s; %s is left out", what, why, who);
	return -EINVAL;
}

/* The first number of a field, 0 if the event has no such field. */
int convert_number(const struct conversion *c, enum json_field field, __u64 max, __u64 *number)
{
	const struct json_value *value = &c->event->values[field];
	const char *at = value->at, *word;
	size_t len = value->len, word_len;
	__u64 other;

	*number = 0;
	if (!number_next(&at, &len, &word, &word_len))
		return 0;
	if (!number_parse(word, word_len, number))
		return convert_refuse(c, field, "is no number");
	if (*number > max)
		return convert_refuse(c, field, "is too large");
	while (number_next(&at, &len, &word, &word_len)) {
		if (!number_parse(word, word_len, &other))
			return convert_refuse(c, field, "is no list of numbers");
	}
	return 0;
}

/* Events of fixed counters select theirs by umask alone and have no code. */
static bool has_fixed_counter(const struct json_event *event)
{
	const struct json_value *counter = &event->values[JSON_COUNTER];

	return counter->at && counter->len >= 5 && !strncasecmp(counter->at, "fixed", 5);
}

static int get_select(struct conversion *c)
{
	const struct json_event *event = c->event;
	struct codes *codes = &c->codes;
	__u64 ext;
	int ret;

	if (event->values[JSON_CONFIG_CODE].at) {
		codes->has_config = true;
		return convert_number(c, JSON_CONFIG_CODE, ~0ULL, &codes->config);
	}
	if (event->values[JSON_EVENTID_CODE].at) {
		codes->has_config = true;
		codes->eventid = true;
		return convert_number(c, JSON_EVENTID_CODE, ~0ULL, &codes->config);
	}
	if (!event->values[JSON_EVENT_CODE].at && !has_fixed_counter(event))
		return convert_refuse(c, JSON_EVENT_CODE, "is missing");
	ret = convert_number(c, JSON_EVENT_CODE, ~0ULL, &codes->event);
	if (!ret)
		ret = convert_number(c, JSON_EXT_SEL, 0xff, &ext);
	if (!ret)
		codes->event |= ext << 8;
	return ret;
}

static int get_umask(struct conversion *c)
{
	struct codes *codes = &c->codes;
	__u64 ext;
	int ret = convert_number(c, JSON_UMASK, ~0ULL, &codes->umask);

	if (!ret)
		ret = convert_number(c, JSON_UMASK_EXT, c->core ? 0xff : 0xffffff, &ext);
	if (!ret && ext && codes->umask > 0xff)
		return convert_refuse(c, JSON_UMASK_EXT, "would cover bits of UMask");
	if (!ret)
		codes->umask |= ext << 8;
	return ret;
}

static int get_extra(struct conversion *c)
{
	struct codes *codes = &c->codes;
	int ret;

	ret = convert_number(c, JSON_MSR_INDEX, 0xffffffff, &codes->extra_msr);
	if (!ret)
		ret = convert_number(c, JSON_MSR_VALUE, ~0ULL, &codes->extra);
	if (ret)
		return ret;
	if (!codes->extra_msr) {
		if (codes->extra)
			return convert_refuse(c, JSON_MSR_VALUE, "is for no MSR");
		return 0;
	}
	if (!acrpmu_extra_term(codes->extra_msr))
		return convert_refuse(c, JSON_MSR_INDEX, "is none of the MSRs that events may use "
			      "(0x1a6, 0x1a7, 0x3e0 to 0x3e3, 0x3f6, 0x3f7, 0x1328, 0x1329)");
	/* 0 would count nothing; files that mean 0 state it */
	if (!c->event->values[JSON_MSR_VALUE].at)
		return convert_refuse(c, JSON_MSR_VALUE, "is missing, and MSRIndex needs it");
	return 0;
}

int codes_read(struct conversion *c)
{
	const __u64 max_cmask = c->core ? 0xff : 0xffffffff;
	struct codes *codes = &c->codes;
	int ret;

	ret = get_select(c);
	if (!ret)
		ret = get_umask(c);
	if (!ret)
		ret = convert_number(c, JSON_EDGE_DETECT, 1, &codes->edge);
	if (!ret)
		ret = convert_number(c, JSON_ANY_THREAD, 1, &codes->any);
	if (!ret)
		ret = convert_number(c, JSON_INVERT, 1, &codes->inv);
	if (!ret)
		ret = convert_number(c, JSON_EQUAL, 1, &codes->eq);
	if (!ret)
		ret = convert_number(c, JSON_COUNTER_MASK, max_cmask, &codes->cmask);
	if (!ret)
		ret = convert_number(c, JSON_PORT_MASK, 0xffffffff, &codes->ports);
	if (!ret)
		ret = convert_number(c, JSON_FC_MASK, 0xff, &codes->fc);
	if (!ret)
		ret = convert_number(c, JSON_SAMPLE_AFTER_VALUE, ~0ULL, &codes->period);
	return ret ? ret : get_extra(c);
}
