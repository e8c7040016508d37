/* SPDX-License-Identifier: GPL-2.0-only */
/* Raw system calls for the ABI tests, with nothing between a test and the module. */
#ifndef ABI_WRAPPERS_H
#define ABI_WRAPPERS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <acrpmu.h>

/* All wrappers return a negative errno on failure, so a test compares one number. */
static inline int abi_ioctl(int fd, unsigned long cmd, const void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

static inline int abi_open(void)
{
	int fd = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static inline int abi_info(int dev, struct acrpmu_info *info)
{
	return abi_ioctl(dev, ACRPMU_INFO, info);
}

static inline int abi_create(int dev, struct acrpmu_session_attr *attr)
{
	return abi_ioctl(dev, ACRPMU_SESSION_CREATE, attr);
}

static inline int abi_ctl(int session, unsigned long cmd)
{
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };

	return abi_ioctl(session, cmd, &ctl);
}

static inline int abi_enable(int session)
{
	return abi_ctl(session, ACRPMU_ENABLE);
}

static inline int abi_disable(int session)
{
	return abi_ctl(session, ACRPMU_DISABLE);
}

static inline int abi_reset(int session)
{
	return abi_ctl(session, ACRPMU_RESET);
}

static inline int abi_query(int session, struct acrpmu_event_hw *hw, unsigned int nr)
{
	struct acrpmu_query query = {
		.size = sizeof(query),
		.events = (uintptr_t)hw,
		.nr_events = nr,
		.event_size = sizeof(*hw),
	};

	return abi_ioctl(session, ACRPMU_QUERY, &query);
}

static inline int abi_attach(int session, struct acrpmu_attach *attach)
{
	attach->size = sizeof(*attach);
	return abi_ioctl(session, ACRPMU_ATTACH, attach);
}

static inline int abi_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
				      unsigned long flags)
{
	int fd = syscall(__NR_perf_event_open, attr, pid, cpu, group, flags);

	return fd < 0 ? -errno : fd;
}

/* ioctl as in a 32-bit program: through the old gate and its own system call table. */
#define NR_IOCTL_I386	54

static inline int abi_ioctl_compat(int fd, uint32_t cmd, const void *low_arg)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a" (ret)
			 : "a" (NR_IOCTL_I386), "b" (fd), "c" (cmd), "d" (low_arg)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

static inline int abi_capget(struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3])
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(__NR_capget, &header, data) ? -errno : 0;
}

static inline int abi_capset(const struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3])
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(__NR_capset, &header, data) ? -errno : 0;
}

#endif /* ABI_WRAPPERS_H */
