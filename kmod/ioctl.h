/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands of the device and of a session: copying in and out, no policy. */
#ifndef _ACRPMU_IOCTL_H
#define _ACRPMU_IOCTL_H

struct file;

long acrpmu_ioctl_device(struct file *file, unsigned int cmd, unsigned long arg);
long acrpmu_ioctl_session(struct file *file, unsigned int cmd, unsigned long arg);

#endif /* _ACRPMU_IOCTL_H */
