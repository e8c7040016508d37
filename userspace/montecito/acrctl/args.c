// SPDX-License-Identifier: GPL-2.0-only
/* Montecito's options, kept until the CPU is known, and the check that it is Montecito. */
#include <stdlib.h>
#include <string.h>

#include "args.h"

#define CPUID_FAMILY	"GenuineIntel-32-"	/* vendor and family */

const char montecito_usage[] =
"With --pmu montecito, EVENTS are EVENT[:UMASK...][,thres=N][,plm=LEVELS][,FLAG...], and there are\n"
"more options:\n"
"\n"
"      --plm LEVELS     default privilege levels: u, k, uk, or a number with bit n for level n\n"
"                       (default uk)\n"
"      --system-wide    count on a CPU, not in a thread\n"
"      --unavailable N,N-M   PMCs that must not be used\n"
"      --opcm1 TERMS    opcode matcher 1 (--opcm2: 2): match=N, mask=N, slots=mifb or none\n"
"      --iear TERMS     instruction EAR: mode=cache or tlb, umask=N, plm=LEVELS\n"
"      --dear TERMS     data EAR: mode=cache, tlb or alat, umask=N, plm=LEVELS\n"
"      --etb TERMS      execution trace buffer: tm=, ptm=, ppm=, brt=, ds=, plm=LEVELS\n"
"      --ipear TERMS    trace buffer of retired instructions: delay=N, plm=LEVELS\n"
"      --irange START-END[,plm=LEVELS]   only code in the range, or START+SIZE; up to four times\n"
"      --drange START-END[,plm=LEVELS]   only data in the range\n"
"      --irange-flags FLAGS   inv, no-fine, demand, prefetch, separated by commas\n"
"      --drange-flags FLAGS   the same; inv is refused, the others have no effect\n"
"\n"
"TERMS are separated by commas; '" MONTECITO_DEFAULT "' stands for none. For all terms\n"
"and flags see acrctl-montecito(1).\n";

const struct option montecito_options[] = {
	{ "plm", required_argument, NULL, MONTECITO_PLM },
	{ "system-wide", no_argument, NULL, MONTECITO_SYSTEM_WIDE },
	{ "unavailable", required_argument, NULL, MONTECITO_UNAVAILABLE },
	{ "opcm1", required_argument, NULL, MONTECITO_OPCM1 },
	{ "opcm2", required_argument, NULL, MONTECITO_OPCM2 },
	{ "iear", required_argument, NULL, MONTECITO_IEAR },
	{ "dear", required_argument, NULL, MONTECITO_DEAR },
	{ "etb", required_argument, NULL, MONTECITO_ETB },
	{ "ipear", required_argument, NULL, MONTECITO_IPEAR },
	{ "irange", required_argument, NULL, MONTECITO_IRANGE },
	{ "drange", required_argument, NULL, MONTECITO_DRANGE },
	{ "irange-flags", required_argument, NULL, MONTECITO_IRANGE_FLAGS },
	{ "drange-flags", required_argument, NULL, MONTECITO_DRANGE_FLAGS },
	{ 0 }
};

/* Keep an option and its argument, optarg, until the CPU is known; return -1, or an exit status. */
int montecito_args_add(struct montecito_args *args, int option)
{
	struct montecito_arg *more = reallocarray(args->arg, args->nr + 1, sizeof(*more));
	char *copy = strdup(optarg ? optarg : "");

	if (more)
		args->arg = more;
	if (!more || !copy) {
		free(copy);
		return output_no_memory("encode");
	}
	args->arg[args->nr++] = (struct montecito_arg){ option, copy };
	return -1;
}

/* Free all options. */
void montecito_args_free(struct montecito_args *args)
{
	while (args->nr)
		free(args->arg[--args->nr].text);
	free(args->arg);
	args->arg = NULL;
}

/* Return the name of an enum montecito_option, with its dashes. */
const char *montecito_option_name(int option)
{
	static const char *const names[] = {
		"--plm", "--system-wide", "--unavailable", "--opcm1", "--opcm2", "--iear", "--dear",
		"--etb", "--ipear", "--irange", "--drange", "--irange-flags", "--drange-flags",
	};

	return names[option - MONTECITO_PLM];
}

/*
 * Check whether a command line is for Montecito: by --pmu, else by ACRCTL_CPUID, where the family
 * decides, else by the prefix of one of @nr events or patterns.
 */
bool montecito_is_chosen(const struct names *names, char *const *words, unsigned int nr)
{
	const char *cpuid = getenv(NAMES_CPUID_ENV), *pmu = names->pmu;

	if (pmu)
		return names_is_montecito(pmu, strlen(pmu));
	if (cpuid && *cpuid)
		return !strncmp(cpuid, CPUID_FAMILY, strlen(CPUID_FAMILY));
	while (nr) {
		if (names_montecito_prefix(words[--nr]))
			return true;
	}
	return false;
}
