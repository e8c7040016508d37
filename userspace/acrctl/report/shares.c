// SPDX-License-Identifier: GPL-2.0-only
/* Whether a share of samples differs between two recordings, by counting statistics. */
#include "shares.h"

#include <math.h>

#define Z_95	1.959963984540054	/* standard deviations of a normal variable */

/**
 * shares_effective() - how many samples of one weight tell as much as samples of several (Kish)
 * @sum: of the weights
 * @sum_of_squares: of them
 */
double shares_effective(double sum, double sum_of_squares)
{
	return sum_of_squares > 0 ? sum * sum / sum_of_squares : 0;
}

/*
 * With one more sample in the part and one more outside, so that the interval holds for few samples
 * too, even for none.
 */
static double adjusted(struct shares_side s, double *variance)
{
	double nr = s.nr + 2, share = (s.share * s.nr + 1) / nr;

	*variance += share * (1 - share) / nr;
	return share;
}

/**
 * shares_compare() - the change of a share, with its 95% interval after Agresti and Caffo
 */
struct shares_change shares_compare(struct shares_side old, struct shares_side new)
{
	double variance = 0, middle, error;

	middle = -adjusted(old, &variance);
	middle += adjusted(new, &variance);
	error = sqrt(variance);
	return (struct shares_change){
		.difference = new.share - old.share,
		.low = fmax(middle - Z_95 * error, -1),
		.high = fmin(middle + Z_95 * error, 1),
		.p = erfc(fabs(middle) / error / M_SQRT2),
	};
}

/**
 * shares_significant() - whether a change alone is unlikely to be chance: no change is outside of
 * its interval
 */
bool shares_significant(const struct shares_change *c)
{
	return c->low > 0 || c->high < 0;
}

/**
 * shares_significant_among() - the same for the unlikeliest of @nr changes (Bonferroni)
 */
bool shares_significant_among(const struct shares_change *c, size_t nr)
{
	return shares_significant(c) && c->p * nr < SHARES_LEVEL;
}
