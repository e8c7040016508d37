// SPDX-License-Identifier: GPL-2.0-only
/* Colours, on terminals that have them and for users who want them. */
#include "color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PERCENT_HOT	5.0
#define PERCENT_WARM	0.5

static const char *const sequences[] = {
	[COLOR_PLAIN] = "",
	[COLOR_BOLD] = "\033[1m",
	[COLOR_RED] = "\033[31m",
	[COLOR_GREEN] = "\033[32m",
	[COLOR_YELLOW] = "\033[33m",
};

/**
 * color_terminal() - whether @f is a terminal that can do more than print line after line
 */
bool color_terminal(FILE *f)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && isatty(fileno(f));
}

/**
 * color_wanted() - whether to print colours on @f: on terminals, unless NO_COLOR has a value
 */
bool color_wanted(FILE *f)
{
	const char *no_color = getenv("NO_COLOR");

	return !(no_color && *no_color) && color_terminal(f);
}

/**
 * color_put() - print in a colour from here on, COLOR_PLAIN ends it
 * @wanted: of color_wanted(), before a pager took the terminal's place
 */
void color_put(FILE *f, enum color color, bool wanted)
{
	if (wanted)
		fputs(color == COLOR_PLAIN ? "\033[m" : sequences[color], f);
}

/**
 * color_begin() - print in a colour from here on, if that is wanted
 */
void color_begin(FILE *f, enum color color)
{
	if (color != COLOR_PLAIN && color_wanted(f))
		fputs(sequences[color], f);
}

/**
 * color_end() - end the colour of color_begin()
 */
void color_end(FILE *f, enum color color)
{
	if (color != COLOR_PLAIN && color_wanted(f))
		fputs("\033[m", f);
}

/**
 * color_of_percent() - the colour of a share of all samples
 */
enum color color_of_percent(double percent)
{
	return percent >= PERCENT_HOT ? COLOR_RED :
	       percent >= PERCENT_WARM ? COLOR_GREEN : COLOR_PLAIN;
}
