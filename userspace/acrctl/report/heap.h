/* SPDX-License-Identifier: GPL-2.0-only */
/* A heap in large pages, for what the commands that read a recording keep. */
#ifndef _ACRCTL_REPORT_HEAP_H
#define _ACRCTL_REPORT_HEAP_H

void heap_enlarge(void);

#endif /* _ACRCTL_REPORT_HEAP_H */
