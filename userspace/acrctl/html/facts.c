// SPDX-License-Identifier: GPL-2.0-only
/* What a page states about its recording, line by line. */
#include "html.h"

#include <stdarg.h>
#include <stdlib.h>

/**
 * html_fact() - append a line
 * @warns: something is missing or not exact
 * @term: a constant
 */
void html_fact(struct html_facts *f, bool warns, const char *term, const char *format, ...)
{
	struct html_fact *fact = &f->list[f->nr];
	va_list args;

	if (f->nr == HTML_FACTS_MAX) {
		f->failed = true;
		return;
	}
	va_start(args, format);
	if (vasprintf(&fact->text, format, args) < 0)
		f->failed = true;
	else
		f->nr++;
	va_end(args);
	fact->term = term;
	fact->warns = warns;
}

/**
 * html_facts_free() - free all lines; it is empty then
 */
void html_facts_free(struct html_facts *f)
{
	while (f->nr)
		free(f->list[--f->nr].text);
	f->failed = false;
}
