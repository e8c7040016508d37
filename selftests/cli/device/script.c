// SPDX-License-Identifier: GPL-2.0-only
/* The script: what happens, line by line, and when. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/*
 * FAKE_SCRIPT names the file.  The device goes on in it whenever acrctl's loop waits and a session
 * runs, and before one is stopped; a test may add lines in the meantime.  Lines have a word, then
 * KEY=NUMBER or KEY=NUMBER+NUMBER in any order, then the rest.
 *
 * What happens:
 *   sample ip=ADDRESS [session=N] [nr=N] [period=N] [kernel=1] [CALLER,CALLER...]
 *                         nr samples, a step= of time apart; a call chain if the session has those
 *   comm NAME             a task changes its name; `exec NAME`: by execve()
 *   mmap addr= len= off= [BUILD_ID] PATH   it maps a file to execute it; a build-id is - or hex
 *   fork [ppid=]          by which it comes, of the process of the session or another
 *   exit                  and goes
 * All of them have cpu=, pid=, tid= and time=.  Without these the CPU is the first of the session,
 * the process that of the session, or acrctl's first child, the thread has its number, and each
 * record is a millisecond after the one before, the first at 1000 s.
 *
 * When the next lines are read:
 *   poll                  the next time that acrctl's loop waits
 *   enable                the next time that a session is started
 *   stop                  when the sessions are stopped; then `poll` and `enable` wait for nothing
 *   ms N                  from when a run has lasted so long, with virtual time
 *   exists FILE           once the file exists
 *   again                 as above, all of them, 10 ms later; not any more when the sessions stop
 * And for others:
 *   say TEXT              is in the log; now: how long the run has lasted, in milliseconds
 *   open FIFO             waits until somebody reads it
 *   signal N              to acrctl
 * A line with another word or key, or of a session or CPU that is not there, ends acrctl.
 */
#define SEC_NS		1000000000ULL
#define STEP_NS		1000000ULL
#define MAX_CHAIN	130
/* before it, a sample has as many words as it has fields */
#define MAX_WORDS	(16 + MAX_CHAIN)
#define BUILD_ID_MAX	20

struct line {
	char *word, *text;
	int64_t session, cpu, kernel, nr, ip, period, step, addr, len, off, number, ppid;
	struct moment m;
};

static char *text;			/* what was read, of which so much is done */
static size_t read_bytes, done_bytes;
static bool waits;			/* for the next poll or start */
static unsigned int nr_starts, starts_before;
static pid_t child;
static uint64_t next_ns = 1000 * SEC_NS;

/**
 * script_forked() - remember acrctl's first child
 */
void script_forked(pid_t pid)
{
	if (!child)
		child = pid;
}

/**
 * script_may_grow() - whether lines may come that could be read now
 */
bool script_may_grow(void)
{
	return getenv("FAKE_SCRIPT");
}

/* ---- lines --------------------------------------------------------------------------------- */

static void read_more(void)
{
	const char *path = getenv("FAKE_SCRIPT");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && (size_t)st.st_size > read_bytes) {
		text = realloc(text, st.st_size + 1);
		n = pread(fd, text + read_bytes, st.st_size - read_bytes, read_bytes);
		read_bytes += n > 0 ? n : 0;
		text[read_bytes] = '\0';
	}
	close(fd);
}

static void set(struct line *l, const char *key, const char *value)
{
	const struct {
		const char *name;
		int64_t *value;
	} keys[] = {
		{ "ip", &l->ip }, { "session", &l->session }, { "cpu", &l->cpu }, { "nr", &l->nr },
		{ "period", &l->period }, { "step", &l->step }, { "kernel", &l->kernel },
		{ "addr", &l->addr }, { "len", &l->len }, { "off", &l->off },
		{ "pid", &l->m.pid }, { "tid", &l->m.tid }, { "ppid", &l->ppid },
		{ "time", &l->m.time },
	};
	char *end;
	uint64_t n = strtoull(value, &end, 0) + strtoull(end, NULL, 0);
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!strcmp(key, keys[i].name)) {
			*keys[i].value = n;
			return;
		}
	}
	give_up("the script has no key %s", key);
}

/* Splits the line, which is kept. */
static struct line parse(char *at)
{
	struct line l = { .cpu = -1, .nr = 1, .step = STEP_NS, .word = strsep(&at, " ") };
	char *value, *end;

	while (at) {
		at += strspn(at, " ");
		end = at + strcspn(at, " ");
		value = memchr(at, '=', end - at);
		if (!value || *at == '/')
			break;
		*value++ = '\0';
		if (*end)
			*end++ = '\0';
		else
			end = NULL;
		set(&l, at, value);
		at = end;
	}
	l.text = at ?: "";
	l.number = strtoull(l.text, NULL, 0);
	if (l.session < 0 || l.session >= nr_sessions)
		give_up("the script has no session %d yet", (int)l.session);
	if (!l.m.pid)
		l.m.pid = sessions[l.session].pids[0] ?: child;
	if (!l.m.tid)
		l.m.tid = l.m.pid;
	return l;
}

/* ---- records ------------------------------------------------------------------------------- */

/* A record's own time, or the next one. */
static void pass_time(struct line *l)
{
	if (l->m.time)
		next_ns = l->m.time;
	l->m.time = next_ns;
	next_ns += l->step;
}

static unsigned int put_chain(uint64_t *words, const struct line *l)
{
	const char *caller = l->text;
	unsigned int n = 1;

	words[n++] = l->kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
	words[n++] = l->ip;
	while (*caller && n < MAX_CHAIN) {
		words[n++] = strtoull(caller, NULL, 0);
		caller += strcspn(caller, ",");
		caller += *caller == ',';
	}
	words[0] = n - 1;
	return n;
}

static void put_sample(struct fake_session *s, struct ring *ring, int cpu, const struct line *l)
{
	const struct acrpmu_event_attr *e = &s->events[session_sampled(s)];
	uint64_t words[MAX_WORDS] = { 0 };
	struct perf_event_header *h = (void *)words;
	unsigned int n = 1;

	words[n++] = e->id;
	words[n++] = l->ip;
	words[n++] = l->m.pid | l->m.tid << 32;
	words[n++] = l->m.time;
	words[n++] = cpu;
	words[n++] = l->period ?: (int64_t)e->period;
	if (s->sample_type & PERF_SAMPLE_CALLCHAIN)
		n += put_chain(words + n, l);
	*h = (struct perf_event_header){
		.type = PERF_RECORD_SAMPLE, .size = n * sizeof(*words),
		.misc = l->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};
	s->records += ring_put(ring, words, h->size);
}

static void sample(struct line *l)
{
	struct fake_session *s = &sessions[l->session];
	unsigned int n = 0;
	long i;

	while (l->cpu >= 0 && n < s->nr_cpus && s->cpus[n] != l->cpu)
		n++;
	if (n == s->nr_cpus)
		give_up("the script has no session on CPU %d", (int)l->cpu);
	for (i = 0; i < l->nr; i++) {
		pass_time(l);
		put_sample(s, &s->rings[n], s->cpus[n], l);
		l->m.time = 0;
	}
}

/* Sideband records begin with who it is about. */
struct record {
	struct perf_event_header h;
	uint32_t pid, tid;
	char data[4096 + 256];
};

static void put_record(struct line *l, struct record *r, size_t bytes)
{
	pass_time(l);
	r->pid = l->m.pid;
	r->tid = l->m.tid;
	r->h.size = offsetof(struct record, data) + ((bytes + 7) & ~7UL);
	if (!perf_put(l->cpu, &r->h, &l->m))
		note("SCRIPT has a record for no ring: %s", l->word);
}

static void comm(struct line *l)
{
	struct record r = { .h = {
		.type = PERF_RECORD_COMM,
		.misc = strcmp(l->word, "exec") ? 0 : PERF_RECORD_MISC_COMM_EXEC,
	} };

	/* as the kernel keeps it */
	snprintf(r.data, 16, "%s", l->text);
	put_record(l, &r, strlen(r.data) + 1);
}

struct mapping {
	uint64_t addr, len, off;
	union {
		struct {
			uint32_t maj, min;
			uint64_t ino, generation;
		};
		struct {
			uint8_t size, reserved[3], build_id[BUILD_ID_MAX];
		};
	};
	uint32_t prot, flags;
	char path[4096];
};

static unsigned int put_build_id(struct mapping *m, const char *hex, size_t digits)
{
	unsigned int byte;

	while (digits >= 2 && m->size < BUILD_ID_MAX && sscanf(hex, "%2x", &byte) == 1) {
		m->build_id[m->size++] = byte;
		hex += 2;
		digits -= 2;
	}
	return m->size;
}

static void map(struct line *l)
{
	struct record r = { .h = {
		.type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER,
	} };
	struct mapping *m = (void *)r.data;
	const char *id = l->text, *path = strchr(id, ' ');
	struct stat st;

	path = path ? path + 1 : id;
	m->addr = l->addr;
	m->len = l->len;
	m->off = l->off;
	m->prot = 5;
	m->flags = 2;
	snprintf(m->path, sizeof(m->path), "%s", path);
	/* a kernel that knows build-ids has no inode where it has one */
	if (path != id && perf_wants_build_ids(l->cpu) && put_build_id(m, id, path - 1 - id)) {
		r.h.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	} else if (!stat(path, &st)) {
		m->maj = major(st.st_dev);
		m->min = minor(st.st_dev);
		m->ino = st.st_ino;
	}
	put_record(l, &r, offsetof(struct mapping, path) + strlen(path) + 1);
}

static void live(struct line *l)
{
	struct record r = { .h.type = *l->word == 'f' ? PERF_RECORD_FORK : PERF_RECORD_EXIT };
	struct perf_event_header *h = &r.h;
	uint32_t *words = (uint32_t *)(h + 1);
	uint32_t parent = l->ppid ?: sessions[0].pids[0];

	/* pid, ppid, tid, ptid, time */
	pass_time(l);
	words[0] = l->m.pid;
	words[1] = parent;
	words[2] = l->m.tid;
	words[3] = parent;
	memcpy(words + 4, &l->m.time, sizeof(l->m.time));
	h->size = sizeof(*h) + 6 * sizeof(*words);
	if (!perf_put(l->cpu, h, &l->m))
		note("SCRIPT has a record for no ring: %s", l->word);
}

/* ---- what is done when --------------------------------------------------------------------- */

/**
 * script_started() - a session was started
 */
void script_started(void)
{
	nr_starts++;
}

/* The event for which the next lines wait comes after they were met. */
static bool must_wait_for(bool event)
{
	waits = !waits || !event;
	starts_before = waits ? nr_starts : 0;
	return waits;
}

/* Whether the next lines have to wait. */
static bool must_wait(const struct line *l, enum script_event event)
{
	bool now = event == SCRIPT_STOPPED;

	if (now && !strcmp(l->word, "again"))
		return true;
	if (now)
		waits = false;
	else if (!strcmp(l->word, "poll"))
		return must_wait_for(event == SCRIPT_POLLED);
	else if (!strcmp(l->word, "enable"))
		return must_wait_for(nr_starts != starts_before);
	else if (!strcmp(l->word, "again"))
		return must_wait_for(event == (clock_runs() ? SCRIPT_POLLED : SCRIPT_LATER));
	if (!strcmp(l->word, "stop"))
		return !now;
	if (!strcmp(l->word, "ms"))
		return clock_run_ms() < l->number;
	return !strcmp(l->word, "exists") && access(l->text, F_OK);
}

static void say(struct line *l)
{
	note("%s", l->text);
}

static void now(struct line *l)
{
	(void)l;
	note("NOW %llu", (unsigned long long)clock_run_ms());
}

static void open_fifo(struct line *l)
{
	open_and_close(l->text, O_WRONLY);
}

static void send_signal(struct line *l)
{
	kill(getpid(), l->number);
}

static void again(struct line *l)
{
	(void)l;
	done_bytes = 0;
}

/* Waiting is over. */
static void nothing(struct line *l)
{
	(void)l;
}

static void act(struct line *l)
{
	static const struct {
		const char *word;
		void (*act)(struct line *l);
	} acts[] = {
		{ "sample", sample }, { "comm", comm }, { "exec", comm }, { "mmap", map },
		{ "fork", live }, { "exit", live }, { "say", say }, { "now", now },
		{ "open", open_fifo }, { "signal", send_signal }, { "again", again },
		{ "poll", nothing }, { "enable", nothing }, { "stop", nothing }, { "ms", nothing },
		{ "exists", nothing },
	};
	size_t i;

	for (i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		if (!strcmp(l->word, acts[i].word)) {
			acts[i].act(l);
			return;
		}
	}
	give_up("the script has no word %s", l->word);
}

static bool any_runs(void)
{
	unsigned int i;

	for (i = 0; i < nr_sessions; i++) {
		if (sessions[i].runs && sessions[i].fd >= 0)
			return true;
	}
	return false;
}

/**
 * script_play() - go on in the script as far as it may go now
 */
void script_play(enum script_event event)
{
	bool more = any_runs();
	char *end, *line;
	struct line l;

	if (more)
		read_more();
	while (more && text && (end = strchr(text + done_bytes, '\n'))) {
		line = strndup(text + done_bytes, end - text - done_bytes);
		l = parse(line);
		more = !must_wait(&l, event);
		if (more) {
			done_bytes = end + 1 - text;
			act(&l);
			more = strcmp(l.word, "again");
		}
		free(line);
	}
}
