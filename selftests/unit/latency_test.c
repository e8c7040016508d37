// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the rule that who counts outstanding requests counts the responses to divide by, too. */
#include "core_helpers.h"
#include "kmod/core/latency.h"

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
#define GOOD		(-1)

static const struct {
	int line;
	const char *cpu;
	u32 nr;
	struct acrpmu_event_attr events[4];
	int event;	/* the one refused, or GOOD */
	u64 limit;	/* what its partner must have */
	const char *what;
} cases[] = {
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_1(DATA_RD | ANY_RESPONSE) },
	  GOOD, 0, "a pair" },
	{ __LINE__, "goldmont", 3, { EV(0xc0, 0, 0, USER), RSP_1(DATA_RD | ANY_RESPONSE),
				     RSP_0(DATA_RD | OUTSTANDING) },
	  GOOD, 0, "in any order, with others" },
	{ __LINE__, "goldmontplus", 1, { RSP_0(DATA_RD | OUTSTANDING) },
	  0, DATA_RD | ANY_RESPONSE, "alone, on Goldmont Plus" },
	{ __LINE__, "goldmont", 1, { RSP_0(RFO | DATA_RD | OUTSTANDING) },
	  0, RFO | DATA_RD | ANY_RESPONSE, "alone" },
	{ __LINE__, "goldmont", 2, { EV(0xc0, 0, 0, USER), RSP_0(0x8000 | OUTSTANDING) },
	  1, 0x8000 | ANY_RESPONSE, "beside an event of another kind" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_1(RFO | ANY_RESPONSE) },
	  0, DATA_RD | ANY_RESPONSE, "other requests" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     RSP_1(DATA_RD | RFO | ANY_RESPONSE) },
	  0, DATA_RD | ANY_RESPONSE, "one request too many" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_1(DATA_RD | 1ULL << 18) },
	  0, DATA_RD | ANY_RESPONSE, "some responses only" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     RSP_1(DATA_RD | ANY_RESPONSE | 1ULL << 33) },
	  0, DATA_RD | ANY_RESPONSE, "a snoop result besides" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING), RSP_0(DATA_RD | ANY_RESPONSE) },
	  0, DATA_RD | ANY_RESPONSE, "a partner by the event of the same register" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | ANY_RESPONSE | OUTSTANDING),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  0, DATA_RD | ANY_RESPONSE, "a response bit beside OUTSTANDING" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING | 1ULL << 37),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  0, DATA_RD | ANY_RESPONSE, "a snoop bit beside OUTSTANDING" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | OUTSTANDING),
				     EV(0x2b7, 0, DATA_RD | ANY_RESPONSE, USER | KERNEL) },
	  0, DATA_RD | ANY_RESPONSE, "other levels" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, EDGE, DATA_RD | OUTSTANDING, USER),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  0, DATA_RD | ANY_RESPONSE, "edge with one only" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, CMASK(1), DATA_RD | OUTSTANDING, USER),
				     EV(0x2b7, CMASK(2), DATA_RD | ANY_RESPONSE, USER) },
	  0, DATA_RD | ANY_RESPONSE, "other counter masks" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, CMASK(1), DATA_RD | OUTSTANDING, USER),
				     EV(0x2b7, CMASK(1), DATA_RD | ANY_RESPONSE, USER) },
	  0, DATA_RD | ANY_RESPONSE, "cycles with a request under way are no sum of latencies" },
	{ __LINE__, "goldmont", 2, { EV(0x1b7, EDGE | CMASK(1), DATA_RD | OUTSTANDING, USER),
				     EV(0x2b7, EDGE | CMASK(1), DATA_RD | ANY_RESPONSE, USER) },
	  0, DATA_RD | ANY_RESPONSE, "nor are bursts of requests" },
	{ __LINE__, "goldmont", 2, { RSP_0(OUTSTANDING), RSP_1(ANY_RESPONSE) },
	  0, ANY_RESPONSE, "no request at all" },
	{ __LINE__, "goldmont", 3, { RSP_0(DATA_RD | OUTSTANDING), RSP_0(RFO | OUTSTANDING),
				     RSP_1(DATA_RD | ANY_RESPONSE) },
	  1, RFO | ANY_RESPONSE, "the second of two without its own" },
	{ __LINE__, "goldmont", 2, { RSP_0(DATA_RD | ANY_RESPONSE), RSP_1(RFO | ANY_RESPONSE) },
	  GOOD, 0, "responses only" },
	{ __LINE__, "clearwaterforest", 1, { RSP_0(DATA_RD | OUTSTANDING) },
	  GOOD, 0, "bit 38 is a response on later cores" },
	{ __LINE__, "tremont", 1, { RSP_0(DATA_RD | 1ULL << 63) },
	  GOOD, 0, "their bit 63 counts by itself" },
};

int main(void)
{
	unsigned int i;

	plan(0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct acrpmu_caps caps = caps_of(cases[i].cpu);
		struct acrpmu_group group = group_of(cases[i].events, cases[i].nr);
		struct acrpmu_error error;
		int ret;

		memset(&error, 0x55, sizeof(error));
		ret = acrpmu_latency_check(&group, &caps, &error);
		if (cases[i].event == GOOD) {
			ok(!ret && error.reason == 0x55555555, "line %d: %s: granted",
			   cases[i].line, cases[i].what);
			continue;
		}
		ok(ret == -EINVAL && error.reason == ACRPMU_REASON_EXTRA_LATENCY &&
		   error.event == cases[i].event && error.limit == cases[i].limit &&
		   error.value == cases[i].events[cases[i].event].extra_value,
		   "line %d: %s: refused, event %d, value 0x%llx, limit 0x%llx", cases[i].line,
		   cases[i].what, error.event, error.value, error.limit);
	}
	return done();
}
