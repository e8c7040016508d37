/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers read and written by instructions on a CPU; needs the msr driver, allow_writes=on. */
#ifndef HW_MSR_H
#define HW_MSR_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static inline int msr_open(int cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	return open(path, O_RDWR | O_CLOEXEC);
}

/**
 * msr_write() - write a register
 * @cpu: the CPU
 * @msr: the register
 * @value: the value
 *
 * Return: 0 or -errno.
 */
static inline int msr_write(int cpu, uint32_t msr, uint64_t value)
{
	int fd = msr_open(cpu), ret;

	if (fd < 0)
		return -errno;
	ret = pwrite(fd, &value, sizeof(value), msr) == sizeof(value) ? 0 : -errno;
	close(fd);
	return ret;
}

/**
 * msr_read() - read a register
 * @cpu: the CPU
 * @msr: the register
 *
 * Return: its value, all ones if that was not possible.
 */
static inline uint64_t msr_read(int cpu, uint32_t msr)
{
	int fd = msr_open(cpu);
	uint64_t value;

	if (fd < 0)
		return ~0ULL;
	if (pread(fd, &value, sizeof(value), msr) != sizeof(value))
		value = ~0ULL;
	close(fd);
	return value;
}

#endif /* HW_MSR_H */
