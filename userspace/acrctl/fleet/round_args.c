// SPDX-License-Identifier: GPL-2.0-only
/* The options about rounds: how often, and for how long. */
#include "round_args.h"

#include <stdio.h>
#include <string.h>

#include "../../util/message.h"
#include "quantity.h"

#define MIN_EVERY_MS	100
#define MAX_EVERY_MS	86400000

static bool take_time(const char *option, const char *arg, __u64 *ms)
{
	if (quantity_time_ms(arg, ms) && *ms <= MAX_EVERY_MS)
		return true;
	fprintf(stderr,
		"acrctl: record: %s '%s' is not a time of up to a day; write it like 10s or 5m\n",
		option, acrpmu_message_word(arg, strlen(arg)).text);
	return false;
}

/**
 * round_args_take() - read an option about rounds; others are left alone
 *
 * Return: false after a message.
 */
bool round_args_take(struct round_args *a, int c, const char *arg)
{
	switch (c) {
	case ROUND_OPT_EVERY:
		return take_time("--every", arg, &a->every_ms);
	case ROUND_OPT_FOR:
		return take_time("--for", arg, &a->for_ms);
	case ROUND_OPT_SPREAD:
		a->spread = true;
		a->spread_ms = 0;
		return !strcmp(arg, "0") || take_time("--spread", arg, &a->spread_ms);
	}
	return true;
}

/**
 * round_args_check() - check options together, and complete them
 * @push: a server receives the profiles
 *
 * Return: false after a message.
 */
bool round_args_check(struct round_args *a, bool push)
{
	const char *why = NULL;

	if (!a->every_ms && (a->for_ms || a->spread))
		why = "--for and --spread are about the rounds of --every; add it";
	else if (!a->every_ms && push)
		why = "--push sends a profile of each round; add --every 60s --for 10s, or send "
		      "one recording with 'acrctl report --pprof FILE' and 'acrctl push'";
	else if (a->every_ms && !a->for_ms)
		why = "--every needs the time for which a round samples; add --for 10s";
	else if (a->every_ms && a->every_ms < MIN_EVERY_MS)
		why = "--every is at least 100ms; for more samples use shorter periods or -F";
	else if (a->every_ms && a->for_ms >= a->every_ms)
		why = "--for must be shorter than --every: profiles are made between rounds";
	if (why)
		fprintf(stderr, "acrctl: record: %s\n", why);
	if (push && !a->spread)
		a->spread_ms = a->every_ms;
	return !why;
}
