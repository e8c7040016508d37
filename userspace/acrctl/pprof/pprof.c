// SPDX-License-Identifier: GPL-2.0-only
/* Writing the samples of a recording as a profile for pprof, Pyroscope and Parca. */
#include "pprof.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "../reload.h"
#include "../stack.h"
#include "tables.h"

/* samples that are added up in memory before they are written; readers add up equal ones, too */
#define SAMPLES_MAX	(64 * 1024)
#define WORDS_MAX	(2 * 1024 * 1024)
#define TEXT_LEN	4096	/* names of hosts, and our own words, are shorter */
#define RECORDED_BY	"recorded by: "
#define NUMBER_LEN	16

typedef Perftools__Profiles__Sample sample_msg;
typedef Perftools__Profiles__Label label_msg;
typedef Perftools__Profiles__ValueType type_msg;

/* They begin the key of a sample, each as a string. */
static const char *const label_names[PPROF_NR_LABELS] = {
	"cpu", "comm", "pid", "tid", "event", "host", "condition",
};

/* then the event, then the locations */
#define KEY_EVENT	PPROF_NR_LABELS
#define KEY_LOCATIONS	(PPROF_NR_LABELS + 1)

/* What equal samples add up to. */
struct sum {
	__u64 samples;
	__u64 period;
};

struct pprof {
	struct view *view;
	const struct pprof_options *opt;
	struct pprof_tables tables;
	struct stack stack;
	struct tuples samples;
	struct sum *sums;		/* by number of @samples */
	uint64_t *key;			/* of the current sample */
	size_t key_room;
	uint64_t labels[PPROF_NR_LABELS];	/* those that all samples have */
	int *columns;			/* by event: index of its sum in a sample's values, or -1 */
	int nr_columns;			/* of all values; the first is the number of samples */
	__u64 first_ns, last_ns;	/* of the samples, by the recording's clock */
	__u64 total;
	bool known;			/* @first_ns and @last_ns are */
};

static __s64 format_string(struct pprof *p, const char *name, __u64 number)
{
	char text[TEXT_LEN];

	snprintf(text, sizeof(text), "%s: %llu", name, number);
	return pprof_string(&p->tables, text);
}

static void begin_labels(struct pprof *p)
{
	char host[TEXT_LEN];

	if (!pd_reader_string(&p->view->reader, PD_FEAT_HOSTNAME, host, sizeof(host)))
		p->labels[PPROF_HOST] = pprof_string(&p->tables, host);
	if (p->opt->condition)
		p->labels[PPROF_CONDITION] = pprof_string(&p->tables, p->opt->condition);
}

/* The name of a type: servers take those of events for operators, or refuse them. */
static __s64 type_string(struct pprof *p, const char *name)
{
	char plain[TEXT_LEN], *at;

	if (!p->opt->plain_types)
		return pprof_string(&p->tables, name);
	snprintf(plain, sizeof(plain), "%s", name);
	for (at = plain; *at; at++) {
		if (!isascii(*at) || !isalnum(*at))
			*at = '_';
	}
	/* "cpu/.../" ends with one, which says nothing */
	while (at > plain + 1 && at[-1] == '_')
		*--at = '\0';
	return pprof_string(&p->tables, plain);
}

static void put_type(struct pprof *p, const char *name)
{
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	type_msg type = PERFTOOLS__PROFILES__VALUE_TYPE__INIT, *list = &type;

	type.type = type_string(p, name);
	type.unit = pprof_string(&p->tables, "count");
	msg.n_sample_type = 1;
	msg.sample_type = &list;
	pprof_put(&p->tables, &msg);
}

/* The number of samples, then occurrences of each event, for which a sample has its period. */
static int begin_columns(struct pprof *p)
{
	const struct pd_reader *reader = &p->view->reader;
	__u32 i;

	p->columns = calloc(reader->nr_events, sizeof(*p->columns));
	if (!p->columns)
		return -ENOMEM;
	put_type(p, "samples");
	p->nr_columns = 1;
	for (i = 0; i < reader->nr_events; i++) {
		p->columns[i] = view_is_dummy(&reader->events[i]) ? -1 : p->nr_columns++;
		if (p->columns[i] > 0)
			put_type(p, reader->events[i].name);
	}
	return 0;
}

static void set_labels(const uint64_t *key, label_msg *labels, label_msg **list, size_t *nr,
		       struct pprof_tables *t)
{
	int i;

	for (*nr = 0, i = 0; i < PPROF_NR_LABELS; i++) {
		if (!key[i])
			continue;
		perftools__profiles__label__init(&labels[*nr]);
		labels[*nr].key = pprof_string(t, label_names[i]);
		labels[*nr].str = key[i];
		list[*nr] = &labels[*nr];
		(*nr)++;
	}
}

static void put_sample(struct pprof *p, size_t number, int64_t *values)
{
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	sample_msg sample = PERFTOOLS__PROFILES__SAMPLE__INIT, *list = &sample;
	label_msg labels[PPROF_NR_LABELS], *label_list[PPROF_NR_LABELS];
	size_t nr;
	const uint64_t *key = tuples_get(&p->samples, number, &nr);
	int column = p->columns[key[KEY_EVENT]];

	memset(values, 0, p->nr_columns * sizeof(*values));
	values[0] = p->sums[number].samples;
	if (column > 0)
		values[column] = p->sums[number].period;
	sample.n_value = p->nr_columns;
	sample.value = values;
	sample.n_location_id = nr - KEY_LOCATIONS;
	sample.location_id = (uint64_t *)key + KEY_LOCATIONS;
	set_labels(key, labels, label_list, &sample.n_label, &p->tables);
	sample.label = label_list;
	msg.n_sample = 1;
	msg.sample = &list;
	pprof_put(&p->tables, &msg);
}

/* Write what was added up, and begin anew. */
static int put_samples(struct pprof *p)
{
	int64_t *values = calloc(p->nr_columns, sizeof(*values));
	size_t i;

	for (i = 0; values && i < p->samples.nr; i++)
		put_sample(p, i, values);
	tuples_clear(&p->samples);
	free(values);
	return values ? 0 : -ENOMEM;
}

static __s64 number_string(struct pprof *p, __u32 number)
{
	char text[NUMBER_LEN];

	snprintf(text, sizeof(text), "%u", number);
	return pprof_string(&p->tables, text);
}

static void set_key(struct pprof *p, const struct pd_sample *s)
{
	const char *comm = sym_space_comm_of(&p->view->space, s->pid, s->tid);
	unsigned int i;

	memcpy(p->key, p->labels, sizeof(p->labels));
	if (s->fields & PERF_SAMPLE_CPU)
		p->key[PPROF_CPU] = number_string(p, s->cpu);
	p->key[PPROF_COMM] = pprof_string(&p->tables, comm ? comm : "[unknown]");
	if (s->fields & PERF_SAMPLE_TID) {
		p->key[PPROF_PID] = number_string(p, s->pid);
		p->key[PPROF_TID] = number_string(p, s->tid);
	}
	/* with one event there is nothing to tell apart */
	if (p->nr_columns > 2)
		p->key[PPROF_EVENT] =
			pprof_string(&p->tables, p->view->reader.events[s->event].name);
	p->key[KEY_EVENT] = s->event;
	for (i = 0; i < PPROF_NR_LABELS; i++) {
		if (!(p->opt->labels & 1U << i))
			p->key[i] = 0;
	}
}

static bool make_key_room(struct pprof *p, size_t room)
{
	uint64_t *key;

	if (room <= p->key_room)
		return true;
	key = reallocarray(p->key, 2 * room, sizeof(*key));
	if (!key)
		return false;
	p->key = key;
	p->key_room = 2 * room;
	return true;
}

/* Add to equal samples; returns 0 or -ENOMEM. */
static int add_up(struct pprof *p, size_t nr, __u64 period)
{
	bool added;
	size_t number;

	if (p->samples.nr == SAMPLES_MAX || p->samples.nr_words > WORDS_MAX) {
		if (put_samples(p))
			return -ENOMEM;
	}
	number = tuples_add(&p->samples, p->key, nr, &added);
	if (number == TUPLES_FAILED)
		return -ENOMEM;
	if (added)
		p->sums[number] = (struct sum){ 0 };
	p->sums[number].samples++;
	p->sums[number].period += period;
	p->total++;
	return 0;
}

static int add_sample(struct pprof *p, const struct pd_sample *s)
{
	const struct perf_event_attr *attr = &p->view->reader.events[s->event].attr;
	size_t i, nr = KEY_LOCATIONS;

	if (stack_read(&p->stack, p->view, s) || !make_key_room(p, nr + p->stack.nr))
		return -ENOMEM;
	set_key(p, s);
	for (i = 0; i < p->stack.nr; nr++) {
		__u64 id = 0;

		i = pprof_location(&p->tables, s->pid, &p->stack, i, &id);
		p->key[nr] = id;
	}
	if (s->fields & PERF_SAMPLE_TIME) {
		if (!p->known || s->time < p->first_ns)
			p->first_ns = s->time;
		if (!p->known || s->time > p->last_ns)
			p->last_ns = s->time;
		p->known = true;
	}
	return add_up(p, nr, s->fields & PERF_SAMPLE_PERIOD ? s->period : attr->sample_period);
}

/* The command that made the recording, 0: it is not known. */
static __s64 cmdline_string(struct pprof *p)
{
	const struct pd_reader *reader = &p->view->reader;
	size_t begin = strlen(RECORDED_BY), room = pd_reader_text_room(reader, PD_FEAT_CMDLINE);
	char *text = malloc(begin + room);
	__s64 string = 0;

	if (!text) {
		p->tables.err = -ENOMEM;
		return 0;
	}
	strcpy(text, RECORDED_BY);
	if (!pd_reader_cmdline(reader, text + begin, room))
		string = pprof_string(&p->tables, text);
	free(text);
	return string;
}

/* What is missing, and where the profile comes from. */
static void put_comments(struct pprof *p)
{
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	const struct view *v = p->view;
	char text[TEXT_LEN];
	int64_t comments[9];
	size_t n = 0;

	comments[n] = cmdline_string(p);
	n += comments[n] != 0;
	if (reload_of(&v->reader) != RELOAD_AUTO) {
		snprintf(text, sizeof(text), "auto counter reload: %s",
			 reload_words(reload_of(&v->reader)));
		comments[n++] = pprof_string(&p->tables, text);
	}
	comments[n++] = format_string(p, "samples", p->total);
	comments[n++] = format_string(p, "lost", v->lost);
	comments[n++] = format_string(p, "throttled", v->pauses);
	comments[n++] = format_string(p, "lost records about tasks and maps", v->lost_sideband);
	comments[n++] = format_string(p, "damaged", v->malformed);
	comments[n++] = format_string(p, "of unknown events", v->unknown);
	if (view_taken(v))
		comments[n++] = pprof_string(&p->tables, view_taken(v));
	msg.n_comment = n;
	msg.comment = comments;
	pprof_put(&p->tables, &msg);
}

static void put_rest(struct pprof *p)
{
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	type_msg type = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
	const struct pd_reader *reader = &p->view->reader;
	__u64 duration = p->last_ns - p->first_ns;
	__u32 i = 0;

	while (i + 1 < reader->nr_events && p->columns[i] < 0)
		i++;
	type.type = type_string(p, reader->events[i].name);
	type.unit = pprof_string(&p->tables, "count");
	msg.period_type = &type;
	msg.period = reader->events[i].attr.freq ? 0 : reader->events[i].attr.sample_period;
	msg.time_nanos = p->opt->end_ns > duration ? p->opt->end_ns - duration : 0;
	msg.duration_nanos = duration;
	msg.default_sample_type = pprof_string(&p->tables, "samples");
	pprof_put(&p->tables, &msg);
}

static int write_all(struct pprof *p)
{
	struct pd_sample s;
	int err = begin_columns(p);

	p->sums = calloc(SAMPLES_MAX, sizeof(*p->sums));
	if (!p->sums)
		return -ENOMEM;
	begin_labels(p);
	while (!err && !p->tables.err && !p->tables.gzip.err && view_next(p->view, &s))
		err = add_sample(p, &s);
	if (!err)
		err = put_samples(p);
	if (err)
		return err;
	pprof_put_mappings(&p->tables);
	put_comments(p);
	put_rest(p);
	return 0;
}

/**
 * pprof_write() - write all samples of a view that follow
 *
 * The functions of the samples are kept in memory, and a bounded number of stacks.
 *
 * Return: 0; -ENOMEM; -errno if @out cannot be written.
 */
int pprof_write(struct view *v, FILE *out, const struct pprof_options *o)
{
	struct pprof p = { .view = v, .opt = o };
	int err = pprof_tables_begin(&p.tables, v, out), end;

	if (!err)
		err = write_all(&p);
	stack_free(&p.stack);
	tuples_free(&p.samples);
	free(p.sums);
	free(p.key);
	free(p.columns);
	end = pprof_tables_end(&p.tables);
	return err ? err : end;
}

/**
 * pprof_labels_parse() - read a list of labels like "comm,cpu"; an empty one has none
 *
 * Return: whether it is one.
 */
bool pprof_labels_parse(const char *list, unsigned int *labels)
{
	size_t len;
	int i;

	for (*labels = 0; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		for (i = 0; i < PPROF_NR_LABELS; i++) {
			if (strlen(label_names[i]) == len && !strncmp(list, label_names[i], len))
				break;
		}
		if (i == PPROF_NR_LABELS)
			return false;
		*labels |= 1U << i;
	}
	return true;
}
