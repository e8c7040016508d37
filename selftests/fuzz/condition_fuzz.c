// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as a condition; its periods are exact, and its text and group say the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/lib/acrpmu_lib.h"

#define MAX_PERIOD	0x7fffffff
#define MIN_SAMPLED	1000

static void check(int cond)
{
	if (!cond)
		abort();
}

static char *group_string(const struct acrpmu_spec *spec)
{
	size_t size = acrpmu_spec_group_string(spec, 0, NULL, 0) + 1;
	char *string = malloc(size);

	check(string && size > 1);
	acrpmu_spec_group_string(spec, 0, string, size);
	return string;
}

static const struct acrpmu_event_attr *attr_of(const struct acrpmu_spec *spec, unsigned int i)
{
	return &acrpmu_spec_event(spec, 0, i)->attr;
}

static void check_same(const struct acrpmu_spec *a, const struct acrpmu_spec *b)
{
	unsigned int i, nr = acrpmu_spec_nr_events(a, 0);

	check(acrpmu_spec_nr_groups(b) == 1 && acrpmu_spec_nr_events(b, 0) == nr);
	for (i = 0; i < nr; i++)
		check(!memcmp(attr_of(a, i), attr_of(b, i), sizeof(*attr_of(a, i))));
}

/* What every condition promises of its periods. */
static void check_periods(const struct acrpmu_spec *spec)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(spec);
	unsigned int i;

	check(acrpmu_spec_nr_events(spec, 0) == c->nr_comparisons + 1);
	check(attr_of(spec, 0)->period >= MIN_SAMPLED);
	for (i = 0; i <= c->nr_comparisons; i++) {
		const struct acrpmu_event_attr *attr = attr_of(spec, i);

		check(attr->period >= ACRPMU_CONDITION_MIN_LIMIT && attr->period <= MAX_PERIOD);
		check(!(attr->flags & ACRPMU_EVENT_SAMPLED) == !!i);
	}
	for (i = 0; i < c->nr_comparisons; i++) {
		const struct acrpmu_comparison *comparison = &c->comparisons[i];
		__u64 a = attr_of(spec, comparison->a)->period;
		__u64 b = attr_of(spec, comparison->b)->period;

		check(a * comparison->den == b * comparison->num);
	}
}

static void check_texts(const struct acrpmu_spec *spec,
			const struct acrpmu_condition_options *how,
			const struct acrpmu_parse_options *options)
{
	struct acrpmu_parse_options own = *options;
	struct acrpmu_spec *again;
	char *string = group_string(spec);
	const char *group = string;

	check(!acrpmu_spec_parse(&group, 1, options, &again, NULL));
	check_same(spec, again);
	acrpmu_spec_free(again);
	free(string);
	check(!acrpmu_spec_parse_condition(acrpmu_spec_text(spec, 0), how, &own, &again, NULL));
	check_same(spec, again);
	acrpmu_spec_free(again);
}

/* The named events of a CPU, which stay open; with none of them any CPU's names are read. */
static const struct acrpmu_events *events_of(const char *cpu, struct acrpmu_events **events)
{
	const struct acrpmu_events_options options = { .size = sizeof(options), .pmu = cpu };

	if (!*events)
		check(!acrpmu_events_open(&options, events, NULL));
	return *events;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct acrpmu_events *cwf, *goldmont;
	/* the first byte chooses the options */
	const uint8_t first = size ? data[0] : 0;
	const struct acrpmu_condition_options how = {
		.size = sizeof(how),
		.flags = first & 1 ? ACRPMU_CONDITION_SOFTWARE : 0,
		.window = first & 2 ? 1 << (first >> 4) : 0,
	};
	const struct acrpmu_parse_options options = {
		.size = sizeof(options),
		.pmu = (first & 12) == 8 ? "goldmont" : NULL,
		.events = (first & 12) == 4 ? events_of("clearwaterforest", &cwf) :
			  (first & 12) == 8 ? events_of("goldmont", &goldmont) : NULL,
	};
	struct acrpmu_message message;
	struct acrpmu_spec *spec;
	char *copy;

	if (!size)
		return 0;
	copy = strndup((const char *)data + 1, size - 1);
	if (!copy)
		return 0;
	if (acrpmu_spec_parse_condition(copy, &how, &options, &spec, &message)) {
		check(*message.code && *message.text && *message.hint);
		check(message.column > 0 && message.column <= strlen(copy) + 1);
	} else {
		check_periods(spec);
		check_texts(spec, &how, &options);
		acrpmu_spec_free(spec);
	}
	free(copy);
	return 0;
}
