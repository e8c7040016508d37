// SPDX-License-Identifier: GPL-2.0-only
/* Names of any bytes as text of a page. */
#include "text.h"

#include <stdbool.h>
#include <string.h>

#include "../../util/utf8.h"

#define REPLACEMENT	"\xef\xbf\xbd"		/* U+FFFD */
#define ELLIPSIS	"\xe2\x80\xa6"
#define DEL		0x7f

/* Characters that nothing shows, or that reorder others: controls, U+202A to 202E, 2066 to 2069. */
static bool is_hidden(const unsigned char *c, size_t len)
{
	if (len == 1)
		return *c < ' ' || *c == DEL;
	if (len == 2)
		return c[0] == 0xc2 && c[1] < 0xa0;
	return len == 3 && c[0] == 0xe2 &&
	       ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
		(c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

static void put_html(FILE *out, const char *c, size_t len)
{
	static const char special[] = "<>&\"'";

	if (len == 1 && strchr(special, *c))
		fprintf(out, "&#%d;", *c);
	else
		fwrite(c, 1, len, out);
}

/* A browser looks for the end of a script, and for comments, within strings, too. */
static void put_json(FILE *out, const char *c, size_t len)
{
	static const char special[] = "<>&\"\\";

	if (len == 1 && strchr(special, *c))
		fprintf(out, "\\u%04x", *c);
	else
		fwrite(c, 1, len, out);
}

static void put(FILE *out, const char *text, size_t max,
		void (*put_char)(FILE *, const char *, size_t))
{
	const char *begin = text;

	while (*text) {
		size_t len = utf8_length(text);

		if ((size_t)(text - begin) + len > max) {
			fputs(ELLIPSIS, out);
			return;
		}
		if (!len || is_hidden((const unsigned char *)text, len))
			fputs(REPLACEMENT, out);
		else
			put_char(out, text, len);
		text += len ? len : 1;
	}
}

/**
 * text_html() - write a text, or a value in quotes, of HTML
 * @max: bytes of it; an ellipsis shows that there are more
 */
void text_html(FILE *out, const char *text, size_t max)
{
	put(out, text, max, put_html);
}

/**
 * text_json() - write a string of JSON that may stand in a script element
 * @max: as for text_html()
 */
void text_json(FILE *out, const char *text, size_t max)
{
	fputc('"', out);
	put(out, text, max, put_json);
	fputc('"', out);
}
