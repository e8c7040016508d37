// SPDX-License-Identifier: GPL-2.0-only
/* A stand-in for /dev/acrpmu by LD_PRELOAD: few counters, and counts by its own clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../uapi/acrpmu.h"

/*
 * Time passes only while acrctl waits in poll(), exactly for the timeout, until a run has lasted
 * FAKE_RUN_MS; then the run ends.
 *
 * Environment:
 *   FAKE_RUN_MS=N       length of a run, default 100
 *   FAKE_LONGER_MS=N    each run is longer than the one before by this
 *   FAKE_FIFO=FILE      at its end this is opened and closed, so that a command that reads it ends;
 *                       without it SIGINT ends a run
 *   FAKE_READY=FILE     this is opened and closed before time passes, so that a command that writes
 *                       to it is ready by then
 *   FAKE_KINDS=PE       the CPUs are P-cores and E-cores of Lunar Lake in turns
 *   FAKE_CPU=NAME       of the CPUs, default clearwaterforest
 *   FAKE_NO_ACR=1       the CPUs have no auto counter reload
 *   FAKE_NO_SOFTWARE=1  the module cannot reload in software; if it does, it drops 1 overflow in
 *                       each run, and 10 * (n + 1) occurrences of event n are outside of windows
 *   FAKE_CNTRS=N        counters of a CPU, default 8
 *   FAKE_NO_PARK=1      the module is of ABI version 1
 *   FAKE_TICK=NS        time that passes whenever the clock is read
 *   FAKE_ABI=N          the module is of that ABI version
 *   FAKE_REASON=N FAKE_ERRNO=N   session creation is refused with these
 *   FAKE_NEVER=N        session N can never be unparked, FAKE_LATER=N: only once
 *   FAKE_FIRST=N        session N can be unparked only before all others, FAKE_FIRST_WHY=N: reason
 *   FAKE_TAKEN_MS=N     from then on in a run others hold the PMU, until FAKE_BACK_MS=N
 *   FAKE_GONE_MS=N      from then on the CPUs are offline: ENODEV
 *   FAKE_SLOW_MS=N      parking and unparking take this long
 *   FAKE_BURST=1        in every second 10 ms all happens twice as often
 *   FAKE_GROWS=1        in run N all happens N times as often
 *   FAKE_LAST_RUN=N     later sessions are refused
 *   FAKE_INT_RUN=N      SIGINT comes when a session of run N is made
 *   FAKE_RARE=N         all happens N times more rarely
 *   FAKE_LOST_CPU=N     from FAKE_LOST_MS=N on in a run this CPU is offline and counts nothing
 *   FAKE_SILENT=1       no offcore request gets a response
 *   FAKE_MISSED_NS=N    tasks run so long on CPUs that a session does not hold
 *   FAKE_ROBBED_CPU=N   from FAKE_LOST_MS=N on in a run somebody else has this CPU: FAKE_REASON=N
 *   FAKE_ROBBED_TOO=N   and this one
 *   FAKE_STATE=N FAKE_THROTTLED=N FAKE_INHERIT_FAILED=N   accounts
 *   FAKE_COME=N         every 10 ms so many tasks come and end, next to those that are followed
 *   FAKE_ATTACH_ERRNO=N   ATTACH is refused with this, the first time
 *   FAKE_INHERITED=TID  the session follows this thread already
 *   FAKE_BEFORE=FILE FAKE_AFTER=FILE   at the first ATTACH these are opened and closed, so that a
 *                       program can create a thread then
 *   FAKE_LOG=FILE       one line for each command
 *
 * Of n targets, number i counts i / (1 + 2 + ... + n) of what a session counts.
 *
 * Occurrences in a microsecond on CPU 0, times N + 1 on CPU N: see rate().
 */
#define MAX_SESSIONS	64
#define MAX_CPUS	64
#define MAX_TARGETS	64
#define BITS_PER_BYTE	8
#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_USEC	1000ULL
#define BURST_NS	(10 * NSEC_PER_MSEC)
#define START_NS	(1000 * NSEC_PER_SEC)

/* index of the descriptor of --control in acrctl's loop */
#define CONTROL		2

#define OUTSTANDING	(1ULL << 38)
#define RSP_0		0x1b7
#define RSP_1		0x2b7

struct fake_session {
	int fd;
	bool open, parked, enabled, at_exec;
	unsigned int nr_unparked;
	uint32_t flags, nr_events;
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	unsigned int nr_targets;
	int pids[MAX_TARGETS];
	bool cpus[MAX_CPUS];
	uint64_t running_ns[MAX_CPUS];
	uint64_t counts[MAX_CPUS][ACRPMU_MAX_EVENTS];
};

static struct fake_session sessions[MAX_SESSIONS];
static unsigned int nr_sessions, run;
static uint64_t now_ns, run_start_ns;
static bool run_begun, run_over;
static int device_fd = -1;

static long env_number(const char *name, long otherwise)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 0) : otherwise;
}

__attribute__((format(printf, 1, 2)))
static void note(const char *fmt, ...)
{
	const char *path = getenv("FAKE_LOG");
	FILE *f = path ? fopen(path, "ae") : NULL;
	va_list ap;

	if (!f)
		return;
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fputc('\n', f);
	fclose(f);
}

static unsigned int number_of(const struct fake_session *s)
{
	return s - sessions;
}

/* ---- time --------------------------------------------------------------------------------- */

/* Whether a run has lasted as long as a variable says; never if it is not set. */
static bool reached(const char *name)
{
	return run_begun && getenv(name) &&
	       now_ns >= run_start_ns + env_number(name, 0) * NSEC_PER_MSEC;
}

static uint64_t rate(const struct acrpmu_event_attr *e)
{
	unsigned int request = __builtin_ctzll(e->extra_value | 1ULL << 63);

	switch (e->config) {
	case RSP_0:
		return e->extra_value & OUTSTANDING && !getenv("FAKE_SILENT") ?
		       2 * (40 + 5 * request) : 0;
	case RSP_1:
		return getenv("FAKE_SILENT") ? 0 : 2;
	case 0x300:
		return 50;
	default:
		return e->config & 0xff;
	}
}

static void count(struct fake_session *s, uint64_t ns)
{
	uint64_t factor = getenv("FAKE_GROWS") ? run : 1, us = ns / NSEC_PER_USEC;
	bool lost = reached("FAKE_LOST_MS");
	uint64_t rare = env_number("FAKE_RARE", 1);
	unsigned int cpu, i;

	if (getenv("FAKE_BURST") && (now_ns - run_start_ns) / BURST_NS % 2)
		factor *= 2;
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (!s->cpus[cpu] || (lost && env_number("FAKE_LOST_CPU", -1) == cpu))
			continue;
		s->running_ns[cpu] += ns;
		for (i = 0; i < s->nr_events; i++)
			s->counts[cpu][i] += factor * (cpu + 1) * us * rate(&s->events[i]) / rare;
	}
}

static void pass_step(uint64_t ns)
{
	unsigned int i;

	for (i = 0; i < nr_sessions; i++) {
		struct fake_session *s = &sessions[i];

		if (s->open && s->enabled && !s->parked)
			count(s, ns);
	}
	now_ns += ns;
}

/* In steps at the ends of bursts. */
static void pass(uint64_t ns)
{
	while (ns) {
		uint64_t step = BURST_NS - (now_ns - run_start_ns) % BURST_NS;

		if (step > ns)
			step = ns;
		pass_step(step);
		ns -= step;
	}
}

/* The fifo that a variable names, so that whoever has the other end goes on. */
static void open_and_close(const char *name, int flags)
{
	const char *fifo = getenv(name);
	int fd = fifo ? open(fifo, flags | O_CLOEXEC) : -1;

	if (fd >= 0)
		close(fd);
}

static void end_run(void)
{
	run_over = true;
	if (!getenv("FAKE_FIFO"))
		kill(getpid(), SIGINT);
	open_and_close("FAKE_FIFO", O_WRONLY);
}

/* By now the command has been executed. */
static void start_run(void)
{
	unsigned int i;

	open_and_close("FAKE_READY", O_RDONLY);
	run_begun = true;
	run_start_ns = now_ns;
	for (i = 0; i < nr_sessions; i++)
		sessions[i].enabled |= sessions[i].at_exec;
}

/**
 * poll() - lets time pass until the run is over, then the C library's
 * @fds: as poll(2)
 * @nfds: as poll(2)
 * @timeout: as poll(2)
 *
 * Return: as poll(2).
 */
int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
	int (*real)(struct pollfd *fds, nfds_t nfds, int timeout) = dlsym(RTLD_NEXT, "poll");
	uint64_t end, ns, length_ms;
	nfds_t i;

	if (nfds <= CONTROL || run_over)
		return real(fds, nfds, run_over ? -1 : timeout);
	if (!run_begun)
		start_run();
	/* commands for acrctl take no time */
	if (real(fds + CONTROL, 1, 0) > 0) {
		for (i = 0; i < nfds; i++)
			fds[i].revents = i == CONTROL ? fds[i].revents : 0;
		return 1;
	}
	length_ms = env_number("FAKE_RUN_MS", 100) + (run - 1) * env_number("FAKE_LONGER_MS", 0);
	end = run_start_ns + length_ms * NSEC_PER_MSEC;
	ns = end > now_ns ? end - now_ns : 0;
	if (timeout >= 0 && timeout * NSEC_PER_MSEC < ns)
		ns = timeout * NSEC_PER_MSEC;
	pass(ns);
	if (now_ns < end)
		return 0;
	end_run();
	return real(fds, nfds, -1);
}

/**
 * clock_gettime() - the clock here for CLOCK_MONOTONIC, the C library's for all else
 * @id: which clock
 * @t: out
 *
 * Return: as clock_gettime(2).
 */
int clock_gettime(clockid_t id, struct timespec *t)
{
	if (id != CLOCK_MONOTONIC)
		return syscall(SYS_clock_gettime, id, t);
	now_ns += env_number("FAKE_TICK", 0);
	t->tv_sec = (START_NS + now_ns) / NSEC_PER_SEC;
	t->tv_nsec = (START_NS + now_ns) % NSEC_PER_SEC;
	return 0;
}

/* ---- the device --------------------------------------------------------------------------- */

static int open_device(void)
{
	device_fd = memfd_create("acrpmu", MFD_CLOEXEC);
	return device_fd;
}

#define DEFINE_OPEN(name)								\
int name(const char *path, int flags, ...)						\
{											\
	int (*real)(const char *path, int flags, ...) = dlsym(RTLD_NEXT, #name);	\
	mode_t mode = 0;								\
	va_list ap;									\
											\
	va_start(ap, flags);								\
	if (flags & (O_CREAT | __O_TMPFILE))						\
		mode = va_arg(ap, mode_t);						\
	va_end(ap);									\
	return strcmp(path, ACRPMU_DEVICE) ? real(path, flags, mode) : open_device();	\
}

DEFINE_OPEN(open)
DEFINE_OPEN(open64)

/**
 * close() - notes the end of a session
 * @fd: descriptor
 *
 * Return: as close(2).
 */
int close(int fd)
{
	unsigned int i;

	for (i = 0; i < nr_sessions; i++) {
		if (sessions[i].open && sessions[i].fd == fd) {
			sessions[i].open = false;
			note("CLOSE %u", i);
		}
	}
	return syscall(SYS_close, fd);
}

static int online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

/* P-cores and E-cores of Lunar Lake */
static void fill_hybrid(struct acrpmu_cpu_info *c, bool big)
{
	c->flags |= ACRPMU_CPU_HYBRID;
	c->pmu_version = 6;
	c->signature = 0xb06d1;
	c->core_type = big ? 0x40000003 : 0x20000003;
	c->cntrs = big ? 0xf000003ff : 0x77000000ff;
	c->reloadable_cntrs = big ? 0 : 0x7000000ff;
	c->cause_cntrs = c->reloadable_cntrs;
	c->flags &= ~ACRPMU_CPU_ACR;
	c->flags |= big ? 0 : ACRPMU_CPU_ACR;
	strcpy(c->name, big ? "lioncove" : "skymont");
}

static int fake_info(struct acrpmu_info *info)
{
	struct acrpmu_cpu_info *cpus = (void *)(uintptr_t)info->cpus;
	const char *cpu = getenv("FAKE_CPU"), *kinds = getenv("FAKE_KINDS");
	uint32_t i, room = info->nr_cpus;

	info->abi_version = getenv("FAKE_NO_PARK") ? 1 : env_number("FAKE_ABI", ACRPMU_ABI_VERSION);
	info->nr_cpus = online();
	info->max_events = ACRPMU_MAX_EVENTS;
	info->features = ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_TASK | ACRPMU_FEATURE_INHERIT |
			 ACRPMU_FEATURE_EXEC | (getenv("FAKE_NO_PARK") ? 0 : ACRPMU_FEATURE_PARK) |
			 (getenv("FAKE_KINDS") ? ACRPMU_FEATURE_ARRIVAL : 0) |
			 (getenv("FAKE_NO_SOFTWARE") ? 0 : ACRPMU_FEATURE_SOFTWARE);
	for (i = 0; cpus && room >= info->nr_cpus && i < info->nr_cpus; i++) {
		memset(&cpus[i], 0, info->cpu_size);
		cpus[i].cpu = i;
		cpus[i].flags = ACRPMU_CPU_ONLINE | ACRPMU_CPU_USABLE |
				(getenv("FAKE_NO_ACR") ? 0 : ACRPMU_CPU_ACR);
		cpus[i].cntrs = (1ULL << env_number("FAKE_CNTRS", 8)) - 1;
		snprintf(cpus[i].name, sizeof(cpus[i].name), "%s",
			 cpu ? cpu : "clearwaterforest");
		if (kinds)
			fill_hybrid(&cpus[i], kinds[i % strlen(kinds)] == 'P');
	}
	return 0;
}

static int refuse(struct acrpmu_error *error, uint32_t reason, int errnum)
{
	*error = (struct acrpmu_error){
		.reason = reason, .event = -1, .cpu = -1, .holder_pid = 4242, .holder = "perf",
	};
	errno = errnum;
	return -1;
}

static bool any_open(void)
{
	unsigned int i;

	for (i = 0; i < nr_sessions; i++) {
		if (sessions[i].open)
			return true;
	}
	return false;
}

static void begin_run(void)
{
	nr_sessions = 0;
	run++;
	run_begun = false;
	run_over = false;
}

/* Tasks are on CPU 0 here, or on those that are given. */
static bool wants_cpu(const struct acrpmu_session_attr *a, unsigned int cpu)
{
	const uint8_t *map = (const void *)(uintptr_t)a->cpus;

	if (!a->cpus_size)
		return !cpu;
	return cpu / BITS_PER_BYTE < a->cpus_size &&
	       map[cpu / BITS_PER_BYTE] >> cpu % BITS_PER_BYTE & 1;
}

static int fake_create(struct acrpmu_session_attr *a)
{
	const struct acrpmu_event_attr *events = (const void *)(uintptr_t)a->events;
	struct fake_session *s;
	char cpus[16] = "";
	uint32_t i;

	if (!any_open())
		begin_run();
	s = &sessions[nr_sessions];
	if (getenv("FAKE_KINDS") && a->cpus_size)
		snprintf(cpus, sizeof(cpus), " cpus=%#x", *(const uint8_t *)(uintptr_t)a->cpus);
	note("CREATE %u flags=%#x nr_events=%u ring_pages=%u sample_type=%#llx%s", number_of(s),
	     a->flags, a->nr_events, a->ring_pages, a->sample_type, cpus);
	for (i = 0; i < a->nr_events; i++)
		note("  event %u config=%#llx extra=%#llx period=%llu acr_mask=%#llx flags=%#x", i,
		     events[i].config, events[i].extra_value, events[i].period,
		     events[i].acr_mask, events[i].flags);
	if (run > env_number("FAKE_LAST_RUN", run))
		return refuse(&a->error, ACRPMU_REASON_PMU_IN_USE, EBUSY);
	if (run == env_number("FAKE_INT_RUN", 0))
		kill(getpid(), SIGINT);
	if (getenv("FAKE_ERRNO"))
		return refuse(&a->error, env_number("FAKE_REASON", 0), env_number("FAKE_ERRNO", 0));
	memset(s, 0, sizeof(*s));
	s->open = true;
	s->flags = a->flags;
	s->parked = a->flags & ACRPMU_SESSION_PARKED;
	s->at_exec = a->flags & ACRPMU_SESSION_ENABLE_ON_EXEC;
	s->nr_targets = !!(a->flags & ACRPMU_SESSION_TASK);
	s->pids[0] = a->pid;
	s->nr_events = a->nr_events;
	memcpy(s->events, events, a->nr_events * sizeof(*events));
	for (i = 0; i < MAX_CPUS; i++)
		s->cpus[i] = wants_cpu(a, i);
	s->fd = memfd_create("session", MFD_CLOEXEC);
	a->session_id = ++nr_sessions;
	return s->fd;
}

/* ---- a session ---------------------------------------------------------------------------- */

static uint64_t value_of(const struct fake_session *s, uint64_t config)
{
	unsigned int i;

	for (i = 0; i < s->nr_events; i++) {
		if (s->events[i].config == config)
			return s->events[i].extra_value;
	}
	return 0;
}

/* Whether two sessions want different values of one register. */
static bool quarrel(const struct fake_session *a, const struct fake_session *b)
{
	static const uint64_t configs[] = { RSP_0, RSP_1 };
	unsigned int i;

	for (i = 0; i < sizeof(configs) / sizeof(*configs); i++) {
		uint64_t x = value_of(a, configs[i]), y = value_of(b, configs[i]);

		if (x && y && x != y)
			return true;
	}
	return false;
}

static bool share_cpu(const struct fake_session *a, const struct fake_session *b)
{
	unsigned int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (a->cpus[cpu] && b->cpus[cpu])
			return true;
	}
	return false;
}

static uint32_t why_not(const struct fake_session *s)
{
	unsigned int n = number_of(s), used = s->nr_events, i;

	if (env_number("FAKE_NEVER", -1) == n ||
	    (env_number("FAKE_LATER", -1) == n && s->nr_unparked) ||
	    (reached("FAKE_TAKEN_MS") && !reached("FAKE_BACK_MS")))
		return ACRPMU_REASON_PMU_IN_USE;
	for (i = 0; i < nr_sessions; i++) {
		if (i == n || !sessions[i].open || sessions[i].parked ||
		    !share_cpu(s, &sessions[i]))
			continue;
		used += sessions[i].nr_events;
		/* others take what only it can use if they come first */
		if (env_number("FAKE_FIRST", -1) == n)
			return env_number("FAKE_FIRST_WHY", ACRPMU_REASON_EXTRA_BUSY);
		if (quarrel(s, &sessions[i]))
			return ACRPMU_REASON_EXTRA_BUSY;
	}
	return used > env_number("FAKE_CNTRS", 8) ? ACRPMU_REASON_HELD : 0;
}

static int fake_unpark(struct fake_session *s, struct acrpmu_unpark *unpark)
{
	bool gone = reached("FAKE_GONE_MS");
	uint32_t reason = gone ? ACRPMU_REASON_CPU_OFFLINE : why_not(s);

	pass(env_number("FAKE_SLOW_MS", 0) * NSEC_PER_MSEC);
	note("UNPARK %u%s", number_of(s), gone ? " ENODEV" : reason ? " EBUSY" : "");
	if (reason)
		return refuse(&unpark->error, reason, gone ? ENODEV : EBUSY);
	s->parked = false;
	s->nr_unparked++;
	return 0;
}

static uint64_t of_target(const struct fake_session *s, const struct acrpmu_read *r, uint64_t n)
{
	return r->target ? n * r->target / (s->nr_targets * (s->nr_targets + 1) / 2) : n;
}

static void read_cpu(const struct fake_session *s, unsigned int cpu, struct acrpmu_read *r,
		     struct acrpmu_count *counts)
{
	unsigned int i;

	r->time_running_ns += of_target(s, r, s->running_ns[cpu]);
	for (i = 0; i < s->nr_events; i++) {
		const struct acrpmu_event_attr *e = &s->events[i];
		uint64_t n = of_target(s, r, s->counts[cpu][i]);

		bool software = s->flags & ACRPMU_SESSION_SOFTWARE;

		if (e->flags & ACRPMU_EVENT_SAMPLED || (software && e->period))
			counts[i].overflows += n / e->period;
		if (!(e->flags & ACRPMU_EVENT_SAMPLED) && software && e->period)
			r->quiet += n / e->period;
		if (e->acr_mask && !software)
			counts[i].flags = ACRPMU_COUNT_RELOADED;
		counts[i].value += counts[i].flags ? counts[i].overflows * e->period : n;
	}
}

static uint64_t tasks_come(void)
{
	return (now_ns - run_start_ns) / (10 * NSEC_PER_MSEC) * env_number("FAKE_COME", 0);
}

/* As the module: there are no counts with a CPU that was taken. */
static void rob(struct acrpmu_read *r, int cpu, struct acrpmu_count *counts)
{
	unsigned int i;

	for (i = 0; i < r->nr_counts; i++)
		counts[i] = (struct acrpmu_count){ .flags = ACRPMU_COUNT_TAKEN };
	r->state |= ACRPMU_STATE_CPU_LOST | ACRPMU_STATE_TAKEN;
	if (r->size < ACRPMU_READ_SIZE_VER3)
		return;
	r->taken = (struct acrpmu_error){
		.reason = env_number("FAKE_REASON", ACRPMU_REASON_CLAIM_LOST), .event = -1,
		.cpu = cpu, .value = 0x5100c5, .limit = 0x186, .holder_pid = 71,
		.holder = "thief",
	};
}

static int fake_read(const struct fake_session *s, struct acrpmu_read *r)
{
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;
	unsigned int i;
	int cpu;

	note("READ %u %d%s%.0u", number_of(s), r->cpu, r->target ? " target=" : "", r->target);
	if (r->target > s->nr_targets) {
		errno = EINVAL;
		return -1;
	}
	memset(counts, 0, r->nr_counts * sizeof(*counts));
	r->state = env_number("FAKE_STATE", 0) | (s->parked ? ACRPMU_STATE_PARKED : 0);
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (!s->cpus[cpu] || (r->cpu != ACRPMU_CPU_ALL && r->cpu != cpu))
			continue;
		read_cpu(s, cpu, r, counts);
		if (reached("FAKE_LOST_MS") && env_number("FAKE_LOST_CPU", -1) == cpu)
			r->state |= ACRPMU_STATE_CPU_LOST;
	}
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (s->cpus[cpu] && (r->cpu == ACRPMU_CPU_ALL || r->cpu == cpu) &&
		    reached("FAKE_LOST_MS") && (env_number("FAKE_ROBBED_CPU", -1) == cpu ||
						env_number("FAKE_ROBBED_TOO", -1) == cpu))
			rob(r, cpu, counts);
	r->throttled = env_number("FAKE_THROTTLED", 0);
	r->time_missed_ns = env_number("FAKE_MISSED_NS", 0);
	r->inherit_failed = env_number("FAKE_INHERIT_FAILED", 0);
	r->nr_tasks = r->target ? 1 : s->nr_targets;
	if (r->size < ACRPMU_READ_SIZE_VER2)
		return 0;
	r->tasks = r->nr_tasks + (r->nr_tasks && r->target <= 1 ? tasks_come() : 0);
	r->dropped = 1;
	for (i = 0; r->outside && i < r->nr_counts; i++)
		((uint64_t *)(uintptr_t)r->outside)[i] = 10 * (i + 1);
	return 0;
}

static int fake_query(const struct fake_session *s, struct acrpmu_query *q)
{
	struct acrpmu_event_hw *hw = (void *)(uintptr_t)q->events;
	unsigned int i;

	/* no CPU differs */
	if (q->flags) {
		errno = EINVAL;
		return -1;
	}
	note("QUERY %u", number_of(s));
	for (i = 0; i < s->nr_events; i++) {
		memset(&hw[i], 0, q->event_size);
		hw[i].cntr = i;
		hw[i].cfg_a = s->events[i].config;
		hw[i].extra_value = s->events[i].extra_value;
		hw[i].extra_msr = hw[i].extra_value ? 0x1a6 : 0;
	}
	return 0;
}

static int fake_ctl(struct fake_session *s, unsigned long request)
{
	if (request == ACRPMU_PARK) {
		note("PARK %u", number_of(s));
		s->parked = true;
		pass(env_number("FAKE_SLOW_MS", 0) * NSEC_PER_MSEC);
	} else if (request == ACRPMU_RESET) {
		note("RESET %u", number_of(s));
		memset(s->counts, 0, sizeof(s->counts));
		memset(s->running_ns, 0, sizeof(s->running_ns));
	} else {
		note("%s %u", request == ACRPMU_ENABLE ? "ENABLE" : "DISABLE", number_of(s));
		s->enabled = request == ACRPMU_ENABLE;
		s->at_exec = false;
	}
	return 0;
}

static bool follows(const struct fake_session *s, int pid)
{
	unsigned int i;

	for (i = 0; i < s->nr_targets; i++) {
		if (s->pids[i] == pid)
			return true;
	}
	return env_number("FAKE_INHERITED", 0) == pid;
}

static int fake_attach(struct fake_session *s, struct acrpmu_attach *a)
{
	static bool refused, born;
	int err = refused ? 0 : env_number("FAKE_ATTACH_ERRNO", 0);

	if (!born) {
		open_and_close("FAKE_BEFORE", O_WRONLY);
		open_and_close("FAKE_AFTER", O_RDONLY);
		born = true;
	}
	refused |= err;
	note("ATTACH %u pid=%d flags=%#x%s", number_of(s), a->pid, a->flags, err ? " refused" : "");
	a->target = 0;
	if (!err && !follows(s, a->pid) && s->nr_targets < MAX_TARGETS) {
		s->pids[s->nr_targets++] = a->pid;
		a->target = s->nr_targets;
	}
	a->error = (struct acrpmu_error){ .reason = err == ESRCH ? ACRPMU_REASON_TASK : 0,
					  .event = -1, .cpu = -1, .value = a->pid };
	errno = err;
	return err ? -1 : 0;
}

static int session_ioctl(struct fake_session *s, unsigned long request, void *arg)
{
	switch (request) {
	case ACRPMU_ATTACH:
		return fake_attach(s, arg);
	case ACRPMU_UNPARK:
		return fake_unpark(s, arg);
	case ACRPMU_READ:
		return fake_read(s, arg);
	case ACRPMU_QUERY:
		return fake_query(s, arg);
	default:
		return fake_ctl(s, request);
	}
}

/**
 * ioctl() - answers for the device and its sessions, the C library's for all else
 * @fd: descriptor
 * @request: command
 *
 * Return: as ioctl(2).
 */
int ioctl(int fd, unsigned long request, ...)
{
	unsigned int i;
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == ACRPMU_INFO && fd == device_fd)
		return fake_info(arg);
	if (request == ACRPMU_SESSION_CREATE && fd == device_fd)
		return fake_create(arg);
	for (i = 0; i < nr_sessions; i++) {
		if (sessions[i].open && sessions[i].fd == fd)
			return session_ioctl(&sessions[i], request, arg);
	}
	return syscall(SYS_ioctl, fd, request, arg);
}
