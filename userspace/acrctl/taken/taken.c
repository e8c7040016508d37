// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that somebody else has taken from sessions, and by whom. */
#include "taken.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"

static bool is_same(const struct acrpmu_error *a, const struct acrpmu_error *b)
{
	return a->reason == b->reason && a->holder_pid == b->holder_pid &&
	       !strncmp(a->holder, b->holder, ACRPMU_COMM_LEN);
}

static struct taken_by *find(struct taken *t, const struct acrpmu_error *who)
{
	struct taken_by *by;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		if (is_same(&t->by[i].who, who))
			return &t->by[i];
	}
	by = reallocarray(t->by, t->nr + 1, sizeof(*by));
	if (!by)
		return NULL;
	t->by = by;
	by[t->nr] = (struct taken_by){ .who = *who };
	return &by[t->nr++];
}

/* A READ of one CPU interrupts all that the session holds: ask for this first, which does not. */
static bool holds(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !acrpmu_session_query_cpu(session, cpu, hw) && hw[0].cntr >= 0;
}

/* Out of memory, the CPU is not named.  One that is not the session's is refused. */
static void look_at(struct taken *t, struct acrpmu_session *session, int cpu)
{
	struct acrpmu_read read = { .size = sizeof(read) };
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct taken_by *by;

	if (cpu_list_has(&t->cpus, cpu) || holds(session, cpu) ||
	    acrpmu_session_read_outside(session, cpu, &read, counts, NULL) ||
	    !(read.state & ACRPMU_STATE_TAKEN))
		return;
	by = find(t, &read.taken);
	if (!by || cpu_list_add(&t->cpus, cpu))
		return;
	if (*t->message.text)
		cpu_list_add(&by->others, cpu);
	else
		acrpmu_session_taken(session, cpu, &t->message);
}

/**
 * taken_look() - find the CPUs that somebody else has taken since the last look, and acknowledge it
 * @cpus: those of a session of CPUs, or more; NULL: it is one of tasks, which has no loss by CPU
 */
void taken_look(struct taken *t, struct acrpmu_session *session, const struct cpu_list *cpus)
{
	bool first = !cpus && !*t->message.text;
	size_t i, before;

	if (acrpmu_session_taken(session, ACRPMU_CPU_ALL, first ? &t->message : NULL) <= 0 || !cpus)
		return;
	/* Asking for one also acknowledges what others have lost since. */
	do {
		before = t->cpus.nr;
		for (i = 0; i < cpus->nr; i++)
			look_at(t, session, cpus->cpus[i]);
	} while (t->cpus.nr > before);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* "CPUs 0-3,8 were" */
static void put_cpus(struct cpu_list *list, FILE *f)
{
	const int *cpus = list->cpus;
	size_t i, first;

	qsort(list->cpus, list->nr, sizeof(*cpus), compare);
	fputs(list->nr > 1 ? "CPUs " : "CPU ", f);
	for (i = 0; i < list->nr; i++) {
		for (first = i; i + 1 < list->nr && cpus[i + 1] == cpus[i] + 1;)
			i++;
		fprintf(f, "%s%d", first ? "," : "", cpus[first]);
		if (i > first)
			fprintf(f, "-%d", cpus[i]);
	}
	fputs(list->nr > 1 ? " were" : " was", f);
}

static void put_who(const struct acrpmu_error *who, FILE *f)
{
	const char *name = who->reason == ACRPMU_REASON_REGISTER ? "somebody else" :
			   *who->holder ? NULL : "the kernel's perf";
	size_t len = strnlen(who->holder, ACRPMU_COMM_LEN);

	fprintf(f, ", by %s", name ? name : acrpmu_message_word(who->holder, len).text);
	if (who->holder_pid > 0)
		fprintf(f, ", pid %d", who->holder_pid);
}

/**
 * taken_others() - describe the CPUs that were found after the first one, and since the last call
 *
 * Return: such as "CPUs 1-3,7 were taken as well", which the caller frees; NULL: none, or out of
 * memory.
 */
char *taken_others(struct taken *t)
{
	const char *separator = "";
	char *text = NULL;
	size_t i, size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < t->nr; i++) {
		if (!t->by[i].others.nr)
			continue;
		fputs(separator, f);
		put_cpus(&t->by[i].others, f);
		fputs(" taken as well", f);
		if (i)
			put_who(&t->by[i].who, f);
		separator = "; ";
		cpu_list_free(&t->by[i].others);
	}
	if (!fclose(f) && *separator)
		return text;
	free(text);
	return NULL;
}

/**
 * taken_free() - empty it
 */
void taken_free(struct taken *t)
{
	while (t->nr)
		cpu_list_free(&t->by[--t->nr].others);
	free(t->by);
	cpu_list_free(&t->cpus);
	*t = (struct taken){ 0 };
}
