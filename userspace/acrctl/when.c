// SPDX-License-Identifier: GPL-2.0-only
/* The options --when, --window and -F: a condition instead of events. */
#include "when.h"

#include <errno.h>
#include <string.h>

#include "../util/message.h"
#include "../util/number.h"
#include "terminal.h"

#define MAX_HZ	1000000

static int refuse_twice(struct acrpmu_message *message, const char *option, const char *hint)
{
	acrpmu_message_text(message, "usage", "%s is given twice", option);
	acrpmu_message_hint(message, "%s", hint);
	return -EINVAL;
}

static int take_window(struct when *when, const char *arg, struct acrpmu_message *message)
{
	size_t bad;
	__u64 n;

	if (when->window)
		return refuse_twice(message, "--window", "the windows have one length: leave one "
				    "of the two out");
	if (!acrpmu_number_parse(arg, strlen(arg), &n, &bad) && n) {
		when->window = n;
		return 0;
	}
	acrpmu_message_text(message, "usage", "--window '%s' is not a number of occurrences",
			    acrpmu_message_word(arg, strlen(arg)).text);
	acrpmu_message_hint(message, "give a whole number above 0");
	return -EINVAL;
}

static int take_rate(struct when *when, const char *arg, struct acrpmu_message *message)
{
	size_t bad;
	__u64 n;

	if (when->hz)
		return refuse_twice(message, "-F", "a recording has one rate: leave one of the two "
				    "out");
	if (!acrpmu_number_parse(arg, strlen(arg), &n, &bad) && n && n <= MAX_HZ) {
		when->hz = n;
		return 0;
	}
	acrpmu_message_text(message, "usage", "-F '%s' is not a number of samples a second",
			    acrpmu_message_word(arg, strlen(arg)).text);
	acrpmu_message_hint(message, "give a whole number from 1 to %d", MAX_HZ);
	return -EINVAL;
}

/**
 * when_take_option() - take an option if it is one of these
 *
 * Return: 0, also for other options; -EINVAL with a message.
 */
int when_take_option(struct when *when, int c, const char *arg, struct acrpmu_message *message)
{
	if (c == WHEN_OPT_WINDOW)
		return take_window(when, arg, message);
	if (c == WHEN_OPT_RATE)
		return take_rate(when, arg, message);
	if (c != WHEN_OPT_WHEN)
		return 0;
	if (!when->condition) {
		when->condition = arg;
		return 0;
	}
	return refuse_twice(message, "--when",
			    "join comparisons by && to sample where all of them hold");
}

static int refuse_rate(struct acrpmu_message *message)
{
	acrpmu_message_text(message, "usage", "-F changes all periods of a condition by one "
			    "factor, and there is no --when; the periods of events are fixed");
	acrpmu_message_hint(message, "give a condition with --when; -c sets the period of events");
	return -EINVAL;
}

/**
 * when_check() - check that other options do not contradict a condition
 * @nr_events: how often -e was given
 * @count: whether -c was given
 *
 * Return: 0; -EINVAL with a message.
 */
int when_check(const struct when *when, unsigned int nr_events, bool count,
	       struct acrpmu_message *message)
{
	if (!when->condition && when->window) {
		acrpmu_message_text(message, "usage", "--window is the length of a condition's "
				    "windows, and there is no --when");
		acrpmu_message_hint(message, "give a condition with --when; events have periods "
				    "of their own");
		return -EINVAL;
	}
	if (!when->condition && when->hz)
		return refuse_rate(message);
	if (when->window && when->hz) {
		acrpmu_message_text(message, "usage", "-F and --window exclude each other: -F "
				    "changes the length of the windows");
		acrpmu_message_hint(message, "leave one of them out");
		return -EINVAL;
	}
	if (!when->condition || (!nr_events && !count))
		return 0;
	if (nr_events) {
		acrpmu_message_text(message, "usage", "events and --when exclude each other: a "
				    "condition decides which events are counted");
		acrpmu_message_hint(message, "leave the events out, or leave --when out and give "
				    "the group with its masks");
	} else {
		acrpmu_message_text(message, "usage", "-c and --when exclude each other: the "
				    "thresholds decide the ratio of the periods");
		acrpmu_message_hint(message, "set the length of a window with --window");
	}
	return -EINVAL;
}

/**
 * when_add() - add the condition to the event strings, which are empty, so that messages find it
 *
 * Return: 0, or -ENOMEM after a message.
 */
int when_add(const struct when *when, struct event_args *args)
{
	int none = 0;

	return event_args_add(args, when->condition, 0, NULL, &none);
}

static const char *why_other_window(const struct acrpmu_condition *c)
{
	__u64 unit = c->units[c->window_event], rest = c->asked_window % unit;
	/* what rounding alone would give */
	__u64 nearest = c->asked_window / unit + (rest >= unit - rest);

	if (c->factor > nearest && c->factor > 1)
		return "no period is too small";
	if (c->factor < nearest)
		return "no period is too large";
	return "the ratio is exact";
}

/**
 * when_explain_window() - print that a window differs from the one that was asked for
 * @before: what the line begins with
 *
 * Prints nothing if it does not differ.
 */
void when_explain_window(const struct acrpmu_spec *spec, FILE *f, const char *before)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(spec);

	if (!c || c->window == c->asked_window)
		return;
	fprintf(f, "%sthe window is %llu x ", before, c->window);
	terminal_print(f, 0, acrpmu_spec_event(spec, 0, c->window_event)->name);
	fprintf(f, " instead of %llu, so that %s\n", c->asked_window, why_other_window(c));
}
