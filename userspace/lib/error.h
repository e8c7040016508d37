/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages for refusals that only the library makes. */
#ifndef _ACRPMU_LIB_ERROR_H
#define _ACRPMU_LIB_ERROR_H

#include "acrpmu_lib.h"

/**
 * acrpmu_explain_placing() - explain why several groups cannot be encoded
 * @errnum: the negative errno
 * @error: the reason
 * @by: what holds counters and registers, for messages
 * @group: index of the group refused
 * @message: out, may be NULL
 */
void acrpmu_explain_placing(int errnum, const struct acrpmu_error *error, const char *by,
			    const struct acrpmu_spec *spec, unsigned int group,
			    struct acrpmu_message *message);

#endif /* _ACRPMU_LIB_ERROR_H */
