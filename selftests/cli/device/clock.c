// SPDX-License-Identifier: GPL-2.0-only
/* Virtual time, which passes only while acrctl waits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_RUN_MS=N    acrctl's waits take no time, and its monotonic clock advances by their length
 *                    until a run has lasted so long; without it time is real
 *   FAKE_IMPATIENT=1 so do those for a command that does not end
 *   FAKE_FIFO=FILE   then this is opened and closed, so that a command that reads it ends; without
 *                    it SIGINT ends the run
 *   FAKE_READY=FILE  this is opened and closed before time passes, so that a command that writes to
 *                    it is ready by then
 */
#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL
#define START_NS	(1000 * NSEC_PER_SEC)

static uint64_t now_ns, run_start_ns;
static bool run_begun, run_over;

/* Not that of the command. */
static bool is_virtual(void)
{
	return getenv("FAKE_RUN_MS") && !strncmp(program_invocation_short_name, "acrctl", 6);
}

/**
 * clock_runs() - whether waits take no time
 */
bool clock_runs(void)
{
	return is_virtual() && !run_over;
}

/**
 * clock_run_ms() - how long the run has lasted
 */
uint64_t clock_run_ms(void)
{
	return run_begun ? (now_ns - run_start_ns) / NSEC_PER_MSEC : 0;
}

/**
 * clock_wait() - let time pass: the timeout, any if negative, or what is left of the run
 */
void clock_wait(int timeout_ms)
{
	uint64_t end, ns;

	if (!run_begun && getenv("FAKE_READY"))
		open_and_close(getenv("FAKE_READY"), O_RDONLY);
	if (!run_begun)
		run_start_ns = now_ns;
	run_begun = true;
	end = run_start_ns + env_number("FAKE_RUN_MS") * NSEC_PER_MSEC;
	ns = end > now_ns ? end - now_ns : 0;
	if (timeout_ms >= 0 && timeout_ms * NSEC_PER_MSEC < ns)
		ns = timeout_ms * NSEC_PER_MSEC;
	now_ns += ns;
	if (now_ns < end)
		return;
	run_over = true;
	if (getenv("FAKE_FIFO"))
		open_and_close(getenv("FAKE_FIFO"), O_WRONLY);
	else
		kill(getpid(), SIGINT);
}

/**
 * clock_gettime() - the clock here for CLOCK_MONOTONIC if time is virtual, the C library's for all
 *	else
 * @id: which clock
 * @t: out
 *
 * Return: as clock_gettime(2).
 */
int clock_gettime(clockid_t id, struct timespec *t)
{
	if (id != CLOCK_MONOTONIC || !is_virtual())
		return device_syscall(SYS_clock_gettime, id, t);
	t->tv_sec = (START_NS + now_ns) / NSEC_PER_SEC;
	t->tv_nsec = (START_NS + now_ns) % NSEC_PER_SEC;
	return 0;
}
