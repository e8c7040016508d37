/* SPDX-License-Identifier: GPL-2.0-only */
/* What a user has chosen to see, and what each key changes. */
#ifndef _ACRCTL_TOP_SHOW_H
#define _ACRCTL_TOP_SHOW_H

#include "tally.h"

#define SHOW_FILTER_LEN	64

/* Keys without a character. */
enum show_key {
	SHOW_KEY_FIRST = 256,
	SHOW_KEY_UP = SHOW_KEY_FIRST,
	SHOW_KEY_DOWN,
	SHOW_KEY_PAGE_UP,
	SHOW_KEY_PAGE_DOWN,
	SHOW_KEY_HOME,
	SHOW_KEY_END,
	SHOW_KEY_ENTER,
	SHOW_KEY_ESCAPE,
	SHOW_KEY_ERASE,			/* the character before */
};

/* What covers the table. */
enum show_cover { SHOW_TABLE, SHOW_HELP, SHOW_DETAILS };

struct show {
	struct tally_view view;		/* its filter is @filter */
	__u32 nr_events;
	char filter[SHOW_FILTER_LEN];
	bool typing;			/* keys go to the filter */
	bool paused;
	bool quit;
	bool clear;			/* the user wants all samples forgotten */
	enum show_cover cover;
	size_t nr_rows;			/* that there are */
	size_t page;			/* that fit the screen, at least 1 */
	size_t first;			/* of them on the screen */
	size_t selected;
};

/* The views that a key chooses, and options. */
void show_per_symbol(struct show *s);
void show_per_cpu(struct show *s);
void show_per_task(struct show *s);

void show_take_key(struct show *s, int key);
void show_fit(struct show *s, size_t nr_rows, size_t page);

#endif /* _ACRCTL_TOP_SHOW_H */
