/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that 'acrctl list' is asked for and has found, and how they are printed as text. */
#ifndef _ACRCTL_LIST_H
#define _ACRCTL_LIST_H

#include "../names.h"

/**
 * struct list_wanted - what a command line asks for
 * @patterns: patterns for names, any of which will do; list_choose() may change them
 * @nr_patterns: how many, 0: any name
 * @topic: topic, NULL: any
 * @json: whether to print JSON
 */
struct list_wanted {
	char **patterns;
	unsigned int nr_patterns;
	const char *topic;
	bool json;
};

/**
 * struct list - what 'acrctl list' prints
 * @names: the events of the CPU
 * @cpu: the CPU; without a name if it is not one of ours
 * @found: those events that were asked for
 * @nr: how many
 * @pfm: those names of libpfm that were asked for
 * @nr_pfm: how many
 * @whole: whether all events were asked for
 */
struct list {
	struct names names;
	struct acrpmu_cpu cpu;
	struct acrpmu_named *found;
	unsigned int nr;
	struct acrpmu_pfm_event *pfm;
	unsigned int nr_pfm;
	bool whole;
};

const char *list_cpu_of_patterns(const struct list_wanted *wanted, char *word, size_t size);
int list_choose(struct list *list, const struct list_wanted *wanted,
		struct acrpmu_message *message);
int list_print_text(struct list *list);
void list_print_pfm(const struct list *list, unsigned int columns);
void list_print_use(const char *indent, const struct list *list,
		    const struct acrpmu_named *named);

#endif /* _ACRCTL_LIST_H */
