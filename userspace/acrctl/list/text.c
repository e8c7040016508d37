// SPDX-License-Identifier: GPL-2.0-only
/* acrctl list: events as text, by topic: what each counts, its encoding, its counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/extra_term.h"
#include "../../util/util.h"
#include "list.h"
#include "../terminal.h"

#define INDENT		"        "
#define TERMS_LEN	96
#define CNTRS_LEN	192
#define ANY_THREAD	BIT_ULL(21)	/* of a config word */

/* perf's generic names have no terms. */
static const char *terms_of(const struct acrpmu_named *named, char buf[TERMS_LEN])
{
	struct acrpmu_config_fields fields;
	int n;

	if (*named->terms)
		return named->terms;
	acrpmu_config_split(named->config, &fields);
	n = snprintf(buf, TERMS_LEN, "event=0x%x", fields.select);
	if (fields.umask)
		n += snprintf(buf + n, TERMS_LEN - n, ",umask=0x%x", fields.umask);
	if (named->extra_msr)
		snprintf(buf + n, TERMS_LEN - n, ",%s=0x%llx", acrpmu_extra_term(named->extra_msr),
			 named->extra_value);
	return buf;
}

/* "GP0-7 FIXED0" */
static void print_cntrs(const char *before, __u64 cntrs)
{
	unsigned int i, last;

	fputs(before, stdout);
	for (i = 0; i < ACRPMU_CNTR_BITS; i = last + 1) {
		bool fixed = i >= ACRPMU_FIXED_BASE;
		unsigned int base = fixed ? ACRPMU_FIXED_BASE : 0;

		last = i;
		if (!(cntrs & BIT_ULL(i)))
			continue;
		while (last + 1 < (fixed ? ACRPMU_CNTR_BITS : ACRPMU_FIXED_BASE) &&
		       cntrs & BIT_ULL(last + 1))
			last++;
		printf(" %s%u", fixed ? "FIXED" : "GP", i - base);
		if (last > i)
			printf("-%u", last - base);
	}
}

/* Why an event that has one of these cannot be used. */
static const struct {
	__u32 flag;
	const char *why;
} reasons[] = {
	{ ACRPMU_NAMED_LACKING, "CPUID leaf 0xa says that this CPU lacks it" },
	{ ACRPMU_NAMED_BITS, "this CPU's event select lacks some of its bits" },
	{ ACRPMU_NAMED_NO_CNTR, "no counter of this CPU counts it" },
};

/* Returns whether it cannot be used. */
static bool print_reason(const struct list *list, const struct acrpmu_named *named)
{
	unsigned int i;

	if (!*list->cpu.name)
		return printf("cannot be used: acrpmu does not know this CPU's registers\n");
	if (named->flags & ACRPMU_NAMED_OTHER_PMU)
		return printf("cannot be used: counted by the PMU %s\n", named->pmu);
	if (named->flags & ACRPMU_NAMED_BITS && named->config & ANY_THREAD)
		return printf("cannot be used: counts for all hardware threads of a core\n");
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (named->flags & reasons[i].flag)
			return printf("cannot be used: %s\n", reasons[i].why);
	}
	if (named->flags & ACRPMU_NAMED_EXTRA)
		return printf("cannot be used: needs the extra register 0x%x\n", named->extra_msr);
	return false;
}

/**
 * list_print_use() - print which counters an event can use, or why it cannot be used
 */
void list_print_use(const char *indent, const struct list *list, const struct acrpmu_named *named)
{
	fputs(indent, stdout);
	if (print_reason(list, named))
		return;
	print_cntrs("counters", named->cntrs);
	if (list->cpu.flags & ACRPMU_CPU_ACR) {
		print_cntrs("; reloadable:", named->reloadable_cntrs);
		fputs(named->reloadable_cntrs ? "" : " no", stdout);
		print_cntrs("; cause:", named->cause_cntrs);
		fputs(named->cause_cntrs ? "" : " no", stdout);
	}
	putchar('\n');
}

static void print_event(const struct list *list, const struct acrpmu_named *named,
			unsigned int columns)
{
	char terms[TERMS_LEN];

	printf("  %s%s%s\n", named->name,
	       named->flags & ACRPMU_NAMED_DEPRECATED ? "  (deprecated)" : "",
	       named->flags & ACRPMU_NAMED_PEBS ? "  (needs PEBS: cannot be run)" : "");
	if (*named->desc)
		terminal_print_wrapped(INDENT, named->desc, columns);
	printf(INDENT "%s/%s/  config 0x%llx", named->pmu, terms_of(named, terms),
	       named->config);
	if (named->flags & ACRPMU_NAMED_OPEN)
		printf(", MSR 0x%x as given by %s=N", named->extra_msr,
		       acrpmu_extra_term(named->extra_msr));
	else if (named->extra_msr)
		printf(", MSR 0x%x 0x%llx", named->extra_msr, named->extra_value);
	putchar('\n');
	list_print_use(INDENT, list, named);
}

/* perf's generic names first, then by topic and name. */
static int compare(const void *a, const void *b)
{
	const struct acrpmu_named *x = a, *y = b;
	bool own_x = x->flags & ACRPMU_NAMED_GENERIC, own_y = y->flags & ACRPMU_NAMED_GENERIC;
	int diff = own_y - own_x;

	if (!diff)
		diff = strcmp(x->topic, y->topic);
	if (!diff && !own_x)
		diff = strcasecmp(x->name, y->name);
	/* qsort() is not stable; perf's generic names have ascending addresses */
	return diff ? diff : (x->name > y->name) - (x->name < y->name);
}

static void print_head(const struct list *list)
{
	const struct acrpmu_events *events = list->names.events;
	const char *source = acrpmu_events_source(events);
	const char *name = list->cpu.name, *table = acrpmu_events_table(events);
	struct acrpmu_pfm_event pfm;

	/* several CPUs share a row of the CPU table: head their own tables with their names */
	if (list->names.pmu && !strcasecmp(list->names.pmu, table))
		name = table;
	if (*list->cpu.name)
		printf("%s (%s)%s%s", name, list->cpu.core,
		       *acrpmu_events_cpuid(events) ? ", " : "", acrpmu_events_cpuid(events));
	else
		printf("%s", table);
	if (list->names.guessed)
		printf(", since this machine's CPU is not known; --pmu chooses");
	printf("\nevents: %s, %s%s\n", *table ? table : "no table",
	       *source ? "read from " : "built in", source);
	if (*list->cpu.name && !(list->cpu.flags & ACRPMU_CPU_ACR))
		printf("no auto counter reload on this CPU\n");
	if (list->whole && !acrpmu_events_get_pfm(events, 0, &pfm))
		printf("names as in libpfm: acrctl list %s::\n", list->cpu.short_name);
}

/**
 * list_print_text() - sort and print events as text
 *
 * Return: 0, or -ENOENT after a message if the pager could not be run.
 */
int list_print_text(struct list *list)
{
	unsigned int columns = terminal_columns(), i;
	struct terminal_pager pager;

	qsort(list->found, list->nr, sizeof(*list->found), compare);
	terminal_page_begin(&pager);
	print_head(list);
	for (i = 0; i < list->nr; i++) {
		if (!i || strcmp(list->found[i].topic, list->found[i - 1].topic))
			printf("\n%s:\n", list->found[i].topic);
		print_event(list, &list->found[i], columns);
	}
	list_print_pfm(list, columns);
	return terminal_page_end(&pager, "list");
}
