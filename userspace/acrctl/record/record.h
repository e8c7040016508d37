/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording in progress: what was asked for, what is open, what came in. */
#ifndef _ACRCTL_RECORD_H
#define _ACRCTL_RECORD_H

#include "../../perfdata/compress.h"
#include "../../symbols/elf_file.h"
#include "../control.h"
#include "../fleet/push_args.h"
#include "../fleet/round_args.h"
#include "../sampling/sampling.h"

/* The command line. */
struct record_options {
	const char *output;		/* file, or what messages call standard output */
	bool named;			/* it was given */
	bool stream;			/* write to standard output */
	int fd;				/* write to this file without a name, -1: to @output */
	__u64 max_bytes;		/* of that file, 0: any */
	bool explain;			/* the groups, once their sessions are open */
	bool build_ids;
	int level;			/* of compression, 0: none */
	bool cache;			/* add files to perf's build-id cache */
	const char *cache_dir;		/* NULL: the user's */
	bool labels_given;
	unsigned int labels;		/* of profiles, bits 1 << PPROF_* */
};

/* of --switch-max-files */
#define RECORD_MAX_FILES	100000

/* --switch-output: when the next file begins; zeroed: never. */
struct record_switch {
	bool on;			/* complete files have their time in their names */
	bool by_signal;			/* SIGUSR2 */
	__u64 bytes;			/* of records in a file, 0: any */
	__u64 every_ms;			/* 0: not by time */
	__u64 due_ms;			/* CLOCK_MONOTONIC */
	__u64 max_files;		/* to keep, 0: all */
	char **names;			/* of those to keep, the oldest first */
	size_t nr_names;
	__u64 nr_files;			/* that were completed */
	__u64 all_bytes;		/* of them */
};

struct record {
	struct record_options opt;
	int argc;
	char **argv;
	struct sampling sm;
	struct control control;
	struct record_switch next;
	struct round_args rounds;	/* of --every */
	struct push_args push;		/* of its profiles */
	__u64 end_ns;			/* when sampling ended, since 1970 */
	__u64 ran_ms;			/* since it began, even if the system slept */
	int file_fd;			/* -1: not open */
	char *temp;			/* the file's name until recording begins, then NULL */
	__u64 file_bytes;		/* when it was closed */
	int write_err;			/* why the file holds no more, 0: it does */
	struct pd_writer writer;
	struct pd_compress *compress;	/* NULL: records are not compressed */
	struct pd_event *events;	/* with the sideband's, which are the last */
	struct pd_event *in_stream;	/* the same in the order of a stream */
	unsigned int nr_events;
	unsigned int nr_sideband;	/* events of the sideband */
	char *cache;			/* directory of perf's build-id cache, NULL: none */
	unsigned int nr_kept;		/* files added to it */
	int keep_err;			/* why the first that failed was not, or 0 */
	struct sampling_session *before;	/* all sessions when this file began, NULL: zeros */
	bool going_on;			/* another file follows */
	__u64 begin_bytes;		/* of the file, before the first record of a ring */
	size_t losses_bytes;		/* room in the file for records about losses */
	bool unmarked;			/* records follow the last mark of a round */
	bool hidden_kernel;		/* the kernel hides its addresses */
	__u64 shown_ms;			/* when progress was shown, 0: none is on the screen */
};

/* The accounts of all sessions together. */
struct record_sums {
	__u64 samples, records, lost, throttled, discarded, guest, inherit_failed;
	bool cpu_lost, privileged_exec;
};

/* cmd_record.c */
int record_once(struct record *r);
void record_release(struct record *r);

/* rounds.c */
bool record_rounds_check(const struct record *r);
int record_rounds_run(struct record *r);

/* publish.c */
int record_publish_check(const struct record *r);
int record_publish_create(struct record *r);
int record_publish_rename(struct record *r);
void record_publish_discard(struct record *r);

/* switch.c */
bool record_switch_take(struct record_switch *n, const char *mode);
bool record_switch_check(const struct record *r);
void record_switch_listen(const struct record_switch *n);
void record_switch_begin(struct record *r);
int record_switch_wait_ms(const struct record *r, int otherwise_ms);
bool record_switch_is_due(const struct record *r);
int record_switch_file(struct record *r);
int record_switch_publish(struct record *r);
void record_switch_keep(struct record_switch *n, char *path);
void record_switch_free(struct record_switch *n);

/* file.c */
int record_file_begin(struct record *r);
int record_file_finish(struct record *r);
void record_file_close(struct record *r);

/* keep.c */
int record_keep_begin(struct record *r);
void record_keep_file(struct record *r, const char *name, const struct sym_build_id *id);
void record_keep_end(struct record *r);

/* loop.c */
struct sampling_sink record_loop_sink(struct record *r);
int record_loop_run(struct record *r);
int record_loop_drain(struct record *r);

/* features.c */
void record_features_begin(struct record *r);
void record_features_complete(struct record *r);
void record_features_contents(struct record *r);
void record_features_build_ids(struct pd_blob *out);

/* messages.c */
struct record_sums record_messages_sums(const struct record *r);
void record_messages_groups(const struct record *r);
int record_messages_snapshot(struct record *r);
void record_messages_closing(const struct record *r, int err);

#endif /* _ACRCTL_RECORD_H */
