/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How somebody else has taken a CPU from a session, or would, as messages. */
#ifndef _ACRPMU_LIB_REASON_TAKEN_H
#define _ACRPMU_LIB_REASON_TAKEN_H

#include "reason.h"

void reason_pinned(const struct refusal *c, const char *code);
void reason_claim_lost(const struct refusal *c, const char *code);
void reason_register(const struct refusal *c, const char *code);

#endif /* _ACRPMU_LIB_REASON_TAKEN_H */
