/* SPDX-License-Identifier: GPL-2.0-only */
/* Colours, on terminals that have them and for users who want them. */
#ifndef _ACRCTL_UI_COLOR_H
#define _ACRCTL_UI_COLOR_H

#include <stdbool.h>
#include <stdio.h>

enum color {
	COLOR_PLAIN,
	COLOR_BOLD,
	COLOR_RED,
	COLOR_GREEN,
	COLOR_YELLOW,
};

bool color_terminal(FILE *f);
bool color_wanted(FILE *f);
void color_put(FILE *f, enum color color, bool wanted);
void color_begin(FILE *f, enum color color);
void color_end(FILE *f, enum color color);
enum color color_of_percent(double percent);

#endif /* _ACRCTL_UI_COLOR_H */
