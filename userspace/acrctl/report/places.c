// SPDX-License-Identifier: GPL-2.0-only
/* Entries found again by numbers: names are made and compared once for all samples of a place. */
#include "places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"

#define FIRST_ROOM	256
#define RECENT_BITS	16	/* of the number of addresses that are kept */
#define HASH_FACTOR	0x9e3779b97f4a7c15ULL

/* An address that some sample had. */
struct places_recent {
	__u64 ip;
	__u32 source;			/* its number + 1, 0: none so far */
	__u32 origin;			/* likewise its own */
};

/* The number of what decides the place of an address: it seldom differs from that of the last sample. */
static size_t source_of(struct places *p, struct view *v, const struct pd_sample *s, __u32 event)
{
	const uint64_t now[] = {
		(uint64_t)event << 32 | (s->misc & PERF_RECORD_MISC_CPUMODE_MASK),
		(uint64_t)s->pid << 32 | s->tid, p->chosen[HIST_CPU] ? s->cpu : 0,
		v->space.changes + 1,
	};
	uint64_t source[] = {
		now[0], (uint64_t)s->pid << 32 | (p->chosen[HIST_TID] ? s->tid : 0), now[2], 0, 0,
	};

	if (!memcmp(now, p->last, sizeof(now)))
		return p->source;
	memcpy(p->last, now, sizeof(now));
	source[3] = sym_space_era(&v->space, s->pid);
	if (p->chosen[HIST_COMM])
		source[4] = (uintptr_t)sym_space_comm_of(&v->space, s->pid, s->tid);
	p->source = tuples_add(&p->sources, source, ARRAY_SIZE(source), NULL);
	return p->source;
}

/* Where an address is kept, be it this or another; NULL: out of memory. */
static struct places_recent *recent_of(struct places *p, size_t source, __u64 ip)
{
	if (!p->recent)
		p->recent = calloc(1ULL << RECENT_BITS, sizeof(*p->recent));
	if (!p->recent)
		return NULL;
	return &p->recent[(ip * HASH_FACTOR ^ source) * HASH_FACTOR >> (64 - RECENT_BITS)];
}

static bool make_room(struct places *p, size_t number)
{
	size_t room = p->room ? 2 * p->room : FIRST_ROOM;
	struct hist_entry **more;

	if (number < p->room)
		return true;
	more = reallocarray(p->entries, room, sizeof(*more));
	if (!more)
		return false;
	p->entries = more;
	p->room = room;
	return true;
}

/* The number of a sample's origin, TUPLES_FAILED: out of memory. */
static size_t find_origin(struct places *p, struct hist *h, struct view *v,
			  const struct pd_sample *s, __u32 event)
{
	struct keys_origin o = keys_origin(v, p->chosen, s);
	const __u32 inlined = p->graph ? graph_inlined(p->graph, v, s) : 0;
	const uint64_t origin[] = {
		(uint64_t)event << CHAR_BIT | (unsigned char)o.level,
		(uintptr_t)o.comm, (uintptr_t)o.dso, (uintptr_t)o.symbol,
		o.level && !o.symbol ? s->ip : 0,
		(p->chosen[HIST_PID] ? (uint64_t)s->pid << 32 : 0) |
			(p->chosen[HIST_TID] ? s->tid : 0),
		(p->chosen[HIST_CPU] ? (uint64_t)s->cpu << 32 : 0) | inlined,
	};
	struct hist_entry key = { .event = event };
	struct keys_numbers numbers;
	size_t number;
	bool added;

	if (inlined == TREE_NONE)
		return TUPLES_FAILED;
	number = tuples_add(&p->origins, origin, ARRAY_SIZE(origin), &added);
	if (number == TUPLES_FAILED || !make_room(p, number))
		return TUPLES_FAILED;
	if (added) {
		keys_texts(&o, p->chosen, s, &numbers, &key);
		p->entries[number] = hist_get(h, &key);
	}
	return p->entries[number] ? number : TUPLES_FAILED;
}

/**
 * places_add() - add a sample to the entry that has its chosen properties
 * @event: that of the entry
 *
 * Return: the entry, and @p->place is set; NULL: out of memory.
 */
struct hist_entry *places_add(struct places *p, struct hist *h, struct view *v,
			      const struct pd_sample *s, __u32 event, __u64 period)
{
	size_t source = source_of(p, v, s, event), origin;
	struct places_recent *recent = recent_of(p, source, s->ip);
	struct hist_entry *e;

	if (source >= UINT32_MAX || !recent)
		return NULL;
	if (recent->source != source + 1 || recent->ip != s->ip) {
		origin = find_origin(p, h, v, s, event);
		if (origin > UINT32_MAX)
			return NULL;
		*recent = (struct places_recent){
			.ip = s->ip, .source = source + 1, .origin = origin,
		};
	}
	p->place = (__u64)recent->origin << 32 | source;
	e = p->entries[recent->origin];
	e->samples++;
	e->period += period;
	return e;
}

/** places_free() - free what is known, but no entry */
void places_free(struct places *p)
{
	tuples_free(&p->sources);
	tuples_free(&p->origins);
	free(p->recent);
	free(p->entries);
}
