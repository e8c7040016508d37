// SPDX-License-Identifier: GPL-2.0-only
/* Random histories of sessions that share extra registers, against trying every assignment. */
#include "core_helpers.h"
#include "kmod/core/extra_reg.h"

#define HISTORIES	1000000
#define STEPS		4
#define NR_CORES	2
#define NR_SESSIONS	4
#define MAX_EVENTS	4
#define EV_BRANCHES	0xc4	/* needs a general-purpose counter and nothing else */

/*
 * What the manuals say of each kind of core: registers of one kind replace each other where the
 * value is valid; the counters are those that the register's event can use.
 */
static const struct cpu {
	const char *name;
	u64 gp_cntrs;
	unsigned int nr_regs;
	struct {
		u32 config, msr;
		char kind;
		u64 valid, cntrs;
	} reg[4];
	u64 values[6];
} cpus[] = {
	{ "goldmont", 0xf, 2, {
		{ 0x1b7, 0x1a6, 'o', 0x760005ffbf, 0xf },
		{ 0x2b7, 0x1a7, 'o', 0x360005ffbf, 0xf } },
	  { 0x10001, 0x10002, 0x3600000001, 0x4000000001, 0x4000000002, 0x10001 } },
	{ "tremont", 0xf, 2, {
		{ 0x1b7, 0x1a6, 'o', 0x800ff0ffffff9fff, 0xf },
		{ 0x2b7, 0x1a7, 'o', 0x000ff0ffffff9fff, 0xf } },
	  { 0x10001, 0x10002, 0x10004, 1ULL << 63 | 1, 0, 0x10001 } },
	{ "clearwaterforest", 0xff, 4, {
		{ 0x1b7, 0x1a6, 'o', 0x800ff3ffffffffff, 0xff },
		{ 0x2b7, 0x1a7, 'o', 0x000ff3ffffffffff, 0xff },
		{ 0x127, 0x1328, 's', ~0ULL, 0xff }, { 0x227, 0x1329, 't', ~0ULL, 0xff } },
	  { 0x10001, 0x10002, 0x33fbfc00001, 1ULL << 63 | 1, 0x10001, 1ULL << 63 } },
	{ "arcticwolf", 0xff, 4, {
		{ 0x1b7, 0x3e0, 'm', 0xc0ffffffffffffff, 1 },
		{ 0x2b7, 0x3e1, 'm', 0xc0ffffffffffffff, 2 },
		{ 0x4b7, 0x3e2, 'm', 0xc0ffffffffffffff, 4 },
		{ 0x8b7, 0x3e3, 'm', 0xc0ffffffffffffff, 8 } },
	  { 0x10001, 0x10002, 0x10004, 0x10008, 0, 0x10001 } },
};

struct event {
	int own;		/* register of its config, -1 for none */
	u64 value;
	int reg;		/* the register it got */
	u64 cntr;		/* bit of the counter it got */
};

/* A session as the oracle knows it, and what the code under test made of it. */
struct session {
	bool open;
	unsigned int cores;	/* bit for each */
	unsigned int nr;
	struct event ev[MAX_EVENTS];
	struct acrpmu_group group;
	struct acrpmu_extra_choice choice;
};

struct world {
	const struct cpu *cpu;
	struct acrpmu_caps caps;
	struct session session[NR_SESSIONS];
	struct acrpmu_extra_state state[NR_CORES];
};

static unsigned int wrong, verdicts[4];

static void complain(const struct world *w, const char *what)
{
	if (wrong++ < 10)
		printf("# %s: %s\n", w->cpu->name, what);
}

/* ---- the naive way ---- */

/* What a session finds: values (or none) by core and register, and the counters it may take. */
struct found {
	bool held[NR_CORES][4];
	u64 value[NR_CORES][4];
	u64 free_cntrs;
};

static void look(const struct world *w, unsigned int cores, bool alone, struct found *found)
{
	unsigned int core, n, i;

	*found = (struct found){ .free_cntrs = w->cpu->gp_cntrs };
	for (n = 0; n < NR_SESSIONS && !alone; n++) {
		const struct session *s = &w->session[n];

		if (!s->open)
			continue;
		for (i = 0; i < s->nr; i++) {
			if (s->cores & cores)
				found->free_cntrs &= ~s->ev[i].cntr;
			for (core = 0; core < NR_CORES; core++) {
				if (!(s->cores >> core & 1) || s->ev[i].reg < 0)
					continue;
				found->held[core][s->ev[i].reg] = true;
				found->value[core][s->ev[i].reg] = s->ev[i].value;
			}
		}
	}
}

/* Is there a counter for each of @cntrs, one after the other? */
static bool counters_suffice(const u64 *cntrs, unsigned int nr, u64 free_cntrs)
{
	u64 bit;

	if (!nr)
		return true;
	for (bit = 1; bit <= 0x80; bit <<= 1) {
		if (*cntrs & free_cntrs & bit &&
		    counters_suffice(cntrs + 1, nr - 1, free_cntrs & ~bit))
			return true;
	}
	return false;
}

/* May @value be in @reg on all the session's cores, beside what its first events put there? */
static bool agrees(const struct session *s, const struct found *found, const int *regs,
		   unsigned int nr, int reg, u64 value)
{
	unsigned int core, i;

	for (core = 0; core < NR_CORES; core++) {
		if (s->cores >> core & 1 && found->held[core][reg] &&
		    found->value[core][reg] != value)
			return false;
	}
	for (i = 0; i < nr; i++) {
		if (regs[i] == reg && s->ev[i].value != value)
			return false;
	}
	return true;
}

static bool exists(const struct world *w, const struct session *s, const struct found *found,
		   int *regs, u64 *cntrs, unsigned int nr)
{
	const struct event *ev = &s->ev[nr];
	int reg;

	if (nr == s->nr)
		return counters_suffice(cntrs, nr, found->free_cntrs);
	if (ev->own < 0) {
		regs[nr] = -1;
		cntrs[nr] = w->cpu->gp_cntrs;
		return exists(w, s, found, regs, cntrs, nr + 1);
	}
	for (reg = 0; reg < (int)w->cpu->nr_regs; reg++) {
		if (w->cpu->reg[reg].kind != w->cpu->reg[ev->own].kind ||
		    ev->value & ~w->cpu->reg[reg].valid ||
		    !agrees(s, found, regs, nr, reg, ev->value))
			continue;
		regs[nr] = reg;
		cntrs[nr] = w->cpu->reg[reg].cntrs;
		if (exists(w, s, found, regs, cntrs, nr + 1))
			return true;
	}
	return false;
}

static int naive_verdict(const struct world *w, const struct session *s)
{
	u64 cntrs[MAX_EVENTS];
	struct found found;
	int regs[MAX_EVENTS];

	look(w, s->cores, false, &found);
	if (exists(w, s, &found, regs, cntrs, 0))
		return 0;
	look(w, s->cores, true, &found);
	return exists(w, s, &found, regs, cntrs, 0) ? -EBUSY : -ENOSPC;
}

/* ---- what the code under test says ---- */

/* Each core's state is what the open sessions make of it, and nothing invalid. */
static void check_states(const struct world *w)
{
	unsigned int core, reg, n, i;

	for (core = 0; core < NR_CORES; core++) {
		u32 refs[ACRPMU_MAX_EXTRA_REGS] = { 0 };

		for (n = 0; n < NR_SESSIONS; n++) {
			const struct session *s = &w->session[n];

			for (i = 0; s->open && s->cores >> core & 1 && i < s->nr; i++) {
				if (s->ev[i].reg < 0)
					continue;
				refs[s->ev[i].reg]++;
				if (w->state[core].reg[s->ev[i].reg].value != s->ev[i].value)
					complain(w, "a running event lost its value");
			}
		}
		for (reg = 0; reg < ACRPMU_MAX_EXTRA_REGS; reg++) {
			if (w->state[core].reg[reg].refs != refs[reg])
				complain(w, "a wrong number of users");
			if (refs[reg] &&
			    w->state[core].reg[reg].value & ~w->cpu->reg[reg].valid)
				complain(w, "a register holds an invalid bit");
		}
	}
}

static void check_choice(struct world *w, struct session *s, const s8 *cntr)
{
	struct found found;
	int regs[MAX_EVENTS];
	unsigned int i;

	look(w, s->cores, false, &found);
	for (i = 0; i < s->nr; i++) {
		struct event *ev = &s->ev[i];
		int reg = s->choice.reg[i];
		u64 able = reg < 0 ? w->cpu->gp_cntrs : w->cpu->reg[reg].cntrs;
		u64 config = reg < 0 ? EV_BRANCHES : w->cpu->reg[reg].config;

		if (reg < 0 ? ev->own >= 0 : ev->own < 0 || reg >= (int)w->cpu->nr_regs) {
			complain(w, "an event with no register, or one too many");
			return;
		}
		if (reg >= 0 && (w->cpu->reg[reg].kind != w->cpu->reg[ev->own].kind ||
				 ev->value & ~w->cpu->reg[reg].valid ||
				 !agrees(s, &found, regs, i, reg, ev->value)))
			complain(w, "a register that the event cannot use");
		if (s->choice.config[i] != config)
			complain(w, "event and register do not belong together");
		ev->reg = reg;
		ev->cntr = 1ULL << cntr[i];
		if (!(ev->cntr & able & found.free_cntrs))
			complain(w, "a counter that is taken, or that the event cannot use");
		regs[i] = reg;
		found.free_cntrs &= ~ev->cntr;
	}
}

/* What is said to be in the way is so. */
static void check_busy(const struct world *w, const struct session *s,
		       const struct acrpmu_error *error)
{
	const struct event *ev = &s->ev[error->event];
	struct found found;
	unsigned int core, reg;

	look(w, s->cores, false, &found);
	if (error->reason == ACRPMU_REASON_HELD) {
		if (!error->value || error->value & found.free_cntrs)
			complain(w, "counters that nobody holds are said to be held");
		return;
	}
	for (core = 0; core < NR_CORES; core++) {
		for (reg = 0; reg < w->cpu->nr_regs; reg++) {
			if (s->cores >> core & 1 && found.held[core][reg] &&
			    w->cpu->reg[reg].msr == error->limit &&
			    (w->cpu->reg[reg].kind != w->cpu->reg[ev->own].kind ||
			     found.value[core][reg] != ev->value))
				return;
		}
	}
	complain(w, "a register that is not in the way is said to be");
}

static void open_session(struct world *w, struct session *s)
{
	struct acrpmu_extra_state merged = { 0 };
	s8 cntr[ACRPMU_MAX_EVENTS];
	struct acrpmu_error error;
	struct found found;
	unsigned int core;
	int ret, want = naive_verdict(w, s);

	look(w, s->cores, false, &found);
	for (core = 0; core < NR_CORES; core++) {
		if (s->cores >> core & 1)
			acrpmu_extra_reg_merge(&merged, &w->state[core]);
	}
	ret = acrpmu_extra_reg_place(&merged, &w->caps, &s->group, found.free_cntrs, cntr,
				     &s->choice, &error);
	verdicts[!want ? 0 : want == -ENOSPC ? 1 : error.reason == ACRPMU_REASON_HELD ? 2 : 3]++;
	if (ret != want) {
		complain(w, !want ? "an assignment exists and is not found" :
			    !ret ? "an assignment that cannot be" : "EBUSY and ENOSPC mixed up");
		return;
	}
	if (ret == -EBUSY)
		check_busy(w, s, &error);
	if (ret)
		return;
	check_choice(w, s, cntr);
	for (core = 0; core < NR_CORES; core++) {
		if (s->cores >> core & 1)
			acrpmu_extra_reg_get(&w->state[core], &s->group, &s->choice);
	}
	s->open = true;
}

static void close_session(struct world *w, struct session *s)
{
	unsigned int core;

	for (core = 0; core < NR_CORES; core++) {
		if (s->cores >> core & 1)
			acrpmu_extra_reg_put(&w->state[core], &s->group, &s->choice);
	}
	s->open = false;
}

static void describe(const struct cpu *cpu, struct session *s)
{
	unsigned int i;

	s->cores = 1 + rnd_below(3);
	s->nr = 1 + rnd_below(MAX_EVENTS);
	memset(&s->group, 0, sizeof(s->group));
	s->group.nr = s->nr;
	for (i = 0; i < s->nr; i++) {
		struct event *ev = &s->ev[i];
		u64 value = cpu->values[rnd_below(6)];

		/* one in six without a register */
		ev->own = rnd_below(6) ? (int)rnd_below(cpu->nr_regs) : -1;
		if (ev->own >= 0 && value & ~cpu->reg[ev->own].valid)
			ev->own = 0;
		ev->value = ev->own < 0 ? 0 : value;
		s->group.ev[i] = (struct acrpmu_ev){
			.config = ev->own < 0 ? EV_BRANCHES : cpu->reg[ev->own].config,
			.extra_value = ev->value, .flags = USER | COUNT,
		};
	}
}

static void run_history(struct world *w)
{
	unsigned int step;

	for (step = 0; step < STEPS; step++) {
		struct session *s = &w->session[rnd_below(NR_SESSIONS)];

		if (s->open) {
			close_session(w, s);
		} else {
			describe(w->cpu, s);
			open_session(w, s);
		}
		check_states(w);
	}
	for (step = 0; step < NR_SESSIONS; step++) {
		if (w->session[step].open)
			close_session(w, &w->session[step]);
	}
	check_states(w);
}

/* usage: extra_reg_history_test [HISTORIES] */
int main(int argc, char **argv)
{
	unsigned long histories = argc > 1 ? strtoul(argv[1], NULL, 0) : HISTORIES, n;
	static struct world world[ARRAY_SIZE(cpus)];
	unsigned int i;

	plan(0);
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		world[i].cpu = &cpus[i];
		world[i].caps = caps_of(cpus[i].name);
		/* those that count one fixed event do not matter here */
		world[i].caps.cntrs &= cpus[i].gp_cntrs;
	}
	for (n = 0; n < histories; n++)
		run_history(&world[n % ARRAY_SIZE(cpus)]);
	is_u64(wrong, 0, "%lu random histories: all verdicts, choices and users right", histories);
	for (i = 0; i < 4; i++)
		ok(verdicts[i] > histories / 50,
		   "%s was common: %u times", ((const char *[]){ "success", "too much for any core",
		   "a counter in the way", "a register in the way" })[i], verdicts[i]);
	return done();
}
