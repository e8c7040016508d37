/* SPDX-License-Identifier: GPL-2.0-only */
/* File operations of the device and of sessions: copying in and out, no policy. */
#ifndef _ACRPMU_IOCTL_H
#define _ACRPMU_IOCTL_H

#include <linux/fs.h>

/* the device's; it hands out files of sessions */
extern const struct file_operations acrpmu_ioctl_fops;

#endif /* _ACRPMU_IOCTL_H */
