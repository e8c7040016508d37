// SPDX-License-Identifier: GPL-2.0-only
/* perf's dummy event, of CPUs or of tasks on every CPU, for records about tasks and maps. */
#include "sampling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../util/clock.h"

/* data pages of each ring: some thousand records between two visits */
#define RING_PAGES	64
#define RING_PAGES_MIN	8
/* how often to look for CPUs that have come online */
#define RENEW_MS	250

static int perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void fill_attr(struct sideband *sb, const struct target *t, __u64 sample_type)
{
	struct perf_event_attr *attr = &sb->attr;

	memset(attr, 0, sizeof(*attr));
	attr->type = PERF_TYPE_SOFTWARE;
	attr->size = sizeof(*attr);
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->sample_period = 1;
	attr->sample_type = sample_type;
	attr->read_format = SAMPLING_READ_FORMAT;
	attr->disabled = 1;
	attr->inherit = t->opt.inherit && t->nr_tids;
	attr->enable_on_exec = !sb->of_cpus && target_starts_at_exec(t);
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->sample_id_all = 1;
	attr->build_id = 1;
	attr->ksymbol = 1;
	attr->bpf_event = 1;
	attr->watermark = 1;
	attr->wakeup_watermark = RING_PAGES_MIN * getpagesize() / 2;
}

/* Drop what the kernel may be too old for: build-ids (5.12), then symbols of BPF (5.1). */
static bool ask_less(struct perf_event_attr *attr)
{
	if (attr->build_id) {
		attr->build_id = 0;
		return true;
	}
	if (!attr->ksymbol)
		return false;
	attr->ksymbol = 0;
	attr->bpf_event = 0;
	return true;
}

static int open_one(struct sideband *sb, pid_t tid, int cpu)
{
	int fd = perf_event_open(&sb->attr, tid, cpu);

	while (fd < 0 && errno == EINVAL && !sb->nr_fds && ask_less(&sb->attr))
		fd = perf_event_open(&sb->attr, tid, cpu);
	if (fd < 0)
		return -errno;
	sb->fds[sb->nr_fds] = fd;
	if (ioctl(fd, PERF_EVENT_IOC_ID, &sb->ids[sb->nr_fds]))
		sb->ids[sb->nr_fds] = 0;
	sb->nr_fds++;
	return fd;
}

static void *map_pages(int fd, size_t *bytes)
{
	void *base = MAP_FAILED;
	size_t pages;

	/* fewer where the limit on locked memory is low */
	for (pages = RING_PAGES; base == MAP_FAILED && pages >= RING_PAGES_MIN; pages /= 2) {
		*bytes = (pages + 1) * getpagesize();
		base = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	return base;
}

static int open_ring(int fd, struct sideband_ring *ring)
{
	struct perf_event_mmap_page *page = map_pages(fd, &ring->bytes);
	struct acrpmu_ring_memory memory;
	int err;

	if (page == MAP_FAILED)
		return -errno;
	memory = (struct acrpmu_ring_memory){
		.data = (const unsigned char *)page + page->data_offset,
		.size = page->data_size,
		.head = (const __u64 *)&page->data_head,
		.tail = (__u64 *)&page->data_tail,
	};
	err = acrpmu_ring_open(&memory, &ring->ring);
	if (err) {
		munmap(page, ring->bytes);
		return err;
	}
	ring->fd = fd;
	ring->map = page;
	return 0;
}

static int map_ring(struct sideband *sb, int fd)
{
	struct sideband_ring ring;
	int err = open_ring(fd, &ring);

	if (err)
		return err;
	sb->rings[sb->nr_rings] = ring.ring;
	sb->maps[sb->nr_rings] = ring.map;
	sb->map_bytes[sb->nr_rings] = ring.bytes;
	sb->poll_fds[sb->nr_rings++] = fd;
	return 0;
}

/* All tasks' events of a CPU share one ring. */
static int open_cpu(struct sideband *sb, const pid_t *tids, size_t nr, int cpu)
{
	int fd, first = -1, err;
	size_t i;

	for (i = 0; i < nr; i++) {
		fd = open_one(sb, tids[i], cpu);
		/* a thread that has ended */
		if (fd == -ESRCH && nr > 1)
			continue;
		if (fd < 0)
			return fd;
		if (first >= 0) {
			if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first))
				return -errno;
			continue;
		}
		first = fd;
		err = map_ring(sb, fd);
		if (err)
			return err;
	}
	return first < 0 ? -ESRCH : 0;
}

/* Events of an isolated CPU would interrupt it, those of tasks do not. */
static bool takes_cpu(const struct sideband *sb, const struct target *t,
		      const struct cpu_list *isolated, int cpu)
{
	return !t->nr_tids || (sb->of_cpus && !cpu_list_has(isolated, cpu));
}

static int open_cpus(struct sideband *sb, const struct target *t, const struct cpu_list *cpus,
		     const struct cpu_list *isolated)
{
	static const pid_t everybody = -1;
	size_t i;
	int err = 0;

	for (i = 0; i < cpus->nr && !err; i++) {
		if (takes_cpu(sb, t, isolated, cpus->cpus[i]))
			err = open_cpu(sb, &everybody, 1, cpus->cpus[i]);
		else
			err = open_cpu(sb, t->tids, t->nr_tids, cpus->cpus[i]);
	}
	return err;
}

static int open_all(struct sideband *sb, const struct target *t, __u64 sample_type)
{
	/* tasks change their names and maps wherever they run */
	const struct cpu_list *cpus = t->nr_tids ? &t->online : &t->cpus;
	struct cpu_list isolated = { NULL };
	int err = sb->of_cpus ? cpu_list_isolated(&isolated) : 0;
	size_t i;

	sb->nr_cpus = cpus->nr;
	for (i = 0; i < cpus->nr; i++)
		sb->nr_wanted += takes_cpu(sb, t, &isolated, cpus->cpus[i]) ? 1 : t->nr_tids;
	sb->fds = calloc(sb->nr_wanted, sizeof(*sb->fds));
	sb->ids = calloc(sb->nr_wanted, sizeof(*sb->ids));
	sb->maps = calloc(cpus->nr, sizeof(*sb->maps));
	sb->map_bytes = calloc(cpus->nr, sizeof(*sb->map_bytes));
	sb->rings = calloc(cpus->nr, sizeof(*sb->rings));
	sb->poll_fds = calloc(cpus->nr, sizeof(*sb->poll_fds));
	if (!sb->fds || !sb->ids || !sb->maps || !sb->map_bytes || !sb->rings || !sb->poll_fds)
		err = -ENOMEM;
	fill_attr(sb, t, sample_type);
	if (!err)
		err = open_cpus(sb, t, cpus, &isolated);
	cpu_list_free(&isolated);
	return err;
}

/* The filter of events of CPUs begins with the processes that exist. */
static int follow_target(struct follow *f, const struct target *t)
{
	int err = t->child.pid ? follow_add(f, t->child.pid) : 0;
	size_t i;

	f->inherit = t->opt.inherit;
	for (i = 0; i < t->opt.nr_tasks && !err; i++) {
		if (t->opt.tasks[i].process)
			err = follow_add(f, t->opt.tasks[i].process);
	}
	return err;
}

/**
 * sideband_open() - open the events, not yet enabled, for the target
 *
 * Events of a task cost more at each of its switches than its counters do, so that tasks get
 * events of CPUs, too, where the user may open those.
 *
 * Return: 0 or -errno; then nothing is left open, and only what was wanted is known.
 */
int sideband_open(struct sideband *sb, const struct target *t, __u64 sample_type)
{
	int err;

	*sb = (struct sideband){ .of_cpus = t->nr_tids };
	err = open_all(sb, t, sample_type);
	if (sb->of_cpus && (err == -EACCES || err == -EPERM)) {
		sideband_close(sb);
		err = open_all(sb, t, sample_type);
	}
	if (!err && sb->of_cpus)
		err = follow_target(&sb->follow, t);
	if (err) {
		const struct sideband wanted = {
			.nr_cpus = sb->nr_cpus, .nr_wanted = sb->nr_wanted,
		};

		sideband_close(sb);
		*sb = wanted;
	}
	return err;
}

/**
 * sideband_enable() - start or stop the events
 */
void sideband_enable(struct sideband *sb, bool on)
{
	size_t i;

	for (i = 0; i < sb->nr_fds; i++)
		ioctl(sb->fds[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	for (i = 0; i < sb->nr_later; i++)
		ioctl(sb->later[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	sb->enabled = on;
}

static int open_later(struct sideband *sb, int cpu)
{
	struct sideband_ring *more = reallocarray(sb->later, sb->nr_later + 1, sizeof(*more));
	int fd, err;

	if (!more)
		return -ENOMEM;
	sb->later = more;
	fd = perf_event_open(&sb->attr, -1, cpu);
	if (fd < 0)
		return -errno;
	err = open_ring(fd, &more[sb->nr_later]);
	if (err) {
		close(fd);
		return err;
	}
	sb->nr_later++;
	if (sb->enabled)
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	return 0;
}

/**
 * sideband_renew() - open events for CPUs that have come online since it was last called
 *
 * The kernel ends those of a CPU that goes offline.  Events of tasks follow these everywhere.
 *
 * Return: 0 or -errno of one CPU at least, which is not tried again.
 */
int sideband_renew(struct sideband *sb, const struct target *t)
{
	const struct cpu_list *live = sb->looked_ms ? &sb->live : &t->online;
	struct cpu_list now = { NULL };
	__u64 now_ms = clock_now_ms(CLOCK_MONOTONIC);
	int err, ret = 0;
	size_t i;

	if (t->nr_tids || now_ms < sb->looked_ms + RENEW_MS)
		return 0;
	err = cpu_list_online(&now);
	for (i = 0; !err && i < now.nr; i++) {
		int cpu = now.cpus[i];

		if (cpu_list_has(live, cpu) ||
		    (!cpu_list_has(&t->cpus, cpu) && !cpu_list_has(&t->later, cpu)))
			continue;
		ret = open_later(sb, cpu) ?: ret;
	}
	sb->looked_ms = now_ms;
	cpu_list_free(&sb->live);
	sb->live = now;
	return err ?: ret;
}

/**
 * sideband_adopt() - copy records of an event that was opened later, with the id of the first one
 * @b: whole records
 * @copy: out, empty before; check its @failed
 *
 * The head of the file lists the ids of those that were there in the beginning.  Perf lets nobody
 * write to its rings.
 */
void sideband_adopt(const struct sideband *sb, const struct acrpmu_ring_batch *b,
		    struct pd_blob *copy)
{
	const struct perf_event_header *h;
	unsigned int i;
	size_t at;

	for (i = 0; i < b->nr_runs; i++)
		pd_blob_put(copy, b->runs[i].iov_base, b->runs[i].iov_len);
	for (at = 0; !copy->failed && at < copy->size; at += h->size) {
		h = (const void *)(copy->data + at);
		/* the identifier is the last field of each record */
		memcpy(copy->data + at + h->size - sizeof(__u64), &sb->ids[0], sizeof(__u64));
		if (h->type == PERF_RECORD_LOST)
			memcpy(copy->data + at + sizeof(*h), &sb->ids[0], sizeof(__u64));
	}
}

/**
 * sideband_time_conv() - describe how perf's clock follows from the time stamp counter
 *
 * Return: false if the kernel does not provide that.
 */
bool sideband_time_conv(const struct sideband *sb, struct pd_time_conv *tc)
{
	const struct perf_event_mmap_page *page = sb->nr_rings ? sb->maps[0] : NULL;
	__u32 seq;

	if (!page)
		return false;
	do {
		seq = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		memset(tc, 0, sizeof(*tc));
		tc->header.type = PD_RECORD_TIME_CONV;
		tc->header.size = sizeof(*tc);
		tc->time_shift = page->time_shift;
		tc->time_mult = page->time_mult;
		tc->time_zero = page->time_zero;
		tc->time_cycles = page->time_cycles;
		tc->time_mask = page->time_mask;
		tc->cap_user_time_zero = page->cap_user_time_zero;
		tc->cap_user_time_short = page->cap_user_time_short;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (seq != __atomic_load_n(&page->lock, __ATOMIC_RELAXED) || seq & 1);
	return tc->cap_user_time_zero;
}

/**
 * sideband_close() - close the events and their rings
 */
void sideband_close(struct sideband *sb)
{
	size_t i;

	for (i = 0; i < sb->nr_rings; i++) {
		acrpmu_ring_unmap(sb->rings[i]);
		munmap(sb->maps[i], sb->map_bytes[i]);
	}
	for (i = 0; i < sb->nr_fds; i++)
		close(sb->fds[i]);
	for (i = 0; i < sb->nr_later; i++) {
		acrpmu_ring_unmap(sb->later[i].ring);
		munmap(sb->later[i].map, sb->later[i].bytes);
		close(sb->later[i].fd);
	}
	free(sb->later);
	cpu_list_free(&sb->live);
	free(sb->fds);
	free(sb->ids);
	free(sb->maps);
	free(sb->map_bytes);
	free(sb->rings);
	free(sb->poll_fds);
	follow_free(&sb->follow);
	memset(sb, 0, sizeof(*sb));
}
