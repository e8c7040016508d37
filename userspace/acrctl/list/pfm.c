// SPDX-License-Identifier: GPL-2.0-only
/* acrctl list: libpfm's names as text: each event with its unit masks by category. */
#include <stdio.h>
#include <string.h>

#include "../terminal.h"
#include "list.h"

static const char *const headings[] = {
	[ACRPMU_PFM_NONE] = "",
	[ACRPMU_PFM_PLAIN] = "unit masks",
	[ACRPMU_PFM_REQUEST] = "requests",
	[ACRPMU_PFM_RESPONSE] = "responses",
	[ACRPMU_PFM_SNOOP] = "snoops",
	[ACRPMU_PFM_LATENCY] = "average latency",
};

#define EVENT_INDENT	"        "
#define UMASK_INDENT	"            "

/* What follows the colon of a description: the names that an alias is made of. */
static const char *parts_of(const struct acrpmu_pfm_event *pfm)
{
	const char *colon = strstr(pfm->desc, ": ");

	return colon ? colon + strlen(": ") : NULL;
}

static bool is_same_event(const struct acrpmu_pfm_event *a, const struct acrpmu_pfm_event *b)
{
	return !strcmp(a->event, b->event);
}

/* Whether all unit masks of an event count on the same counters; @i: the first of them. */
static bool shares_cntrs(const struct list *list, unsigned int i)
{
	const struct acrpmu_pfm_event *first = &list->pfm[i];

	for (; i < list->nr_pfm && is_same_event(first, &list->pfm[i]); i++) {
		if (list->pfm[i].named.cntrs != first->named.cntrs)
			return false;
	}
	return true;
}

static void print_event(const struct list *list, unsigned int i)
{
	const struct acrpmu_pfm_event *pfm = &list->pfm[i];

	/* without the unit mask */
	printf("  %.*s\n", (int)(strstr(pfm->name, pfm->event) - pfm->name +
	       strlen(pfm->event)), pfm->name);
	if (pfm->category == ACRPMU_PFM_NONE)
		printf("        config 0x%llx\n", pfm->named.config);
	else if (pfm->named.extra_msr)
		printf("        config 0x%llx, MSR 0x%x\n", pfm->named.config,
		       pfm->named.extra_msr);
	if (shares_cntrs(list, i))
		list_print_use(EVENT_INDENT, list, &pfm->named);
}

static void print_umask(const struct acrpmu_pfm_event *pfm, unsigned int columns)
{
	const char *parts = parts_of(pfm), *standard = pfm->standard ? "  (default)" : "";

	printf("          %-35s  ", pfm->umask);
	if (pfm->bits)
		printf("0x%llx%s\n", pfm->bits, standard);
	else
		printf("config 0x%llx%s\n", pfm->named.config, standard);
	if (parts)
		terminal_print_wrapped(UMASK_INDENT, parts, columns);
}

/**
 * list_print_pfm() - print libpfm's names as text
 */
void list_print_pfm(const struct list *list, unsigned int columns)
{
	unsigned int i, first = 0;

	if (list->nr_pfm)
		printf("\n" ACRPMU_PFM_TOPIC ":\n");
	for (i = 0; i < list->nr_pfm; i++) {
		const struct acrpmu_pfm_event *pfm = &list->pfm[i];

		if (!i || !is_same_event(pfm, pfm - 1)) {
			print_event(list, i);
			first = i;
		}
		if (pfm->category == ACRPMU_PFM_NONE)
			continue;
		if (i == first || pfm[-1].category != pfm->category)
			printf("        %s:\n", headings[pfm->category]);
		print_umask(pfm, columns);
		if (!shares_cntrs(list, first))
			list_print_use(UMASK_INDENT, list, &pfm->named);
	}
}
