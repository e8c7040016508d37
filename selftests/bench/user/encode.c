// SPDX-License-Identifier: GPL-2.0-only
/* Encodes names of Goldmont's events with libpfm4 and with libacrpmu, in turn, as many of each. */
#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "userspace/lib/acrpmu_lib.h"

#define ENCODINGS	100000
#define MAX_NAMES	8192
#define NAME_LEN	160
/* IA32_PERFEVTSELx */
#define SEL_USR		(1ULL << 16)
#define SEL_OS		(1ULL << 17)
#define SEL_INT		(1ULL << 20)
#define SEL_EN		(1ULL << 22)

struct code {
	__u64 event, extra;
};

static char names[MAX_NAMES][NAME_LEN];
static struct code codes[MAX_NAMES];
static unsigned int nr;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static bool encode_peer(const char *name, struct code *code)
{
	uint64_t *values = NULL;
	int count = 0;

	if (pfm_get_event_encoding(name, PFM_PLM0 | PFM_PLM3, NULL, NULL, &values, &count))
		return false;
	code->event = values[0];
	code->extra = count > 1 ? values[1] : 0;
	free(values);
	return true;
}

static bool encode_ours(const char *name, struct code *code)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT, .pmu = "glm",
	};
	const struct acrpmu_spec_event *e;
	struct acrpmu_message message;
	struct acrpmu_spec *spec;

	if (acrpmu_spec_parse(&name, 1, &options, &spec, &message))
		return false;
	e = acrpmu_spec_event(spec, 0, 0);
	code->event = e->attr.config | SEL_INT | SEL_EN |
		      (e->attr.flags & ACRPMU_EVENT_USER ? SEL_USR : 0) |
		      (e->attr.flags & ACRPMU_EVENT_KERNEL ? SEL_OS : 0);
	code->extra = e->attr.extra_value;
	acrpmu_spec_free(spec);
	return true;
}

/* Where the two differ, libpfm4 has a known defect: see Documentation/pfm-names.rst. */
static void add_name(const char *event, const char *umask, const char *modifiers)
{
	struct code ours, peer;
	char *name = names[nr];

	if (nr == MAX_NAMES)
		return;
	snprintf(name, NAME_LEN, "glm::%s%s%s%s", event, *umask ? ":" : "", umask, modifiers);
	if (!encode_ours(name, &ours) || !encode_peer(name, &peer) || ours.event != peer.event ||
	    ours.extra != peer.extra)
		return;
	codes[nr++] = ours;
}

static void add_umask(const char *event, const char *umask)
{
	static const char *const modifiers[] = { "", ":u", ":k", ":u:c=2", ":k:c=1:i", ":e:c=1" };
	unsigned int i;

	for (i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
		add_name(event, umask, modifiers[i]);
}

static void add_event(int index)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	int i;

	if (pfm_get_event_info(index, PFM_OS_NONE, &info))
		return;
	add_umask(info.name, "");
	for (i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (!pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) &&
		    attr.type == PFM_ATTR_UMASK)
			add_umask(info.name, attr.name);
	}
}

/* Returns the time, negative if some code is not the same as before. */
static double run(bool (*encode)(const char *name, struct code *code))
{
	double start = now_us();
	unsigned int i, wrong = 0;
	struct code code;

	for (i = 0; i < ENCODINGS; i++)
		wrong += !encode(names[i % nr], &code) || code.event != codes[i % nr].event ||
			 code.extra != codes[i % nr].extra;
	return wrong ? -1 : now_us() - start;
}

/* usage: encode RUNS   prints a pair of times for each, in microseconds, ours first */
int main(int argc, char **argv)
{
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	int i, runs = argc == 2 ? atoi(argv[1]) : 0;

	setenv("LIBPFM_FORCE_PMU", "glm", 1);
	if (!runs || pfm_initialize() || pfm_get_pmu_info(PFM_PMU_INTEL_GLM, &pmu))
		return 2;
	for (i = pmu.first_event; i != -1; i = pfm_get_event_next(i))
		add_event(i);
	fprintf(stderr, "%u names that both encode alike\n", nr);
	for (i = 0; nr && i < runs; i++) {
		double ours = run(encode_ours), peer = run(encode_peer);

		if (ours < 0 || peer < 0)
			return 1;
		printf("%.0f %.0f\n", ours, peer);
	}
	return nr < 500;
}
