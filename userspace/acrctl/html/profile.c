// SPDX-License-Identifier: GPL-2.0-only
/* Adding up the samples of a recording by time, event, CPU, task and stack. */
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN		"[unknown]"
#define MERGED_NAME	"[rare stacks]"
#define FIRST_SUMS	1024
#define FIRST_BIN_SHIFT	10	/* about a microsecond */
#define NAME_LEN	256

static int find_text(struct profile *p, const char *text, uint64_t *number)
{
	*number = intern_add(&p->texts, text);
	return *number == INTERN_FAILED ? -ENOMEM : 0;
}

/* Returns the number of a tuple, -ENOMEM. */
static __s64 find(struct tuples *t, const uint64_t *words, size_t nr)
{
	size_t number = tuples_add(t, words, nr, NULL);

	return number == TUPLES_FAILED ? -ENOMEM : (__s64)number;
}

/* Code without a name is one function for each file, as in flame graphs of script. */
static int find_name(struct profile *p, const struct stack_frame *f, uint64_t *number)
{
	const char *slash = strrchr(f->dso, '/');
	const char *file = slash && slash[1] ? slash + 1 : f->dso;
	char name[NAME_LEN];

	if (f->known && *f->symbol)
		return find_text(p, f->symbol, number);
	if (*file == '[')
		return find_text(p, file, number);
	snprintf(name, sizeof(name), "[%s]", file);
	return find_text(p, *file ? name : UNKNOWN, number);
}

static __s64 frame_number(struct profile *p, const struct stack_frame *f)
{
	uint64_t frame[FRAME_WORDS];

	if (find_name(p, f, &frame[FRAME_NAME]) || find_text(p, f->dso, &frame[FRAME_FILE]))
		return -ENOMEM;
	frame[FRAME_KIND] = (f->level == VIEW_LEVEL_KERNEL ? PROFILE_KERNEL : 0) |
			    (f->level == VIEW_LEVEL_GUEST ? PROFILE_GUEST : 0) |
			    (f->inlined ? PROFILE_INLINED : 0);
	return find(&p->frames, frame, FRAME_WORDS);
}

static __s64 named_frame(struct profile *p, const char *name, unsigned int kind)
{
	uint64_t frame[FRAME_WORDS] = { [FRAME_KIND] = kind };

	if (find_text(p, name, &frame[FRAME_NAME]))
		return -ENOMEM;
	return find(&p->frames, frame, FRAME_WORDS);
}

static __s64 child(struct profile *p, __s64 parent, __s64 frame)
{
	const uint64_t node[NODE_WORDS] = { parent, frame };

	return frame < 0 ? frame : find(&p->nodes, node, NODE_WORDS);
}

/* The node of a sample's stack below its command. */
static __s64 node_of(struct profile *p, const struct pd_sample *s, const char *comm)
{
	__s64 node = child(p, 0, named_frame(p, comm, PROFILE_COMMAND));
	size_t i;

	if (stack_read(&p->stack, p->view, s))
		return -ENOMEM;
	for (i = p->stack.nr; i > 0 && node >= 0; i--)
		node = child(p, node, frame_number(p, &p->stack.frames[i - 1]));
	return node;
}

static __s64 place_of(struct profile *p, const struct pd_sample *s, const char *comm)
{
	uint64_t task[TASK_WORDS] = { s->pid, s->tid }, place[PLACE_WORDS] = { s->event };
	__s64 number = 0;

	if (s->fields & PERF_SAMPLE_CPU)
		place[PLACE_CPU] = (__u64)s->cpu + 1;
	if (s->fields & PERF_SAMPLE_TID) {
		if (find_text(p, comm, &task[TASK_COMM]))
			return -ENOMEM;
		number = find(&p->tasks, task, TASK_WORDS);
	}
	place[PLACE_TASK] = number;
	return number < 0 ? number : find(&p->places, place, PLACE_WORDS);
}

/* The time bin of a sample; earlier ones become wider until it fits. */
static int find_bin(struct profile *p, const struct pd_sample *s, uint64_t *bin)
{
	unsigned int shift = 0;

	*bin = 0;
	if (!(s->fields & PERF_SAMPLE_TIME))
		return 0;
	if (!p->timed)
		p->first_ns = s->time;
	if (!p->timed || s->time > p->last_ns)
		p->last_ns = s->time;
	p->timed = true;
	if (s->time > p->first_ns)
		*bin = (s->time - p->first_ns) >> p->bin_shift;
	while (*bin >> shift >= PROFILE_BINS_MAX)
		shift++;
	*bin >>= shift;
	return shift ? profile_shift_bins(p, shift) : 0;
}

static bool make_room(struct profile *p)
{
	size_t room = p->sums_room ? 2 * p->sums_room : FIRST_SUMS;
	struct profile_sum *sums;

	if (p->cells.nr < p->sums_room)
		return true;
	sums = reallocarray(p->sums, room, sizeof(*sums));
	if (!sums)
		return false;
	p->sums = sums;
	p->sums_room = room;
	return true;
}

/**
 * profile_count() - add to a cell
 *
 * Return: 0 or -ENOMEM.
 */
int profile_count(struct profile *p, const uint64_t *cell, const struct profile_sum *sum)
{
	bool added;
	size_t number;

	if (!make_room(p))
		return -ENOMEM;
	number = tuples_add(&p->cells, cell, CELL_WORDS, &added);
	if (number == TUPLES_FAILED)
		return -ENOMEM;
	if (added)
		p->sums[number] = (struct profile_sum){ 0 };
	p->sums[number].samples += sum->samples;
	p->sums[number].period += sum->period;
	return 0;
}

static void add_to_event(struct profile *p, __u32 event, __u64 period)
{
	struct profile_event *e = &p->events[event];

	if (!e->sum.samples)
		e->period = period;
	e->varies |= period != e->period;
	e->sum.samples++;
	e->sum.period += period;
	p->samples++;
}

static int add_sample(struct profile *p, const struct pd_sample *s)
{
	const struct perf_event_attr *attr = &p->view->reader.events[s->event].attr;
	const char *comm = sym_space_comm_of(&p->view->space, s->pid, s->tid);
	struct profile_sum sum = { .samples = 1, .period = attr->sample_period };
	uint64_t cell[CELL_WORDS];
	__s64 node, place;

	if (!comm || !*comm)
		comm = UNKNOWN;
	if (s->fields & PERF_SAMPLE_PERIOD)
		sum.period = s->period;
	node = node_of(p, s, comm);
	place = place_of(p, s, comm);
	if (node < 0 || place < 0 || find_bin(p, s, &cell[CELL_BIN]))
		return -ENOMEM;
	cell[CELL_NODE] = node;
	cell[CELL_PLACE] = place;
	p->chains |= s->fields & PERF_SAMPLE_CALLCHAIN;
	add_to_event(p, s->event, sum.period);
	return profile_count(p, cell, &sum) ? -ENOMEM : profile_bound(p);
}

/**
 * profile_merged_frame() - the frame in place of stacks that are rare
 *
 * Return: its number; TUPLES_FAILED: out of memory.
 */
size_t profile_merged_frame(struct profile *p)
{
	__s64 number = named_frame(p, MERGED_NAME, PROFILE_MERGED);

	return number < 0 ? TUPLES_FAILED : (size_t)number;
}

/**
 * profile_bins() - the number of time bins from the first sample to the last
 */
unsigned int profile_bins(const struct profile *p)
{
	return ((p->last_ns - p->first_ns) >> p->bin_shift) + 1;
}

/* The tuples with number 0: the root of all stacks, and the task in place of others. */
static int begin(struct profile *p)
{
	const uint64_t root[NODE_WORDS] = { 0, 0 }, others[TASK_WORDS] = { 0 };
	uint64_t empty;

	p->bin_shift = FIRST_BIN_SHIFT;
	p->events = calloc(p->view->reader.nr_events, sizeof(*p->events));
	if (!p->events || find_text(p, "", &empty) || named_frame(p, "all", 0) < 0)
		return -ENOMEM;
	if (find(&p->nodes, root, NODE_WORDS) < 0 || find(&p->tasks, others, TASK_WORDS) < 0)
		return -ENOMEM;
	return 0;
}

static int read_all(struct profile *p)
{
	struct pd_sample s;

	if (begin(p))
		return -ENOMEM;
	while (view_next(p->view, &s)) {
		if (add_sample(p, &s))
			return -ENOMEM;
	}
	return profile_finish(p);
}

/**
 * html_read() - add up all samples of a view that follow
 *
 * The functions of the samples are kept in memory, and a bounded number of stacks, times and tasks.
 *
 * Return: what html_free() frees, NULL: out of memory.
 */
struct profile *html_read(struct view *v)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->view = v;
	if (!read_all(p))
		return p;
	html_free(p);
	return NULL;
}

/**
 * html_samples() - the number of samples
 */
__u64 html_samples(const struct profile *p)
{
	return p->samples;
}

/**
 * html_event_samples() - the number of samples of an event
 */
__u64 html_event_samples(const struct profile *p, __u32 event)
{
	return p->events[event].sum.samples;
}

/**
 * html_duration_ns() - the time from the first sample to the last, 0 if they have no times
 */
__u64 html_duration_ns(const struct profile *p)
{
	return p->last_ns - p->first_ns;
}

/**
 * html_free() - free what html_read() made
 */
void html_free(struct profile *p)
{
	stack_free(&p->stack);
	intern_free(&p->texts);
	tuples_free(&p->frames);
	tuples_free(&p->nodes);
	tuples_free(&p->tasks);
	tuples_free(&p->places);
	tuples_free(&p->cells);
	free(p->sums);
	free(p->events);
	free(p);
}
