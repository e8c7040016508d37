// SPDX-License-Identifier: GPL-2.0-only
/* Entries found again by numbers: names are made and compared once for all samples of a place. */
#include "places.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"

#define FIRST_ROOM	256
#define UNKNOWN		UINT32_MAX	/* is the number of no origin */
#define SOURCE_COMM	4	/* index of the name in the tuple of a source */
#define HASH_FACTOR	0x9e3779b97f4a7c15ULL

/* The number of the source of a sample with these fields, which are not those of the last one. */
static size_t find_source(struct places *p, struct view *v, const struct pd_sample *s,
			  const struct places_fields *f)
{
	uint64_t source[] = {
		f->kind, (uint64_t)s->pid << 32 | (p->chosen[HIST_TID] ? s->tid : 0), f->cpu,
		sym_space_era(&v->space, s->pid),
		[SOURCE_COMM] = 0,
	};

	if (p->chosen[HIST_COMM])
		source[SOURCE_COMM] = (uintptr_t)sym_space_comm_of(&v->space, s->pid, s->tid);
	return tuples_add(&p->sources, source, ARRAY_SIZE(source), NULL);
}

static inline bool equal(const struct places_fields *a, const struct places_fields *b)
{
	return !((a->kind ^ b->kind) | (a->task ^ b->task) | (a->cpu ^ b->cpu) | (a->era ^ b->era));
}

/* The number of what decides the place of an address: threads take turns. */
static inline size_t source_of(struct places *p, struct view *v, const struct pd_sample *s,
			       __u32 event)
{
	const struct places_fields now = {
		.kind = (uint64_t)event << 32 | (s->misc & PERF_RECORD_MISC_CPUMODE_MASK),
		.task = (uint64_t)s->pid << 32 | s->tid,
		.cpu = p->chosen[HIST_CPU] ? s->cpu : 0,
		.era = v->space.changes + 1,
	};
	struct places_turn *turn = &p->turns[(s->tid ^ now.cpu) % PLACES_TURNS];

	if (!equal(&now, &turn->fields)) {
		turn->fields = now;
		turn->source = find_source(p, v, s, &now);
	}
	return turn->source;
}

/* The place is decided by the same as that of the sample before it. */
static inline bool same_source(const struct places *p, const struct pd_sample *s,
			       const struct pd_sample *before)
{
	return s->tid == before->tid && s->pid == before->pid && s->event == before->event &&
	       s->misc == before->misc && (!p->chosen[HIST_CPU] || s->cpu == before->cpu);
}

/* Find where the addresses of samples are kept, which the CPU fetches in the meantime. */
static bool find_buckets(struct places *p, struct view *v, const struct pd_sample *s, size_t nr,
			 struct places_spot *spots)
{
	size_t i, source = 0;
	__u64 hash;

	for (i = 0; i < nr; i++) {
		if (!i || !same_source(p, &s[i], &s[i - 1]) || spots[i].event != spots[i - 1].event)
			source = source_of(p, v, &s[i], spots[i].event);
		if (source >= UINT32_MAX)
			return false;
		hash = (s[i].ip * HASH_FACTOR ^ source) * HASH_FACTOR;
		spots[i].source = source;
		spots[i].bucket = &p->recent[hash >> (64 - PLACES_BITS)];
		__builtin_prefetch(spots[i].bucket);
	}
	return true;
}

static bool make_room(struct places *p, size_t number)
{
	size_t room = p->room ? 2 * p->room : FIRST_ROOM;
	struct hist_entry **entries;
	struct places_sum *sums;

	if (number < p->room)
		return true;
	entries = reallocarray(p->entries, room, sizeof(*entries));
	if (!entries)
		return false;
	p->entries = entries;
	sums = reallocarray(p->sums, room, sizeof(*sums));
	if (!sums)
		return false;
	p->sums = sums;
	p->room = room;
	return true;
}

/* The number of a sample's origin, TUPLES_FAILED: out of memory. */
static size_t add_origin(struct places *p, struct hist *h, const struct pd_sample *s, __u32 event,
			 const struct keys_origin *o, __u32 inlined)
{
	const uint64_t origin[] = {
		(uint64_t)event << CHAR_BIT | (unsigned char)o->level,
		(uintptr_t)o->comm, (uintptr_t)o->dso, (uintptr_t)o->symbol,
		o->level && !o->symbol ? s->ip : 0,
		(p->chosen[HIST_PID] ? (uint64_t)s->pid << 32 : 0) |
			(p->chosen[HIST_TID] ? s->tid : 0),
		(p->chosen[HIST_CPU] ? (uint64_t)s->cpu << 32 : 0) | inlined,
	};
	struct hist_entry key = { .event = event };
	struct keys_numbers numbers;
	size_t number;
	bool added;

	number = tuples_add(&p->origins, origin, ARRAY_SIZE(origin), &added);
	if (number >= UINT32_MAX || !make_room(p, number))
		return TUPLES_FAILED;
	if (added) {
		keys_texts(o, p->chosen, s, &numbers, &key);
		p->entries[number] = hist_get(h, &key);
		p->sums[number] = (struct places_sum){ 0 };
	}
	return p->entries[number] ? number : TUPLES_FAILED;
}

/* Set the origin of a sample if its address is kept, which comes to the front of its bucket. */
static inline bool find_recent(const struct pd_sample *s, struct places_spot *spot)
{
	struct places_recent *of = spot->bucket->of, found;
	size_t i;

	spot->origin = UNKNOWN;
	for (i = 0; i < PLACES_BUCKET; i++) {
		found = of[i];
		if (found.source != spot->source + 1 || found.ip != s->ip)
			continue;
		if (i) {
			of[i] = of[0];
			of[0] = found;
		}
		spot->origin = found.origin;
		return true;
	}
	return false;
}

/*
 * Find function and other properties of a sample, and where its function is kept, which the CPU
 * fetches in the meantime.
 */
static void find_function(struct places *p, struct view *v, const struct pd_sample *s,
			  struct places_spot *spot)
{
	size_t len;
	const uint64_t *source = tuples_get(&p->sources, spot->source, &len);
	__u64 hash;

	spot->from = keys_origin(v, p->chosen, s, (void *)(uintptr_t)source[SOURCE_COMM]);
	hash = ((uintptr_t)spot->from.symbol * HASH_FACTOR ^ spot->source) * HASH_FACTOR;
	spot->functions = &p->functions[hash >> (64 - PLACES_FUNCTION_BITS)];
	__builtin_prefetch(spot->functions);
}

/* The origin of the function's samples from the source, UNKNOWN: it is not kept. */
static __u32 known_origin(const struct places_spot *spot)
{
	const struct places_function *f = spot->functions->of;
	size_t i;

	for (i = 0; spot->from.symbol && i < PLACES_FUNCTIONS; i++) {
		if (f[i].symbol == spot->from.symbol && f[i].dso == spot->from.dso &&
		    f[i].source == spot->source)
			return f[i].origin;
	}
	return UNKNOWN;
}

/* Set the origin of a sample; false: out of memory, and so below. */
static bool find_origin(struct places *p, struct hist *h, struct view *v, const struct pd_sample *s,
			struct places_spot *spot)
{
	struct places_function *of = spot->functions->of;
	__u32 inlined = p->graph ? graph_inlined(p->graph, v, s) : 0;
	size_t number;

	if (inlined == TREE_NONE)
		return false;
	spot->origin = p->graph ? UNKNOWN : known_origin(spot);
	if (spot->origin != UNKNOWN)
		return true;
	number = add_origin(p, h, s, spot->event, &spot->from, inlined);
	if (number == TUPLES_FAILED)
		return false;
	spot->origin = number;
	memmove(of + 1, of, (PLACES_FUNCTIONS - 1) * sizeof(*of));
	*of = (struct places_function){
		.dso = spot->from.dso, .symbol = spot->from.symbol, .source = spot->source,
		.origin = number,
	};
	return true;
}

/* Put an address in front of its bucket, from which it drops the last one. */
static bool keep(struct places *p, struct hist *h, struct view *v, const struct pd_sample *s,
		 struct places_spot *spot)
{
	struct places_recent *of = spot->bucket->of;

	if (!find_origin(p, h, v, s, spot))
		return false;
	memmove(of + 1, of, (PLACES_BUCKET - 1) * sizeof(*of));
	*of = (struct places_recent){
		.ip = s->ip, .source = spot->source + 1, .origin = spot->origin,
	};
	return true;
}

/* Buckets begin with a line of the cache. */
static void *make_table(size_t size)
{
	void *table = aligned_alloc(PLACES_LINE, size);

	return table ? memset(table, 0, size) : NULL;
}

static bool make_tables(struct places *p)
{
	if (!p->recent)
		p->recent = make_table(sizeof(*p->recent) << PLACES_BITS);
	if (!p->functions)
		p->functions = make_table(sizeof(*p->functions) << PLACES_FUNCTION_BITS);
	return p->recent && p->functions;
}

/**
 * places_add() - add samples between which nothing happened to the entries that have their chosen
 * properties
 * @spots: of each sample; event and period are given, source and origin are set
 *
 * Entries have the sums after places_end().
 *
 * Return: 0 or -ENOMEM.
 */
int places_add(struct places *p, struct hist *h, struct view *v, const struct pd_sample *s,
	       size_t nr, struct places_spot *spots)
{
	size_t i;

	if (!make_tables(p) || !find_buckets(p, v, s, nr, spots))
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (!find_recent(&s[i], &spots[i]))
			find_function(p, v, &s[i], &spots[i]);
	}
	for (i = 0; i < nr; i++) {
		struct places_spot *spot = &spots[i];

		/* a sample shortly before it may have had the same address */
		if (spot->origin == UNKNOWN && !find_recent(&s[i], spot) &&
		    !keep(p, h, v, &s[i], spot))
			return -ENOMEM;
		p->sums[spot->origin].samples++;
		p->sums[spot->origin].period += spot->period;
	}
	return 0;
}

/** places_end() - add the sums of all samples to their entries */
void places_end(struct places *p)
{
	size_t i;

	for (i = 0; i < p->origins.nr; i++) {
		p->entries[i]->samples += p->sums[i].samples;
		p->entries[i]->period += p->sums[i].period;
		p->sums[i] = (struct places_sum){ 0 };
	}
}

/** places_free() - free what is known, but no entry */
void places_free(struct places *p)
{
	tuples_free(&p->sources);
	tuples_free(&p->origins);
	free(p->recent);
	free(p->functions);
	free(p->entries);
	free(p->sums);
}
