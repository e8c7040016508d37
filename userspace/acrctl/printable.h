/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that others have chosen, made fit for a terminal. */
#ifndef _ACRCTL_PRINTABLE_H
#define _ACRCTL_PRINTABLE_H

#include <stdio.h>

char printable_char(char c);
void printable_print(FILE *f, int width, const char *text);

#endif /* _ACRCTL_PRINTABLE_H */
