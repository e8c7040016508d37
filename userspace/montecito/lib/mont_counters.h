/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counters of a call and their values. */
#ifndef ACRPFM_MONT_COUNTERS_H
#define ACRPFM_MONT_COUNTERS_H

#include "mont_call.h"

int mont_counters_program(struct mont_call *call);

#endif
