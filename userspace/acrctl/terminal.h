/* SPDX-License-Identifier: GPL-2.0-only */
/* Output on a terminal: page by page, as wide as the terminal, without control characters. */
#ifndef _ACRCTL_TERMINAL_H
#define _ACRCTL_TERMINAL_H

#include <stdio.h>

/* Standard output on its way through a pager. */
struct terminal_pager {
	FILE *input;		/* of the pager, NULL: none is needed */
	int stdout_fd;		/* where standard output went before */
};

char terminal_char(char c);
void terminal_print(FILE *f, int width, const char *text);
void terminal_print_wrapped(const char *indent, const char *text, unsigned int columns);
unsigned int terminal_columns(void);
void terminal_page_begin(struct terminal_pager *pager);
int terminal_page_end(struct terminal_pager *pager, const char *command);

#endif /* _ACRCTL_TERMINAL_H */
