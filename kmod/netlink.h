/* SPDX-License-Identifier: GPL-2.0-only */
/* The generic netlink family: requests, answers, and the form of notifications. */
#ifndef _ACRPMU_NETLINK_H
#define _ACRPMU_NETLINK_H

void acrpmu_netlink_init(void);
void acrpmu_netlink_exit(void);

#endif /* _ACRPMU_NETLINK_H */
