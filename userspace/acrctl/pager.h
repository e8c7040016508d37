/* SPDX-License-Identifier: GPL-2.0-only */
/* Long output on a terminal: page by page, and as wide as the terminal is. */
#ifndef _ACRCTL_PAGER_H
#define _ACRCTL_PAGER_H

#include <sys/types.h>

/**
 * struct pager - standard output while it goes through a pager
 * @pid: the pager, 0: none is needed
 * @stdout_fd: where it went before
 */
struct pager {
	pid_t pid;
	int stdout_fd;
};

void pager_begin(struct pager *pager);
int pager_end(struct pager *pager, const char *command);
unsigned int pager_columns(void);
void pager_print_wrapped(const char *indent, const char *text, unsigned int columns);

#endif /* _ACRCTL_PAGER_H */
