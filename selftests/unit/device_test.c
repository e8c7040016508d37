// SPDX-License-Identifier: GPL-2.0-only
/* The library's device, sessions and rings against fake system calls. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"
#include "userspace/lib/options.h"

#define DEVICE_FD	70
#define SESSION_FD	71
#define DATA_SIZE	4096
#define LOG_LEN		1024

/* The fake: what it saw, and what it answers. */
static struct {
	char log[LOG_LEN];
	int answer;
	struct acrpmu_error error;
	struct acrpmu_session_attr attr;
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	unsigned char cpus[8];
	unsigned char *ring;
	bool old;	/* a module before ABI version 4 */
	bool taken;	/* somebody else has taken a CPU */
} fake;

static void note(const char *what, unsigned long long value)
{
	size_t len = strlen(fake.log);

	snprintf(fake.log + len, sizeof(fake.log) - len, "%s%s %llu", len ? "; " : "", what, value);
}

static int fake_open(const char *path)
{
	note(path, 0);
	return fake.answer ? fake.answer : DEVICE_FD;
}

static void fake_close(int fd)
{
	note("close", fd);
}

static int create(struct acrpmu_session_attr *attr)
{
	fake.attr = *attr;
	memcpy(fake.events, (void *)(uintptr_t)attr->events,
	       attr->nr_events * sizeof(*fake.events));
	if (attr->cpus)
		memcpy(fake.cpus, (void *)(uintptr_t)attr->cpus, attr->cpus_size);
	attr->session_id = 5;
	attr->error = fake.error;
	return fake.answer ? fake.answer : SESSION_FD;
}

/* One Goldmont, which has general-purpose counters 0 to 3. */
static int answer_info(struct acrpmu_info *info)
{
	struct acrpmu_cpu_info *cpu = (void *)(uintptr_t)info->cpus;

	info->abi_version = fake.old ? 3 : 4;
	info->features = fake.old ? 0 : ACRPMU_FEATURE_ALLOWED_CNTRS;
	info->nr_cpus = 1;
	if (cpu)
		*cpu = (struct acrpmu_cpu_info){
			.flags = ACRPMU_CPU_USABLE, .cntrs = 0x70000000f, .name = "goldmont",
		};
	return 0;
}

/* As the module does: no byte beyond the caller's size */
static void answer_read(struct acrpmu_read *read)
{
	__u64 *outside = read->size < ACRPMU_READ_SIZE_VER2 ? NULL :
			 (void *)(uintptr_t)read->outside;

	read->records = 9;
	if (read->size >= ACRPMU_READ_SIZE_VER2) {
		read->quiet = 4;
		read->tasks = 7;
	}
	if (fake.taken && read->size >= ACRPMU_READ_SIZE_VER3) {
		read->state = ACRPMU_STATE_TAKEN;
		read->taken = (struct acrpmu_error){
			.reason = ACRPMU_REASON_CLAIM_LOST, .event = -1, .cpu = 3,
			.holder_pid = 7, .holder = "thief",
		};
	}
	if (read->target)
		note("target", read->target);
	if (outside)
		outside[1] = 33;
	note("read size", read->size);
}

static void set_periods(struct acrpmu_set_periods *set)
{
	const __u64 *periods = (const void *)(uintptr_t)set->periods;
	__u32 i;

	note("flags", set->flags);
	for (i = 0; i < set->nr_periods; i++)
		note("period", periods[i]);
	set->error = fake.error;
}

static void attach_task(struct acrpmu_attach *attach)
{
	note("pid", attach->pid);
	note("flags", attach->flags);
	attach->target = attach->target ? 0 : 6;
	attach->error = fake.error;
}

static int fake_ioctl(int fd, unsigned long command, void *arg)
{
	note("fd", fd);
	note("command", command & 0xff);
	if (command == ACRPMU_SESSION_CREATE)
		return create(arg);
	if (command == ACRPMU_INFO)
		return answer_info(arg);
	if (command == ACRPMU_UNPARK)
		((struct acrpmu_unpark *)arg)->error = fake.error;
	if (command == ACRPMU_SET_PERIODS)
		set_periods(arg);
	if (command == ACRPMU_ATTACH)
		attach_task(arg);
	if (command == ACRPMU_READ)
		answer_read(arg);
	return *(__u32 *)arg ? fake.answer : -EINVAL;
}

static int fake_mmap(int fd, size_t length, __u64 offset, void **base)
{
	struct acrpmu_ring_page *page;
	size_t page_size = sysconf(_SC_PAGESIZE);

	note("mmap of", fd);
	note("cpu", offset >> 32);
	fake.ring = calloc(1, length);
	page = (struct acrpmu_ring_page *)fake.ring;
	page->data_offset = page_size;
	page->data_size = DATA_SIZE;
	*base = fake.ring;
	return 0;
}

static void fake_munmap(void *base, size_t length)
{
	note("munmap", length);
	free(base);
}

static const struct acrpmu_ops ops = {
	fake_open, fake_close, fake_ioctl, fake_mmap, fake_munmap
};

static struct acrpmu_spec *parse(void)
{
	static const char *const string =
		"{instructions,cycles/period=100000,ratio-to-prev=0.5/}:u";
	struct acrpmu_spec *spec = NULL;

	ok(!acrpmu_spec_parse(&string, 1, NULL, &spec, NULL), "a pair is read without a message");
	return spec;
}

static struct acrpmu_session *make(struct acrpmu_device *device, const struct acrpmu_spec *spec,
				   struct acrpmu_message *message)
{
	static const int cpus[] = { 9, 1 };
	static const __u64 ids[] = { 100, 200 };
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .cpus = cpus, .nr_cpus = 2,
		.sample_type = PERF_SAMPLE_IP, .ring_pages = 1, .ids = ids,
	};
	struct acrpmu_session *session = NULL;

	acrpmu_session_create(device, spec, 0, &options, &session, message);
	return session;
}

static void test_refused(struct acrpmu_device *device, const struct acrpmu_spec *spec)
{
	struct acrpmu_message message;

	fake.answer = -EINVAL;
	fake.error = (struct acrpmu_error){ .reason = ACRPMU_REASON_PERIOD_SMALL, .event = 1,
					    .cpu = -1, .value = 10, .limit = 1000 };
	ok(!make(device, spec, &message), "a refused session is none");
	is_str(message.text, "period 10 for 'cycles' is too small: the smallest allowed is 1000",
	       "the refusal is in the user's words");
	is_u64(message.column, 22, "and points at the period");
	fake.answer = 0;
	memset(&fake.error, 0, sizeof(fake.error));
}

/* The copy alone, for a library with a struct that has grown by one member. */
static void test_read_sizes(struct acrpmu_session *session)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	__u64 outside[ACRPMU_MAX_EVENTS] = { 0 };
	struct acrpmu_read read;

	memset(&read, 0xcc, sizeof(read));
	acrpmu_session_read(session, ACRPMU_CPU_ALL, &read, counts);
	is_u64(read.records, 9, "a read fills in what version 2.0 had");
	is_u64(read.outside, 0xccccccccccccccccULL, "and nothing beyond");
	read.size = sizeof(read);
	is_u64(acrpmu_session_read_outside(session, ACRPMU_CPU_ALL, &read, counts, outside), 0,
	       "a read with what is outside of windows");
	ok(outside[1] == 33 && read.quiet == 4 && read.size == sizeof(read), "has all of it");
	read.size = ACRPMU_READ_SIZE_VER1;
	is_u64(-acrpmu_session_read_outside(session, ACRPMU_CPU_ALL, &read, counts, outside),
	       EINVAL, "a struct without room for it is refused");
	is_u64(acrpmu_session_read_outside(session, ACRPMU_CPU_ALL, &read, counts, NULL), 0,
	       "but not if it is not wanted");
	read.size = ACRPMU_READ_SIZE_VER1 - 8;
	is_u64(-acrpmu_session_read_outside(session, ACRPMU_CPU_ALL, &read, counts, NULL), EINVAL,
	       "a struct shorter than that of version 2.0 is refused");
	read.size = sizeof(read) + 8;
	is_u64(-acrpmu_session_read_outside(session, ACRPMU_CPU_ALL, &read, counts, NULL), E2BIG,
	       "a struct longer than the library's is refused");
}

/* A session of CPUs refuses both; this device does not mind. */
static void test_targets(struct acrpmu_session *session)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_read read = { .size = sizeof(read) };
	__u64 outside[ACRPMU_MAX_EVENTS] = { 0 };
	struct acrpmu_message message;
	__u32 target = 99;

	*fake.log = 0;
	is_u64(acrpmu_session_attach(session, 42, ACRPMU_ATTACH_PROCESS, &target, NULL), 0,
	       "a process is attached");
	is_u64(target, 6, "as the target that the module says");
	is_str(fake.log, "fd 71; command 24; pid 42; flags 1", "by one call");
	is_u64(acrpmu_session_attach(session, 42, 0, NULL, NULL), 0, "nobody has to ask for it");
	fake.answer = -ENOTTY;
	is_u64(-acrpmu_session_attach(session, 42, 0, &target, &message), ENOTTY,
	       "an old module attaches nothing");
	is_u64(target, 0, "as no target");
	is_str(message.code, "attach-module", "and the message says why");
	fake.answer = 0;

	*fake.log = 0;
	is_u64(acrpmu_session_read_target(session, 6, &read, counts, outside), 0,
	       "a target is read");
	is_str(fake.log, "fd 71; command 19; target 6; read size 192", "by one call");
	ok(read.tasks == 7 && outside[1] == 33 && read.size == sizeof(read),
	   "with all that it has");
	is_u64(acrpmu_session_read_target(session, 6, &read, counts, NULL), 0,
	       "without what is outside of windows");
	read.size = ACRPMU_READ_SIZE_VER2 - 8;
	is_u64(-acrpmu_session_read_target(session, 6, &read, counts, NULL), EINVAL,
	       "a struct without room for tasks is refused");
	read.size = sizeof(read) + 8;
	is_u64(-acrpmu_session_read_target(session, 6, &read, counts, NULL), E2BIG,
	       "and one that is longer than the library's");
}

static void test_option_growth(void)
{
	struct {
		__u32 size, flags;
		__u64 first, second;
	} old = { .size = 16, .flags = 1, .first = 2, .second = ~0ULL }, copy;

	memset(&copy, 0xcc, sizeof(copy));
	is_u64(acrpmu_options_copy(&copy, sizeof(copy), &old, 16, NULL), 0, "an older caller");
	ok(copy.flags == 1 && copy.first == 2, "what it knows is copied");
	is_u64(copy.second, 0, "what it does not know is 0, whatever lies there");
	is_u64(copy.size, sizeof(copy), "and the size is that of what is valid");
	old.size = sizeof(old);
	is_u64(acrpmu_options_copy(&copy, sizeof(copy), &old, 16, NULL), 0, "one of the same age");
	is_u64(copy.second, ~0ULL, "has all of it copied");
}

/* Options of a caller that has a shorter or longer struct than the library. */
static void test_option_sizes(struct acrpmu_device *device, const struct acrpmu_spec *spec)
{
	static const char *const string = "cycles/period=1000/";
	struct {
		struct acrpmu_parse_options known;
		__u64 later[4];
	} parse = { .known = { .size = sizeof(parse) } };
	struct {
		struct acrpmu_session_options known;
		__u64 later[4];
	} create = { .known = { .size = sizeof(create), .flags = ACRPMU_SESSION_TASK } };
	struct acrpmu_session *session = NULL;
	struct acrpmu_message message;
	struct acrpmu_spec *other = NULL;
	static const int negative = -1, beyond = 32768;

	is_u64(acrpmu_spec_parse(&string, 1, &parse.known, &other, &message), 0,
	       "a longer struct is taken while its tail is 0");
	acrpmu_spec_free(other);
	other = NULL;
	parse.later[3] = 1;
	is_u64(-acrpmu_spec_parse(&string, 1, &parse.known, &other, &message), E2BIG,
	       "but not with anything in it");
	ok(*message.code && *message.text && *message.hint && !other, "which is said: %s; %s",
	   message.text, message.hint);
	parse.known.size = ACRPMU_PARSE_OPTIONS_SIZE_VER0;
	is_u64(acrpmu_spec_parse(&string, 1, &parse.known, &other, &message), 0,
	       "the first published size is taken, and nothing behind it read");
	acrpmu_spec_free(other);
	other = NULL;
	parse.known.size = ACRPMU_PARSE_OPTIONS_SIZE_VER0 - 1;
	is_u64(-acrpmu_spec_parse(&string, 1, &parse.known, &other, &message), EINVAL,
	       "one byte less is not");
	ok(*message.code && *message.text && *message.hint && !other, "which is said: %s; %s",
	   message.text, message.hint);
	parse.known.size = sizeof(parse.known);
	parse.known.flags = 1U << 31;
	is_u64(-acrpmu_spec_parse(&string, 1, &parse.known, &other, &message), EINVAL,
	       "an unknown flag");
	ok(*message.code && *message.text && *message.hint && !other, "which is said: %s; %s",
	   message.text, message.hint);

	is_u64(acrpmu_session_create(device, spec, 0, &create.known, &session, &message), 0,
	       "the same for a session: longer");
	acrpmu_session_close(session);
	session = NULL;
	create.later[0] = 1ULL << 63;
	is_u64(-acrpmu_session_create(device, spec, 0, &create.known, &session, &message), E2BIG,
	       "with something in the tail");
	ok(*message.code && *message.text && *message.hint && !session, "which is said: %s; %s",
	   message.text, message.hint);
	create.known.size = ACRPMU_SESSION_OPTIONS_SIZE_VER0 - 1;
	is_u64(-acrpmu_session_create(device, spec, 0, &create.known, &session, &message), EINVAL,
	       "too short");
	ok(*message.code && *message.text && *message.hint && !session, "which is said: %s; %s",
	   message.text, message.hint);
	create.known.size = ACRPMU_SESSION_OPTIONS_SIZE_VER0;
	is_u64(-acrpmu_session_create(device, spec, 9, &create.known, &session, &message), EINVAL,
	       "a group that does not exist");
	is_str(message.code, "no-group", "which is said");
	create.known.cpus = &negative;
	create.known.nr_cpus = 1;
	is_u64(-acrpmu_session_create(device, spec, 0, &create.known, &session, &message), EINVAL,
	       "a CPU below 0");
	is_str(message.code, "cpu-number", "which is said");
	create.known.cpus = &beyond;
	*fake.log = 0;
	is_u64(-acrpmu_session_create(device, spec, 0, &create.known, &session, &message), EINVAL,
	       "a CPU that the module's map has no bit for");
	is_str(message.text, "32768 is not the number of a CPU", "which is said");
	is_str(fake.log, "", "the module is not asked");
}

/* Returns what acrpmu_session_create() does, for a group on any module. */
static int make_group(struct acrpmu_device *device, const char *string,
		      struct acrpmu_message *message)
{
	const struct acrpmu_parse_options parse_options = {
		.size = sizeof(parse_options), .flags = ACRPMU_PARSE_COUNT,
	};
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .flags = ACRPMU_SESSION_TASK,
	};
	struct acrpmu_session *session = NULL;
	struct acrpmu_spec *spec = NULL;
	int err;

	err = acrpmu_spec_parse(&string, 1, &parse_options, &spec, message);
	if (!err)
		err = acrpmu_session_create(device, spec, 0, &options, &session, message);
	acrpmu_session_close(session);
	acrpmu_spec_free(spec);
	return err;
}

/* A module that knows no masks gets none: it is refused what they would change. */
static void test_allowed_cntrs(struct acrpmu_device *device)
{
	static const char one[] = "{branches/counters=0x4/,cycles}";
	static const char all[] = "branches/counters=0xff/";
	struct acrpmu_message message;

	is_u64(make_group(device, one, &message), 0, "a module that knows masks");
	is_u64(fake.events[0].allowed_cntrs, 0x4, "gets them");
	is_u64(fake.events[1].allowed_cntrs, 0, "of the events that have one");
	is_u64(fake.attr.event_size, 56, "in an element that has room");
	fake.old = true;
	memset(fake.events, 0xcc, sizeof(fake.events));
	is_u64(-make_group(device, one, &message), EOPNOTSUPP, "an older module is not asked");
	is_u64(fake.events[0].config, 0xccccccccccccccccULL, "for less than was meant");
	is_str(message.code, "counters-module", "which is said");
	is_str(message.text, "the module cannot keep 'branches' to the counters 0x4: its ABI "
	       "version is 3, this needs 4", "in these words");
	is_u64(message.column, 11, "of the term");
	is_u64(make_group(device, all, &message), 0, "a mask with all of the CPU's counters");
	is_u64(fake.events[0].allowed_cntrs, 0, "is left out for it");
	is_u64(make_group(device, "cycles/counters=0x20000000f/", &message), 0,
	       "also with the fixed counter");
	is_u64(-make_group(device, "cycles/counters=0xf/", &message), EOPNOTSUPP,
	       "but not without it");
	is_u64(make_group(device, "branches", &message), 0, "no mask is no reason to ask");
	fake.old = false;
}

/* Parked from the beginning, unparked when others let it, in the words of the group. */
static void test_parking(struct acrpmu_device *device, const struct acrpmu_spec *spec)
{
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .flags = ACRPMU_SESSION_TASK | ACRPMU_SESSION_PARKED,
	};
	struct acrpmu_session *session = NULL;
	struct acrpmu_message message;

	is_u64(acrpmu_session_create(device, spec, 0, &options, &session, &message), 0,
	       "a session begins parked");
	is_u64(fake.attr.flags, ACRPMU_SESSION_TASK | ACRPMU_SESSION_PARKED,
	       "as the module's request has it");
	*fake.log = 0;
	strcpy(message.code, "old");
	is_u64(acrpmu_session_unpark(session, spec, 0, &message), 0, "it is unparked");
	is_str(message.code, "", "without a word");
	is_u64(acrpmu_session_park(session), 0, "and parked again");
	is_str(fake.log, "fd 71; command 22; fd 71; command 21", "by UNPARK and PARK");
	fake.answer = -EBUSY;
	fake.error = (struct acrpmu_error){ .reason = ACRPMU_REASON_EXTRA_BUSY, .event = 1,
					    .cpu = 3, .value = 0x10001, .limit = 0x1a6 };
	is_u64(-acrpmu_session_unpark(session, spec, 0, &message), EBUSY, "others are in the way");
	is_str(message.text, "OFFCORE_RSP_0 (MSR 0x1a6), an extra register that 'cycles' could use "
	       "on CPU 3, holds another value (0x10001)", "with names");
	fake.error.limit = 0x1a8;
	acrpmu_session_unpark(session, spec, 0, &message);
	is_str(message.text, "MSR 0x1a8, an extra register that 'cycles' could use on CPU 3, holds "
	       "another value (0x10001)", "or by number");
	fake.answer = -ENOSPC;
	fake.error.limit = 0x1a6;
	fake.error.cpu = -1;
	is_u64(-acrpmu_session_unpark(session, spec, 0, &message), ENOSPC, "the group is");
	is_str(message.text, "the group asks for more values than the core has extra registers: "
	       "none is left for that of 'cycles' beside 0x10001 in OFFCORE_RSP_0 (MSR 0x1a6)",
	       "in its own way");
	is_str(message.hint, "leave an event out, or split the group, or use equal values",
	       "and can be split");
	fake.answer = -EBUSY;
	is_u64(-acrpmu_session_unpark(session, NULL, 0, NULL), EBUSY, "or without words");
	fake.answer = 0;
	memset(&fake.error, 0, sizeof(fake.error));
	acrpmu_session_close(session);
}

static void test_periods(struct acrpmu_device *device, const struct acrpmu_spec *spec)
{
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .flags = ACRPMU_SESSION_TASK,
	};
	static const __u64 periods[ACRPMU_MAX_EVENTS] = { 5000, 7000, 9000 };
	struct acrpmu_session *session = NULL;
	struct acrpmu_message message;

	acrpmu_session_create(device, spec, 0, &options, &session, NULL);
	*fake.log = 0;
	strcpy(message.code, "old");
	is_u64(acrpmu_session_set_periods(session, periods, spec, 0, &message), 0,
	       "periods are changed");
	is_str(message.code, "", "without a word");
	is_str(fake.log, "fd 71; command 23; flags 0; period 5000; period 7000",
	       "by SET_PERIODS, one for each event");
	fake.answer = -EINVAL;
	fake.error = (struct acrpmu_error){ .reason = ACRPMU_REASON_PERIOD_SMALL, .event = 1,
					    .cpu = -1, .value = 7000, .limit = 10000 };
	is_u64(-acrpmu_session_set_periods(session, periods, spec, 0, &message), EINVAL,
	       "a small one is refused");
	is_str(message.code, "period-small", "with the reason");
	ok(strstr(message.text, "7000") && strstr(message.text, "cycles"),
	   "the period and the event: %s", message.text);
	is_u64(-acrpmu_session_set_periods(session, periods, NULL, 0, NULL), EINVAL,
	       "or without words");
	memset(&fake.error, 0, sizeof(fake.error));
	fake.answer = -ENOTTY;
	is_u64(-acrpmu_session_set_periods(session, periods, spec, 0, &message), ENOTTY,
	       "an old module cannot change periods");
	is_str(message.hint,
	       "program and module do not fit together: install both from one version",
	       "with what to do");
	fake.answer = 0;
	acrpmu_session_close(session);
}

static void test_request(void)
{
	is_u64(fake.attr.size, sizeof(fake.attr), "the request has its size");
	is_u64(fake.attr.event_size, sizeof(*fake.events), "and that of an event");
	is_u64(fake.attr.nr_events, 2, "and two events");
	is_u64(fake.attr.cpus_size, 2, "CPUs 1 and 9 need two bytes");
	ok(fake.cpus[0] == 2 && fake.cpus[1] == 2, "bits 1 and 9");
	ok(fake.events[0].config == 0xc0 && fake.events[0].period == 200000 &&
	   fake.events[0].acr_mask == 2 && fake.events[0].id == 100 &&
	   fake.events[0].flags == (ACRPMU_EVENT_USER | ACRPMU_EVENT_SAMPLED),
	   "the first event is sampled");
	ok(fake.events[1].config == 0x3c && fake.events[1].period == 100000 &&
	   fake.events[1].acr_mask == 3 && fake.events[1].id == 200 &&
	   fake.events[1].flags == ACRPMU_EVENT_USER, "the second is quiet");
}

/* Put a record at a position of the ring. */
static void put(__u64 at, __u16 size, unsigned char fill)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };
	unsigned char record[256];
	unsigned int i;

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (i = 0; i < size; i++)
		fake.ring[sysconf(_SC_PAGESIZE) + (at + i) % DATA_SIZE] = record[i];
}

static void test_ring(struct acrpmu_session *session)
{
	const struct perf_event_header *record = NULL;
	struct acrpmu_ring *ring = NULL;
	struct acrpmu_ring_page *page;
	unsigned int i, wrong = 0;

	if (!ok(!acrpmu_ring_map(session, 9, &ring), "the ring is mapped"))
		return;
	page = acrpmu_ring_page(ring);
	is_u64(acrpmu_ring_next(ring, &record), 0, "an empty ring has no record");
	put(0, 64, 1);
	page->data_head = 64;
	is_u64(acrpmu_ring_next(ring, &record), 1, "a record");
	is_u64(record->size, 64, "of its size");
	is_u64(page->data_tail, 0, "is not consumed at once");
	acrpmu_ring_consume(ring);
	is_u64(page->data_tail, 64, "but when it is consumed");

	/* from 64 on in steps of 72 a record wraps around the end sooner or later */
	for (i = 0; i < 200; i++) {
		unsigned int k;

		put(page->data_head, 72, i);
		page->data_head += 72;
		if (acrpmu_ring_next(ring, &record) != 1 || record->size != 72)
			wrong++;
		for (k = sizeof(*record); k < 72; k++)
			wrong += ((const unsigned char *)record)[k] != (unsigned char)i;
		acrpmu_ring_consume(ring);
	}
	is_u64(wrong, 0, "records are in one piece, also around the end");

	put(page->data_head, 12, 0);
	page->data_head += 16;
	is_u64(-acrpmu_ring_next(ring, &record), EPROTO, "a record of odd size is refused");
	put(page->data_tail, 4, 0);
	is_u64(-acrpmu_ring_next(ring, &record), EPROTO, "one smaller than its header too");
	put(page->data_tail, 64, 0);
	is_u64(-acrpmu_ring_next(ring, &record), EPROTO, "and one beyond the head");
	acrpmu_ring_unmap(ring);
}

/* Only the outermost region enters the kernel. */
static void test_regions(struct acrpmu_session *session)
{
	*fake.log = 0;
	is_u64(-acrpmu_region_end(session), EINVAL, "no region has an end without a beginning");
	is_str(fake.log, "", "and none of that enters the kernel");
	is_u64(acrpmu_region_begin(session), 0, "a region begins");
	is_u64(acrpmu_region_begin(session), 0, "so does one inside it");
	is_u64(acrpmu_region_end(session), 0, "which ends");
	is_str(fake.log, "fd 71; command 16", "after one ENABLE");
	is_u64(acrpmu_region_end(session), 0, "the outer one ends, too");
	is_str(fake.log, "fd 71; command 16; fd 71; command 17", "by DISABLE");

	fake.answer = -EIO;
	is_u64(-acrpmu_region_begin(session), EIO, "a beginning that fails says so");
	is_u64(-acrpmu_region_end(session), EINVAL, "and has no end");
	fake.answer = 0;
	*fake.log = 0;
	acrpmu_region_begin(session);
	acrpmu_region_end(session);
	is_str(fake.log, "fd 71; command 16; fd 71; command 17", "the next region is as the first");
	acrpmu_region_begin(session);
	fake.answer = -EIO;
	is_u64(-acrpmu_region_end(session), EIO, "an end that fails says so");
	fake.answer = 0;
	is_u64(acrpmu_region_end(session), 0, "and may be tried again");
}

static void test_taken(struct acrpmu_session *session)
{
	struct acrpmu_message message;

	is_u64(acrpmu_session_taken(session, ACRPMU_CPU_ALL, &message), 0, "nobody took a CPU");
	is_str(message.text, "", "and nothing is said");
	fake.taken = true;
	is_u64(acrpmu_session_taken(session, 3, &message), 1, "somebody took a CPU");
	is_str(message.code, "claim-lost", "and how");
	is_str(message.text, "thief, pid 7 took the counters on CPU 3 from the session, and what "
	       "was counted there is lost", "is said");
	is_u64(acrpmu_session_taken(session, 3, NULL), 1, "or asked without words");
	fake.taken = false;
}

int main(void)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_device *device = NULL;
	struct acrpmu_session *session;
	struct acrpmu_message message;
	struct acrpmu_spec *spec;
	struct acrpmu_read read;

	plan(0);
	spec = parse();
	fake.answer = -ENOENT;
	is_u64(-acrpmu_open(&ops, &device, &message), ENOENT, "no device");
	is_str(message.code, "no-module", "means no module");
	ok(!device, "and nothing to close");
	fake.answer = 0;
	ok(!acrpmu_open(&ops, &device, NULL), "the device opens");
	test_refused(device, spec);
	test_option_growth();
	test_option_sizes(device, spec);
	test_parking(device, spec);
	test_periods(device, spec);
	test_allowed_cntrs(device);

	*fake.log = 0;
	session = make(device, spec, &message);
	if (!ok(session, "a session is made"))
		return done();
	test_request();
	ok(acrpmu_session_id(session) == 5 && acrpmu_session_event_id(session, 1) == 200 &&
	   !acrpmu_session_event_id(session, 2), "its ids");
	acrpmu_session_enable(session);
	acrpmu_session_disable(session);
	acrpmu_session_reset(session);
	is_u64(acrpmu_session_read(session, ACRPMU_CPU_ALL, &read, counts), 0, "it is read");
	is_u64(read.records, 9, "with its accounts");
	is_str(fake.log,
	       "fd 70; command 1; fd 71; command 16; fd 71; command 17; fd 71; command 18; "
	       "fd 71; command 19; read size 112", "these calls and no other");
	test_read_sizes(session);
	test_taken(session);
	test_targets(session);
	test_regions(session);
	test_ring(session);

	*fake.log = 0;
	acrpmu_session_close(session);
	acrpmu_close(device);
	is_str(fake.log, "close 71; close 70", "everything is closed");
	acrpmu_spec_free(spec);
	return done();
}
