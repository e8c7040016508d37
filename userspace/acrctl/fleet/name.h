/* SPDX-License-Identifier: GPL-2.0-only */
/* The name under which a server keeps profiles, with its labels. */
#ifndef _ACRCTL_FLEET_NAME_H
#define _ACRCTL_FLEET_NAME_H

#include <stdbool.h>

/* longest name, with its terminating 0 */
#define PUSH_NAME_LEN	1024

bool push_name_is_valid(const char *name);
bool push_name_add(const char *name, const char *label, const char *value, char *out);

#endif /* _ACRCTL_FLEET_NAME_H */
