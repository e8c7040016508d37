/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing JSON: strings with what needs escaping escaped. */
#ifndef _ACRCTL_JSON_H
#define _ACRCTL_JSON_H

#include <stdio.h>

void json_string(FILE *f, const char *s);

#endif /* _ACRCTL_JSON_H */
