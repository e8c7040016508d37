/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing a recording as a page for browsers, in one file without any network. */
#ifndef _ACRCTL_HTML_H
#define _ACRCTL_HTML_H

#include <stdio.h>

#include "../view.h"

#define HTML_FACTS_MAX	128	/* two for each comparison of a condition */

struct profile;

/* A line of the page about the recording. */
struct html_fact {
	const char *term;
	char *text;
	bool warns;			/* something is missing or not exact */
};

/* In the order in which they are shown; zeroed it is empty. */
struct html_facts {
	struct html_fact list[HTML_FACTS_MAX];
	size_t nr;
	bool failed;			/* memory ran out, or there are more than fit */
};

/* facts.c */
void html_fact(struct html_facts *f, bool warns, const char *term, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void html_facts_free(struct html_facts *f);

/* profile.c */
struct profile *html_read(struct view *v);
__u64 html_samples(const struct profile *p);
__u64 html_event_samples(const struct profile *p, __u32 event);
__u64 html_duration_ns(const struct profile *p);
void html_free(struct profile *p);

/* page.c */
int html_write(const struct profile *p, const char *title, const struct html_facts *facts,
	       FILE *out);

#endif /* _ACRCTL_HTML_H */
