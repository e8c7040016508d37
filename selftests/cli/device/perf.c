// SPDX-License-Identifier: GPL-2.0-only
/* perf's events of the side-band: descriptors and rings, into which the script writes records. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"

/* the ids that the kernel counts up are far below those of sessions */
#define ID_BASE		1000
#define RECORD_BYTES	8192

struct perf_event {
	int fd, cpu;
	uint64_t id, sample_type;
	bool build_id;
	struct ring ring;
};

/* As many as there are threads and CPUs. */
static struct perf_event *events;
static size_t nr_events;

/**
 * perf_of() - the event with a descriptor
 *
 * Return: NULL if there is none.
 */
struct perf_event *perf_of(int fd)
{
	size_t i;

	for (i = 0; fd >= 0 && i < nr_events; i++) {
		if (events[i].fd == fd)
			return &events[i];
	}
	return NULL;
}

/**
 * perf_open() - answer perf_event_open()
 *
 * Return: as perf_event_open(2).
 */
long perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	struct perf_event *more;
	int fd;

	/* a thread that has ended */
	if (pid > 0 && kill(pid, 0))
		return -1;
	more = reallocarray(events, nr_events + 1, sizeof(*events));
	if (!more)
		return -1;
	events = more;
	fd = memfd_create("perf", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	note("PERF pid=%d cpu=%d", pid, cpu);
	events[nr_events] = (struct perf_event){
		.fd = fd, .cpu = cpu, .id = ID_BASE + nr_events,
		.sample_type = attr->sample_type, .build_id = attr->build_id,
	};
	nr_events++;
	return fd;
}

/**
 * perf_close() - the descriptor of an event is closed
 */
void perf_close(struct perf_event *e)
{
	e->fd = -1;
	e->ring.data = NULL;
}

/**
 * perf_ioctl() - answer PERF_EVENT_IOC_*
 *
 * Return: 0; all that acrctl asks for is possible.
 */
int perf_ioctl(struct perf_event *e, unsigned long request, void *arg)
{
	if (request == PERF_EVENT_IOC_ID)
		*(uint64_t *)arg = e->id;
	return 0;
}

/**
 * perf_map() - make and map the ring of an event
 *
 * Return: as mmap(2).
 */
void *perf_map(struct perf_event *e, size_t len)
{
	struct perf_event_mmap_page *page;

	if (ftruncate(e->fd, len))
		return MAP_FAILED;
	page = device_mmap(len, e->fd, 0);
	if (page == MAP_FAILED)
		return page;
	page->data_offset = getpagesize();
	page->data_size = len - getpagesize();
	/* a nanosecond is a cycle */
	page->cap_user_time_zero = 1;
	page->time_mult = 1;
	e->ring = (struct ring){
		.data = (unsigned char *)page + page->data_offset,
		.size = page->data_size,
		.head = (uint64_t *)&page->data_head,
		.tail = (uint64_t *)&page->data_tail,
	};
	return device_mmap(len, e->fd, 0);
}

/**
 * perf_ready() - what poll() has to report
 */
short perf_ready(const struct perf_event *e)
{
	return ring_has_data(&e->ring) ? POLLIN : 0;
}

/* The event of a CPU that has a ring; any if the CPU is negative. */
static struct perf_event *event_on(int cpu)
{
	size_t i;

	for (i = 0; i < nr_events; i++) {
		if (events[i].ring.data && (cpu < 0 || events[i].cpu == cpu))
			return &events[i];
	}
	return NULL;
}

/**
 * perf_wants_build_ids() - whether records about maps on a CPU have build-ids
 */
bool perf_wants_build_ids(int cpu)
{
	struct perf_event *e = event_on(cpu);

	return e && e->build_id;
}

/**
 * perf_put() - write a record, with what the kernel puts at its end
 * @record: its size is a multiple of 8 and does not count those
 *
 * Return: false if there is no ring, or no room.
 */
bool perf_put(int cpu, const struct perf_event_header *record, const struct moment *m)
{
	struct perf_event *e = event_on(cpu);
	uint64_t words[RECORD_BYTES / sizeof(uint64_t)];
	struct perf_event_header *h = (void *)words;
	size_t n = record->size / sizeof(*words);

	if (!e || n + MOMENT_WORDS > RECORD_BYTES / sizeof(*words))
		return false;
	memcpy(words, record, record->size);
	if (e->sample_type & PERF_SAMPLE_TID)
		words[n++] = m->pid | m->tid << 32;
	if (e->sample_type & PERF_SAMPLE_TIME)
		words[n++] = m->time;
	if (e->sample_type & PERF_SAMPLE_CPU)
		words[n++] = e->cpu;
	if (e->sample_type & PERF_SAMPLE_IDENTIFIER)
		words[n++] = e->id;
	h->size = n * sizeof(*words);
	return ring_put(&e->ring, words, h->size);
}
