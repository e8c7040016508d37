/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which counter each event of a list gets. */
#ifndef ACRPFM_MONT_ASSIGN_H
#define ACRPFM_MONT_ASSIGN_H

#include "mont_call.h"

int mont_assign_counters(const struct mont_call *call, unsigned char *cntrs);

#endif
