/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranges of data, and what opcode matchers and code ranges do to data events. */
#ifndef ACRPFM_MONT_DRANGE_H
#define ACRPFM_MONT_DRANGE_H

#include "mont_call.h"

int mont_drange_program(struct mont_call *call);

#endif
