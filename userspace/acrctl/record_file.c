// SPDX-License-Identifier: GPL-2.0-only
/* The file of a recording: its events, what existed before, and its end. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/spec.h"
#include "synth.h"

#define OLD_SUFFIX	".old"
#define TEMP_SUFFIX	".XXXXXX"
#define SIDEBAND_NAME	"dummy:u"

static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFLNK:
		return "a symbolic link that leads nowhere";
	case S_IFIFO:
		return "a pipe";
	case S_IFSOCK:
		return "a socket";
	}
	return "a device";
}

/* The name for an earlier recording, if there is one that is to be kept. */
static bool old_name(const char *path, char *old, size_t len)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	snprintf(old, len, "%s" OLD_SUFFIX, path);
	return true;
}

static int refuse_old(const char *path, const char *old, const char *why)
{
	fprintf(stderr,
		"acrctl: record: the earlier recording %s cannot become %s: %s; move one of them away, or name another file with -o\n",
		path, old, why);
	return -EEXIST;
}

/**
 * record_file_check() - refuse what cannot become a recording, before anything is done
 * @r: the recording, its command line read
 *
 * A file that is missing, or not to be seen, is left to record_file_begin().
 *
 * Return: 0, or -errno after a message.
 */
int record_file_check(const struct record *r)
{
	char old[PATH_MAX + sizeof(OLD_SUFFIX)];
	const char *path = r->opt.output;
	struct stat st;

	if (stat(path, &st) && lstat(path, &st))
		return 0;
	if (!S_ISREG(st.st_mode)) {
		fprintf(stderr,
			"acrctl: record: %s is %s, and a recording has to be a regular file; name another file with -o\n",
			path, kind_of(st.st_mode));
		return -EINVAL;
	}
	if (old_name(path, old, sizeof(old)) && !lstat(old, &st) && S_ISDIR(st.st_mode))
		return refuse_old(path, old, "this is a directory");
	return 0;
}

/**
 * record_file_publish() - recording has begun: the file gets its name
 * @r: the recording, record_file_begin() done
 *
 * An earlier recording is kept under another name, as perf does.
 *
 * Return: 0, or -errno after a message; an earlier recording is then still there.
 */
int record_file_publish(struct record *r)
{
	char old[PATH_MAX + sizeof(OLD_SUFFIX)];
	const char *path = r->opt.output;
	int err;

	if (old_name(path, old, sizeof(old)) && rename(path, old))
		return refuse_old(path, old, strerror(errno));
	if (rename(r->temp, path)) {
		err = -errno;
		fprintf(stderr, "acrctl: record: %s: %s; name another file with -o\n", path,
			strerror(-err));
		return err;
	}
	free(r->temp);
	r->temp = NULL;
	return 0;
}

/* A new file that nobody else has prepared, beside the place where it will be. */
static int create_temp(struct record *r)
{
	int err;

	if (asprintf(&r->temp, "%s" TEMP_SUFFIX, r->opt.output) < 0) {
		r->temp = NULL;
		return -ENOMEM;
	}
	r->file_fd = mkostemp(r->temp, O_CLOEXEC);
	if (r->file_fd >= 0)
		return 0;
	err = -errno;
	free(r->temp);
	r->temp = NULL;
	return err;
}

static void fill_attr(const struct acrpmu_event_attr *e, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = PERF_TYPE_RAW;
	attr->size = sizeof(*attr);
	attr->config = e->config;
	attr->config1 = e->extra_value;
	attr->config2 = e->acr_mask;
	attr->sample_period = e->period;
	attr->sample_type = RECORD_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->exclude_user = !(e->flags & ACRPMU_EVENT_USER);
	attr->exclude_kernel = !(e->flags & ACRPMU_EVENT_KERNEL);
}

/* The ids of one event in all sessions of its group. */
static int collect_ids(const struct record *r, unsigned int group, unsigned int event,
		       struct pd_event *out)
{
	__u64 *ids = calloc(r->nr_sessions, sizeof(*ids));
	size_t i;

	if (!ids)
		return -ENOMEM;
	for (i = 0; i < r->nr_sessions; i++) {
		if (r->sessions[i].group == group)
			ids[out->nr_ids++] = r->sessions[i].ids[event];
	}
	out->ids = ids;
	return 0;
}

static int describe_events(struct record *r)
{
	struct pd_event *e;
	unsigned int g, i;

	for (g = 0; g < r->nr_groups; g++)
		r->nr_events += acrpmu_spec_nr_events(r->spec, g);
	r->events = calloc(r->nr_events + 1, sizeof(*r->events));
	if (!r->events)
		return -ENOMEM;
	e = r->events;
	for (g = 0; g < r->nr_groups; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(r->spec, g); i++, e++) {
			const struct acrpmu_spec_event *event = acrpmu_spec_event(r->spec, g, i);
			bool named = r->spec->groups[g]->ev[i].given & SPEC_GIVEN_NAME;

			fill_attr(&event->attr, &e->attr);
			e->name = named ? event->name : event->text;
			if (collect_ids(r, g, i, e))
				return -ENOMEM;
		}
	}
	/* e is the sideband's; its ids live there */
	e->attr = r->sideband.attr;
	e->name = SIDEBAND_NAME;
	e->ids = r->sideband.ids;
	e->nr_ids = r->sideband.nr_fds;
	r->nr_events++;
	return 0;
}

static int put_existing(struct record *r)
{
	struct perf_event_header init = {
		.type = PD_RECORD_FINISHED_INIT, .size = sizeof(init),
	};
	struct pd_blob out = { 0 };
	struct synth s = {
		.out = &out,
		.sample_type = RECORD_SAMPLE_TYPE,
		.build_ids = r->opt.build_ids,
	};
	struct pd_time_conv tc;
	int err;

	if (sideband_time_conv(&r->sideband, &tc))
		pd_blob_put(&out, &tc, sizeof(tc));
	synth_kernel(&s);
	r->hidden_kernel = s.hidden;
	if (r->opt.pid)
		synth_process(&s, r->opt.pid);
	else if (!r->nr_tids)
		synth_all_processes(&s);
	pd_blob_put(&out, &init, sizeof(init));
	err = out.failed ? -ENOMEM : pd_writer_put_record(&r->writer, out.data, out.size);
	pd_blob_free(&out);
	return err;
}

static int begin(struct record *r)
{
	int err;

	err = describe_events(r);
	if (err)
		return err;
	err = pd_writer_begin(&r->writer, r->file_fd, r->events, r->nr_events);
	return err ? err : put_existing(r);
}

/**
 * record_file_begin() - create the file with its events and all that existed before
 * @r: the recording, sessions and sideband open
 *
 * Until record_file_publish() it has a name of its own, so that a recording that does not come
 * about leaves earlier ones alone.
 *
 * Return: 0, or -errno after a message.
 */
int record_file_begin(struct record *r)
{
	int err = create_temp(r);

	if (!err)
		err = begin(r);
	if (err)
		fprintf(stderr, "acrctl: record: %s: %s; name another file with -o\n",
			r->opt.output, strerror(-err));
	return err;
}

/* What the ring had no room to say: the last losses, and overflows that others acknowledged. */
static int put_lost(struct record *r, const struct record_session *s)
{
	struct {
		struct perf_event_header header;
		__u64 lost;
		__u32 pid, tid;
		__u64 time;
		__u32 cpu, res;
		__u64 identifier;
	} rec = {
		.header = { .type = PERF_RECORD_LOST_SAMPLES, .size = sizeof(rec) },
		.identifier = s->ids[0],
	};

	if (s->stats.lost <= s->counts.lost)
		return 0;
	rec.lost = s->stats.lost - s->counts.lost;
	return pd_writer_put_record(&r->writer, &rec, sizeof(rec));
}

/* Only now do some file systems say that they had no room for it. */
static int close_file(struct record *r)
{
	int err = 0, fd = r->file_fd;
	struct stat st;

	if (!fstat(fd, &st))
		r->file_bytes = st.st_size;
	/* what these two say is that there is nothing to be waited for */
	if (fsync(fd) && errno != EINVAL && errno != EROFS)
		err = -errno;
	r->file_fd = -1;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/**
 * record_file_finish() - write features and header, and close the file; it is complete
 * @r: the recording, stopped, drained and its accounts read
 *
 * Return: 0, or -errno after a message.
 */
int record_file_finish(struct record *r)
{
	int err = 0, closed;
	size_t i;

	for (i = 0; !err && i < r->nr_sessions; i++)
		err = put_lost(r, &r->sessions[i]);
	record_features_add(r);
	if (!err)
		err = pd_writer_finish(&r->writer);
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
 * record_file_close() - give back what belongs to the file; one that got no name is removed
 * @r: the recording
 */
void record_file_close(struct record *r)
{
	unsigned int i;

	pd_writer_free(&r->writer);
	for (i = 0; r->events && i + 1 < r->nr_events; i++)
		free((void *)r->events[i].ids);
	free(r->events);
	r->events = NULL;
	if (r->file_fd >= 0)
		close(r->file_fd);
	r->file_fd = -1;
	if (r->temp)
		unlink(r->temp);
	free(r->temp);
	r->temp = NULL;
}
