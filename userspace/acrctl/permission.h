/* SPDX-License-Identifier: GPL-2.0-only */
/* What this user may observe: by capabilities, the module's parameter and perf_event_paranoid. */
#ifndef _ACRCTL_PERMISSION_H
#define _ACRCTL_PERMISSION_H

#include <stdbool.h>

#include "../lib/acrpmu_lib.h"

enum permission {
	PERMISSION_NOTHING,
	PERMISSION_PARANOID,	/* nothing: perf_event_paranoid forbids what the module allows */
	PERMISSION_OWN,		/* own tasks, at user level */
	PERMISSION_ALL,
};

/* This process, and what the kernel allows to those without capabilities. */
struct permission_facts {
	bool cap_perfmon;
	bool cap_admin;
	bool in_namespace;	/* a user namespace, where capabilities do not count for this */
	bool has_paranoid;	/* the kernel has perf events */
	int paranoid;		/* kernel.perf_event_paranoid */
};

void permission_probe(struct permission_facts *facts);
enum permission permission_of(const struct permission_facts *facts, __u64 features);

#endif /* _ACRCTL_PERMISSION_H */
