// SPDX-License-Identifier: GPL-2.0-only
/* The contents of a recording: its events, what existed before, what was lost. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIDEBAND_NAME	"dummy:u"

static void fill_attr(const struct record *r, const struct acrpmu_event_attr *e,
		      struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = PERF_TYPE_RAW;
	attr->size = sizeof(*attr);
	attr->config = e->config;
	attr->config1 = e->extra_value;
	attr->config2 = e->acr_mask;
	attr->sample_period = e->period;
	if (r->sm.opt.when.hz) {
		/* each sample has its own period */
		attr->freq = 1;
		attr->sample_freq = r->sm.opt.when.hz;
	}
	attr->sample_type = sampling_sample_type(&r->sm);
	attr->sample_max_stack = r->sm.opt.max_stack;
	attr->read_format = SAMPLING_READ_FORMAT;
	attr->sample_id_all = 1;
	attr->exclude_user = !(e->flags & ACRPMU_EVENT_USER);
	attr->exclude_kernel = !(e->flags & ACRPMU_EVENT_KERNEL);
	attr->exclude_guest = r->sm.opt.exclude_guest;
}

/* The ids of one event in all sessions of its group. */
static int collect_ids(const struct record *r, unsigned int group, unsigned int event,
		       struct pd_event *out)
{
	__u64 *ids = calloc(r->sm.nr_sessions, sizeof(*ids));
	size_t i;

	if (!ids)
		return -ENOMEM;
	for (i = 0; i < r->sm.nr_sessions; i++) {
		if (r->sm.sessions[i].group == group)
			ids[out->nr_ids++] = r->sm.sessions[i].ids[event];
	}
	out->ids = ids;
	return 0;
}

/* The ids stay in the sideband; there may be more than one event has room for. */
static void describe_sideband(const struct record *r, struct pd_event *e)
{
	size_t left = r->sm.sideband.nr_fds;
	unsigned int i;

	for (i = 0; i < r->nr_sideband; i++, e++) {
		e->attr = r->sm.sideband.attr;
		e->name = SIDEBAND_NAME;
		e->ids = r->sm.sideband.ids + r->sm.sideband.nr_fds - left;
		e->nr_ids = left < PD_EVENT_IDS_MAX ? left : PD_EVENT_IDS_MAX;
		left -= e->nr_ids;
	}
}

/*
 * perf script prints symbols only next to addresses, and blank lines for `-F sym` alone.  In a
 * stream, it adds addresses for all events that follow one with branch stacks.  The sideband has no
 * samples, so that claiming branch stacks does no harm.
 */
static void describe_stream(struct record *r)
{
	unsigned int i, nr_sampled = r->nr_events - r->nr_sideband;

	memcpy(r->in_stream, r->events + nr_sampled, r->nr_sideband * sizeof(*r->events));
	memcpy(r->in_stream + r->nr_sideband, r->events, nr_sampled * sizeof(*r->events));
	for (i = 0; i < r->nr_sideband; i++)
		r->in_stream[i].attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
}

static int describe_events(struct record *r)
{
	struct pd_event *e;
	unsigned int g, i;

	r->nr_sideband = 1 + (r->sm.sideband.nr_fds - 1) / PD_EVENT_IDS_MAX;
	r->nr_events = r->nr_sideband;
	for (g = 0; g < r->sm.nr_groups; g++)
		r->nr_events += acrpmu_spec_nr_events(r->sm.spec, g);
	r->events = calloc(r->nr_events, sizeof(*r->events));
	r->in_stream = calloc(r->nr_events, sizeof(*r->in_stream));
	if (!r->events || !r->in_stream)
		return -ENOMEM;
	e = r->events;
	for (g = 0; g < r->sm.nr_groups; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(r->sm.spec, g); i++, e++) {
			const struct acrpmu_spec_event *event = acrpmu_spec_event(r->sm.spec, g, i);

			fill_attr(r, &event->attr, &e->attr);
			e->name = *event->given_name ? event->given_name : event->text;
			if (collect_ids(r, g, i, e))
				return -ENOMEM;
		}
	}
	describe_sideband(r, e);
	describe_stream(r);
	return 0;
}

/* Write and free records. */
static int put_records(struct record *r, struct pd_blob *b)
{
	int err = b->failed ? -ENOMEM : pd_writer_put_record(&r->writer, b->data, b->size);

	pd_blob_free(b);
	return err;
}

static void end_account(struct pd_blob *b, size_t at, __u64 id)
{
	/* pid and tid, time, CPU, identifier */
	const __u64 sample_id[] = { 0, 0, 0, id };

	pd_blob_put(b, sample_id, sizeof(sample_id));
	pd_blob_end_record(b, at);
}

/* A record about a loss of @nr, or as many bytes that readers skip. */
static void put_loss(struct pd_blob *b, __u32 type, __u64 id, __u64 nr)
{
	size_t at = pd_blob_begin_record(b, nr ? type : PD_RECORD_ROOM);

	if (type == PERF_RECORD_LOST)
		pd_blob_put_u64(b, id);
	pd_blob_put_u64(b, nr);
	end_account(b, at, id);
}

/* What stands in place of a pid.  A CPU is lost for good, so that later files lack it, too. */
static __u64 mark_of(const struct record *r, const struct sampling_session *s)
{
	bool taken = s->stats.state & ACRPMU_STATE_TAKEN;

	if (r->sm.target.nr_tids)
		return taken ? PD_READ_TAKEN : 0;
	return taken ? PD_READ_CPUS_TAKEN : PD_READ_CPUS;
}

/*
 * Likewise about the count and the time of tasks, of which the event may have missed some.
 * @before: the session when the file began
 */
static void put_totals(const struct record *r, struct pd_blob *b, const struct sampling_session *s,
		       const struct sampling_session *before, unsigned int event)
{
	__u64 running_ns = s->stats.time_running_ns - before->stats.time_running_ns;
	__u64 missed_ns = sampling_sessions_missed_ns(s) - sampling_sessions_missed_ns(before);
	bool counted = !(s->totals[event].flags & ACRPMU_COUNT_TAKEN);
	/* of any pid and tid, or of CPUs: count and SAMPLING_READ_FORMAT */
	const __u64 read[] = {
		mark_of(r, s), counted ? s->totals[event].value - before->totals[event].value : 0,
		running_ns + missed_ns, running_ns, s->ids[event],
	};
	size_t at = pd_blob_begin_record(b, s->read && counted ? PERF_RECORD_READ :
								 PD_RECORD_ROOM);

	pd_blob_put(b, read, sizeof(read));
	end_account(b, at, s->ids[event]);
}

/*
 * What was counted and what is missing, always of the same size; returns whether there is any.
 * While sampling goes on, what is missing is not known: it is left to the last file.
 */
static bool collect_losses(const struct record *r, struct pd_blob *b)
{
	static const struct sampling_session zeros;
	bool any = r->sm.sideband.counts.dropped;
	unsigned int k;
	size_t i;

	put_loss(b, PERF_RECORD_LOST, r->sm.sideband.ids[0], r->sm.sideband.counts.dropped);
	for (i = 0; i < r->sm.nr_sessions; i++) {
		const struct sampling_session *s = &r->sm.sessions[i];
		__u64 missing = r->going_on ? 0 : sampling_sessions_missing(s);

		put_loss(b, PERF_RECORD_LOST_SAMPLES, s->ids[0], missing);
		for (k = 0; k < acrpmu_spec_nr_events(r->sm.spec, s->group); k++)
			put_totals(r, b, s, r->before ? &r->before[i] : &zeros, k);
		any |= missing || s->read;
	}
	return any;
}

/* A full disk has no room for them in the end. */
static int reserve_losses(struct record *r)
{
	struct pd_blob b = { 0 };

	collect_losses(r, &b);
	r->losses_bytes = b.size;
	return put_records(r, &b);
}

/* In a finished file they are the first records, if there are any. */
static int overwrite_losses(struct record *r, const struct pd_blob *b)
{
	struct pd_writer *w = &r->writer;
	__u64 offset = w->header.data.offset - r->losses_bytes;
	int err = pd_writer_put_at(w, offset, b->data, b->size);

	if (!err)
		w->header.data.offset = offset;
	return err;
}

static int put_losses(struct record *r)
{
	struct pd_blob b = { 0 };
	bool any = collect_losses(r, &b);
	int err = b.failed ? -ENOMEM : 0;

	if (!err && any && !r->opt.stream)
		err = overwrite_losses(r, &b);
	else if (!err && any && !r->write_err)
		err = pd_writer_put_record(&r->writer, b.data, b.size);
	pd_blob_free(&b);
	return err;
}

static int put_existing(struct record *r)
{
	struct perf_event_header init = {
		.type = PD_RECORD_FINISHED_INIT, .size = sizeof(init),
	};
	struct pd_blob out = { 0 };
	struct synth s = {
		.out = &out,
		.sample_type = SAMPLING_SAMPLE_TYPE,
		.build_ids = r->opt.build_ids,
		.progress = !r->sm.opt.quiet,
	};
	struct pd_time_conv tc;

	if (sideband_time_conv(&r->sm.sideband, &tc))
		pd_blob_put(&out, &tc, sizeof(tc));
	synth_kernel(&s);
	r->hidden_kernel = s.hidden;
	/* what a command or process has started since is known to the kernel only */
	if (r->before)
		synth_all_processes(&s);
	else
		synth_target(&s, &r->sm.target);
	pd_blob_put(&out, &init, sizeof(init));
	return put_records(r, &out);
}

/* What a file has at its end, as far as it is known now. */
static int begin_stream(struct record *r)
{
	struct pd_blob b = { 0 };
	int err;

	record_features_begin(r);
	err = pd_stream_features(&r->writer);
	if (err)
		return err;
	if (r->opt.build_ids)
		record_features_build_ids(&b);
	return put_records(r, &b);
}

static int begin(struct record *r)
{
	struct pd_writer *w = &r->writer;
	int err;

	err = describe_events(r);
	if (!err && r->opt.level)
		err = pd_compress_begin(&r->compress, r->opt.level);
	if (!err && r->opt.stream)
		err = pd_stream_begin(w, r->file_fd, r->in_stream, r->nr_events);
	else if (!err)
		err = pd_writer_begin(w, r->file_fd, r->events, r->in_stream, r->nr_events);
	if (!err)
		err = begin_stream(r);
	if (!err && !r->opt.stream)
		err = reserve_losses(r);
	pd_writer_begin_data(w);
	return err ? err : put_existing(r);
}

/**
 * record_file_begin() - begin the file or stream: its events and all that existed before
 *
 * Return: 0, or -errno after a message.
 */
int record_file_begin(struct record *r)
{
	int err = record_publish_create(r);

	if (!err)
		err = begin(r);
	r->begin_bytes = r->writer.size;
	if (err)
		fprintf(stderr, "acrctl: record: %s: %s; name another file with -o\n",
			r->opt.output, strerror(-err));
	return err;
}

/* Some file systems report only now that they are full. */
static int close_file(struct record *r)
{
	int err = 0, fd = r->file_fd;
	struct stat st;

	r->file_bytes = r->writer.size;
	if (!r->opt.stream && !fstat(fd, &st))
		r->file_bytes = st.st_size;
	/* a file without a name is gone then anyway; these two mean that no fsync() is needed */
	if (r->opt.fd < 0 && fsync(fd) && errno != EINVAL && errno != EROFS)
		err = -errno;
	r->file_fd = -1;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

static int finish(struct record *r)
{
	record_features_complete(r);
	record_features_contents(r);
	return pd_writer_finish(&r->writer);
}

/**
 * record_file_finish() - complete and close the file
 *
 * A file without room for more stays a stream.
 *
 * Return: 0, or -errno after a message.
 */
int record_file_finish(struct record *r)
{
	int err = put_losses(r), closed;

	if (!err && !r->opt.stream && !r->write_err)
		err = finish(r);
	closed = close_file(r);
	if (!err)
		err = closed;
	if (err)
		fprintf(stderr,
			"acrctl: record: finishing %s: %s; look at the room left there, or name another file with -o\n",
			r->opt.output, strerror(-err));
	return err;
}

/**
 * record_file_close() - free what belongs to the file
 */
void record_file_close(struct record *r)
{
	unsigned int i;

	pd_writer_free(&r->writer);
	pd_compress_end(r->compress);
	r->compress = NULL;
	for (i = 0; r->events && i < r->nr_events - r->nr_sideband; i++)
		free((void *)r->events[i].ids);
	free(r->events);
	free(r->in_stream);
	r->events = NULL;
	r->in_stream = NULL;
	if (r->file_fd >= 0)
		close(r->file_fd);
	r->file_fd = -1;
}
