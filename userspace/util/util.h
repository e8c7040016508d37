/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Macros that all of user space shares. */
#ifndef _ACRPMU_UTIL_H
#define _ACRPMU_UTIL_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))
#define BIT_ULL(nr)		(1ULL << (nr))

#define NSEC_PER_USEC	1000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL

#endif /* _ACRPMU_UTIL_H */
