// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as an event string, with and without tables, put into words and encoded. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/lib/acrpmu_lib.h"

#define TEXT_LEN	256

static void check(int cond)
{
	if (!cond)
		abort();
}

/* A refusal says what, why and how, and points into the string. */
static void check_message(const struct acrpmu_message *m, size_t len)
{
	check(*m->code && *m->text && *m->hint);
	check(m->column <= len + 1);
}

/* An event is on a counter that is allowed, unless it moved to another register's event. */
static void check_cntrs(const struct acrpmu_spec *spec, unsigned int group,
			const struct acrpmu_event_hw *hw)
{
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(spec, group); i++) {
		__u64 allowed = acrpmu_spec_event(spec, group, i)->attr.allowed_cntrs;

		check(!allowed || hw[i].extra_msr || allowed >> hw[i].cntr & 1);
	}
}

static void use(const struct acrpmu_spec *spec, unsigned int group, const char *pmu, size_t len)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_message message;
	struct acrpmu_cpu cpu;
	char text[TEXT_LEN];

	check(!acrpmu_cpu_by_name(pmu, &cpu));
	acrpmu_spec_matrix(spec, group, text, sizeof(text));
	if (acrpmu_encode(spec, group, &cpu, hw, &message))
		check_message(&message, len);
	else
		check_cntrs(spec, group, hw);
}

/* Of these CPUs the tables are looked into. */
static const char *const table_cpus[] = {
	NULL, "goldmont", "goldmontplus", "clearwaterforest", "skymont", "darkmont",
	"architectural", "test",
};

/* The named events of a CPU, which stay open. */
static const struct acrpmu_events *events_of(unsigned int i)
{
	static struct acrpmu_events *events[sizeof(table_cpus) / sizeof(table_cpus[0])];
	const struct acrpmu_events_options options = {
		.size = sizeof(options), .pmu = table_cpus[i],
	};

	if (table_cpus[i] && !events[i])
		check(!acrpmu_events_open(&options, &events[i], NULL));
	return events[i];
}

static unsigned int flags_of(uint8_t byte)
{
	return (byte & 1 ? ACRPMU_PARSE_COUNT : 0) | (byte & 0x40 ? ACRPMU_PARSE_TABLE_PERIOD : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* the first byte chooses the options, bits 3 to 5 a CPU's tables */
	const uint8_t first = size ? data[0] : 0;
	const struct acrpmu_parse_options options = {
		.size = sizeof(options),
		.flags = flags_of(first),
		.period = first & 2 ? 100000 : 0,
		.pmu = first & 4 ? "goldmont" : NULL,
		.events = events_of(first >> 3 & 7),
	};
	struct acrpmu_message message;
	struct acrpmu_spec *spec;
	const char *string;
	unsigned int g;
	size_t len;
	char *copy;

	if (!size)
		return 0;
	copy = strndup((const char *)data + 1, size - 1);
	if (!copy)
		return 0;
	string = copy;
	len = strlen(copy);
	if (acrpmu_spec_parse(&string, 1, &options, &spec, &message)) {
		check_message(&message, len);
		check(message.column > 0);
		free(copy);
		return 0;
	}
	check(acrpmu_spec_nr_groups(spec) > 0);
	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++) {
		check(acrpmu_spec_nr_events(spec, g) > 0);
		use(spec, g, "clearwaterforest", len);
		use(spec, g, "goldmont", len);
		use(spec, g, "architectural", len);
	}
	acrpmu_spec_free(spec);
	free(copy);
	return 0;
}
