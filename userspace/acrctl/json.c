// SPDX-License-Identifier: GPL-2.0-only
/* Writing JSON strings. */
#include "json.h"

#define FIRST_PRINTABLE	0x20

/* Bytes of the UTF-8 character at @s, 0 if it is none. */
static int utf8_len(const unsigned char *s)
{
	int i, len = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
		     s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	return len;
}

/**
 * json_string() - write a string in quotes
 * @f: where to
 * @s: the string, NULL for null; a byte that is not UTF-8 becomes U+FFFD
 */
void json_string(FILE *f, const char *s)
{
	const unsigned char *c = (const unsigned char *)s;
	int len;

	if (!s) {
		fputs("null", f);
		return;
	}
	fputc('"', f);
	for (; *c; c += len ? len : 1) {
		len = utf8_len(c);
		if (*c == '"' || *c == '\\')
			fprintf(f, "\\%c", *c);
		else if (*c < FIRST_PRINTABLE)
			fprintf(f, "\\u%04x", *c);
		else if (!len)
			fputs("\\ufffd", f);
		else
			fwrite(c, 1, len, f);
	}
	fputc('"', f);
}
