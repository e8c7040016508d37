/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing the samples of a recording as a profile for pprof, Pyroscope and Parca. */
#ifndef _ACRCTL_PPROF_H
#define _ACRCTL_PPROF_H

#include <stdio.h>

#include "../view.h"

int pprof_write(struct view *v, FILE *out, __u64 end_ns);

#endif /* _ACRCTL_PPROF_H */
