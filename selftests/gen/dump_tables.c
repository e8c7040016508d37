// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the tables of a C file that jevents made, one event per line, for comparison; with a CPUID
 * string and CPUID.1AH:EAX the name of that core's table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_table.h"

static unsigned long long term(const char *terms, const char *name)
{
	const char *at = strstr(terms, name);

	return at ? strtoull(at + strlen(name), NULL, 0) : 0;
}

/* The config word of an uncore unit is not compared: only its terms count. */
static void print_row(const struct event_table *table, const struct event_row *row)
{
	const char *terms = table->text + row->terms, *pmu = table->text + row->pmu;

	printf("%s\t%s\t%s\t%s\t", table->name, table->text + row->name, pmu,
	       table->text + row->topic);
	if (strncmp(pmu, "uncore_", 7))
		printf("%llu", (unsigned long long)row->config);
	else
		printf("-");
	printf("\t%llu\t%llu\t%#llx\t%u\t%llu\t%u\t%d\t%d\n", term(terms, "event="),
	       term(terms, "umask="), (unsigned long long)row->extra, row->extra_msr,
	       (unsigned long long)row->period, row->gp_cntrs,
	       row->fixed == EVENT_NO_FIXED ? -1 : row->fixed, row->flags & EVENT_DEPRECATED);
}

static int print_table_of(const char *cpuid, const char *core_type)
{
	const struct event_table *table = event_maps_find(&acrpmu_builtin_events, cpuid,
							  strtoul(core_type, NULL, 0));

	return table && puts(table->name) >= 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	const struct event_maps *maps = &acrpmu_builtin_events;
	unsigned int i, j;

	if (argc == 3)
		return print_table_of(argv[1], argv[2]);
	for (i = 0; i < maps->nr_tables; i++) {
		for (j = 0; j < maps->tables[i]->nr; j++)
			print_row(maps->tables[i], &maps->tables[i]->rows[j]);
	}
	return fflush(stdout) ? 1 : 0;
}
