/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that 'acrctl list' is asked for and has found, and printing them as text. */
#ifndef _ACRCTL_LIST_H
#define _ACRCTL_LIST_H

#include "../names.h"

/* What a command line asks for. */
struct list_wanted {
	char **patterns;		/* any may match; list_choose() may change them */
	unsigned int nr_patterns;	/* 0: any name */
	const char *topic;		/* NULL: any */
	bool json;
};

/* What 'acrctl list' prints. */
struct list {
	struct names names;
	struct acrpmu_cpu cpu;
	struct acrpmu_named *found;	/* of the table and perf's generic ones */
	unsigned int nr;
	struct acrpmu_pfm_event *pfm;
	unsigned int nr_pfm;
	bool whole;			/* all events were asked for */
};

const char *list_cpu_of_patterns(const struct list_wanted *wanted, char *word, size_t size);
int list_choose(struct list *list, const struct list_wanted *wanted,
		struct acrpmu_message *message);
int list_print_text(struct list *list);
void list_print_pfm(const struct list *list, unsigned int columns);
void list_print_use(const char *indent, const struct list *list,
		    const struct acrpmu_named *named);

#endif /* _ACRCTL_LIST_H */
