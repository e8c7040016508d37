/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The execution trace buffer, in either of its uses. */
#ifndef ACRPFM_MONT_ETB_H
#define ACRPFM_MONT_ETB_H

#include "mont_call.h"

int mont_etb_program(struct mont_call *call);
int mont_etb_program_ipear(struct mont_call *call);

#endif
