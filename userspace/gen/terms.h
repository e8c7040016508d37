/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event in perf's terms: "event=0xc5,umask=0x80,period=100003". */
#ifndef _ACRPMU_GEN_TERMS_H
#define _ACRPMU_GEN_TERMS_H

#include "codes.h"

#define TERMS_LEN	512

/**
 * struct terms - the terms of one event
 * @text: the terms, not terminated
 * @len: bytes in use; more than TERMS_LEN if they did not fit
 */
struct terms {
	char text[TERMS_LEN];
	size_t len;
};

/**
 * terms_write() - write the terms of an event
 * @c: the event, its codes read
 * @terms: out
 *
 * Return: 0, or -EINVAL after a report that they are too long.
 */
int terms_write(const struct conversion *c, struct terms *terms);

#endif /* _ACRPMU_GEN_TERMS_H */
