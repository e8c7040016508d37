// SPDX-License-Identifier: GPL-2.0-only
/* When profiles are sent again, by a clock that the test sets. */
#include "tap.h"
#include "userspace/push/backoff.h"

#define MOST	0xffffffffU
#define START	1000000ULL

static void test_growth(void)
{
	static const __u64 longest_s[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300 };
	struct push_backoff least = { 0 }, most = { 0 };
	unsigned int i, wrong = 0;
	__u64 now = START;

	for (i = 0; i < sizeof(longest_s) / sizeof(*longest_s); i++) {
		push_backoff_failed(&most, now, 0, 0);
		push_backoff_failed(&least, now, 0, MOST);
		wrong += most.due_ms != now + longest_s[i] * 1000;
		wrong += least.due_ms < now + longest_s[i] * 500 ||
			 least.due_ms > now + longest_s[i] * 500 + 1;
		now = most.due_ms;
	}
	is_u64(wrong, 0, "waits double from 1 second to 5 minutes, and are cut by up to half");
	for (i = 0; i < 100; i++)
		push_backoff_failed(&most, START, 0, 0);
	is_u64(most.due_ms, START + 300000, "after many failures it is still 5 minutes");
	push_backoff_worked(&most);
	is_u64(most.due_ms, 0, "after a success nothing is waited for");
	push_backoff_failed(&most, START, 0, 0);
	is_u64(most.due_ms, START + 1000, "and waits begin at one second again");
}

static void test_asked(void)
{
	struct push_backoff b = { 0 };

	push_backoff_failed(&b, START, 120, MOST);
	ok(b.due_ms >= START + 120000 && b.due_ms <= START + 121000,
	   "a server that asks for 2 minutes gets them");
	push_backoff_hurry(&b, START);
	ok(b.due_ms >= START + 120000, "even when acrctl ends");
	push_backoff_failed(&b, START, 1ULL << 60, MOST);
	ok(b.due_ms >= START + 3600000 && b.due_ms <= START + 3602000,
	   "but no more than an hour");
	push_backoff_worked(&b);
	push_backoff_failed(&b, START, 0, 0);
	push_backoff_failed(&b, START, 0, 0);
	push_backoff_failed(&b, START, 1, 0);
	is_u64(b.due_ms, START + 4000, "less than it would wait anyway changes nothing");
	push_backoff_hurry(&b, START);
	is_u64(b.due_ms, START, "when acrctl ends, it tries again at once");
	push_backoff_failed(&b, START, 0, 0);
	is_u64(b.due_ms, START + 1000, "and then after a second");
}

static void test_verdicts(void)
{
	static const long retried[] = {
		0, 100, 301, 302, 307, 308, 401, 403, 404, 405, 407, 408, 409, 410, 425, 429, 500,
		502, 503, 504, 599,
	};
	static const long final[] = { 400, 413, 415, 422 };
	unsigned int i, wrong = 0;

	for (i = 0; i < sizeof(retried) / sizeof(*retried); i++)
		wrong += push_verdict(retried[i], true) != PUSH_RETRY;
	is_u64(wrong, 0, "what may change is tried again");
	for (i = 0; i < sizeof(final) / sizeof(*final); i++)
		wrong += push_verdict(final[i], true) != PUSH_REJECT;
	is_u64(wrong, 0, "what is about the profile is final");
	ok(push_verdict(200, true) == PUSH_DELIVERED && push_verdict(204, true) == PUSH_DELIVERED,
	   "2xx is success");
	ok(push_verdict(200, false) == PUSH_RETRY, "but not before all was sent");
}

int main(void)
{
	plan(0);
	test_growth();
	test_asked();
	test_verdicts();
	return done();
}
