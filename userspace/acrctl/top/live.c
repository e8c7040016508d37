// SPDX-License-Identifier: GPL-2.0-only
/* What rings hold, played back a moment later, in the order of time, as a recording would be. */
#include "live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define SIDEBAND_NAME	"dummy:u"
/* threads and files that may be known before what has ended is forgotten; some MiB */
#define MAX_KNOWN	65536

/* ---- the start of the stream -------------------------------------------------------------- */

/* There may be more ids than one event has room for; returns the events. */
static unsigned int describe_sideband(const struct sideband *sb, struct pd_event *events)
{
	size_t at, nr = 0;

	for (at = 0; at < sb->nr_fds; at += events[nr++].nr_ids) {
		size_t left = sb->nr_fds - at;

		events[nr] = (struct pd_event){
			.attr = sb->attr, .name = SIDEBAND_NAME, .ids = sb->ids + at,
			.nr_ids = left < PD_EVENT_IDS_MAX ? left : PD_EVENT_IDS_MAX,
		};
	}
	return nr;
}

static struct pd_event describe(const struct sampling *sm, unsigned int group, unsigned int event)
{
	const struct acrpmu_spec_event *e = acrpmu_spec_event(sm->spec, group, event);

	return (struct pd_event){
		.attr = {
			.type = PERF_TYPE_RAW,
			.config = e->attr.config,
			.sample_type = sampling_sample_type(sm),
			.sample_id_all = 1,
		},
		.name = *e->given_name ? e->given_name : e->text,
		/* a group is a session */
		.ids = &sm->sessions[group].ids[event],
		.nr_ids = 1,
	};
}

/* A condition has no other name than itself. */
static const char *name_of(const struct sampling *sm, unsigned int group, const char *event)
{
	return acrpmu_spec_condition(sm->spec) ? acrpmu_spec_text(sm->spec, group) : event;
}

static void describe_sampled(struct live *l, struct pd_event *events)
{
	const struct sampling *sm = l->sm;
	unsigned int g, i;

	for (g = 0; g < sm->nr_groups; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(sm->spec, g); i++) {
			const __u32 flags = acrpmu_spec_event(sm->spec, g, i)->attr.flags;

			if (!(flags & ACRPMU_EVENT_SAMPLED))
				continue;
			events[l->nr_events] = describe(sm, g, i);
			l->names[l->nr_events] = name_of(sm, g, events[l->nr_events].name);
			l->nr_events++;
		}
	}
}

static int put_head(struct live *l)
{
	const struct sideband *sb = &l->sm->sideband;
	size_t room = l->sm->nr_groups * ACRPMU_MAX_EVENTS;
	struct pd_event *events;
	int err = -ENOMEM;

	events = calloc(sb->nr_fds / PD_EVENT_IDS_MAX + 1 + room, sizeof(*events));
	l->names = calloc(room, sizeof(*l->names));
	if (events && l->names) {
		l->nr_sideband = describe_sideband(sb, events);
		describe_sampled(l, events + l->nr_sideband);
		err = pd_stream_put_start(&l->head, events, l->nr_sideband + l->nr_events);
	}
	free(events);
	return err;
}

/* ---- what exists -------------------------------------------------------------------------- */

static size_t nr_known(const struct live *l)
{
	return l->view.space.nr_threads + l->view.space.nr_dsos;
}

/* Of this kernel symbols can be read from its own files, too. */
static void name_kernel(struct live *l)
{
	struct utsname uts;

	if (!uname(&uts))
		snprintf(l->view.space.kernel_release, sizeof(l->view.space.kernel_release), "%s",
			 uts.release);
}

/* Records of time 0, which come before all others. */
static int put_existing(struct live *l, bool all)
{
	struct synth s = {
		.out = &l->stream, .sample_type = SAMPLING_SAMPLE_TYPE, .build_ids = true,
	};

	synth_kernel(&s);
	l->hidden_kernel = s.hidden;
	if (all)
		synth_all_processes(&s);
	else
		synth_target(&s, &l->sm->target);
	l->lost = l->sm->sideband.counts.lost;
	return l->stream.failed ? -ENOMEM : 0;
}

/**
 * live_begin() - begin to follow what the open sessions and the sideband write; live_end() in any
 * case
 *
 * Return: 0 or -ENOMEM.
 */
int live_begin(struct live *l, const struct sampling *sm)
{
	int err;

	l->sm = sm;
	err = put_head(l);
	if (err)
		return err;
	pd_blob_put(&l->stream, l->head.data, l->head.size);
	name_kernel(l);
	return put_existing(l, false);
}

/**
 * live_is_stale() - whether /proc must be read again
 *
 * That is so after records about tasks and maps were lost, and when too much is known that may have
 * ended, for which memory would grow without a bound.
 */
bool live_is_stale(const struct live *l)
{
	return l->sm->sideband.counts.lost != l->lost ||
	       (nr_known(l) > MAX_KNOWN && nr_known(l) / 2 > l->known);
}

/**
 * live_renew() - forget all processes and symbols, and read /proc again
 *
 * Return: 0 or -ENOMEM.
 */
int live_renew(struct live *l)
{
	sym_space_free(&l->view.space);
	name_kernel(l);
	l->known = 0;
	return put_existing(l, true);
}

/* ---- records ------------------------------------------------------------------------------ */

/**
 * live_take() - copy the records of a ring
 *
 * Return: 0 or -ENOMEM.
 */
int live_take(struct live *l, const struct acrpmu_ring_batch *b)
{
	unsigned int i;

	for (i = 0; i < b->nr_runs; i++)
		pd_blob_put(&l->stream, b->runs[i].iov_base, b->runs[i].iov_len);
	return l->stream.failed ? -ENOMEM : 0;
}

/* Keep the records that were not played back. */
static int keep_rest(struct live *l)
{
	struct pd_blob rest = { 0 };
	size_t i;

	pd_blob_put(&rest, l->head.data, l->head.size);
	for (i = l->view.next; i < l->view.reader.nr_records; i++) {
		const struct perf_event_header *h = pd_reader_record(&l->view.reader, i);

		pd_blob_put(&rest, h, h->size);
	}
	pd_reader_close(&l->view.reader);
	pd_blob_free(&l->stream);
	l->stream = rest;
	return rest.failed ? -ENOMEM : 0;
}

/* Play back records that are no newer than @until. */
static int play(struct live *l, live_sample_fn fn, void *ctx, __u64 until)
{
	struct view *v = &l->view;
	struct pd_sample s;
	int err = 0;

	v->next = 0;
	v->until = until;
	while (!err && view_next(v, &s)) {
		if (s.event >= (int)l->nr_sideband)
			err = fn(ctx, v, &s, s.event - l->nr_sideband);
	}
	return err || !v->out_of_memory ? err : -ENOMEM;
}

/**
 * live_play() - play back what was taken until the rings were read before the last time
 * @all: what was taken since, too
 *
 * What was newer then may lack a record of another ring that comes before it.
 *
 * Return: 0, -ENOMEM, or what @fn returns.
 */
int live_play(struct live *l, live_sample_fn fn, void *ctx, bool all)
{
	/* records of /proc have time 0 */
	__u64 until = all ? 0 : l->newest ? l->newest : 1;
	int err, kept;

	if (l->stream.size == l->head.size)
		return 0;
	err = pd_reader_open_mem(&l->view.reader, l->stream.data, l->stream.size);
	if (err)
		return err;
	if (l->view.reader.newest > l->newest)
		l->newest = l->view.reader.newest;
	err = play(l, fn, ctx, until);
	kept = keep_rest(l);
	if (!l->known)
		l->known = nr_known(l);
	return err ? err : kept;
}

/**
 * live_end() - free everything
 */
void live_end(struct live *l)
{
	view_end(&l->view);
	pd_blob_free(&l->head);
	pd_blob_free(&l->stream);
	free(l->names);
}
