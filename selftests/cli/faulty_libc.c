// SPDX-License-Identifier: GPL-2.0-only
/* C library calls that fail when the environment says so, by LD_PRELOAD before clock_device. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>

/*
 * Environment:
 *   FAKE_FAIL=fsync:N         fsync() fails with errno N
 *   FAKE_FAIL=close:N         so does close() of a file that has a name and can be written to
 *   FAKE_FAIL=reallocarray:N  and this one
 *   FAKE_KERNEL=5.4           perf_event_open() knows no build-ids, as before 5.12
 *   FAKE_KERNEL=4.19          nor symbols of BPF programs, as before 5.1
 */

/* Whether this function is to fail; errno is set then. */
static bool fails(const char *name)
{
	const char *fail = getenv("FAKE_FAIL");
	size_t len = strlen(name);

	if (!fail || strncmp(fail, name, len) || fail[len] != ':')
		return false;
	errno = atoi(fail + len + 1);
	return true;
}

/**
 * fsync() - as the C library's, or failing
 * @fd: descriptor
 *
 * Return: as fsync(2).
 */
int fsync(int fd)
{
	int (*real)(int fd) = dlsym(RTLD_NEXT, "fsync");

	return fails("fsync") ? -1 : real(fd);
}

/**
 * close() - as the C library's; what failed is closed nevertheless
 * @fd: descriptor
 *
 * Return: as close(2).
 */
int close(int fd)
{
	int (*real)(int fd) = dlsym(RTLD_NEXT, "close");
	struct stat st;
	bool file = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
	int ret = real(fd);

	return file && fails("close") ? -1 : ret;
}

/**
 * reallocarray() - as the C library's, or failing
 * @memory: what there is
 * @nr: elements
 * @size: bytes of each
 *
 * Return: as reallocarray(3).
 */
void *reallocarray(void *memory, size_t nr, size_t size)
{
	void *(*real)(void *memory, size_t nr, size_t size) = dlsym(RTLD_NEXT, "reallocarray");

	return fails("reallocarray") ? NULL : real(memory, nr, size);
}

static bool too_new(const struct perf_event_attr *attr)
{
	const char *kernel = getenv("FAKE_KERNEL");

	if (!kernel)
		return false;
	return attr->build_id || (!strcmp(kernel, "4.19") && (attr->ksymbol || attr->bpf_event));
}

/**
 * syscall() - as the C library's, but for perf_event_open() of an older kernel
 * @number: SYS_*
 *
 * Return: as syscall(2).
 */
long syscall(long number, ...)
{
	long (*real)(long number, ...) = dlsym(RTLD_NEXT, "syscall");
	long a[6];
	unsigned int i;
	va_list ap;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && too_new((const void *)a[0])) {
		errno = EINVAL;
		return -1;
	}
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
