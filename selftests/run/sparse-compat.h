/* SPDX-License-Identifier: GPL-2.0-only */
/* Keywords in headers of recent kernels that sparse 0.6.4 does not know; for module.sh. */
#ifndef ACRPMU_SPARSE_COMPAT_H
#define ACRPMU_SPARSE_COMPAT_H

#define __typeof_unqual__ __typeof__
#define __builtin_strlen(string) (sizeof(string) - 1)
/* The module asks for one header. */
#define __has_include(header) SPARSE_HAS_CPUID_API

#endif
