/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranges of code. */
#ifndef ACRPFM_MONT_IRANGE_H
#define ACRPFM_MONT_IRANGE_H

#include "mont_call.h"

int mont_irange_program(struct mont_call *call);

#endif
