// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reports about the files of an arch directory: file, line, field, text. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

#define REPORT_LEN	400

static void make_printable(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
	}
}

void report_say(struct reporter *reporter, enum report_kind kind, const char *path,
		unsigned int line, const char *field, const char *format, ...)
{
	char text[REPORT_LEN];
	const struct event_report report = {
		.path = path,
		.line = line,
		.field = field,
		.text = text,
		.warning = kind == REPORT_WARNING,
		.fatal = kind == REPORT_FATAL,
	};
	va_list args;

	reporter->nr++;
	reporter->nr_warnings += report.warning;
	reporter->nr_fatal += report.fatal;
	if (!reporter->fn)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	make_printable(text);
	reporter->fn(reporter->ctx, &report);
}
