/* SPDX-License-Identifier: GPL-2.0-only */
/* Chance of which a number makes the same run each time. */
#ifndef HW_RANDOM_H
#define HW_RANDOM_H

#include <stdint.h>

/**
 * struct random - where chance comes from
 * @state: any number but 0, which would stay
 */
struct random {
	uint64_t state;
};

/* xorshift64 */
static inline uint64_t random_next(struct random *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

/**
 * random_below() - get a number from 0 to @limit - 1
 */
static inline unsigned int random_below(struct random *r, unsigned int limit)
{
	return (random_next(r) >> 16) % limit;
}

#endif /* HW_RANDOM_H */
