// SPDX-License-Identifier: GPL-2.0-only
/* Masks by names: reloaded-by= and resets= against acr_mask=, and what contradicts itself. */
#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"

#define ROUNDS		20000
#define MAX_NR		5
#define TEXT_LEN	1024

static int parse(const char *string, struct acrpmu_spec **spec, struct acrpmu_message *message)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT,
	};

	return acrpmu_spec_parse(&string, 1, &options, spec, message);
}

/* ---- random matrices ---------------------------------------------------------------------- */

static const char *const names[MAX_NR] = {
	"instructions", "cycles", "branches", "branch-misses", "cache-misses",
};

/* The matrix, how each event gives it, and the string that says so. */
struct random_group {
	unsigned int nr;
	bool by_mask[MAX_NR], by_name[MAX_NR], resets[MAX_NR];
	bool causes[MAX_NR][MAX_NR];	/* [i][k]: k restarts i */
	char text[TEXT_LEN];
};

static void add_event_name(char *text, unsigned int i, bool first)
{
	char word[32];

	if (random() % 2)
		snprintf(word, sizeof(word), "%s%s", first ? "" : "+", names[i]);
	else
		snprintf(word, sizeof(word), "%s%u", first ? "" : "+", i);
	strcat(text, word);
}

/* The events of a row, or of a column; returns whether there is one. */
static bool add_list(struct random_group *g, unsigned int i, bool column)
{
	unsigned int k;
	bool any = false;

	for (k = 0; k < g->nr; k++) {
		if (!(column ? g->causes[k][i] : g->causes[i][k]))
			continue;
		if (!any)
			strcat(g->text, column ? ",resets=" : ",reloaded-by=");
		add_event_name(g->text, k, !any);
		any = true;
	}
	return any;
}

static unsigned int mask_of(const struct random_group *g, unsigned int i)
{
	unsigned int k, mask = 0;

	for (k = 0; k < g->nr; k++)
		mask |= g->causes[i][k] << k;
	return mask;
}

static void make_group(struct random_group *g)
{
	unsigned int i, k;

	*g = (struct random_group){ .nr = 1 + random() % MAX_NR };
	for (i = 0; i < g->nr; i++) {
		for (k = 0; k < g->nr; k++)
			g->causes[i][k] = random() % 2;
	}
	for (i = 0; i < g->nr; i++) {
		sprintf(g->text + strlen(g->text), "%scpu/%s,period=1000", i ? "," : "{", names[i]);
		g->by_mask[i] = random() % 2;
		if (g->by_mask[i])
			sprintf(g->text + strlen(g->text), ",acr_mask=0x%x", mask_of(g, i));
		if (random() % 2)
			g->by_name[i] = add_list(g, i, false);
		if (random() % 2)
			g->resets[i] = add_list(g, i, true);
		strcat(g->text, "/");
	}
	strcat(g->text, "}");
}

/* What the group means: a mask that is given, or what resets= of others leave. */
static unsigned int meaning(const struct random_group *g, unsigned int i)
{
	unsigned int k, mask = 0;

	if (g->by_mask[i] || g->by_name[i])
		return mask_of(g, i);
	for (k = 0; k < g->nr; k++)
		mask |= (g->resets[k] && g->causes[i][k]) << k;
	return mask;
}

static void test_random(void)
{
	unsigned int round, i, refused = 0, wrong = 0;
	struct acrpmu_message m;
	struct acrpmu_spec *spec;
	struct random_group g;

	srandom(5);
	for (round = 0; round < ROUNDS; round++) {
		make_group(&g);
		if (parse(g.text, &spec, &m)) {
			if (!refused++)
				printf("# %s: %s\n", g.text, m.text);
			continue;
		}
		for (i = 0; i < g.nr; i++)
			wrong += acrpmu_spec_event(spec, 0, i)->attr.acr_mask != meaning(&g, i);
		acrpmu_spec_free(spec);
	}
	is_u64(refused, 0, "groups that give parts of one matrix in three forms are accepted");
	is_u64(wrong, 0, "and all their masks are those of the matrix");
}

/* ---- refusals ----------------------------------------------------------------------------- */

#define TWO(a, b)	"{cpu/cycles,period=1000," a "/,cpu/branches,period=1000" b "/}"

static const struct {
	const char *group;
	const char *code;
	unsigned int column;
	int line;
} refusals[] = {
	{ TWO("reloaded-by=", ""), "cause-name", 25, __LINE__ },
	{ TWO("resets", ""), "cause-name", 25, __LINE__ },
	{ TWO("reloaded-by=nothing", ""), "cause-name", 37, __LINE__ },
	{ TWO("reloaded-by=1+instructions", ""), "cause-name", 39, __LINE__ },
	{ TWO("reloaded-by=2", ""), "cause-name", 37, __LINE__ },
	{ TWO("reloaded-by=1+", ""), "cause-name", 39, __LINE__ },
	{ TWO("reloaded-by=1++0", ""), "cause-name", 39, __LINE__ },
	{ TWO("reloaded-by=1+branches", ""), "cause-name", 39, __LINE__ },
	{ TWO("reloaded-by=1,reloaded-by=0", ""), "term-twice", 39, __LINE__ },
	{ TWO("resets=1,resets=1", ""), "term-twice", 34, __LINE__ },
	{ TWO("reloaded-by=1,acr_mask=3", ""), "cause-conflict", 37, __LINE__ },
	{ TWO("acr_mask=0,reloaded-by=1", ""), "cause-conflict", 48, __LINE__ },
	{ TWO("resets=1", ",acr_mask=2"), "cause-conflict", 32, __LINE__ },
	{ TWO("resets=1", ",acr_mask=0"), "cause-conflict", 32, __LINE__ },
	{ TWO("resets=0", ",acr_mask=1"), "cause-conflict", 32, __LINE__ },
	{ TWO("resets=1", ",reloaded-by=1"), "cause-conflict", 32, __LINE__ },
	{ TWO("resets=0", ",reloaded-by=0"), "cause-conflict", 32, __LINE__ },
	{ "{cpu/cycles,period=5/,cpu/branches,ratio-to-prev=2,reloaded-by=1/}", "cause-conflict",
	  64, __LINE__ },
	{ "{cpu/cycles,period=5,resets=0/,cpu/branches,ratio-to-prev=2/}", "cause-conflict", 29,
	  __LINE__ },
	{ "{cpu/cycles,name=a,period=5/,cpu/branches,name=a,period=5,resets=a/}", "cause-name", 66,
	  __LINE__ },
};

static void test_refusals(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct acrpmu_message m = { .column = 0 };
		struct acrpmu_spec *spec = NULL;
		int err = parse(refusals[i].group, &spec, &m);

		if (!ok(err == -EINVAL && !strcmp(m.code, refusals[i].code) &&
			m.column == refusals[i].column && *m.text && *m.hint,
			"refused: %s", refusals[i].group))
			printf("#   line %d: %d '%s' at %u: %s; %s\n", refusals[i].line, err,
			       m.code, m.column, m.text, m.hint);
		acrpmu_spec_free(spec);
	}
}

static void test_agreement(void)
{
	struct acrpmu_message m;
	struct acrpmu_spec *spec;

	is_u64(parse("{cpu/cycles,period=6/,"
		     "cpu/branches,ratio-to-prev=2,reloaded-by=0+1,resets=cycles+1/}", &spec,
		     &m), 0, "a ratio and the masks that it makes agree");
	is_u64(acrpmu_spec_event(spec, 0, 0)->attr.acr_mask, 2, "the first has those of the ratio");
	is_u64(acrpmu_spec_event(spec, 0, 1)->attr.acr_mask, 3, "the second, too");
	acrpmu_spec_free(spec);
	is_u64(parse("{cpu/cycles,name=a,period=5000/,cpu/branches,period=5000,resets=A/}", &spec,
		     &m), 0, "an event is found by its name=, in any case");
	is_u64(acrpmu_spec_event(spec, 0, 0)->attr.acr_mask, 2, "and is reset");
	is_u64(acrpmu_spec_event(spec, 0, 1)->attr.acr_mask, 0, "the other one is not");
	acrpmu_spec_free(spec);
}

int main(void)
{
	plan(0);
	test_random();
	test_refusals();
	test_agreement();
	return done();
}
