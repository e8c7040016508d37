/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options that callers pass, in the size that the caller knows. */
#ifndef _ACRPMU_LIB_OPTIONS_H
#define _ACRPMU_LIB_OPTIONS_H

#include "acrpmu_lib.h"

/**
 * acrpmu_options_copy() - copy options of an older or newer caller
 * @to: out, what the caller does not know is 0
 * @to_size: bytes of @to, as this library knows the struct
 * @from: the caller's options; their first member is their size
 * @first_size: bytes of the struct when it was first published
 * @message: out, why not; may be NULL
 *
 * Return: 0; -EINVAL: shorter than @first_size; -E2BIG: a member that this library does not know is
 * not 0.
 */
int acrpmu_options_copy(void *to, __u32 to_size, const void *from, __u32 first_size,
			struct acrpmu_message *message);

/**
 * acrpmu_options_parse() - copy and check the options for reading events
 * @known: out
 * @options: the caller's; NULL: the defaults
 * @message: out, why not; may be NULL
 *
 * Return: 0; -EINVAL or -E2BIG.
 */
int acrpmu_options_parse(struct acrpmu_parse_options *known,
			 const struct acrpmu_parse_options *options,
			 struct acrpmu_message *message);

#endif /* _ACRPMU_LIB_OPTIONS_H */
