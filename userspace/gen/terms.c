// SPDX-License-Identifier: LGPL-2.1-or-later
/* An event in perf's terms: "event=0xc5,umask=0x80,period=100003". */
#include "terms.h"

#include <stdio.h>
#include <string.h>

#include "../util/extra_term.h"
#include "../util/util.h"

static void add_bytes(struct terms *terms, const char *bytes, size_t len)
{
	if (len < TERMS_LEN && terms->len < TERMS_LEN - len)
		memcpy(terms->text + terms->len, bytes, len);
	else
		terms->len = TERMS_LEN;
	terms->len += len;
}

static void add_term(struct terms *terms, const char *name, unsigned int base, __u64 number)
{
	char digits[24];
	char *at = digits + sizeof(digits);

	do {
		*--at = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	if (base == 16) {
		*--at = 'x';
		*--at = '0';
	}
	if (terms->len)
		add_bytes(terms, ",", 1);
	add_bytes(terms, name, strlen(name));
	add_bytes(terms, at, digits + sizeof(digits) - at);
}

int terms_write(const struct conversion *c, struct terms *terms)
{
	const struct json_value *filter = &c->event->values[JSON_FILTER];
	const struct codes *codes = &c->codes;
	const struct {
		const char *name;
		unsigned int base;
		__u64 number;
	} fields[] = {
		{ "umask=", 16, codes->umask }, { "edge=", 10, codes->edge },
		{ "any=", 10, codes->any }, { "inv=", 10, codes->inv },
		{ "eq=", 10, codes->eq }, { "cmask=", 16, codes->cmask },
		{ "ch_mask=", 16, codes->ports },
		{ "fc_mask=", 16, codes->fc },
	};
	char extra[16];
	unsigned int i;

	terms->len = 0;
	if (codes->has_config)
		add_term(terms, codes->eventid ? "eventid=" : "config=", 16, codes->config);
	else
		add_term(terms, "event=", 16, codes->event);
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (fields[i].number)
			add_term(terms, fields[i].name, fields[i].base, fields[i].number);
	}
	if (filter->at) {
		add_bytes(terms, ",", 1);
		add_bytes(terms, filter->at, filter->len);
	}
	if (codes->extra_msr) {
		snprintf(extra, sizeof(extra), "%s=", acrpmu_extra_term(codes->extra_msr));
		add_term(terms, extra, 16, codes->extra);
	}
	if (codes->period)
		add_term(terms, "period=", 10, codes->period);
	return terms->len <= TERMS_LEN ? 0 : convert_refuse(c, JSON_FILTER, "is too long");
}
