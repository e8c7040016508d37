/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile on its way: what the server is given with it, and its form in a file. */
#ifndef _PUSH_ENTRY_H
#define _PUSH_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* longest description, with its terminating 0 */
#define PUSH_HEAD_LEN	16384

struct push_entry {
	const char *url;
	const char *name;		/* with labels: app{key=value,...} */
	const char *tenant;		/* empty: none */
	const char *types;		/* of samples, as JSON; empty: the server knows them */
	__u64 from_s;			/* CLOCK_REALTIME */
	__u64 until_s;
	__u64 rate_hz;			/* samples per second and CPU, 0: not known */
	__u64 bytes;			/* of the profile */
	__u32 crc;			/* its CRC-32 */
};

/* An entry in memory. */
struct push_loaded {
	char *data;			/* what the strings of @entry point into */
	struct push_entry entry;
	const char *profile;
};

bool push_entry_is_plain(const char *text);
void push_entry_seal(struct push_entry *e, const void *profile, size_t bytes);
int push_entry_format(const struct push_entry *e, char *head);
size_t push_entry_parse(char *head, size_t len, struct push_entry *e);
int push_entry_read(int fd, char *to, size_t bytes);
int push_entry_load(int fd, __u64 max_bytes, struct push_loaded *l);
void push_entry_free(struct push_loaded *l);

#endif /* _PUSH_ENTRY_H */
