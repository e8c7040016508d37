// SPDX-License-Identifier: GPL-2.0-only
/* C library calls that fail when the environment says so, by LD_PRELOAD before the device. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/perf_event.h>

/*
 * Environment:
 *   FAKE_FAIL=fsync:N         fsync() fails with errno N
 *   FAKE_FAIL=close:N         so does close() of a file that has a name and can be written to
 *   FAKE_FAIL=reallocarray:N  and this one
 *   FAKE_FAIL=poll:N          and poll() of more than one descriptor, as in acrctl's loop
 *   FAKE_WRITE=N:E            N writes to a file that has a name succeed, the next one writes the
 *                             half, and all others fail with errno E; one that overwrites fails
 *                             with EIO only
 *   FAKE_WRITE=N:kill         after N such writes, the next writes the half and ends the process
 *   FAKE_WRITE=short          each of them writes some bytes only
 *   FAKE_AFTER=WORD           writes are counted, and poll() fails, from when FAKE_LOG contains the
 *                             word
 *   FAKE_KERNEL=5.4           perf_event_open() knows no build-ids, as before 5.12
 *   FAKE_KERNEL=4.19          nor symbols of BPF programs, as before 5.1
 *   FAKE_ISOLATED=FILE        the file lists the CPUs that are isolated
 *   FAKE_PERF=tasks           perf_event_open() refuses events of CPUs, as to most users
 *   FAKE_PERF=full            it has no descriptor left for events that count nothing
 */
#define SHORT_WRITE	13
#define MAX_PIECES	64

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

/* Whether this is a file that has a name and can be written to. */
static bool is_output(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink &&
	       (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static bool counting(void)
{
	const char *word = getenv("FAKE_AFTER"), *log = getenv("FAKE_LOG");
	FILE *f = word && log ? fopen(log, "re") : NULL;
	char line[4096];
	bool found = !word;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, word);
	if (f)
		fclose(f);
	return found;
}

/* What a call that changes a file does. */
struct change {
	bool fails;	/* with errno set */
	bool kills;	/* when it is done */
	size_t bytes;	/* that it writes */
};

static struct change next_change(int fd, size_t bytes)
{
	const char *how = getenv("FAKE_WRITE");
	struct change c = { .bytes = bytes };
	static long calls;
	char *end;
	long nr;

	if (!how || !is_output(fd) || !counting())
		return c;
	if (!strcmp(how, "short")) {
		c.bytes = bytes < SHORT_WRITE ? bytes : SHORT_WRITE;
		return c;
	}
	nr = strtol(how, &end, 10);
	if (calls < nr) {
		calls++;
		return c;
	}
	c.kills = !strcmp(end, ":kill");
	c.fails = calls++ > nr;
	c.bytes = bytes / 2;
	errno = atoi(end + 1);
	return c;
}

static ssize_t changed(const struct change *c, ssize_t n)
{
	if (c->kills)
		raise(SIGKILL);
	return n;
}

/* Whether the disk that is full here has room: to overwrite. */
static bool fits(int fd, off64_t end)
{
	const char *how = getenv("FAKE_WRITE"), *error = how ? strchr(how, ':') : NULL;
	struct stat st;

	return error && atoi(error + 1) && atoi(error + 1) != EIO && !fstat(fd, &st) &&
	       end <= st.st_size;
}

/**
 * writev() - as the C library's, or writing less, or failing
 * @fd: descriptor
 * @iov: pieces
 * @nr: number of them, at most MAX_PIECES
 *
 * Return: as writev(2).
 */
ssize_t writev(int fd, const struct iovec *iov, int nr)
{
	ssize_t (*real)(int fd, const struct iovec *iov, int nr) = dlsym(RTLD_NEXT, "writev");
	struct iovec part[MAX_PIECES];
	size_t bytes = 0;
	struct change c;
	int i;

	for (i = 0; i < nr; i++)
		bytes += iov[i].iov_len;
	c = next_change(fd, bytes);
	if (c.fails)
		return -1;
	bytes = c.bytes;
	for (i = 0; i < nr; i++) {
		part[i] = iov[i];
		if (part[i].iov_len > bytes)
			part[i].iov_len = bytes;
		bytes -= part[i].iov_len;
	}
	return changed(&c, real(fd, part, nr));
}

/**
 * pwrite64() - as the C library's, or writing less, or failing
 * @fd: descriptor
 * @data: bytes
 * @size: their number
 * @offset: in the file
 *
 * Return: as pwrite(2).
 */
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
	ssize_t (*real)(int fd, const void *data, size_t size, off64_t offset) =
		dlsym(RTLD_NEXT, "pwrite64");
	struct change c = { .bytes = size };

	if (!fits(fd, offset + size))
		c = next_change(fd, size);
	return c.fails ? -1 : changed(&c, real(fd, data, c.bytes, offset));
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
	bool file = is_output(fd);
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

/**
 * poll() - as the C library's, or failing
 * @fds: what is polled
 * @nr: number of them
 * @timeout: in milliseconds
 *
 * Return: as poll(2).
 */
int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	int (*real)(struct pollfd *fds, nfds_t nr, int timeout) = dlsym(RTLD_NEXT, "poll");

	return nr > 1 && counting() && fails("poll") ? -1 : real(fds, nr, timeout);
}

/**
 * fopen64() - as the C library's, but for the list of isolated CPUs
 * @path: name of a file
 * @mode: how to open it
 *
 * Return: as fopen(3).
 */
FILE *fopen64(const char *path, const char *mode)
{
	FILE *(*real)(const char *path, const char *mode) = dlsym(RTLD_NEXT, "fopen64");
	const char *list = getenv("FAKE_ISOLATED");

	return real(list && !strcmp(path, "/sys/devices/system/cpu/isolated") ? list : path, mode);
}

static bool too_new(const struct perf_event_attr *attr)
{
	const char *kernel = getenv("FAKE_KERNEL");

	if (!kernel)
		return false;
	return attr->build_id || (!strcmp(kernel, "4.19") && (attr->ksymbol || attr->bpf_event));
}

/* What the other user's or older kernel's perf_event_open() says; 0 if it would succeed. */
static int refusal(const struct perf_event_attr *attr, pid_t pid)
{
	const char *perf = getenv("FAKE_PERF");

	if (too_new(attr))
		return EINVAL;
	if (!perf)
		return 0;
	if (!strcmp(perf, "full"))
		return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY ?
		       EMFILE : 0;
	return pid == -1 ? EACCES : 0;
}

/**
 * syscall() - as the C library's, but for perf_event_open() of another user or an older kernel
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
	int err;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	err = number == SYS_perf_event_open ? refusal((const void *)a[0], a[1]) : 0;
	if (err) {
		errno = err;
		return -1;
	}
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
