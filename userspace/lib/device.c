// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opening the device, and querying it. */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../util/message.h"

#define INFO_TRIES	4	/* CPUs do not come into being that often */

static int real_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void real_close(int fd)
{
	close(fd);
}

static int real_ioctl(int fd, unsigned long command, void *arg)
{
	int ret = ioctl(fd, command, arg);

	return ret < 0 ? -errno : ret;
}

static int real_mmap(int fd, size_t length, __u64 offset, void **base)
{
	*base = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
	return *base == MAP_FAILED ? -errno : 0;
}

static void real_munmap(void *base, size_t length)
{
	munmap(base, length);
}

static const struct acrpmu_ops real_ops = {
	.open = real_open,
	.close = real_close,
	.ioctl = real_ioctl,
	.mmap = real_mmap,
	.munmap = real_munmap,
};

/**
 * acrpmu_open() - open the module's device
 * @ops: system calls to use, valid as long as the device; NULL: the real ones
 * @device: out, to be closed by acrpmu_close(); written only on success
 * @message: out, why not; may be NULL
 *
 * Return: 0; -ENOENT: the module is not loaded; -EACCES; -ENOMEM; another error of open(2).
 */
int acrpmu_open(const struct acrpmu_ops *ops, struct acrpmu_device **device,
		struct acrpmu_message *message)
{
	struct acrpmu_device *d = malloc(sizeof(*d));

	acrpmu_message_clear(message);
	if (!d)
		return acrpmu_message_no_memory(message);
	d->ops = ops ? ops : &real_ops;
	d->fd = d->ops->open(ACRPMU_DEVICE);
	if (d->fd < 0) {
		int err = d->fd;

		free(d);
		if (message)
			acrpmu_explain_open(err, message);
		return err;
	}
	*device = d;
	return 0;
}

/**
 * acrpmu_close() - close the device; sessions made from it live on
 * @device: may be NULL
 */
void acrpmu_close(struct acrpmu_device *device)
{
	if (!device)
		return;
	device->ops->close(device->fd);
	free(device);
}

/**
 * acrpmu_device_fd() - descriptor of the device
 *
 * Return: the descriptor, which the device keeps.
 */
int acrpmu_device_fd(const struct acrpmu_device *device)
{
	return device->fd;
}

/**
 * acrpmu_device_info() - query the module and the CPUs
 * @info: out, up to @info->arbiter; @info->nr_cpus is the number of elements of @cpus
 * @cpus: out, one element for each possible CPU, to be freed by free(); NULL: not wanted
 *
 * Return: 0; -ENOMEM; -EAGAIN: CPUs keep appearing; another error of the module.
 */
int acrpmu_device_info(struct acrpmu_device *device, struct acrpmu_info *info,
		       struct acrpmu_cpu_info **cpus)
{
	struct acrpmu_cpu_info *list = NULL;
	__u32 room = 0;
	unsigned int i;
	int err;

	for (i = 0; i < INFO_TRIES; i++) {
		/* The caller's struct may be that of version 1. */
		memset(info, 0, ACRPMU_INFO_SIZE_VER0);
		info->size = ACRPMU_INFO_SIZE_VER0;
		info->nr_cpus = room;
		info->cpus = (__u64)(uintptr_t)list;
		info->cpu_size = sizeof(*list);
		err = device->ops->ioctl(device->fd, ACRPMU_INFO, info);
		if (err < 0)
			break;
		if (!cpus)
			return 0;
		if (list && info->nr_cpus <= room) {
			*cpus = list;
			return 0;
		}
		room = info->nr_cpus;
		free(list);
		list = calloc(room ? room : 1, sizeof(*list));
		if (!list)
			return -ENOMEM;
		err = -EAGAIN;
	}
	free(list);
	return err;
}
