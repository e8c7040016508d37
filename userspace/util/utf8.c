// SPDX-License-Identifier: LGPL-2.1-or-later
/* Bytes that claim to be text, made valid UTF-8. */
#include "utf8.h"

#include <stdbool.h>
#include <string.h>

#define REPLACEMENT	"\xef\xbf\xbd"	/* U+FFFD */

static bool in(unsigned char byte, unsigned char first, unsigned char last)
{
	return byte >= first && byte <= last;
}

/* Bounds of the second byte: no longer form than needed, no surrogate, nothing above U+10FFFF. */
static bool second_fits(unsigned char lead, unsigned char second)
{
	switch (lead) {
	case 0xe0:
		return in(second, 0xa0, 0xbf);
	case 0xed:
		return in(second, 0x80, 0x9f);
	case 0xf0:
		return in(second, 0x90, 0xbf);
	case 0xf4:
		return in(second, 0x80, 0x8f);
	default:
		return in(second, 0x80, 0xbf);
	}
}

/**
 * utf8_length() - the number of bytes of the character at @at, before the terminating 0
 *
 * Return: 1 to 4; 0 if no valid character begins there.
 */
size_t utf8_length(const char *at)
{
	const unsigned char *b = (const unsigned char *)at;
	size_t i, len;

	if (in(*b, 1, 0x7f))
		return 1;
	len = in(*b, 0xc2, 0xdf) ? 2 : in(*b, 0xe0, 0xef) ? 3 : in(*b, 0xf0, 0xf4) ? 4 : 0;
	if (!len || !second_fits(b[0], b[1]))
		return 0;
	for (i = 2; i < len; i++) {
		if (!in(b[i], 0x80, 0xbf))
			return 0;
	}
	return len;
}

/**
 * utf8_clean() - copy a text, with U+FFFD in place of each byte that is not UTF-8
 * @room: of @out, at least 1; UTF8_GROWTH * strlen(@text) + 1 is always enough
 *
 * A character that does not fit ends the copy.
 *
 * Return: the length of the copy.
 */
size_t utf8_clean(char *out, size_t room, const char *text)
{
	size_t done = 0;

	while (*text) {
		size_t len = utf8_length(text);
		const char *from = len ? text : REPLACEMENT;
		size_t size = len ? len : strlen(REPLACEMENT);

		if (size >= room - done)
			break;
		memcpy(out + done, from, size);
		done += size;
		text += len ? len : 1;
	}
	out[done] = 0;
	return done;
}
