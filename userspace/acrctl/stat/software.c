// SPDX-License-Identifier: GPL-2.0-only
/* Groups that software reloads: true counts, and what restarting took. */
#include <stdio.h>
#include <stdlib.h>

#include "stat.h"

/**
 * stat_has_count() - whether an event has a true count, which it has not if hardware reloads it
 */
bool stat_has_count(const struct stat *st, const struct acrpmu_spec_event *ev)
{
	return !ev->attr.acr_mask || st->kinds.reload == RELOAD_SOFTWARE;
}

/**
 * stat_has_overflows() - whether the overflows of an event reach software
 */
bool stat_has_overflows(const struct stat *st, unsigned int group, unsigned int event)
{
	return acrpmu_spec_event(st->spec, group, event)->attr.flags & ACRPMU_EVENT_SAMPLED ||
	       (st->kinds.reload == RELOAD_SOFTWARE && reload_is_cause(st->spec, group, event));
}

/**
 * stat_software_add() - add what was read at the end of a run
 */
void stat_software_add(struct stat *st, unsigned int group)
{
	struct stat_group *g = &st->groups[group];
	unsigned int i;

	g->software.quiet += g->read.quiet;
	g->software.dropped += g->read.dropped;
	for (i = 0; i < g->nr_events; i++)
		g->software.outside[i] += g->outside[i];
}

/**
 * stat_software_remark() - what restarting the events of a group took
 *
 * Return: the sentence, which the caller frees; NULL: out of memory.
 */
char *stat_software_remark(const struct stat *st, unsigned int group)
{
	const struct stat_software *s = &st->groups[group].software;
	const char *before = "; outside of windows: ";
	char *text = NULL;
	unsigned int i;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	fprintf(f, "software restarted '%s': %llu interrupts without a sample, %llu overflows "
		"dropped", acrpmu_spec_text(st->spec, group), s->quiet, s->dropped);
	for (i = 0; i < st->groups[group].nr_events; i++) {
		if (!reload_is_cause(st->spec, group, i))
			continue;
		fprintf(f, "%s%llu x %s", before, s->outside[i],
			acrpmu_spec_event(st->spec, group, i)->name);
		before = ", ";
	}
	fclose(f);
	return text;
}
