/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Offline encoding: what only the library uses. */
#ifndef _ACRPMU_LIB_ENCODE_H
#define _ACRPMU_LIB_ENCODE_H

#include "acrpmu_lib.h"

/**
 * acrpmu_encode_check() - check whether a CPU that is otherwise idle has what a group needs
 *
 * As acrpmu_encode(), but without the limit on short periods, which is a parameter of the module.
 */
int acrpmu_encode_check(const struct acrpmu_spec *spec, unsigned int group,
			const struct acrpmu_cpu *cpu, struct acrpmu_message *message);

#endif /* _ACRPMU_LIB_ENCODE_H */
