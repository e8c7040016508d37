// SPDX-License-Identifier: GPL-2.0-only
/* How long the windows of a condition must be for so many samples a second. */
#include "rate.h"

#define NSEC_PER_SEC	1000000000ULL
#define STEP_NS		(RATE_STEP_MS * 1000000ULL)
/* so many samples are enough: one more or less changes the rate by a sixteenth */
#define ENOUGH		16
/* so little is known of a program without samples that one second is too short to judge it */
#define PATIENCE_NS	NSEC_PER_SEC

__extension__ typedef unsigned __int128 u128;

/* The factor that would have given the wanted rate, rounded to the nearest; not limited. */
static u128 fitting(const struct rate *r, __u64 samples, __u64 ns)
{
	u128 wanted = (u128)r->hz * ns;

	return ((u128)r->factor * samples * NSEC_PER_SEC + wanted / 2) / wanted;
}

/* Long windows were for the past: come back to those that it began with, but go no further. */
static __u64 after_silence(const struct rate *r)
{
	if (r->factor <= r->first)
		return r->factor;
	return r->factor / 2 > r->first ? r->factor / 2 : r->first;
}

/*
 * Windows become longer at once, since samples that are too many cost time, but shorter by halves,
 * in case that they were few only for a moment.  Within a fifth the rate is left alone: the next
 * measurement may differ by as much.
 */
static __u64 choose(const struct rate *r, __u64 samples, __u64 throttled, __u64 ns)
{
	u128 fits = samples ? fitting(r, samples, ns) : after_silence(r);
	__u64 half = r->factor - r->factor / 2;

	if (fits * 4 > (u128)r->factor * 5)
		return fits < r->max ? fits : r->max;
	/* pauses, not the program, made samples few */
	if (fits * 5 >= (u128)r->factor * 4 || throttled)
		return r->factor;
	if (fits < half)
		fits = half;
	return fits > r->min ? fits : r->min;
}

/**
 * rate_init() - begin with a factor; rate_measure() comes next
 * @hz: samples a second, above 0
 * @factor: @min to @max
 */
void rate_init(struct rate *r, __u64 hz, __u64 factor, __u64 min, __u64 max)
{
	*r = (struct rate){
		.hz = hz,
		.factor = factor,
		.min = min,
		.max = max,
		.first = factor,
		.lowest = factor,
		.highest = factor,
	};
}

/**
 * rate_measure() - begin a measurement, with a factor that is in use by now
 */
void rate_measure(struct rate *r, const struct rate_reading *now)
{
	r->base = *now;
	if (r->factor < r->lowest)
		r->lowest = r->factor;
	if (r->factor > r->highest)
		r->highest = r->factor;
}

/**
 * rate_step() - decide whether another factor is better, once enough is known
 *
 * A measurement ends after ENOUGH samples, or when twice the time has passed that they should have
 * taken.  Then another begins, by rate_measure() if the factor has changed.
 *
 * Return: whether the factor has changed.
 */
bool rate_step(struct rate *r, const struct rate_reading *now)
{
	__u64 ns = now->time_ns - r->base.time_ns, samples = now->samples - r->base.samples;
	__u64 longest_ns = 2 * ENOUGH * NSEC_PER_SEC / r->hz, factor;

	if (longest_ns < PATIENCE_NS)
		longest_ns = PATIENCE_NS;
	if (now->time_ns <= r->base.time_ns || ns < STEP_NS ||
	    (samples < ENOUGH && ns < longest_ns))
		return false;
	factor = choose(r, samples, now->throttled - r->base.throttled, ns);
	r->base = *now;
	if (factor == r->factor)
		return false;
	r->factor = factor;
	return true;
}
