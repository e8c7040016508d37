/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a page. */
#ifndef _ACRCTL_HTML_PAGE_H
#define _ACRCTL_HTML_PAGE_H

#include "profile.h"

/* made by embed.sh of page.html, page.css and the scripts */
extern const char page_begin[], page_heading[], page_facts[], page_events[],
		  page_symbols[], page_stacks[], page_cells[], page_end[];

/* data.c */
int page_put_stacks(const struct profile *p, FILE *out);
int page_put_cells(const struct profile *p, FILE *out);

#endif /* _ACRCTL_HTML_PAGE_H */
