/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks the events of a call against its opcode matchers and address ranges. */
#ifndef ACRPFM_MONT_QUALIFIER_H
#define ACRPFM_MONT_QUALIFIER_H

#include "mont_call.h"

int mont_qualifier_check(const struct mont_call *call);

#endif
