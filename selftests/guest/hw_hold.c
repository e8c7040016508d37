// SPDX-License-Identifier: GPL-2.0-only
/* Keeps a sampling session open on all CPUs for shell tests. */
#include "../hw/work.h"
#include "../hw/records.h"

/*
 * Prints "ready" once it samples, then waits until its input is closed. Exits 0 if the books
 * balance, 2 if it was refused. Kernel level and a high rate, so that whoever acknowledges a PMI of
 * ours has every chance to.
 */
int main(void)
{
	struct session s;
	char byte;
	int ret;

	session_cpus(&s, (1ULL << sysconf(_SC_NPROCESSORS_ONLN)) - 1);
	session_event(&s, EV_INSNS, USER | KERNEL | SAMPLED, 100000, 0);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, 20000, 0);
	ret = session_make(&s);
	if (ret) {
		printf("refused %d %s\n", ret, session_refusal(&s));
		return 2;
	}
	if (session_enable(&s))
		return 2;
	work_fast(1000000);
	printf("ready\n");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	if (session_finish(&s, NULL, NULL))
		return 2;
	printf("records %llu lost %llu throttled %llu discarded %llu\n", s.accounts.records,
	       s.accounts.lost, s.accounts.throttled, s.accounts.discarded);
	return session_accounted(&s) && s.records ? 0 : 1;
}
