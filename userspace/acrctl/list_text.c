// SPDX-License-Identifier: GPL-2.0-only
/* acrctl list: events as text, by topic: what each counts, its encoding, its counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/event.h"
#include "../../kmod/core/types.h"
#include "list.h"
#include "pager.h"

#define INDENT		"        "
#define TERMS_LEN	96
#define CNTRS_LEN	192

typedef unsigned long long ull;

/* Lines of whole words, as wide as the terminal. */
static void print_wrapped(const char *text, unsigned int columns)
{
	unsigned int room = columns - strlen(INDENT), used = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (used && used + 1 + len > room) {
			putchar('\n');
			used = 0;
		}
		printf("%s%.*s", used ? " " : INDENT, (int)len, text);
		used += (used ? 1 : 0) + len;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/* perf's own names have no terms of their own. */
static const char *terms_of(const struct acrpmu_named *named, char buf[TERMS_LEN])
{
	struct acrpmu_event_fields fields;
	int n;

	if (*named->terms)
		return named->terms;
	acrpmu_event_split(named->config, &fields);
	n = snprintf(buf, TERMS_LEN, "event=0x%x", fields.select);
	if (fields.umask)
		n += snprintf(buf + n, TERMS_LEN - n, ",umask=0x%x", fields.umask);
	if (named->extra_msr)
		snprintf(buf + n, TERMS_LEN - n, ",offcore_rsp=0x%llx", (ull)named->extra_value);
	return buf;
}

/* "GP0-7 FIXED0" */
static void print_cntrs(const char *before, __u64 cntrs)
{
	unsigned int i, last;

	fputs(before, stdout);
	for (i = 0; i < ACRPMU_CNTRS_MAX; i = last + 1) {
		bool fixed = i >= ACRPMU_FIXED_BASE;
		unsigned int base = fixed ? ACRPMU_FIXED_BASE : 0;

		last = i;
		if (!(cntrs & BIT_ULL(i)))
			continue;
		while (last + 1 < (fixed ? ACRPMU_CNTRS_MAX : ACRPMU_FIXED_BASE) &&
		       cntrs & BIT_ULL(last + 1))
			last++;
		printf(" %s%u", fixed ? "FIXED" : "GP", i - base);
		if (last > i)
			printf("-%u", last - base);
	}
}

static void print_use(const struct list *list, const struct acrpmu_named *named)
{
	fputs(INDENT, stdout);
	if (!*list->cpu.name) {
		printf("cannot be used: acrpmu does not know this CPU's registers\n");
		return;
	}
	if (named->flags & ACRPMU_NAMED_OTHER_PMU) {
		printf("cannot be used: counted by the PMU %s\n", named->pmu);
		return;
	}
	if (named->flags & ACRPMU_NAMED_PEBS) {
		printf("cannot be used: counts only as a precise event (PEBS)\n");
		return;
	}
	if (named->flags & ACRPMU_NAMED_EXTRA) {
		printf("cannot be used: needs the extra register 0x%x\n", named->extra_msr);
		return;
	}
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

	printf("  %s%s\n", named->name,
	       named->flags & ACRPMU_NAMED_DEPRECATED ? "  (deprecated)" : "");
	if (*named->desc)
		print_wrapped(named->desc, columns);
	printf(INDENT "%s/%s/  config 0x%llx", named->pmu, terms_of(named, terms),
	       (ull)named->config);
	if (named->extra_msr)
		printf(", MSR 0x%x 0x%llx", named->extra_msr, (ull)named->extra_value);
	putchar('\n');
	print_use(list, named);
}

/* perf's own names first, then by topic and name. */
static int compare(const void *a, const void *b)
{
	const struct acrpmu_named *x = a, *y = b;
	bool own_x = x->flags & ACRPMU_NAMED_GENERIC, own_y = y->flags & ACRPMU_NAMED_GENERIC;
	int diff = own_y - own_x;

	if (!diff)
		diff = strcmp(x->topic, y->topic);
	if (!diff && !own_x)
		diff = strcasecmp(x->name, y->name);
	/* qsort() keeps no order: perf's own are in one array of pointers that grow */
	return diff ? diff : (x->name > y->name) - (x->name < y->name);
}

static void print_head(const struct list *list)
{
	const struct acrpmu_events *events = list->names.events;
	const char *source = acrpmu_events_source(events);

	if (*list->cpu.name)
		printf("%s (%s)%s%s", list->cpu.name, list->cpu.core,
		       *acrpmu_events_cpuid(events) ? ", " : "", acrpmu_events_cpuid(events));
	else
		printf("%s", acrpmu_events_table(events));
	if (list->names.guessed)
		printf(", since this machine's CPU is not known; --pmu chooses");
	printf("\nevents: %s, %s%s\n", *acrpmu_events_table(events) ?
	       acrpmu_events_table(events) : "no table", *source ? "read from " : "built in",
	       source);
	if (*list->cpu.name && !(list->cpu.flags & ACRPMU_CPU_ACR))
		printf("no auto counter reload on this CPU\n");
}

/**
 * list_print_text() - print events as text
 * @list: the events; they are sorted
 */
void list_print_text(struct list *list)
{
	unsigned int columns = pager_columns(), i;
	struct pager pager;

	qsort(list->found, list->nr, sizeof(*list->found), compare);
	pager_begin(&pager);
	print_head(list);
	for (i = 0; i < list->nr; i++) {
		if (!i || strcmp(list->found[i].topic, list->found[i - 1].topic))
			printf("\n%s:\n", list->found[i].topic);
		print_event(list, &list->found[i], columns);
	}
	pager_end(&pager);
}
