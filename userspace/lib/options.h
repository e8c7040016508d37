/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structs that callers fill in, of the size that they know. */
#ifndef _ACRPMU_LIB_OPTIONS_H
#define _ACRPMU_LIB_OPTIONS_H

#include "acrpmu_lib.h"

/**
 * acrpmu_options_copy() - copy options of an older or newer caller
 * @to: out, what the caller does not know is 0
 * @to_size: bytes of @to, as this library knows the struct
 * @from: the caller's, whose first member is its size
 * @first_size: bytes of the struct when it was first published
 * @message: out, why not; may be NULL
 *
 * Return: 0; -EINVAL: shorter than @first_size; -E2BIG: longer than the struct is here, and what is
 * not known here is not 0.
 */
int acrpmu_options_copy(void *to, __u32 to_size, const void *from, __u32 first_size,
			struct acrpmu_message *message);

#endif /* _ACRPMU_LIB_OPTIONS_H */
