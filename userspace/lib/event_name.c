// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events that have a name on every CPU, and their config words. */
#include "event_name.h"

#include <string.h>

#include "../../kmod/core/types.h"

/*
 * perf's generic names.  The codes are those of the architectural events, which every Intel PMU
 * has (SDM vol. 3, "Pre-defined Architectural Performance Events"); 0x0300 is perf's pseudo code of
 * fixed counter 2.
 */
static const struct {
	const char *name;
	__u16 config;
} names[] = {
	{ "cpu-cycles", 0x003c },
	{ "cycles", 0x003c },
	{ "instructions", 0x00c0 },
	{ "ref-cycles", 0x0300 },
	{ "branch-instructions", 0x00c4 },
	{ "branches", 0x00c4 },
	{ "branch-misses", 0x00c5 },
	{ "cache-references", 0x4f2e },
	{ "cache-misses", 0x412e },
};

bool acrpmu_name_find(const char *at, size_t len, __u64 *config)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) == len && !memcmp(names[i].name, at, len)) {
			*config = names[i].config;
			return true;
		}
	}
	return false;
}

void acrpmu_name_suggest(struct suggestion *best, const char *at, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		acrpmu_suggest_consider(best, at, len, names[i].name);
}
