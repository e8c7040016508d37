// SPDX-License-Identifier: GPL-2.0-only
/* Samples added up by function and address. */
#include <errno.h>
#include <stdlib.h>

#include "annotate.h"

#define FIRST_ROOM	64

/* Make room for an element behind those of @tuples; NULL: out of memory, @array is as before. */
static void *room_for(void *array, size_t number, size_t size)
{
	size_t room = FIRST_ROOM;

	while (room < number)
		room *= 2;
	if (number && number < room)
		return array;
	return reallocarray(array, number ? 2 * room : room, size);
}

static size_t number_of_function(struct annotate *an, const struct sym_location *loc,
				 const struct sym_function *f)
{
	size_t symbol = intern_add(&an->texts, loc->symbol);
	size_t dso = intern_add(&an->texts, loc->dso ? loc->dso : SYM_KERNEL_NAME), number;
	const uint64_t key[] = { f->dso, f->kernel, f->start, symbol, dso };
	struct annotate_function *more;
	bool added;

	if (symbol == INTERN_FAILED || dso == INTERN_FAILED)
		return TUPLES_FAILED;
	number = tuples_add(&an->functions_known, key, sizeof(key) / sizeof(*key), &added);
	if (number == TUPLES_FAILED || !added)
		return number;
	more = room_for(an->functions, number, sizeof(*more));
	if (!more)
		return TUPLES_FAILED;
	an->functions = more;
	more[number] = (struct annotate_function){
		.at = *f, .symbol = an->texts.texts[symbol], .dso = an->texts.texts[dso],
	};
	return number;
}

static int count(struct annotate *an, __u32 event, size_t function, __u64 addr, __u64 period)
{
	const uint64_t key[] = { event, function, addr };
	struct annotate_count *more;
	size_t number;
	bool added;

	number = tuples_add(&an->known, key, sizeof(key) / sizeof(*key), &added);
	if (number == TUPLES_FAILED)
		return -ENOMEM;
	if (added) {
		more = room_for(an->counts, number, sizeof(*more));
		if (!more)
			return -ENOMEM;
		an->counts = more;
		more[number] = (struct annotate_count){ 0 };
	}
	an->counts[number].samples++;
	an->counts[number].period += period;
	an->functions[function].samples++;
	return 0;
}

static int add_sample(struct annotate *an, const struct pd_sample *s)
{
	const struct perf_event_attr *attr = &an->view.reader.events[s->event].attr;
	__u64 period = s->fields & PERF_SAMPLE_PERIOD ? s->period : attr->sample_period;
	struct sym_function f;
	struct sym_location loc;
	size_t function;

	an->totals[s->event].samples++;
	an->totals[s->event].period += period;
	/* addresses of a virtual machine are unknown here */
	if (view_is_guest(s) ||
	    !sym_function_find(&an->view.space, view_is_kernel(s), s->pid, s->ip, &loc, &f))
		return 0;
	function = number_of_function(an, &loc, &f);
	if (function == TUPLES_FAILED)
		return -ENOMEM;
	return count(an, s->event, function, f.addr, period);
}

/* The events that have samples: only these have columns. */
static int list_events(struct annotate *an)
{
	__u32 i;

	an->events = calloc(an->view.reader.nr_events, sizeof(*an->events));
	an->in_function = calloc(an->view.reader.nr_events, sizeof(*an->in_function));
	if (!an->events || !an->in_function)
		return -ENOMEM;
	for (i = 0; i < an->view.reader.nr_events; i++) {
		if (an->totals[i].samples)
			an->events[an->nr_events++] = i;
	}
	return 0;
}

/**
 * annotate_collect() - add up all samples of functions that have a name
 *
 * Return: 0 or -ENOMEM.
 */
int annotate_collect(struct annotate *an)
{
	struct pd_sample s;

	an->totals = calloc(an->view.reader.nr_events, sizeof(*an->totals));
	if (!an->totals)
		return -ENOMEM;
	while (view_next(&an->view, &s)) {
		if (add_sample(an, &s))
			return -ENOMEM;
	}
	return list_events(an);
}
