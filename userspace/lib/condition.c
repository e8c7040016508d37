// SPDX-License-Identifier: LGPL-2.1-or-later
/* Conditions: options, one group for each kind of core, periods that follow a factor. */
#include <errno.h>
#include <stdlib.h>

#include "../util/message.h"
#include "cond_group.h"
#include "cond_parse.h"
#include "event_kind.h"
#include "options.h"

#define LEVEL_FLAGS	(ACRPMU_PARSE_USER | ACRPMU_PARSE_KERNEL)

static int copy_options(const struct acrpmu_parse_options *options,
			const struct acrpmu_condition_options *how,
			struct acrpmu_parse_options *known,
			struct acrpmu_condition_options *known_how,
			struct acrpmu_message *message)
{
	int err = acrpmu_options_parse(known, options, message);

	if (!err && how)
		err = acrpmu_options_copy(known_how, sizeof(*known_how), how,
					  ACRPMU_CONDITION_OPTIONS_SIZE_VER0, message);
	if (err)
		return err;
	if (known_how->flags & ~ACRPMU_CONDITION_SOFTWARE) {
		acrpmu_message_text(message, "flags", "the flags 0x%x are not known",
				    known_how->flags & ~ACRPMU_CONDITION_SOFTWARE);
		acrpmu_message_hint(message, "use ACRPMU_CONDITION_* of this library's header "
				    "only");
		return -EINVAL;
	}
	if (!known->period && !(known->flags & ~LEVEL_FLAGS))
		return 0;
	acrpmu_message_text(message, "condition-period", "the periods of a condition follow from "
			    "its thresholds and its window");
	acrpmu_message_hint(message, "set no period, and no flags but those of levels");
	return -EINVAL;
}

/**
 * acrpmu_spec_parse_condition() - make the group that samples a condition
 * @condition: "A / B > x" or "A / B < x", several joined by "&&"
 * @how: length of a window, smallest periods; NULL: the defaults
 * @options: how to read events, without period and without flags but those of levels; NULL: only
 *	perf's generic names
 * @spec: out, one group, or one for each kind of core, to be freed by acrpmu_spec_free(); written
 *	only on success
 * @message: out, why not; may be NULL
 *
 * Of "A / B > x" event A is sampled and B is its limit, of "A / B < x" it is the other way round.
 * With x = p/q in lowest terms the periods are p and q, times a whole number.  All events start a
 * window together, and the first overflow ends it for all: if that was the sampled event's, there
 * is a sample.
 *
 * Return: 0; -EINVAL: refused; -E2BIG: options have members set that this library does not know;
 * -ENOMEM; see @message in each case.
 */
int acrpmu_spec_parse_condition(const char *condition, const struct acrpmu_condition_options *how,
				const struct acrpmu_parse_options *options,
				struct acrpmu_spec **spec, struct acrpmu_message *message)
{
	struct acrpmu_condition_options known_how = { .size = sizeof(known_how) };
	struct acrpmu_parse_options known;
	struct text text = { .start = condition, .message = message };
	const char *at = condition;
	struct acrpmu_spec *s;
	int err;

	acrpmu_message_clear(message);
	err = copy_options(options, how, &known, &known_how, message);
	if (err)
		return err;
	text.events = known.events;
	s = calloc(1, sizeof(*s));
	if (!s)
		return acrpmu_message_no_memory(message);
	s->how = known_how;
	s->software = known_how.flags & ACRPMU_CONDITION_SOFTWARE;
	s->condition = calloc(1, sizeof(*s->condition));
	err = s->condition ? acrpmu_kind_read_by(&text, &known, s, &at, acrpmu_cond_parse) :
			     -ENOMEM;
	if (err) {
		if (err == -ENOMEM)
			acrpmu_message_no_memory(message);
		acrpmu_spec_free(s);
		return err;
	}
	*spec = s;
	return 0;
}

/**
 * acrpmu_spec_set_factor() - change the length of a condition's windows
 * @factor: min_factor to max_factor of the condition
 *
 * All periods become @factor times their units, so that the ratios stay exact.  Sessions that exist
 * do not change.
 *
 * Return: 0, or -EINVAL: there is no condition, or the factor is out of range.
 */
int acrpmu_spec_set_factor(struct acrpmu_spec *spec, __u64 factor)
{
	struct acrpmu_condition *c = spec->condition;
	unsigned int g;

	if (!c || factor < c->min_factor || factor > c->max_factor)
		return -EINVAL;
	c->factor = factor;
	c->window = factor * c->units[c->window_event];
	for (g = 0; g < spec->nr; g++)
		acrpmu_cond_group_set_periods(spec->groups[g]);
	return 0;
}
