/* SPDX-License-Identifier: GPL-2.0-only */
/* URLs to send profiles to: what is accepted, and which address the server is given. */
#ifndef _PUSH_URL_H
#define _PUSH_URL_H

#include <stdbool.h>

/* longest URL, with its terminating 0 */
#define PUSH_URL_LEN	2048

const char *push_url_refusal(const char *url);
bool push_url_is_secure(const char *url);
bool push_url_is_loopback(const char *url);
int push_url_shown(const char *url);
char *push_url_with(const char *url, const char *const *params);

#endif /* _PUSH_URL_H */
