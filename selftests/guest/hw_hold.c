// SPDX-License-Identifier: GPL-2.0-only
/* Keeps a sampling session open for shell tests, on all CPUs or on one: hw_hold [CPU]. */
#include "../hw/work.h"
#include "../hw/records.h"
#include <stdlib.h>

/*
 * Prints "ready" once it samples, then waits until its input is closed. Exits 0 if the books
 * balance, 2 if it was refused. Kernel level and a high rate, so that whoever acknowledges a PMI of
 * ours has every chance to.
 */
int main(int argc, char **argv)
{
	struct session s;
	char byte;
	int ret;

	if (argc > 1 && pin_to(0, atoi(argv[1])))
		return 2;
	session_cpus(&s, argc > 1 ? 1ULL << atoi(argv[1]) :
					(1ULL << sysconf(_SC_NPROCESSORS_ONLN)) - 1);
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
