/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The processor that this program runs on. */
#ifndef ACRPFM_PFMLIB_HOST_H
#define ACRPFM_PFMLIB_HOST_H

#include <stdbool.h>
#include <stdint.h>

bool pfmlib_cpuid_is_montecito(uint64_t cpuid3);
bool pfmlib_host_is_montecito(void);

#endif
