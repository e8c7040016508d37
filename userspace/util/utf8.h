/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes that claim to be text, made valid UTF-8. */
#ifndef _ACRPMU_UTF8_H
#define _ACRPMU_UTF8_H

#include <stddef.h>

/* each invalid byte becomes U+FFFD, which takes three bytes */
#define UTF8_GROWTH	3

size_t utf8_length(const char *at);
size_t utf8_clean(char *out, size_t room, const char *text);

#endif /* _ACRPMU_UTF8_H */
