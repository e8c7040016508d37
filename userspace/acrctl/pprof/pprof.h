/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing the samples of a recording as a profile for pprof, Pyroscope and Parca. */
#ifndef _ACRCTL_PPROF_H
#define _ACRCTL_PPROF_H

#include <stdio.h>

#include "../view.h"

/* Labels of samples, each if it is known. */
enum pprof_label {
	PPROF_CPU,
	PPROF_COMM,
	PPROF_PID,
	PPROF_TID,
	PPROF_EVENT,
	PPROF_HOST,
	PPROF_CONDITION,
	PPROF_NR_LABELS
};

#define PPROF_ALL_LABELS	((1U << PPROF_NR_LABELS) - 1)

struct pprof_options {
	__u64 end_ns;			/* when the recording ended, since 1970; 0: unknown */
	unsigned int labels;		/* bits 1 << PPROF_* */
	const char *condition;		/* of the recording, NULL: it has none */
	bool plain_types;		/* names of types have letters, digits and _ only */
};

int pprof_write(struct view *v, FILE *out, const struct pprof_options *o);
bool pprof_labels_parse(const char *list, unsigned int *labels);

#endif /* _ACRCTL_PPROF_H */
