// SPDX-License-Identifier: GPL-2.0-only
/* growth_names FOLDER: how costs grow with the names in a file of events, in the guest. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../../userspace/lib/acrpmu_lib.h"
#include "../model/oracle.h"
#include "figure.h"

#define CPUID		"GenuineIntel-6-DD-0"
#define NAME_LEN	32

static const unsigned int numbers[] = { 1, 8, 64, 512, 4096, 12500, 100000 };

static uint64_t user_insns(void)
{
	return oracle_events(ORACLE_ALL_CPUS, ORACLE_EV_INSN, false);
}

static void name_of(unsigned int i, char *name)
{
	/* not in alphabetical order */
	snprintf(name, NAME_LEN, "N%06u_EVENT.CASE_%u", i * 7919 % 100003, i % 10);
}

static bool write_file(const char *path, unsigned int nr)
{
	FILE *f = fopen(path, "w");
	char name[NAME_LEN];
	unsigned int i;

	if (!f)
		return false;
	fputs("[", f);
	for (i = 0; i < nr; i++) {
		name_of(i, name);
		fprintf(f, "%s{\"EventName\": \"%s\", \"EventCode\": \"0x%02X\", ", i ? "," : "",
			name, i / 256 % 256);
		fprintf(f, "\"UMask\": \"0x%02X\", \"SampleAfterValue\": \"100003\", ", i % 256);
		fprintf(f, "\"BriefDescription\": \"Case %u.\"}\n", i);
	}
	fputs("]\n", f);
	return !fclose(f);
}

static void print(const char *series, unsigned int nr, uint64_t cost)
{
	figure_point_print(&(struct figure_point){
		.part = "growth", .series = series, .x = nr, .x_unit = "names", .y = cost,
		.unit = "instructions",
	});
}

static bool measure(const char *path, unsigned int nr)
{
	struct acrpmu_events_options options = {
		.size = sizeof(options), .cpuid = CPUID, .dir = path,
	};
	uint64_t start = user_insns(), opened, found;
	struct acrpmu_events *events;
	struct acrpmu_named named;
	char name[NAME_LEN];
	unsigned int i;
	int err = 0;

	if (acrpmu_events_open(&options, &events, NULL))
		return false;
	opened = user_insns();
	for (i = 0; i < nr && !err; i++) {
		name_of(i, name);
		err = acrpmu_events_find(events, name, strlen(name), &named);
	}
	found = user_insns();
	acrpmu_events_close(events);
	if (err)
		return false;
	print("names: read a file", nr, opened - start);
	print("names: look up each", nr, found - opened);
	return true;
}

int main(int argc, char **argv)
{
	char path[256];
	unsigned int i;

	if (argc != 2 || !oracle_present())
		return 2;
	snprintf(path, sizeof(path), "%s/events.json", argv[1]);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (!write_file(path, numbers[i]) || !measure(path, numbers[i])) {
			fprintf(stderr, "%u names cannot be measured\n", numbers[i]);
			return 1;
		}
	}
	return 0;
}
