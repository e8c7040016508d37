/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of a recording as a profile for profiler.firefox.com. */
#ifndef _ACRCTL_FIREFOX_H
#define _ACRCTL_FIREFOX_H

#include <stdio.h>

#include "../view.h"

int firefox_write(struct view *v, FILE *out, __u64 end_ns);

#endif /* _ACRCTL_FIREFOX_H */
