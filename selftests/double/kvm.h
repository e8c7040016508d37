/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands of the stand-in for KVM, on /dev/kvm_double. */
#ifndef KVM_DOUBLE_H
#define KVM_DOUBLE_H

#include <linux/ioctl.h>

#define KVM_DOUBLE		"/dev/kvm_double"

/* The argument is 1 or 0: the calling task is in a guest from now on, as accounting sees it. */
#define KVM_DOUBLE_ENTER	_IO('K', 0)
/* The argument is a raw event, which the file owns: as an emulated vPMU's, for the calling task. */
#define KVM_DOUBLE_EVENT	_IO('K', 1)
/* Ends that event. */
#define KVM_DOUBLE_END		_IO('K', 2)
/* The argument is 1 or 0: a guest with a mediated vPMU exists; EOPNOTSUPP before Linux 7.0. */
#define KVM_DOUBLE_MEDIATED	_IO('K', 3)

#endif /* KVM_DOUBLE_H */
