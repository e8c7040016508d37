/* SPDX-License-Identifier: GPL-2.0-only */
/* A stand-in for /dev/acrpmu and for perf's side-band, by LD_PRELOAD: what its files share. */
#ifndef DEVICE_H
#define DEVICE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/perf_event.h>

#include "../../../uapi/acrpmu.h"

/*
 * The test writes what happens: the device samples nothing itself.  It reads the script FAKE_SCRIPT
 * line by line (see script.c), and gives each sample with exactly the address, thread, CPU and time
 * that the line has.  Records about tasks and maps, which acrctl takes from perf, are in the same
 * script (perf.c).  So a test needs neither perf nor root, nor a program that runs for a while.
 * With FAKE_RUN_MS time is virtual, too (clock.c); then sessions also count (counts.c).
 *
 * Environment, besides what the files have:
 *   FAKE_SLOW=create|enable|sideband   before the first session is created or enabled, or the first
 *                  event of another PMU is enabled, waits until FAKE_LOG.go exists
 *   FAKE_LOG=FILE  one line for each command, and some with details
 */
#define MAX_SESSIONS	64
#define MAX_CPUS	64
#define MAX_TARGETS	64

/* events of Goldmont that have an extra register */
#define OFFCORE_RSP_0	0x1b7
#define OFFCORE_RSP_1	0x2b7

/* A ring of records in memory that acrctl maps as well. */
struct ring {
	unsigned char *data;	/* NULL: none */
	uint64_t size;
	uint64_t *head, *tail;
};

/* Who did something, and when; most words at the end of a record. */
#define MOMENT_WORDS	4
struct moment {
	int64_t pid, tid, time;
};

struct fake_session {
	int fd;
	uint32_t flags;
	pid_t pids[MAX_TARGETS];
	unsigned int nr_targets;	/* tasks that it was given; the first is in pids[0] */
	uint64_t sample_type;
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	unsigned int nr_events, nr_cpus;
	unsigned int nr_counting;	/* CPUs that count; without -C tasks are on the first */
	int cpus[MAX_CPUS];
	struct ring rings[MAX_CPUS];
	bool mapped[MAX_CPUS];		/* by acrctl */
	bool runs;			/* enabled, or will be by exec */
	bool parked;
	unsigned int nr_unparked;	/* times */
	bool arrived;			/* on all CPUs */
	short polled;			/* for what, in its loop */
	uint64_t records;
	uint64_t nr_reads;
	uint64_t overflows;		/* of FAKE_OCCURS */
	uint64_t rest;			/* occurrences since the last one */
	uint64_t running_ns[MAX_CPUS];	/* by virtual time */
	uint64_t counts[MAX_CPUS][ACRPMU_MAX_EVENTS];
};

/* calls.c */
/* the function of that name that comes after the device's own */
#define REAL(name)	((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
extern int device_fd;
int device_online(void);
int device_ioctl(int fd, unsigned long request, void *arg);
void *device_mmap(size_t len, int fd, off_t offset);

/* log.c */
long env_number(const char *name);
bool env_is(const char *name, long number);
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void give_up(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
void pause_before(const char *what);
void open_and_close(const char *fifo, int flags);

/* ring.c */
bool ring_put(struct ring *ring, const void *record, size_t bytes);
bool ring_has_data(const struct ring *ring);

/* info.c */
int fake_info(struct acrpmu_info *info);

/* session.c */
extern struct fake_session sessions[MAX_SESSIONS];
extern unsigned int nr_sessions;
static inline unsigned int session_number(const struct fake_session *s)
{
	return s - sessions;
}

struct fake_session *session_of(int fd);
int session_create(struct acrpmu_session_attr *a);
int session_refuse(struct acrpmu_error *error, uint32_t reason, int errnum);
void session_close(struct fake_session *s);
void *session_map(struct fake_session *s, size_t len, off_t offset);
int session_ioctl(struct fake_session *s, unsigned long request, void *arg);
void session_note_polled(struct fake_session *s, short events);
short session_ready(const struct fake_session *s);
unsigned int session_sampled(const struct fake_session *s);

/* account.c */
int account_read(struct fake_session *s, struct acrpmu_read *r);
int account_set_periods(struct fake_session *s, struct acrpmu_set_periods *set);

/* counts.c */
void counts_pass(struct fake_session *s, uint64_t ns);
void counts_reset(struct fake_session *s);
void counts_add(const struct fake_session *s, struct acrpmu_read *r);

/* turns.c */
int turns_park(struct fake_session *s);
int turns_unpark(struct fake_session *s, struct acrpmu_unpark *unpark);

/* perf.c */
struct perf_event *perf_of(int fd);
long perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu);
void perf_close(struct perf_event *e);
int perf_ioctl(struct perf_event *e, unsigned long request, void *arg);
void *perf_map(struct perf_event *e, size_t len);
short perf_ready(const struct perf_event *e);
bool perf_wants_build_ids(int cpu);
bool perf_put(int cpu, const struct perf_event_header *record, const struct moment *m);

/* script.c */
enum script_event { SCRIPT_POLLED, SCRIPT_LATER, SCRIPT_STOPPED };
void script_play(enum script_event event);
bool script_may_grow(void);
void script_forked(pid_t pid);
void script_started(void);

/* clock.c */
/* in steps of this length, counting is even */
#define CLOCK_STEP_MS	10
bool clock_runs(void);
unsigned int clock_run(void);
int64_t clock_run_ms(void);
bool clock_reached(const char *name);
void clock_next_run(void);
void clock_pass_ms(uint64_t ms);
bool clock_wait(int timeout_ms);

#endif /* DEVICE_H */
