/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that somebody else has taken from sessions, and by whom. */
#ifndef _ACRCTL_TAKEN_H
#define _ACRCTL_TAKEN_H

#include "../cmd.h"
#include "../cpu_list.h"

/* CPUs that were taken in the same way. */
struct taken_by {
	struct acrpmu_error who;
	struct cpu_list others;		/* neither the first one nor described */
};

/* Zeroed, it is empty. */
struct taken {
	struct acrpmu_message message;	/* of the first loss, empty: there was none */
	struct cpu_list cpus;		/* all that sessions of CPUs have lost */
	struct taken_by *by;		/* whoever took the first one first */
	size_t nr;
};

void taken_look(struct taken *t, struct acrpmu_session *session, const struct cpu_list *cpus);
char *taken_others(struct taken *t);
void taken_free(struct taken *t);

#endif /* _ACRCTL_TAKEN_H */
