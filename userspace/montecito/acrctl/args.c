// SPDX-License-Identifier: GPL-2.0-only
/* Montecito on the command line: its options as given, until the CPU is known. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "montecito.h"

const char montecito_usage[] =
"With --pmu montecito EVENTS are EVENT[:UMASK...][,thres=N][,plm=LEVELS][,FLAG...], and there are\n"
"\n"
"      --plm LEVELS     privilege levels of what has none of its own: u, k, uk, or a number with\n"
"                       bit n for level n (default uk)\n"
"      --system-wide    for a CPU and not for a thread\n"
"      --unavailable N,N-M   PMCs that must not be used\n"
"      --opcm1 TERMS    opcode matcher 1 (--opcm2: 2): match=N, mask=N, slots=mifb or none\n"
"      --iear TERMS     instruction EAR: mode=cache or tlb, umask=N, plm=LEVELS\n"
"      --dear TERMS     data EAR: mode=cache, tlb or alat, umask=N, plm=LEVELS\n"
"      --etb TERMS      execution trace buffer: tm=, ptm=, ppm=, brt=, ds=, plm=LEVELS\n"
"      --ipear TERMS    the buffer as a record of instructions: delay=N, plm=LEVELS\n"
"      --irange START-END[,plm=LEVELS]   only code in the range, or START+SIZE; up to four times\n"
"      --drange START-END[,plm=LEVELS]   only data in the range\n"
"      --irange-flags FLAGS   inv, no-fine, demand, prefetch, with commas between them\n"
"      --drange-flags FLAGS   the same; inv is refused, the others do nothing\n"
"\n"
"TERMS have commas between them; '" MONTECITO_DEFAULT "' stands for none. What\n"
"each means is in the documentation of Montecito.\n";

/**
 * montecito_args_add() - keep an option for when the CPU is known
 * @args: the options before it
 * @option: the option
 * @text: its argument, NULL: it takes none
 *
 * Return: 0 or -ENOMEM.
 */
int montecito_args_add(struct montecito_args *args, int option, const char *text)
{
	struct montecito_arg *more = reallocarray(args->arg, args->nr + 1, sizeof(*more));
	char *copy = strdup(text ? text : "");

	if (more)
		args->arg = more;
	if (!more || !copy) {
		free(copy);
		return -ENOMEM;
	}
	args->arg[args->nr++] = (struct montecito_arg){ option, copy };
	return 0;
}

/**
 * montecito_args_free() - free the options
 * @args: the options
 */
void montecito_args_free(struct montecito_args *args)
{
	while (args->nr)
		free(args->arg[--args->nr].text);
	free(args->arg);
	args->arg = NULL;
}

/**
 * montecito_option_name() - an option as it is written
 * @option: enum montecito_option
 *
 * Return: its name, with its dashes.
 */
const char *montecito_option_name(int option)
{
	static const char *const names[] = {
		"--plm", "--system-wide", "--unavailable", "--opcm1", "--opcm2", "--iear", "--dear",
		"--etb", "--ipear", "--irange", "--drange", "--irange-flags", "--drange-flags",
	};

	return names[option - MONTECITO_PLM];
}
