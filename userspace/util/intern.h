/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Strings that are kept once, each with a number. */
#ifndef _ACRPMU_INTERN_H
#define _ACRPMU_INTERN_H

#include <stddef.h>

#define INTERN_FAILED	((size_t)-1)

/* Zeroed it is empty. */
struct intern {
	char **texts;			/* by number, from 0 without gaps */
	size_t nr;
	size_t room;
	size_t *slots;			/* a number + 1, 0: free */
	size_t nr_slots;		/* a power of 2, or 0 */
};

size_t intern_add(struct intern *t, const char *text);
void intern_free(struct intern *t);

#endif /* _ACRPMU_INTERN_H */
