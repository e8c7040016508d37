// SPDX-License-Identifier: GPL-2.0-only
/* Runs a known number of user instructions: 6 times its argument, and its own start. */
#include "../hw/work.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	work_fast(argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000);
	return 0;
}
