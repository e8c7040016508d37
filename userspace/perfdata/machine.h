/* SPDX-License-Identifier: GPL-2.0-only */
/* Feature sections about the machine on which a file is written. */
#ifndef _PERFDATA_MACHINE_H
#define _PERFDATA_MACHINE_H

#include "writer.h"

void pd_machine_features(struct pd_writer *w, const char *root);

#endif /* _PERFDATA_MACHINE_H */
