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
 * With FAKE_RUN_MS time is virtual, too (clock.c).
 *
 * Environment, besides what the files above have:
 *   FAKE_REASON=N FAKE_ERRNO=N   session creation is refused with these
 *   FAKE_EVENT=N                 index of the event that the refusal blames
 *   FAKE_REFUSE_NR=N             only after N sessions have been created
 *   FAKE_REFUSE_IF=FILE          only while FILE exists
 *   FAKE_LOST=N FAKE_THROTTLED=N FAKE_DISCARDED=N FAKE_STATE=N   accounts at the end
 *   FAKE_READ_ERRNO=N            they cannot be read
 *   FAKE_MISCOUNT=1              the accounts claim one record more than there is
 *   FAKE_SLOW=create|enable|sideband   before the first session is created or enabled, or the first
 *                                event of another PMU is enabled, waits until FAKE_LOG.go exists
 *   FAKE_KINDS=PE                the CPUs are P-cores and E-cores of Lunar Lake in turns
 *   FAKE_NO_ACR=1                the CPUs have no auto counter reload
 *   FAKE_NO_SOFTWARE=1           the module cannot reload in software
 *   FAKE_QUIET=N FAKE_DROPPED=N  accounts at the end of sessions that reload in software; event n
 *                                of such a group has 10 * (n + 1) occurrences outside of windows
 *   FAKE_RUNNING_NS=N            a session counts so long
 *   FAKE_VALUE=N                 event n of a group occurs N * (n + 1) times
 *   FAKE_MISSED_NS=N             tasks run so long on CPUs that a session does not hold
 *   FAKE_TAKEN=N                 somebody else has taken the first N CPUs of a session
 *   FAKE_TAKEN_IF=FILE           only once FILE exists
 *   FAKE_MORE_IF=FILE            and one CPU more once this FILE exists
 *   FAKE_ARRIVE=held             a session holds its first CPU only, until acrctl polls; then all,
 *                                and poll() reports POLLPRI until their rings are mapped
 *   FAKE_ARRIVE=lost             likewise, but it has lost the others again when acrctl queries
 *   FAKE_MMAP_ERRNO=N            no ring can be mapped; with FAKE_ARRIVE not those that come later
 *   FAKE_MMAP_TIMES=N            only the first so many times
 *   FAKE_OCCURS=N[,N]...         with each READ another tenth of a second has passed, in which so
 *                                many of the sampled event occurred; the last N stays
 *   FAKE_NO_PERIODS=1            the module cannot change periods
 *   FAKE_PERIODS_ERRNO=N         they are refused with this
 *   FAKE_JITTER=1                the module can make periods random
 *   FAKE_GUEST=N                 so many overflows were in guests
 *   FAKE_LOG=FILE                one line for each command, and some with details
 */
#define MAX_SESSIONS	32
#define MAX_CPUS	64

/* A ring of records in memory that acrctl maps as well. */
struct ring {
	unsigned char *data;	/* NULL: none */
	uint64_t size;
	uint64_t *head, *tail;
};

/* Who did something, and when; most words at the end of a record. */
#define MOMENT_WORDS	4
struct moment {
	uint32_t pid, tid;
	uint64_t time;
};

struct fake_session {
	int fd;
	uint32_t flags;
	pid_t pid;			/* the first task */
	uint64_t sample_type;
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	unsigned int nr_events, nr_cpus;
	int cpus[MAX_CPUS];
	struct ring rings[MAX_CPUS];
	bool mapped[MAX_CPUS];		/* by acrctl */
	bool runs;			/* enabled, or will be by exec */
	bool arrived;			/* on all CPUs */
	short polled;			/* for what, in its loop */
	uint64_t records;
	uint64_t nr_reads;
	uint64_t overflows;		/* of FAKE_OCCURS */
	uint64_t rest;			/* occurrences since the last one */
};

/* calls.c */
extern int device_fd;
int device_online(void);
long device_syscall(long number, ...);
int device_ioctl(int fd, unsigned long request, void *arg);
void *device_mmap(size_t len, int fd, off_t offset);

/* log.c */
long env_number(const char *name);
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
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
struct fake_session *session_of(int fd);
int session_create(struct acrpmu_session_attr *a);
void *session_map(struct fake_session *s, size_t len, off_t offset);
int session_ioctl(struct fake_session *s, unsigned long request, void *arg);
void session_note_polled(struct fake_session *s, short events);
short session_ready(const struct fake_session *s);
unsigned int session_sampled(const struct fake_session *s);

/* account.c */
int account_read(struct fake_session *s, struct acrpmu_read *r);
int account_set_periods(struct fake_session *s, struct acrpmu_set_periods *set);

/* perf.c */
struct perf_event *perf_of(int fd);
long perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu);
void perf_close(struct perf_event *e);
int perf_ioctl(struct perf_event *e, unsigned long request, void *arg);
void *perf_map(struct perf_event *e, size_t len);
short perf_ready(const struct perf_event *e);
const struct perf_event_attr *perf_attr(void);
bool perf_put(int cpu, const struct perf_event_header *record, const struct moment *m);

/* script.c */
enum script_event { SCRIPT_POLLED, SCRIPT_LATER, SCRIPT_STOPPED };
void script_play(enum script_event event);
bool script_may_grow(void);
void script_forked(pid_t pid);
void script_started(void);

/* clock.c */
bool clock_runs(void);
uint64_t clock_run_ms(void);
void clock_wait(int timeout_ms);

#endif /* DEVICE_H */
