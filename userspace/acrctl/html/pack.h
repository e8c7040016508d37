/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of a page: compressed, as letters and digits. */
#ifndef _ACRCTL_HTML_PACK_H
#define _ACRCTL_HTML_PACK_H

#include <stdio.h>

struct profile;

/* Writes some of a profile; returns 0 or -ENOMEM. */
typedef int (*pack_put_fn)(const struct profile *p, FILE *out);

int pack(const struct profile *p, pack_put_fn put, FILE *out, size_t *size);

#endif /* _ACRCTL_HTML_PACK_H */
