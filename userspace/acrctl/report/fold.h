/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples added up by their stacks, a line for each: what flame graphs are drawn from. */
#ifndef _ACRCTL_REPORT_FOLD_H
#define _ACRCTL_REPORT_FOLD_H

#include "report.h"

int fold_print(const struct view_args *a, struct view *v);

#endif /* _ACRCTL_REPORT_FOLD_H */
