// SPDX-License-Identifier: GPL-2.0-only
/* Text that others have chosen, made fit for a terminal. */
#include "printable.h"

#include <stdlib.h>
#include <string.h>

/**
 * printable_char() - a character as it can be shown
 * @c: the character
 *
 * Return: itself, or '?' if it is not printable ASCII.
 */
char printable_char(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

/**
 * printable_print() - print a name from a recording or a command line
 * @f: where to
 * @width: least width in characters, negative: blanks come behind the text, as for printf()
 * @text: the text; as in messages, what is not printable ASCII becomes '?', so that no name of a
 *	program or function can send the terminal a command
 */
void printable_print(FILE *f, int width, const char *text)
{
	size_t len = strlen(text), wide = abs(width), fill = wide > len ? wide - len : 0;

	fprintf(f, "%*s", width > 0 ? (int)fill : 0, "");
	for (; *text; text++)
		fputc(printable_char(*text), f);
	fprintf(f, "%*s", width < 0 ? (int)fill : 0, "");
}
