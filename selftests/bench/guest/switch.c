// SPDX-License-Identifier: GPL-2.0-only
/* What the module and in-tree perf add to a switch of tasks: accesses and instructions. */
#include "switch_cost.h"
#include "../figure.h"

#include <limits.h>

#define REPETITIONS	3
#define ACRCTL		"$ACR_BUILD/acrctl record -q -c 2000000000 -e "
#define PERF		"perf record -q -c 2000000000 -e "
#define ACR_PAIR	"'{cpu/instructions,acr_mask=0x2/u,cpu/cycles,acr_mask=0x3/u}'"
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct switch_case {
	const char *name;
	enum target who;
	uint64_t config[2];
	uint64_t acr_mask[2];
};

#define FIXED	{ EV_INSNS, EV_CYCLES }
#define GENERAL	{ EV_BRANCHES, EV_BRMISSES }

static const struct switch_case cases[] = {
	{ "inherited pair", BOTH_INHERITED, FIXED },
	{ "inherited pair, GP", BOTH_INHERITED, GENERAL },
	{ "inherited ACR pair", BOTH_INHERITED, FIXED, { 0x2, 0x3 } },
	{ "one of two tasks", PARENT_ONLY, FIXED },
	{ "one of two tasks, GP", PARENT_ONLY, GENERAL },
	{ "two sessions", TWO_SESSIONS, FIXED },
	{ "two sessions, GP", TWO_SESSIONS, GENERAL },
	{ "followed by nobody", ANOTHER_TASK, FIXED },
};

static double per_switch(uint64_t of_two, uint64_t idle)
{
	return (double)(int64_t)(of_two - idle) / 2;
}

static void print_both(const char *name, const struct switch_cost *idle,
		       const struct switch_cost *ours, const struct switch_cost *peer)
{
	char text[64];
	struct figure f = {
		.part = "switch", .name = text, .peer_name = peer ? "in-tree perf" : NULL,
	};

	snprintf(text, sizeof(text), "%s: accesses", name);
	f.unit = "accesses per switch";
	f.ours = per_switch(ours->accesses, idle->accesses);
	f.peer = peer ? per_switch(peer->accesses, idle->accesses) : 0;
	figure_print(&f);
	snprintf(text, sizeof(text), "%s: instructions", name);
	f.unit = "instructions per switch";
	f.ours = per_switch(ours->insns, idle->insns);
	f.peer = peer ? per_switch(peer->insns, idle->insns) : 0;
	figure_print(&f);
}

static struct meter meter_of(const struct switch_case *c, bool ours)
{
	struct meter m = { .ours = ours, .s = { { .fd = -1 }, { .fd = -1 } } };

	memcpy(m.config, c->config, sizeof(c->config));
	memcpy(m.acr_mask, c->acr_mask, sizeof(c->acr_mask));
	return m;
}

/* The hooks of in-tree perf stay in every switch until a second after its last event is gone. */
static void settle(void)
{
	usleep(2500000);
}

/* The smallest of several: one may take some ten instructions more in every round trip. */
static bool measure_case(const struct switch_case *c, bool ours, struct switch_cost *cost)
{
	struct switch_cost now;
	unsigned int i;

	for (i = 0; i < REPETITIONS; i++) {
		struct meter m = meter_of(c, ours);

		if (!switch_measure(&m, c->who, &now)) {
			if (ours)
				fprintf(stderr, "%s: %s\n", c->name, session_refusal(&m.s[0]));
			return false;
		}
		if (!i || now.insns < cost->insns)
			*cost = now;
	}
	return true;
}

static bool measure_ours(struct switch_cost *ours)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (!measure_case(&cases[i], true, &ours[i]))
			return false;
	return true;
}

/* Before Linux 6.17 in-tree perf has no reload: nothing to compare with. */
static bool measure_intree(struct switch_cost *peer, bool *measured)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		measured[i] = !cases[i].acr_mask[0] || intree_has_acr();
		if (measured[i] && !measure_case(&cases[i], false, &peer[i])) {
			fprintf(stderr, "%s: in-tree perf cannot be measured\n", cases[i].name);
			return false;
		}
	}
	return true;
}

/* What a command costs that runs this program as `switch alone`, which prints what it measures. */
static bool measure_under(const char *recorder, struct switch_cost *cost)
{
	char self[PATH_MAX] = "", command[2 * PATH_MAX];
	struct switch_cost now;
	bool measured;
	unsigned int i;
	FILE *f;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return false;
	/* on all CPUs, as usual: those where the task may not run yet are reserved later */
	snprintf(command, sizeof(command), "taskset -c 0-%d %s -o /tmp/switch.data -- %s alone",
		 SWITCH_CPU, recorder, self);
	for (i = 0; i < REPETITIONS; i++) {
		f = popen(command, "r");
		if (!f)
			return false;
		measured = fscanf(f, "%lu %lu", &now.insns, &now.accesses) == 2;
		if (pclose(f) || !measured)
			return false;
		if (!i || now.insns < cost->insns)
			*cost = now;
	}
	return true;
}

/* All that a recording adds to a switch, with what it needs besides the counters. */
static bool print_recorded(const struct switch_cost *idle)
{
	static const struct {
		const char *name, *ours, *peer;
		bool acr;
	} recorded[] = {
		{ "recorded pair", ACRCTL "'{instructions:u,cycles:u}'",
		  PERF "'{instructions:u,cycles:u}'", false },
		{ "recorded ACR pair", ACRCTL ACR_PAIR, PERF ACR_PAIR, true },
	};
	struct switch_cost ours, peer;
	bool compared;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(recorded); i++) {
		settle();
		if (!measure_under(recorded[i].ours, &ours)) {
			fprintf(stderr, "%s: acrctl cannot be measured\n", recorded[i].name);
			return false;
		}
		settle();
		compared = !recorded[i].acr || intree_has_acr();
		if (compared && !measure_under(recorded[i].peer, &peer)) {
			fprintf(stderr, "%s: perf cannot be measured\n", recorded[i].name);
			return false;
		}
		print_both(recorded[i].name, idle, &ours, compared ? &peer : NULL);
	}
	return true;
}

static int measure_alone(void)
{
	const struct switch_case none = { .who = NOBODY };
	struct meter m = meter_of(&none, false);
	struct switch_cost cost;

	if (!switch_measure(&m, NOBODY, &cost))
		return 1;
	printf("%lu %lu\n", cost.insns, cost.accesses);
	return 0;
}

int main(int argc, char **argv)
{
	struct switch_cost idle, ours[ARRAY_SIZE(cases)], peer[ARRAY_SIZE(cases)];
	bool measured[ARRAY_SIZE(cases)];
	const struct switch_case none = { .who = NOBODY };
	size_t i;

	if (!oracle_present() || pin_to(0, 0)) {
		fprintf(stderr, "a switch cannot be measured here\n");
		return 1;
	}
	if (argc > 1 && !strcmp(argv[1], "alone"))
		return measure_alone();
	settle();
	if (!measure_case(&none, false, &idle) || !measure_ours(ours) ||
	    !measure_intree(peer, measured))
		return 1;
	fprintf(stderr, "# there and back without a session: %lu instructions, %lu accesses\n",
		idle.insns, idle.accesses);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct switch_cost *theirs = measured[i] ? &peer[i] : NULL;

		print_both(cases[i].name, &idle, &ours[i], theirs);
	}
	return !print_recorded(&idle);
}
