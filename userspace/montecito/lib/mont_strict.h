/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refusing what the reference cuts or passes over. */
#ifndef ACRPFM_MONT_STRICT_H
#define ACRPFM_MONT_STRICT_H

#include "mont_call.h"

int mont_strict_check_used(const struct mont_call *call);
int mont_strict_check(const struct mont_call *call);

#endif
