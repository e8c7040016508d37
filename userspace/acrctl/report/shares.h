/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a share of samples differs between two recordings, by counting statistics. */
#ifndef _ACRCTL_REPORT_SHARES_H
#define _ACRCTL_REPORT_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#define SHARES_LEVEL	0.05	/* chance of a mark where nothing has changed */

/* A share of the samples of a recording. */
struct shares_side {
	double share;		/* 0 to 1 */
	double nr;		/* of all samples; see shares_effective() */
};

/* A change from one recording to another. */
struct shares_change {
	double difference;	/* -1 to 1 */
	double low, high;	/* of its 95% interval */
	double p;		/* chance of a change as large where there is none */
};

double shares_effective(double sum, double sum_of_squares);
struct shares_change shares_compare(struct shares_side old, struct shares_side new);
bool shares_significant(const struct shares_change *c);
bool shares_significant_among(const struct shares_change *c, size_t nr);

#endif /* _ACRCTL_REPORT_SHARES_H */
