// SPDX-License-Identifier: GPL-2.0-only
/* Programs of calls: made at random, changed at random, and kept as text. */
#include "program.h"

#include <string.h>

/* How often a call is of a kind, and what it needs */
static const struct {
	const char *name;
	unsigned int weight;
	unsigned int needs;
} kinds[NR_CALLS] = {
	[CALL_CREATE]	= { "create", 8 },
	[CALL_CTL]	= { "ctl", 24 },
	[CALL_UNPARK]	= { "unpark", 8 },
	[CALL_PERIODS]	= { "periods", 6 },
	[CALL_ATTACH]	= { "attach", 6 },
	[CALL_READ]	= { "read", 14 },
	[CALL_QUERY]	= { "query", 6 },
	[CALL_INFO]	= { "info", 5 },
	[CALL_ODD]	= { "odd", 2 },
	[CALL_MAP]	= { "map", 8 },
	[CALL_UNMAP]	= { "unmap", 3 },
	[CALL_PROTECT]	= { "protect", 2 },
	[CALL_RING]	= { "ring", 6 },
	[CALL_POLL]	= { "poll", 4 },
	[CALL_FILE]	= { "file", 4 },
	[CALL_CLOSE]	= { "close", 4 },
	[CALL_DUP]	= { "dup", 2 },
	[CALL_CHILD]	= { "child", 2 },
	[CALL_KILL]	= { "kill", 1 },
	[CALL_WORK]	= { "work", 6 },
	[CALL_SIGNAL]	= { "signal", 3 },
	[CALL_PIN]	= { "pin", 3 },
	[CALL_THREAD]	= { "thread", 1 },
	[CALL_NETLINK]	= { "netlink", 8 },
	[CALL_LIMIT]	= { "limit", 2 },
	[CALL_CGROUP]	= { "cgroup", 2 },
	[CALL_PERF]	= { "perf", 8, WITH_PERF },
	[CALL_HOTPLUG]	= { "hotplug", 3, WITH_HOTPLUG },
};

const char *call_name(enum call_kind kind)
{
	return kinds[kind].name;
}

unsigned int call_needs(enum call_kind kind)
{
	return kinds[kind].needs;
}

static enum call_kind pick_kind(struct random *r, unsigned int with)
{
	unsigned int sum = 0, at, i;

	for (i = 0; i < NR_CALLS; i++)
		if (!(kinds[i].needs & ~with))
			sum += kinds[i].weight;
	at = random_below(r, sum);
	for (i = 0;; i++) {
		if (kinds[i].needs & ~with)
			continue;
		if (at < kinds[i].weight)
			return i;
		at -= kinds[i].weight;
	}
}

uint64_t random_value(struct random *r)
{
	static const uint64_t values[] = {
		0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 63, 64, 127, 128, 255, 256, 999, 1000,
		4095, 4096, 4097, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		1ULL << 47, (1ULL << 48) - 1, 1ULL << 48, 1ULL << 63, -2ULL, -1ULL,
	};

	switch (random_below(r, 4)) {
	case 0:
		return 1ULL << random_below(r, 64);
	case 1:
		return random_next(r) >> random_below(r, 64);
	default:
		return values[random_below(r, sizeof(values) / sizeof(values[0]))];
	}
}

/*
 * args[4] says how the argument is spoilt, and where it lies: see request.c. Three of four are
 * good.
 */
static void make_call(struct call *c, struct random *r, unsigned int with)
{
	unsigned int i;

	c->kind = pick_kind(r, with);
	c->thread = random_below(r, 2) ? 0 : random_below(r, NR_THREADS);
	for (i = 0; i < NR_ARGS; i++)
		c->args[i] = random_next(r) >> 32;
	c->args[4] = random_below(r, 4) ? 0 : random_next(r) >> 32;
	c->args[5] = random_value(r);
}

void program_make(struct program *p, struct random *r, unsigned int with)
{
	unsigned int i;

	p->nr = 4 + random_below(r, MAX_CALLS - 3);
	for (i = 0; i < p->nr; i++)
		make_call(&p->calls[i], r, with);
	/* Most kinds need a session. */
	p->calls[0].kind = CALL_CREATE;
	p->calls[0].thread = 0;
	p->calls[0].args[4] = 0;
}

static void insert(struct program *p, unsigned int at, const struct call *c)
{
	if (p->nr == MAX_CALLS)
		p->nr--;
	if (at > p->nr)
		at = p->nr;
	memmove(&p->calls[at + 1], &p->calls[at], (p->nr - at) * sizeof(*c));
	p->calls[at] = *c;
	p->nr++;
}

static void take_out(struct program *p, unsigned int at)
{
	if (p->nr == 1)
		return;
	p->nr--;
	memmove(&p->calls[at], &p->calls[at + 1], (p->nr - at) * sizeof(p->calls[0]));
}

static void change_argument(struct call *c, struct random *r)
{
	unsigned int i = random_below(r, NR_ARGS);

	switch (random_below(r, 4)) {
	case 0:
		c->args[i] = random_value(r);
		break;
	case 1:
		c->args[i] ^= 1ULL << random_below(r, 32);
		break;
	case 2:
		c->args[i] += random_below(r, 9) - 4ULL;
		break;
	default:
		c->args[i] = random_next(r) >> 32;
	}
}

/* The end of the other one instead of its own */
static void splice(struct program *p, const struct program *other, struct random *r)
{
	unsigned int from = random_below(r, other->nr), i;

	p->nr = 1 + random_below(r, p->nr);
	for (i = from; i < other->nr && p->nr < MAX_CALLS; i++)
		p->calls[p->nr++] = other->calls[i];
}

static void change_once(struct program *p, const struct program *other, struct random *r,
			unsigned int with)
{
	unsigned int at = random_below(r, p->nr);
	struct call c;

	switch (random_below(r, 8)) {
	case 0:
		take_out(p, at);
		break;
	case 1:
		c = p->calls[random_below(r, p->nr)];
		insert(p, at, &c);
		break;
	case 2:
		p->calls[at].thread = random_below(r, NR_THREADS);
		break;
	case 3:
		splice(p, other, r);
		break;
	case 4:
	case 5:
		make_call(&c, r, with);
		insert(p, at, &c);
		break;
	default:
		change_argument(&p->calls[at], r);
	}
}

void program_change(struct program *p, const struct program *other, struct random *r,
		    unsigned int with)
{
	unsigned int nr = 1 + random_below(r, 4);

	while (nr--)
		change_once(p, other, r, with);
}

int program_write(const struct program *p, char *text, size_t size)
{
	int len = 0;
	unsigned int i, arg;

	for (i = 0; i < p->nr; i++) {
		const struct call *c = &p->calls[i];

		len += snprintf(text + len, size - len, "%s %u", call_name(c->kind), c->thread);
		for (arg = 0; arg < NR_ARGS; arg++)
			len += snprintf(text + len, size - len, " %#llx",
					(unsigned long long)c->args[arg]);
		len += snprintf(text + len, size - len, "\n");
	}
	len += snprintf(text + len, size - len, "\n");
	return len;
}

static bool read_call(struct call *c, const char *line)
{
	unsigned long long *args = (unsigned long long *)c->args;
	char name[16];
	unsigned int i;

	if (sscanf(line, "%15s %hhu %llx %llx %llx %llx %llx %llx", name, &c->thread, &args[0],
		   &args[1], &args[2], &args[3], &args[4], &args[5]) != 2 + NR_ARGS)
		return false;
	for (i = 0; i < NR_CALLS; i++)
		if (!strcmp(name, kinds[i].name))
			c->kind = i;
	return !strcmp(name, kinds[c->kind].name) && c->thread < NR_THREADS;
}

int program_read(struct program *p, FILE *file)
{
	char line[256];

	p->nr = 0;
	while (fgets(line, sizeof(line), file)) {
		if (*line == '\n' && p->nr)
			return 1;
		if (*line == '\n' || *line == '#')
			continue;
		memset(&p->calls[p->nr], 0, sizeof(p->calls[0]));
		if (p->nr == MAX_CALLS || !read_call(&p->calls[p->nr], line))
			return -1;
		p->nr++;
	}
	return p->nr > 0;
}
