// SPDX-License-Identifier: GPL-2.0-only
/* The samples of a recording as a profile for profiler.firefox.com, in its processed format. */
#include "firefox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "../jsonout.h"
#include "spool.h"
#include "tables.h"

#define FORMAT_VERSION	62	/* of the processed format: tables that all threads share */
#define GECKO_VERSION	24	/* of the format from which it would have been made */
#define TEXT_LEN	4096
#define FIRST_THREADS	64
#define NSEC_PER_MSEC_F	1e6

/* A thread and the samples of one event. */
struct thread {
	__u32 pid;
	__u32 tid;
	__u32 event;
	char comm[SYM_COMM_LEN];	/* the last ones that it had */
	char process[SYM_COMM_LEN];
	__u64 first_ns, last_ns;
	struct spool_list samples;
};

struct firefox {
	struct view *view;
	FILE *out;
	struct firefox_tables tables;
	struct stack stack;
	struct spool spool;
	struct tuples threads_known;	/* pid, tid, event */
	struct thread **threads;	/* by number of @threads_known */
	size_t nr_threads;
	size_t room_threads;
	bool *sampled;			/* by event */
	unsigned int nr_sampled;
	__u32 first_event;		/* the first of them */
	bool known;			/* @first_ns and @last_ns */
	__u64 first_ns, last_ns;	/* of all samples */
	__u64 nr_values;		/* in the columns of all threads */
	__u64 nr_written;		/* of them */
};

/* ---- adding samples ----------------------------------------------------------------------- */

static void copy_comm(char *to, const char *comm)
{
	snprintf(to, SYM_COMM_LEN, "%s", comm ? comm : "[unknown]");
}

static struct thread *thread_of(struct firefox *ff, const struct pd_sample *s)
{
	const uint64_t key[] = { s->pid, s->tid, s->event };
	size_t room = ff->room_threads ? 2 * ff->room_threads : FIRST_THREADS, number;
	struct thread **more;
	bool added;

	number = tuples_add(&ff->threads_known, key, ARRAY_SIZE(key), &added);
	if (number == TUPLES_FAILED)
		return NULL;
	if (number >= ff->room_threads) {
		more = reallocarray(ff->threads, room, sizeof(*more));
		if (!more)
			return NULL;
		ff->threads = more;
		ff->room_threads = room;
	}
	if (!added)
		return ff->threads[number];
	ff->threads[number] = calloc(1, sizeof(**ff->threads));
	if (!ff->threads[number])
		return NULL;
	ff->nr_threads++;
	*ff->threads[number] = (struct thread){
		.pid = s->pid, .tid = s->tid, .event = s->event, .first_ns = s->time,
	};
	return ff->threads[number];
}

static void note_times(struct firefox *ff, const struct pd_sample *s)
{
	if (!ff->known || s->time < ff->first_ns)
		ff->first_ns = s->time;
	if (!ff->known || s->time > ff->last_ns)
		ff->last_ns = s->time;
	ff->known = true;
	if (!ff->sampled[s->event])
		ff->nr_sampled++;
	ff->sampled[s->event] = true;
}

static int add_sample(struct firefox *ff, const struct pd_sample *s)
{
	const struct perf_event_attr *attr = &ff->view->reader.events[s->event].attr;
	struct thread *thread = thread_of(ff, s);
	struct spool_sample sample = {
		.time_ns = s->time,
		.weight = s->fields & PERF_SAMPLE_PERIOD ? s->period : attr->sample_period,
	};

	if (!thread || stack_read(&ff->stack, ff->view, s))
		return -ENOMEM;
	note_times(ff, s);
	copy_comm(thread->comm, sym_space_comm_of(&ff->view->space, s->pid, s->tid));
	copy_comm(thread->process, sym_space_comm_of(&ff->view->space, s->pid, s->pid));
	thread->last_ns = s->time;
	sample.stack = firefox_stack(&ff->tables, s->pid, &ff->stack);
	if (sample.stack == FIREFOX_FAILED)
		return -ENOMEM;
	return spool_add(&ff->spool, &thread->samples, &sample);
}

/* ---- writing them ------------------------------------------------------------------------- */

#define NR_COLUMNS	3

struct column {
	struct firefox *ff;
	const char *between;
};

static void end_value(struct column *c)
{
	c->between = ",";
	progress_step(&c->ff->view->progress, ++c->ff->nr_written, c->ff->nr_values);
}

static double ms_of(const struct firefox *ff, __u64 time_ns)
{
	return (time_ns - ff->first_ns) / NSEC_PER_MSEC_F;
}

static void put_stack(void *arg, const struct spool_sample *s)
{
	struct column *c = arg;

	fprintf(c->ff->out, "%s%llu", c->between, s->stack);
	end_value(c);
}

static void put_time(void *arg, const struct spool_sample *s)
{
	struct column *c = arg;

	fprintf(c->ff->out, "%s%.6f", c->between, ms_of(c->ff, s->time_ns));
	end_value(c);
}

static void put_weight(void *arg, const struct spool_sample *s)
{
	struct column *c = arg;

	fprintf(c->ff->out, "%s%llu", c->between, s->weight);
	end_value(c);
}

static int put_column(struct firefox *ff, const struct thread *t, const char *name,
		      spool_fn put)
{
	struct column c = { ff, "" };
	int err;

	fprintf(ff->out, "\"%s\":[", name);
	err = spool_read(&ff->spool, &t->samples, put, &c);
	fputs("],", ff->out);
	return err;
}

static int put_samples(struct firefox *ff, const struct thread *t)
{
	int err;

	fputs("\"samples\":{", ff->out);
	err = put_column(ff, t, "stack", put_stack);
	if (!err)
		err = put_column(ff, t, "time", put_time);
	if (!err)
		err = put_column(ff, t, "weight", put_weight);
	fprintf(ff->out, "\"weightType\":\"samples\",\"length\":%zu}", t->samples.nr);
	return err;
}

/* The name of a thread; of several events each has threads of its own. */
static int put_names(const struct firefox *ff, const struct thread *t)
{
	const char *event = ff->view->reader.events[t->event].name;
	char *name = NULL;
	int err = 0;

	if (ff->nr_sampled > 1 && asprintf(&name, "%s (%s)", t->comm, event) < 0)
		return -ENOMEM;
	fputs("\"name\":", ff->out);
	if (firefox_put_text(ff->out, name ? name : t->comm))
		err = -ENOMEM;
	fputs(",\"processName\":", ff->out);
	if (firefox_put_text(ff->out, t->process))
		err = -ENOMEM;
	free(name);
	return err;
}

static int put_thread(struct firefox *ff, const struct thread *t)
{
	bool main = t->pid == t->tid && t->event == ff->first_event;
	int err;

	fputs("{", ff->out);
	err = put_names(ff, t);
	if (err)
		return err;
	fprintf(ff->out, ",\"pid\":\"%u\",\"tid\":\"%u\",\"isMainThread\":%s", t->pid, t->tid,
		main ? "true" : "false");
	fprintf(ff->out, ",\"registerTime\":%.6f,\"unregisterTime\":null", ms_of(ff, t->first_ns));
	fputs(",\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null"
	      ",\"pausedRanges\":[],\"showMarkersInTimeline\":false"
	      ",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[]"
	      ",\"phase\":[],\"category\":[],\"length\":0},", ff->out);
	err = put_samples(ff, t);
	fputs("}", ff->out);
	return err;
}

static int put_threads(struct firefox *ff)
{
	size_t i;
	int err = 0;

	for (i = 0; i < ff->nr_threads; i++)
		ff->nr_values += NR_COLUMNS * ff->threads[i]->samples.nr;
	progress_begin(&ff->view->progress, "writing", "threads", NULL);
	fputs("\"threads\":[", ff->out);
	for (i = 0; !err && i < ff->nr_threads; i++) {
		fputs(i ? "," : "", ff->out);
		err = put_thread(ff, ff->threads[i]);
	}
	fputs("]}\n", ff->out);
	progress_end(&ff->view->progress);
	return err;
}

/* The mean time between samples of a thread, in milliseconds. */
static double interval(const struct firefox *ff)
{
	double ns = 0, nr = 0;
	size_t i;

	for (i = 0; i < ff->nr_threads; i++) {
		ns += ff->threads[i]->last_ns - ff->threads[i]->first_ns;
		nr += ff->threads[i]->samples.nr - 1;
	}
	return ns > 0 && nr > 0 ? ns / nr / NSEC_PER_MSEC_F : 1;
}

static struct json_object *entry(const char *label, const char *value)
{
	return jsonout_object("label", jsonout_text(label), "format", jsonout_text("string"),
			      "value", jsonout_text(value), NULL);
}

static struct json_object *count_entry(const char *label, __u64 value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", value);
	return entry(label, text);
}

/* What the profile's page about itself lists. */
static struct json_object *extra_json(const struct view *v)
{
	struct json_object *entries = json_object_new_array(), *list = json_object_new_array();
	char cmdline[TEXT_LEN];

	if (!pd_reader_cmdline(&v->reader, cmdline, sizeof(cmdline)))
		jsonout_add(&entries, entry("Recorded by", cmdline));
	jsonout_add(&entries, count_entry("Samples lost", v->lost));
	jsonout_add(&entries, count_entry("Pauses at a limit", v->pauses));
	jsonout_add(&list, jsonout_object("label", jsonout_text("Recording"),
					  "entries", entries, NULL));
	return list;
}

static struct json_object *category_json(const char *name, const char *color)
{
	struct json_object *other = json_object_new_array();

	jsonout_add(&other, jsonout_text("Other"));
	return jsonout_object("name", jsonout_text(name), "color", jsonout_text(color),
			      "subcategories", other, NULL);
}

static struct json_object *categories_json(void)
{
	struct json_object *list = json_object_new_array();

	/* in the order of enum firefox_category; the grey one is the default */
	jsonout_add(&list, category_json("Other", "grey"));
	jsonout_add(&list, category_json("User", "yellow"));
	jsonout_add(&list, category_json("Kernel", "orange"));
	jsonout_add(&list, category_json("Guest", "blue"));
	return list;
}

static int put_meta(const struct firefox *ff, __u64 end_ns)
{
	__u64 duration = ff->last_ns - ff->first_ns;
	double start = end_ns > duration ? (end_ns - duration) / NSEC_PER_MSEC_F : 0;
	struct json_object *meta, *units;

	units = jsonout_object("time", jsonout_text("ms"), "eventDelay", jsonout_text("ms"),
			       "threadCPUDelta", jsonout_text("ns"), NULL);
	meta = jsonout_object("preprocessedProfileVersion", jsonout_count(FORMAT_VERSION),
			      "version", jsonout_count(GECKO_VERSION),
			      "product", jsonout_text("acrctl"),
			      "importedFrom", jsonout_text("acrctl"),
			      "interval", jsonout_real(interval(ff)),
			      "startTime", jsonout_real(start),
			      "processType", jsonout_count(0),
			      "stackwalk", jsonout_count(1),
			      "debug", jsonout_bool(false),
			      "symbolicated", jsonout_bool(true),
			      "usesOnlyOneStackType", jsonout_bool(true),
			      "sourceCodeIsNotOnSearchfox", jsonout_bool(true),
			      "sampleUnits", units,
			      "categories", categories_json(),
			      "markerSchema", json_object_new_array(),
			      "extra", extra_json(ff->view), NULL);
	if (ff->view->space.kernel_release[0])
		jsonout_set(&meta, "oscpu", jsonout_text(ff->view->space.kernel_release), NULL);
	fputs("{\"meta\":", ff->out);
	if (jsonout_fprint(ff->out, meta))
		return -ENOMEM;
	fputs(",", ff->out);
	return 0;
}

static int write_all(struct firefox *ff, __u64 end_ns)
{
	struct pd_sample s;
	int err = spool_begin(&ff->spool);

	ff->sampled = calloc(ff->view->reader.nr_events, sizeof(*ff->sampled));
	if (!ff->sampled)
		return -ENOMEM;
	while (!err && view_next(ff->view, &s))
		err = add_sample(ff, &s);
	while (!err && ff->nr_sampled && !ff->sampled[ff->first_event])
		ff->first_event++;
	if (!err)
		err = put_meta(ff, end_ns);
	if (!err)
		err = firefox_put_libs(&ff->tables, ff->out);
	if (!err)
		err = firefox_put_tables(&ff->tables, ff->out);
	fputs(",\"pages\":[],\"counters\":[],", ff->out);
	return err ? err : put_threads(ff);
}

/**
 * firefox_write() - write all samples of a view that follow
 * @end_ns: when the recording ended, in nanoseconds since 1970; 0: unknown
 *
 * Functions and distinct stacks are kept in memory, samples in a temporary file.
 *
 * Return: 0; -ENOMEM; -errno if the temporary file cannot be written. The stream remembers whether
 * @out could be.
 */
int firefox_write(struct view *v, FILE *out, __u64 end_ns)
{
	struct firefox ff = { .view = v, .out = out, .tables.view = v };
	int err = write_all(&ff, end_ns);
	size_t i;

	for (i = 0; i < ff.nr_threads; i++) {
		free(ff.threads[i]->samples.chunks);
		free(ff.threads[i]);
	}
	free(ff.threads);
	free(ff.sampled);
	tuples_free(&ff.threads_known);
	firefox_free_tables(&ff.tables);
	stack_free(&ff.stack);
	spool_end(&ff.spool);
	return err;
}
