/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of in-tree perf, opened by the system call, for comparison and for conflicts. */
#ifndef HW_INTREE_H
#define HW_INTREE_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/**
 * struct intree_count - the result of read() on such an event
 * @value: occurrences
 * @enabled_ns: time enabled
 * @running_ns: time on a counter
 */
struct intree_count {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/**
 * struct intree - an event to open
 * @config: raw event
 * @period: sampling period, 0 to count
 * @pid: task, -1 with a CPU
 * @cpu: CPU, -1 with a task
 * @group: descriptor of the leader, -1 for a leader
 * @kernel: count the kernel too
 * @inherit: follow children
 * @pinned: always on a counter or in error
 * @disabled: counts only once it is enabled
 * @extra: value of its extra register
 * @acr_mask: events of its group that reload it (Linux 6.17 and later)
 * @sample_type: fields of a record, 0: address, thread and time
 */
struct intree {
	uint64_t config;
	uint64_t period;
	pid_t pid;
	int cpu;
	int group;
	bool kernel;
	bool inherit;
	bool pinned;
	bool disabled;
	uint64_t extra;
	uint64_t acr_mask;
	uint64_t sample_type;
};

/**
 * intree_has_acr() - whether in-tree perf reloads counters by the hardware on this kernel and CPU
 */
static inline bool intree_has_acr(void)
{
	return !access("/sys/bus/event_source/devices/cpu/format/acr_mask", F_OK);
}

/**
 * intree_open() - open an event, which counts from now on unless it is @disabled
 * @e: what
 *
 * Return: a descriptor, or -errno.
 */
static inline int intree_open(const struct intree *e)
{
	uint64_t fields = e->sample_type ?: PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = e->config,
		.sample_period = e->period,
		.config1 = e->extra,
		.config2 = e->acr_mask,
		.sample_type = e->period ? fields : 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = !e->kernel,
		.exclude_hv = 1,
		.inherit = e->inherit,
		.pinned = e->pinned,
		.disabled = e->disabled,
	};
	int fd = syscall(SYS_perf_event_open, &attr, e->pid, e->cpu, e->group,
			 PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/**
 * intree_read() - read an event
 * @fd: its descriptor
 *
 * Return: the count; all ones if it is in the error state.
 */
static inline struct intree_count intree_read(int fd)
{
	struct intree_count c;

	if (read(fd, &c, sizeof(c)) != sizeof(c))
		memset(&c, 0xff, sizeof(c));
	return c;
}

#endif /* HW_INTREE_H */
