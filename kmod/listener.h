/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets that listen, and what does not fit them. */
#ifndef _ACRPMU_LISTENER_H
#define _ACRPMU_LISTENER_H

#include <linux/types.h>

struct acrpmu_notice;
struct acrpmu_view;
struct sk_buff;
struct sock;

int acrpmu_listener_set(struct sock *sk, u32 portid, u32 topics, bool capable);
void acrpmu_listener_closed(u32 portid);
void acrpmu_listener_send(const struct acrpmu_notice *notice);
void acrpmu_listener_init(struct sk_buff *(*builder)(const struct acrpmu_notice *notice,
						     const struct acrpmu_view *view));
void acrpmu_listener_exit(void);

#endif /* _ACRPMU_LISTENER_H */
