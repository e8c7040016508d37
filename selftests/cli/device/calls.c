// SPDX-License-Identifier: GPL-2.0-only
/* The C library's calls that the device answers: for its own descriptors, and in acrctl alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_SIDEBAND=perf   the side-band is perf's: records about tasks and maps are real, and need
 *                        perf events; those of the script are not written
 */
/* how often a script is read while acrctl waits */
#define LOOK_MS		10
#define MAX_POLLED	256

int device_fd = -1;

/**
 * device_online() - number of CPUs, MAX_CPUS at most
 */
int device_online(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online < MAX_CPUS ? online : MAX_CPUS;
}

/**
 * syscall() - the C library's, but for perf_event_open()
 * @number: SYS_*
 *
 * Return: as syscall(2).
 */
long syscall(long number, ...)
{
	const char *sideband = getenv("FAKE_SIDEBAND");
	long a[6];
	unsigned int i;
	va_list ap;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && (!sideband || strcmp(sideband, "perf")))
		return perf_open((const void *)a[0], a[1], a[2]);
	return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int open_device(void)
{
	device_fd = memfd_create("acrpmu", MFD_CLOEXEC);
	return device_fd;
}

/**
 * open() - the C library's, but for the device
 * @path: file
 * @flags: O_*
 *
 * Return: as open(2).
 */
int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return strcmp(path, ACRPMU_DEVICE) ? REAL(open)(path, flags, mode) : open_device();
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/**
 * device_mmap() - the C library's mmap(), shared, to read and write
 */
void *device_mmap(size_t len, int fd, off_t offset)
{
	return REAL(mmap64)(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
}

/**
 * mmap64() - maps a ring of a session or of perf, or is the C library's
 * @at: wanted address
 * @len: bytes
 * @prot: PROT_*
 * @flags: MAP_*
 * @fd: descriptor
 * @offset: in it
 *
 * Return: as mmap(2).
 */
void *mmap64(void *at, size_t len, int prot, int flags, int fd, off64_t offset)
{
	if (session_of(fd))
		return session_map(session_of(fd), len, offset);
	if (perf_of(fd))
		return perf_map(perf_of(fd), len);
	return REAL(mmap64)(at, len, prot, flags, fd, offset);
}

/**
 * close() - the C library's, noted for a session
 * @fd: descriptor
 *
 * Return: as close(2).
 */
int close(int fd)
{
	if (session_of(fd))
		session_close(session_of(fd));
	if (perf_of(fd))
		perf_close(perf_of(fd));
	return REAL(close)(fd);
}

/**
 * fork() - the C library's; the script may name the first child
 *
 * Return: as fork(2).
 */
pid_t fork(void)
{
	pid_t pid = REAL(fork)();

	if (pid > 0)
		script_forked(pid);
	return pid;
}

/**
 * device_ioctl() - the C library's ioctl()
 */
int device_ioctl(int fd, unsigned long request, void *arg)
{
	return REAL(ioctl)(fd, request, arg);
}

/**
 * ioctl() - answers for the device, its sessions and perf, the C library's for all else
 * @fd: descriptor
 * @request: command
 *
 * Return: as ioctl(2).
 */
int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == ACRPMU_INFO && fd == device_fd)
		return fake_info(arg);
	if (request == ACRPMU_SESSION_CREATE && fd == device_fd)
		return session_create(arg);
	if (session_of(fd))
		return session_ioctl(session_of(fd), request, arg);
	if (request == PERF_EVENT_IOC_ENABLE)
		pause_before("sideband");
	if (perf_of(fd))
		return perf_ioctl(perf_of(fd), request, arg);
	return device_ioctl(fd, request, arg);
}

/* What the device has to report about its own descriptors; the others are left to the kernel. */
static int poll_own(const struct pollfd *fds, nfds_t nr, struct pollfd *others)
{
	int ready = 0;
	nfds_t i;

	for (i = 0; i < nr; i++) {
		short revents = 0;

		others[i] = fds[i];
		others[i].revents = 0;
		if (session_of(fds[i].fd))
			revents = session_ready(session_of(fds[i].fd));
		else if (perf_of(fds[i].fd))
			revents = perf_ready(perf_of(fds[i].fd));
		else
			continue;
		others[i].fd = -1;
		others[i].revents = revents & fds[i].events;
		ready += !!others[i].revents;
	}
	return ready;
}

/* The kernel clears what it is not asked about. */
static int poll_others(struct pollfd *fds, nfds_t nr, struct pollfd *others, int timeout)
{
	short own[MAX_POLLED];
	nfds_t i;
	int ret;

	for (i = 0; i < nr; i++)
		own[i] = others[i].revents;
	ret = REAL(poll)(others, nr, timeout);
	for (i = 0; ret >= 0 && i < nr; i++)
		fds[i].revents = others[i].fd < 0 ? own[i] : others[i].revents;
	return ret;
}

/**
 * poll() - the C library's, in which the script goes on, and what it wrote is ready
 * @fds: what is polled
 * @nr: number of them
 * @timeout: in milliseconds
 *
 * Return: as poll(2).
 */
int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	struct pollfd others[MAX_POLLED];
	bool of_loop = false, virtual;
	int own, ret, slice;
	nfds_t i;

	for (i = 0; i < nr && nr > 1; i++) {
		if (!session_of(fds[i].fd))
			continue;
		of_loop = true;
		session_note_polled(session_of(fds[i].fd), fds[i].events);
	}
	if (device_fd < 0 || nr > MAX_POLLED || (nr > 1 && !of_loop))
		return REAL(poll)(fds, nr, timeout);
	if (of_loop)
		script_play(SCRIPT_POLLED);
	for (;;) {
		own = poll_own(fds, nr, others);
		virtual = clock_runs() && (of_loop || getenv("FAKE_IMPATIENT"));
		slice = own || virtual ? 0 : timeout;
		if (of_loop && script_may_grow() && (slice < 0 || slice > LOOK_MS))
			slice = LOOK_MS;
		ret = poll_others(fds, nr, others, slice);
		if (ret || own)
			break;
		/* after the run only what ends it is awaited */
		if (virtual && !clock_wait(timeout))
			break;
		if (virtual)
			timeout = -1;
		timeout -= timeout > 0 ? slice : 0;
		if (!timeout)
			break;
		if (of_loop)
			script_play(SCRIPT_LATER);
	}
	return ret < 0 ? ret : ret + own;
}
