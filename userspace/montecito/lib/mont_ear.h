/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event address registers. */
#ifndef ACRPFM_MONT_EAR_H
#define ACRPFM_MONT_EAR_H

#include "mont_call.h"

int mont_ear_program_i(struct mont_call *call);
int mont_ear_program_d(struct mont_call *call);

#endif
