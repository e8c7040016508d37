// SPDX-License-Identifier: GPL-2.0-only
/* Prints the time of the first look-up of a name in a process, and of later ones. */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../userspace/lib/acrpmu_lib.h"

#define ROUNDS	100000

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

/* usage: name_lookup CPUID NAME */
int main(int argc, char **argv)
{
	struct acrpmu_events_options options = { .size = sizeof(options) };
	double start, opened, found, again;
	struct acrpmu_events *events;
	struct acrpmu_named named;
	struct mallinfo2 before;
	size_t len, heap;
	int i, err = 0;

	if (argc != 3)
		return 2;
	options.cpuid = argv[1];
	len = strlen(argv[2]);
	start = now_us();
	if (acrpmu_events_open(&options, &events, NULL))
		return 1;
	opened = now_us();
	err = acrpmu_events_find(events, argv[2], len, &named);
	found = now_us();
	before = mallinfo2();
	for (i = 0; i < ROUNDS; i++)
		err |= acrpmu_events_find(events, argv[2], len, &named);
	again = now_us();
	heap = mallinfo2().uordblks - before.uordblks;
	printf("%.1f %.1f %.3f %zu\n", opened - start, found - opened, (again - found) / ROUNDS,
	       heap);
	acrpmu_events_close(events);
	return !!err;
}
