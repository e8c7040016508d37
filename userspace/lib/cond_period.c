// SPDX-License-Identifier: LGPL-2.1-or-later
/* Periods of a condition: whole numbers with exactly the ratios of its comparisons. */
#include "cond_period.h"

#include <errno.h>

/* Both are at most COND_MAX_PERIOD. */
static __u64 common_divisor(__u64 a, __u64 b)
{
	while (b) {
		__u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The sampled event's part of a ratio in lowest terms: of A / B > p/q it is p, of A / B < p/q q. */
static __u64 sampled_part(const struct acrpmu_comparison *comparison)
{
	return comparison->below ? comparison->den : comparison->num;
}

static __u64 limit_part(const struct acrpmu_comparison *comparison)
{
	return comparison->below ? comparison->num : comparison->den;
}

int acrpmu_cond_add_unit(struct acrpmu_condition *c)
{
	const struct acrpmu_comparison *last = &c->comparisons[c->nr_comparisons - 1];
	__u64 part = sampled_part(last), sampled;
	unsigned int i;

	if (last->num > COND_MAX_PERIOD || last->den > COND_MAX_PERIOD)
		return -ERANGE;
	/* the least common multiple of all parts makes each limit's unit whole */
	sampled = c->nr_comparisons > 1 ? c->units[0] : 1;
	sampled = sampled / common_divisor(sampled, part) * part;
	if (sampled > COND_MAX_PERIOD)
		return -ERANGE;
	c->units[0] = sampled;
	for (i = 0; i < c->nr_comparisons; i++) {
		const struct acrpmu_comparison *comparison = &c->comparisons[i];

		c->units[1 + i] = sampled / sampled_part(comparison) * limit_part(comparison);
		if (c->units[1 + i] > COND_MAX_PERIOD)
			return -ERANGE;
	}
	return 0;
}

int acrpmu_cond_set_range(struct acrpmu_condition *c, __u64 min_sampled, __u64 min_limit)
{
	unsigned int i;

	c->min_factor = 1;
	c->max_factor = COND_MAX_PERIOD;
	for (i = 0; i <= c->nr_comparisons; i++) {
		__u64 unit = c->units[i], min = i ? min_limit : min_sampled;
		__u64 least = min / unit + !!(min % unit);

		if (least > c->min_factor)
			c->min_factor = least;
		if (COND_MAX_PERIOD / unit < c->max_factor)
			c->max_factor = COND_MAX_PERIOD / unit;
	}
	return c->min_factor > c->max_factor ? -ERANGE : 0;
}

int acrpmu_cond_set_window(struct acrpmu_condition *c, int adjust)
{
	__u64 unit = c->units[c->window_event], rest = c->asked_window % unit;

	c->factor = c->asked_window / unit;
	if (rest >= unit - rest)
		c->factor++;
	if (adjust && c->factor < c->min_factor)
		c->factor = c->min_factor;
	if (adjust && c->factor > c->max_factor)
		c->factor = c->max_factor;
	if (c->factor < c->min_factor)
		return -EDOM;
	if (c->factor > c->max_factor)
		return -ERANGE;
	c->window = c->factor * unit;
	return 0;
}
