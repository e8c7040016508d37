/* SPDX-License-Identifier: GPL-2.0-only */
/* Names, maps, forks and exits from the kernel, by a perf event that counts nothing. */
#ifndef _ACRCTL_SIDEBAND_H
#define _ACRCTL_SIDEBAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <linux/perf_event.h>

#include "../../perfdata/format.h"
#include "../../lib/acrpmu_lib.h"

/**
 * struct sideband_target - whom to follow
 * @tids: tasks, NULL for CPUs
 * @nr_tids: how many
 * @cpus: CPUs, with tasks all that are online
 * @nr_cpus: how many
 * @inherit: follow new tasks too
 * @enable_on_exec: start when the task calls exec
 */
struct sideband_target {
	const pid_t *tids;
	size_t nr_tids;
	const int *cpus;
	size_t nr_cpus;
	bool inherit;
	bool enable_on_exec;
};

/**
 * struct sideband - the events, one ring for each CPU
 * @attr: as they were opened
 * @fds: their descriptors, one for each CPU and task
 * @nr_fds: how many
 * @maps: their mappings; the first page of each is perf's
 * @map_bytes: bytes of each mapping
 * @rings: their rings
 * @poll_fds: descriptors to poll, one for each ring
 * @ids: their ids, in the order of @fds
 * @nr_rings: how many rings
 */
struct sideband {
	struct perf_event_attr attr;
	int *fds;
	size_t nr_fds;
	struct perf_event_mmap_page **maps;
	size_t *map_bytes;
	struct acrpmu_ring **rings;
	int *poll_fds;
	__u64 *ids;
	size_t nr_rings;
};

int sideband_open(struct sideband *sb, const struct sideband_target *t, __u64 sample_type);
void sideband_enable(struct sideband *sb, bool on);
bool sideband_time_conv(const struct sideband *sb, struct pd_time_conv *tc);
void sideband_close(struct sideband *sb);

#endif /* _ACRCTL_SIDEBAND_H */
