// SPDX-License-Identifier: GPL-2.0-only
/* A fake device: answers INFO as two Clearwater Forest CPUs would, and logs the calls. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

#include "../../userspace/acrctl/cmd.h"

/*
 * Environment:
 *   FAKE_OPEN_ERRNO=N   opening fails with this
 *   FAKE_INFO_ERRNO=N   INFO fails with this
 *   FAKE_KINDS=PE       the CPUs are P-cores and E-cores of Lunar Lake in turns
 *   FAKE_STARVED=N      N events of in-tree perf starve, one of this process on CPU 1
 *   FAKE_STARVED_ERRNO=N   to find them fails with this
 *   FAKE_ABI=N          the module is of this ABI version
 *   FAKE_LOG=FILE       one line for each call
 */
#define FAKE_FD		77
#define FAKE_CPUS	2
#define ALL_CNTRS	0x77000000ffULL	/* 8 general-purpose and 6 fixed counters */
#define ACR_CNTRS	0x7000000ffULL
#define HELD_CNTRS	0x1ULL
#define NR_EXTRA_REGS	2
#define ABI_SOFTWARE	5

static void note(const char *format, unsigned long a, unsigned long b)
{
	const char *path = getenv("FAKE_LOG");
	FILE *f = path ? fopen(path, "ae") : NULL;

	if (!f)
		return;
	fprintf(f, format, a, b);
	fclose(f);
}

static int env_errno(const char *name)
{
	const char *value = getenv(name);

	return value ? -atoi(value) : 0;
}

static int fake_open(const char *path)
{
	int err = strcmp(path, ACRPMU_DEVICE) ? -ENOENT : env_errno("FAKE_OPEN_ERRNO");

	note("open %lu\n", -err, 0);
	return err ? err : FAKE_FD;
}

static void fake_close(int fd)
{
	note("close %lu\n", fd, 0);
}

static void fill_cpu(struct acrpmu_cpu_info *c, unsigned int cpu)
{
	*c = (struct acrpmu_cpu_info){
		.cpu = cpu,
		.flags = ACRPMU_CPU_ONLINE | ACRPMU_CPU_USABLE | ACRPMU_CPU_ACR |
			 ACRPMU_CPU_FULL_WIDTH,
		.pmu_version = 6,
		.signature = 0xd06d0,
		.gp_width = 48,
		.fixed_width = 48,
		.cntrs = ALL_CNTRS,
		.reloadable_cntrs = ACR_CNTRS,
		.cause_cntrs = ACR_CNTRS,
		.held_cntrs = cpu ? HELD_CNTRS : 0,
		.nr_extra_regs = NR_EXTRA_REGS,
		.name = "clearwaterforest",
		.extra_regs = {
			{ .config = 0x1b7, .valid_mask = 0x800ff0000000beefULL, .msr = 0x1a6 },
			{ .config = 0x2b7, .valid_mask = 0x000ff0000000beefULL, .msr = 0x1a7,
			  .flags = ACRPMU_EXTRA_REG_HIDDEN },
		},
	};
}

/* P-cores and E-cores of Lunar Lake */
static void fill_hybrid(struct acrpmu_cpu_info *c, bool big)
{
	c->flags |= ACRPMU_CPU_HYBRID;
	c->signature = 0xb06d1;
	c->core_type = big ? 0x40000003 : 0x20000003;
	c->cntrs = big ? 0xf000003ff : ALL_CNTRS;
	c->held_cntrs = big ? 0x2 : HELD_CNTRS;
	if (big)
		c->flags &= ~ACRPMU_CPU_ACR;
	strcpy(c->name, big ? "lioncove" : "skymont");
}

static int fake_info(struct acrpmu_info *info)
{
	struct acrpmu_cpu_info *cpus = (struct acrpmu_cpu_info *)(uintptr_t)info->cpus;
	const char *kinds = getenv("FAKE_KINDS");
	unsigned int i;

	if (info->size == sizeof(*info) && !info->cpus) {
		note("INFO of %lu bytes, flags %#lx\n", info->size, info->flags);
		if (info->flags && getenv("FAKE_STARVED_ERRNO"))
			return env_errno("FAKE_STARVED_ERRNO");
		info->max_pmi_percent = 25;
		info->nr_starved = getenv("FAKE_STARVED") ? atoi(getenv("FAKE_STARVED")) : 0;
		info->starved_cpu = 1;
		info->starved_pid = getpid();
		return 0;
	}
	if (info->size != ACRPMU_INFO_SIZE_VER0 || info->flags || info->cpu_size != sizeof(*cpus))
		return -EINVAL;
	note("INFO room for %lu\n", info->nr_cpus, 0);
	for (i = 0; info->nr_cpus >= FAKE_CPUS && i < FAKE_CPUS; i++)
		fill_cpu(&cpus[i], i);
	for (i = 0; kinds && info->nr_cpus >= FAKE_CPUS && i < FAKE_CPUS; i++)
		fill_hybrid(&cpus[i], kinds[i % strlen(kinds)] == 'P');
	info->nr_cpus = FAKE_CPUS;
	info->abi_version = getenv("FAKE_ABI") ? atoi(getenv("FAKE_ABI")) : ACRPMU_ABI_VERSION;
	info->max_events = ACRPMU_MAX_EVENTS;
	info->features = ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_TASK;
	if (info->abi_version >= ABI_SOFTWARE)
		info->features |= ACRPMU_FEATURE_SOFTWARE;
	if (getenv("FAKE_UNPRIVILEGED"))
		info->features |= ACRPMU_FEATURE_UNPRIVILEGED;
	info->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	info->min_period_sampled = 1000;
	info->min_period_quiet = 1;
	info->max_ring_pages = ACRPMU_MAX_RING_PAGES;
	info->max_sample_rate = 100000;
	info->nr_sessions = 3;
	info->arbiter = ACRPMU_ARBITER_CLAIM;
	return 0;
}

static int fake_ioctl(int fd, unsigned long command, void *arg)
{
	int err = env_errno("FAKE_INFO_ERRNO");

	if (fd != FAKE_FD)
		return -EBADF;
	if (command != ACRPMU_INFO) {
		note("ioctl 0x%lx\n", command, 0);
		return -ENOTTY;
	}
	return err ? err : fake_info(arg);
}

static int fake_mmap(int fd, size_t length, __u64 offset, void **base)
{
	*base = NULL;
	note("mmap %lu %lu\n", length, offset);
	return fd == FAKE_FD ? -EINVAL : -EBADF;
}

static void fake_munmap(void *base, size_t length)
{
	note("munmap %lu %lu\n", (unsigned long)(uintptr_t)base, length);
}

static const struct acrpmu_ops fake_ops = {
	.open = fake_open,
	.close = fake_close,
	.ioctl = fake_ioctl,
	.mmap = fake_mmap,
	.munmap = fake_munmap,
};

const struct acrpmu_ops *const acrctl_ops = &fake_ops;
