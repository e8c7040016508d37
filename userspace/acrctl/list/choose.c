// SPDX-License-Identifier: GPL-2.0-only
/* acrctl list: the events that patterns and topic select, by perf's names and by libpfm's. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "list.h"

#define PREFIX_END	"::"	/* of a CPU, as libpfm writes it */

static const char *after_prefix(const char *name)
{
	const char *end = strstr(name, PREFIX_END);

	return end ? end + strlen(PREFIX_END) : NULL;
}

/* Read the CPU of "CPU::..." in lower case; false if there is none, or its name is too long. */
static bool read_prefix(const char *pattern, char *word, size_t size)
{
	const char *end = strstr(pattern, PREFIX_END);
	size_t i, len = end ? end - pattern : 0;

	if (!len || len >= size)
		return false;
	for (i = 0; i < len; i++)
		word[i] = tolower((unsigned char)pattern[i]);
	word[len] = 0;
	return true;
}

/**
 * list_cpu_of_patterns() - the CPU that a pattern names: "glm::" or "glm::ICACHE*"
 *
 * Return: @word, which holds its name, or NULL if no pattern names a known one.
 */
const char *list_cpu_of_patterns(const struct list_wanted *wanted, char *word, size_t size)
{
	struct acrpmu_cpu cpu;
	unsigned int i;

	for (i = 0; i < wanted->nr_patterns; i++) {
		if (read_prefix(wanted->patterns[i], word, size) && !acrpmu_cpu_by_name(word, &cpu))
			return word;
	}
	return NULL;
}

/* ---- libpfm's names ----------------------------------------------------------------------- */

static bool has_pfm(const struct list *list)
{
	struct acrpmu_pfm_event pfm;

	return !acrpmu_events_get_pfm(list->names.events, 0, &pfm);
}

/* The prefix of a pattern must name the CPU. */
static int check_prefix(const struct list *list, const char *pattern,
			struct acrpmu_message *message)
{
	struct message_word shown = acrpmu_message_word(pattern, strcspn(pattern, ":"));
	struct acrpmu_cpu cpu = { .name = MONTECITO_NAME };
	char word[ACRPMU_NAME_LEN];

	if (!after_prefix(pattern))
		return 0;
	if (!names_montecito_prefix(pattern) &&
	    (!read_prefix(pattern, word, sizeof(word)) || acrpmu_cpu_by_name(word, &cpu))) {
		acrpmu_message_text(message, "unknown-pmu", "there is no CPU '%s'", shown.text);
		acrpmu_message_hint(message, "before '" PREFIX_END "' stands a CPU: 'acrctl list "
				    "--pmu list' names those known");
		return -EINVAL;
	}
	if (!strcmp(cpu.name, list->cpu.name))
		return 0;
	acrpmu_message_text(message, "other-cpu", "'%s" PREFIX_END "' are names of %s, but the CPU "
			    "is %s", shown.text, cpu.name,
			    *list->cpu.name ? list->cpu.name : "another one");
	acrpmu_message_hint(message, "choose that CPU with --pmu %s", cpu.name);
	return -EINVAL;
}

/* On CPUs without libpfm's names, "cwf::EVENT:UMASK" is EVENT.UMASK of the table. */
static void use_table_names(const struct list_wanted *wanted)
{
	unsigned int i;
	char *c;

	for (i = 0; i < wanted->nr_patterns; i++) {
		const char *rest = after_prefix(wanted->patterns[i]);

		if (!rest)
			continue;
		wanted->patterns[i] += rest - wanted->patterns[i];
		for (c = wanted->patterns[i]; *c; c++)
			*c = *c == ':' ? '.' : *c;
	}
}

/* A pattern matches the name with or without its unit mask, and may have the prefix. */
static bool pfm_matches(const struct acrpmu_pfm_event *pfm, const char *pattern)
{
	const char *rest = after_prefix(pattern);

	if (rest && !*rest)
		return true;
	return names_match(after_prefix(pfm->name), rest ? rest : pattern) ||
	       names_match(pfm->event, rest ? rest : pattern);
}

static bool wants_topic(const struct list_wanted *wanted)
{
	return wanted->topic && !strcasecmp(wanted->topic, ACRPMU_PFM_TOPIC);
}

/* They are many, and name again what tables have: only by their topic or a pattern. */
static bool wants_pfm(const struct list_wanted *wanted, const struct acrpmu_pfm_event *pfm)
{
	unsigned int i;

	if (wanted->topic && !wants_topic(wanted))
		return false;
	for (i = 0; i < wanted->nr_patterns; i++) {
		/* programs that read JSON expect one kind of names */
		if (wanted->json && !wanted->topic && !after_prefix(wanted->patterns[i]))
			continue;
		if (pfm_matches(pfm, wanted->patterns[i]))
			return true;
	}
	return !wanted->nr_patterns && wanted->topic;
}

static int choose_pfm(struct list *list, const struct list_wanted *wanted)
{
	struct acrpmu_pfm_event one, *more;
	unsigned int i;
	int err = 0;

	for (i = 0; !err; i++) {
		err = acrpmu_events_get_pfm(list->names.events, i, &one);
		if (err || !wants_pfm(wanted, &one))
			continue;
		more = reallocarray(list->pfm, list->nr_pfm + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		list->pfm = more;
		list->pfm[list->nr_pfm++] = one;
	}
	/* only now, since reallocarray() moves them */
	for (i = 0; i < list->nr_pfm; i++) {
		list->pfm[i].named.name = list->pfm[i].name;
		list->pfm[i].named.desc = list->pfm[i].desc;
	}
	return err == -ENOENT ? 0 : err;
}

/* ---- names of the table, and perf's own ----------------------------------------------------- */

static bool wants(const struct list_wanted *wanted, const struct acrpmu_named *named)
{
	unsigned int i;

	if (wanted->topic && strcasecmp(wanted->topic, named->topic))
		return false;
	for (i = 0; i < wanted->nr_patterns; i++) {
		if (names_match(named->name, wanted->patterns[i]))
			return true;
	}
	return !wanted->nr_patterns;
}

static int choose_named(struct list *list, const struct list_wanted *wanted)
{
	unsigned int i, nr = acrpmu_events_nr(list->names.events);
	struct acrpmu_named named;

	list->found = calloc(nr ? nr : 1, sizeof(*list->found));
	if (!list->found)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (!acrpmu_events_get(list->names.events, i, &named) && wants(wanted, &named))
			list->found[list->nr++] = named;
	}
	return 0;
}

/**
 * list_choose() - find what a command line asks for, in the events that are open
 *
 * Return: 0, also if nothing is found; -EINVAL with a message about a pattern, or -ENOMEM.
 */
int list_choose(struct list *list, const struct list_wanted *wanted, struct acrpmu_message *message)
{
	unsigned int i;
	int err = 0;

	list->whole = !wanted->nr_patterns && !wanted->topic;
	for (i = 0; !err && i < wanted->nr_patterns; i++)
		err = check_prefix(list, wanted->patterns[i], message);
	if (err)
		return err;
	if (!has_pfm(list))
		use_table_names(wanted);
	err = choose_named(list, wanted);
	return err ? err : choose_pfm(list, wanted);
}
