/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The opcode matchers. */
#ifndef ACRPFM_MONT_OPCM_H
#define ACRPFM_MONT_OPCM_H

#include "mont_call.h"

int mont_opcm_program(struct mont_call *call);

#endif
