/* SPDX-License-Identifier: GPL-2.0-only */
/* A small TAP producer for unit tests: plan, ok, is_u64, is_str, skip, and the exit status. */
#ifndef _ACRPMU_UNIT_TAP_H
#define _ACRPMU_UNIT_TAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int tap_planned;
static int tap_count;
static int tap_failed;
static bool tap_good;

/**
 * plan() - announce the number of tests
 * @nr: tests that will run; 0: not known beforehand, done() prints it
 */
static inline void plan(int nr)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
	tap_planned = nr;
	if (nr)
		printf("1..%d\n", nr);
}

/* Each test prints its name between these two, so that the compiler checks printf's arguments. */
static inline void tap_begin(bool good)
{
	tap_good = good;
	tap_failed += !good;
	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
}

static inline bool tap_end(const char *file, int line)
{
	printf("\n");
	if (!tap_good)
		printf("#   at %s:%d\n", file, line);
	return tap_good;
}

static inline bool tap_end_u64(unsigned long long got, unsigned long long want,
			       const char *file, int line)
{
	if (!tap_end(file, line))
		printf("#   got  0x%llx (%lld)\n#   want 0x%llx (%lld)\n",
		       got, (long long)got, want, (long long)want);
	return tap_good;
}

static inline bool tap_end_str(const char *got, const char *want, const char *file, int line)
{
	if (!tap_end(file, line))
		printf("#   got  %s\n#   want %s\n", got ? got : "(null)", want ? want : "(null)");
	return tap_good;
}

/** ok() - one test: passes if @cond holds; the rest is printf's format and arguments of its name */
#define ok(cond, ...)	\
	(tap_begin(cond), printf(__VA_ARGS__), tap_end(__FILE__, __LINE__))

/** is_u64() - one test: passes if @got equals @want; a failure prints both */
#define is_u64(got, want, ...)	({						\
	unsigned long long got_ = (got), want_ = (want);			\
										\
	tap_begin(got_ == want_);						\
	printf(__VA_ARGS__);							\
	tap_end_u64(got_, want_, __FILE__, __LINE__); })

/** is_str() - one test: passes if the strings are equal or both NULL; a failure prints both */
#define is_str(got, want, ...)	({						\
	const char *got_ = (got), *want_ = (want);				\
										\
	tap_begin(got_ && want_ ? !strcmp(got_, want_) : got_ == want_);	\
	printf(__VA_ARGS__);							\
	tap_end_str(got_, want_, __FILE__, __LINE__); })

/**
 * skip() - count tests that cannot run here
 * @nr: how many
 * @reason: why
 */
static inline void skip(int nr, const char *reason)
{
	while (nr-- > 0)
		printf("ok %d # SKIP %s\n", ++tap_count, reason);
}

/**
 * done() - close the run
 *
 * Return: exit status: 0 if all planned tests ran and none failed, otherwise 1.
 */
static inline int done(void)
{
	if (!tap_planned) {
		printf("1..%d\n", tap_count);
		return tap_failed || !tap_count;
	}
	if (tap_planned != tap_count)
		printf("# planned %d tests, ran %d\n", tap_planned, tap_count);
	return tap_failed || tap_planned != tap_count;
}

#endif /* _ACRPMU_UNIT_TAP_H */
