/* SPDX-License-Identifier: GPL-2.0-only */
/* A heap in large pages, for commands that keep much. */
#ifndef _ACRCTL_HEAP_H
#define _ACRCTL_HEAP_H

void heap_enlarge(void);

#endif /* _ACRCTL_HEAP_H */
