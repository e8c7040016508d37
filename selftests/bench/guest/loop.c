// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a loop of a fixed length.
 * usage: loop ROUNDS
 */
#include "../../hw/blocks.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	unsigned long rounds = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

	if (!rounds) {
		fprintf(stderr, "usage: loop ROUNDS\n");
		return 2;
	}
	loop_blocks(rounds);
	return 0;
}
