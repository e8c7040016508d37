// SPDX-License-Identifier: GPL-2.0-only
/* Exact decimal numbers and the numbers of event strings, against schoolbook arithmetic. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/decimal.h"
#include "userspace/util/number.h"
#include "userspace/util/suggest.h"

#define RANDOM_ROUNDS	20000
#define DIGITS		64

/* Numbers as decimal digits, lowest first: slow, and nothing in common with the code under test. */
struct digits {
	unsigned char d[DIGITS];
};

static struct digits from_u64(unsigned long long v)
{
	struct digits r = { { 0 } };
	unsigned int i;

	for (i = 0; v; i++, v /= 10)
		r.d[i] = v % 10;
	return r;
}

static struct digits multiply(const struct digits *a, const struct digits *b)
{
	struct digits r = { { 0 } };
	unsigned int i, j, carry;

	for (i = 0; i < DIGITS; i++) {
		carry = 0;
		for (j = 0; i + j < DIGITS; j++) {
			carry += r.d[i + j] + a->d[i] * b->d[j];
			r.d[i + j] = carry % 10;
			carry /= 10;
		}
	}
	return r;
}

static int compare(const struct digits *a, const struct digits *b)
{
	int i;

	for (i = DIGITS - 1; i >= 0; i--) {
		if (a->d[i] != b->d[i])
			return a->d[i] < b->d[i] ? -1 : 1;
	}
	return 0;
}

/* Whether q is a * b / c to the nearest, ties upwards: (2q - 1) c <= 2 a b < (2q + 1) c */
static bool is_nearest(unsigned long long q, unsigned long long a, unsigned long long b,
		       unsigned long long c)
{
	struct digits da = from_u64(a), db = from_u64(b), dc = from_u64(c);
	struct digits two = from_u64(2), product, left, low, high;

	product = multiply(&da, &db);
	left = multiply(&product, &two);
	low = from_u64(q ? 2 * q - 1 : 0);
	low = multiply(&low, &dc);
	high = from_u64(2 * q + 1);
	high = multiply(&high, &dc);
	return compare(&low, &left) <= 0 && compare(&left, &high) < 0;
}

static unsigned long long random_u64(unsigned int bits)
{
	unsigned long long v = (unsigned long long)random() << 42 ^
			       (unsigned long long)random() << 21 ^ random();

	return v >> (64 - bits);
}

static void test_random(void)
{
	unsigned int i, wrong = 0, overflows = 0;
	unsigned long long scale = 1;
	__u64 q;

	srandom(1);
	for (i = 0; i < RANDOM_ROUNDS; i++) {
		struct decimal d;
		unsigned long long n = random_u64(1 + random() % 60);

		scale = scale == 10000000000000000000ULL ? 1 : scale * 10;
		d.digits = random_u64(1 + random() % 63) | 1;
		d.scale = scale;
		if (acrpmu_decimal_multiply(n, &d, &q))
			overflows++;
		else if (q < 1ULL << 62 && !is_nearest(q, n, d.digits, d.scale))
			wrong++;
		if (acrpmu_decimal_divide(n, &d, &q))
			overflows++;
		else if (q < 1ULL << 62 && !is_nearest(q, n, d.scale, d.digits))
			wrong++;
	}
	is_u64(wrong, 0, "products and quotients are the nearest whole numbers");
	ok(overflows > 0 && overflows < RANDOM_ROUNDS, "some overflow (%u), not most", overflows);
}

static void test_edges(void)
{
	struct decimal half = { 5, 10 }, one = { 1, 1 }, two = { 2, 1 };
	__u64 q = 7;

	acrpmu_decimal_multiply(1, &half, &q);
	is_u64(q, 1, "1 * 0.5 is 1: ties go up");
	acrpmu_decimal_multiply(5, &half, &q);
	is_u64(q, 3, "5 * 0.5 is 3");
	is_u64(acrpmu_decimal_multiply(UINT64_MAX, &one, &q), 0, "the largest number times 1 fits");
	is_u64(q, UINT64_MAX, "and stays");
	q = 7;
	is_u64(-acrpmu_decimal_multiply(UINT64_MAX, &two, &q), EOVERFLOW, "times 2 it does not");
	is_u64(q, 7, "and nothing is written");
	is_u64(-acrpmu_decimal_divide(UINT64_MAX, &half, &q), EOVERFLOW, "nor divided by 0.5");
}

static void test_parse(void)
{
	static const struct {
		int line;
		const char *text;
		enum decimal_error error;
		__u64 digits, scale;
		size_t bad;
	} cases[] = {
		{ __LINE__, "2", DECIMAL_OK, 2, 1, 0 },
		{ __LINE__, "0.5", DECIMAL_OK, 5, 10, 0 },
		{ __LINE__, "2.0", DECIMAL_OK, 2, 1, 0 },
		{ __LINE__, "0.250", DECIMAL_OK, 25, 100, 0 },
		{ __LINE__, "000.1", DECIMAL_OK, 1, 10, 0 },
		{ __LINE__, ".1", DECIMAL_OK, 1, 10, 0 },
		{ __LINE__, ".050", DECIMAL_OK, 5, 100, 0 },
		{ __LINE__, ".0", DECIMAL_OK, 0, 1, 0 },
		{ __LINE__, ".0000000000000000001", DECIMAL_OK, 1, 10000000000000000000ULL, 0 },
		{ __LINE__, "0", DECIMAL_OK, 0, 1, 0 },
		{ __LINE__, "9999999999999999999", DECIMAL_OK, 9999999999999999999ULL, 1, 0 },
		{ __LINE__, "0.0000000000000000001", DECIMAL_OK, 1, 10000000000000000000ULL, 0 },
		{ __LINE__, "10000000000000000000", DECIMAL_LONG, 0, 0, 19 },
		{ __LINE__, "", DECIMAL_EMPTY, 0, 0, 0 },
		{ __LINE__, "-1", DECIMAL_SIGN, 0, 0, 0 },
		{ __LINE__, "NaN", DECIMAL_NOT_FINITE, 0, 0, 0 },
		{ __LINE__, "infinity", DECIMAL_NOT_FINITE, 0, 0, 0 },
		{ __LINE__, "1e3", DECIMAL_EXPONENT, 0, 0, 1 },
		{ __LINE__, "1.5E3", DECIMAL_EXPONENT, 0, 0, 3 },
		{ __LINE__, "1.", DECIMAL_SYNTAX, 0, 0, 2 },
		{ __LINE__, ".", DECIMAL_SYNTAX, 0, 0, 0 },
		{ __LINE__, "..5", DECIMAL_SYNTAX, 0, 0, 0 },
		{ __LINE__, ".x", DECIMAL_SYNTAX, 0, 0, 0 },
		{ __LINE__, ".5.", DECIMAL_SYNTAX, 0, 0, 2 },
		{ __LINE__, "-.5", DECIMAL_SIGN, 0, 0, 0 },
		{ __LINE__, ".5e1", DECIMAL_EXPONENT, 0, 0, 2 },
		{ __LINE__, "1..2", DECIMAL_SYNTAX, 0, 0, 2 },
		{ __LINE__, "1,5", DECIMAL_SYNTAX, 0, 0, 1 },
		{ __LINE__, "1 ", DECIMAL_SYNTAX, 0, 0, 1 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct decimal d = { 0xdeadbeef, 0xdeadbeef };
		size_t bad = 0;
		enum decimal_error error = acrpmu_decimal_parse(cases[i].text,
								strlen(cases[i].text), &d, &bad);

		is_u64(error, cases[i].error, "line %d: '%s'", cases[i].line, cases[i].text);
		if (error)
			is_u64(bad, cases[i].bad, "line %d: the place", cases[i].line);
		else
			ok(d.digits == cases[i].digits && d.scale == cases[i].scale,
			   "line %d: the value", cases[i].line);
	}
}

static void test_print(void)
{
	static const struct {
		__u64 num, den;
		const char *text;
	} cases[] = {
		{ 1, 2, "0.5" }, { 2, 1, "2" }, { 3, 8, "0.375" }, { 5, 4, "1.25" },
		{ 1, 3, "1/3 (about 0.333333)" }, { 333, 1000, "0.333" },
		{ 22, 7, "22/7 (about 3.142857)" }, { 1, 1, "1" },
		{ 2, 3, "2/3 (about 0.666667)" },
		{ 100001, 333337, "100001/333337 (about 0.300000)" },
		/* 0.33 millionths, 0.9999997 and 1.9999997: up to a whole, and down to none */
		{ 1, 3000000, "1/3000000 (about 0.000000)" },
		{ 3333332, 3333333, "3333332/3333333 (about 1.000000)" },
		{ 6666665, 3333333, "6666665/3333333 (about 2.000000)" },
		{ 18446744073709551615ULL, 18446744073709551614ULL,
		  "18446744073709551615/18446744073709551614 (about 1.000000)" },
	};
	__u64 num = 200000, den = 100000;
	unsigned int i;
	char text[128];

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		acrpmu_decimal_print(cases[i].num, cases[i].den, text, sizeof(text));
		is_str(text, cases[i].text, "%llu/%llu in words",
		       (unsigned long long)cases[i].num, (unsigned long long)cases[i].den);
	}
	/* 2^-63 ends after 63 places */
	acrpmu_decimal_print(1, 1ULL << 63, text, sizeof(text));
	is_u64(strlen(text), 65, "the longest fraction with an end fits");
	acrpmu_decimal_reduce(&num, &den);
	ok(num == 2 && den == 1, "fractions are brought to lowest terms");
}

static void test_number(void)
{
	__u64 v;
	size_t bad;

	is_u64(acrpmu_number_parse("010", 3, &v, &bad), NUMBER_OK, "a leading zero is allowed");
	is_u64(v, 10, "and does not make it octal");
	acrpmu_number_parse("18446744073709551615", 20, &v, &bad);
	is_u64(v, UINT64_MAX, "the largest number");
	is_u64(acrpmu_number_parse("18446744073709551616", 20, &v, &bad), NUMBER_LARGE,
	       "one more is refused");
	acrpmu_number_parse("0xffffffffffffffff", 18, &v, &bad);
	is_u64(v, UINT64_MAX, "the largest hexadecimal number");
}

static void test_suggest(void)
{
	static const struct {
		const char *misspelt, *word;
		bool near;
	} cases[] = {
		{ "cycels", "cycles", true }, { "Cycles", "cycles", true },
		{ "instuctions", "instructions", true }, { "xyz", "cycles", false },
		{ "a", "eq", false }, { "", "eq", false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct suggestion best = { NULL };

		acrpmu_suggest_consider(&best, cases[i].misspelt, strlen(cases[i].misspelt),
					cases[i].word);
		is_u64(!best.word, !cases[i].near, "'%s' for '%s'", cases[i].misspelt,
		       cases[i].word);
	}
}

int main(void)
{
	plan(0);
	test_random();
	test_edges();
	test_parse();
	test_print();
	test_number();
	test_suggest();
	return done();
}
