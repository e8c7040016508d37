/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refusals because of who asks, as messages. */
#ifndef _ACRPMU_LIB_REASON_CALLER_H
#define _ACRPMU_LIB_REASON_CALLER_H

#include "reason.h"

void reason_perm(const struct refusal *c, const char *code);
void reason_lockdown(const struct refusal *c, const char *code);
void reason_sessions(const struct refusal *c, const char *code);
void reason_kernel_level(const struct refusal *c, const char *code);
void reason_own_tasks(const struct refusal *c, const char *code);
void reason_own_level(const struct refusal *c, const char *code);
void reason_own_user(const struct refusal *c, const char *code);
void reason_own_namespace(const struct refusal *c, const char *code);
void reason_own_dumpable(const struct refusal *c, const char *code);
void reason_paranoid(const struct refusal *c, const char *code);
void reason_whole_cpu(const struct refusal *c, const char *code);

#endif /* _ACRPMU_LIB_REASON_CALLER_H */
