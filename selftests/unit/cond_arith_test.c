// SPDX-License-Identifier: GPL-2.0-only
/* Periods of a million random conditions, against rational numbers made of prime factors. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/cond_number.h"
#include "userspace/lib/cond_period.h"

#define ROUNDS		1000000
#define MAX_ROOT	46341		/* its square exceeds the largest period */
#define MAX_FACTORS	32
#define MAX_COMPARISONS	3
#define TEXT_LEN	64

typedef unsigned long long u64;

static unsigned int primes[MAX_ROOT], nr_primes;

/* A whole number as its primes, each as often as it divides: none of Euclid's algorithm. */
struct factors {
	u64 prime[MAX_FACTORS];
	unsigned int nr;
};

static void find_primes(void)
{
	unsigned int n, i;

	for (n = 2; n < MAX_ROOT; n++) {
		for (i = 0; i < nr_primes && primes[i] * primes[i] <= n; i++) {
			if (!(n % primes[i]))
				break;
		}
		if (i == nr_primes || primes[i] * primes[i] > n)
			primes[nr_primes++] = n;
	}
}

static struct factors factorise(u64 n)
{
	struct factors f = { .nr = 0 };
	unsigned int i;

	for (i = 0; i < nr_primes && (u64)primes[i] * primes[i] <= n; i++) {
		for (; !(n % primes[i]); n /= primes[i])
			f.prime[f.nr++] = primes[i];
	}
	if (n > 1)
		f.prime[f.nr++] = n;
	return f;
}

/* Remove a prime once; returns whether it was there. */
static bool cancel(struct factors *f, u64 prime)
{
	unsigned int i;

	for (i = 0; i < f->nr; i++) {
		if (f->prime[i] != prime)
			continue;
		f->prime[i] = f->prime[--f->nr];
		return true;
	}
	return false;
}

/* Saturates above the largest period, which is all that matters. */
static u64 product(const struct factors *f)
{
	u64 n = 1;
	unsigned int i;

	for (i = 0; i < f->nr; i++) {
		n *= f->prime[i];
		if (n > COND_MAX_PERIOD)
			return COND_MAX_PERIOD + 1;
	}
	return n;
}

/* What is in @a and not in @b. */
static struct factors without(struct factors a, const struct factors *b)
{
	unsigned int i;

	for (i = 0; i < b->nr; i++)
		cancel(&a, b->prime[i]);
	return a;
}

static struct factors times(struct factors a, const struct factors *b)
{
	unsigned int i;

	for (i = 0; i < b->nr && a.nr < MAX_FACTORS; i++)
		a.prime[a.nr++] = b->prime[i];
	return a;
}

/* A condition as it is asked for, and as the naive implementation solves it. */
struct naive {
	unsigned int nr;
	bool below[MAX_COMPARISONS];
	struct factors num[MAX_COMPARISONS];
	struct factors den[MAX_COMPARISONS];
	u64 window;
	bool adjust;
	u64 min_sampled, min_limit;
	u64 units[1 + MAX_COMPARISONS];
};

static bool find_units(struct naive *n)
{
	struct factors sampled = { .nr = 0 };
	unsigned int i;

	for (i = 0; i < n->nr; i++) {
		const struct factors *part = n->below[i] ? &n->den[i] : &n->num[i];
		struct factors more = without(*part, &sampled);

		sampled = times(sampled, &more);
		if (product(&sampled) > COND_MAX_PERIOD)
			return false;
	}
	n->units[0] = product(&sampled);
	for (i = 0; i < n->nr; i++) {
		const struct factors *part = n->below[i] ? &n->den[i] : &n->num[i];
		const struct factors *limit = n->below[i] ? &n->num[i] : &n->den[i];
		struct factors unit = without(sampled, part);

		unit = times(unit, limit);
		n->units[1 + i] = product(&unit);
		if (n->units[1 + i] > COND_MAX_PERIOD)
			return false;
	}
	return true;
}

static bool is_too_small(const struct naive *n, u64 k)
{
	unsigned int i;

	for (i = 0; i <= n->nr; i++) {
		if (k * n->units[i] < (i ? n->min_limit : n->min_sampled))
			return true;
	}
	return !k;
}

static bool is_too_large(const struct naive *n, u64 k)
{
	unsigned int i;

	for (i = 0; i <= n->nr; i++) {
		if (k * n->units[i] > COND_MAX_PERIOD)
			return true;
	}
	return false;
}

/* By halves: 0 fits, @too_large does not. */
static u64 largest_below(const struct naive *n, u64 too_large)
{
	u64 fits = 0;

	while (fits + 1 < too_large) {
		u64 middle = (fits + too_large) / 2;

		if (is_too_large(n, middle))
			too_large = middle;
		else
			fits = middle;
	}
	return fits;
}

/* The multiple of the window's unit that is nearest to the window; 0: refused. */
static u64 find_factor(const struct naive *n)
{
	u64 unit = n->units[n->below[0] ? 0 : 1], k = 0;

	/* first in large steps, so that this ends soon */
	k = n->window / unit;
	while (2 * n->window >= (2 * k + 1) * unit)
		k++;
	while (n->adjust && is_too_small(n, k))
		k++;
	if (n->adjust && is_too_large(n, k))
		k = largest_below(n, k);
	return is_too_small(n, k) || is_too_large(n, k) ? 0 : k;
}

/* ---- random conditions -------------------------------------------------------------------- */

static u64 random_up_to(u64 max)
{
	return (((u64)random() << 31) ^ random()) % max + 1;
}

static u64 random_number(void)
{
	static const u64 sizes[] = { 3, 10, 30, 100, 1000, 1000, 1000, 100000, 10000000 };

	return random_up_to(sizes[random() % (sizeof(sizes) / sizeof(*sizes))]);
}

/* Write a threshold, and note its value as factors of numerator and denominator. */
static void write_threshold(struct naive *n, unsigned int i, char text[TEXT_LEN])
{
	u64 whole = random_number(), other, scale = 1;
	struct factors num, den, common;
	unsigned int places = random() % 5, k;

	for (k = 0; k < places; k++)
		scale *= 10;
	switch (random() % 3) {
	case 0:
		other = random_number();
		snprintf(text, TEXT_LEN, "%llu/%llu", whole, other);
		break;
	case 1:
		other = scale;
		snprintf(text, TEXT_LEN, places ? "%llu.%0*llu" : "%llu", whole / scale,
			 (int)places, whole % scale);
		break;
	default:
		other = scale * 100;
		snprintf(text, TEXT_LEN, places ? "%llu.%0*llu%%" : "%llu%%", whole / scale,
			 (int)places, whole % scale);
		break;
	}
	num = factorise(whole);
	den = factorise(other);
	common = without(num, &den);
	common = without(num, &common);
	n->num[i] = without(num, &common);
	n->den[i] = without(den, &common);
	n->below[i] = random() % 2;
}

struct result {
	bool good;
	u64 factor;
	struct acrpmu_condition c;
};

/* As the library does it, from the text of each threshold on. */
static bool solve(const struct naive *n, char texts[][TEXT_LEN], struct result *r)
{
	unsigned int i;

	r->good = false;
	memset(&r->c, 0, sizeof(r->c));
	for (i = 0; i < n->nr; i++) {
		struct acrpmu_comparison *comparison = &r->c.comparisons[i];
		const struct text text = { .start = texts[i] };
		struct cond_number number;
		const char *at = texts[i];

		if (acrpmu_cond_number_read(&text, &at, &number) || *at)
			return false;
		comparison->below = n->below[i];
		acrpmu_cond_number_divide(&number, 1, &comparison->num, &comparison->den);
		r->c.nr_comparisons++;
		if (acrpmu_cond_add_unit(&r->c))
			return true;
	}
	r->c.window_event = n->below[0] ? 0 : 1;
	r->c.asked_window = n->window;
	r->good = !acrpmu_cond_set_range(&r->c, n->min_sampled, n->min_limit) &&
		  !acrpmu_cond_set_window(&r->c, n->adjust);
	return true;
}

static bool is_equal(struct naive *n, const struct result *r)
{
	u64 k = find_units(n) ? find_factor(n) : 0;
	unsigned int i;

	if (!k || !r->good)
		return !k && !r->good;
	for (i = 0; i <= n->nr; i++) {
		if (r->c.units[i] * r->c.factor != n->units[i] * k)
			return false;
	}
	return r->c.window == n->units[n->below[0] ? 0 : 1] * k;
}

/* The definition itself: P_A / P_B is the threshold. */
static bool is_exact(const struct naive *n, const struct result *r)
{
	unsigned int i;

	for (i = 0; r->good && i < n->nr; i++) {
		u64 sampled = r->c.units[0] * r->c.factor, limit = r->c.units[1 + i] * r->c.factor;
		u64 a = n->below[i] ? limit : sampled, b = n->below[i] ? sampled : limit;

		if (a * product(&n->den[i]) != b * product(&n->num[i]))
			return false;
	}
	return true;
}

static void test_random(void)
{
	unsigned int round, i, unread = 0, wrong = 0, inexact = 0, good = 0;
	char texts[MAX_COMPARISONS][TEXT_LEN];
	struct result r;

	srandom(11);
	for (round = 0; round < ROUNDS; round++) {
		struct naive n = {
			.nr = 1 + random() % MAX_COMPARISONS,
			.window = random() % 8 ? random_number() : random_up_to(1ULL << 32),
			.adjust = random() % 2,
			.min_sampled = random() % 4 ? 1000 : random_up_to(5000),
			.min_limit = random() % 4 ? 100 : random_up_to(5000),
		};

		for (i = 0; i < n.nr; i++)
			write_threshold(&n, i, texts[i]);
		if (!solve(&n, texts, &r)) {
			unread++;
			continue;
		}
		good += r.good;
		inexact += !is_exact(&n, &r);
		if (is_equal(&n, &r) || wrong++)
			continue;
		printf("# window %llu:", n.window);
		for (i = 0; i < n.nr; i++)
			printf(" %c %s", n.below[i] ? '<' : '>', texts[i]);
		printf("\n");
	}
	is_u64(unread, 0, "all thresholds are read");
	is_u64(inexact, 0, "all periods have exactly the ratio of their threshold");
	is_u64(wrong, 0, "of %u conditions all have the periods of prime factors, or none", ROUNDS);
	ok(good > ROUNDS / 4 && good < ROUNDS / 4 * 3, "many have periods, and many have none");
	printf("# %u have periods\n", good);
}

int main(void)
{
	plan(4);
	find_primes();
	test_random();
	return done();
}
