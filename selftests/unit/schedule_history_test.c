// SPDX-License-Identifier: GPL-2.0-only
/* Random histories of sessions that share extra registers, against trying every assignment. */
#include "core_helpers.h"

#define HISTORIES	(getenv("ACR_LONG") ? 300000UL : 60000UL)
#define STEPS		6
#define CPUS		3
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
	int core[CPUS];	/* CPUs with the same one are its threads and share its registers */
	unsigned int nr_regs;
	struct {
		u32 config, msr;
		char kind;
		u64 valid, cntrs;
	} reg[ACRPMU_MODEL_MAX_EXTRA_REGS];
	u64 values[6];
	/* more events of the first kind of register: another event select, the same umask */
	struct {
		u32 select;
		u64 cntrs;
	} more[2];
} cpus[] = {
	{ "goldmont", 0xf, { 0, 0, 1 }, 2, {
		{ 0x1b7, 0x1a6, 'o', 0x760005ffbf, 0xf },
		{ 0x2b7, 0x1a7, 'o', 0x360005ffbf, 0xf } },
	  .values = { 0x10001, 0x10002, 0x3600000001, 0x4000000001, 0x4000000002, 0x10001 } },
	{ "tremont", 0xf, { 0, 1, 1 }, 2, {
		{ 0x1b7, 0x1a6, 'o', 0x800ff0ffffff9fff, 0xf },
		{ 0x2b7, 0x1a7, 'o', 0x000ff0ffffff9fff, 0xf } },
	  .values = { 0x10001, 0x10002, 0x10004, 1ULL << 63 | 1, 0, 0x10001 } },
	{ "gracemont", 0x3f, { 0, 1, 2 }, 2, {
		{ 0x1b7, 0x1a6, 'o', 0x8003f03fffffffff, 0x3f },
		{ 0x2b7, 0x1a7, 'o', 0x0003f03fffffffff, 0x3f } },
	  .values = { 0x10001, 0x10002, 0x10001, 1ULL << 63 | 1, 0x10002, 0x10001 } },
	{ "clearwaterforest", 0xff, { 0, 0, 0 }, 4, {
		{ 0x1b7, 0x1a6, 'o', 0x800ff3ffffffffff, 0xff },
		{ 0x2b7, 0x1a7, 'o', 0x000ff3ffffffffff, 0xff },
		{ 0x127, 0x1328, 's', ~0ULL, 0xff }, { 0x227, 0x1329, 't', ~0ULL, 0xff } },
	  .values = { 0x10001, 0x10002, 0x33fbfc00001, 1ULL << 63 | 1, 0x10001, 1ULL << 63 } },
	{ "arcticwolf", 0xff, { 0, 1, 2 }, 6, {
		{ 0x1b7, 0x3e0, 'm', 0xc0ffffffffffffff, 1 },
		{ 0x2b7, 0x3e1, 'm', 0xc0ffffffffffffff, 2 },
		{ 0x4b7, 0x3e2, 'm', 0xc0ffffffffffffff, 4 },
		{ 0x8b7, 0x3e3, 'm', 0xc0ffffffffffffff, 8 },
		{ 0x127, 0x1328, 's', ~0ULL, 0xff }, { 0x227, 0x1329, 't', ~0ULL, 0xff } },
	  .values = { 0x10001, 0x10002, 0x10004, 0x10008, 0, 0x10001 } },
	{ "coyotecove", 0xff, { 0, 1, 2 }, 5, {
		{ 0x12a, 0x3e0, 'm', 0x40ffffff0000ffff, 0xff },
		{ 0x22a, 0x3e1, 'm', 0x40ffffff0000ffff, 0xff },
		{ 0x42a, 0x3e2, 'm', 0x40ffffff0000ffff, 0xff },
		{ 0x82a, 0x3e3, 'm', 0x40ffffff0000ffff, 0xff },
		{ 0x3c6, 0x3f7, 'f', 0x7fff1f, 0xff } },
	  .values = { 0x1, 0x2, 0x4, 0x4000000000000001, 0x11, 0x1 },
	  .more = { { 0x4f, 0xff }, { 0xd6, 0xf } } },
};

struct event {
	int own;		/* register of its config, -1 for none */
	unsigned int more;	/* 0: the register's first event, n: more[n - 1] of the CPU */
	u64 value;
	u64 allowed;		/* counters that may count its config, 0: all that can */
	int reg[CPUS];	/* the register it got on each CPU */
	u64 cntr[CPUS];	/* bit of the counter it got there */
};

/* A session as the oracle knows it, and what the code under test made of it. */
struct session {
	unsigned int cpus;	/* those it has, bit for each */
	unsigned int wanted;	/* those it is to have */
	unsigned int had;	/* those it had when it was closed */
	unsigned int nr;
	struct event ev[MAX_EVENTS];
	struct acrpmu_group group;
	struct acrpmu_schedule schedule[CPUS];
};

struct world {
	const struct cpu *cpu;
	struct acrpmu_caps caps;
	struct session session[NR_SESSIONS];
	unsigned int hidden[CPUS];	/* registers that do not answer, by core */
	struct acrpmu_extra_state state[CPUS];	/* by core */
};

enum verdict { SUCCESS, TOO_MUCH, NO_CNTR, HIDDEN, HELD_CNTR, HELD_REG, NR_VERDICTS };

static unsigned int wrong, verdicts[NR_VERDICTS], fitting[2];

static void complain(const struct world *w, const char *what)
{
	if (wrong++ < 10)
		printf("# %s: %s\n", w->cpu->name, what);
}

/* ---- naive ---- */

/* The registers and free counters of a CPU. */
struct found {
	bool held[ACRPMU_MODEL_MAX_EXTRA_REGS];
	u64 value[ACRPMU_MODEL_MAX_EXTRA_REGS];
	unsigned int hidden;
	u64 free_cntrs;
};

static struct found nobody_on(const struct world *w, unsigned int core)
{
	return (struct found){ .free_cntrs = w->cpu->gp_cntrs, .hidden = w->hidden[core] };
}

static void look(const struct world *w, unsigned int cpu, struct found *found)
{
	unsigned int other, n, i;

	*found = nobody_on(w, w->cpu->core[cpu]);
	for (n = 0; n < NR_SESSIONS * MAX_EVENTS; n++) {
		const struct session *s = &w->session[n / MAX_EVENTS];

		i = n % MAX_EVENTS;
		if (i < s->nr && s->cpus >> cpu & 1)
			found->free_cntrs &= ~s->ev[i].cntr[cpu];
		for (other = 0; other < CPUS; other++) {
			if (i >= s->nr || !(s->cpus >> other & 1) || s->ev[i].reg[other] < 0 ||
			    w->cpu->core[other] != w->cpu->core[cpu])
				continue;
			found->held[s->ev[i].reg[other]] = true;
			found->value[s->ev[i].reg[other]] = s->ev[i].value;
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

static bool suits(const struct world *w, const struct event *ev, int reg)
{
	return ev->own >= 0 && w->cpu->reg[reg].kind == w->cpu->reg[ev->own].kind &&
	       !(ev->value & ~w->cpu->reg[reg].valid);
}

static u64 config_on(const struct cpu *cpu, const struct event *ev, int reg)
{
	if (reg < 0)
		return EV_BRANCHES;
	if (!ev->more)
		return cpu->reg[reg].config;
	return (cpu->reg[reg].config & 0xff00) | cpu->more[ev->more - 1].select;
}

static u64 cntrs_on(const struct cpu *cpu, const struct event *ev, int reg)
{
	if (reg < 0)
		return cpu->gp_cntrs;
	return ev->more ? cpu->more[ev->more - 1].cntrs : cpu->reg[reg].cntrs;
}

/* Counters for an event on a register, or without one; its mask means its own config only. */
static u64 able_on(const struct world *w, const struct event *ev, int reg)
{
	u64 cntrs = cntrs_on(w->cpu, ev, reg);

	return reg == ev->own && ev->allowed ? cntrs & ev->allowed : cntrs;
}

static bool can_be(const struct world *w, const struct event *ev, const struct found *found,
		   int reg)
{
	return suits(w, ev, reg) && !(found->hidden >> reg & 1) &&
	       (!found->held[reg] || found->value[reg] == ev->value);
}

/*
 * One core: is there room for the events of @s from @n on, those of its first thread first?  @found
 * is what there is on each thread; the registers of the first stand for the core.
 */
static bool exists(const struct world *w, const struct session *s, const struct found *found,
		   unsigned int threads, unsigned int nr, u64 cntrs[CPUS][MAX_EVENTS],
		   unsigned int n)
{
	const struct event *ev = &s->ev[n % nr];
	struct found next[CPUS];
	unsigned int thread;
	int reg;

	if (n == threads * nr) {
		for (thread = 0; thread < threads; thread++)
			if (!counters_suffice(cntrs[thread], nr, found[thread].free_cntrs))
				return false;
		return true;
	}
	if (ev->own < 0) {
		cntrs[n / nr][n % nr] = able_on(w, ev, -1);
		return exists(w, s, found, threads, nr, cntrs, n + 1);
	}
	for (reg = 0; reg < (int)w->cpu->nr_regs; reg++) {
		if (!can_be(w, ev, found, reg))
			continue;
		memcpy(next, found, threads * sizeof(*next));
		next->held[reg] = true;
		next->value[reg] = ev->value;
		cntrs[n / nr][n % nr] = able_on(w, ev, reg);
		if (exists(w, s, next, threads, nr, cntrs, n + 1))
			return true;
	}
	return false;
}

static bool exists_on(const struct world *w, const struct session *s, const struct found *found,
		      unsigned int threads, unsigned int nr)
{
	u64 cntrs[CPUS][MAX_EVENTS];

	return exists(w, s, found, threads, nr, cntrs, 0);
}

/* How many events of @s fit an idle CPU. */
static unsigned int fit_alone(const struct world *w, const struct session *s, unsigned int hidden)
{
	const struct found nobody = { .free_cntrs = w->cpu->gp_cntrs, .hidden = hidden };
	unsigned int nr = s->nr;

	while (nr && !exists_on(w, s, &nobody, 1, nr))
		nr--;
	return nr;
}

/* Would there be counters for all events if each register could hold any number of values? */
static bool counters_exist(const struct world *w, const struct session *s)
{
	u64 cntrs[MAX_EVENTS];
	unsigned int i;
	int reg;

	for (i = 0; i < s->nr; i++) {
		cntrs[i] = s->ev[i].own < 0 ? able_on(w, &s->ev[i], -1) : 0;
		for (reg = 0; reg < (int)w->cpu->nr_regs; reg++)
			if (suits(w, &s->ev[i], reg))
				cntrs[i] |= able_on(w, &s->ev[i], reg);
	}
	return counters_suffice(cntrs, s->nr, w->cpu->gp_cntrs);
}

/* The verdict on an idle CPU: would more events fit if all registers answered? */
static int alone_verdict(const struct world *w, const struct session *s, int core)
{
	unsigned int nr = fit_alone(w, s, w->hidden[core]);

	if (nr == s->nr)
		return 0;
	if (!counters_exist(w, s))
		return -ENOSPC;
	return fit_alone(w, s, 0) > nr ? -EOPNOTSUPP : -ENOSPC;
}

static int naive_verdict(const struct world *w, const struct session *s)
{
	struct found found[CPUS];
	unsigned int cpu, threads;
	int core, verdict;

	/* CPUs are in the order of their cores */
	for (core = 0; core < CPUS; core++) {
		threads = 0;
		for (cpu = 0; cpu < CPUS; cpu++)
			if (w->cpu->core[cpu] == core && s->wanted >> cpu & 1)
				look(w, cpu, &found[threads++]);
		verdict = threads ? alone_verdict(w, s, core) : 0;
		if (verdict)
			return verdict;
		if (!exists_on(w, s, found, threads, s->nr))
			return -EBUSY;
	}
	return 0;
}

/* ---- the code under test ---- */

/* Each core's state is what the open sessions make of it, and nothing invalid. */
static void check_states(const struct world *w)
{
	u32 refs[CPUS][ACRPMU_MODEL_MAX_EXTRA_REGS] = { 0 };
	unsigned int core, reg, cpu, n, i;

	for (n = 0; n < NR_SESSIONS; n++) {
		const struct session *s = &w->session[n];

		for (cpu = 0; cpu < CPUS; cpu++) {
			core = w->cpu->core[cpu];
			for (i = 0; s->cpus >> cpu & 1 && i < s->nr; i++) {
				if (s->ev[i].reg[cpu] < 0)
					continue;
				refs[core][s->ev[i].reg[cpu]]++;
				if (w->state[core].reg[s->ev[i].reg[cpu]].value != s->ev[i].value)
					complain(w, "a running event lost its value");
			}
		}
	}
	for (core = 0; core < CPUS; core++) {
		for (reg = 0; reg < ACRPMU_MODEL_MAX_EXTRA_REGS; reg++) {
			if (w->state[core].reg[reg].refs != refs[core][reg])
				complain(w, "a wrong number of users");
			if (refs[core][reg] &&
			    w->state[core].reg[reg].value & ~w->cpu->reg[reg].valid)
				complain(w, "a register holds an invalid bit");
		}
	}
}

static void check_schedule(struct world *w, struct session *s, unsigned int cpu)
{
	const struct acrpmu_schedule *schedule = &s->schedule[cpu];
	struct found found;
	unsigned int i;

	look(w, cpu, &found);
	for (i = 0; i < s->nr; i++) {
		struct event *ev = &s->ev[i];
		int reg = schedule->reg[i];

		if (reg < 0 ? ev->own >= 0 : ev->own < 0 || reg >= (int)w->cpu->nr_regs) {
			complain(w, "an event with no register, or one too many");
			return;
		}
		if (reg >= 0 && !can_be(w, ev, &found, reg))
			complain(w, "a register that the event cannot use");
		if (schedule->config[i] != config_on(w->cpu, ev, reg))
			complain(w, "event and register do not belong together");
		ev->reg[cpu] = reg;
		ev->cntr[cpu] = 1ULL << schedule->cntr[i];
		if (!(ev->cntr[cpu] & able_on(w, ev, reg) & found.free_cntrs))
			complain(w, "a counter that is held, or that the event cannot use");
		found.free_cntrs &= ~ev->cntr[cpu];
		if (reg >= 0) {
			found.held[reg] = true;
			found.value[reg] = ev->value;
		}
	}
}

/* Is a register, which @ev could use, in its way: does it not answer, or hold another value? */
static bool is_in_the_way(const struct world *w, const struct event *ev, const struct found *found,
			  unsigned int reg, int errnum)
{
	return suits(w, ev, reg) &&
	       (errnum == -EOPNOTSUPP ? found->hidden >> reg & 1 :
		found->held[reg] && found->value[reg] != ev->value);
}

static bool any_in_the_way(const struct world *w, const struct event *ev,
			   const struct found *found, int errnum)
{
	unsigned int reg;

	for (reg = 0; reg < w->cpu->nr_regs; reg++)
		if (is_in_the_way(w, ev, found, reg, errnum))
			return true;
	return false;
}

/* The CPU as it would be if others held registers only. */
static struct found without_holders(const struct world *w, const struct found *found)
{
	struct found all = *found;

	all.free_cntrs = w->cpu->gp_cntrs;
	return all;
}

/* Does each event find a register, whatever the counters? */
static bool registers_suffice(const struct world *w, const struct session *s, unsigned int nr)
{
	const struct found nobody = { .free_cntrs = 0xff };
	struct session loose = *s;
	struct world wide = *w;
	struct cpu cpu = *w->cpu;
	unsigned int i;

	wide.cpu = &cpu;
	cpu.gp_cntrs = 0xff;
	for (i = 0; i < cpu.nr_regs; i++)
		cpu.reg[i].cntrs = 0xff;
	for (i = 0; i < ARRAY_SIZE(cpu.more); i++)
		cpu.more[i].cntrs = 0xff;
	for (i = 0; i < nr; i++)
		loose.ev[i].allowed = 0;
	return exists_on(&wide, &loose, &nobody, 1, nr);
}

/*
 * Named is a register in the way of the first event that finds none.  If none is, its only one has
 * been taken by an event before it that could not have another.
 */
static void check_named(const struct world *w, const struct session *s, const struct found *found,
			const struct acrpmu_error *error, int errnum)
{
	struct found all = without_holders(w, found);
	const struct event *ev;
	unsigned int nr, reg;

	if (exists_on(w, s, &all, 1, s->nr))
		complain(w, "a register is blamed where counters are held");
	for (nr = s->nr - 1; nr && !exists_on(w, s, &all, 1, nr);)
		nr--;
	while (nr && !any_in_the_way(w, &s->ev[nr], found, errnum))
		nr--;
	ev = &s->ev[nr];
	if (error->event != (int)nr)
		complain(w, "not the event that finds no register");
	for (reg = 0; reg < w->cpu->nr_regs; reg++) {
		if (w->cpu->reg[reg].msr == error->limit &&
		    is_in_the_way(w, ev, found, reg, errnum) &&
		    error->value == (errnum == -EBUSY ? found->value[reg] : ev->value))
			return;
	}
	complain(w, "a register is blamed that is not in the way");
}

/* Events that compete for too few counters, on the registers that they need. */
static void check_no_cntr(const struct world *w, const struct session *s, unsigned int core,
			  const struct acrpmu_error *error)
{
	unsigned int nr = fit_alone(w, s, w->hidden[core]);

	if (counters_exist(w, s) && !registers_suffice(w, s, nr + 1))
		complain(w, "counters are blamed for too few registers");
	if (error->limit <= hweight64(error->value))
		complain(w, "there are as many counters as events that compete");
}

/* Of too many values, the one in the event's own register is named. */
static void check_too_much(const struct world *w, const struct session *s,
			   const struct acrpmu_error *error)
{
	unsigned int nr = fit_alone(w, s, 0), i;
	bool is_there = false;

	if (registers_suffice(w, s, nr + 1))
		complain(w, "registers are blamed for too few counters");
	for (i = 0; i < nr; i++)
		is_there |= error->value == s->ev[i].value && s->ev[i].own >= 0;
	if (error->reason != ACRPMU_REASON_EXTRA_BUSY || error->event != (int)nr || !is_there ||
	    error->limit != w->cpu->reg[s->ev[nr].own].msr)
		complain(w, "not what the group asks too much of");
}

static enum verdict check_refusal(const struct world *w, const struct session *s, unsigned int cpu,
				  int errnum, const struct acrpmu_error *error)
{
	struct found found = nobody_on(w, w->cpu->core[cpu]);

	if (errnum == -ENOSPC && error->reason == ACRPMU_REASON_NO_ASSIGNMENT) {
		check_no_cntr(w, s, w->cpu->core[cpu], error);
		return NO_CNTR;
	}
	if (errnum == -ENOSPC) {
		check_too_much(w, s, error);
		return TOO_MUCH;
	}
	if (errnum == -EBUSY)
		look(w, cpu, &found);
	if (error->reason == ACRPMU_REASON_HELD) {
		if (!error->value || error->value & found.free_cntrs)
			complain(w, "free counters are reported as held");
		return HELD_CNTR;
	}
	if (error->reason != (errnum == -EBUSY ? ACRPMU_REASON_EXTRA_BUSY :
						 ACRPMU_REASON_EXTRA_HIDDEN))
		complain(w, "a reason that cannot be");
	check_named(w, s, &found, error, errnum);
	return errnum == -EBUSY ? HELD_REG : HIDDEN;
}

static void close_session(struct world *w, struct session *s)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (s->cpus >> cpu & 1)
			acrpmu_schedule_put(&w->state[w->cpu->core[cpu]], &s->group,
					    &s->schedule[cpu]);
	}
	s->cpus = 0;
}

/*
 * As the module does: one CPU after the other, each beside what the earlier ones reserved; all or
 * none.
 * Refusals that are not @want are not looked at.
 */
static int reserve_cpus(struct world *w, struct session *s, int want)
{
	struct acrpmu_error error;
	struct found found;
	unsigned int cpu;
	int ret;

	for (cpu = 0; cpu < CPUS; cpu++) {
		struct acrpmu_extra_state *state = &w->state[w->cpu->core[cpu]];

		if (!(s->wanted >> cpu & 1))
			continue;
		look(w, cpu, &found);
		memset(&error, 0xcc, sizeof(error));
		ret = schedule_on(state, &w->caps, &s->group, found.free_cntrs,
				  &s->schedule[cpu], &error);
		if (ret) {
			if (ret == want)
				verdicts[check_refusal(w, s, cpu, ret, &error)]++;
			close_session(w, s);
			return ret;
		}
		check_schedule(w, s, cpu);
		acrpmu_schedule_get(state, &s->group, &s->schedule[cpu]);
		s->cpus |= 1U << cpu;
	}
	return 0;
}

static void open_session(struct world *w, struct session *s)
{
	int want = naive_verdict(w, s), ret = reserve_cpus(w, s, want);

	if (ret != want)
		complain(w, !want ? "an assignment exists and is not found" :
			    !ret ? "an assignment that cannot be" : "errnos mixed up");
	verdicts[SUCCESS] += !ret;
}

/* Do threads share registers?  Then a thread's choice can take from the next what that needs. */
static bool is_smt(const struct cpu *cpu)
{
	return cpu->core[0] == cpu->core[1] || cpu->core[1] == cpu->core[2];
}

/* One in two is bound to a counter or two, at least one that its config can use. */
static u64 random_allowed(const struct cpu *cpu, const struct event *ev)
{
	u64 able = cntrs_on(cpu, ev, ev->own), allowed;

	if (rnd_below(2) || (ev->own >= 0 && is_smt(cpu)))
		return 0;
	do {
		allowed = 1ULL << rnd_below(4) | 1ULL << rnd_below(4);
	} while (!(allowed & able));
	return allowed;
}

static void describe(const struct cpu *cpu, struct session *s)
{
	unsigned int i;

	s->wanted = 1 + rnd_below((1 << CPUS) - 1);
	s->nr = 1 + rnd_below(MAX_EVENTS);
	memset(&s->group, 0, sizeof(s->group));
	s->group.nr = s->nr;
	for (i = 0; i < s->nr; i++) {
		struct event *ev = &s->ev[i];
		u64 value = cpu->values[rnd_below(6)];

		/* one in three without a register */
		ev->own = rnd_below(3) ? (int)rnd_below(cpu->nr_regs) : -1;
		if (ev->own >= 0 && value & ~cpu->reg[ev->own].valid)
			ev->own = 0;
		ev->more = cpu->more[0].select && ev->own >= 0 &&
			   cpu->reg[ev->own].kind == cpu->reg[0].kind ? rnd_below(3) : 0;
		ev->value = ev->own < 0 ? 0 : value;
		ev->allowed = random_allowed(cpu, ev);
		s->group.ev[i] = (struct acrpmu_ev){
			.config = config_on(cpu, ev, ev->own),
			.extra_value = ev->value, .allowed_cntrs = ev->allowed,
			.flags = USER | COUNT,
		};
	}
}

/* Check whether a session fits where it was last open. */
static void check_fits(const struct world *w, const struct session *s)
{
	struct found found;
	unsigned int cpu, i;

	for (cpu = 0; cpu < CPUS; cpu++) {
		bool fits, want = true;

		if (!(s->had >> cpu & 1))
			continue;
		look(w, cpu, &found);
		for (i = 0; i < s->nr; i++) {
			int reg = s->ev[i].reg[cpu];

			want &= reg < 0 || can_be(w, &s->ev[i], &found, reg);
		}
		fits = acrpmu_schedule_fits(&w->state[w->cpu->core[cpu]], &s->group,
					    &s->schedule[cpu]);
		if (fits != want)
			complain(w, fits ? "an old schedule that does not fit" :
				    "an old schedule that would fit");
		fitting[fits]++;
	}
}

/* On one core another set of registers does not answer from now on, mostly none. */
static void hide(struct world *w)
{
	unsigned int core = rnd_below(CPUS), nr = w->cpu->nr_regs, reg;
	unsigned int hidden = rnd_below(8) ? 0 : 1U << rnd_below(nr) | 1U << rnd_below(nr);
	struct acrpmu_extra_state *state = &w->state[core];

	w->hidden[core] = 0;
	for (reg = 0; reg < nr; reg++) {
		/* what is in use answers */
		state->reg[reg].hidden = hidden >> reg & 1 && !state->reg[reg].refs;
		w->hidden[core] |= (unsigned int)state->reg[reg].hidden << reg;
	}
}

static void run_history(struct world *w)
{
	unsigned int step;

	for (step = 0; step < STEPS; step++) {
		hide(w);
		struct session *s = &w->session[rnd_below(NR_SESSIONS)];

		if (s->cpus) {
			s->had = s->cpus;
			close_session(w, s);
		} else {
			check_fits(w, s);
			s->had = 0;
			describe(w->cpu, s);
			open_session(w, s);
		}
		check_states(w);
	}
	for (step = 0; step < NR_SESSIONS; step++) {
		w->session[step].had = 0;
		if (w->session[step].cpus)
			close_session(w, &w->session[step]);
	}
	check_states(w);
}

/* usage: schedule_history_test [HISTORIES] */
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
	is_u64(wrong, 0, "%lu random histories: all verdicts, schedules and users right",
	       histories);
	for (i = 0; i < NR_VERDICTS; i++)
		ok(verdicts[i] > histories / (i == NO_CNTR ? 200 : 50),
		   "%s was common: %u times", ((const char *[]){ "success", "too many values",
		   "too few counters", "a register that does not answer", "a counter in the way",
		   "a register in the way" })[i], verdicts[i]);
	ok(fitting[0] > histories / 100 && fitting[1] > histories / 100,
	   "old schedules fit %u times, and %u times not", fitting[1], fitting[0]);
	return done();
}
