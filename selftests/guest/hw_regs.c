// SPDX-License-Identifier: GPL-2.0-only
/* Prints every PMU register of every CPU of the model, one per line, and which are counters. */
#include <stdio.h>

#include "../hw/regs.h"

static void print(unsigned int cpu, uint32_t msr, uint64_t value, void *data)
{
	printf("cpu%u %#x %#llx%s\n", cpu, msr, (unsigned long long)value,
	       regs_is_counter(msr) ? " counter" : "");
}

int main(void)
{
	if (!regs_each(print, NULL)) {
		fprintf(stderr, "hw_regs: this is not the model CPU\n");
		return 1;
	}
	return 0;
}
