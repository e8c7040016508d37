// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading event strings: options, one string after another. */
#include <errno.h>
#include <stdlib.h>

#include "../util/message.h"
#include "event_kind.h"
#include "event_parse.h"
#include "options.h"

/**
 * acrpmu_spec_parse() - read event strings in perf's syntax
 * @strings: the strings, such as the arguments of several -e options
 * @nr_strings: how many, at least 1
 * @options: how to read them; NULL: no default period
 * @spec: out, the groups in order, to be freed by acrpmu_spec_free(); written only on success
 * @message: out, why not; may be NULL
 *
 * Each string may hold several groups; an event outside of braces is a group of one.
 *
 * Return: 0; -EINVAL: refused; -E2BIG: @options has members set that this library does not know;
 * -ENOMEM; see @message in each case.
 */
int acrpmu_spec_parse(const char *const *strings, unsigned int nr_strings,
		      const struct acrpmu_parse_options *options, struct acrpmu_spec **spec,
		      struct acrpmu_message *message)
{
	struct acrpmu_parse_options known;
	struct acrpmu_spec *s;
	unsigned int i;
	int err;

	acrpmu_message_clear(message);
	err = acrpmu_options_parse(&known, options, message);
	if (err)
		return err;
	if (!nr_strings) {
		acrpmu_message_text(message, "no-event", "no event is given");
		acrpmu_message_hint(message, "name some, like 'cycles'");
		return -EINVAL;
	}

	s = calloc(1, sizeof(*s));
	if (!s)
		return acrpmu_message_no_memory(message);
	s->software = known.flags & ACRPMU_PARSE_SOFTWARE;
	for (i = 0; !err && i < nr_strings; i++) {
		const struct text text = { strings[i], i, message, known.events };

		err = acrpmu_parse_string(&text, &known, s, acrpmu_kind_read);
	}
	if (err) {
		if (err == -ENOMEM)
			acrpmu_message_no_memory(message);
		acrpmu_spec_free(s);
		return err;
	}
	*spec = s;
	return 0;
}
