/* SPDX-License-Identifier: GPL-2.0-only */
/* What record and top share: sessions, their rings, perf's dummy event, and waiting for records. */
#ifndef _ACRCTL_SAMPLING_H
#define _ACRCTL_SAMPLING_H

#include <poll.h>

#include "../../perfdata/writer.h"
#include "../cmd.h"
#include "../kinds.h"
#include "../taken/taken.h"
#include "../target.h"
#include "follow.h"
#include "rate.h"

/* identifies every sample and every other record */
#define SAMPLING_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
				 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
/* what PERF_RECORD_READ holds in addition to the count; perf wants the same for all events */
#define SAMPLING_READ_FORMAT	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | \
				 PERF_FORMAT_ID)

/* a prime, so that samples do not fall into step with loops */
#define SAMPLING_DEFAULT_EVENT		"cycles:u"
#define SAMPLING_DEFAULT_KERNEL_EVENT	"cycles:k"
#define SAMPLING_DEFAULT_PERIOD		1000003

/* options that record and top have in common, for getopt_long() */
enum {
	SAMPLING_OPT_ALL_USER = 1152, SAMPLING_OPT_ALL_KERNEL, SAMPLING_OPT_EXCLUDE_GUEST,
	SAMPLING_OPT_JITTER,
};

#define SAMPLING_JITTER_USAGE \
"      --jitter PERCENT  widest random part of each period, to either side, up to 50; 0: none\n" \
"                        (default: 10)\n"

/* The part of the command line that is about what to sample. */
struct sampling_options {
	struct event_args groups;	/* or the condition */
	struct when when;
	const char *events_dir;		/* NULL: not given */
	__u64 count;			/* period of events that set none, 0: not given */
	__u32 levels;			/* ACRPMU_PARSE_USER or _KERNEL, 0: not given */
	bool verbose;
	bool quiet;
	bool exclude_guest;
	bool chains;			/* call chains in samples */
	unsigned int max_stack;		/* frames of each, 0: not given */
	bool jitter_given;
	unsigned int jitter;		/* random part of periods in per cent */
	unsigned int ring_pages;	/* data pages of each ring, 0: the default */
};

/* What was taken from rings. */
struct sampling_counts {
	__u64 samples;
	__u64 lost;			/* sum of all PERF_RECORD_LOST */
	__u64 dropped;			/* other records, and losses, that were not kept */
};

/* The session of a group. */
struct sampling_session {
	struct acrpmu_session *session;	/* NULL after it is closed */
	unsigned int group;
	__u64 ids[ACRPMU_MAX_EVENTS];
	const struct kind *kind;
	struct acrpmu_ring **rings;	/* by CPU of its kind, NULL: not held so far */
	bool unmapped;			/* it writes to a ring that could not be mapped */
	struct taken taken;		/* CPUs that somebody else has taken */
	struct sampling_counts counts;
	struct acrpmu_read stats;	/* when they were last read */
	bool read;			/* that went well */
	struct acrpmu_count totals[ACRPMU_MAX_EVENTS];	/* likewise */
	__u64 outside[ACRPMU_MAX_EVENTS];	/* likewise; 0 unless software reloads */
};

/* The event of a CPU that came online later, and its ring. */
struct sideband_ring {
	int fd;
	struct perf_event_mmap_page *map;
	size_t bytes;
	struct acrpmu_ring *ring;
};

/* perf's dummy event on each CPU: names, maps, forks and exits from the kernel. */
struct sideband {
	bool of_cpus;			/* the target is tasks, but the events are those of CPUs */
	struct follow follow;		/* then it tells which records are about the target */
	struct perf_event_attr attr;	/* as the kernel accepted it */
	int *fds;			/* one for each CPU, and for each task unless @of_cpus */
	__u64 *ids;			/* in the same order */
	size_t nr_fds;
	size_t nr_cpus, nr_wanted;	/* CPUs, and descriptors for all of them */
	struct acrpmu_ring **rings;	/* one for each CPU, shared by its tasks */
	struct perf_event_mmap_page **maps;
	size_t *map_bytes;
	int *poll_fds;
	size_t nr_rings;
	bool enabled;
	struct cpu_list live;		/* CPUs that were online when it was last looked at */
	__u64 looked_ms;		/* when that was */
	struct sideband_ring *later;	/* of CPUs that came online since */
	size_t nr_later;
	struct sampling_counts counts;
};

/* What a command does with what the rings hold. */
struct sampling_sink {
	/* Take a batch, which is consumed then; returns 0, or -errno after a message. */
	int (*take)(void *ctx, const struct acrpmu_ring_batch *b, struct sampling_counts *counts);
	/* Make room on the screen for a message on stderr. */
	void (*clear)(void *ctx);
	void *ctx;
};

/* Zeroed, but for the target and the sink, it is empty. */
struct sampling {
	struct sampling_options opt;
	struct acrpmu_device *device;
	struct acrpmu_message device_why;	/* it is not open */
	struct kinds kinds;
	struct acrpmu_spec *spec;
	unsigned int nr_groups;
	struct target target;
	struct sampling_sink sink;
	struct sampling_session *sessions;
	size_t nr_sessions;
	struct rate rate;		/* of -F */
	struct sideband sideband;
	struct pollfd *polls;		/* what sampling_wait() waits for */
	size_t nr_polls;
};

/* Records about what existed before: where they go, and how they look. */
struct synth {
	struct pd_blob *out;
	__u64 sample_type;		/* of the sideband; its sample_id closes each record */
	bool build_ids;
	bool progress;			/* show how far it is, on a terminal */
	bool hidden;			/* out: the kernel hides its addresses */
};

/* options.c */
int sampling_take_option(struct sampling *sm, int c, const char *arg);
int sampling_take_condition(struct sampling *sm);
int sampling_add_default(struct sampling *sm);
int sampling_parse(struct sampling *sm);
unsigned int sampling_jitter(const struct sampling *sm);

/* setup.c */
int sampling_check_device(const struct sampling *sm);
int sampling_open_sideband(struct sampling *sm);
void sampling_release(struct sampling *sm);

/* sessions.c */
__u64 sampling_sample_type(const struct sampling *sm);
int sampling_sessions_open(struct sampling *sm);
int sampling_sessions_switch(struct sampling *sm, bool on);
int sampling_session_map(const struct sampling *sm, struct sampling_session *s, int *failed);
void sampling_session_take_loss(struct sampling *sm, struct sampling_session *s);
bool sampling_sessions_taken(const struct sampling *sm);
int sampling_sessions_read(struct sampling *sm);
__u64 sampling_sessions_missing(const struct sampling_session *s);
__u64 sampling_sessions_missed_ns(const struct sampling_session *s);
void sampling_sessions_close(struct sampling *sm);

/* wait.c */
int sampling_wait_begin(struct sampling *sm);
int sampling_wait(struct sampling *sm, int fd, int timeout_ms, short *revents);
bool sampling_is_over(const struct sampling *sm);
int sampling_drain(struct sampling *sm);

/* adapt.c */
int sampling_adapt_check(const struct sampling *sm);
int sampling_adapt_begin(struct sampling *sm);
int sampling_adapt_step(struct sampling *sm);
void sampling_adapt_closing(const struct sampling *sm);

/* warn.c */
void sampling_warn(const struct sampling *sm, bool hidden_kernel);
void sampling_warn_missed(const struct sampling *sm);

/* sideband.c */
int sideband_open(struct sideband *sb, const struct target *t, __u64 sample_type);
void sideband_enable(struct sideband *sb, bool on);
int sideband_renew(struct sideband *sb, const struct target *t);
void sideband_adopt(const struct sideband *sb, const struct acrpmu_ring_batch *b,
		    struct pd_blob *copy);
bool sideband_time_conv(const struct sideband *sb, struct pd_time_conv *tc);
void sideband_close(struct sideband *sb);

/* synth.c */
void synth_kernel(struct synth *s);
int synth_process(struct synth *s, pid_t pid);
int synth_all_processes(struct synth *s);
void synth_target(struct synth *s, const struct target *t);

#endif /* _ACRCTL_SAMPLING_H */
