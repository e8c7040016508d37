/* SPDX-License-Identifier: GPL-2.0-only */
/* Times and sizes on the command line. */
#ifndef _ACRCTL_FLEET_QUANTITY_H
#define _ACRCTL_FLEET_QUANTITY_H

#include <stdbool.h>
#include <linux/types.h>

bool quantity_time_ms(const char *text, __u64 *ms);
bool quantity_bytes(const char *text, __u64 *bytes);

#endif /* _ACRCTL_FLEET_QUANTITY_H */
