/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of any size, read piece by piece as needed. */
#ifndef _PERFDATA_WINDOW_H
#define _PERFDATA_WINDOW_H

#include <stddef.h>
#include <linux/types.h>

/* largest piece: the largest record */
#define PD_PIECE_MAX	65536

struct pd_windows;

struct pd_windows *pd_windows_open(int fd);
void pd_windows_close(struct pd_windows *w);
const void *pd_windows_piece(struct pd_windows *w, __u64 offset, size_t size);
size_t pd_windows_ahead(const struct pd_windows *w, __u64 offset);
int pd_windows_read(struct pd_windows *w, __u64 offset, void *buf, size_t size);
void pd_windows_fail(struct pd_windows *w, int err);
int pd_windows_error(const struct pd_windows *w);

#endif /* _PERFDATA_WINDOW_H */
