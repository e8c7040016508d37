// SPDX-License-Identifier: GPL-2.0-only
/* Playing back a recording: records that change maps and names, and the samples between them. */
#include "view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* records as the kernel lays them out */
struct rec_comm {
	struct perf_event_header header;
	__u32 pid, tid;
	char comm[];
};

struct rec_task {
	struct perf_event_header header;
	__u32 pid, ppid, tid, ptid;
	__u64 time;
};

struct rec_mmap {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 addr, len, pgoff;
	char filename[];
};

/* begins like struct rec_mmap */
struct rec_mmap2 {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 addr, len, pgoff;
	union {
		struct {
			__u32 maj, min;
			__u64 ino, ino_generation;
		};
		struct {
			__u8 build_id_size, reserved[3];
			__u8 build_id[SYM_BUILD_ID_MAX];
		};
	};
	__u32 prot, flags;
	char filename[];
};

struct rec_lost {
	struct perf_event_header header;
	__u64 id, lost;
};

struct rec_lost_samples {
	struct perf_event_header header;
	__u64 lost;
};

/* the contents depend on the event's read_format */
struct rec_read {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 value, enabled_ns, running_ns;
};

/* in a PD_RECORD_ROOM: there is no value */
struct rec_taken {
	struct rec_read read;
	__u64 id;
};

/* The string behind the fixed fields; NULL if it does not end within the record. */
static const char *string_at(const struct perf_event_header *h, size_t fixed)
{
	const char *s = (const char *)h + fixed;

	return h->size > fixed && memchr(s, 0, h->size - fixed) ? s : NULL;
}

static bool kernel_mode(__u16 misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static int map_range(struct view *v, const struct perf_event_header *h, __u32 pid,
		     const struct sym_map *m, const char *name, const struct sym_build_id *id)
{
	bool kernel = kernel_mode(h->misc);
	size_t len = strlen(SYM_KERNEL_NAME);

	/* the kernel itself: "[kernel.kallsyms]_text", with the address of _text as the offset */
	if (kernel && !strncmp(name, SYM_KERNEL_NAME, len)) {
		v->space.kernel_ref = m->pgoff;
		snprintf(v->space.kernel_ref_name, sizeof(v->space.kernel_ref_name), "%s",
			 name + len);
		if (id->size)
			v->space.kernel_build_id = *id;
		name = SYM_KERNEL_NAME;
	}
	return sym_space_map(&v->space, kernel, pid, m, name, id);
}

/*
 * Newer kernels replace the file's numbers by a build-id and set a bit.  They leave the bit set for
 * the next event that gets the record, even if that did not ask for ids.  Tools set it correctly,
 * in records with id 0.
 */
static bool has_build_id(const struct view *v, const struct perf_event_header *h,
			 const struct pd_sample *s)
{
	bool by_tool = s->fields & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID) && !s->id;

	if (!(h->misc & PD_MISC_BUILD_ID))
		return false;
	return by_tool || (s->event >= 0 && v->reader.events[s->event].attr.build_id);
}

static struct sym_build_id mmap2_build_id(const struct rec_mmap2 *r)
{
	struct sym_build_id id = { 0 };

	if (r->build_id_size <= SYM_BUILD_ID_MAX) {
		id.size = r->build_id_size;
		memcpy(id.id, r->build_id, id.size);
	}
	return id;
}

static int apply_mmap(struct view *v, const struct perf_event_header *h,
		      const struct pd_sample *s)
{
	bool second = h->type == PERF_RECORD_MMAP2;
	const char *name = string_at(h, second ? offsetof(struct rec_mmap2, filename) :
						 offsetof(struct rec_mmap, filename));
	const struct rec_mmap *r = (const void *)h;
	const struct rec_mmap2 *r2 = (const void *)h;
	struct sym_build_id id = { 0 };
	struct sym_map m = { 0 };
	int err;

	if (!name)
		return -EINVAL;
	/* data only */
	if (h->misc & PERF_RECORD_MISC_MMAP_DATA || !r->len)
		return 0;
	m.start = r->addr;
	m.end = r->addr + r->len < r->addr ? ~0ULL : r->addr + r->len;
	m.pgoff = r->pgoff;
	if (second && has_build_id(v, h, s))
		id = mmap2_build_id(r2);
	err = map_range(v, h, r->pid, &m, name, &id);
	if (err || !second || id.size || kernel_mode(h->misc))
		return err;
	return sym_space_set_inode(&v->space, name, &(struct sym_inode){
		.known = true, .maj = r2->maj, .min = r2->min, .ino = r2->ino,
	});
}

static int apply_comm(struct view *v, const struct perf_event_header *h)
{
	const char *comm = string_at(h, sizeof(struct rec_comm));
	const struct rec_comm *r = (const void *)h;

	if (!comm)
		return -EINVAL;
	return sym_space_comm(&v->space, r->pid, r->tid, comm,
			      h->misc & PERF_RECORD_MISC_COMM_EXEC);
}

/* A ring loses what its event writes: samples, or records about tasks and maps. */
static void add_lost(struct view *v, const struct rec_lost *r)
{
	int event = pd_reader_event_of(&v->reader, r->id);

	if (event >= 0 && view_is_dummy(&v->reader.events[event]))
		v->lost_sideband += r->lost;
	else
		v->lost += r->lost;
}

/* What perf counted of a task, or acrctl of all. */
static int add_times(struct view *v, const struct rec_read *r, int event)
{
	const __u64 both = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	__u64 format = event < 0 ? 0 : v->reader.events[event].attr.read_format;
	struct view_times *t;

	if ((format & both) != both || format & PERF_FORMAT_GROUP)
		return 0;
	if (r->header.size < sizeof(*r))
		return -EINVAL;
	if (!v->times)
		v->times = calloc(v->reader.nr_events, sizeof(*v->times));
	if (!v->times)
		return -ENOMEM;
	t = &v->times[event];
	t->known = true;
	t->count += r->value;
	t->enabled_ns += r->enabled_ns;
	t->running_ns += r->running_ns;
	t->of_cpus |= r->pid == PD_READ_CPUS || r->pid == PD_READ_CPUS_TAKEN;
	t->taken |= r->pid == PD_READ_TAKEN || r->pid == PD_READ_CPUS_TAKEN;
	return 0;
}

static int add_taken(struct view *v, const struct rec_taken *r)
{
	if (r->read.header.size < sizeof(*r) ||
	    (r->read.pid != PD_READ_TAKEN && r->read.pid != PD_READ_CPUS_TAKEN))
		return 0;
	return add_times(v, &r->read, pd_reader_event_of(&v->reader, r->id));
}

/* @s: the sample_id at the end of the record. */
static int apply(struct view *v, const struct perf_event_header *h, const struct pd_sample *s)
{
	const struct rec_task *task = (const void *)h;

	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return apply_mmap(v, h, s);
	case PERF_RECORD_COMM:
		return apply_comm(v, h);
	case PERF_RECORD_FORK:
		if (h->size < sizeof(*task))
			return -EINVAL;
		return sym_space_fork(&v->space, task->pid, task->ppid, task->tid, task->ptid,
				      !(h->misc & PERF_RECORD_MISC_FORK_EXEC));
	case PERF_RECORD_EXIT:
		if (h->size < sizeof(*task))
			return -EINVAL;
		return sym_space_exit(&v->space, task->pid, task->tid,
				      s->fields & PERF_SAMPLE_TIME ? s->time : 0);
	case PERF_RECORD_LOST:
		if (h->size < sizeof(struct rec_lost))
			return -EINVAL;
		add_lost(v, (const void *)h);
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		if (h->size < sizeof(struct rec_lost_samples))
			return -EINVAL;
		/* what BPF filters dropped is not lost */
		if (!(h->misc & PD_MISC_LOST_BPF))
			v->lost += ((const struct rec_lost_samples *)h)->lost;
		return 0;
	case PERF_RECORD_THROTTLE:
		v->pauses++;
		return 0;
	case PERF_RECORD_READ:
		return add_times(v, (const void *)h, s->event);
	case PD_RECORD_ROOM:
		return add_taken(v, (const void *)h);
	}
	return 0;
}

static int take_build_id(void *arg, const __u8 *id, unsigned int size, const char *name)
{
	struct view *v = arg;
	struct sym_build_id b = { .size = size };

	memcpy(b.id, id, size);
	if (sym_space_set_build_id(&v->space, name, &b))
		v->out_of_memory = true;
	return 0;
}

/**
 * view_begin() - start to play back what the open reader reads
 *
 * Return: 0 or -errno.
 */
int view_begin(struct view *v)
{
	pd_reader_string(&v->reader, PD_FEAT_OSRELEASE, v->space.kernel_release,
			 sizeof(v->space.kernel_release));
	return pd_reader_build_ids(&v->reader, take_build_id, v);
}

/**
 * view_next() - the next sample, after all that happened before it
 *
 * Return: false at the end of the file or of the time set; @event of a sample is always valid.
 */
bool view_next(struct view *v, struct pd_sample *s)
{
	while (v->next < v->reader.nr_records) {
		const struct perf_event_header *h = pd_reader_record(&v->reader, v->next++);
		bool whole;
		int err;

		progress_step(&v->progress, v->next, v->reader.nr_records);
		if (pd_reader_error(&v->reader))
			break;
		whole = pd_reader_decode(&v->reader, h, s);
		if (v->until && s->fields & PERF_SAMPLE_TIME && s->time > v->until) {
			v->next--;
			break;
		}
		if (h->type == PERF_RECORD_SAMPLE) {
			if (whole)
				return true;
			v->unknown += s->event < 0;
			v->malformed += s->event >= 0;
			continue;
		}
		err = apply(v, h, s);
		if (err == -ENOMEM)
			v->out_of_memory = true;
		else if (err)
			v->malformed++;
	}
	progress_end(&v->progress);
	return false;
}

/**
 * view_next_some() - likewise several samples between which nothing happened
 *
 * Only after pd_reader_any_order() there is more than one; not with a time set.
 *
 * Return: how many; 0 at the end of the file.
 */
size_t view_next_some(struct view *v, struct pd_sample *s, size_t max)
{
	size_t nr = 0;

	if (v->next < v->reader.nr_records)
		nr = pd_reader_samples(&v->reader, v->next, s, max);
	if (!nr)
		return view_next(v, s);
	v->next += nr;
	progress_step(&v->progress, v->next, v->reader.nr_records);
	return nr;
}

/**
 * view_is_dummy() - whether an event counts nothing and only reports tasks and maps
 */
bool view_is_dummy(const struct pd_file_event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

/**
 * view_is_kernel() - whether a sample was taken in the kernel
 */
bool view_is_kernel(const struct pd_sample *s)
{
	return kernel_mode(s->misc);
}

/**
 * view_is_guest() - whether a sample was taken in a virtual machine, at an address unknown here
 */
bool view_is_guest(const struct pd_sample *s)
{
	__u16 mode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

/**
 * view_level_name() - the word of JSON for VIEW_LEVEL_*
 */
const char *view_level_name(char level)
{
	return level == VIEW_LEVEL_KERNEL ? "kernel" : level == VIEW_LEVEL_GUEST ? "guest" : "user";
}

/**
 * view_lost_cpus_ns() - time for which the sessions of CPUs of a recording lacked some
 *
 * Return: summed over the CPUs, the longest of all events.
 */
__u64 view_lost_cpus_ns(const struct view *v)
{
	__u64 longest_ns = 0;
	__u32 i;

	for (i = 0; v->times && i < v->reader.nr_events; i++) {
		const struct view_times *t = &v->times[i];
		__u64 ns = t->enabled_ns > t->running_ns ? t->enabled_ns - t->running_ns : 0;

		if (t->of_cpus && ns > longest_ns)
			longest_ns = ns;
	}
	return longest_ns;
}

/**
 * view_taken() - the sentence that somebody else took a CPU from a session
 *
 * Return: NULL if nobody did.
 */
const char *view_taken(const struct view *v)
{
	__u32 i;

	for (i = 0; v->times && i < v->reader.nr_events; i++) {
		if (v->times[i].taken)
			return v->times[i].of_cpus ?
			       "somebody else took a CPU from the session; samples may be missing" :
			       "somebody else took a CPU from the tasks' session; "
			       "samples may be missing";
	}
	return NULL;
}

/**
 * view_times_of() - times of an event, according to the records so far
 */
struct view_times view_times_of(const struct view *v, __u32 event)
{
	return v->times ? v->times[event] : (struct view_times){ 0 };
}

/**
 * view_resolve() - find out where a sample was taken
 * @symbol: its symbol too
 */
void view_resolve(struct view *v, const struct pd_sample *s, bool symbol, struct sym_location *loc)
{
	bool kernel = kernel_mode(s->misc);

	memset(loc, 0, sizeof(*loc));
	if (view_is_guest(s)) {
		loc->dso = VIEW_GUEST_NAME;
		loc->symbol = VIEW_GUEST_NAME;
		return;
	}
	if (symbol)
		sym_space_resolve(&v->space, kernel, s->pid, s->ip, loc);
	else
		loc->dso = sym_space_dso_of(&v->space, kernel, s->pid, s->ip);
	if (kernel && !loc->dso)
		loc->dso = SYM_KERNEL_NAME;
}

/**
 * view_end() - free the view
 */
void view_end(struct view *v)
{
	progress_end(&v->progress);
	free(v->times);
	sym_space_free(&v->space);
	pd_reader_close(&v->reader);
	sources_close(&v->sources);
}

static void watch_opening(void *arg, __u64 done, __u64 total)
{
	progress_step(arg, done, total);
}

/** view_watch() - what shows how far opening is */
struct pd_watch view_watch(struct view *v)
{
	return (struct pd_watch){ watch_opening, &v->progress };
}

/**
 * view_open() - open a recording; view_end() in any case
 *
 * The caller closes @fd; with -1 errno is the reason why the file could not be opened.
 *
 * Return: 0, or -errno after a message.
 */
int view_open(struct view *v, int fd, const char *path)
{
	int err;

	if (fd < 0) {
		err = -errno;
		fprintf(stderr,
			"acrctl: %s: %s; name a recording with -i FILE or make one with 'acrctl record'\n",
			path, strerror(-err));
		return err;
	}
	progress_begin(&v->progress, "opening", path, NULL);
	err = pd_reader_open_watched(&v->reader, fd, view_watch(v));
	progress_end(&v->progress);
	if (err) {
		fprintf(stderr, "acrctl: %s: %s\n", path, v->reader.error);
		return err;
	}
	if (v->reader.unfinished)
		fprintf(stderr,
			"acrctl: %s: the recording was not closed: it was killed, had no room left, or still runs; reading what is there\n",
			path);
	else if (v->reader.truncated)
		fprintf(stderr, "acrctl: %s: cut off; reading what is there\n", path);
	progress_begin(&v->progress, "reading", path, "records");
	return view_begin(v);
}
