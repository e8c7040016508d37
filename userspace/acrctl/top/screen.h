/* SPDX-License-Identifier: GPL-2.0-only */
/* The table on a terminal, and its keys; the only file that knows ncurses is the one beside. */
#ifndef _ACRCTL_TOP_SCREEN_H
#define _ACRCTL_TOP_SCREEN_H

#include "top.h"

/* In place of a key. */
enum { SCREEN_NO_KEY = -1, SCREEN_RESIZED = -2 };

int screen_open(struct top *t);
int screen_key(void);
int screen_draw(struct top *t);
void screen_close(struct top *t);

#endif /* _ACRCTL_TOP_SCREEN_H */
