/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that 'acrctl list' has found, and how they are printed as text. */
#ifndef _ACRCTL_LIST_H
#define _ACRCTL_LIST_H

#include "names.h"

/**
 * struct list - what 'acrctl list' prints
 * @names: the events of the CPU
 * @cpu: the CPU; without a name if it is not one of ours
 * @found: those events that were asked for
 * @nr: how many
 */
struct list {
	struct names names;
	struct acrpmu_cpu cpu;
	struct acrpmu_named *found;
	unsigned int nr;
};

void list_print_text(struct list *list);

#endif /* _ACRCTL_LIST_H */
