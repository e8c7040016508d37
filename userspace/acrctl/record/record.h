/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording in progress: what was asked for, what is open, what came in. */
#ifndef _ACRCTL_RECORD_H
#define _ACRCTL_RECORD_H

#include "../../perfdata/writer.h"
#include "../cmd.h"
#include "../control.h"
#include "../kinds.h"
#include "../target.h"
#include "rate.h"

/* identifies every sample and every other record */
#define RECORD_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
				 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
/* what PERF_RECORD_READ holds in addition to the count; perf wants the same for all events */
#define RECORD_READ_FORMAT	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | \
				 PERF_FORMAT_ID)

/* The command line. */
struct record_options {
	struct event_args groups;	/* or the condition */
	struct when when;
	const char *events_dir;		/* NULL: not given */
	__u64 count;			/* period of events that set none, 0: not given */
	__u32 levels;			/* ACRPMU_PARSE_USER or _KERNEL, 0: not given */
	const char *output;		/* file, or what messages call standard output */
	bool stream;			/* write to standard output */
	bool verbose;
	bool quiet;
	bool build_ids;
	bool exclude_guest;
	bool chains;			/* call chains in samples */
	unsigned int max_stack;		/* frames of each, 0: not given */
	unsigned int ring_pages;	/* data pages of each ring, 0: the default */
};

/* What was moved from rings to the file. */
struct record_counts {
	__u64 samples;
	__u64 lost;			/* sum of all PERF_RECORD_LOST */
	__u64 dropped;			/* other records, and losses, that are not in the file */
};

/* The session of a group. */
struct record_session {
	struct acrpmu_session *session;	/* NULL after it is closed */
	unsigned int group;
	__u64 ids[ACRPMU_MAX_EVENTS];
	const struct kind *kind;
	struct acrpmu_ring **rings;	/* by CPU of its kind, NULL: not held so far */
	bool unmapped;			/* it writes to a ring that could not be mapped */
	struct record_counts counts;
	struct acrpmu_read stats;	/* at the end */
	struct acrpmu_count totals[ACRPMU_MAX_EVENTS];	/* likewise */
	__u64 outside[ACRPMU_MAX_EVENTS];	/* likewise; 0 unless software reloads */
};

/* perf's dummy event on each CPU: names, maps, forks and exits from the kernel. */
struct sideband {
	struct perf_event_attr attr;	/* as the kernel accepted it */
	int *fds;			/* one for each CPU and task */
	__u64 *ids;			/* in the same order */
	size_t nr_fds;
	struct acrpmu_ring **rings;	/* one for each CPU, shared by its tasks */
	struct perf_event_mmap_page **maps;
	size_t *map_bytes;
	int *poll_fds;
	size_t nr_rings;
	struct record_counts counts;
};

struct record {
	struct record_options opt;
	int argc;
	char **argv;
	struct acrpmu_device *device;
	struct acrpmu_message device_why;	/* it is not open */
	struct kinds kinds;
	struct acrpmu_spec *spec;
	unsigned int nr_groups;
	struct target target;
	struct control control;
	struct record_session *sessions;
	size_t nr_sessions;
	struct rate rate;		/* of -F */
	struct sideband sideband;
	int file_fd;			/* -1: not open */
	char *temp;			/* the file's name until recording begins, then NULL */
	__u64 file_bytes;		/* when it was closed */
	int write_err;			/* why the file holds no more, 0: it does */
	struct pd_writer writer;
	struct pd_event *events;	/* with the sideband's, which are the last */
	struct pd_event *in_stream;	/* the same in the order of a stream */
	unsigned int nr_events;
	unsigned int nr_sideband;	/* events of the sideband */
	size_t losses_bytes;		/* room in the file for records about losses */
	bool hidden_kernel;		/* the kernel hides its addresses */
	__u64 shown_ms;			/* when progress was shown, 0: none is on the screen */
};

/* Records about what existed before: where they go, and how they look. */
struct synth {
	struct pd_blob *out;
	__u64 sample_type;		/* of the sideband; its sample_id closes each record */
	bool build_ids;
	bool hidden;			/* out: the kernel hides its addresses */
};

/* session.c */
__u64 record_sample_type(const struct record *r);
int record_sessions_open(struct record *r);
int record_sessions_switch(struct record *r, bool on);
int record_session_map(struct record_session *s, int *failed);
int record_sessions_read(struct record *r);
__u64 record_sessions_missing(const struct record_session *s);
__u64 record_sessions_missed_ns(const struct record_session *s);
void record_sessions_close(struct record *r);

/* adapt.c */
int record_adapt_check(const struct record *r);
int record_adapt_begin(struct record *r);
int record_adapt_step(struct record *r);
void record_adapt_closing(const struct record *r);

/* sideband.c */
int sideband_open(struct sideband *sb, const struct target *t, __u64 sample_type);
void sideband_enable(struct sideband *sb, bool on);
bool sideband_time_conv(const struct sideband *sb, struct pd_time_conv *tc);
void sideband_close(struct sideband *sb);

/* synth.c */
void synth_kernel(struct synth *s);
int synth_process(struct synth *s, pid_t pid);
int synth_all_processes(struct synth *s);

/* publish.c */
int record_publish_check(const struct record *r);
int record_publish_create(struct record *r);
int record_publish_rename(struct record *r);
void record_publish_discard(struct record *r);

/* file.c */
int record_file_begin(struct record *r);
int record_file_finish(struct record *r);
void record_file_close(struct record *r);

/* loop.c */
int record_loop_run(struct record *r);
int record_loop_drain(struct record *r);

/* features.c */
void record_features_add(struct record *r, bool in_stream);
void record_features_contents(struct record *r);
void record_features_build_ids(struct pd_blob *out);

/* messages.c */
void record_messages_sideband(const struct record *r, int err);
void record_messages_groups(const struct record *r);
int record_messages_snapshot(struct record *r);
void record_messages_closing(const struct record *r, int err);

#endif /* _ACRCTL_RECORD_H */
