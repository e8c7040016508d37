/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording in progress: what was asked for, what is open, what came in. */
#ifndef _ACRCTL_RECORD_H
#define _ACRCTL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../../lib/acrpmu_lib.h"
#include "../../perfdata/writer.h"
#include "../cmd.h"
#include "sideband.h"
#include "../target.h"

/* what every sample and every other record says about itself */
#define RECORD_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
				 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/**
 * struct record_options - the command line
 * @groups: event groups as the user wrote them
 * @events_dir: directory of JSON files with named events, NULL: not given
 * @count: period of events that have none of their own, 0: not given
 * @output: file to write, or what messages call standard output
 * @stream: write to standard output
 * @verbose: explain before recording
 * @quiet: no closing line
 * @build_ids: put build-ids into the file
 * @ring_pages: data pages of each ring, 0: the default
 */
struct record_options {
	struct event_args groups;
	const char *events_dir;
	__u64 count;
	const char *output;
	bool stream;
	bool verbose;
	bool quiet;
	bool build_ids;
	unsigned int ring_pages;
};

/**
 * struct record_counts - what was moved from rings to the file
 * @samples: PERF_RECORD_SAMPLE
 * @lost: sum of all PERF_RECORD_LOST
 * @bytes: of all records
 */
struct record_counts {
	__u64 samples;
	__u64 lost;
	__u64 bytes;
};

/**
 * struct record_session - one session of the module
 * @session: the library's handle, NULL after it is closed
 * @group: index of its group
 * @ids: of its events
 * @rings: its rings, one for each CPU
 * @nr_rings: how many
 * @counts: what its rings held
 * @stats: its accounts at the end
 */
struct record_session {
	struct acrpmu_session *session;
	unsigned int group;
	__u64 ids[ACRPMU_MAX_EVENTS];
	struct acrpmu_ring **rings;
	size_t nr_rings;
	struct record_counts counts;
	struct acrpmu_read stats;
};

/**
 * struct record - a recording
 * @opt: the command line
 * @argc: its length
 * @argv: its words
 * @device: the module's device
 * @spec: the event groups
 * @nr_groups: how many
 * @target: whom it follows
 * @sessions: sessions of the module, one for each group
 * @nr_sessions: how many
 * @sideband: perf's dummy events
 * @sideband_counts: what their rings held
 * @file_fd: the file, -1: not open
 * @temp: its name until recording begins, NULL afterwards
 * @file_bytes: its size when it was closed
 * @writer: what goes into it
 * @events: events as the file has them; the sideband's is the last, in a stream the first
 * @nr_events: how many
 * @hidden_kernel: the kernel hides its addresses
 * @shown_ms: when progress was shown last, 0: none is on the screen
 */
struct record {
	struct record_options opt;
	int argc;
	char **argv;
	struct acrpmu_device *device;
	struct acrpmu_spec *spec;
	unsigned int nr_groups;
	struct target target;
	struct record_session *sessions;
	size_t nr_sessions;
	struct sideband sideband;
	struct record_counts sideband_counts;
	int file_fd;
	char *temp;
	__u64 file_bytes;
	struct pd_writer writer;
	struct pd_event *events;
	unsigned int nr_events;
	bool hidden_kernel;
	__u64 shown_ms;
};

/* session.c */
int record_sessions_open(struct record *r);
int record_sessions_switch(struct record *r, bool on);
int record_sessions_read(struct record *r);
void record_sessions_close(struct record *r);

/* publish.c */
int record_place_check(const struct record *r);
int record_place_create(struct record *r);
int record_place_publish(struct record *r);
void record_place_leave(struct record *r);

/* file.c */
int record_file_begin(struct record *r);
int record_file_finish(struct record *r);
void record_file_close(struct record *r);

/* loop.c */
int record_loop_run(struct record *r);
int record_loop_drain(struct record *r);

/* features.c */
void record_features_add(struct record *r);
void record_features_contents(struct record *r);
void record_features_build_ids(struct pd_blob *out);

#endif /* _ACRCTL_RECORD_H */
