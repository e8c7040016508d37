// SPDX-License-Identifier: GPL-2.0-only
/* Tests of average latency: outstanding requests need the event that counts their responses. */
#include <errno.h>

#include "core_helpers.h"
#include "userspace/lib/latency.h"
#include "userspace/lib/runnable.h"

#define OUTSTANDING	(1ULL << 38)
#define ANY_RESPONSE	(1ULL << 16)
#define DATA_RD		0x1ULL
#define RFO		0x2ULL
#define EDGE		(1ULL << 18)
#define CMASK(n)	((u64)(n) << 24)

#define EV(code, bits, value, level) \
	{ .config = (code) | (bits), .extra_value = (value), .flags = (level) | COUNT }
#define RSP_0(value)	EV(0x1b7, 0, value, USER)
#define RSP_1(value)	EV(0x2b7, 0, value, USER)
#define ALONE		"outstanding-alone"
#define BITS		"outstanding-bits"
#define MODIFIERS	"outstanding-modifiers"
#define COLUMN(event)	(7 * ((event) + 1))	/* where the events of a group are said to begin */
#define STRING		3			/* in which string */

static const struct {
	int line;
	const char *cpu;
	u32 nr;
	struct acrpmu_event_attr events[4];
	const char *code;	/* of the refusal; NULL: accepted */
	unsigned int event;	/* the one refused */
	u64 partner;		/* extra value that its partner must have */
	const char *what;
} cases[] = {
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_1(DATA_RD | ANY_RESPONSE) },
	  NULL, 0, 0, "a pair" },
	{ __LINE__, "goldmont", 3, { EV(0xc0, 0, 0, USER), RSP_1(DATA_RD | ANY_RESPONSE),
				     RSP_0(DATA_RD | OUTSTANDING) },
	  NULL, 0, 0, "in any order, with others" },
	{ __LINE__, "goldmontplus", 1, { RSP_0(DATA_RD | OUTSTANDING) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "alone, on Goldmont Plus" },
	{ __LINE__, "goldmont", 1, { RSP_0(RFO | DATA_RD | OUTSTANDING) },
	  ALONE, 0, RFO | DATA_RD | ANY_RESPONSE, "alone" },
	{ __LINE__, "goldmont", 2, { EV(0xc0, 0, 0, USER), RSP_0(0x8000 | OUTSTANDING) },
	  ALONE, 1, 0x8000 | ANY_RESPONSE, "beside an event of another kind" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_1(RFO | ANY_RESPONSE) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "other requests" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     RSP_1(DATA_RD | RFO | ANY_RESPONSE) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "one request too many" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_1(DATA_RD | 1ULL << 18) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "some responses only" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     RSP_1(DATA_RD | ANY_RESPONSE | 1ULL << 33) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "a snoop result in addition" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_0(DATA_RD | ANY_RESPONSE) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "a partner by the event of the same register" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | ANY_RESPONSE | OUTSTANDING),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  BITS, 0, DATA_RD | ANY_RESPONSE, "a response bit beside OUTSTANDING" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING | 1ULL << 37),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  BITS, 0, DATA_RD | ANY_RESPONSE, "a snoop bit beside OUTSTANDING" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     EV(0x2b7, 0, DATA_RD | ANY_RESPONSE, USER | KERNEL) },
	  ALONE, 0, DATA_RD | ANY_RESPONSE, "other levels" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, EDGE, DATA_RD | OUTSTANDING, USER),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  MODIFIERS, 0, DATA_RD | ANY_RESPONSE, "edge with one only" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, CMASK(1), DATA_RD | OUTSTANDING, USER),
				     EV(0x2b7, CMASK(2), DATA_RD | ANY_RESPONSE, USER) },
	  MODIFIERS, 0, DATA_RD | ANY_RESPONSE, "other counter masks" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, CMASK(1), DATA_RD | OUTSTANDING, USER),
				     EV(0x2b7, CMASK(1), DATA_RD | ANY_RESPONSE, USER) },
	  MODIFIERS, 0, DATA_RD | ANY_RESPONSE, "counting cycles with a request under way" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, EDGE | CMASK(1), DATA_RD | OUTSTANDING, USER),
				     EV(0x2b7, EDGE | CMASK(1), DATA_RD | ANY_RESPONSE, USER) },
	  MODIFIERS, 0, DATA_RD | ANY_RESPONSE, "counting bursts of requests" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     EV(0x2b7, CMASK(1), DATA_RD | ANY_RESPONSE, USER) },
	  MODIFIERS, 1, DATA_RD | ANY_RESPONSE, "a counter mask of the responses" },
	{ __LINE__, "goldmont", 2, { RSP_0(OUTSTANDING), RSP_1(ANY_RESPONSE) },
	  BITS, 0, ANY_RESPONSE, "no request at all" },
	{ __LINE__, "goldmont", 3, { RSP_0(DATA_RD | OUTSTANDING), RSP_0(RFO | OUTSTANDING),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  ALONE, 1, RFO | ANY_RESPONSE, "the second of two without its own" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | ANY_RESPONSE), RSP_1(RFO | ANY_RESPONSE) },
	  NULL, 0, 0, "responses only" },
	{ __LINE__, "clearwaterforest", 1, { RSP_0(DATA_RD | OUTSTANDING) },
	  NULL, 0, 0, "bit 38 is a response on later cores" },
	{ __LINE__, "tremont", 1, { RSP_0(DATA_RD | 1ULL << 63) },
	  NULL, 0, 0, "their bit 63 counts by itself" },
};

static void fill_group(struct spec_group *group, const struct acrpmu_event_attr *events, u32 nr)
{
	u32 i;

	acrpmu_spec_clear_group(group);
	for (i = 0; i < nr; i++) {
		if (!acrpmu_spec_add_event(group))
			abort();
		group->ev[i].pub.attr = events[i];
		group->ev[i].pub.name = "event";
		group->ev[i].pub.cpu = "";
		group->ev[i].pub.string = STRING;
		group->ev[i].pub.column = COLUMN(i);
		group->ev[i].given = SPEC_GIVEN_EXTRA;
	}
}

/* The partner makes a pair with the event, unless that could have none. */
static bool partner_suits(unsigned int i)
{
	const struct acrpmu_event_attr *refused = &cases[i].events[cases[i].event];
	const struct acrpmu_event_attr partner = EV(0x2b7, 0, cases[i].partner, refused->flags);

	return acrpmu_latency_is_pair(refused, &partner) == !strcmp(cases[i].code, ALONE);
}

int main(void)
{
	static struct spec_group group;
	struct spec_group *groups[] = { &group };
	const struct acrpmu_spec spec = { .groups = groups, .nr = 1 };
	unsigned int i;

	plan(0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct acrpmu_message message;
		int err;

		fill_group(&group, cases[i].events, cases[i].nr);
		memset(&message, 0x55, sizeof(message));
		err = acrpmu_spec_check_runnable(&spec, 0, cases[i].cpu, &message);
		if (!cases[i].code) {
			ok(!err && !*message.code, "line %d: %s: accepted", cases[i].line,
			   cases[i].what);
			continue;
		}
		ok(err == -EINVAL && !strcmp(message.code, cases[i].code) &&
		   message.string == STRING && message.column == COLUMN(cases[i].event),
		   "line %d: %s: refused, %s at column %u", cases[i].line, cases[i].what,
		   message.code, message.column);
		ok(partner_suits(i), "line %d: %s: the partner it lacks", cases[i].line,
		   cases[i].what);
	}
	acrpmu_spec_clear_group(&group);
	return done();
}
