/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of any bytes as text of a page. */
#ifndef _ACRCTL_HTML_TEXT_H
#define _ACRCTL_HTML_TEXT_H

#include <stdio.h>

#define TEXT_NAME_MAX	400	/* bytes of a name */
#define TEXT_WHOLE	((size_t)-1)

void text_html(FILE *out, const char *text, size_t max);
void text_json(FILE *out, const char *text, size_t max);

#endif /* _ACRCTL_HTML_TEXT_H */
