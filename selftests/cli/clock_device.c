// SPDX-License-Identifier: GPL-2.0-only
/* A stand-in for /dev/acrpmu by LD_PRELOAD: checks requests and samples with perf's CPU clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "../../uapi/acrpmu.h"

/*
 * Environment:
 *   FAKE_REASON=N FAKE_ERRNO=N   session creation is refused with these
 *   FAKE_EVENT=N                 index of the event that the refusal blames
 *   FAKE_REFUSE_NR=N             only after N sessions have been created
 *   FAKE_REFUSE_IF=FILE          only while FILE exists
 *   FAKE_LOST=N FAKE_THROTTLED=N FAKE_DISCARDED=N FAKE_STATE=N   accounts at the end
 *   FAKE_READ_ERRNO=N            they cannot be read
 *   FAKE_SILENT=1                no sample ever
 *   FAKE_LIVE=1                  samples arrive whenever acrctl polls, not only when a session is
 *                                stopped
 *   FAKE_MISCOUNT=1              the accounts claim one record more than there is
 *   FAKE_SLOW=create|enable|sideband   before the first session is created or enabled, or the first
 *                                event of another PMU is enabled, waits until FILE.go exists
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
 *   FAKE_LOG=FILE                one line for each command, and some with details
 */
#define MAX_SESSIONS	32
#define MAX_CPUS	64
#define CLOCK_PAGES	64
#define CLOCK_PERIOD_NS	1000000
#define READ_NS		100000000
#define BITS_PER_BYTE	8
/* what lies between a sample's header and its period, a word each */
#define BEFORE_PERIOD	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

struct fake_session {
	int fd;
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	unsigned int nr_events, nr_cpus, ring_pages;
	unsigned int period_at;		/* in a sample, in words */
	int cpus[MAX_CPUS];
	int clock_fds[MAX_CPUS];
	void *clocks[MAX_CPUS];
	void *rings[MAX_CPUS];
	bool mapped[MAX_CPUS];		/* by acrctl */
	bool arrived;			/* on all CPUs */
	short polled;			/* for what, in its loop */
	uint64_t records;
	uint64_t nr_reads;
	uint64_t overflows;		/* of FAKE_OCCURS */
	uint64_t rest;			/* occurrences since the last one */
};

static struct fake_session sessions[MAX_SESSIONS];
static unsigned int nr_sessions;
static int device_fd = -1;

static long env_number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 0) : 0;
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

/* Let a test act now: it waits for the line in the log, and creates the file when it is done. */
static void pause_before(const char *what)
{
	const char *slow = getenv("FAKE_SLOW"), *path = getenv("FAKE_LOG");
	struct timespec pause = { .tv_nsec = 10000000 };
	unsigned int tries = 6000;
	static bool done;
	char go[4096];

	if (done || !slow || strcmp(slow, what))
		return;
	done = true;
	note("SLOW %s", what);
	snprintf(go, sizeof(go), "%s.go", path ?: "");
	while (access(go, F_OK) && --tries)
		nanosleep(&pause, NULL);
}

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

static struct fake_session *session_of(int fd)
{
	unsigned int i;

	for (i = 0; fd >= 0 && i < nr_sessions; i++) {
		if (sessions[i].fd == fd)
			return &sessions[i];
	}
	return NULL;
}

static void *real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *(*real)(void *at, size_t len, int prot, int flags, int fd, off_t offset) =
		dlsym(RTLD_NEXT, "mmap");

	return real(at, len, prot, flags, fd, offset);
}

static bool mmap_fails(const struct fake_session *s)
{
	static long times;

	errno = env_number("FAKE_MMAP_ERRNO");
	return errno && (!getenv("FAKE_ARRIVE") || s->arrived) &&
	       (!getenv("FAKE_MMAP_TIMES") || times++ < env_number("FAKE_MMAP_TIMES"));
}

static void *map_ring(struct fake_session *s, size_t len, off_t offset)
{
	int cpu = offset / ACRPMU_RING_OFFSET(1);
	unsigned int n;

	if (mmap_fails(s))
		return MAP_FAILED;
	note("MAP %d", cpu);
	for (n = 0; n < s->nr_cpus; n++)
		s->mapped[n] |= s->cpus[n] == cpu;
	return real_mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, offset);
}

/**
 * mmap64() - maps a ring of a session, or is the C library's
 * @at: wanted address
 * @len: bytes
 * @prot: PROT_*
 * @flags: MAP_*
 * @fd: descriptor
 * @offset: in it
 *
 * Return: as mmap(2).
 */
void *mmap64(void *at, size_t len, int prot, int flags, int fd, off64_t offset)
{
	struct fake_session *s = session_of(fd);

	return s ? map_ring(s, len, offset) : real_mmap(at, len, prot, flags, fd, offset);
}

/**
 * close() - the C library's, noted for a session
 * @fd: descriptor
 *
 * Return: as close(2).
 */
int close(int fd)
{
	int (*real)(int fd) = dlsym(RTLD_NEXT, "close");
	struct fake_session *s = session_of(fd);

	if (s) {
		note("CLOSE");
		s->fd = -1;
	}
	return real(fd);
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
	const char *kinds = getenv("FAKE_KINDS");
	uint32_t i, room = info->nr_cpus;

	note("INFO");
	info->abi_version = ACRPMU_ABI_VERSION;
	info->nr_cpus = online();
	info->max_events = ACRPMU_MAX_EVENTS;
	info->features = ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_TASK | ACRPMU_FEATURE_INHERIT |
			 ACRPMU_FEATURE_EXEC |
			 (env_number("FAKE_JITTER") ? ACRPMU_FEATURE_JITTER : 0) |
			 (getenv("FAKE_NO_PERIODS") ? 0 : ACRPMU_FEATURE_PERIODS) |
			 (getenv("FAKE_NO_SOFTWARE") ? 0 : ACRPMU_FEATURE_SOFTWARE);
	info->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	info->min_period_sampled = 1000;
	info->min_period_quiet = 1;
	info->max_ring_pages = ACRPMU_MAX_RING_PAGES;
	info->max_sample_rate = 100000;
	info->nr_sessions = nr_sessions;
	info->arbiter = ACRPMU_ARBITER_CLAIM;
	for (i = 0; cpus && room >= info->nr_cpus && i < info->nr_cpus; i++) {
		memset(&cpus[i], 0, info->cpu_size);
		cpus[i].cpu = i;
		cpus[i].flags = ACRPMU_CPU_ONLINE | ACRPMU_CPU_USABLE | ACRPMU_CPU_ACR |
				ACRPMU_CPU_FULL_WIDTH;
		if (getenv("FAKE_NO_ACR"))
			cpus[i].flags &= ~ACRPMU_CPU_ACR;
		cpus[i].pmu_version = 6;
		cpus[i].signature = 0xd06d0;
		cpus[i].gp_width = 48;
		cpus[i].fixed_width = 48;
		cpus[i].cntrs = 0x3f000000ffULL;
		cpus[i].reloadable_cntrs = 0x7000000ffULL;
		cpus[i].cause_cntrs = 0x7000000ffULL;
		strcpy(cpus[i].name, "clearwaterforest");
		if (kinds)
			fill_hybrid(&cpus[i], kinds[i % strlen(kinds)] == 'P');
	}
	return 0;
}

static int open_clock(const struct acrpmu_session_attr *a, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = CLOCK_PERIOD_NS,
		.sample_type = a->sample_type,
		.disabled = 1,
		.exclude_kernel = 1,
		.inherit = !!(a->flags & ACRPMU_SESSION_INHERIT),
		.enable_on_exec = !!(a->flags & ACRPMU_SESSION_ENABLE_ON_EXEC),
	};
	pid_t pid = a->flags & ACRPMU_SESSION_TASK ? a->pid : -1;

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool wants_cpu(const struct acrpmu_session_attr *a, int cpu)
{
	const uint8_t *map = (const void *)(uintptr_t)a->cpus;

	if (!a->cpus_size)
		return true;
	return cpu / BITS_PER_BYTE < (int)a->cpus_size &&
	       map[cpu / BITS_PER_BYTE] >> cpu % BITS_PER_BYTE & 1;
}

static bool refuse_cpus(struct acrpmu_session_attr *a)
{
	unsigned int cpu;

	/* those that may come later */
	if (a->flags & ACRPMU_SESSION_ARRIVE)
		return false;
	for (cpu = online(); cpu < a->cpus_size * BITS_PER_BYTE; cpu++) {
		if (!wants_cpu(a, cpu))
			continue;
		a->error.reason = ACRPMU_REASON_CPU_OFFLINE;
		a->error.event = -1;
		a->error.cpu = cpu;
		return true;
	}
	return false;
}

static int add_cpu(struct fake_session *s, const struct acrpmu_session_attr *a, int cpu)
{
	size_t size = (size_t)(a->ring_pages + 1) * getpagesize();
	struct acrpmu_ring_page *page;
	unsigned int n = s->nr_cpus;

	s->cpus[n] = cpu;
	s->clock_fds[n] = open_clock(a, cpu);
	if (s->clock_fds[n] < 0)
		return -1;
	s->clocks[n] = real_mmap(NULL, (CLOCK_PAGES + 1) * getpagesize(), PROT_READ | PROT_WRITE,
				 MAP_SHARED, s->clock_fds[n], 0);
	page = real_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd,
			 ACRPMU_RING_OFFSET(cpu));
	if (s->clocks[n] == MAP_FAILED || page == MAP_FAILED)
		return -1;
	page->version = 1;
	page->size = sizeof(*page);
	page->data_offset = getpagesize();
	page->data_size = (uint64_t)a->ring_pages * getpagesize();
	s->rings[n] = page;
	s->nr_cpus++;
	return 0;
}

static int fake_create(struct acrpmu_session_attr *a)
{
	const struct acrpmu_event_attr *events = (const void *)(uintptr_t)a->events;
	struct fake_session *s = &sessions[nr_sessions];
	char cpus[16] = "";
	uint32_t i;

	pause_before("create");
	if (getenv("FAKE_KINDS") && a->cpus_size)
		snprintf(cpus, sizeof(cpus), " cpus=%#x", *(const uint8_t *)(uintptr_t)a->cpus);
	note("CREATE flags=%#x nr_events=%u ring_pages=%u cpus_size=%u pid=%d%s", a->flags,
	     a->nr_events, a->ring_pages, a->cpus_size, a->pid, cpus);
	if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
		note("CHAINS max_stack=%u", a->max_stack);
	if (a->jitter)
		note("JITTER %u", a->jitter);
	for (i = 0; i < a->nr_events; i++)
		note("  event %u config=%#llx period=%llu acr_mask=%#llx flags=%#x", i,
		     events[i].config, events[i].period, events[i].acr_mask, events[i].flags);
	if (getenv("FAKE_ERRNO") && nr_sessions >= env_number("FAKE_REFUSE_NR") &&
	    (!getenv("FAKE_REFUSE_IF") || !access(getenv("FAKE_REFUSE_IF"), F_OK))) {
		a->error.reason = env_number("FAKE_REASON");
		a->error.event = getenv("FAKE_EVENT") ? env_number("FAKE_EVENT") : -1;
		a->error.cpu = -1;
		errno = env_number("FAKE_ERRNO");
		return -1;
	}
	if (refuse_cpus(a)) {
		errno = ENODEV;
		return -1;
	}
	memset(s, 0, sizeof(*s));
	memcpy(s->events, events, a->nr_events * sizeof(*events));
	s->nr_events = a->nr_events;
	s->ring_pages = a->ring_pages;
	s->period_at = 1 + __builtin_popcountll(a->sample_type & BEFORE_PERIOD);
	s->fd = memfd_create("session", MFD_CLOEXEC);
	if (ftruncate(s->fd, ACRPMU_RING_OFFSET(MAX_CPUS)))
		return -1;
	for (i = 0; (int)i < online(); i++) {
		if (wants_cpu(a, i) && add_cpu(s, a, i))
			return -1;
	}
	a->session_id = ++nr_sessions;
	return s->fd;
}

static unsigned int sampled_event(const struct fake_session *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_events; i++) {
		if (s->events[i].flags & ACRPMU_EVENT_SAMPLED)
			return i;
	}
	return 0;
}

/* One sample of the clock becomes one of the session: other id, other period. */
static void convert(struct fake_session *s, struct acrpmu_ring_page *to, const uint64_t *words,
		    unsigned int nr)
{
	const struct acrpmu_event_attr *e = &s->events[sampled_event(s)];
	unsigned char *data = (unsigned char *)to + to->data_offset;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		/* the identifier follows the header */
		uint64_t word = i == 1 ? e->id : i == s->period_at ? e->period : words[i];

		memcpy(data + (to->data_head + i * sizeof(word)) % to->data_size, &word,
		       sizeof(word));
	}
	to->data_head += nr * sizeof(*words);
	s->records++;
}

static void pump(struct fake_session *s, unsigned int n)
{
	struct perf_event_mmap_page *from = s->clocks[n];
	const unsigned char *data = (unsigned char *)from + from->data_offset;
	uint64_t head = __atomic_load_n(&from->data_head, __ATOMIC_ACQUIRE), at = from->data_tail;
	struct acrpmu_ring_page *to = s->rings[n];

	while (at < head) {
		uint64_t words[UINT16_MAX / sizeof(uint64_t)];
		struct perf_event_header h;
		unsigned int i;

		memcpy(&h, data + at % from->data_size, sizeof(h));
		for (i = 0; i < h.size / sizeof(*words); i++)
			memcpy(&words[i], data + (at + i * sizeof(*words)) % from->data_size,
			       sizeof(*words));
		if (h.type == PERF_RECORD_SAMPLE && !getenv("FAKE_SILENT") &&
		    to->data_head - to->data_tail + h.size <= to->data_size)
			convert(s, to, words, i);
		at += h.size;
	}
	__atomic_store_n(&from->data_tail, at, __ATOMIC_RELEASE);
}

static int fake_switch(struct fake_session *s, bool on)
{
	unsigned int i;

	if (on)
		pause_before("enable");
	note(on ? "ENABLE" : "DISABLE");
	for (i = 0; i < s->nr_cpus; i++) {
		syscall(SYS_ioctl, s->clock_fds[i],
			on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
		if (!on)
			pump(s, i);
	}
	return 0;
}

/* Of a list, the number at an index; the last one stays. */
static uint64_t number_at(const char *list, uint64_t index)
{
	while (index-- && strchr(list, ','))
		list = strchr(list, ',') + 1;
	return strtoull(list, NULL, 0);
}

static void let_occur(struct fake_session *s, struct acrpmu_read *r)
{
	const char *list = getenv("FAKE_OCCURS");
	uint64_t period = s->events[sampled_event(s)].period;
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;

	if (!list)
		return;
	s->rest += number_at(list, s->nr_reads++);
	s->overflows += s->rest / period;
	s->rest %= period;
	r->time_enabled_ns = s->nr_reads * READ_NS;
	counts[sampled_event(s)].overflows = s->overflows;
}

static int fake_set_periods(struct fake_session *s, struct acrpmu_set_periods *set)
{
	const uint64_t *periods = (const void *)(uintptr_t)set->periods;
	unsigned int i;

	note("SET_PERIODS %td of %u", s - sessions, set->nr_periods);
	for (i = 0; i < s->nr_events && i < set->nr_periods; i++)
		note("  event %u period=%llu", i, (unsigned long long)periods[i]);
	errno = set->nr_periods == s->nr_events ? env_number("FAKE_PERIODS_ERRNO") : EINVAL;
	if (errno) {
		set->error = (struct acrpmu_error){
			.reason = ACRPMU_REASON_PERIOD_SMALL, .cpu = -1, .value = periods[0],
			.limit = periods[0] + 1,
		};
		return -1;
	}
	for (i = 0; i < s->nr_events; i++)
		s->events[i].period = periods[i];
	s->rest = 0;
	return 0;
}

/* As the module: there are no counts with a CPU that was taken. */
static void rob(struct acrpmu_read *r)
{
	struct acrpmu_count *counts = (void *)(uintptr_t)r->counts;
	unsigned int i;

	for (i = 0; i < r->nr_counts; i++)
		counts[i] = (struct acrpmu_count){ .flags = ACRPMU_COUNT_TAKEN };
	r->state |= ACRPMU_STATE_TAKEN;
	if (r->size < ACRPMU_READ_SIZE_VER3)
		return;
	r->taken.reason = ACRPMU_REASON_REGISTER;
	r->taken.cpu = r->cpu == ACRPMU_CPU_ALL ? 0 : r->cpu;
}

static bool is_taken(const struct fake_session *s, int cpu)
{
	const char *file = getenv("FAKE_TAKEN_IF"), *more = getenv("FAKE_MORE_IF");
	unsigned int i, nr = file && access(file, F_OK) ? 0 : env_number("FAKE_TAKEN");

	nr += more && !access(more, F_OK);
	for (i = 0; i < nr && i < s->nr_cpus; i++) {
		if (cpu == ACRPMU_CPU_ALL || s->cpus[i] == cpu)
			return true;
	}
	return false;
}

static int fake_read(struct fake_session *s, struct acrpmu_read *r)
{
	unsigned int i;

	note("READ");
	note("  records %llu", (unsigned long long)s->records);
	errno = env_number("FAKE_READ_ERRNO");
	if (errno)
		return -1;
	r->records = s->records + env_number("FAKE_MISCOUNT");
	r->lost = env_number("FAKE_LOST");
	r->throttled = env_number("FAKE_THROTTLED");
	r->discarded = env_number("FAKE_DISCARDED");
	r->time_running_ns = env_number("FAKE_RUNNING_NS");
	r->time_missed_ns = env_number("FAKE_MISSED_NS");
	r->state = env_number("FAKE_STATE");
	r->guest = env_number("FAKE_GUEST");
	memset((void *)(uintptr_t)r->counts, 0, r->nr_counts * sizeof(struct acrpmu_count));
	for (i = 0; i < r->nr_counts; i++)
		((struct acrpmu_count *)(uintptr_t)r->counts)[i].value =
			env_number("FAKE_VALUE") * (i + 1);
	let_occur(s, r);
	if (is_taken(s, r->cpu))
		rob(r);
	if (r->size < ACRPMU_READ_SIZE_VER2)
		return 0;
	r->quiet = env_number("FAKE_QUIET");
	r->dropped = env_number("FAKE_DROPPED");
	for (i = 0; r->outside && i < r->nr_counts; i++)
		((uint64_t *)(uintptr_t)r->outside)[i] = 10 * (i + 1);
	return 0;
}

static bool holds(const struct fake_session *s, int cpu)
{
	return cpu == s->cpus[0] || (s->arrived && !strcmp(getenv("FAKE_ARRIVE"), "held"));
}

static int fake_query(struct fake_session *s, struct acrpmu_query *q)
{
	struct acrpmu_event_hw *hw = (void *)(uintptr_t)q->events;
	bool held = true;
	unsigned int i;

	/* without FAKE_ARRIVE no CPU differs */
	if (q->flags && !getenv("FAKE_ARRIVE")) {
		errno = EINVAL;
		return -1;
	}
	if (q->flags)
		held = holds(s, q->cpu);
	else
		note("QUERY");
	for (i = 0; i < s->nr_events; i++) {
		memset(&hw[i], 0, q->event_size);
		hw[i].cntr = held ? (int)i : -1;
		hw[i].cfg_a = s->events[i].config;
		hw[i].cfg_b = s->events[i].acr_mask;
		hw[i].cfg_c = (uint32_t)-s->events[i].period;
		hw[i].start = -s->events[i].period;
	}
	return 0;
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
	struct fake_session *s = session_of(fd);
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == ACRPMU_INFO && fd == device_fd)
		return fake_info(arg);
	if (request == ACRPMU_SESSION_CREATE && fd == device_fd)
		return fake_create(arg);
	if (s && (request == ACRPMU_ENABLE || request == ACRPMU_DISABLE))
		return fake_switch(s, request == ACRPMU_ENABLE);
	if (s && request == ACRPMU_ATTACH)
		note("ATTACH pid=%d flags=%#x", ((struct acrpmu_attach *)arg)->pid,
		     ((struct acrpmu_attach *)arg)->flags);
	if (s && request == ACRPMU_UNPARK)
		note("UNPARK");
	if (s && (request == ACRPMU_ATTACH || request == ACRPMU_UNPARK))
		return 0;
	if (s && request == ACRPMU_READ)
		return fake_read(s, arg);
	if (s && request == ACRPMU_SET_PERIODS)
		return fake_set_periods(s, arg);
	if (s && request == ACRPMU_QUERY)
		return fake_query(s, arg);
	if (request == PERF_EVENT_IOC_ENABLE)
		pause_before("sideband");
	return syscall(SYS_ioctl, fd, request, arg);
}

static bool has_new_ring(const struct fake_session *s)
{
	unsigned int n, mapped = 0;

	for (n = 0; n < s->nr_cpus; n++)
		mapped += s->mapped[n];
	return s->arrived && mapped < s->nr_cpus;
}

/* acrctl's loop polls more than one descriptor. */
static void note_polled(struct fake_session *s, short events)
{
	if (s->arrived && s->polled == events)
		return;
	s->arrived = getenv("FAKE_ARRIVE");
	s->polled = events;
	if (s->arrived)
		note("POLL events=%d", events);
}

/**
 * poll() - the C library's, after which there are new samples if the environment says so
 * @fds: what is polled
 * @nr: number of them
 * @timeout: in milliseconds
 *
 * Return: as poll(2).
 */
int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	int (*real)(struct pollfd *fds, nfds_t nr, int timeout) = dlsym(RTLD_NEXT, "poll");
	int ret = real(fds, nr, timeout);
	struct fake_session *s;
	unsigned int i, n;

	for (i = 0; i < nr; i++) {
		s = session_of(fds[i].fd);
		if (s && nr > 1)
			note_polled(s, fds[i].events);
		if (!s || !(fds[i].events & POLLPRI) || !has_new_ring(s))
			continue;
		ret += !fds[i].revents;
		fds[i].revents |= POLLPRI;
	}
	for (i = 0; getenv("FAKE_LIVE") && i < nr_sessions; i++) {
		for (n = 0; n < sessions[i].nr_cpus; n++)
			pump(&sessions[i], n);
	}
	return ret;
}
